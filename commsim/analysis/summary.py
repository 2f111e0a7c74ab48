"""Transcripts in, numbers out: bits where they crossed, held against the known lower bound."""

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from hashlib import blake2b

import msgspec

from commsim.analysis.lower_bound import LowerBound, known_lower_bound
from commsim.channel import count_bits
from commsim.problem import Problem
from commsim.transcript import OutputConvention, Transcript, bits_sent


class Summary(msgspec.Struct, kw_only=True):
    """What the transcripts of one protocol at one size show.

    Attributes:
        protocol, problem, n, sizes, communication, output_of, coins: as in the transcripts.
        runs: how many there are; ``pairs`` of them are on different inputs, out of ``all_pairs``
            (None where that is 2^63 or more).
        correct: how many have the right answer.
        declared: the cost that the protocol declares, in bits.
        worst, mean: bits; ``worst_of`` by sender, ``mean`` as a fraction such as ``17/2``.
        rounds: the most.
        histogram: how many runs have how many bits.
        lower_bound, lower_bound_is: the known lower bound in bits and in words; None if none is known.
        verdict: how the two compare; never that a bound was checked by running a protocol.
        contradiction: all pairs are there, all right, and the worst is below the bound: then one of them is wrong.
    """

    protocol: str
    problem: str
    n: int
    sizes: dict[str, int]
    communication: str
    output_of: OutputConvention
    coins: str
    runs: int
    pairs: int
    all_pairs: int | None
    correct: int
    declared: int | None
    worst: int
    worst_of: dict[str, int]
    mean: str
    rounds: int
    histogram: dict[int, int]
    lower_bound: int | None
    lower_bound_is: str | None
    verdict: str
    contradiction: bool

    @property
    def above_declared(self) -> bool:
        """Whether some run has more bits than declared."""
        return self.declared is not None and self.worst > self.declared


class Tally:
    """Adds up the transcripts of one protocol at one size."""

    def __init__(self, first: Transcript, problem: Problem) -> None:
        self._first = first
        self._problem = problem
        self._pairs: set[tuple[str | bytes, str | bytes]] = set()
        self._correct = 0
        self._rounds = 0
        self._bits: Counter[int] = Counter()
        self._worst_of = {"alice": 0, "bob": 0}

    def add(self, transcript: Transcript) -> None:
        """Count one more run."""
        self._pairs.add((_fingerprint(transcript.x), _fingerprint(transcript.y)))
        self._correct += transcript.correct
        self._rounds = max(self._rounds, transcript.rounds)
        self._bits[transcript.bits] += 1
        for party in ("alice", "bob"):
            self._worst_of[party] = max(self._worst_of[party], bits_sent(transcript.messages, party))

    def summary(self) -> Summary:
        """The numbers so far."""
        first, runs, worst = self._first, self._bits.total(), max(self._bits)
        bound = known_lower_bound(self._problem, first.communication, first.output_of, first.coins)
        complete, right = len(self._pairs) == self._problem.pairs, self._correct == runs
        verdict = compare(worst, bound, complete=complete, right=right)
        return Summary(
            protocol=first.protocol,
            problem=first.problem,
            n=first.n,
            sizes=first.sizes,
            communication=first.communication,
            output_of=first.output_of,
            coins=first.coins,
            runs=runs,
            pairs=len(self._pairs),
            all_pairs=self._problem.pairs if self._problem.pairs < 2**63 else None,
            correct=self._correct,
            declared=first.declared,
            worst=worst,
            worst_of=self._worst_of,
            mean=str(Fraction(sum(bits * count for bits, count in self._bits.items()), runs)),
            rounds=self._rounds,
            histogram=dict(sorted(self._bits.items())),
            lower_bound=bound.value if bound else None,
            lower_bound_is=str(bound) if bound else None,
            verdict=verdict,
            contradiction=verdict.startswith("CONTRADICTION"),
        )


def _fingerprint(text: str) -> str | bytes:
    """A long input by its hash of 128 bits: ten thousand of a million bits each would fill the memory."""
    return text if len(text) <= 64 else blake2b(text.encode(), digest_size=16).digest()


def compare(worst: int, bound: LowerBound | None, *, complete: bool, right: bool) -> str:
    """Say how the worst metered cost stands to a lower bound, and no more than that.

    Args:
        worst: in bits.
        bound: the lower bound, if one is known.
        complete: whether ``worst`` is over all pairs of inputs.
        right: whether every answer was right.
    """
    if bound is None:
        return "no lower bound is known here for protocols of this kind"
    bits = count_bits(worst)
    if worst >= bound.value:
        return f"{bits}, {'exactly' if worst == bound.value else 'above'} the lower bound {bound}"
    if not right:
        return f"{bits}, below the lower bound {bound}, and wrong on some inputs, as it must be"
    if not complete:
        return f"{bits}, below the lower bound {bound}, on these inputs, which need not hold the worst ones"
    return f"CONTRADICTION: right on all pairs with {bits}, below the lower bound {bound}: one of them is wrong"


def summarize(transcripts: Iterable[Transcript], problem_of: Callable[[Transcript], Problem]) -> list[Summary]:
    """The summaries of all protocols and sizes among the transcripts, in the order of their first appearance."""
    tallies: dict[tuple[object, ...], Tally] = {}
    for transcript in transcripts:
        key = (
            transcript.protocol,
            transcript.problem,
            transcript.n,
            *sorted(transcript.sizes.items()),
            transcript.communication,
            transcript.output_of,
            transcript.coins,
        )
        if key not in tallies:
            tallies[key] = Tally(transcript, problem_of(transcript))
        tallies[key].add(transcript)
    return [tally.summary() for tally in tallies.values()]
