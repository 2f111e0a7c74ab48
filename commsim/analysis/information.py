"""Information cost: what a protocol's transcript reveals about the inputs, for a distribution on them.

The transcript is taken together with the public coins. Probabilities are exact fractions up to the last step; the
logarithms are float64, so the values are right to about twelve digits.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

import msgspec
import numpy as np

from commsim.arrays import Array, Floats
from commsim.channel import Send
from commsim.coins import Coins, EnumeratedCoins, NotEnumerable, Stream, enumerate_coins
from commsim.errors import InputError
from commsim.exploration import explore, replay
from commsim.faults import LocalityFault
from commsim.protocol import Protocol
from commsim.transcript import Message, PartyName, Path, bits_sent

PARTIES: tuple[PartyName, PartyName] = ("alice", "bob")
MOST_ITERATIONS = 10_000
#: outcomes of the public coins, of one party's private coins, and transcripts
MOST_PUBLIC, MOST_PRIVATE, MOST_TRANSCRIPTS = 4096, 256, 4096


class InformationCost(msgspec.Struct, kw_only=True, frozen=True):
    """What a transcript reveals, in bits. X, Y are the inputs, T the transcript, R the public coins.

    Attributes:
        internal: I(T; X | Y, R) + I(T; Y | X, R): what the parties learn about one another's inputs (Barak, Braverman,
            Chen, Rao 2010).
        external: I(T; X, Y | R): what someone learns who hears all and knows neither (Chakrabarti, Shi, Wirth, Yao
            2001).
        entropy: H(T | R), of the transcript.
        expected_bits: the bits that cross, on average.
        cost: the bits that cross in the worst case, over inputs of positive probability.
    """

    internal: float
    external: float
    entropy: float
    expected_bits: float
    cost: int


@dataclass(frozen=True)
class TranscriptLaw:
    """How likely each transcript is on each pair of inputs, under one outcome of the public coins.

    Attributes:
        probability: of that outcome.
        paths: the transcripts.
        likelihood: shape (transcripts, inputs of Alice, inputs of Bob): the probability of each over the private coins.
    """

    probability: Fraction
    paths: list[Path]
    likelihood: Floats


def information_cost(laws: list[TranscriptLaw], distribution: Floats) -> InformationCost:
    """The information cost of a protocol on a distribution of its inputs.

    Args:
        laws: of the protocol, by :func:`transcript_laws`.
        distribution: shape (inputs of Alice, inputs of Bob); sums up to 1.
    """
    internal = external = entropy = expected = 0.0
    cost = 0
    for law in laws:
        weight = float(law.probability)
        joint = law.likelihood * distribution
        alone = joint.sum(axis=(1, 2))
        external += weight * _divergence(joint, law.likelihood, alone[:, None, None])
        internal += weight * float((distribution * _revealed(law.likelihood, distribution)).sum())
        entropy += weight * float(-(alone[alone > 0] * np.log2(alone[alone > 0])).sum())
        bits = np.array([bits_sent(path) for path in law.paths])
        expected += weight * float(alone @ bits)
        cost = max(cost, int(bits[alone > 0].max()))
    return InformationCost(internal=internal, external=external, entropy=entropy, expected_bits=expected, cost=cost)


def greatest_internal(laws: list[TranscriptLaw], support: Array, tolerance: float = 1e-6) -> tuple[Floats, float]:
    """The distribution with the greatest internal information cost, by the iteration of Blahut and Arimoto (1972).

    The internal information of a fixed protocol is a concave function of the distribution, and is bounded by the
    greatest of its partial derivatives; so the two bounds meet in the end, and the iteration stops when they do or
    after ``MOST_ITERATIONS``.

    Args:
        laws: of the protocol.
        support: bools of shape (inputs of Alice, inputs of Bob): where the distribution may be positive.
        tolerance: in bits.

    Returns:
        The distribution, and an upper bound on the internal information of every distribution with this support.
    """
    distribution = support / support.sum()
    for _ in range(MOST_ITERATIONS):
        revealed = sum(float(law.probability) * _revealed(law.likelihood, distribution) for law in laws)
        reached, bound = float((distribution * revealed).sum()), float(np.max(revealed, where=support, initial=0))
        if bound - reached <= tolerance:
            break
        distribution = distribution * 2.0 ** (revealed / 2)  # half the step of one mutual information, for two
        distribution /= distribution.sum()
    return distribution, bound


def transcript_laws(protocol: Protocol) -> list[TranscriptLaw]:
    """The law of the transcript for each outcome of the public coins, by enumeration of all coins.

    Raises:
        InputError: the coins have too many outcomes, or are not tossed by ``integers``; or there are too many
            transcripts.
    """
    if protocol.coins == "none":
        tree = explore(protocol)
        shape = len(tree.leaves), protocol.function.alice_inputs.size, protocol.function.bob_inputs.size
        likelihood = np.zeros(shape)
        for number, leaf in enumerate(tree.leaves):
            likelihood[number][np.ix_(leaf.alice_indices, leaf.bob_indices)] = 1
        return [TranscriptLaw(Fraction(1), [leaf.path for leaf in tree.leaves], likelihood)]
    laws = []
    try:
        for public in enumerate_coins(MOST_PUBLIC):
            found = list(islice(_leaves(protocol, public, ()), MOST_TRANSCRIPTS + 1))
            if len(found) > MOST_TRANSCRIPTS:
                raise InputError(f"{protocol.name} has more than {MOST_TRANSCRIPTS} transcripts: choose smaller sizes")
            paths = [path for path, _, _ in found]
            likelihood = np.array([np.outer(alice, bob) for _, alice, bob in found], dtype=float)
            laws.append(TranscriptLaw(public.probability, paths, likelihood))
    except NotEnumerable as error:
        raise InputError(f"the coins of {protocol.name} cannot be enumerated: {error}") from error
    return laws


class _Split:
    """Public coins from one enumeration, private ones from another."""

    def __init__(self, public: Coins, private: Coins) -> None:
        self._public = public
        self._private = private

    def generator(self, stream: Stream) -> np.random.Generator:
        return (self._public if stream.owner == "public" else self._private).generator(stream)


def _leaves(protocol: Protocol, public: EnumeratedCoins, path: Path) -> Iterator[tuple[Path, Array, Array]]:
    """The transcripts below a path, each with the probability that Alice, and that Bob, plays along, for each input."""
    alice, bob = (_play_along(protocol, public, path, name) for name in PARTIES)
    if not alice.next_messages and not bob.next_messages:
        yield path, alice.probability, bob.probability
        return
    sender: PartyName = "alice" if alice.next_messages else "bob"
    for bits in sorted((alice if sender == "alice" else bob).next_messages):
        yield from _leaves(protocol, public, (*path, Message(sender, bits)))


@dataclass(frozen=True)
class _Play:
    """For each input of a party the probability that it plays along with a path; and what it may send next."""

    probability: Array
    next_messages: set[str]


def _play_along(protocol: Protocol, public: EnumeratedCoins, path: Path, name: PartyName) -> _Play:
    function = protocol.function
    inputs = (function.alice_inputs if name == "alice" else function.bob_inputs).all()
    probability = np.array([Fraction(0)] * len(inputs), dtype=object)
    messages: set[str] = set()
    for index, value in enumerate(inputs):
        for private in enumerate_coins(MOST_PRIVATE):
            try:
                party = replay(protocol, name, np.asarray(value), path, _Split(public, private))
            except LocalityFault:  # with these private coins the party says something else
                continue
            probability[index] += private.probability
            if isinstance(party.pending, Send):
                messages.add(Message.from_array(name, party.pending.bits[0]).bits)
            party.close()
    return _Play(probability, messages)


def _revealed(likelihood: Floats, distribution: Floats) -> Floats:
    """For each pair of inputs D(T | x, y against T | y) + D(T | x, y against T | x), in bits."""
    joint = likelihood * distribution
    given_y = _quotient(joint.sum(axis=1), distribution.sum(axis=0))[:, None, :]
    given_x = _quotient(joint.sum(axis=2), distribution.sum(axis=1))[:, :, None]
    terms = likelihood * (_log_quotient(likelihood, given_y) + _log_quotient(likelihood, given_x))
    return np.asarray(terms.sum(axis=0))


def _divergence(joint: Floats, likelihood: Floats, alone: Floats) -> float:
    return float((joint * _log_quotient(likelihood, alone)).sum())


def _quotient(numerator: Floats, denominator: Floats) -> Floats:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _log_quotient(numerator: Floats, denominator: Floats) -> Floats:
    """log2(numerator/denominator), 0 where either is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    positive = (numerator > 0) & (denominator > 0)
    quotient = np.divide(numerator, denominator, out=np.ones_like(numerator), where=positive)
    return np.asarray(np.log2(quotient))
