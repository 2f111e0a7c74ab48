"""Whether a reduction is one: owners fixed by n, honest encoders, a right answer with the declared gap, and sizes."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property, partial

import numpy as np

from commsim.analysis.lower_bound import known_lower_bound
from commsim.analysis.summary import compare
from commsim.errors import InputError
from commsim.formula import evaluate
from commsim.problem import Problem
from commsim.reduction import InducedProtocol, Reduction
from commsim.reduction_cases import PARTIES, AtSize, answer, calling, encode
from commsim.reduction_checks import (
    check_as_alone,
    check_batch,
    check_count,
    check_decoder_in_batches,
    check_domain,
    check_public,
    shown,
    wrong_answer,
)
from commsim.registry import FAMILIES, construct, models
from commsim.shape import other
from commsim.task import SequenceTask
from commsim.validation import (
    LARGE_SIZES,
    Check,
    Claim,
    Counterexample,
    Refuted,
    accepts,
    run_claims,
    sampled,
    sizes_up_to,
    span,
    stated,
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
        return sizes_up_to(self.reduction, lambda reduction: reduction.problem, 2**12)

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
            try:
                gap = evaluate(cls.gap, {"n": n})
            except InputError as error:
                raise Refuted(str(error), Counterexample(n)) from error
            if gap <= 0:
                raise Refuted(f"the gap {cls.gap} is not positive at n = {n}", Counterexample(n))
        sizes = ", ".join(f"{size} = {formula}" for size, formula in cls.sizes.items())
        return f"{cls.source.name} to {cls.target.name}, {sizes}, gap {cls.gap}"

    def ownership(self) -> str:
        for size in self.at_sizes:
            check_count(size, "public", size.public)
            for party in PARTIES:
                for value in size.inputs[party]:
                    text = size.text(party, value)
                    check_count(size, party, encode(size.reduction, party, value), text)
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
                    check_public(size, other(party), theirs)
                    for mine, alone in zip(size.inputs[party], size.tokens[party], strict=True):
                        check_as_alone(size.reduction, party, mine, theirs, alone)
                if self.reduction.batched:
                    check_batch(size, party)
        return f"on all inputs, {span(self.small)}"

    def domain(self) -> str:
        for size in self.at_sizes:
            check_domain(size, "public", size.public, None)
            for party in PARTIES:
                for value, tokens in zip(size.inputs[party], size.tokens[party], strict=True):
                    check_domain(size, party, tokens, size.text(party, value))
        return f"on all inputs, {span(self.small)}"

    def correctness(self) -> str:
        for size in self.at_sizes:
            decoded = size.decoded(size.outputs)
            if self.reduction.batched and size.truth.size <= 2**8:
                check_decoder_in_batches(size, decoded)
            wrong = np.argwhere(decoded != size.truth)
            if len(wrong):
                x, y = size.inputs["alice"][wrong[0][0]], size.inputs["bob"][wrong[0][1]]
                more = f"; wrong on {len(wrong)} of {size.truth.size} pairs"
                raise wrong_answer(self.reduction, size.reduction, x, y, more)
        return f"verified on all pairs, {span(self.small)}"

    def large(self) -> Check:
        sizes = [n for n in LARGE_SIZES if accepts(self.reduction, n)]
        for n in sizes:
            reduction = self.reduction(n)
            xs, ys = reduction.problem.balanced_pairs(np.random.default_rng(self.seed), _SAMPLES)
            pairs = [(np.asarray(x), np.asarray(y)) for x, y in zip(xs, ys, strict=True)]
            # all of Alice's, then all of Bob's: whoever uses the other's input meets another one below
            alices = [encode(reduction, "alice", x) for x, _ in pairs]
            bobs = [encode(reduction, "bob", y) for _, y in pairs]
            for (x, y), alice, bob in zip(pairs, alices, bobs, strict=True):
                check_as_alone(reduction, "alice", x, y, alice)
                check_as_alone(reduction, "bob", y, x, bob)
                if answer(self.reduction, n, x, y)[1] != bool(reduction.problem.evaluate(x, y)):
                    raise wrong_answer(self.reduction, reduction, x, y)
        return sampled("the same at large sizes", sizes, _SAMPLES)

    def gap(self) -> str:
        for size in self.at_sizes:
            declared = evaluate(self.reduction.gap, {"n": size.n})
            if size.truth.all() or not size.truth.any():
                continue
            square, yes, no = size.nearest_outputs()
            if square < declared**2:
                (x_yes, y_yes), (x, y) = size.pair(*yes), size.pair(*no)
                raise Refuted(
                    f"at n = {size.n} a YES output is {shown(size.outputs[yes])} (x = {x_yes}, y = {y_yes}) and a NO"
                    f" output {shown(size.outputs[no])} (x = {x}, y = {y}), closer than the declared gap"
                    f" {stated(self.reduction.gap, declared)}",
                    Counterexample(size.n, x, y),
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
                shifted = shifted.astype(np.float64)
                wrong = np.argwhere(size.decoded(shifted) != size.truth)
                if len(wrong):
                    row, column = wrong[0]
                    x, y = size.pair(row, column)
                    raise Refuted(
                        f"at n = {size.n}, on x = {x}, y = {y}, decode is right for the exact output"
                        f" {shown(size.outputs[row, column])}, but fails for {shown(shifted[row, column])}, which is"
                        f" off by less than half the gap {stated(self.reduction.gap, gap)}",
                        Counterexample(size.n, x, y),
                    )

    def sizes(self) -> str:
        for size in self.at_sizes:
            known = {"n": size.n}
            for name, formula in self.reduction.sizes.items():
                try:
                    known[name] = int(evaluate(formula, known))
                except InputError as error:
                    raise Refuted(str(error), Counterexample(size.n)) from error
                actual = size.shape.task.parameters
                if name not in actual:
                    raise Refuted(
                        f"sizes has {name}, but the task has only {', '.join(actual)}", Counterexample(size.n)
                    )
                if actual[name] != known[name]:
                    declared = stated(formula, known[name])
                    raise Refuted(
                        f"at n = {size.n} the task has {name} = {actual[name]}, but {declared} is declared",
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
        raise Refuted(f"at n = {protocol.n}, {wrong}", Counterexample(protocol.n, wrong.x, wrong.y))
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
