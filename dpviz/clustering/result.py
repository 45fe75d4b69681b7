"""The result of every solver."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, kw_only=True)
class KMeansResult:
    """Centers, heaviest first; carries no privacy claim of its own: it is as protected as the points it
    came from.
    """

    centers: NDArray[np.float64]  # (k, d)
    weights: NDArray[np.float64]  # (k,) summed weight of the points nearest to each center; may be negative
    cost: float  # Σ w·dist² for k-means, Σ w·dist for k-median
