"""Names for the array types that the signatures use."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: One party's inputs, tokens or outputs: a single one, or a batch along axis 0.
Array = NDArray[Any]
#: Bits: dtype bool, the last axis runs over the bits of a string, most significant first.
Bits = NDArray[np.bool_]
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
