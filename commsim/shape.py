"""Who owns which token of a sequence."""

from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np

from commsim.arrays import Integers
from commsim.errors import InputError
from commsim.task import SequenceTask
from commsim.transcript import PartyName

Owner = Literal["alice", "bob", "public"]


@dataclass(frozen=True)
class Shape:
    """The target of a reduction: fixed by n alone, whatever the inputs are.

    Attributes:
        task: the task, at its sizes.
        owners: for each of the N tokens, the party that writes it (``alice`` or ``bob``), or ``public`` if it is a
            constant. At least one token belongs to a party.
        reader: the position, from 1, of the token at which the task's output is read.
    """

    task: SequenceTask
    owners: tuple[str, ...]
    reader: int

    def __post_init__(self) -> None:
        if len(self.owners) != self.task.length:
            raise InputError(f"{len(self.owners)} owners for the {self.task.length} tokens of {self.task.name}")
        names = set(self.owners)
        for unknown in names - {*get_args(Owner)}:
            place = self.owners.index(unknown) + 1
            raise InputError(f"token {place} belongs to {unknown!r}: an owner must be alice, bob or public")
        if names == {"public"}:
            raise InputError("all tokens are public: at least one must belong to alice or bob")
        if not 1 <= self.reader <= self.task.length:
            raise InputError(f"the reader is token {self.reader}, but the positions are 1 to {self.task.length}")

    def positions(self, owner: Owner) -> Integers:
        """The positions of one owner's tokens, from 1, increasing."""
        return np.array([place for place, name in enumerate(self.owners, start=1) if name == owner], dtype=np.int64)

    @property
    def reader_owner(self) -> Owner:
        """Whose the reader is."""
        return cast(Owner, self.owners[self.reader - 1])

    @property
    def hand_overs(self) -> list[PartyName]:
        """The parties in the order in which their stretches of tokens come; public tokens go with either."""
        private = [cast(PartyName, owner) for owner in self.owners if owner != "public"]
        return [owner for place, owner in enumerate(private) if place == 0 or private[place - 1] != owner]


def other(party: PartyName) -> PartyName:
    """The other party."""
    return "bob" if party == "alice" else "alice"
