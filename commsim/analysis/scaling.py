"""How the bits of a protocol grow with a size: measured on samples, and fitted."""

import math
from collections.abc import Callable
from fractions import Fraction

import msgspec
import numpy as np

from commsim.analysis.lower_bound import known_lower_bound
from commsim.errors import InputError
from commsim.protocol import Protocol
from commsim.verify import sample_runs

#: the growths that are tried, from slow to fast, by how they are written
GROWTHS: dict[str, Callable[[float], float]] = {
    "1": lambda n: 1.0,
    "log n": lambda n: math.log2(n),
    "log n loglog n": lambda n: math.log2(n) * math.log2(max(2.0, math.log2(max(2.0, n)))),
    "log^2 n": lambda n: math.log2(n) ** 2,
    "sqrt n": math.sqrt,
    "n": lambda n: n,
    "n log n": lambda n: n * math.log2(n),
    "n^2": lambda n: n * n,
}


class Point(msgspec.Struct, frozen=True, kw_only=True):
    """One size.

    Attributes:
        value: of the size that grows.
        runs: how many were sampled, of which ``wrong`` were wrong.
        worst, mean: bits that crossed, the most and the average.
        declared: the declared worst case, in bits.
        lower_bound: a known one for this kind of protocol, in bits; None if none is known.
    """

    value: int
    runs: int
    wrong: int
    worst: int
    mean: str
    declared: int
    lower_bound: int | None


class Scaling(msgspec.Struct, frozen=True, kw_only=True):
    """The growth of a protocol's bits.

    Attributes:
        protocol, over: which, and the size that grows.
        points: one for each value.
        growth: the growth that fits the mean best, out of ``GROWTHS``, with the size called n.
        offset, slope: the mean is about ``offset + slope * growth``.
        residual: the root of the mean square of what is left, as a fraction of the average of the means.
    """

    protocol: str
    over: str
    points: list[Point]
    growth: str
    offset: float
    slope: float
    residual: float


def measure(protocol: Protocol, value: int, runs: int, seed: int) -> Point:
    """Sample a protocol at one size."""
    bits, wrong = [], 0
    for run in sample_runs(protocol, runs, seed):
        bits.append(run.bits)
        wrong += not run.correct
    bound = known_lower_bound(protocol.function, protocol.communication, protocol.output, protocol.coins)
    return Point(
        value=value,
        runs=runs,
        wrong=wrong,
        worst=max(bits),
        mean=str(Fraction(sum(bits), runs)),
        declared=protocol.declared_cost,
        lower_bound=bound.value if bound else None,
    )


def fit(protocol: str, over: str, points: list[Point]) -> Scaling:
    """Fit offset + slope * growth to the means, by least squares, for each growth; the best one, of equals the slowest.

    A negative slope is no growth, so such a fit counts as that of a constant. What fits best on a finite range is no
    theorem: two growths that stay within a few per cent of one another cannot be told apart.

    Raises:
        InputError: there are fewer than three points.
    """
    if len(points) < 3:
        raise InputError("a fit needs at least three sizes")
    values = np.array([point.value for point in points], dtype=float)
    means = np.array([float(Fraction(point.mean)) for point in points])
    best: Scaling | None = None
    for name, growth in GROWTHS.items():
        shape = np.array([growth(value) for value in values])
        columns = np.ones((len(values), 1)) if name == "1" else np.stack([np.ones_like(shape), shape], axis=1)
        solution = np.linalg.lstsq(columns, means, rcond=None)[0]
        residual = float(np.sqrt(np.mean((columns @ solution - means) ** 2)) / means.mean())
        slope = float(solution[1]) if len(solution) > 1 else 0.0
        # a further parameter always fits a little better: it must do so clearly to be believed
        if slope >= 0 and (best is None or residual < 0.9 * best.residual - 1e-9):
            best = Scaling(
                protocol=protocol,
                over=over,
                points=points,
                growth=name,
                offset=float(solution[0]),
                slope=slope,
                residual=residual,
            )
    assert best is not None  # a constant always fits
    return best
