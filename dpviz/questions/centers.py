"""Centers for any k, the cost of any centers, and cells as weighted points that both work on. Post-processing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import Ground, KMeansResult, cost, solve_kmeans, solve_kmedian
from dpviz.domain import CellTree, Frame
from dpviz.domain.frames import is_pandas_frame
from dpviz.domain.protected import seed_from, to_raw_inside, weighted_table
from dpviz.errors import InputError, NotOffered
from dpviz.releases.release import Release
from dpviz.releases.request import checked_k

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
MANY, SEARCHES_FOR_MANY = 15, 3  # centers, and how often they are searched for
OBJECTIVES = {"k-means": 2, "k-median": 1}
MOST_POINTS = 1 << 16
MOST_SIDES = 2


def centers_for(release: Release, k: int, objective: str = "k-means") -> pd.DataFrame:
    """The best k centers of the cells, any k and any number of times: post-processing costs no privacy.

    Where the method counts no cells, of the coreset.

    The same release and arguments give the same centers everywhere.
    """
    raw, weights = _solved(release, checked_k(k), checked_objective(objective))
    return weighted_table(release.frame, raw, weights)


def cost_of(release: Release, centers: pd.DataFrame | ArrayLike, objective: str = "k-means") -> float:
    """Estimated cost of any centers (raw coordinates): Σ weight · distance² (k-median: distance), local units.

    Estimated from the cells, or from the coreset where the method counts none.
    """
    positions, weights = _points(release, "estimate costs")
    sites = release.frame.to_local(raw_sites(release.frame, centers))
    return cost(positions, weights, sites, power=OBJECTIVES[checked_objective(objective)])


def _points(release: Release, purpose: str) -> tuple[Floats, Floats]:
    """What searches and costs work on: the cells where there are some, else the coreset."""
    if release.protected_cells is not None:
        return cell_points(release.protected_cells)
    coreset = release.protected_coreset
    if coreset is None:
        raise NotOffered(
            f"this release was made by {release.method}, which gives centers and no coreset, and cannot {purpose}. "
            "Use release.centers, or publish with a method that gives a coreset (dpviz.methods()).",
            method=release.method,
        )
    return coreset.positions, coreset.weights


def _solved(release: Release, k: int, objective: str) -> tuple[Floats, Floats]:
    """Raw centers and their weights, searched for once."""
    if (k, objective) not in release._answers:
        solve = solve_kmeans if objective == "k-means" else solve_kmedian
        low, high = np.zeros(release.frame.dims), release.frame.extent
        seed = seed_from(f"centers of {release.id}", k, objective)
        positions, weights = _points(release, "answer for other numbers of centers")
        # Many centers have many good places, and one search misses the best more often than the noise does.
        repeats = SEARCHES_FOR_MANY if k >= MANY else 1

        def searched(believed: Floats) -> KMeansResult:
            return solve(positions, believed, k, seed=seed, low=low, high=high, repeats=repeats)

        cells = release.protected_cells
        if cells is not None and "adaptive_tree" in release.method:  # others search what they released
            _, found = ground_of(cells, len(weights)).search(weights, searched)
        else:
            found = searched(weights)
        release._answers[k, objective] = (to_raw_inside(release.frame, found.centers), found.weights)
    solved: tuple[Floats, Floats] = release._answers[k, objective]
    return solved


def checked_objective(objective: str) -> str:
    """One of the two costs a coreset is asked about."""
    if objective not in OBJECTIVES:
        raise InputError(f"objective={objective!r}; use 'k-means' or 'k-median'.", objective=objective)
    return objective


def raw_sites(frame: Frame, centers: pd.DataFrame | ArrayLike) -> Floats:
    """Centers as the user gives them: a table with the frame's columns, or one row of coordinates per center."""
    if is_pandas_frame(centers):
        missing = [name for name in frame.names if name not in centers.columns]
        if missing:
            raise InputError(f"the table of centers lacks the columns {missing}; it needs {list(frame.names)}.")
        values = centers[list(frame.names)].to_numpy(dtype=np.float64)
    else:
        try:
            values = np.atleast_2d(np.asarray(centers, dtype=np.float64))
        except (TypeError, ValueError):
            raise InputError(f"centers must be numbers, one row of {frame.dims} coordinates per center.") from None
    if values.ndim != 2 or values.shape[1] != frame.dims or not len(values):
        raise InputError(f"centers have shape {values.shape}; give one row of {frame.dims} coordinates per center.")
    if not np.isfinite(values).all():
        raise InputError("centers hold NaN or infinity; give finite coordinates.")
    return values


def cell_points(tree: CellTree) -> tuple[Floats, Floats]:
    """Local places and weights. A cell becomes points a quarter in from the ends of its longest sides, around its mean.

    As many sides as the number of cells allows; a method whose cells stand for their middles has one point each.
    """
    frame = tree.frame
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    mean = frame.to_local(tree.mean)
    sides = high - low
    if tree.quarters is not None and 4 * len(mean) <= MOST_POINTS:
        inside = np.array([[0.25, 0.25], [0.25, 0.75], [0.75, 0.25], [0.75, 0.75]])
        placed = low[:, None, :] + inside * sides[:, None, :]
        # Around the mean, which a residual round may have moved.
        placed += (mean - np.einsum("cq,cqd->cd", tree.quarters, placed))[:, None, :]
        return np.clip(placed.reshape(-1, 2), 0.0, frame.extent), (tree.count[:, None] * tree.quarters).ravel()
    room = int(math.log2(max(MOST_POINTS / max(len(mean), 1), 1.0)))
    many = min(room, frame.dims if frame.dims > MOST_SIDES else MOST_SIDES, frame.dims) if tree.pieces else 0
    if many == 0:
        return np.clip(mean, 0.0, frame.extent), tree.count.copy()
    longest = np.argsort(-sides, axis=1, kind="stable")[:, :many]
    signs = np.where(np.arange(1 << many)[:, None] >> np.arange(many) & 1, 1.0, -1.0)
    corners = np.zeros((len(mean), 1 << many, frame.dims))
    rows = np.arange(len(mean))
    for bit in range(many):
        axis = longest[:, bit]
        # A mean close to a side leaves less room: the points stay inside the cell.
        gap = np.minimum(mean[rows, axis] - low[rows, axis], high[rows, axis] - mean[rows, axis])
        reach = np.clip(gap, 0.0, sides[rows, axis] / 4.0)
        corners[rows, :, axis] = reach[:, None] * signs[:, bit]
    places = np.clip((mean[:, None, :] + corners).reshape(-1, frame.dims), 0.0, frame.extent)
    return places, np.repeat(tree.count / (1 << many), 1 << many)


def ground_of(tree: CellTree, points: int) -> Ground:
    """What was measured of each cell itself, for searches that are not led astray by empty ground.

    `points`: how many points `cell_points` makes of all cells.
    """
    nodes = len(tree.parent)
    precision = np.bincount(tree.node, weights=1.0 / tree.variance, minlength=nodes)[tree.cell]
    summed = np.bincount(tree.node, weights=tree.value / tree.variance, minlength=nodes)[tree.cell]
    known = np.maximum(precision, 1e-300)
    return Ground(
        places=tree.frame.to_local(tree.mean),
        values=np.where(precision > 0.0, summed / known, tree.count),
        variances=1.0 / known,
        sizes=np.maximum(tree.depth[tree.cell], 0),
        owner=np.repeat(np.arange(len(tree.cell)), points // max(len(tree.cell), 1)),
    )
