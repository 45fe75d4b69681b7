"""Strict preview: a private stand-in, paid once, and data sampled from it to simulate every level on.

Sampling is post-processing of what was published, so looking at any number of simulations costs nothing more.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, CellTree, Coreset, GeoBox, Grid, PlainBox
from dpviz.errors import InputError, NotOffered
from dpviz.ledger.persons import Who
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, standin_request
from dpviz.publishing.door import publish
from dpviz.publishing.simulated import SimulatedCounts
from dpviz.releases.center_tables import seed_from
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN

LARGEST_SAMPLE = 20_000_000
NEIGHBOURS = 4
_FINE = 2**30


def make_standin(dataset: Dataset, *, who: Who = "") -> Release | NoAnswer:
    """The dataset's stand-in: drawn when it is registered, afterwards the stored one."""
    budgets = [charge for charge in dataset.charges if charge.purpose == STAND_IN]
    if not budgets:
        raise NotOffered(
            f"no stand-in was paid for when {dataset.name!r} was registered; it is bought at registration only "
            "(register(…, standin_share=0.2)).",
            dataset=dataset.name,
        )
    epsilon = budgets[0].request.budget.epsilon
    return publish(dataset, standin_request(Budget(epsilon=epsilon)), who=who or budgets[0].who, why="stand-in")


def sample_from_standin(
    release: Release, n: int | None = None, source: NoiseSource | None = None, *, side: int | None = None
) -> SimulatedCounts:
    """Counts of `n` simulated records (default: the stand-in's own noisy total) on a grid of `side` cells.

    A record picks a point by its positive weight, then a place around it as wide as the gap to the next points. The
    default source is seeded by the stand-in, so that a page shows the same simulated data on every rerun.
    """
    coreset = release.protected_coreset
    if coreset is None or release.frame.dims != 2:
        raise NotOffered("only a stand-in with a coreset in two dimensions can be sampled.", method=release.method)
    grid = Grid(_box(release), side or release.side or 256)
    wanted = max(0, round(release.noisy_total or 0.0)) if n is None else n
    if isinstance(wanted, bool) or not isinstance(wanted, int | np.integer) or wanted < 0:
        raise InputError(f"n={n!r}: give a whole number of records, 0 or more.", n=n)
    size = min(int(wanted), LARGEST_SAMPLE)
    noise = source or replayable_source(seed_from("stand-in", release.id))
    tree = release.protected_cells
    local = _places(coreset, size, noise) if tree is None else _places_in_cells(tree, size, noise)
    columns = np.minimum((local[:, 0] / grid.cell_width).astype(np.int64), grid.side - 1)
    up = np.minimum((local[:, 1] / grid.cell_height).astype(np.int64), grid.side - 1)
    cells = np.bincount((grid.side - 1 - up) * grid.side + columns, minlength=grid.side**2)
    if size < wanted:
        cells = np.round(cells * (wanted / size))
    relation = release.guarantee.adjacency
    found = SimulatedCounts(
        grid,
        cells.reshape(grid.side, grid.side).astype(np.int64),
        relation=relation,
        unit=release.guarantee.unit,
        public_rows=int(cells.sum()) if relation is Adjacency.REPLACE_ONE else None,
    )
    found.standin_id = release.id
    return found


def _places_in_cells(tree: CellTree, size: int, noise: NoiseSource) -> NDArray[np.float64]:
    """Simulated records inside the cells that they were counted in, around each cell's mean, in local coordinates."""
    frame = tree.frame
    weights = np.maximum(tree.count, 0.0)
    if size == 0 or not weights.sum() > 0:
        return noise.integers(_FINE, 2 * size).reshape(size, 2) * (frame.extent / _FINE)
    low, high = frame.to_local(tree.low[tree.cell]), frame.to_local(tree.high[tree.cell])
    mean = frame.to_local(tree.mean)
    edges = np.cumsum(weights) / weights.sum()
    chosen = np.searchsorted(edges, (noise.integers(_FINE, size) + 0.5) / _FINE, side="right")
    chosen = np.minimum(chosen, len(edges) - 1)
    # Even on both sides of the mean, with as much weight on each side as keeps the mean where it is.
    across = np.clip((mean - low) / np.maximum(high - low, 1e-300), 0.05, 0.95)[chosen]
    upper = (noise.integers(_FINE, 2 * size).reshape(size, 2) + 0.5) / _FINE < across
    along = (noise.integers(_FINE, 2 * size).reshape(size, 2) + 0.5) / _FINE
    share = np.where(upper, across + along * (1.0 - across), along * across)
    return np.clip(low[chosen] + share * (high - low)[chosen], 0.0, frame.extent)


def _places(coreset: Coreset, size: int, noise: NoiseSource) -> NDArray[np.float64]:
    """Simulated records in local coordinates, inside the box."""
    extent = coreset.frame.extent
    weights = np.maximum(coreset.weights, 0.0)
    if size == 0:
        return np.empty((0, 2))
    if not weights.sum() > 0:
        return noise.integers(_FINE, 2 * size).reshape(size, 2) * (extent / _FINE)
    edges = np.cumsum(weights) / weights.sum()
    drawn = (noise.integers(_FINE, size) + 0.5) / _FINE
    chosen = np.minimum(np.searchsorted(edges, drawn, side="right"), len(edges) - 1)
    spread = _gaps(coreset.positions, extent)[chosen][:, None]
    shift = (noise.integers(_FINE, 2 * size).reshape(size, 2) + 0.5) / _FINE - 0.5
    return np.clip(coreset.positions[chosen] + shift * spread, 0.0, extent)


def _gaps(positions: NDArray[np.float64], extent: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far apart points lie around each point: the middle distance to its nearest neighbours, (m,)."""
    if len(positions) < 2:
        return np.full(len(positions), float(extent.min()))
    gaps = np.empty(len(positions))
    take = min(NEIGHBOURS, len(positions) - 1)
    for start in range(0, len(positions), 512):
        part = positions[start : start + 512]
        squared = ((part[:, None, :] - positions[None, :, :]) ** 2).sum(axis=2)
        gaps[start : start + 512] = np.sqrt(np.median(np.partition(squared, take, axis=1)[:, 1 : take + 1], axis=1))
    return gaps


def _box(release: Release) -> GeoBox | PlainBox:
    (west, south), (east, north) = release.frame.low, release.frame.high
    if release.frame.metric == "m":
        return GeoBox(west, south, east, north)
    return PlainBox((west, south), (east, north))
