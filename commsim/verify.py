"""Whether a protocol computes its problem: on all pairs of inputs (verified) or on some (sampled)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from commsim.arrays import Array, Bits
from commsim.channel import Finish
from commsim.coins import Coins, SeededCoins
from commsim.errors import InputError
from commsim.exploration import replay, walk
from commsim.faults import LocalityFault, ProtocolFault
from commsim.problem import Problem
from commsim.protocol import Protocol, outputs
from commsim.transcript import PartyName, Transcript, bits_sent, format_path, rounds
from commsim.tree import Leaf, ProtocolTree

#: No more pairs than this are checked exhaustively: 2^28 outputs take 256 MiB.
MOST_PAIRS = 2**28


@dataclass(frozen=True)
class WrongPair:
    """A pair of inputs, as text, on which a protocol answers ``output`` where f is ``expected``."""

    x: str
    y: str
    output: int
    expected: int

    def __str__(self) -> str:
        return f"on x = {self.x}, y = {self.y} the output is {self.output}, but f = {self.expected}"


@dataclass(frozen=True)
class Verification:
    """What was found on all pairs of inputs, for one outcome of the coins.

    Attributes:
        pairs: how many pairs there are; all were checked.
        wrong: on how many of them the output is wrong.
        first_wrong: the first of these in the order of the inputs.
        cost, alice_bits, bob_bits: worst case, in bits.
        mean_bits: over uniform pairs.
        rounds: worst case.
        leaves: of the protocol tree.
    """

    pairs: int
    wrong: int
    first_wrong: WrongPair | None
    cost: int
    alice_bits: int
    bob_bits: int
    mean_bits: Fraction
    rounds: int
    leaves: int


def truth_matrix(problem: Problem) -> Array:
    """F on all pairs, shape (inputs of Alice, inputs of Bob).

    Raises:
        InputError: there are more than ``MOST_PAIRS`` pairs.
    """
    _require_few_pairs(problem)
    x, y = problem.alice_inputs.all(), problem.bob_inputs.all()
    step = max(1, 2**16 // len(y))
    blocks = (problem.evaluate(x[start : start + step, None], y[None]) for start in range(0, len(x), step))
    first = next(blocks)
    matrix = np.empty((len(x), len(y)), dtype=first.dtype)
    matrix[:step] = first
    for number, block in enumerate(blocks, start=1):
        matrix[number * step : (number + 1) * step] = block
    return matrix


def _require_few_pairs(problem: Problem) -> None:
    if problem.pairs > MOST_PAIRS:
        raise InputError(
            f"{problem.name} at n = {problem.n} has 2^{problem.pairs.bit_length() - 1} or more pairs of inputs,"
            f" and at most {MOST_PAIRS} are listed: sample instead"
        )


def verify(
    protocol: Protocol,
    coins: Coins | None = None,
    batched: bool | None = None,
    progress: Callable[[int], None] = lambda pairs: None,
) -> Verification:
    """Check the protocol on all pairs of inputs, by its protocol tree, without keeping the tree.

    Args:
        protocol, coins, batched: as for :func:`commsim.exploration.walk`.
        progress: is told after each leaf how many more pairs are done.

    Raises:
        ProtocolFault: the protocol broke a rule.
        InputError: too many pairs.
    """
    judge = Judge(protocol.function)
    wrong = 0
    first: tuple[int, int, int] | None = None
    leaves, worst, alice_bits, bob_bits, most_rounds, total = 0, 0, 0, 0, 0, 0
    for leaf in walk(protocol, coins, batched):
        leaves += 1
        bits, of_alice = leaf.bits, bits_sent(leaf.path, "alice")
        worst = max(worst, bits)
        alice_bits, bob_bits = max(alice_bits, of_alice), max(bob_bits, bits - of_alice)
        most_rounds = max(most_rounds, rounds(leaf.path, protocol.communication))
        total += bits * leaf.pairs
        differs = judge.wrong(leaf)
        if differs.any():
            wrong += int(differs.sum())
            row, column = np.argwhere(differs)[0]
            output = int(np.broadcast_to(leaf.output, differs.shape)[row, column])
            found = (int(leaf.alice_indices[row]), int(leaf.bob_indices[column]), output)
            first = found if first is None else min(first, found)
        progress(leaf.pairs)
    return Verification(
        pairs=protocol.function.pairs,
        wrong=wrong,
        first_wrong=None if first is None else wrong_pair(protocol, *first),
        cost=worst,
        alice_bits=alice_bits,
        bob_bits=bob_bits,
        mean_bits=Fraction(total, protocol.function.pairs),
        rounds=most_rounds,
        leaves=leaves,
    )


def _rectangle(matrix: Array, leaf: Leaf) -> Array:
    """A leaf's rectangle of a matrix. The fewer lines are taken first: several times faster than both at once."""
    if len(leaf.alice_indices) <= len(leaf.bob_indices):
        return matrix.take(leaf.alice_indices, axis=0).take(leaf.bob_indices, axis=1)
    return matrix.take(leaf.bob_indices, axis=1).take(leaf.alice_indices, axis=0)


class Judge:
    """Says on which pairs of a leaf the output is wrong: by the matrix of a function, else pair by pair."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        if problem.kind == "function":
            self._truth = truth_matrix(problem)
        else:
            _require_few_pairs(problem)
            self._x, self._y = problem.alice_inputs.all(), problem.bob_inputs.all()

    def wrong(self, leaf: Leaf) -> Bits:
        """Shape of the leaf's rectangle."""
        if self._problem.kind == "function":
            differs: Bits = _rectangle(self._truth, leaf) != leaf.output
            return differs
        x, y = self._x[leaf.alice_indices][:, None], self._y[leaf.bob_indices][None]
        return np.broadcast_to(~self._problem.accepts(x, y, leaf.output), (len(x), y.shape[1]))


def wrong_pair(protocol: Protocol, row: int, column: int, output: int) -> WrongPair:
    """A pair, by its places in the lists of all inputs, with the output that is wrong on it."""
    x, y = pair_at(protocol, row, column)
    return WrongPair(*protocol.format_pair(x, y), output, int(protocol.function.evaluate(x, y)))


def check_locality(tree: ProtocolTree, coins: Coins | None = None) -> None:
    """Run every pair of inputs through the two programs side by side and hold each run against the tree.

    The tree was found without ever showing one party the other's input. If all side-by-side runs agree with it, then
    what a party does is a function of its input, the transcript and the coins, at this size: a proof, not a test.

    Args:
        tree: of a protocol with few inputs.
        coins: the outcome it was explored with.

    Raises:
        LocalityFault: a run differs from the tree.
        ProtocolFault: a run breaks another rule, though no node of the tree does.
    """
    protocol = tree.protocol
    x_all, y_all = protocol.function.alice_inputs.all(), protocol.function.bob_inputs.all()
    for row, x in enumerate(x_all):
        for column, y in enumerate(y_all):
            run = protocol.run(np.asarray(x), np.asarray(y), coins=coins)
            path, output = tree.outcome(row, column)
            if (run.messages, run.output) != (path, output):
                fault = LocalityFault(
                    f"the two programs run side by side give {format_path(run.messages)} and output {run.output},"
                    f" but run apart, on the same inputs, they give {format_path(path)} and output {output}:"
                    " a party learns something other than by the channel"
                    + (", or its program treats a batch unlike its inputs one by one" if protocol.batched else "")
                )
                raise fault.located(run.n, run.x, run.y, run.messages)


def check_apart(protocol: Protocol, runs: list[Transcript]) -> None:
    """Replay all of Alice's parts of some runs, then all of Bob's, each party by itself, and compare.

    A party that learned something of the other's input from outside the channel meets another input there now. For runs
    at sizes too large to explore; it can find such a leak, not exclude it.

    Raises:
        LocalityFault: a party sends, waits for or outputs something else than in its run.
    """
    returned: dict[PartyName, list[Array | None]] = {"alice": [], "bob": []}
    for name in ("alice", "bob"):
        for run in runs:
            try:
                returned[name].append(_output_apart(protocol, name, run))
            except ProtocolFault as fault:
                raise fault.located(run.n, run.x, run.y, run.messages) from fault.__cause__
    for run, alice, bob in zip(runs, returned["alice"], returned["bob"], strict=True):
        try:
            output = int(protocol.answer(alice, bob, run.messages, SeededCoins(run.seed or 0)).item())
            if output != run.output:
                raise LocalityFault(
                    f"the two programs run side by side output {run.output}, but run apart, on the same inputs and"
                    f" messages, {output}: a party learns something other than by the channel"
                )
        except ProtocolFault as fault:
            raise fault.located(run.n, run.x, run.y, run.messages) from fault.__cause__


def _output_apart(protocol: Protocol, name: PartyName, run: Transcript) -> Array | None:
    """What one party outputs after the messages of a run; None if it need not know the answer."""
    function = protocol.function
    value = function.alice_inputs.parse(run.x) if name == "alice" else function.bob_inputs.parse(run.y)
    party = replay(protocol, name, value, run.messages, SeededCoins(run.seed or 0))
    if not isinstance(party.pending, Finish):
        raise LocalityFault(f"{name} goes on, run by itself, where it had finished side by side")
    return outputs(name, party.pending.output) if protocol.knows(name) else None


def pair_at(protocol: Protocol, row: int, column: int) -> tuple[Array, Array]:
    """A pair by its places in the lists of all inputs."""
    function = protocol.function
    return np.asarray(function.alice_inputs.all()[row]), np.asarray(function.bob_inputs.all()[column])


def sample_runs(protocol: Protocol, count: int, seed: int) -> Iterator[Transcript]:
    """Runs on pairs balanced between the answers, each with coins of its own."""
    for_inputs, for_coins = np.random.SeedSequence(seed).spawn(2)
    generator, seeds = np.random.default_rng(for_inputs), for_coins.generate_state(count)
    # drawn so many at a time that the inputs fit into memory; a multiple of 4, in which balanced pairs repeat
    at_a_time = max(4, 2**24 // protocol.n // 4 * 4)
    for start in range(0, count, at_a_time):
        x, y = protocol.function.balanced_pairs(generator, min(at_a_time, count - start))
        for row in range(len(x)):
            yield protocol.run(np.asarray(x[row]), np.asarray(y[row]), int(seeds[start + row]))


def all_runs(protocol: Protocol, seed: int) -> Iterator[Transcript]:
    """Runs on all pairs of inputs in order, each with coins of its own."""
    seeds = np.random.SeedSequence(seed).spawn(2)[1].generate_state(protocol.function.pairs)
    ys = protocol.function.bob_inputs.all()
    for row, x in enumerate(protocol.function.alice_inputs.all()):
        for column, y in enumerate(ys):
            yield protocol.run(np.asarray(x), np.asarray(y), int(seeds[row * len(ys) + column]))
