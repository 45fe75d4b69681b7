"""Strict preview: a protected stand-in, paid once, and data sampled from it to simulate every level on.

Sampling is post-processing, so any number of simulations costs nothing more. A forecast knows the city as far as the
stand-in was paid for; what the stand-in smooths away is missing in it too.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, improve_kmeans, solve_kmeans
from dpviz.domain import Adjacency, CellTree, Coreset
from dpviz.domain.points import grid_of
from dpviz.domain.protected import seed_from
from dpviz.errors import InputError, NotOffered
from dpviz.ledger.persons import Who
from dpviz.mechanisms.catalogue import choose
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.forecast import Forecast
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, SimulatedCounts, standin_request
from dpviz.publishing.door import publish
from dpviz.questions.noise_model import NoiseModel
from dpviz.questions.redrawing import redrawn_cells
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN

Floats = NDArray[np.float64]
DRAWS = 20
CITIES = 5  # that the stand-in may stand for
SEARCHES = 4
BAND = (0.05, 0.95)
# What the stand-in smooths away makes real errors differ more than simulated ones. Chosen on one half of the data sets
# of dpviz_research/forecast_coverage.py: without it the band holds 83 % there.
WIDER = 1.2
LARGEST_SAMPLE = 20_000_000
_NEIGHBOURS = 4
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
    grid = grid_of(release.frame, side or release.side or 256)
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
    chosen = _chosen(weights, size, noise)
    # Even on both sides of the mean, with as much weight on each side as keeps the mean where it is.
    across = np.clip((mean - low) / np.maximum(high - low, 1e-300), 0.05, 0.95)[chosen]
    upper, along = _even(size, noise) < across, _even(size, noise)
    share = np.where(upper, across + along * (1.0 - across), along * across)
    return np.clip(low[chosen] + share * (high - low)[chosen], 0.0, frame.extent)


def _places(coreset: Coreset, size: int, noise: NoiseSource) -> NDArray[np.float64]:
    """Simulated records in local coordinates, inside the box."""
    extent, weights = coreset.frame.extent, np.maximum(coreset.weights, 0.0)
    if size == 0 or not weights.sum() > 0:
        return noise.integers(_FINE, 2 * size).reshape(size, 2) * (extent / _FINE)
    chosen = _chosen(weights, size, noise)
    spread = _gaps(coreset.positions, extent)[chosen][:, None]
    return np.clip(coreset.positions[chosen] + (_even(size, noise) - 0.5) * spread, 0.0, extent)


def _chosen(weights: NDArray[np.float64], size: int, noise: NoiseSource) -> NDArray[np.int64]:
    """So many numbers of places, by these weights."""
    edges = np.cumsum(weights) / weights.sum()
    return np.minimum(np.searchsorted(edges, (noise.integers(_FINE, size) + 0.5) / _FINE, side="right"), len(edges) - 1)


def _even(size: int, noise: NoiseSource) -> NDArray[np.float64]:
    """So many places in the unit square."""
    found: NDArray[np.float64] = (noise.integers(_FINE, 2 * size).reshape(size, 2) + 0.5) / _FINE
    return found


def _gaps(positions: NDArray[np.float64], extent: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far apart points lie around each point: the middle distance to its nearest neighbours, (m,)."""
    if len(positions) < 2:
        return np.full(len(positions), float(extent.min()))
    gaps = np.empty(len(positions))
    take = min(_NEIGHBOURS, len(positions) - 1)
    for start in range(0, len(positions), 512):
        squared = ((positions[start : start + 512][:, None, :] - positions[None, :, :]) ** 2).sum(axis=2)
        gaps[start : start + 512] = np.sqrt(np.median(np.partition(squared, take, axis=1)[:, 1 : take + 1], axis=1))
    return gaps


def forecast_from_standin(
    standin: Release, *, k: int, budget: Budget, method: str = "auto", draws: int = DRAWS, side: int | None = None
) -> Forecast | None:
    """The error that a method has on simulated records, and the band of 90 of 100 draws; the same for the same request.

    None: on simulated records the method gave no answer in most draws.
    """
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise InputError(f"draws={draws!r}: give a whole number of draws, 1 or more.", draws=draws)
    errors: list[float] = []
    for at, likely in enumerate(_likely_cities(standin, min(CITIES, int(draws)))):
        data = sample_from_standin(likely, side=side)
        public = Public.of(data)
        mechanism = choose(method, public, k=k, budget=budget)
        plan = mechanism.plan(public, k=k, budget=budget)
        seeds = (seed_from("forecast", standin.id, str(draw)) for draw in range(at, int(draws), CITIES))
        answers = (mechanism.run(data, plan, replayable_source(seed)) for seed in seeds)
        found = [_centers(answer, k) for answer in answers if isinstance(answer, Answer)]
        if found:
            errors += _errors(data, k, found)
    if 2 * len(errors) <= draws:
        return None
    # Positions p·(n + 1): the quantiles of a few draws, taken as they lie, hold less than they say.
    few, many = (float(value) for value in np.quantile(errors, BAND, method="weibull"))
    # The mean: where draws end in one of two good clusterings, the middle one of a few draws is in either by chance.
    mean = float(np.mean(errors))
    return Forecast(method=mechanism.info.name, low=min(few / WIDER, mean), expected=mean, high=max(many * WIDER, mean))


def _likely_cities(standin: Release, several: int) -> list[Release]:
    """Return the stand-in and redraws of it: its own noise often decides which of several good clusterings is best."""
    tree = standin.protected_cells
    if tree is None:
        return [standin] * several
    model = NoiseModel.of(tree)
    again = [redrawn_cells(model, seed_from("likely city", standin.id, at)) for at in range(1, several)]
    return [
        standin,
        *(replace(standin, id=f"{standin.id}~{at}", protected_cells=cells) for at, cells in enumerate(again)),
    ]


def _centers(answer: Answer, k: int) -> Floats:
    if answer.centers is not None:
        return answer.centers.positions
    coreset = answer.coreset
    assert coreset is not None  # an answer has centers or a coreset
    extent = coreset.frame.extent
    return solve_kmeans(coreset.positions, coreset.weights, k, seed=0, low=np.zeros_like(extent), high=extent).centers


def _errors(data: SimulatedCounts, k: int, answers: list[Floats]) -> list[float]:
    """Errors against the best that searches on the simulated records and the answers themselves come to."""
    grid = data.grid
    table = GridTable.of(data.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
    costs = np.array([table.summarise(centers)[0] for centers in answers])
    positions, weights = weighted_local(data)
    mass, low, high = weights.astype(np.float64), np.zeros(2), grid.frame.extent
    begun = [table.solve(k, seed=seed).centers for seed in range(SEARCHES)] + [answers[int(costs.argmin())]]
    found = [improve_kmeans(positions, mass, centers, low=low, high=high) for centers in begun]
    best = min(*(table.summarise(centers)[0] for centers in found), float(costs.min()))
    return [float(cost) / best - 1.0 if best > 0.0 else 0.0 for cost in costs]
