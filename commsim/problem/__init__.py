"""Two-party problems: functions, partial functions and relations of Alice's x and Bob's y."""

from commsim.problem.base import KnownBound, PartialFunction, Problem
from commsim.problem.composed import ComposedWithIndex, DecisionTree, Formula, KarchmerWigderson
from commsim.problem.distance import GapHamming, HammingDistance
from commsim.problem.functions import (
    Disjointness,
    Equality,
    GreaterThan,
    Index,
    InnerProduct,
    Intersection,
)
from commsim.problem.pointers import PointerJumping
from commsim.problem.sets import CliqueIndependentSet, Median, SparseDisjointness

__all__ = [
    "CliqueIndependentSet",
    "ComposedWithIndex",
    "DecisionTree",
    "Disjointness",
    "Equality",
    "Formula",
    "GapHamming",
    "GreaterThan",
    "HammingDistance",
    "Index",
    "InnerProduct",
    "Intersection",
    "KarchmerWigderson",
    "KnownBound",
    "Median",
    "PartialFunction",
    "PointerJumping",
    "Problem",
    "SparseDisjointness",
]
