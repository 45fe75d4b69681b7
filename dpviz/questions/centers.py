"""Centers for any k, the cost of any centers, and how far a center may be off. Post-processing.

A radius is to hold the mean of a center's records in 90 of 100 draws. The target is the mean of the records that lie
nearest to a published center. What the cells say about it is a quotient of two sums over cells, so its error is a sum
of (place − center) · (error of a count) over the weight: its noise has the exact variance of any question; inside cells
records are as uneven as the release's own cells are, times what the release finds when it checks its model of their
inside on itself. A residual round leaves a known share of that error, and knows nothing of points that are nearest to
another center after it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from dpviz.clustering import Ground, KMeansResult, assign, cost, solve_kmeans, solve_kmedian
from dpviz.domain import CellTree, Frame
from dpviz.domain.protected import is_pandas_frame, seed_from, to_raw_inside, weighted_table
from dpviz.errors import InputError, NotOffered
from dpviz.questions.answers import Asked
from dpviz.questions.noise_model import Floats, Integers, cut_variance, of_columns
from dpviz.releases.release import Release
from dpviz.releases.request import checked_k

if TYPE_CHECKING:
    import pandas as pd


MANY, SEARCHES_FOR_MANY = 15, 3  # centers, and how often they are searched for
OBJECTIVES = {"k-means": 2, "k-median": 1}
MOST_POINTS = 1 << 16
MOST_SIDES = 2

# 0.9-quantile of |error| / √variance for an isotropic normal error in d dimensions: √(χ²_d(0.9)/d), d = 1 … 12.
BAND = (1.645, 1.517, 1.444, 1.395, 1.359, 1.332, 1.310, 1.292, 1.277, 1.264, 1.253, 1.243)
LOOKS = 4  # places per axis in a cell, to see which parts of it are nearest to which center
MOST_LOOKS = 1 << 20
MEAN_OF_HALVES = 0.125  # the variance of a cell's mean in units of ρ · side²: halves of halves vary alike
# After a residual round: the share of the squared error that stays at least, whatever the round measured.
STAYS = 0.1  # chosen on the sets of dpviz_research/elsewhere/development_sets.py
AFTER_CORRECTION_OF_ONE = 1.3  # what the radius of a single center is multiplied with, which has no borders


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


def center_radii(asked: Asked, centers: Floats, left: Floats, crossed: Floats | None = None) -> Floats:
    """90 % radii of centers, local, (k,).

    `left`: the share of the squared error after a residual round; `crossed`: what points add that changed parts since.
    """
    frame = asked.tree.frame
    share = np.maximum(left, STAYS) if len(centers) > 1 else AFTER_CORRECTION_OF_ONE**2 * left
    spread = center_variances(asked, centers) * np.where(left < 1.0, share, 1.0)
    factor = BAND[min(frame.dims, len(BAND)) - 1]
    return np.minimum(factor * np.sqrt(spread if crossed is None else spread + crossed), frame.diameter)


def center_variances(asked: Asked, centers: Floats) -> Floats:
    """Expected squared distance between each center and the mean of its records, (k,); infinite without records."""
    tree, frame, k = asked.tree, asked.tree.frame, len(centers)
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    cell, owner, share, middle = _shares(low, high, frame.to_local(tree.mean), centers)
    offset = middle - centers[owner]
    count = np.maximum(tree.count, 0.0)[cell]
    starts = np.searchsorted(owner, np.arange(k + 1)).astype(np.int64)
    noise = np.zeros(k)
    for axis in range(frame.dims):
        noise += asked.model.variances(starts, cell, share * offset[:, axis])[0]
    rho, held = asked.rho[cell], share * count
    sides = ((high - low) ** 2).sum(axis=1)[cell] if tree.pieces else np.zeros(len(cell))
    within = (MEAN_OF_HALVES * rho * held**2 + held / 12.0) * sides
    cut = cut_variance(share, rho, count) * (offset**2).sum(axis=1)
    error = noise + asked.model_factor * np.bincount(owner, weights=within + cut, minlength=k)
    if tree.pieces and asked.together.any():
        shared = MEAN_OF_HALVES * asked.together[cell] * rho * held**2
        node = tree.cell[cell]
        for axis in range(frame.dims):
            sides = (high - low)[cell, axis] ** 2
            error += of_columns(owner, tree.depth[node], tree.low[node, axis], shared * sides, k)
    weight = np.bincount(owner, weights=held, minlength=k)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread: Floats = np.where(weight > 0.0, error / weight**2, np.inf)
    return spread


def _shares(low: Floats, high: Floats, mean: Floats, centers: Floats) -> tuple[Integers, Integers, Floats, Floats]:
    """Which cells belong to which center: (cell, center, share of the cell, where that part lies), by center."""
    cells, dims = low.shape
    whole = _of_one_center(low, high, centers)
    cut = np.flatnonzero(whole < 0)
    looks = LOOKS if cells * LOOKS**dims <= MOST_LOOKS else 2 if cells * 2**dims <= MOST_LOOKS else 1
    inside = np.full((1, dims), 0.5)
    if looks > 1:  # arrays have 64 axes at most
        inside = (np.indices((looks,) * dims).reshape(dims, -1).T + 0.5) / looks
    places = low[cut, None, :] + inside[None, :, :] * (high - low)[cut, None, :]
    number = np.repeat(cut, len(inside)) + assign(places.reshape(-1, dims), centers) * cells
    keys, back, times = np.unique(number, return_inverse=True, return_counts=True)
    owner, cell = np.divmod(keys, cells)
    share = times / len(inside)
    summed = [np.bincount(back, weights=places.reshape(-1, dims)[:, axis], minlength=len(keys)) for axis in range(dims)]
    middle = np.column_stack(summed) / times[:, None].astype(np.float64)
    middle = np.where((share == 1.0)[:, None], mean[cell], middle)
    uncut = np.flatnonzero(whole >= 0)
    owner = np.concatenate([owner, whole[uncut]])
    order = np.argsort(owner, kind="stable")
    found = np.concatenate([cell, uncut]), np.concatenate([share, np.ones(len(uncut))])
    return found[0][order], owner[order], found[1][order], np.concatenate([middle, mean[uncut]])[order]


def _of_one_center(low: Floats, high: Floats, centers: Floats) -> Integers:
    """The center that is nearest to all of a box, where its corners agree: what is nearest to one center is convex.

    −1 where corners differ, and everywhere in so many dimensions that boxes have more corners than places to look at.
    """
    cells, dims = low.shape
    if 2**dims > LOOKS**2 or cells == 0:
        return np.full(cells, -1, np.int64)
    corners = np.indices((2,) * dims).reshape(dims, -1).T
    places = np.where(corners[None, :, :] == 0, low[:, None, :], high[:, None, :])
    labels = assign(places.reshape(-1, dims), centers).reshape(cells, -1)
    return np.where((labels == labels[:, :1]).all(axis=1), labels[:, 0], -1)
