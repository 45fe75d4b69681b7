"""Which flows between areas are worth an arc, and where an arc begins and ends. Pure; spends no privacy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpviz.questions.areas import Zone

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


def sure_flows(flows: pd.DataFrame, most: int, *, round_trips: bool = False) -> pd.DataFrame:
    """The largest flows that are more than noise; those that end where they begin with `round_trips` alone."""
    sure = (flows["low"] > 0.0) & (flows["note"] == "")
    if not round_trips:
        sure &= flows["origin"] != flows["destination"]
    found: pd.DataFrame = flows[sure].sort_values("estimate", ascending=False, kind="stable").head(most)
    return found


def middle_of(zone: Zone) -> tuple[float, float]:
    """The middle of the largest outline."""
    ring = max((ring for ring, sign in zone.rings if sign > 0), key=lambda ring: abs(ring_area(ring)))
    x, y = (ring - ring[0]).T
    cross = x * np.roll(y, -1) - y * np.roll(x, -1)
    whole = cross.sum()
    if abs(whole) < 1e-15:
        return float(ring[:, 0].mean()), float(ring[:, 1].mean())
    middle = ring[0] + np.array([((x + np.roll(x, -1)) * cross).sum(), ((y + np.roll(y, -1)) * cross).sum()]) / (
        3.0 * whole
    )
    return float(middle[0]), float(middle[1])


def ring_area(ring: Floats) -> float:
    """Signed, in the ring's own units."""
    x, y = (ring - ring[0]).T
    return float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2.0
