"""The error of a randomized protocol on its worst pair of inputs: exact, or with an interval."""

import math
from dataclasses import dataclass

import numpy as np

from commsim.arrays import Array, Bits
from commsim.coins import Coins, NotEnumerable, SeededCoins, enumerate_coins
from commsim.exploration import walk
from commsim.protocol import Protocol
from commsim.verify import Judge, WrongPair, pair_at, wrong_pair


@dataclass(frozen=True)
class ErrorProbability:
    """The probability of a wrong answer on the worst pair of inputs.

    Attributes:
        x, y: that pair.
        wrong, trials: exact: a probability ``wrong / trials`` over the whole coin space; else a count in fresh runs.
        exact: whether the coin space was enumerated.
        trusted_wrong: a pair on which some outcome gives an answer that the protocol trusts, and it is wrong.
    """

    x: str
    y: str
    wrong: int
    trials: int
    exact: bool
    trusted_wrong: WrongPair | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends equal if exact, else the 99 % Clopper-Pearson interval."""
        if self.exact:
            return self.wrong / self.trials, self.wrong / self.trials
        return clopper_pearson(self.wrong, self.trials, 0.99)


def error_probability(
    protocol: Protocol, most_outcomes: int = 4096, picking: int = 20, samples: int = 400
) -> ErrorProbability:
    """The error of a randomized protocol on its worst pair of inputs.

    Exact where the coin space has at most ``most_outcomes`` points and is tossed by ``integers``. Otherwise the worst
    pair is picked by ``picking`` seeds and judged by ``samples`` fresh ones, so that picking it does not bias the
    interval.

    Raises:
        ProtocolFault: the protocol broke a rule under some outcome.
    """
    errors = _Errors(protocol)
    try:
        wrong, trials = _exact_errors(errors, most_outcomes)
        row, column = np.unravel_index(int(np.argmax(wrong)), wrong.shape)
        count, exact = int(wrong[row, column]), True
    except NotEnumerable:
        picked = sum(errors.under(SeededCoins(seed)).astype(np.int64) for seed in range(picking))
        row, column = np.unravel_index(int(np.argmax(picked)), errors.shape)
        seeds = range(picking, picking + samples)
        x, y = pair_at(protocol, int(row), int(column))
        count = sum(not protocol.run(x, y, seed).correct for seed in seeds)
        trials, exact = samples, False
    x_text, y_text = protocol.format_pair(*pair_at(protocol, int(row), int(column)))
    return ErrorProbability(x_text, y_text, count, trials, exact, errors.trusted_wrong)


class _Errors:
    """Finds the pairs that are wrong under one outcome of the coins after another, and remembers a broken trust."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._judge = Judge(protocol.function)
        self.shape = protocol.function.alice_inputs.size, protocol.function.bob_inputs.size
        self.trusted_wrong: WrongPair | None = None

    def under(self, coins: Coins) -> Bits:
        """Shape (inputs of Alice, inputs of Bob)."""
        errors = np.zeros(self.shape, dtype=bool)
        for leaf in walk(self._protocol, coins):
            wrong = self._judge.wrong(leaf)
            errors[np.ix_(leaf.alice_indices, leaf.bob_indices)] = wrong
            trusted = wrong & np.isin(leaf.output, self._protocol.trusted)
            if self.trusted_wrong is None and trusted.any():
                row, column = np.argwhere(trusted)[0]
                output = int(np.broadcast_to(leaf.output, trusted.shape)[row, column])
                pair = int(leaf.alice_indices[row]), int(leaf.bob_indices[column])
                self.trusted_wrong = wrong_pair(self._protocol, *pair, output)
        return errors


def _exact_errors(errors: _Errors, most_outcomes: int) -> tuple[Array, int]:
    """For each pair the number of wrong outcomes, out of a common number of equally likely ones."""
    by_denominator: dict[int, Array] = {}
    for coins in enumerate_coins(most_outcomes):
        wrong_now = errors.under(coins)
        weight = coins.probability.denominator
        by_denominator[weight] = by_denominator.get(weight, np.zeros(errors.shape, dtype=np.int64)) + wrong_now
    common = math.lcm(*by_denominator)
    # in Python's integers, because the common denominator may pass 2^63
    wrong = np.zeros(errors.shape, dtype=object)
    for weight, count in by_denominator.items():
        wrong += count.astype(object) * (common // weight)
    return wrong, common


def clopper_pearson(hits: int, trials: int, confidence: float) -> tuple[float, float]:
    """The exact two-sided confidence interval for a binomial probability (Clopper and Pearson 1934)."""
    from scipy.special import betaincinv

    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(betaincinv(hits, trials - hits + 1, tail))
    high = 1.0 if hits == trials else float(betaincinv(hits + 1, trials - hits, 1 - tail))
    return low, high
