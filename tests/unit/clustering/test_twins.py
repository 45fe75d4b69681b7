"""Every compiled loop does what its plain twin says."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher

from dpviz.clustering import _grid_kernels, _kernels, _plane_kernels
from tests.oracles.clustering import COURSES, TWINS

CASES = range(12)


def _cloud(case: int) -> dict[str, Any]:
    """Points axis by axis, some repeated, with signed weights in odd cases; one to six axes."""
    rng = np.random.default_rng(case)
    axes, size, k = int(rng.integers(1, 7)), int(rng.integers(1, 90)), int(rng.integers(1, 10))
    if case % 3 == 0:
        axes = 2
    points = rng.normal(size=(axes, size))
    points[:, rng.integers(0, size, size // 3)] = points[:, :1]
    weights = rng.exponential(size=size)
    if case % 2:
        weights -= 0.4
    low, high = points.min(axis=1), points.max(axis=1)
    centers = low + rng.random((k, axes)) * (high - low)
    labels, squared = np.zeros(size, dtype=np.int64), np.zeros(size)
    table = ((points[:, None, :] - centers.T[:, :, None]) ** 2).sum(axis=0)
    labels[:], squared[:] = table.argmin(axis=0), table.min(axis=0)
    return {
        "points": points,
        "weights": weights,
        "positive": np.maximum(weights, 0.0),
        "centers": centers,
        "labels": labels,
        "squared": squared,
        "low": low,
        "high": high,
        "k": k,
        "power": 1 + case % 2 if case < 8 else 2 - case % 2,
        "state": np.array([case], dtype=np.uint64),
        "rng": rng,
    }


def _grid(case: int) -> dict[str, Any]:
    """Counts with empty rows and columns that are no multiple of the stride; centers inside and outside."""
    rng = np.random.default_rng(1000 + case)
    shape = (int(rng.integers(1, 40)), int(rng.integers(1, 70)))
    counts = rng.poisson(0.7, shape) * rng.integers(0, 50, shape)
    counts[rng.random(shape[0]) < 0.2] = 0
    counts = np.ascontiguousarray(counts, dtype=np.int64 if case % 2 else np.int32)
    counts.flags.writeable = case % 2 == 0  # as GridTable hands them over: numba compiles such arrays apart
    blocks = -(-shape[1] // _grid_kernels.STRIDE)
    prefix = np.zeros((shape[0], blocks + 1, 3), dtype=np.int64)
    k = int(rng.integers(1, 12))
    centers = (rng.random((k, 2)) * 1.4 - 0.2) * np.array(shape[::-1])
    if k > 2:
        centers[1, 0] = centers[0, 0]  # the same column: parallel lines
        centers[2] = centers[0]  # the same place: nothing left for the later one
    return {"counts": counts, "prefix": prefix, "centers": centers, "stretch": float(rng.uniform(0.3, 3.0)), "k": k}


def _arguments(name: str, case: int) -> list[Any]:
    if name in ("row_prefixes", "block_moments", "occupied_cells", "part_moments", "descend_on_grid"):
        g = _grid(case)
        if name == "row_prefixes":
            return [g["counts"], g["prefix"]]
        if name == "block_moments":
            factor = (1, 2, 3, 5, 16, 32)[case % 6]  # the last two are made of whole strides
            _grid_kernels.row_prefixes(g["counts"], g["prefix"])
            blocks = -(-g["counts"].shape[0] // factor) * -(-g["counts"].shape[1] // factor)
            return [g["counts"], g["prefix"], factor, np.ones((blocks, 3), dtype=np.int64)]
        _grid_kernels.row_prefixes(g["counts"], g["prefix"])
        if name == "occupied_cells":
            room = np.count_nonzero(g["counts"]) - case % 2  # with an odd case one too few
            return [g["counts"], g["prefix"], np.zeros(max(room, 0), np.int64), np.zeros((max(room, 0), 3), np.int64)]
        if name == "part_moments":
            moments = np.ones((g["k"], 3), dtype=np.int64)
            return [g["counts"], g["prefix"], g["centers"], g["stretch"], moments, case % 3 > 0]
        return [g["counts"], g["prefix"], g["centers"], g["stretch"], 1 + case, 1e-9]
    if name == "swap_in_plane" or hasattr(_plane_kernels, name):
        return _in_the_plane(name, _cloud(3 * case))
    c = _cloud(case)
    size, axes = c["weights"].size, c["points"].shape[0]
    costs = c["rng"].random(6)
    members = c["rng"].random((6, c["k"], axes))
    bounds = [c["low"], c["high"]]
    table: dict[str, list[Any]] = {
        "draw_uniform": [c["state"]],
        "squared_to": [c["points"], c["centers"][0], np.zeros(size)],
        "nearest": [c["points"], c["centers"], np.zeros(size, dtype=np.int64), np.zeros(size)],
        "nearest_two": [c["points"], c["centers"], np.zeros(size, dtype=np.int64), np.zeros(size), np.zeros(size)],
        "signed_cost": [c["weights"], c["squared"], c["power"]],
        "move_to_means": [c["points"], c["weights"], c["labels"], c["centers"], *bounds],
        "move_to_medians": [c["points"], c["weights"], c["labels"], c["squared"], c["centers"], *bounds],
        "running_sums": [c["positive"], np.zeros(size)],
        "draw_from": [np.cumsum(c["positive"]), max(np.flatnonzero(c["positive"]), default=-1), c["state"]],
        "seed_plusplus": [
            c["points"], c["positive"], c["k"], 1 + case % 4, c["power"], c["state"], np.zeros((c["k"], axes)),
        ],
        "transfer": [c["points"], c["weights"], c["centers"], c["labels"], *_ranked(c["points"], c["centers"])],
        "cross": [members[0], members[1], c["state"], np.zeros((c["k"], axes))],
        "fitter_of_two": [costs.tolist(), 5, c["state"]],
        "admit": [members, costs.tolist()[: 4 + case % 3], members[5] + 1.0, [0.0, 2.0, float(costs[1])][case % 3]],
        "breed": [
            c["points"], c["weights"], members, costs.tolist()[:4], 5, 8, 2, c["power"], c["state"], *bounds,
        ],
        "resume": [c["points"], c["weights"], members[:4], 5, 8, 2, c["power"], c["state"], *bounds],
        "search": [c["points"], c["weights"], c["k"], 4, 3, 6, 8, 2, c["power"], c["state"], *bounds],
    }  # fmt: skip
    descent = [c["points"], c["weights"], c["centers"], case, 1e-9, c["power"], *bounds, np.inf]
    swap = [c["points"], c["weights"], c["positive"], c["centers"], 3, c["power"], c["state"], np.zeros(axes)]
    table |= {"descend": descent, "descend_in_space": descent, "best_swap": swap, "swap_in_space": swap}
    return table[name]


def _in_the_plane(name: str, c: dict[str, Any]) -> list[Any]:
    points, weights, bounds = c["points"], c["weights"], [c["low"], c["high"]]
    size, steps = weights.size, int(c["rng"].integers(0, 12))
    centers = np.vstack([c["centers"], c["high"]])  # two at least: a swap needs a runner-up
    labels, first, second = np.zeros(size, dtype=np.int64), np.zeros(size), np.zeros(size)
    ranked = np.sort(((points[:, None, :] - centers.T[:, :, None]) ** 2).sum(axis=0), axis=0)
    table: dict[str, list[Any]] = {
        "nearest_in_plane": [*points, centers, labels, first],
        "nearest_two_in_plane": [*points, centers, labels, first, second],
        "two_nearest": [points, centers, labels, first, second],
        "weighted_sum": [np.tile(weights, 3), np.tile(c["squared"], 3)],
        "losses": [weights, c["labels"], ranked[0], ranked[1], np.ones(len(centers))],
        "inserted": [points, weights, steps % size, c["labels"], ranked[0], ranked[1], np.ones(len(centers))],
        "swap_in_plane": [points, weights, c["positive"], centers, 3, c["state"], np.zeros(2)],
        "descend_in_plane": [
            points, weights, centers, steps, 1e-9, *bounds, np.inf, _kernels.PATIENCE, _kernels.HALVINGS,
        ],
    }  # fmt: skip
    return table[name]


def _ranked(points: Any, centers: Any) -> list[Any]:
    """Squared distances to the nearest center and to the runner-up."""
    table = np.sort(((points[:, None, :] - centers.T[:, :, None]) ** 2).sum(axis=0), axis=0)
    return [table[0], table[1] if len(centers) > 1 else np.full(points.shape[1], np.inf)]


@pytest.mark.parametrize("pair", TWINS + COURSES, ids=lambda pair: str(pair[0].__name__))
@pytest.mark.parametrize("case", CASES)
def test_kernel_and_twin_return_and_write_the_same(
    pair: tuple[Callable[..., Any], Callable[..., Any]], case: int
) -> None:
    kernel, twin = pair
    for_kernel, for_twin = _arguments(kernel.__name__, case), _arguments(kernel.__name__, case)
    np.testing.assert_equal(for_kernel, for_twin)
    given, expected = kernel(*for_kernel), twin(*for_twin)
    if expected is not None:
        results = zip(given, expected, strict=True) if isinstance(expected, tuple) else [(given, expected)]
        for ours, theirs in results:
            np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-11)
    for ours, theirs in zip(for_kernel, for_twin, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("pair", TWINS + COURSES, ids=lambda pair: str(pair[0].__name__))
def test_a_twin_carries_the_name_of_its_kernel(pair: tuple[Callable[..., Any], Callable[..., Any]]) -> None:
    assert pair[0].__name__ == pair[1].__name__


def test_every_kernel_that_is_not_private_has_a_twin() -> None:
    kernels = {
        name
        for module in (_kernels, _plane_kernels, _grid_kernels)
        for name, thing in vars(module).items()
        if isinstance(thing, Dispatcher) and not name.startswith("_")
    }
    beside_its_twin = {"at_most"}  # distances._numbered; test_parts.py compares them
    assert kernels == {kernel.__name__ for kernel, _ in TWINS} | beside_its_twin


def test_kernels_release_the_lock_and_are_not_parallel() -> None:
    for kernel, _ in TWINS:
        assert isinstance(kernel, Dispatcher)
        assert kernel.targetoptions["nogil"] is True
        assert not kernel.targetoptions.get("parallel", False)


def test_uniform_numbers_fill_the_unit_interval_evenly() -> None:
    state = np.array([7], dtype=np.uint64)
    draws = np.array([_kernels.draw_uniform(state) for _ in range(20_000)])
    assert draws.min() >= 0.0
    assert draws.max() < 1.0
    counts = np.histogram(draws, bins=50, range=(0.0, 1.0))[0]
    assert ((counts - 400) ** 2 / 400).sum() < 150  # 49 degrees of freedom: p < 1e-11
