"""The made-up cities: reproducible, of any size, and shaped as they say."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from dpviz.domain import ExactCounts, Grid
from dpviz.errors import InputError
from dpviz.ingest.cities import load_counts
from dpviz_research.synthetic import (
    ACROSS,
    ALONG,
    AVENUE,
    BLOCK,
    SOUTH_END,
    SYNTHETIC_BOX,
    WIDTH,
    CityKind,
    subsample,
    synthetic_chunks,
    synthetic_city,
)

KINDS: tuple[CityKind, ...] = ("peer", "suburbs")


def counts_of(points: np.ndarray, side: int = 256) -> ExactCounts:
    grid = Grid(SYNTHETIC_BOX, side)
    flat = grid.cells(points[:, 0], points[:, 1])
    assert (flat >= 0).all(), "a record outside the box"
    return ExactCounts.from_array(grid, np.bincount(flat, minlength=side * side).reshape(side, side))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 10, BLOCK, BLOCK + 1, 3 * BLOCK])
def test_a_city_has_as_many_records_as_asked_all_in_its_box(n: int, kind: CityKind) -> None:
    points = synthetic_city(n, seed=3, kind=kind)
    assert points.shape == (n, 2)
    assert counts_of(points).exact_total == n


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_seed_gives_the_same_city_and_another_seed_another(kind: CityKind) -> None:
    first = synthetic_city(5_000, seed=1, kind=kind)
    assert np.array_equal(first, synthetic_city(5_000, seed=1, kind=kind))
    assert not np.isin(first[:, 0], synthetic_city(5_000, seed=2, kind=kind)[:, 0]).any()


def test_no_block_repeats_another() -> None:
    points = synthetic_city(2 * BLOCK, seed=1)
    assert len(np.unique(points, axis=0)) == len(points)


@pytest.mark.parametrize("chunk", [1_000, BLOCK, BLOCK + 7, 10**6])
def test_cutting_into_chunks_changes_no_record(chunk: int) -> None:
    pieces = list(synthetic_chunks(2 * BLOCK + 500, seed=9, chunk=chunk))
    assert all(len(piece) == chunk for piece in pieces[:-1])
    assert np.array_equal(np.concatenate(pieces), synthetic_city(2 * BLOCK + 500, seed=9))


def test_a_smaller_city_is_the_beginning_of_a_larger_one() -> None:
    assert np.array_equal(synthetic_city(700, seed=4), synthetic_city(BLOCK + 1, seed=4)[:700])


def test_a_billion_records_can_be_started_without_their_memory() -> None:
    tracemalloc.start()
    pieces = synthetic_chunks(10**9, seed=0, chunk=BLOCK)
    for _ in range(3):
        assert len(next(pieces)) == BLOCK
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40_000_000


def test_the_peer_city_is_dense_at_its_station_and_thin_in_its_far_corner() -> None:
    points = synthetic_city(400_000, seed=20)
    at_station = np.hypot((points[:, 0] + 73.9935) * 0.7575, points[:, 1] - 40.7505) < 0.003
    in_corner = (points[:, 0] < -74.06) & (points[:, 1] > 40.84)
    assert at_station.mean() == pytest.approx(0.042, abs=0.003)
    assert in_corner.mean() == pytest.approx(0.0006, abs=0.0003), "the uniform background alone"
    assert points.mean(axis=0) == pytest.approx([-73.9734, 40.7551], abs=0.0005)
    assert points.std(axis=0) == pytest.approx([0.0225, 0.0234], abs=0.0005)


def test_the_peer_city_shows_its_avenues() -> None:
    points = synthetic_city(400_000, seed=20) - SOUTH_END
    across = points @ np.linalg.inv(np.array([ALONG, ACROSS]))[:, 1]
    beside = np.abs(across) < 0.4 * WIDTH
    off_avenue = np.abs(across[beside] / AVENUE - np.round(across[beside] / AVENUE))
    assert (off_avenue < 0.1).mean() > 0.4, "if nothing kept to the avenues it would be 0.2"


def test_the_suburbs_are_heavy_tailed() -> None:
    cells = np.sort(counts_of(synthetic_city(400_000, seed=7, kind="suburbs")).to_numpy().ravel())[::-1]
    share = np.cumsum(cells) / cells.sum()
    assert share[9] > 0.07, "ten cells of 65,536, the airports, hold much"
    assert 0.90 < share[9_999] < 0.97, "and the background is spread thin over the rest"
    assert (cells == 0).mean() > 0.3


def test_the_suburbs_lie_elsewhere_for_another_seed_while_core_and_airports_stay() -> None:
    one, other = (counts_of(synthetic_city(300_000, seed=s, kind="suburbs"), side=64).to_numpy() for s in (1, 2))
    assert np.unravel_index(one.argmax(), one.shape) == np.unravel_index(other.argmax(), other.shape)
    outskirts = np.ones((64, 64), dtype=bool)
    outskirts[16:60, 14:50] = False
    assert np.corrcoef(one[outskirts], other[outskirts])[0, 1] < 0.5


def test_a_subsample_keeps_the_frame_and_the_shape_of_its_city() -> None:
    whole = load_counts()
    part = subsample(whole, 100_000, seed=0)
    assert part.exact_total == 100_000
    assert (part.grid, part.relation, part.unit) == (whole.grid, whole.relation, whole.unit)
    expected = whole.to_numpy() * (100_000 / whole.exact_total)
    drawn = part.to_numpy()
    assert not drawn[expected == 0].any()
    common = expected > 5
    assert ((drawn - expected) ** 2 / np.where(common, expected, 1))[common].mean() == pytest.approx(1.0, abs=0.15)
    assert np.array_equal(drawn, subsample(whole, 100_000, seed=0).to_numpy())
    assert not np.array_equal(drawn, subsample(whole, 100_000, seed=1).to_numpy())


def test_nothing_is_drawn_from_an_empty_city() -> None:
    empty = ExactCounts.from_array(Grid(SYNTHETIC_BOX, 4), np.zeros((4, 4), dtype=int))
    with pytest.raises(InputError, match="empty"):
        subsample(empty, 10, seed=0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"n": -1}, "n=-1"),
        ({"n": 10**10}, "1,000,000,000"),
        ({"n": 1.5}, "whole number"),
        ({"seed": -3}, "seed=-3"),
        ({"kind": "moon"}, "'suburbs'"),
        ({"chunk": 0}, "chunk=0"),
    ],
)
def test_what_cannot_be_made_is_refused_at_once(arguments: dict[str, object], says: str) -> None:
    with pytest.raises(InputError, match=says):
        synthetic_chunks(**{"n": 10, "seed": 0, **arguments})  # type: ignore[arg-type]
