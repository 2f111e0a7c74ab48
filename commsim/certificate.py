"""Certificates of bounds, and the checker: it needs nothing but the matrix, and shares no code with what finds bounds.

A certificate is a JSON record of claims. A claim is a quantity, a relation, a value and the evidence; the checker works
out, in exact arithmetic, what the evidence proves and accepts the claim only if it says just that. The file is to be
read from top to bottom: one function a kind of evidence, with the reason why it proves what it proves; its arguments
are the fields of the evidence.

Words: z is a value of f; a rectangle is a set of rows times a set of columns; it is z-monochromatic if f is z on all of
it. Rows and columns are counted from 0. D is with both parties knowing the output, so a leaf has a label.
"""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

FORMAT = "commsim certificate 1"
#: the error of a randomized protocol that the quantity ``randomized`` speaks of
ERROR = Fraction(1, 3)
#: all subsets of so many lines are gone through
MOST_SUBSETS = 16
#: of a submatrix in a refutation
MOST_DEPTH = 64
#: numbers of a semidefinite evidence, so that sums of their products fit into 64 bits
_MOST_NUMBER = 2**26

Matrix = Sequence[Sequence[int]]
#: what evidence proves: the best value for a quantity and a relation
Proven = dict[tuple[str, str], int | Fraction]


class Refused(Exception):
    """The certificate does not prove what it claims; the message says where."""


def check(record: Any, matrix: Matrix) -> list[str]:
    """Check every claim of a certificate against a matrix of integers.

    Returns:
        The claims, in words.

    Raises:
        Refused: a claim does not follow, or the record is not a certificate of this matrix.
    """
    try:
        if record["format"] != FORMAT:
            raise Refused(f"the format is {_shown(record['format'])}, not {FORMAT!r}")
        if not all(abs(entry) < 2**62 for row in matrix for entry in row):
            raise Refused("an entry of the matrix does not fit into 63 bits")
        if not record["claims"]:
            raise Refused("it claims nothing")
        if record != certificate(matrix, record["claims"], record["evidence"]):
            raise Refused(
                "it is about another matrix, was changed after it was written, or has a field that it should not have:"
                " the sizes or digests differ"
            )
        if sorted({claim["evidence"] for claim in record["claims"]}) != list(range(len(record["evidence"]))):
            raise Refused("each evidence belongs to a claim, and each claim has one")
        proven = [_proven(evidence, matrix) for evidence in record["evidence"]]
        return [_check_claim(claim, proven) for claim in record["claims"]]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError, RecursionError) as error:
        raise Refused(f"it is not of the published form ({type(error).__name__}: {_shown(str(error))})") from error


def _shown(value: Any) -> str:
    """A value of a record in a message: short, and without characters that a terminal would obey."""
    text = ascii(value)
    return text if len(text) <= 60 else text[:57] + "..."


def certificate(matrix: Matrix, claims: Any, evidence: Any) -> dict[str, Any]:
    """The record: the claims and their evidence, bound to the matrix and to one another by digests.

    The digests (SHA-256) guard against mistakes, not against forgers: what counts is that the claims follow.
    """
    text = "\n".join(" ".join(str(int(entry)) for entry in row) for row in matrix)
    said = json.dumps([claims, evidence], sort_keys=True, separators=(",", ":"))
    return {
        "format": FORMAT,
        "matrix": {"rows": len(matrix), "columns": len(matrix[0]), "sha256": _digest(text)},
        "claims": claims,
        "evidence": evidence,
        "sha256": _digest(said),
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _proven(evidence: Any, matrix: Matrix) -> Proven:
    fields = dict(evidence)
    kind = fields.pop("kind")
    if kind not in _KINDS:
        raise Refused(f"no evidence is of the kind {_shown(kind)}")
    return _KINDS[kind](matrix, **fields)


def _check_claim(claim: Any, proven: list[Proven]) -> str:
    if set(claim) != {"quantity", "relation", "value", "evidence"}:
        raise Refused("a claim has the fields quantity, relation, value and evidence, and no others")
    quantity, relation, value = claim["quantity"], claim["relation"], claim["value"]
    follows = proven[claim["evidence"]]
    if (quantity, relation) not in follows:
        raise Refused(f"the evidence of a claim says nothing about {_shown(quantity)} {_shown(relation)}")
    exact = follows[quantity, relation]
    if value != str(exact):
        raise Refused(f"a claim has the value {_shown(value)}, but its evidence proves {quantity} {relation} {exact}")
    said = f"{quantity} {relation} {value}"
    return said if exact.denominator < 10**4 else f"{said} (about {float(exact):.4f})"


def bits_for(count: int | Fraction) -> int:
    """The least integer c with 2^c at least ``count``; 0 for a count of at most 1."""
    return max(0, math.ceil(count) - 1).bit_length()


def _values(matrix: Matrix) -> set[int]:
    return {int(entry) for row in matrix for entry in row}


def _check_value(matrix: Matrix, z: Any) -> None:
    if type(z) is not int or not any(z in row for row in matrix):
        raise Refused(f"{_shown(z)} is not a value of the matrix")


# --- lower bounds by counting leaves -------------------------------------------------------------------------------


def _fooling_set(matrix: Matrix, z: int, pairs: list[tuple[int, int]]) -> Proven:
    """Entries of value z, no two of which lie in one z-monochromatic rectangle.

    Two entries lie in one only if f is z at both of the mixed entries too. So every cover of the z-entries by
    rectangles has a rectangle for each of them, and a protocol has a leaf for each, and one for each other value
    (Kushilevitz and Nisan 1997, Section 1.3).
    """
    _check_value(matrix, z)
    _within(matrix, [row for row, _ in pairs], [column for _, column in pairs])
    for place, (row, column) in enumerate(pairs):
        if matrix[row][column] != z:
            raise Refused(f"the entry ({row}, {column}) is {matrix[row][column]}, not {z}")
        for other_row, other_column in pairs[:place]:
            if matrix[row][other_column] == z and matrix[other_row][column] == z:
                raise Refused(f"({row}, {column}) and ({other_row}, {other_column}) fit into one rectangle of {z}")
    size = len(pairs)
    others = len(_values(matrix) - {z})
    return {
        (f"fooling set of {z}", ">="): size,
        (f"cover of {z}", ">="): size,
        (f"partition of {z}", ">="): size,
        (f"nondeterministic of {z}", ">="): bits_for(size),
        ("deterministic", ">="): bits_for(size + others),
    }


def _minors(matrix: Matrix, minors: list[Any]) -> Proven:
    """For some values z, a square submatrix of [f = z] whose determinant is not 0 modulo a prime, so not 0.

    A partition of the z-entries into k rectangles writes [f = z] as a sum of k matrices of rank one, so k is at least
    its rank; and the leaves of a protocol partition the entries of every value (Mehlhorn and Schmidt 1982).
    """
    proven: Proven = {}
    seen: set[int] = set()
    leaves = 0
    for minor in minors:
        z, prime, rows, columns = (minor[name] for name in ("z", "prime", "rows", "columns"))
        _check_value(matrix, z)
        if z in seen:
            raise Refused(f"two minors for the value {z}")
        seen.add(z)
        _within(matrix, rows, columns)
        if len(rows) != len(columns):
            raise Refused(f"the minor for {z} is not square")
        if not _is_prime(prime):
            raise Refused(f"{_shown(prime)} is not a prime below 2^31")
        if not _is_invertible([[matrix[row][column] == z for column in columns] for row in rows], prime):
            raise Refused(f"the minor for {z} is 0 modulo {prime}")
        proven[f"rank of {z}", ">="] = proven[f"partition of {z}", ">="] = len(rows)
        leaves += len(rows)
    return {**proven, ("deterministic", ">="): bits_for(leaves + len(_values(matrix) - seen))}


def _is_prime(number: int) -> bool:
    return 2 <= number < 2**31 and all(number % k for k in range(2, math.isqrt(number) + 1))


def _is_invertible(indicator: list[list[bool]], prime: int) -> bool:
    """Whether a square 0/1 matrix is invertible modulo a prime: Gaussian elimination."""
    if prime == 2:
        return _rank([_as_bits(row, True) for row in indicator]) == len(indicator)
    # products of two residues must fit
    matrix: Any = np.array(indicator, dtype=np.int16 if prime < 2**7 else np.int64)
    while len(matrix):
        pivots = np.flatnonzero(matrix[:, 0])
        if not len(pivots):
            return False
        matrix[[0, pivots[0]]] = matrix[[pivots[0], 0]]
        factors = matrix[1:, 0] * pow(int(matrix[0, 0]), -1, prime) % prime
        matrix = (matrix[1:, 1:] - factors[:, None] * matrix[0, 1:] % prime) % prime
    return True


def _two_values(matrix: Matrix, first: list[int], second: list[int]) -> Proven:
    """Two entries where f differs: at least one bit, also with public coins and error below 1/2.

    If none is sent, what Alice answers depends on her row and the coins alone, so she cannot be right at two entries
    of one row that differ; likewise Bob in a column. So f would be constant.
    """
    _within(matrix, [first[0], second[0]], [first[1], second[1]])
    if matrix[first[0]][first[1]] == matrix[second[0]][second[1]]:
        raise Refused("f is the same at the two entries")
    return {("deterministic", ">="): 1, ("randomized", ">="): 1}


# --- one-way communication -----------------------------------------------------------------------------------------


def _line_classes(matrix: Matrix, of: str, classes: list[int]) -> Proven:
    """Which rows (or columns) are equal: one message for each kind is enough, and needed.

    If the sender sent the same on two different rows, the receiver could not be right on both at a column where they
    differ. Only the receiver outputs (Kushilevitz and Nisan 1997, Section 4.2).
    """
    sender = {"rows": "alice", "columns": "bob"}[of]
    lines = [tuple(row) for row in (matrix if of == "rows" else zip(*matrix, strict=True))]
    if len(classes) != len(lines):
        raise Refused(f"the classes are one number for each of the {of}")
    first: dict[int, tuple[int, ...]] = {}
    for place, (number, line) in enumerate(zip(classes, lines, strict=True)):
        if first.setdefault(number, line) != line:
            raise Refused(f"line {place} differs from another of its class")
    if len(set(first.values())) != len(first):
        raise Refused("two classes have equal lines")
    bits = bits_for(len(first))
    return {(f"one-way from {sender}", ">="): bits, (f"one-way from {sender}", "<="): bits}


# --- upper bounds: rectangles and protocols ------------------------------------------------------------------------


def _rectangles(matrix: Matrix, z: int, rectangles: list[Any]) -> Proven:
    """Rectangles of z that together hold every z-entry: a cover, and a partition if they are disjoint.

    A prover names the rectangle of an entry, and each party checks that its line belongs to it (Kushilevitz and Nisan
    1997, Section 2.1).
    """
    _check_value(matrix, z)
    times = [[0] * len(matrix[0]) for _ in matrix]
    for rectangle in rectangles:
        rows, columns = rectangle["rows"], rectangle["columns"]
        _within(matrix, rows, columns)
        for row in rows:
            for column in columns:
                if matrix[row][column] != z:
                    raise Refused(f"a rectangle holds ({row}, {column}), where f is {matrix[row][column]}, not {z}")
                times[row][column] += 1
    for row, line in enumerate(matrix):
        for column, entry in enumerate(line):
            if entry == z and not times[row][column]:
                raise Refused(f"no rectangle holds ({row}, {column})")
    size = len(rectangles)
    proven: Proven = {(f"cover of {z}", "<="): size, (f"nondeterministic of {z}", "<="): bits_for(size)}
    if max(count for line in times for count in line) <= 1:
        proven[f"partition of {z}", "<="] = size
    return proven


def _protocol_tree(matrix: Matrix, tree: Any) -> Proven:
    """A protocol tree with a right label at each leaf: D is at most its depth (Yao 1979)."""

    def depth(node: Any, rows: set[int], columns: set[int]) -> int:
        if set(node) == {"value"}:
            said = node["value"]
            for row in rows:
                for column in columns:
                    if type(said) is not int or matrix[row][column] != said:
                        raise Refused(
                            f"a leaf says {_shown(said)} at ({row}, {column}), where f is {matrix[row][column]}"
                        )
            return 0
        mine = {"alice": rows, "bob": columns}[node["owner"]]
        zero = set(node["zero"])
        if not zero <= mine or len(zero) != len(node["zero"]) or set(node) != {"owner", "zero", "children"}:
            raise Refused("the lines that send 0 are not among those that get to the node")
        left, right = node["children"]
        if node["owner"] == "alice":
            return 1 + max(depth(left, zero, columns), depth(right, rows - zero, columns))
        return 1 + max(depth(left, rows, zero), depth(right, rows, columns - zero))

    cost = depth(tree, set(range(len(matrix))), set(range(len(matrix[0]))))
    return {("deterministic", "<="): cost, ("randomized", "<="): cost}


# --- a search that found no protocol -------------------------------------------------------------------------------


def _refutation(matrix: Matrix, nodes: list[Any]) -> Proven:
    """Submatrices, each with a depth that is too small for it, and so for the whole matrix.

    Where f is not constant, a protocol of cost d splits the rows or the columns in two halves with protocols of cost
    d - 1. So it is enough to go through all splits, line by line: to the first half, or to the second. A branch ends
    when a half contains a submatrix that is refuted already, or when the ranks leave too few leaves (_too_many_leaves).
    """
    lines = {
        "rows": [{z: _as_bits(row, z) for z in _values(matrix)} for row in matrix],
        "columns": [{z: _as_bits(column, z) for z in _values(matrix)} for column in zip(*matrix, strict=True)],
    }
    for number, node in enumerate(nodes):
        _within(matrix, node["rows"], node["columns"])
        if type(node["depth"]) is not int or not 0 <= node["depth"] <= MOST_DEPTH:
            raise Refused(f"node {number}: a depth is an integer from 0 to {MOST_DEPTH}")
        if len({matrix[row][column] for row in node["rows"] for column in node["columns"]}) < 2:
            raise Refused(f"node {number}: f is constant there, which costs nothing")
        if _leaves(lines["rows"], node["rows"], node["columns"]) > 2 ** node["depth"]:
            if node["splits"]:
                raise Refused(f"node {number} needs no splits: the ranks are enough")
            continue
        if sorted(split["of"] for split in node["splits"]) != ["columns", "rows"]:
            raise Refused(f"node {number} must go through the splits of the rows and of the columns")
        for split in node["splits"]:
            _check_split(split, node, nodes[:number], lines[split["of"]])
    # a bound on a submatrix bounds the whole matrix
    return {("deterministic", ">="): nodes[-1]["depth"] + 1}


def _check_split(split: Any, node: Any, before: list[Any], lines: list[dict[int, int]]) -> None:
    of, across = split["of"], "columns" if split["of"] == "rows" else "rows"
    mine, limit = set(node[of]), 2 ** node["depth"]
    group = {line: {line} for line in mine}
    for z, circuit in split["circuits"]:
        vectors = [lines[line][z] & _mask(node[across]) for line in circuit]
        if not set(circuit) <= mine or _rank(vectors[1:]) != len(circuit) - 1 or _rank(vectors) != len(circuit) - 1:
            raise Refused("a set of lines is said to be a circuit, but is not minimally dependent")
        if not all(_rank(vectors[:place] + vectors[place + 1 :]) == len(vectors) - 1 for place in range(len(vectors))):
            raise Refused("a set of lines is said to be a circuit, but is not minimally dependent")
        if _leaves(lines, node[of], node[across]) != limit:
            raise Refused("circuits stay together only if the ranks leave nothing to spare")
        together = set().union(*(group[line] for line in circuit))
        for line in together:
            group[line] = together

    def go(case: Any, first: set[int], second: set[int]) -> None:
        if first & second:
            return  # a circuit would be split
        if case is None:
            if len(first) == len(mine) or len(second) == len(mine):
                return  # the other half is empty: not a split
            if not _too_many_leaves(lines, node[across], mine, first, second, limit):
                raise Refused("a branch ends, but the ranks leave enough leaves")
        elif isinstance(case, int):
            shown = before[case]
            if shown["depth"] < node["depth"] - 1 or not set(shown[across]) <= set(node[across]):
                raise Refused("a branch ends at a submatrix that does not refute it")
            if not (set(shown[of]) <= first or set(shown[of]) <= second):
                raise Refused("a branch ends at a submatrix that lies in neither half")
        else:
            line = case["line"]
            if line not in mine or line in first | second:
                raise Refused("a branch puts a line that is not there, or for the second time")
            go(case["first"], first | group[line], second)
            if first or second:  # the first line of all goes to the first half: the halves have no names
                go(case["second"], first, second | group[line])

    go(split["case"], set(), set())


def _too_many_leaves(
    lines: list[dict[int, int]], across: list[int], mine: set[int], first: set[int], second: set[int], limit: int
) -> bool:
    """Whether two halves that contain ``first`` and ``second`` need more than ``limit`` / 2 leaves each at most.

    A half needs as many as the ranks r of its lines (of [f = z] over GF(2), added over z). And r is submodular:
    r(H) + r(K) >= r(all) + r(first) + r(second) - r(first + second) for halves H, K that contain these.
    """
    in_first, in_second = (_leaves(lines, list(part), across) for part in (first, second))
    overlap = in_first + in_second - _leaves(lines, list(first | second), across)
    return max(in_first, in_second) > limit // 2 or _leaves(lines, list(mine), across) + overlap > limit


def _leaves(lines: list[dict[int, int]], mine: Sequence[int], across: Sequence[int]) -> int:
    mask = _mask(across)
    return sum(_rank([lines[line][z] & mask for line in mine]) for z in lines[0])


def _rank(vectors: list[int]) -> int:
    """The rank over GF(2) of vectors that are integers."""
    basis: dict[int, int] = {}
    for vector in vectors:
        while vector and vector.bit_length() in basis:
            vector ^= basis[vector.bit_length()]
        if vector:
            basis[vector.bit_length()] = vector
    return len(basis)


def _as_bits(line: Sequence[int], z: int) -> int:
    return sum(1 << place for place, entry in enumerate(line) if entry == z)


def _mask(places: Sequence[int]) -> int:
    return sum(1 << place for place in set(places))


# --- weights on the entries ----------------------------------------------------------------------------------------


def _monochromatic_weights(
    matrix: Matrix, z: int, rows: list[int], columns: list[int], weights: Any, scale: int
) -> Proven:
    """Weights on the z-entries, such that no z-monochromatic rectangle weighs more than ``scale``.

    Every cover has to reach the whole weight: the dual of the fractional cover (Karchmer, Kushilevitz, Nisan 1995).
    """
    _check_value(matrix, z)
    part, weights = _restricted(matrix, rows, columns, weights, scale)
    entries = np.array(part)
    if (weights < 0).any() or weights[entries != z].any():
        raise Refused(f"the weights are at least 0, and 0 where f is not {z}")
    # a rectangle with these rows is heaviest with all the columns where f is z on all of them
    for some in _subsets(len(part)):
        if weights[some][:, (entries[some] == z).all(axis=0)].sum() > scale:
            raise Refused(f"the rectangle of {z} on the lines {some.tolist()} weighs more than the scale")
    size = math.ceil(Fraction(int(weights.sum()), scale))
    return {
        (f"cover of {z}", ">="): size,
        (f"partition of {z}", ">="): size,
        (f"nondeterministic of {z}", ">="): bits_for(size),
    }


def _rectangle_weights(matrix: Matrix, z: int, rows: list[int], columns: list[int], weights: Any, scale: int) -> Proven:
    """Weights of either sign on all entries, such that no rectangle at all weighs more than ``scale``.

    Take a public-coin protocol of c bits and error e. There are at most 2^c rectangles where it answers z; an entry
    with f = z lies in one of them with probability between 1 - e and 1, another with probability between 0 and e. So
    2^c * scale is at least the sum, over the entries, of the least that weight times probability can be (corruption;
    with negative weights on z-entries the smooth rectangle bound: Jain and Klauck 2010).
    """
    _check_value(matrix, z)
    part, weights = _restricted(matrix, rows, columns, weights, scale)
    for some in _subsets(len(part)):
        if np.maximum(weights[some].sum(axis=0), 0).sum() > scale:
            raise Refused(f"a rectangle on the lines {some.tolist()} weighs more than the scale")
    total = Fraction(0)
    for row, line in zip(part, weights.tolist(), strict=True):
        for entry, weight in zip(row, line, strict=True):
            least, most = (1 - ERROR, Fraction(1)) if entry == z else (Fraction(0), ERROR)
            total += weight * (least if weight > 0 else most)
    return {("randomized", ">="): bits_for(total / scale)}


def _restricted(matrix: Matrix, rows: list[int], columns: list[int], weights: Any, scale: int) -> tuple[Matrix, Any]:
    """The submatrix that the weights are on, and the weights; turned so that it has no more rows than columns.

    A bound on a submatrix bounds the whole matrix.
    """
    part = _submatrix(matrix, rows, columns)
    weights = np.array(weights)
    if weights.dtype != np.int64 or weights.shape != (len(rows), len(columns)) or type(scale) is not int or scale <= 0:
        raise Refused("the weights are one integer an entry, and the scale is a positive integer")
    if int(np.abs(weights.astype(object)).sum()) >= 2**62:
        raise Refused("the weights are too large to add in 64 bits")
    if len(rows) > len(columns):
        return list(zip(*part, strict=True)), weights.T
    return part, weights


def _submatrix(matrix: Matrix, rows: list[int], columns: list[int]) -> Matrix:
    _within(matrix, rows, columns)
    return [[matrix[row][column] for column in columns] for row in rows]


def _subsets(count: int) -> Any:
    if count > MOST_SUBSETS:
        raise Refused(f"all subsets of {count} rows are too many to go through: at most {MOST_SUBSETS} rows")
    places = np.arange(count)
    return (np.flatnonzero(subset >> places & 1) for subset in range(1, 2**count))


# --- gamma_2 and discrepancy ---------------------------------------------------------------------------------------


def _semidefinite(
    matrix: Matrix, rows: list[int], columns: list[int], q: Any, a: Any, b: Any, factor: Any, shift: int
) -> Proven:
    """Integers Q, a, b with [[diag a, -Q], [-Q^T, diag b]] positive semidefinite: gamma_2*(Q) <= (sum a + sum b) / 2.

    For A = X Y^T with rows of squared norm at most g, the trace of the product with the Gram matrix of X and Y is at
    least 0, so 2 <A, Q> <= g (sum a + sum b) (Linial and Shraibman 2009). A is 1 where f is 1, else -1.
    A rectangle has gamma_2 at most 1, so it holds at most gamma_2*(Q) of Q; where Q has the signs of A this bounds the
    discrepancy, and 2^c * discrepancy >= 1 - 2 * error for c bits (Kushilevitz and Nisan 1997, Proposition 3.28).
    """
    _within(matrix, rows, columns)
    signs = _signs(matrix)[np.ix_(rows, columns)]
    q, a, b = np.array(q), np.array(a), np.array(b)
    if q.shape != signs.shape or a.shape != (q.shape[0],) or b.shape != (q.shape[1],):
        raise Refused("q has the shape of the matrix, a one number a row, b one a column")
    block = np.block([[np.diag(a), -q], [-q.T, np.diag(b)]])
    _check_semidefinite(block, np.array(factor), shift)
    twice_dual = int(a.sum()) + int(b.sum())
    if twice_dual <= 0:
        raise Refused("the sum of a and b is not positive")
    proven: Proven = {("gamma_2", ">="): Fraction(2 * int((signs * q).sum()), twice_dual)}
    if ((signs * q) >= 0).all():
        total = int(np.abs(q).sum())
        proven["randomized", ">="] = bits_for((1 - 2 * ERROR) * Fraction(2 * total, twice_dual))
        whole = rows == list(range(len(matrix))) and columns == list(range(len(matrix[0])))
        if whole and total and (np.abs(q) == np.abs(q).flat[0]).all():
            proven["discrepancy", "<="] = Fraction(twice_dual, 2 * total)
    return proven


def _check_semidefinite(block: Any, factor: Any, shift: int) -> None:
    """Positive semidefinite, since block * 2^shift - factor factor^T is diagonally dominant.

    The limits on the numbers make the product of the factors fit into 64 bits.
    """
    if len(factor) != len(block) or type(shift) is not int or not 0 <= shift <= 27:
        raise Refused("the factor has a row for each row and column, and the shift is from 0 to 27")
    _check_small(block)
    _check_small(factor)
    rest = block * 2**shift - factor @ factor.T
    diagonal = np.maximum(np.diagonal(rest), 0).astype(object)
    if (2 * diagonal < np.abs(rest.astype(object)).sum(axis=1)).any():  # of Python's integers: the sums are large
        raise Refused("what is left after the factor is not diagonally dominant")


def _check_small(numbers: Any) -> None:
    """So that a sum of products of two rows fits into 64 bits."""
    if numbers.ndim != 2 or numbers.dtype != np.int64 or numbers.shape[1] > 256:
        raise Refused("the numbers are integers, in rows of at most 256")
    if not -_MOST_NUMBER <= numbers.min() <= numbers.max() <= _MOST_NUMBER:
        raise Refused("a number is larger than 2^26")


def _factorization(matrix: Matrix, x: Any, y: Any, shift: int) -> Proven:
    """Integers X, Y with X Y^T nearly 4^shift A: gamma_2(A) is at most that of X Y^T plus that of the difference.

    gamma_2 of a product X Y^T is at most the largest row norm of X times that of Y; gamma_2 of any matrix is at most
    its largest row norm. The square roots are rounded up to integers.
    """
    signs = _signs(matrix)
    x, y = np.array(x), np.array(y)
    _check_small(x)
    _check_small(y)
    if (len(x), len(y)) != signs.shape or type(shift) is not int or not 0 <= shift <= 28:
        raise Refused("x has a row for each row, y for each column, and the shift is from 0 to 28")
    difference = (signs * 4**shift - x @ y.T).astype(object)
    product = max((x.astype(object) ** 2).sum(axis=1)) * max((y.astype(object) ** 2).sum(axis=1))
    rest = max((difference**2).sum(axis=1))
    return {("gamma_2", "<="): Fraction(_root_above(int(product)) + _root_above(int(rest)), 4**shift)}


def _root_above(number: int) -> int:
    root = math.isqrt(number)
    return root if root * root == number else root + 1


def _signs(matrix: Matrix) -> Any:
    if not _values(matrix) <= {0, 1}:
        raise Refused("gamma_2 and discrepancy are of a matrix of zeros and ones")
    return 2 * np.array(matrix, dtype=np.int64) - 1


def _unbalanced_rectangle(matrix: Matrix, rows: list[int], columns: list[int]) -> Proven:
    """A rectangle on which the +-1 entries do not cancel: the uniform discrepancy is at least its share."""
    signs = _signs(matrix)
    _within(matrix, rows, columns)
    if len(set(rows)) != len(rows) or len(set(columns)) != len(columns):
        raise Refused("a line is named twice")
    return {("discrepancy", ">="): Fraction(abs(int(signs[np.ix_(rows, columns)].sum())), signs.size)}


def _within(matrix: Matrix, rows: Sequence[int], columns: Sequence[int]) -> None:
    for what, places, count in (("row", rows, len(matrix)), ("column", columns, len(matrix[0]))):
        for place in places:
            if type(place) is not int or not 0 <= place < count:
                raise Refused(f"there is no {what} {_shown(place)}: they are counted from 0 to {count - 1}")


_KINDS: dict[str, Callable[..., Proven]] = {
    "fooling set": _fooling_set,
    "minors": _minors,
    "two values": _two_values,
    "line classes": _line_classes,
    "rectangles": _rectangles,
    "protocol tree": _protocol_tree,
    "refutation": _refutation,
    "monochromatic weights": _monochromatic_weights,
    "rectangle weights": _rectangle_weights,
    "semidefinite": _semidefinite,
    "factorization": _factorization,
    "unbalanced rectangle": _unbalanced_rectangle,
}
