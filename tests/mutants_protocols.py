"""Wrong protocols, each a right one with one thing changed, and what the validation must say of it."""

from typing import Any

import numpy as np
from mutants import Caught

from commsim.arrays import Bits
from commsim.channel import Channel
from commsim.problem import Disjointness, Equality, KarchmerWigderson, KnownBound
from commsim.protocol import OneWayProtocol, Protocol, SimultaneousProtocol
from commsim.task import Match3

DECLARED = "what it declares can be read"
RULES = "it obeys the rules of its model of communication"
LOCAL = "each party uses only its input, its messages and its coins"
RIGHT = "the answer is right"
ERROR = "the error is as declared"
COST = "the worst case is the declared cost"
LARGE = "the same at large sizes"


class SendAll(Protocol):
    """Right: Alice sends her set, Bob answers."""

    name = "send-all"
    problem = Disjointness
    cost = "n + 1"

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        answer = self.disjoint(await channel.receive(self.n), y)
        await channel.send(answer)
        return answer

    def disjoint(self, x: Bits, y: Bits) -> Any:
        return not (x & y).any()


class SendAllOneWay(OneWayProtocol):
    """Right: Alice sends her set, Bob knows."""

    name = "send-all-one-way"
    problem = Disjointness
    cost = "n"

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        return not (y & await channel.receive(self.n)).any()


class SendAllInBatches(Protocol):
    """Right, on one input and on a batch of them."""

    name = "send-all-in-batches"
    problem = Disjointness
    cost = "n + 1"
    batched = True

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        answer = ~(x & y).any(axis=-1)
        await channel.send(answer)
        return answer


class OneParity(Protocol):
    """Right: strings that differ have the same parity on a random set of places with probability 1/2."""

    name = "one-parity"
    problem = Equality
    cost = "2"
    coins = "public"
    error = "1/2"

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send((x & (channel.public.integers(2, size=self.n) == 1)).sum() % 2)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        parity = (y & (channel.public.integers(2, size=self.n) == 1)).sum() % 2
        answer = parity == await channel.receive_bit()
        await channel.send(answer)
        return answer


class ToTheReferee(SimultaneousProtocol):
    """Right: both send everything to the referee."""

    name = "to-the-referee"
    problem = Disjointness
    cost = "2*n"

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.send(y)

    def referee(self, from_alice: Bits, from_bob: Bits, channel: Channel) -> Any:
        return not (from_alice & from_bob).any()


# what it declares


class ProblemIsATask(SendAll):
    problem = Match3  # type: ignore[assignment]
    caught = Caught(DECLARED, ("problem = Match3, which is not a Problem",))


class TrustsNoTuple(SendAll):
    trusted = 1  # type: ignore[assignment]
    caught = Caught(DECLARED, ("trusted = 1, but it must be a tuple of answers, such as (0,)",))


class CostIsNegative(SendAll):
    cost = "1 - 2*n"
    caught = Caught(DECLARED, ("the cost 1 - 2*n is negative at n = 1",), 1)


class UnknownCoins(SendAll):
    coins = "publik"  # type: ignore[assignment]
    caught = Caught(DECLARED, ("coins = 'publik'", "none, public, private"))


class UnreadableCost(SendAll):
    cost = "n +"
    caught = Caught(DECLARED, ("cannot read the formula 'n +'", "write it like n + 1"), n=1)


class CostOfAnUnknownSize(SendAll):
    cost = "k + 1"
    caught = Caught(DECLARED, ("'k + 1' uses k", "the sizes are n"), n=1)


class ErrorWithoutCoins(SendAll):
    error = "1/3"
    caught = Caught(DECLARED, ("error 1/3 at n = 1", "must be 0 without coins"), n=1)


class NoName(SendAll):
    name = None  # type: ignore[assignment]
    caught = Caught(DECLARED, ("name is missing",))


# the rules: whose turn it is, how long a message is, what it holds, and that there is an output


class BothSend(SendAll):
    caught = Caught(RULES, ("both parties send at once: alice sends 1 bit, bob sends 1 bit",), 1, "0", "0")

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.send(y)
        return self.disjoint(await channel.receive(self.n), y)


class BothWait(SendAll):
    caught = Caught(RULES, ("both parties wait", "alice waits for 1 bit, bob waits for 1 bit"), 1, "0", "0")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        return await channel.receive_bit()


class LengthsDiffer(SendAll):
    """Alice sends n bits, Bob expects n + 1."""

    caught = Caught(RULES, ("the lengths differ: alice sends 1 bit, bob waits for 2 bits",), 1, "0", "0")

    async def bob(self, y: Bits, channel: Channel) -> Any:
        return self.disjoint(await channel.receive(self.n + 1), y)


class LengthDependsOnInput(SendAll):
    """Alice leaves out the end of her set if it is empty, which tells Bob something that no bit was paid for."""

    caught = Caught(
        RULES, ("what alice does next depends on more", "on input 00 it sends 0,", "01 it sends 01"), 2, "01"
    )

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x[: max(1, self.n if x.any() else 0)])
        return await channel.receive_bit()


class TurnDependsOnInput(SendAll):
    """Alice speaks only if her set is not empty: silence is information."""

    caught = Caught(
        RULES, ("what alice does next depends", "on input 0 it waits for 1 bit, on input 1 it sends 1"), 1, "1"
    )

    async def alice(self, x: Bits, channel: Channel) -> Any:
        if x.any():
            await channel.send(x)
        return await channel.receive_bit()


class StopsEarly(SendAll):
    caught = Caught(
        RULES, ("one party has finished before the other", "alice has finished, bob sends 1 bit"), 1, "0", "0"
    )

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return not x.any()


class StopsEarlyOnOneInput(SendAll):
    """Bob, whose set is empty, sees no need to answer: alone with his input he cannot know that Alice waits."""

    caught = Caught(
        RULES, ("what bob does next depends on more", "on input 0 it has finished, on input 1"), 1, "0", "1"
    )

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        if not y.any():
            return True
        await channel.send(self.disjoint(x, y))
        return self.disjoint(x, y)


class NotBits(SendAll):
    caught = Caught(RULES, ("alice sends 2, which is not a bit: only 0, 1",), 1, "1")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x * 2)
        return await channel.receive_bit()


class OneOutputIsWrong(SendAll):
    """Bob keeps his answer for himself, and Alice believes that the sets are disjoint."""

    cost = "n"
    caught = Caught(RULES, ("both must know the answer", "alice outputs 1", "bob 0"), 1, "1", "1")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return True

    async def bob(self, y: Bits, channel: Channel) -> Any:
        return self.disjoint(await channel.receive(self.n), y)


class NoOutput(SendAll):
    caught = Caught(RULES, ("bob must know the answer, but returns None",), 1, "0", "0")

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.send(self.disjoint(await channel.receive(self.n), y))


class OutputIsText(SendAll):
    caught = Caught(RULES, ("alice must return an integer or a bool", "'yes'"), 1, "0", "0")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        return "yes" if await super().alice(x, channel) else "no"


class ReceiverSpeaks(SendAllOneWay):
    cost = "n + 1"
    caught = Caught(RULES, ("in this one-way protocol bob only receives",), 1, "0", "0")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        answer = not (y & await channel.receive(self.n)).any()
        await channel.send(answer)
        return answer


class SomeoneListens(ToTheReferee):
    caught = Caught(RULES, ("with simultaneous messages nobody receives", "bob waits for 1 bit"), 1, "0", "0")

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.receive(self.n)


class UndeclaredCoins(OneParity):
    coins = "none"  # type: ignore[assignment]
    error = "0"
    caught = Caught(RULES, ("alice uses channel.public, but the protocol declares coins",), 1, "0")


class ForgottenAwait(SendAll):
    caught = Caught(RULES, ("alice called channel.send or channel.receive without await",), 1, "0")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        channel.send(x)
        return await channel.receive_bit()


# locality: what reaches a party otherwise than by the channel


SEEN = {"x": np.zeros(1, dtype=bool)}


class LeakThroughGlobal(SendAll):
    """Alice leaves her set where Bob can read it, and sends one bit for the look of it: cheaper than any protocol."""

    cost = "2"
    caught = Caught(LOCAL, ("side by side", "run apart", "learns something other than by the channel"), 1, "0", "1")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        SEEN["x"] = x
        await channel.send(0)
        return await channel.receive_bit()

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.receive_bit()
        answer = self.disjoint(SEEN["x"], y)
        await channel.send(answer)
        return answer


class LeakThroughSelf(SendAllOneWay):
    """The same with an attribute, and one bit in all: below the lower bound n, which no honest protocol can be."""

    cost = "1"
    caught = Caught(LOCAL, ("side by side", "run apart", "learns something other than by the channel"), 1, "0", "1")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        self.x = x
        await channel.send(0)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.receive_bit()
        return not (self.x & y).any()


class LeakAtLargeSizes(SendAll):
    """From n = 10 on Alice leaves out her last element, and Bob reads it elsewhere: nothing wrong to see in a run."""

    cost = "n + 1"
    caught = Caught(LARGE, ("bob behaves differently in two runs", "in one it sent 0, in the other it sends 1"), 16)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        answer = self.disjoint(SEEN["x"] if self.n >= 10 else x, y)
        await channel.send(answer)
        return answer

    async def alice(self, x: Bits, channel: Channel) -> Any:
        SEEN["x"] = x
        await channel.send([*x[:-1], x[-1] and self.n < 10])
        return await channel.receive_bit()


class LeakIntoTheOutputAtLargeSizes(SendAllOneWay):
    """The same where Bob does not speak: only what he outputs gives it away."""

    caught = Caught(LARGE, ("side by side output 0, but run apart", "1: a party learns something other than by"), 16)

    async def alice(self, x: Bits, channel: Channel) -> Any:
        SEEN["x"] = x
        await channel.send([*x[:-1], x[-1] and self.n < 10])

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        return not (y & (SEEN["x"] if self.n >= 10 else x)).any()


class RemembersEarlierRuns(SendAll):
    """Alice's first bit says whether this is an odd or an even run."""

    cost = "n + 2"
    runs = 0
    caught = Caught(
        LOCAL,
        ("alice behaves differently in two runs on the same input", "in one it sent 0, in the other it sends 1"),
        1,
    )

    async def alice(self, x: Bits, channel: Channel) -> Any:
        self.runs += 1
        await channel.send(self.runs % 2)
        return await super().alice(x, channel)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        await channel.receive_bit()
        return await super().bob(y, channel)


# batches


class DifferentInBatches(SendAllInBatches):
    """``any()`` without an axis asks whether any input of the batch meets x."""

    caught = Caught(
        "a batch of inputs gives the same tree as one input at a time",
        ("x = 1, y = 0 gives alice 1, bob 1 and output 1 as single inputs", "alice 1, bob 0 and output 0 in a batch"),
        1,
        "1",
        "0",
    )

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        answer = not (x & y).any()
        await channel.send(answer)
        return answer


# the answer


class PlaceThatDiffers(Protocol):
    """Right, for a relation: both send everything and name the first place where they differ."""

    name = "place-that-differs"
    problem = KarchmerWigderson
    cost = "2*n"

    async def alice(self, x: Bits, channel: Channel) -> Any:
        await channel.send(x)
        return self.place(x ^ await channel.receive(self.n))

    async def bob(self, y: Bits, channel: Channel) -> Any:
        x = await channel.receive(self.n)
        await channel.send(y)
        return self.place(x ^ y)

    def place(self, different: Bits) -> int:
        return int(different.argmax()) + 1


class AlwaysTheFirstPlace(PlaceThatDiffers):
    """x and y have different parities, but need not differ in the first place."""

    caught = Caught(RIGHT, ("on x = 01, y = 00, the output is 1, but 2 would be right",), 2, "01", "00")

    def place(self, different: Bits) -> int:
        return 1


class AlwaysDisjoint(SendAll):
    caught = Caught(RIGHT, ("on x = 1, y = 1, the output is 1, but f = 0", "wrong on 1 of 4 pairs"), 1, "1", "1")

    def disjoint(self, x: Bits, y: Bits) -> Any:
        return True


class WrongPolarity(SendAll):
    """It solves intersection."""

    caught = Caught(RIGHT, ("on x = 0, y = 0, the output is 0, but f = 1", "wrong on 4 of 4 pairs"), 1, "0", "0")

    def disjoint(self, x: Bits, y: Bits) -> Any:
        return (x & y).any()


class WrongAtFive(SendAll):
    """At n = 5 element 3 is overlooked, so the smallest mistake is where it is all that the sets hold."""

    caught = Caught(RIGHT, ("at n = 5, on x = 00100, y = 00100, the output is 1, but f = 0",), 5, "00100", "00100")

    def disjoint(self, x: Bits, y: Bits) -> Any:
        places = [place for place in range(self.n) if (self.n, place) != (5, 2)]
        return not (x & y)[places].any()


class WrongOnOnePair(SendAll):
    caught = Caught(RIGHT, ("the output is 1, but f = 0; wrong on 1 of 256 pairs",), 4, "0110", "1011")

    def disjoint(self, x: Bits, y: Bits) -> Any:
        return super().disjoint(x, y) or (x.tolist(), y.tolist()) == ([0, 1, 1, 0], [1, 0, 1, 1])


class WrongAtLargeSizes(SendAll):
    """Element 16 is overlooked."""

    smallest = "0" * 15 + "1"
    caught = Caught(LARGE, ("at n = 16", "the output is 1, but f = 0"), 16, smallest, smallest)

    def disjoint(self, x: Bits, y: Bits) -> Any:
        return super().disjoint(x[:15], y[:15])


class ErrorTooSmall(OneParity):
    error = "1/4"
    caught = Caught(ERROR, ("it errs in 1 of 2 outcomes; declared 1/4",), 1, "0", "1")


class ErrorOnOneAnswer(OneParity):
    """Its mistakes are now on equal strings too: there it always errs."""

    caught = Caught(ERROR, ("on x = 0, y = 0, it errs in 2 of 2 outcomes; declared 1/2",), 1, "0", "0")

    async def alice(self, x: Bits, channel: Channel) -> Any:
        return not await super().alice(x, channel)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        return not await super().bob(y, channel)


class ErrsAtLargeSizes(OneParity):
    """From n = 10 on it always errs on equal strings, and on others half of the time."""

    caught = Caught(LARGE, ("at n = 16 it errs on", "of 100 balanced pairs, too often for the declared error 1/2"), 16)

    async def alice(self, x: Bits, channel: Channel) -> Any:
        return await super().alice(x, channel) ^ (self.n >= 10)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        return await super().bob(y, channel) ^ (self.n >= 10)


# the cost


class CostTooSmall(SendAll):
    cost = "n"
    caught = Caught(COST, ("metered worst case is 2 bits", "more than the declared n = 1"), 1, "0", "0")


class CostTooLarge(SendAll):
    cost = "n + 2"
    caught = Caught(COST, ("metered worst case is 2 bits", "less than the declared n + 2 = 3"), 1)


class CostGrowsWithCoins(OneParity):
    cost = "1"
    caught = Caught(COST, ("metered worst case is 2 bits", "more than the declared 1"), 1)


class CostTooSmallAtLargeSizes(SendAll):
    """From n = 10 on Alice sends one bit that nobody needs."""

    caught = Caught(LARGE, ("costs 18 bits, more than the declared n + 1 = 17",), 16)

    async def alice(self, x: Bits, channel: Channel) -> Any:
        if self.n >= 10:
            await channel.send(0)
        return await super().alice(x, channel)

    async def bob(self, y: Bits, channel: Channel) -> Any:
        if self.n >= 10:
            await channel.receive_bit()
        return await super().bob(y, channel)


# the lower bound: an honest protocol can only be below one that is false


class WronglyBounded(Disjointness):
    """Its "theorem" is one bit too much, from n = 2 on."""

    bounds = (KnownBound("two-way", "both", ">=", "2*n", "no such place"),)


class BelowAFalseBound(SendAll):
    problem = WronglyBounded
    caught = Caught(
        "it is not cheaper than a known lower bound",
        ("CONTRADICTION: right on all pairs with 3 bits, below the lower bound 2*n = 4", "one of them is wrong"),
        n=2,
    )
