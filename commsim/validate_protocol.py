"""Whether a protocol is what it declares: legal, local, right, and as cheap as it says."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import get_args

import numpy as np

from commsim.analysis.lower_bound import known_lower_bound
from commsim.analysis.summary import compare
from commsim.channel import count_bits
from commsim.coins import SeededCoins
from commsim.error_probability import clopper_pearson, error_probability
from commsim.errors import InputError
from commsim.exploration import explore
from commsim.faults import LocalityFault
from commsim.formula import evaluate, parse
from commsim.problem import Problem
from commsim.protocol import Protocol
from commsim.transcript import OutputConvention, Transcript, format_path
from commsim.tree import ProtocolTree
from commsim.validation import (
    LARGE_SIZES,
    Check,
    Claim,
    Counterexample,
    Refuted,
    accepts,
    run_claims,
    sampled,
    shrink,
    sizes_up_to,
    span,
    stated,
    where,
)
from commsim.verify import check_apart, check_locality, sample_runs, verify

_LOCAL = "each party uses only its input, its messages and its coins"
_SEEDS = range(3)
_SAMPLES = 100


def validate_protocol(
    protocol: type[Protocol], seed: int = 0, problem: type[Problem] | None = None, most_bits: str | None = None
) -> Iterator[Check]:
    """Check a protocol's claims in this order, and stop at the first that is refuted.

    1. What it declares can be read.
    2. It obeys the rules: at every moment one party sends what the other receives, and who must know the answer
       outputs it; on all pairs at small sizes.
    3. It is local: run side by side, the parties do what they do run apart, on all pairs at the smallest sizes.
    4. Batches and single inputs give the same tree, if it accepts batches.
    5. It is right on all pairs at small sizes; if it has coins, its error is at most the declared one.
    6. Its worst case is the declared cost.
    7. All this holds at large sizes, on a sample of balanced pairs.
    8. It is not cheaper than a known lower bound.
    9. For an exercise: it costs at most so many bits.

    Args:
        protocol: the class.
        seed: of the samples.
        problem: that it must be for, if it matters.
        most_bits: a formula in the protocol's sizes; None for no limit.

    Raises:
        ProgramError: a program raised an exception of its own.
        InputError: ``most_bits`` is no formula.
    """
    if most_bits is not None:
        parse(most_bits)
    return run_claims(_Validation(protocol, seed, problem, most_bits).claims())


class _Validation:
    def __init__(
        self, protocol: type[Protocol], seed: int, problem: type[Problem] | None, most_bits: str | None
    ) -> None:
        self.protocol = protocol
        self.seed = seed
        self.problem = problem
        self.most_bits = most_bits or ""

    def claims(self) -> Iterator[Claim]:
        yield "what it declares can be read", self.declarations
        if self.problem:
            yield f"it is for {self.problem.name}", self.is_for_the_problem
        yield "it obeys the rules of its model of communication", self.legality
        yield _LOCAL, self.locality
        if self.protocol.batched:
            yield "a batch of inputs gives the same tree as one input at a time", self.batches
        yield (
            ("the answer is right", self.correctness)
            if self.deterministic
            else ("the error is as declared", self.error)
        )
        yield "the worst case is the declared cost", self.cost
        yield "the same at large sizes", self.large
        if self.deterministic:
            yield "it is not cheaper than a known lower bound", self.lower_bound
        if self.most_bits:
            yield f"it costs at most {self.most_bits} bits", self.limit

    @property
    def deterministic(self) -> bool:
        return self.protocol.coins == "none"

    @cached_property
    def small(self) -> list[int]:
        return sizes_up_to(self.protocol, _function, 2**12 if self.deterministic else 2**6)

    @cached_property
    def trees(self) -> list[tuple[int, SeededCoins, ProtocolTree]]:
        """The trees at small sizes, found one input at a time, for one seed or a few."""
        seeds = [SeededCoins(seed) for seed in ((0,) if self.deterministic else _SEEDS)]
        return [(n, coins, explore(self.protocol(n), coins, batched=False)) for n in self.small for coins in seeds]

    def declarations(self) -> str:
        cls = self.protocol
        for attribute, legal in (
            ("output", get_args(OutputConvention)),
            ("coins", ("none", "public", "private")),
            ("communication", ("two-way", "one-way", "simultaneous")),
        ):
            if getattr(cls, attribute) not in legal:
                raise Refuted(f"{attribute} = {getattr(cls, attribute)!r}, but it must be one of {', '.join(legal)}")
        for attribute, kind in (("name", str), ("cost", str), ("error", str), ("problem", type)):
            if not isinstance(getattr(cls, attribute, None), kind):
                raise Refuted(f"{attribute} is missing, or is no {kind.__name__}")
        if not isinstance(cls.trusted, tuple) or not all(isinstance(answer, int) for answer in cls.trusted):
            raise Refuted(f"trusted = {cls.trusted!r}, but it must be a tuple of answers, such as (0,)")
        if not issubclass(cls.problem, Problem):
            raise Refuted(f"problem = {cls.problem.__name__}, which is not a Problem")
        for n in self.small:
            protocol = cls(n)
            if self.most_bits:
                evaluate(
                    self.most_bits, protocol.parameters
                )  # a formula that cannot be used is no fault of the protocol
            try:
                cost, error = protocol.declared_cost, evaluate(cls.error, protocol.parameters)
            except InputError as unreadable:
                raise Refuted(str(unreadable), Counterexample(n)) from unreadable
            if cost < 0:
                raise Refuted(f"the cost {cls.cost} is negative at n = {n}", Counterexample(n))
            if not 0 <= error < 1 or (self.deterministic and error):
                declared = f"error {stated(cls.error, error)} at n = {n} with coins = {cls.coins!r}"
                raise Refuted(f"{declared}: it must be 0 without coins, and below 1 with them", Counterexample(n))
        return f"cost {cls.cost}, known to {cls.output}, coins {cls.coins}, error {cls.error}, {cls.communication}"

    def is_for_the_problem(self) -> str:
        if self.protocol.problem is not self.problem:
            raise Refuted(f"it is for {self.protocol.problem.name}")
        return f"{self.problem.symbol}_n"

    def legality(self) -> str | Check:
        try:
            leaves = sum(len(tree.leaves) for _, _, tree in self.trees)
        except LocalityFault as fault:
            return Check(_LOCAL, "refuted", str(fault), where(fault))
        return f"on all pairs, {span(self.small)}: {leaves} leaves"

    def locality(self) -> str:
        sizes = [n for n in self.small if self.protocol(n).function.pairs <= 2**8] or self.small[:1]
        for n, coins, tree in self.trees:
            if n in sizes:
                check_locality(tree, coins)
        return f"side by side as apart, on all pairs, {span(sizes)}"

    def batches(self) -> str:
        for n, coins, tree in self.trees:
            batched = explore(self.protocol(n), coins, batched=True)
            for row, column in np.ndindex(tree.leaf_numbers.shape):
                (path, output), (batch_path, batch_output) = tree.outcome(row, column), batched.outcome(row, column)
                if (path, output) != (batch_path, batch_output):
                    x, y = tree.pair(row, column)
                    raise Refuted(
                        f"at n = {n}, x = {x}, y = {y} gives {format_path(path)} and output {output} as single inputs,"
                        f" but {format_path(batch_path)} and output {batch_output} in a batch",
                        Counterexample(n, x, y),
                    )
        return f"on all pairs, {span(self.small)}"

    def correctness(self) -> str:
        sizes = sizes_up_to(self.protocol, _function, 2**16 if self.protocol.batched else 2**12)
        for n in sizes:
            protocol = self.protocol(n)
            found = verify(protocol)
            if first := found.first_wrong:
                raise _wrong(protocol, first.x, first.y, f"; wrong on {found.wrong} of {found.pairs} pairs")
        return f"verified on all pairs, {span(sizes)}"

    def error(self) -> Check:
        claim, undecided = "the error is as declared", None
        for n in self.small:
            protocol = self.protocol(n)
            declared = evaluate(protocol.error, protocol.parameters)
            found = error_probability(protocol)
            low, high = found.interval
            rate = f"{found.wrong} of {found.trials} outcomes" + (
                "" if found.exact else f": in [{low:.4f}, {high:.4f}]"
            )
            detail = f"at n = {n}, on x = {found.x}, y = {found.y}, it errs in {rate}; declared {declared}"
            if (broken := found.trusted_wrong) is not None:
                trust = f"the answer {broken.output} is declared never to be wrong, but at n = {n}, {broken}"
                raise Refuted(f"{trust}, under some coins", Counterexample(n, broken.x, broken.y))
            exactly = Fraction(found.wrong, found.trials)
            if (found.exact and exactly > declared) or (not found.exact and low > declared):
                raise Refuted(detail, Counterexample(n, found.x, found.y))
            if not found.exact and high > declared:
                undecided = detail
        if undecided:
            return Check(claim, "undecided", undecided, exhaustive=False)
        kind = self.protocol.error_kind()
        return Check(claim, "holds", f"{kind}, worst pair: {detail}; {span(self.small)}", exhaustive=found.exact)

    def cost(self) -> str:
        sizes = self.small
        for n in sizes:
            tree = max((tree for size, _, tree in self.trees if size == n), key=lambda tree: tree.cost)
            worst = tree.cost
            declared = self.protocol(n).declared_cost
            if worst > declared or (self.deterministic and worst < declared):
                x, y = tree.first_pair(max(tree.leaves, key=lambda leaf: leaf.bits))
                metered = f"at n = {n} the metered worst case is {count_bits(worst)} (x = {x}, y = {y})"
                than = f"{'more' if worst > declared else 'less'} than the declared"
                raise Refuted(f"{metered}, {than} {stated(self.protocol.cost, declared)}", Counterexample(n, x, y))
        metered = "metered" if self.deterministic else f"metered over {len(_SEEDS)} seeds, at most"
        return f"{metered} {self.protocol.cost}, {span(sizes)}"

    def large(self) -> Check:
        sizes = [n for n in LARGE_SIZES if accepts(self.protocol, n)]
        for n in sizes:
            protocol = self.protocol(n)
            runs = list(sample_runs(protocol, _SAMPLES, self.seed))
            check_apart(protocol, runs)
            if not self.deterministic:
                self._require_few_wrong(protocol, runs)
            declared = protocol.declared_cost
            for run in runs:
                if run.bits > declared:
                    raise Refuted(
                        f"at n = {n}, x = {run.x}, y = {run.y} costs {count_bits(run.bits)}, more than the declared"
                        f" {stated(protocol.cost, declared)}",
                        Counterexample(n, run.x, run.y),
                    )
                if self.deterministic and not run.correct:
                    raise _wrong(protocol, run.x, run.y)
        return sampled("the same at large sizes", sizes, _SAMPLES)

    def _require_few_wrong(self, protocol: Protocol, runs: list[Transcript]) -> None:
        """The mean error over these pairs is at most the worst: refute if even that is clearly above the declared."""
        wrong = [run for run in runs if not run.correct]
        low, _ = clopper_pearson(len(wrong), len(runs), 0.999)
        declared = evaluate(protocol.error, protocol.parameters)
        if low > declared:
            raise Refuted(
                f"at n = {protocol.n} it errs on {len(wrong)} of {len(runs)} balanced pairs, too often for the declared"
                f" error {stated(protocol.error, declared)}",
                Counterexample(protocol.n, wrong[0].x, wrong[0].y),
            )

    def lower_bound(self) -> str:
        for n in self.small:
            protocol = self.protocol(n)
            bound = known_lower_bound(protocol.function, protocol.communication, protocol.output, protocol.coins)
            worst = max(tree.cost for size, _, tree in self.trees if size == n)
            verdict = compare(worst, bound, complete=True, right=True)
            if verdict.startswith("CONTRADICTION"):
                raise Refuted(verdict, Counterexample(n))
        return f"{verdict}, at n = {n}"

    def limit(self) -> str:
        for n, _, tree in self.trees:
            leaf = max(tree.leaves, key=lambda leaf: leaf.bits)
            x, y = tree.first_pair(leaf)
            self._require_at_most(self.protocol(n), leaf.bits, x, y)
        for n in [n for n in LARGE_SIZES if accepts(self.protocol, n)]:
            protocol = self.protocol(n)
            for run in sample_runs(protocol, _SAMPLES, self.seed):
                self._require_at_most(protocol, run.bits, run.x, run.y)
        return f"on all pairs, {span(self.small)}; and on samples of larger sizes"

    def _require_at_most(self, protocol: Protocol, bits: int, x: str, y: str) -> None:
        most = evaluate(self.most_bits, protocol.parameters)
        if bits > most:
            allowed = stated(self.most_bits, most)
            raise Refuted(
                f"at n = {protocol.n}, x = {x}, y = {y} costs {count_bits(bits)}, more than {allowed}",
                Counterexample(protocol.n, x, y),
            )


def _function(protocol: Protocol) -> Problem:
    return protocol.function


def _shrunk(protocol: Protocol, run: Transcript) -> Transcript:
    """A wrong run on the simplest inputs that a wrong one can be brought down to."""
    function = protocol.function
    x, y = function.alice_inputs.parse(run.x), function.bob_inputs.parse(run.y)
    return protocol.run(*shrink(function, x, y, lambda x, y: not protocol.run(x, y).correct))


def _wrong(protocol: Protocol, x: str, y: str, more: str = "") -> Refuted:
    function = protocol.function
    run = _shrunk(protocol, protocol.run(function.alice_inputs.parse(x), function.bob_inputs.parse(y)))
    right = f"{run.expected} would be right" if function.kind == "relation" else f"f = {run.expected}"
    detail = f"at n = {run.n}, on x = {run.x}, y = {run.y}, the output is {run.output}, but {right}{more}"
    return Refuted(detail, Counterexample(run.n, run.x, run.y))
