"""Residues modulo M in a sequence, and whether two of them complete a third to zero: shared by the Match3 models."""

import math

import numpy as np

from commsim.arrays import Array, Bits, Integers
from commsim.errors import InputError

#: the models of Match3 have one number for each residue
MOST_RESIDUES = 2**20


def require_few_residues(modulus: int) -> None:
    """Raise InputError if there are more than ``MOST_RESIDUES`` residues."""
    if modulus > MOST_RESIDUES:
        raise InputError(
            f"this model has a number for each residue, so M must be at most {MOST_RESIDUES}, not {modulus}"
        )


def count_residues(tokens: Integers, modulus: int) -> Integers:
    """How often each residue 0..M-1 occurs: shape (..., M) from tokens of shape (..., T)."""
    residues = (tokens % modulus).reshape(math.prod(tokens.shape[:-1]), tokens.shape[-1])
    counts = np.zeros((len(residues), modulus), dtype=np.int64)
    rows = np.arange(len(residues))
    for column in range(residues.shape[1]):
        counts[rows, residues[:, column]] += 1
    return counts.reshape(*tokens.shape[:-1], modulus)


def completes_triple(present: Bits, residue: Array) -> Bits:
    """Whether some v and w that are present have residue + v + w = 0 modulo M.

    Args:
        present: shape (..., M): which residues occur.
        residue: shape () or (...), in 0..M-1.

    Returns:
        Shape (...).
    """
    modulus = present.shape[-1]
    partners = (-residue[..., None] - np.arange(modulus)) % modulus
    if partners.ndim == 1:
        partnered = present[..., partners]
    else:
        shape = np.broadcast_shapes(present.shape, partners.shape)
        present = np.broadcast_to(present, shape)
        partnered = np.take_along_axis(present, np.broadcast_to(partners, shape), axis=-1)
    return np.asarray((present & partnered).any(axis=-1))
