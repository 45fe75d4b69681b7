"""Protected points: output of a mechanism, or computed from such output alone; their order, seeds and tables."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

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
        return weighted_table(self.frame, self.frame.to_raw(self.positions), self.weights)


@dataclass(frozen=True, kw_only=True, eq=False)
class Centers:
    """Cluster centers in local coordinates with the (protected) weight each one serves, largest first by convention."""

    frame: Frame
    positions: NDArray[np.float64]  # (k, d), local
    weights: NDArray[np.float64]  # (k,)

    def __len__(self) -> int:
        return len(self.positions)

    def to_frame(self) -> pd.DataFrame:
        return weighted_table(self.frame, self.frame.to_raw(self.positions), self.weights)


def to_raw_inside(frame: Frame, local: NDArray[np.float64]) -> NDArray[np.float64]:
    """Raw coordinates inside the public box; rounding on the way cannot leave it."""
    return np.clip(frame.to_raw(local), np.asarray(frame.low), np.asarray(frame.high))


def seed_from(*parts: object) -> int:
    """A seed for ordinary clustering of protected points, the same on every machine."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def sorted_centers(centers: Centers) -> Centers:
    """Heaviest first; ties in the order of their coordinates."""
    order = np.lexsort((*centers.positions.T[::-1], -centers.weights))
    return Centers(frame=centers.frame, positions=centers.positions[order], weights=centers.weights[order])


def weighted_table(frame: Frame, raw: NDArray[np.float64], weights: NDArray[np.float64]) -> pd.DataFrame:
    """A table of raw coordinates and weight: lon, lat, weight on maps."""
    import pandas as pd

    columns = {name: raw[:, axis].copy() for axis, name in enumerate(frame.names)}
    return pd.DataFrame({**columns, "weight": weights.copy()})


def is_pandas_frame(value: Any) -> TypeGuard[pd.DataFrame]:
    """Whether this is a pandas DataFrame or a subclass, without importing pandas: who passes one has imported it."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(value, pandas.DataFrame)
