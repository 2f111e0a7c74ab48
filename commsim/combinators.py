"""Protocols from protocols: repetition to lower the error, and Newman's reduction from public to private coins."""

import math
from typing import Any

import numpy as np

from commsim.arrays import Bits, Integers
from commsim.channel import Channel
from commsim.coins import SeededCoins
from commsim.errors import InputError
from commsim.formula import LONGEST, evaluate
from commsim.precision import bits_to_integer, integer_to_bits
from commsim.protocol import Protocol


def repeat(protocol: type[Protocol], k: int) -> type[Protocol]:
    """The protocol that runs another one k times with independent coins and answers by majority.

    With one-sided error the answer that is never wrong decides as soon as it occurs, and the error is e^k. With
    two-sided error e < 1/2 the majority is wrong only if at least k/2 of the runs are, with probability the sum over
    j >= k/2 of C(k, j) e^j (1 - e)^(k - j).

    Args:
        protocol: whose answer is 0 or 1 and which declares coins.
        k: odd, unless the error is one-sided.

    Raises:
        InputError: it cannot be repeated so.
    """
    if protocol.coins == "none" or protocol.communication == "simultaneous" or protocol.problem.kind == "relation":
        raise InputError(f"{protocol.name} cannot be repeated: it must have coins, no referee, and one right answer")
    if k < 1 or (not protocol.trusted and k % 2 == 0):
        raise InputError(f"k = {k} repetitions: k must be at least 1, and odd where the error is two-sided")
    if k > 100 or len(_error(protocol, k)) > LONGEST:
        raise InputError(f"k = {k} repetitions are too many: the formula of the error would be too long")

    class Repeated(protocol):  # type: ignore[valid-type, misc]
        name = f"{protocol.name}-{k}-times"
        cost = f"{k}*({protocol.cost})"
        error = _error(protocol, k)

        async def alice(self, x: Any, channel: Channel) -> Any:
            return _decide(
                [await protocol.alice(self, x, channel.repetition(number)) for number in range(k)],
                self.knows("alice"),
                protocol.trusted,
            )

        async def bob(self, y: Any, channel: Channel) -> Any:
            return _decide(
                [await protocol.bob(self, y, channel.repetition(number)) for number in range(k)],
                self.knows("bob"),
                protocol.trusted,
            )

    Repeated.__doc__ = f"{protocol.name}, {k} times with independent coins.\n\n{protocol.__doc__}"
    return Repeated


def _error(protocol: type[Protocol], k: int) -> str:
    error = f"({protocol.error})"
    if protocol.trusted:
        return f"{error}**{k}"
    wrong_majority = range(k // 2 + 1, k + 1)
    return " + ".join(f"{math.comb(k, wrong)}*{error}**{wrong}*(1 - {error})**{k - wrong}" for wrong in wrong_majority)


def _decide(answers: list[Any], knows: bool, trusted: tuple[int, ...]) -> Any:
    """The answer by majority, or the trusted one if it occurs; of one input, or of each of a batch."""
    if not knows:
        return None
    votes: Integers = np.sum(np.broadcast_arrays(*answers), axis=0)
    if not trusted:
        return 2 * votes > len(answers)
    return votes > 0 if trusted[0] == 1 else votes == len(answers)


def privatize(protocol: type[Protocol], factor: int = 2) -> type[Protocol]:
    """Newman's reduction: Alice sends the number of one of t fixed outcomes of the public coins, chosen privately.

    A random list of t outcomes errs on a given pair more than ``factor`` times the error e only with probability
    exp(-2 (factor - 1)^2 e^2 t), by Hoeffding's inequality. For the t below these probabilities sum up to less than
    1/1000 over all pairs, so nearly every list is good for all of them. The list here is the one that the seeds
    0, ..., t - 1 give. That it is good is checked at the sizes at which a validation goes through all pairs; at others
    it is as likely as that.

    The cost grows by ceil(log2(t)) bits, O(log n + log(1/e)) for inputs of n bits. Newman 1991; Kushilevitz and Nisan
    1997, Theorem 3.14.

    Args:
        protocol: with public coins.
        factor: by how much the error may grow.

    Raises:
        InputError: it has no public coins, or a referee.
    """
    if protocol.coins != "public" or protocol.communication == "simultaneous":
        raise InputError(f"{protocol.name} has no public coins that Alice could choose")

    class Private(protocol):  # type: ignore[valid-type, misc]
        name = f"{protocol.name}-newman"
        cost = f"{protocol.cost} + ceil(log2(t))"
        coins = "private"
        error = f"{factor}*({protocol.error})"

        @property
        def parameters(self) -> dict[str, int]:
            """Those of the protocol, and the number t of outcomes in the list."""
            sizes = super().parameters
            error = float(evaluate(protocol.error, sizes))
            pairs = math.log(self.function.alice_inputs.size) + math.log(self.function.bob_inputs.size)
            return {**sizes, "t": math.ceil((pairs + math.log(1000)) / (2 * (factor - 1) ** 2 * error**2))}

        async def alice(self, x: Any, channel: Channel) -> Any:
            t = self.parameters["t"]
            chosen = int(channel.private.integers(t))
            await channel.send(same_for_all(integer_to_bits(chosen, _width(t)), channel))
            return await protocol.alice(self, x, channel.repetition(0, public=SeededCoins(chosen)))

        async def bob(self, y: Any, channel: Channel) -> Any:
            chosen = int(bits_to_integer(await channel.receive(_width(self.parameters["t"]))))
            return await protocol.bob(self, y, channel.repetition(0, public=SeededCoins(chosen)))

    Private.__doc__ = f"{protocol.name} with private coins, by Newman's reduction.\n\n{protocol.__doc__}"
    return Private


def same_for_all(bits: Bits, channel: Channel) -> Bits:
    """One message for whatever the program was given: shape (k,), or (batch, k)."""
    return bits if channel.batch is None else np.broadcast_to(bits, (channel.batch, len(bits)))


def _width(t: int) -> int:
    return (t - 1).bit_length()
