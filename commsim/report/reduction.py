"""The whole argument of a reduction at one size, as one record."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from typing import Any, Literal

import msgspec
import numpy as np

from commsim.analysis.lower_bound import LowerBound, implied_inequality, known_lower_bound
from commsim.analysis.summary import compare
from commsim.arrays import Array
from commsim.error_probability import clopper_pearson
from commsim.errors import InputError
from commsim.formula import parse
from commsim.reduction import InducedProtocol, Reduction
from commsim.reduction_cases import calling
from commsim.registry import construct
from commsim.shape import Owner
from commsim.transcript import Transcript
from commsim.verify import sample_runs, verify

#: pairs that are checked exhaustively unless a sample is asked for: a batched protocol, and one that is not
MOST_PAIRS = {True: 2**24, False: 2**12}
SAMPLE = 200
CONFIDENCE = 0.95
Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]


class Token(msgspec.Struct):
    """One token: its position from 1, who writes it, what it holds (in the task's JSON form, and in words)."""

    position: int
    owner: Owner
    token: Any
    text: str


class Instance(msgspec.Struct, kw_only=True):
    """A source instance and the target instance that it becomes.

    Attributes:
        reduction, source, target, n, sizes: which, and at what size.
        x, y, f: the inputs as text, and the right answer.
        reader: the position at which the output is read.
        tokens: all of them.
        output: the task's exact output at the reader, each number as text such as ``-3/4``.
        decoded: the answer that the output stands for.
    """

    reduction: str
    source: str
    target: str
    n: int
    sizes: dict[str, int]
    x: str
    y: str
    f: int
    reader: int
    tokens: list[Token]
    output: list[str]
    decoded: int


class Evidence(msgspec.Struct, kw_only=True):
    """How a protocol was checked.

    Attributes:
        kind: ``verified`` on all pairs of inputs, or ``sampled``.
        pairs: how many were checked, ``wrong`` of them wrong; ``counterexample`` is one.
        worst_bits: the most that crossed.
        error_interval: if sampled, the 95 % Clopper-Pearson interval of the error on balanced pairs.
    """

    kind: Literal["verified", "sampled"]
    pairs: int
    wrong: int
    worst_bits: int
    counterexample: dict[str, str] | None = None
    error_interval: tuple[float, float] | None = None


class ModelReport(msgspec.Struct, kw_only=True, tag_field="kind", tag="protocol"):
    """One family's induced protocol.

    Attributes:
        family, sizes: the model.
        transcript: the run on the instance; ``carries`` says what each message carries.
        cost, cost_value: the symbolic cost and its value, in bits.
        lower_bound: on the source problem, in bits, for this kind of protocol; in words with its reference.
        verdict: how the metered worst case stands to it.
        implied: what the bound says about every model of the family.
        evidence: how the protocol was checked.
    """

    family: str
    sizes: dict[str, int]
    transcript: Transcript
    carries: tuple[str, ...]
    cost: str
    cost_value: int
    lower_bound: int | None
    lower_bound_is: str | None
    reference: str | None
    verdict: str
    implied: str | None
    evidence: Evidence


class SkippedModel(msgspec.Struct, tag_field="kind", tag="skipped"):
    """A family that this reduction has no protocol for, and why."""

    family: str
    skipped: str


class ReductionReport(msgspec.Struct, kw_only=True, tag_field="format", tag="commsim reduction 1"):
    """The instance, and what each model family makes of the reduction."""

    instance: Instance
    models: list[ModelReport | SkippedModel]
    origin: str
    seed: int


def build_instance(reduction: Reduction, x: Array, y: Array) -> Instance:
    """The target instance of a pair of inputs, and its exact output.

    Raises:
        InputError: a token lies outside the task's domain, or the reduction raised an exception of its own.
    """
    shape = calling(reduction.shape)
    tokens = calling(reduction.assemble, x, y)
    shape.task.check(tokens)
    output = shape.task.evaluate(tokens, [shape.reader])[0]
    written = shape.task.to_json(tokens)
    problem = reduction.problem
    return Instance(
        reduction=reduction.name,
        source=problem.name,
        target=shape.task.name,
        n=reduction.n,
        sizes=shape.task.parameters,
        x=problem.alice_inputs.format(x),
        y=problem.bob_inputs.format(y),
        f=int(problem.evaluate(x, y)),
        reader=shape.reader,
        tokens=[
            Token(position, owner, written[position - 1], shape.task.describe_token(tokens[position - 1]))
            for position, owner in enumerate(shape.owners, start=1)
        ],
        output=[str(value if isinstance(value, Fraction) else int(value)) for value in np.ravel(output)],
        decoded=int(calling(reduction.decode, output)),
    )


def induce(reduction: Reduction, family: str) -> InducedProtocol | SkippedModel:
    """The family's protocol for a reduction, or why there is none."""
    try:
        return reduction.induce(construct(family, calling(reduction.shape).task))
    except InputError as error:
        return SkippedModel(family, str(error))


def model_report(
    protocol: InducedProtocol, x: Array, y: Array, sample: int | None, seed: int, progress: Progress
) -> ModelReport:
    """Run an induced protocol on one pair, and check it on all pairs or on a sample.

    Args:
        protocol: of some reduction and model.
        x, y: the pair.
        sample: how many pairs to sample; None for all pairs where these are few enough.
        seed: of the sample.
        progress: for long checks.
    """
    evidence = _check(protocol, sample, seed, progress)
    bound = known_lower_bound(protocol.function, protocol.communication, protocol.output, protocol.coins)
    verdict = compare(evidence.worst_bits, bound, complete=evidence.kind == "verified", right=evidence.wrong == 0)
    used = {str(symbol) for symbol in parse(protocol.cost).free_symbols}
    return ModelReport(
        family=protocol.model.family,
        sizes={size: value for size, value in protocol.parameters.items() if size in used},
        transcript=protocol.run(x, y),
        carries=protocol.split.carries,
        cost=protocol.cost,
        cost_value=protocol.declared_cost,
        lower_bound=bound.value if bound else None,
        lower_bound_is=str(bound) if bound else None,
        reference=bound.bound.reference if bound else None,
        verdict=verdict,
        implied=_implied(protocol, bound),
        evidence=evidence,
    )


def _implied(protocol: InducedProtocol, bound: LowerBound | None) -> str | None:
    return None if bound is None else implied_inequality(protocol.cost, bound, protocol.model.size)


def _check(protocol: InducedProtocol, sample: int | None, seed: int, progress: Progress) -> Evidence:
    pairs = protocol.function.pairs
    if sample is None and pairs <= MOST_PAIRS[protocol.batched]:
        with progress(f"verifying {protocol.name}", pairs) as advance:
            found = verify(protocol, progress=advance)
        wrong = found.first_wrong
        return Evidence(
            kind="verified",
            pairs=pairs,
            wrong=found.wrong,
            worst_bits=found.cost,
            counterexample=None if wrong is None else {"x": wrong.x, "y": wrong.y},
        )
    count, wrong_runs, worst = sample or SAMPLE, [], 0
    with progress(f"sampling {protocol.name}", count) as advance:
        for run in sample_runs(protocol, count, seed):
            worst = max(worst, run.bits)
            wrong_runs += [] if run.correct else [run]
            advance(1)
    return Evidence(
        kind="sampled",
        pairs=count,
        wrong=len(wrong_runs),
        worst_bits=worst,
        counterexample={"x": wrong_runs[0].x, "y": wrong_runs[0].y} if wrong_runs else None,
        error_interval=clopper_pearson(len(wrong_runs), count, CONFIDENCE),
    )
