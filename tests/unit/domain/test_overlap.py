from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from dpviz.domain.overlap import MOST_BUCKETS, Rectangles, crossing_ring, cut_by_boxes, of_pairs, packed, signed_areas
from dpviz.errors import InputError
from tests.oracles.overlap import TWINS, clipped_area

BOX = (0.0, 0.0, 1.0, 1.0)


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    low = np.indices((side, side)).reshape(2, -1).T / side
    return low, low + 1.0 / side


def star(seed: int) -> np.ndarray:
    """A simple polygon around a point, perhaps partly outside the box."""
    draw = np.random.default_rng(seed)
    corners = int(draw.integers(3, 14))
    turns = (np.arange(corners) + draw.random(corners) * 0.9) * (2 * np.pi / corners)
    lengths = draw.uniform(0.05, 0.6, corners)
    return draw.random(2) + np.column_stack([np.cos(turns), np.sin(turns)]) * lengths[:, None]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), side=st.sampled_from([1, 3, 8]), turned=st.booleans())
def test_every_share_is_the_area_of_the_clipped_polygon(seed: int, side: int, turned: bool) -> None:
    ring = star(seed)[::-1] if turned else star(seed)
    low, high = grid(side)
    met = Rectangles.of(low, high, BOX).met_by([[(ring, 1.0)]])
    found = np.zeros(side * side)
    found[met.cell] = met.share
    wanted = [abs(clipped_area(ring, low[i], high[i])) * side**2 for i in range(side * side)]
    assert np.allclose(found, wanted, atol=2e-9)


def test_zones_that_are_rectangles_meet_the_same_cells_in_the_same_shares() -> None:
    draw = np.random.default_rng(3)
    ends = np.sort(draw.random((40, 2, 2)), axis=1)
    cells = grid(7)
    rings = [np.array([[w, s], [e, s], [e, n], [w, n]]) for (w, s), (e, n) in ends]
    general = Rectangles.of(*cells, BOX).met_by([[(ring, 1.0)] for ring in rings])
    cut = cut_by_boxes(ends[:, 0], ends[:, 1], *cells)
    zone, cell = (pairs.ravel() for pairs in np.indices((40, 49)))
    all_pairs = of_pairs(ends[:, 0], ends[:, 1], *cells, zone, cell)
    for values in (lambda met: met.share, lambda met: met.middle[:, 0], lambda met: met.middle[:, 1]):
        tables = [np.zeros((40, 49)) for _ in range(3)]
        for table, met in zip(tables, (general, cut, all_pairs), strict=True):
            table[met.zone, met.cell] = values(met) * met.share
        assert np.allclose(tables[0], tables[2], atol=1e-9)
        left_out = tables[1] == 0.0
        assert np.array_equal(tables[1][~left_out], tables[2][~left_out])
    shares = np.zeros((40, 49))
    shares[all_pairs.zone, all_pairs.cell] = all_pairs.share
    shares[cut.zone, cut.cell] -= cut.share
    assert set(np.unique(shares)) == {0.0, 1.0}, "what is left out lies wholly in its zone"
    assert (np.diff(cut.zone) >= 0).all()


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    zones=st.sampled_from([1, 2, 30]),
    cells=st.sampled_from([0, 1, 200]),
    side=st.sampled_from([1, 5, 64]),
    aligned=st.booleans(),
)
def test_rectangles_sorted_into_buckets_cut_what_all_pairs_cut(
    seed: int, zones: int, cells: int, side: int, aligned: bool
) -> None:
    draw = np.random.default_rng(seed)
    steps = 16.0 if aligned else 2.0**40
    ends = np.sort(np.round(draw.random((zones, 2, 2)) * steps), axis=1) / steps
    low = np.round(draw.uniform(-0.2, 1.0, (cells, 2)) * steps) / steps
    high = low + np.ceil(draw.random((cells, 2)) ** 4 * steps) / steps
    boxes = [*np.ascontiguousarray(ends.swapaxes(0, 1)), low, high]  # as cut_by_boxes hands them over
    kernel, plain = TWINS["cut_by_boxes"]
    for found, wanted in zip(kernel(*boxes, side), plain(*boxes, side), strict=True):
        assert np.array_equal(found, wanted)


def test_rectangles_that_lie_upon_each_other_take_few_buckets_and_are_cut_the_same() -> None:
    """Cells of trips, seen from one end: many, all large, each above every other."""
    rng = np.random.default_rng(3)
    low = rng.uniform(0.0, 0.5, (4_000, 2))
    high = low + rng.uniform(0.3, 0.5, (4_000, 2))
    stacked = Rectangles.of(low, high, (0.0, 0.0, 1.0, 1.0))
    assert len(stacked.bucket_cells) <= MOST_BUCKETS * len(low)
    ring = np.array([[0.2, 0.2], [0.6, 0.2], [0.6, 0.7], [0.2, 0.7]])
    met = stacked.met_by([[(ring, 1.0)]])
    sides = np.minimum(high, ring[2]) - np.maximum(low, ring[0])
    areas = np.where((sides > 0.0).all(axis=1), sides.prod(axis=1), 0.0)
    shares = np.zeros(len(low))
    shares[met.cell] = met.share
    np.testing.assert_allclose(shares, areas / (high - low).prod(axis=1), atol=2e-9)


def test_a_hole_takes_off_and_a_second_part_adds() -> None:
    outer = np.array([[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]])
    hole = np.array([[0.3, 0.3], [0.5, 0.3], [0.5, 0.5], [0.3, 0.5]])
    low, high = grid(4)
    met = Rectangles.of(low, high, BOX).met_by([[(outer, 1.0), (hole, -1.0)]])
    assert met.share.sum() / 16 == pytest.approx(0.64 - 0.04)
    assert signed_areas([[(outer, 1.0), (hole, -1.0)]])[0] == pytest.approx(0.6)


def test_the_middle_of_an_overlap_is_where_it_lies() -> None:
    east_half = np.array([[0.5, -1.0], [2.0, -1.0], [2.0, 2.0], [0.5, 2.0]])
    low, high = grid(1)
    met = Rectangles.of(low, high, BOX).met_by([[(east_half, 1.0)]])
    assert met.share == pytest.approx([0.5])
    assert met.middle[0] == pytest.approx([0.5, 0.0])


def test_zones_of_a_tiling_share_out_every_cell() -> None:
    low, high = grid(8)
    edges = np.linspace(0.0, 1.0, 6)
    zones = [
        [(np.array([[x, y], [x + 0.2, y], [x + 0.2, y + 0.2], [x, y + 0.2]]), 1.0)]
        for x in edges[:-1]
        for y in edges[:-1]
    ]
    met = Rectangles.of(low, high, BOX).met_by(zones)
    assert np.allclose(np.bincount(met.cell, weights=met.share, minlength=64), 1.0)
    assert (np.diff(met.starts(25)) > 0).all()


def test_long_outlines_are_cut_before_they_are_clipped_and_give_the_same() -> None:
    turns = np.linspace(0.0, 2 * np.pi, 20_000, endpoint=False)
    ring = 0.5 + np.column_stack([np.cos(turns), np.sin(turns)]) * (0.4 + 0.02 * np.sin(300 * turns))[:, None]
    low, high = grid(16)
    met = Rectangles.of(low, high, BOX).met_by([[(ring, 1.0)]])
    assert met.share.sum() / 256 == pytest.approx(signed_areas([[(ring, 1.0)]])[0], rel=1e-9)


def test_a_bow_tie_is_found_and_touching_edges_are_not() -> None:
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    bow = np.array([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
    pinched = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.5], [1.0, 1.0], [0.0, 1.0], [0.5, 0.5]])
    assert crossing_ring([[(square, 1.0)], [(bow, 1.0)]]) == 1
    assert crossing_ring([[(square, 1.0)], [(pinched, 1.0)]]) is None


def comb(teeth: int, turn: float = 0.0) -> NDArray[np.float64]:
    """A ring of long teeth, which every sweep across them meets all at once."""
    x = np.repeat(np.linspace(0.1, 0.9, teeth), 2)
    x[1::2] += 0.02 / teeth
    y = np.repeat(np.where(np.arange(teeth) % 2, 0.9, 0.2), 2)
    ring = np.concatenate([np.column_stack([x, y]), [[0.95, 0.1], [0.05, 0.1]]])
    return (ring - 0.5) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) * 0.6 + 0.5


@pytest.mark.parametrize("turn", [0.0, np.pi / 2.0])
def test_an_outline_of_long_teeth_is_answered_whichever_way_it_lies(turn: float) -> None:
    ring = comb(30_000, turn)
    low, high = grid(16)
    assert crossing_ring([[(ring, 1.0)]]) is None
    met = Rectangles.of(low, high, BOX).met_by([[(ring, 1.0)]])
    assert met.share.sum() / 256 == pytest.approx(signed_areas([[(ring, 1.0)]])[0], rel=1e-6)


def test_an_outline_that_would_take_minutes_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from dpviz.domain import _kernels

    monkeypatch.setattr(_kernels, "first_crossing", lambda *_: -2)  # what a search gives up with
    with pytest.raises(InputError, match="simplify them"):
        crossing_ring([[(comb(10, 0.8), 1.0)]])


def test_kernels_agree_with_their_twins() -> None:
    corners, ring_start, _, _ = packed([[(star(seed), 1.0)] for seed in range(5)])
    kernel, twin = TWINS["ring_areas"]
    assert np.allclose(kernel(corners[0], corners[1], ring_start), twin(corners[0], corners[1], ring_start))
