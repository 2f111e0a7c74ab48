"""Tasks on sequences of tokens, with exact reference answers, one file for each kind.

Positions count from 1 everywhere; a sequence is an array whose last axis runs over the positions, and axes before it
are a batch.
"""

from commsim.task.averaging import QSparseAveraging
from commsim.task.base import SequenceTask, TokenError
from commsim.task.matching import Match2, Match3

__all__ = ["Match2", "Match3", "QSparseAveraging", "SequenceTask", "TokenError"]
