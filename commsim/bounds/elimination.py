"""Linear algebra over GF(2) on lines that are kept as Python integers, one bit a place."""


def rank(vectors: list[int]) -> int:
    """The rank over GF(2)."""
    return circuits(vectors)[1]


def pivots(vectors: list[int]) -> list[tuple[int, int]]:
    """Vectors and places that form a largest minor that is 1 over GF(2)."""
    basis: dict[int, int] = {}
    found = []
    for number, vector in enumerate(vectors):
        while vector and vector.bit_length() in basis:
            vector ^= basis[vector.bit_length()]
        if vector:
            basis[vector.bit_length()] = vector
            found.append((number, vector.bit_length() - 1))
    return found


def circuits(vectors: list[int]) -> tuple[list[int], int]:
    """For each vector that depends on those before it, the minimal dependent set it closes; and the rank.

    A set is an integer whose bit i stands for vector i. The sets are the fundamental circuits of the vectors' matroid
    with respect to the basis found first, so two vectors that some circuit joins are joined by these.
    """
    basis: dict[int, tuple[int, int]] = {}
    found = []
    for place, vector in enumerate(vectors):
        combination = 1 << place
        while vector:
            top = vector.bit_length()
            if top not in basis:
                basis[top] = (vector, combination)
                break
            vector ^= basis[top][0]
            combination ^= basis[top][1]
        else:
            found.append(combination)
    return found, len(basis)


def joined(count: int, sets: list[int]) -> list[int]:
    """The finest grouping of ``count`` things in which each of the sets lies in one group, as sets."""
    groups = [1 << place for place in range(count)]
    for joining in sets:
        apart = []
        for group in groups:
            if group & joining:
                joining |= group
            else:
                apart.append(group)
        groups = [*apart, joining]
    return groups


def eliminated(vectors: list[int], pivot: int) -> list[int]:
    """The vectors modulo one of them (nothing changes if it is 0)."""
    if not pivot:
        return vectors
    low = pivot & -pivot
    return [vector ^ pivot if vector & low else vector for vector in vectors]


def places(bits: int) -> list[int]:
    """The places of the bits that are set, in increasing order."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
