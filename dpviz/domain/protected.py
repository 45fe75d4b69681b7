"""Protected points: output of a mechanism, or computed from such output alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import Frame
from dpviz.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

MAX_PUBLISHED_POINTS = 4096


@dataclass(frozen=True, kw_only=True, eq=False)
class Coreset:
    """A weighted set of points in local coordinates. Weights may be negative where a method publishes them so.

    `variances`, where known from public noise scales alone, is the variance of each weight, (m,).
    """

    frame: Frame
    positions: NDArray[np.float64]  # (m, d), local
    weights: NDArray[np.float64]  # (m,)
    variances: NDArray[np.float64] | None = field(default=None)

    def __post_init__(self) -> None:
        if self.positions.ndim != 2 or self.positions.shape[1] != self.frame.dims:
            raise InputError(f"positions have shape {self.positions.shape}; expected (m, {self.frame.dims}).")
        if self.weights.shape != (len(self.positions),):
            raise InputError("weights must hold one number per point.")

    def __len__(self) -> int:
        return len(self.positions)

    def to_frame(self) -> pd.DataFrame:
        """Raw coordinates and weight: lon, lat, weight on maps."""
        import pandas as pd

        raw = self.frame.to_raw(self.positions)
        return pd.DataFrame({name: raw[:, axis] for axis, name in enumerate(self.frame.names)}).assign(
            weight=self.weights
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Centers:
    """Cluster centers in local coordinates with the (protected) weight each one serves, largest first by convention."""

    frame: Frame
    positions: NDArray[np.float64]  # (k, d), local
    weights: NDArray[np.float64]  # (k,)

    def __len__(self) -> int:
        return len(self.positions)

    def to_frame(self) -> pd.DataFrame:
        import pandas as pd

        raw = self.frame.to_raw(self.positions)
        return pd.DataFrame({name: raw[:, axis] for axis, name in enumerate(self.frame.names)}).assign(
            weight=self.weights
        )
