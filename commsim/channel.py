"""What a party's program may do: send bits, receive bits, toss coins. Nothing else reaches the other party."""

from collections.abc import Awaitable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from commsim.arrays import Array, Bits
from commsim.coins import Coins, Owner, Repetition, Stream
from commsim.faults import NotBits, UndeclaredCoins


@dataclass(frozen=True)
class Send:
    """A party sends: its bits have shape (batch, length)."""

    bits: Bits

    @property
    def length(self) -> int:
        """How many bits cross."""
        return int(self.bits.shape[1])

    def __str__(self) -> str:
        return f"sends {count_bits(self.length)}"


@dataclass(frozen=True)
class Receive:
    """A party waits for a message of a given length, in bits."""

    length: int

    def __str__(self) -> str:
        return f"waits for {count_bits(self.length)}"


@dataclass(frozen=True)
class Finish:
    """A party has returned its output."""

    output: Any

    def __str__(self) -> str:
        return "has finished"


Operation = Send | Receive | Finish


class _Awaitable:
    """One channel operation; to await it hands it to the engine, which answers with what arrived."""

    def __init__(self, channel: "Channel", operation: Operation) -> None:
        self._channel = channel
        self._operation = operation
        channel.not_awaited.add(self)

    def __await__(self) -> Generator[Operation, Bits, Bits]:
        self._channel.not_awaited.discard(self)
        return (yield self._operation)


class _AwaitableBit:
    """As one channel operation, but what arrived is given as a scalar."""

    def __init__(self, operation: _Awaitable) -> None:
        self._operation = operation

    def __await__(self) -> Generator[Operation, Bits, np.bool_]:
        bits = yield from self._operation.__await__()
        return np.bool_(bits[0])


class Channel:
    """One party's end of the channel, for one run of its program.

    Args:
        batch: None when the program is given one input, else the number of inputs in its batch.
        coins: where coin tosses come from.
        own: whose private coins ``private`` are.
        declared: ``none``, ``public`` or ``private``: the coins that the protocol declares.
    """

    def __init__(self, batch: int | None, coins: Coins, own: Owner, declared: str) -> None:
        self.batch = batch
        self._coins = coins
        self._own = own
        self._declared = declared
        self._generators: dict[Owner, np.random.Generator] = {}
        #: operations called but not awaited so far
        self.not_awaited: set[_Awaitable] = set()

    def send(self, bits: ArrayLike) -> _Awaitable:
        """Send bits. Use as ``await channel.send(bits)``.

        Args:
            bits: for one input, shape (k,) for k bits or () for one; for a batch of B inputs, shape (B, k) or (B,).
                A scalar is one bit, the same for the whole batch. When the program goes on, the batch holds only
                inputs that sent the same bits, so that it may branch on any one of them.

        Raises:
            NotBits: the shape is another one, k is 0, or some entry is neither 0 nor 1.
        """
        return _Awaitable(self, Send(self._as_message(np.asarray(bits))))

    def receive(self, length: int) -> _Awaitable:
        """Receive a message of ``length`` bits: ``await`` gives an array of shape (length,), also in a batch.

        Raises:
            NotBits: the length is not a positive integer.
        """
        if isinstance(length, bool) or not isinstance(length, int | np.integer) or length < 1:
            raise NotBits(f"receive({length!r}): the length of a message is a positive number of bits")
        return _Awaitable(self, Receive(int(length)))

    def receive_bit(self) -> Awaitable[np.bool_]:
        """Receive one bit: ``await`` gives a scalar."""
        return _AwaitableBit(self.receive(1))

    @property
    def public(self) -> np.random.Generator:
        """Coins that both parties see: both generators give the same values in the same order.

        Raises:
            UndeclaredCoins: the protocol does not declare ``coins = "public"``.
        """
        if self._declared != "public":
            raise UndeclaredCoins(f'uses channel.public, but the protocol declares coins = "{self._declared}"')
        return self._generator("public")

    @property
    def private(self) -> np.random.Generator:
        """Coins of this party alone (allowed with public coins too, which can always simulate them).

        Raises:
            UndeclaredCoins: the protocol declares no coins.
        """
        if self._declared == "none":
            raise UndeclaredCoins('uses channel.private, but the protocol declares coins = "none"')
        return self._generator(self._own)

    def repetition(self, number: int, public: Coins | None = None) -> "Channel":
        """The same channel with coins of their own, for a protocol that is run inside another one.

        Args:
            number: tells repetitions apart; the same for both parties.
            public: the outcome of the inner protocol's public coins; otherwise they are this channel's.
        """
        declared = self._declared if public is None else "public"
        inner = Channel(self.batch, Repetition(self._coins, number, public), self._own, declared)
        inner.not_awaited = self.not_awaited
        return inner

    def _generator(self, owner: Owner) -> np.random.Generator:
        if owner not in self._generators:
            self._generators[owner] = self._coins.generator(Stream(owner))
        return self._generators[owner]

    def _as_message(self, bits: Array) -> Bits:
        lead = () if self.batch is None else (self.batch,)
        if bits.shape == ():
            bits = np.broadcast_to(bits, lead)
        if bits.shape == lead:
            bits = bits[..., None]
        if bits.ndim != len(lead) + 1 or bits.shape[: len(lead)] != lead or bits.shape[-1] == 0:
            legal = "(k,) or ()" if self.batch is None else f"({self.batch}, k) or ({self.batch},)"
            raise NotBits(f"sends an array of shape {bits.shape}; for k >= 1 bits it must be {legal}")
        if bits.dtype != bool:
            if bits.dtype.kind not in "iuf" or not ((bits == 0) | (bits == 1)).all():
                raise NotBits(f"sends {_first_not_bit(bits)}, which is not a bit: only 0, 1, False and True cross")
            bits = bits.astype(bool)
        return bits.reshape(-1, bits.shape[-1])


def count_bits(count: int) -> str:
    """``1 bit``, ``2 bits``."""
    return f"{count} bit" if count == 1 else f"{count} bits"


def _first_not_bit(bits: Array) -> str:
    if bits.dtype.kind not in "iuf":
        return f"values of type {bits.dtype}"
    return str(bits[(bits != 0) & (bits != 1)][0])
