"""Two halves of the lines of a matrix that are being filled, and the ranks that bound what may still go where."""

from dataclasses import dataclass

from commsim.bounds.elimination import eliminated


@dataclass
class Halves:
    """Two halves that are being filled, and the lines that are still to be put.

    Attributes:
        first, second: the lines in each half.
        room_first, room_second: how much the ranks of each may still grow.
        slack: how much the ranks of the two together may still exceed what the lines' own ranks force.
        lines: still to be put.
        modulo_first, modulo_second, modulo_both: for each value of f the vectors of these lines, modulo those in the
            first half, in the second, and in either.
    """

    first: int
    second: int
    room_first: int
    room_second: int
    slack: int
    lines: list[int]
    modulo_first: list[list[int]]
    modulo_second: list[list[int]]
    modulo_both: list[list[int]]

    def gains(self, place: int) -> tuple[int, int, int]:
        """How much the ranks grow if a line goes to the first half, to the second, and to both together."""
        in_first = in_second = in_both = 0
        # written out: most of the time of a search is spent here
        for layer in self.modulo_first:
            if layer[place]:
                in_first += 1
        for layer in self.modulo_second:
            if layer[place]:
                in_second += 1
        for layer in self.modulo_both:
            if layer[place]:
                in_both += 1
        return in_first, in_second, in_both

    def put(self, place: int, to_first: bool) -> "Halves":
        """The halves with a line in one of them."""

        def cut(layers: list[list[int]], joins: bool) -> list[list[int]]:
            if joins:
                layers = [eliminated(layer, layer[place]) for layer in layers]
            return [layer[:place] + layer[place + 1 :] for layer in layers]

        line = self.lines[place]
        in_first, in_second, in_both = self.gains(place)
        return Halves(
            self.first | line if to_first else self.first,
            self.second if to_first else self.second | line,
            self.room_first - in_first if to_first else self.room_first,
            self.room_second if to_first else self.room_second - in_second,
            self.slack - (in_first if to_first else in_second) + in_both,
            self.lines[:place] + self.lines[place + 1 :],
            cut(self.modulo_first, to_first),
            cut(self.modulo_second, not to_first),
            cut(self.modulo_both, True),
        )
