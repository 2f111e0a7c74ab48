"""What a mutant, a protocol or a reduction that is wrong on purpose, is to be refuted with."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Caught:
    """The refuted claim, words that its message must hold, and the counterexample: the smallest there is."""

    claim: str
    says: tuple[str, ...]
    n: int | None = None
    x: str | None = None
    y: str | None = None
