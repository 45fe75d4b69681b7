"""Whether A and B say the same: what A's centers cost by B's points, and how far apart noise alone would put them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import match_centers
from dpviz.errors import NotOffered
from dpviz.questions.centers import cost_of
from dpviz.questions.redrawing import redrawn_centers
from dpviz.releases.release import Release

REDRAWS = 10  # of each release; every one of A meets every one of B
OFTEN = 0.9  # of the pairs of synthetic releases; of 36 pairs of releases of made-up cities 34 lay within
Floats = NDArray[np.float64]
Moves = Floats  # from each center to its partner in every synthetic release, (redraws, k, d), in local metres


@dataclass(frozen=True, kw_only=True)
class Exchange:
    """How much more it costs to serve each release's records from the other's centers than from its own, as a share.

    None where a release has no points to ask, or none that tell (weights that sum to nothing).
    """

    a_for_b: float | None
    b_for_a: float | None


def exchange_centers(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, objective: str) -> Exchange:
    """A's centers asked of B's points, and B's of A's; both in the same box."""
    return Exchange(
        a_for_b=_worse(b, first, second, objective),
        b_for_a=_worse(a, second, first, objective),
    )


def _worse(release: Release, strange: pd.DataFrame, own: pd.DataFrame, objective: str) -> float | None:
    try:
        mine, theirs = cost_of(release, own, objective), cost_of(release, strange, objective)
    except NotOffered:
        return None
    return theirs / mine - 1.0 if mine > 0.0 else None


@dataclass(frozen=True, kw_only=True)
class NoiseAlone:
    """How far apart the centers of two releases would be if nothing but their noise differed, in metres on average."""

    expected_m: float
    seldom_more_m: float  # farther than this in few cases

    def explains(self, average_m: float) -> bool:
        """Whether centers that are so far apart may be those of the same records."""
        return average_m <= self.seldom_more_m


def measure_moves(release: Release, centers: pd.DataFrame) -> Moves | None:
    """How far each center lies from its partner in every synthetic release.

    Of one release alone, so that whoever compares it with another one finds this half done; None where a release
    holds no counted cells.
    """
    places = release.frame.to_local(centers[list(release.frame.names)].to_numpy())
    found = []
    try:
        drawn = redrawn_centers(release, REDRAWS, len(places))
    except NotOffered:
        return None
    for again in drawn:
        others = release.frame.to_local(again)
        moved = np.zeros_like(places)
        for mine, theirs in match_centers(places, others):
            moved[mine] = others[theirs] - places[mine]
        found.append(moved)
    return np.array(found)


def expect_from_noise(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, left: Moves | None, right: Moves | None
) -> NoiseAlone | None:
    """From synthetic releases around A (`left`, its moves) and around B (`right`), which cost nothing.

    How the centers of a redrawn A differ from A's is what A's noise does, other basins included; the same of B. If A
    and B are of the same records, their centers lie as far apart as these two differences do.
    """
    if left is None or right is None:
        return None
    names = list(a.frame.names)
    pairs = match_centers(a.frame.to_local(first[names].to_numpy()), a.frame.to_local(second[names].to_numpy()))
    if not pairs:
        return None
    of_a, of_b = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    ends = slice(2, 4) if len(names) == 4 else slice(None)  # of trips, what is told is between the drop-offs
    averages = np.sqrt(((left[:, None, of_a, ends] - right[None, :, of_b, ends]) ** 2).sum(axis=3)).mean(axis=2).ravel()
    return NoiseAlone(
        expected_m=float(averages.mean()),
        seldom_more_m=float(np.quantile(averages, OFTEN)),
    )
