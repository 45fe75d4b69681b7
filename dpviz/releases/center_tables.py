"""What every search on protected points needs: a seed that is the same everywhere, places inside the box, an order."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Centers, Frame

if TYPE_CHECKING:
    import pandas as pd


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
