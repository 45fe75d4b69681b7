"""Noisy counts of equal cells.

Releases: a synopsis of g^d cells with signed noisy counts, as a coreset; centers by the guided search on it, or, in
`uniform_grid_paper`, by Lloyd from 30 packed starts as printed.
Paper: Su, Cao, Li, Bertino, Jin 2016, section 4.2.1 (EUGkM).
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, base grid, relation, unit, k, ε; n under replace.
Exact inputs: the counts.
Departures: noisy n with 3 % of ε under add-remove; at most 2^18 cells; discrete noise; the search (not in the variant).
Proof: docs/proofs/uniform_grid.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign, cost, lloyd, merge_points, solve_kmeans, sphere_packing_start
from dpviz.domain import Adjacency, CellTree, Centers, Coreset, ExactCounts
from dpviz.domain.cell_tree import TOP, below_total
from dpviz.mechanisms.adaptive_tree.growth import laplace_variance
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import NoiseSource
from dpviz.privacy import histogram_l1, noise_scale

RECORDS_PER_NOISE = 10.0  # utility only: θ of the paper's equation 4
MAX_CELLS = 2**18  # utility only: bounds time and memory
STARTS = 30  # utility only
STARTS_TIMES_K = 600  # utility only: fewer starts for many clusters
LLOYD_STEPS = 50  # utility only
SOLVER_POINTS = 2**14  # utility only: above this the starts run on merged points, the best one is polished on all
SWAPS = 20  # utility only: of the guided search, as many as adaptive_tree has

Placed = tuple[NDArray[np.float64], NDArray[np.float64]]
Search = Callable[[Coreset, int], Placed]  # [P4] from the published points and k to centers and their noisy counts


class SearchedGrid(FixedShares):
    """A method that searches centers on a synopsis of equal cells; variants *as printed* use another search."""

    def __init__(self, search: Search | None = None, name: str | None = None) -> None:
        self.search = search or centers_from_synopsis
        if name is not None:
            self.info = replace(self.info, name=name, title=f"{self.info.title}, as printed")


class UniformGrid(SearchedGrid):
    """EUGkM. The search of centers on the published points is post-processing."""

    info = MethodInfo(
        name="uniform_grid",
        title="Uniform grid",
        summary="Cuts the map into equal cells and adds noise to every count.",
        paper="Su, Cao, Li, Bertino, Jin 2016 (EUGkM)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(1, 12),
        proof="uniform_grid",
        vetted=True,
        person_cap=True,
    )

    split = BudgetSplit(shares={"counts": 1.0})  # privacy-bearing

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        coreset = noisy_synopsis(data, noisy_total, parts["counts"].epsilon, noise)
        cells = grid_cells(data, coreset, noisy_total, plan)
        positions, weights = self.search(coreset, plan.k)  # [P4]
        return Answer(
            coreset=coreset,
            centers=Centers(frame=coreset.frame, positions=positions, weights=weights),
            noisy_total=float(noisy_total),
            cells=cells,
            constants={"cells": len(coreset)},
        )


def noisy_synopsis(data: ExactData, noisy_total: int, epsilon: float, noise: NoiseSource) -> Coreset:
    """[P2] [P3] Release the center of every cell with its signed noisy count."""
    public = Public.of(data)
    per_axis = cells_per_axis(public, noisy_total, epsilon)  # [P2]
    exact = exact_cell_counts(data, per_axis)
    touched = histogram_l1(data.relation, data.unit)
    scale = noise_scale(touched, epsilon)
    noisy = noise.add_laplace(exact, scale, sensitivity=touched)  # [P3]
    return Coreset(
        frame=public.frame,
        positions=cell_middles(per_axis, public.frame.dims) * public.frame.extent,
        weights=noisy.astype(np.float64),
        variances=np.full(exact.size, 2 * scale**2),
    )


def grid_cells(data: ExactData, coreset: Coreset, noisy_total: int, plan: Plan) -> CellTree:
    """Equal cells with signed counts; a bought total is a node above them, and they add up to it."""
    frame, per_axis = coreset.frame, round(len(coreset) ** (1 / coreset.frame.dims))
    assert coreset.variances is not None
    digits = np.indices((per_axis,) * frame.dims).reshape(frame.dims, -1).T
    low, high = (
        np.clip(frame.to_raw(corner / per_axis * frame.extent), frame.low, frame.high)
        for corner in (digits, digits + 1)
    )
    parts = CellTree(
        frame=frame,
        low=low,
        high=high,
        parent=np.full(len(coreset), TOP),
        depth=np.zeros(len(coreset), np.int64),
        node=np.arange(len(coreset)),
        value=coreset.weights,
        variance=coreset.variances,
        charge=np.full(len(coreset), len(plan.charges) - 1),
        charges=tuple(charge.name for charge in plan.charges),
        cell=np.arange(len(coreset)),
        count=coreset.weights,
        spread=coreset.variances,
        mean=np.clip(frame.to_raw(coreset.positions), frame.low, frame.high),
        pieces=False,
    )
    if data.relation is Adjacency.REPLACE_ONE:
        return parts
    scale = noise_scale(histogram_l1(data.relation, data.unit), plan.charges[0].epsilon)
    return below_total(parts, float(noisy_total), laplace_variance(scale))


def cells_per_axis(public: Public, total: int, epsilon: float) -> int:
    """[P2] Equation 4 of the paper for d dimensions, within public bounds."""
    dims = public.frame.dims
    wanted = float((total * epsilon / RECORDS_PER_NOISE) ** (2 / (2 + dims)))
    ceiling = int(MAX_CELLS ** (1 / dims) + 1e-9)
    if public.side is not None:
        ceiling = min(ceiling, public.side)
    return max(min(2, ceiling), min(math.ceil(wanted), ceiling))


def exact_cell_counts(data: ExactData, per_axis: int) -> NDArray[np.int64]:
    """Exact counts of the per_axis^d cells, flat, the first axis slowest."""
    if isinstance(data, ExactCounts):
        side = data.grid.side
        part = np.minimum(((np.arange(side) + 0.5) * per_axis / side).astype(np.int64), per_axis - 1)
        summed = np.zeros((per_axis, side), np.int64)
        np.add.at(summed, part, data.exact_cells[::-1])  # row 0 is north; cells count from the south
        cells = np.zeros((per_axis, per_axis), np.int64)
        np.add.at(cells, part, summed.T)  # first axis: west to east
        return cells.ravel()
    digits = np.minimum((data.exact_cube * per_axis).astype(np.int64), per_axis - 1)
    flat = np.ravel_multi_index(tuple(digits.T), (per_axis,) * data.frame.dims)
    return np.bincount(flat, minlength=per_axis**data.frame.dims).astype(np.int64)


def cell_middles(per_axis: int, dims: int) -> NDArray[np.float64]:
    """Centers of the cells in the unit cube, in the order of `exact_cell_counts`."""
    return (np.indices((per_axis,) * dims).reshape(dims, -1).T + 0.5) / per_axis


def centers_from_synopsis(coreset: Coreset, k: int) -> Placed:
    """[P4] Run our guided search on the signed counts."""
    high = coreset.frame.extent
    points, weights = _few_points(coreset)
    best = solve_kmeans(points, weights, k, seed=0, swaps=SWAPS, low=np.zeros_like(high), high=high).centers
    return _on_all(coreset, best, polished=len(points) == len(coreset))


def centers_as_printed(coreset: Coreset, k: int) -> Placed:
    """[P4] Run the paper's search: Lloyd from data-independent starts; keep the lowest cost on the synopsis."""
    high = coreset.frame.extent
    points, weights = _few_points(coreset)
    found = []
    for start in range(max(3, min(STARTS, STARTS_TIMES_K // k))):
        centers, _ = lloyd(points, weights, packed_start(k, tuple(high.tolist()), start), LLOYD_STEPS)
        found.append(np.clip(centers, 0.0, high))
    best = min(found, key=lambda centers: cost(points, weights, centers))
    return _on_all(coreset, best, polished=len(points) == len(coreset))


def _few_points(coreset: Coreset) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if len(coreset) <= SOLVER_POINTS:
        return coreset.positions, coreset.weights
    return merge_points(coreset.positions, coreset.weights, limit=SOLVER_POINTS)


def _on_all(coreset: Coreset, best: NDArray[np.float64], *, polished: bool) -> Placed:
    """Descend on all published points; return centers and the noisy counts nearest to each."""
    if not polished:
        best, _ = lloyd(coreset.positions, coreset.weights, best, LLOYD_STEPS)
        best = np.clip(best, 0.0, coreset.frame.extent)
    served = np.bincount(assign(coreset.positions, best), coreset.weights, minlength=len(best))
    return best, served.astype(np.float64)


@lru_cache(maxsize=4096)
def packed_start(k: int, extent: tuple[float, ...], seed: int) -> NDArray[np.float64]:
    """Spread data-independent centers; cached, because the search for the widest packing is slow."""
    start = sphere_packing_start(k, np.zeros(len(extent)), np.array(extent), seed=seed)
    start.flags.writeable = False
    return start


UNIFORM_GRID = UniformGrid()
UNIFORM_GRID_PAPER = UniformGrid(centers_as_printed, "uniform_grid_paper")
