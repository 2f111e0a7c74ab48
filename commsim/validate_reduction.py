"""Whether a reduction is one: owners fixed by n, honest encoders, a right answer with the declared gap, and sizes."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

import numpy as np

from commsim.analysis.lower_bound import known_lower_bound
from commsim.analysis.summary import compare
from commsim.arrays import Array, Bits
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.problem import Problem
from commsim.reduction import InducedProtocol, Reduction
from commsim.reduction_cases import PARTIES, AtSize, answer, calling, encode
from commsim.registry import FAMILIES, construct, models
from commsim.shape import Owner, other
from commsim.task import SequenceTask, TokenError
from commsim.transcript import PartyName
from commsim.validation import (
    LARGE_SIZES,
    Check,
    Claim,
    Counterexample,
    Refuted,
    accepts,
    run_claims,
    same,
    shrink,
    sizes_up_to,
    span,
)
from commsim.verify import WrongPair, sample_runs, verify

_SAMPLES = 100
_MODEL_RUNS = 10


def validate_reduction(reduction: type[Reduction], seed: int = 0) -> Iterator[Check]:
    """Check a reduction's claims in this order, and stop at the first that is refuted.

    1. What it declares can be read.
    2. Who owns which token is fixed by n.
    3. Each encoder is a function of its own party's input alone.
    4. All tokens lie in the task's domain.
    5. decode(T(tokens)) = f: on all pairs at small sizes, then on balanced pairs at large ones.
    6. YES and NO outputs are at least the declared gap apart, and decode stands an error below half of it.
    7. The task's sizes are the declared formulas.
    8. For each model family that can be split this way: the induced protocol is right, and its metered bits are the
       symbolic cost.

    Args:
        reduction: the class.
        seed: of the samples.

    Raises:
        InputError: an encoder or the decoder raised an exception of its own.
    """
    return run_claims(_Validation(reduction, seed).claims())


class _Validation:
    def __init__(self, reduction: type[Reduction], seed: int) -> None:
        self.reduction = reduction
        self.seed = seed

    def claims(self) -> Iterator[Claim]:
        yield "what it declares can be read", self.declarations
        yield "who owns which token is fixed by n", self.ownership
        yield "each encoder is a function of its own input", self.purity
        yield "all tokens lie in the task's domain", self.domain
        yield "decode(T(tokens)) = f", self.correctness
        yield "the same at large sizes", self.large
        yield "the gap between YES and NO is as declared", self.gap
        yield "the sizes are as declared", self.sizes
        for family in FAMILIES:
            if (family, self.reduction.target.name) in models():
                yield f"the {family} protocol is right, at its symbolic cost", partial(self.induced, family)

    @cached_property
    def small(self) -> list[int]:
        return sizes_up_to(self.reduction, self.reduction.source, 2**12)

    @cached_property
    def at_sizes(self) -> list[AtSize]:
        return [AtSize(self.reduction, n) for n in self.small]

    def declarations(self) -> str:
        cls = self.reduction
        for attribute, kind in (("name", str), ("source", type), ("target", type), ("sizes", dict), ("gap", str)):
            if not isinstance(getattr(cls, attribute, None), kind):
                raise Refuted(f"{attribute} is missing, or is no {kind.__name__}")
        if not issubclass(cls.source, Problem) or not issubclass(cls.target, SequenceTask):
            raise Refuted("source must be a Problem and target a SequenceTask")
        if "N" not in cls.sizes:
            raise Refuted('sizes has no "N", the number of tokens')
        for n in self.small:
            if evaluate(cls.gap, {"n": n}) <= 0:
                raise Refuted(f"the gap {cls.gap} is not positive at n = {n}", Counterexample(n))
        sizes = ", ".join(f"{size} = {formula}" for size, formula in cls.sizes.items())
        return f"{cls.source.name} to {cls.target.name}, {sizes}, gap {cls.gap}"

    def ownership(self) -> str:
        for size in self.at_sizes:
            _check_count(size, "public", calling(size.reduction.public))
            for party in PARTIES:
                for value in size.inputs[party]:
                    text = size.text(party, value)
                    _check_count(size, party, encode(size.reduction, party, value), text)
                    after = calling(size.reduction.shape)
                    if repr(after) != repr(size.shape):
                        raise Refuted(
                            f"at n = {size.n} owners or sizes have changed after {party} encoded {text}: they must be"
                            " fixed by n",
                            size.at(party, text),
                        )
        return f"on all inputs, {span(self.small)}"

    def purity(self) -> str:
        for size in self.at_sizes:
            for party in PARTIES:
                stride = 1 if size.truth.size <= 2**8 else 7
                for theirs in size.inputs[other(party)][::stride]:
                    encode(size.reduction, other(party), theirs)
                    self._check_as_alone(size, party, theirs)
                batch = self._batch(size, party)
                if batch is not None and not same(batch, np.stack(size.tokens[party])):
                    raise Refuted(f"at n = {size.n}, {party} writes other tokens for a batch than for single inputs")
        return f"on all inputs, {span(self.small)}"

    def _check_as_alone(self, size: AtSize, party: PartyName, theirs: Array) -> None:
        for value, alone in zip(size.inputs[party], size.tokens[party], strict=True):
            if not same(encode(size.reduction, party, value), alone):
                mine, others = size.text(party, value), size.text(other(party), theirs)
                raise Refuted(
                    f"at n = {size.n}, what {party} writes for {mine} is different after {other(party)} encoded"
                    f" {others}: an encoder may use nothing but its own input and n",
                    size.at(party, mine, others),
                )

    def _batch(self, size: AtSize, party: PartyName) -> Array | None:
        return encode(size.reduction, party, size.domains[party].all()) if self.reduction.batched else None

    def domain(self) -> str:
        for size in self.at_sizes:
            _check_domain(size, "public", size.reduction.public(), None)
            for party in PARTIES:
                for value, tokens in zip(size.inputs[party], size.tokens[party], strict=True):
                    _check_domain(size, party, tokens, size.text(party, value))
        return f"on all inputs, {span(self.small)}"

    def correctness(self) -> str:
        for size in self.at_sizes:
            wrong = np.argwhere(self._decoded(size, size.outputs) != size.truth)
            if len(wrong):
                x, y = size.inputs["alice"][wrong[0][0]], size.inputs["bob"][wrong[0][1]]
                raise _wrong_answer(size.reduction, x, y, f"; wrong on {len(wrong)} of {size.truth.size} pairs")
        return f"verified on all pairs, {span(self.small)}"

    def _decoded(self, size: AtSize, outputs: Array) -> Bits:
        """The decoder's answers on all pairs, from outputs with their own axes behind."""
        if self.reduction.batched:
            flat = outputs.reshape(size.truth.size, *outputs.shape[2:])
            return np.asarray(np.reshape(calling(size.reduction.decode, flat), size.truth.shape) != 0)
        answers = [[bool(calling(size.reduction.decode, output)) for output in row] for row in outputs]
        return np.array(answers)

    def large(self) -> Check:
        sizes = [n for n in LARGE_SIZES if accepts(self.reduction, n)]
        for n in sizes:
            reduction = self.reduction(n)
            xs, ys = reduction.problem.balanced_pairs(np.random.default_rng(self.seed), _SAMPLES)
            for x, y in zip(xs, ys, strict=True):
                if answer(reduction, x, y) != bool(reduction.problem.evaluate(x, y)):
                    raise _wrong_answer(reduction, np.asarray(x), np.asarray(y))
        detail = f"sampled: {_SAMPLES} balanced pairs each at n = {' and '.join(map(str, sizes))}"
        return Check("the same at large sizes", "holds", detail, exhaustive=False)

    def gap(self) -> str:
        for size in self.at_sizes:
            declared = evaluate(self.reduction.gap, {"n": size.n})
            if size.truth.all() or not size.truth.any():
                continue
            square, yes, no = size.nearest_outputs()
            if square < declared**2:
                x, y = size.inputs["alice"][no[0]], size.inputs["bob"][no[1]]
                raise Refuted(
                    f"at n = {size.n} a YES output is {_shown(size.outputs[yes])} and a NO output"
                    f" {_shown(size.outputs[no])}, closer than the declared gap {self.reduction.gap} = {declared}",
                    Counterexample(size.n, size.text("alice", x), size.text("bob", y)),
                )
            self._check_tolerance(size, declared)
        return f"at least {self.reduction.gap}, exactly, on all pairs, {span(self.small)}"

    def _check_tolerance(self, size: AtSize, gap: Fraction) -> None:
        """Decode outputs that are off by just less than half the gap, as a model's may be."""
        if size.outputs.dtype != object:  # bits are right or wrong, never off by a little
            return
        for axis in range(size.outputs.shape[2]):
            for sign in (-1, 1):
                shifted = size.outputs.copy()
                shifted[..., axis] += sign * gap * Fraction(499, 1000)
                wrong = np.argwhere(self._decoded(size, shifted.astype(np.float64)) != size.truth)
                if len(wrong):
                    x, y = size.inputs["alice"][wrong[0][0]], size.inputs["bob"][wrong[0][1]]
                    raise Refuted(
                        f"at n = {size.n} decode fails on an output that is off by less than half the gap, on"
                        f" x = {size.text('alice', x)}, y = {size.text('bob', y)}",
                        Counterexample(size.n, size.text("alice", x), size.text("bob", y)),
                    )

    def sizes(self) -> str:
        for size in self.at_sizes:
            known = {"n": size.n}
            for name, formula in self.reduction.sizes.items():
                known[name] = int(evaluate(formula, known))
                actual = size.shape.task.parameters.get(name)
                if actual != known[name]:
                    raise Refuted(
                        f"at n = {size.n} the task has {name} = {actual}, but {formula} = {known[name]} is declared",
                        Counterexample(size.n),
                    )
        return (
            f"{', '.join(f'{name} = {formula}' for name, formula in self.reduction.sizes.items())}, {span(self.small)}"
        )

    def induced(self, family: str) -> str | Check:
        claim = f"the {family} protocol is right, at its symbolic cost"
        try:
            protocols = [size.reduction.induce(construct(family, size.shape.task)) for size in self.at_sizes]
        except InputError as error:
            return Check(claim, "skipped", str(error))
        for protocol in protocols:
            verdict = _check_induced(protocol)
        large = LARGE_SIZES[0]
        if accepts(self.reduction, large):
            reduction = self.reduction(large)
            for run in sample_runs(reduction.induce(construct(family, reduction.shape().task)), _MODEL_RUNS, self.seed):
                if not run.correct:
                    wrong = WrongPair(run.x, run.y, run.output, run.expected)
                    raise Refuted(f"at n = {large}, {wrong}", Counterexample(large, run.x, run.y))
        return f"metered {protocol.cost}, verified on all pairs, {span(self.small)}; {verdict}"


def _check_induced(protocol: InducedProtocol) -> str:
    found = verify(protocol)
    if wrong := found.first_wrong:
        detail = (
            f"at n = {protocol.n}, on x = {wrong.x}, y = {wrong.y}, it answers {wrong.output}, but f = {wrong.expected}"
        )
        raise Refuted(detail, Counterexample(protocol.n, wrong.x, wrong.y))
    if found.cost != protocol.declared_cost:
        raise Refuted(
            f"at n = {protocol.n} the metered worst case is {found.cost} bits, but {protocol.cost} ="
            f" {protocol.declared_cost}",
            Counterexample(protocol.n),
        )
    bound = known_lower_bound(protocol.function, protocol.communication, protocol.output, protocol.coins)
    verdict = compare(found.cost, bound, complete=True, right=True)
    if verdict.startswith("CONTRADICTION"):
        raise Refuted(verdict, Counterexample(protocol.n))
    return verdict


def _wrong_answer(reduction: Reduction, x: Array, y: Array, more: str = "") -> Refuted:
    problem = reduction.problem
    x, y = shrink(problem, x, y, lambda x, y: answer(reduction, x, y) != bool(problem.evaluate(x, y)))
    shape = reduction.shape()
    output = shape.task.evaluate(reduction.assemble(x, y), [shape.reader])[0]
    inputs = problem.alice_inputs.format(x), problem.bob_inputs.format(y)
    detail = (
        f"at n = {reduction.n}, on x = {inputs[0]}, y = {inputs[1]}, the output {_shown(output)} decodes"
        f" to {int(answer(reduction, x, y))}, but f = {int(problem.evaluate(x, y))}{more}"
    )
    return Refuted(detail, Counterexample(reduction.n, *inputs))


def _check_count(size: AtSize, owner: Owner, tokens: Array, text: str | None = None) -> None:
    expected = len(size.shape.positions(owner))
    if tokens.ndim != 1 or len(tokens) != expected:
        where = size.at(owner, text) if text is not None and owner != "public" else Counterexample(size.n)
        given = f" for {text}" if text is not None else ""
        raise Refuted(
            f"at n = {size.n}, {owner} writes an array of shape {tokens.shape}{given}, but owns {expected} tokens",
            where,
        )


def _check_domain(size: AtSize, owner: Owner, tokens: Array, text: str | None) -> None:
    try:
        size.shape.task.check(tokens, size.shape.positions(owner))
    except TokenError as error:
        where = size.at(owner, text) if text is not None and owner != "public" else Counterexample(size.n)
        given = f", written by {owner} for {text}" if text is not None else ""
        raise Refuted(f"at n = {size.n}, {error}{given}", where) from error


def _shown(output: Any) -> str:
    return ", ".join(str(int(value) if isinstance(value, bool | np.bool_) else value) for value in np.ravel(output))
