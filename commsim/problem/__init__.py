"""Two-party problems: functions, partial functions and relations of Alice's x and Bob's y."""

from commsim.problem.base import KnownBound, PartialFunction, Problem
from commsim.problem.functions import (
    Disjointness,
    Equality,
    GreaterThan,
    Index,
    InnerProduct,
    Intersection,
)

__all__ = [
    "Disjointness",
    "Equality",
    "GreaterThan",
    "Index",
    "InnerProduct",
    "Intersection",
    "KnownBound",
    "PartialFunction",
    "Problem",
]
