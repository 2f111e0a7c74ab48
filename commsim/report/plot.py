"""The growth of a protocol's bits as a figure."""

from fractions import Fraction
from typing import IO

from commsim.analysis.scaling import GROWTHS, Scaling
from commsim.errors import InputError


def plot_scaling(scaling: Scaling, file: IO[bytes], kind: str) -> None:
    """Draw the mean and worst bits, the fit, the declared cost and the known lower bound.

    Args:
        scaling: what to draw.
        file: where to write.
        kind: ``png``, ``svg`` or ``pdf``.

    Raises:
        InputError: matplotlib is not installed, or cannot write this kind of file.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("a plot needs matplotlib: pip install 'commsim[plot]'") from error
    values = [point.value for point in scaling.points]
    figure = Figure(figsize=(6.4, 4.4), layout="constrained")
    axes = figure.subplots()
    axes.plot(values, [point.declared for point in scaling.points], "--", color="grey", label="declared worst case")
    axes.plot(values, [point.worst for point in scaling.points], "^", label="worst in the sample")
    axes.plot(values, [float(Fraction(point.mean)) for point in scaling.points], "o", label="mean")
    growth = GROWTHS[scaling.growth]
    fitted = [scaling.offset + scaling.slope * growth(value) for value in values]
    axes.plot(values, fitted, label=f"fit: {scaling.offset:.3g} + {scaling.slope:.3g} * ({scaling.growth})")
    bounds = [(point.value, point.lower_bound) for point in scaling.points if point.lower_bound is not None]
    if bounds:
        axes.plot(*zip(*bounds, strict=True), ":", color="black", label="known lower bound")
    if values[-1] > 50 * values[0]:
        axes.set_xscale("log", base=2)
    axes.set_xlabel(scaling.over)
    axes.set_ylabel("bits")
    axes.set_title(scaling.protocol)
    axes.legend()
    try:
        figure.savefig(file, format=kind)
    except ValueError as error:
        raise InputError(f"cannot write a plot as {kind!r}: name the file .png, .svg or .pdf") from error
