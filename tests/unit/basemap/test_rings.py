"""Rings keep their shape through packing, and their area through cutting."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from dpviz.basemap.rings import STEP, Polygon, cut, half, pack, softened, unpack


def area(ring: NDArray[np.float64]) -> float:
    x, y = ring.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(np.roll(x, -1), y)) / 2)


def star(middle: tuple[float, float], radii: list[float]) -> NDArray[np.float64]:
    angles = np.linspace(0, 2 * np.pi, len(radii), endpoint=False)
    return np.array(middle) + np.array(radii)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


stars = st.builds(
    star, st.tuples(st.floats(-179, 179), st.floats(-80, 80)), st.lists(st.floats(0.02, 2.0), min_size=4, max_size=40)
)


@given(st.lists(stars, min_size=0, max_size=5))
def test_what_was_packed_is_unpacked_to_the_step(rings: list[NDArray[np.float64]]) -> None:
    found = unpack(pack([(ring,) for ring in rings]))
    assert len(found) == len(rings)
    for (ring,), before in zip(found, rings, strict=True):
        whole = np.round(before / STEP)
        kept = np.concatenate([[True], (np.diff(whole, axis=0) != 0).any(axis=1)])
        assert np.array_equal(np.round(ring / STEP), whole[kept])


def test_holes_stay_with_their_polygon_and_specks_go() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    speck = np.array([[0.0, 0.0], [0.0001, 0.0], [0.0, 0.0001]])
    polygons: list[Polygon] = [(square, square / 4 + 1), (speck, square), (square + 9,)]
    found = unpack(pack(polygons))
    assert [len(polygon) for polygon in found] == [2, 1]
    assert np.allclose(found[0][1], square / 4 + 1)


def test_a_step_that_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="longer than a block"):
        pack([(np.array([[0.0, 0.0], [80.0, 0.0], [0.0, 80.0]]),)])


@given(stars, st.floats(-179, 179), st.integers(0, 1))
def test_the_two_halves_have_the_area_of_the_whole(ring: NDArray[np.float64], edge: float, axis: int) -> None:
    edge = float(ring[:, axis].mean()) if abs(edge - ring[:, axis].mean()) > 2 else edge
    below, above = (half(ring, axis, edge, above=side) for side in (False, True))
    parts = sum(area(piece) for piece in (below, above) if len(piece) >= 3)
    assert parts == pytest.approx(area(ring), rel=1e-9, abs=1e-9)


@given(stars)
def test_a_cut_lies_in_its_box_and_all_of_it_is_kept_by_a_large_one(ring: NDArray[np.float64]) -> None:
    low, high = ring.min(axis=0), ring.max(axis=0)
    middle = (low + high) / 2
    assert cut((ring,), *low, *high)[0] is ring
    for corner in cut((ring,), *low, *middle):
        assert (corner >= low - 1e-9).all() and (corner <= middle + 1e-9).all()
    assert cut((ring,), high[0] + 1, low[1], high[0] + 2, high[1]) == ()


def test_round_corners_stay_inside_and_pieces_of_a_cut_map_still_meet() -> None:
    ring = np.array([[4.0, 1.0], [5.0, 0.5], [5.0, 3.5], [4.2, 3.0]])
    (soft,) = softened((ring,), (-180.0, -90.0, 180.0, 90.0), 5)
    assert len(soft) == 6
    assert (soft.min(axis=0) >= ring.min(axis=0)).all() and (soft.max(axis=0) <= ring.max(axis=0)).all()
    assert {(5.0, 0.5), (5.0, 3.5)} <= set(map(tuple, soft.tolist())), "corners on the cut"
    (cut_off,) = softened((ring,), (4.0, 0.0, 9.0, 9.0), 50)
    assert (4.0, 1.0) in set(map(tuple, cut_off.tolist())), "and on the border of what is shown"
