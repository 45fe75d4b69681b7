"""The frame of boxes that no embedded map covers."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from dpviz.domain.box import METRES_PER_DEGREE
from dpviz.ui.map import layers, surroundings
from dpviz.ui.map.view import Box, MapView
from dpviz.ui.page_parts.theme import DARK, LIGHT, Theme

BERLIN = Box(west=13.05, south=52.3, east=13.8, north=52.7)
CITY = Box(west=-74.05, south=40.70, east=-73.90, north=40.80)
BOXES = [
    BERLIN,
    Box(west=-0.001, south=-0.001, east=0.001, north=0.001),
    Box(west=-180.0, south=-60.0, east=180.0, north=85.0),
    Box(west=151.1, south=-34.0, east=151.3, north=-33.8),
]


@pytest.mark.parametrize("box", BOXES)
def test_lines_are_round_few_and_inside_the_box(box: Box) -> None:
    for lines, low, high, at in (
        (surroundings.meridians(box), box.west, box.east, 0),
        (surroundings.parallels(box), box.south, box.north, 1),
    ):
        places = [line.start[at] for line in lines]
        assert 3 <= len(places) <= 13 and all(low < place < high for place in places)
        step = surroundings.round_step(high - low, surroundings.LINES)
        assert all(abs(place / step - round(place / step)) < 1e-6 for place in places)


@pytest.mark.parametrize("box", BOXES)
def test_the_bar_is_as_long_as_it_says_and_lies_inside(box: Box) -> None:
    bar = surroundings.scale(box)
    metres = (bar.end[0] - bar.start[0]) * METRES_PER_DEGREE * math.cos(math.radians(bar.start[1]))
    number, unit = bar.name.split()
    assert float(number) * {"m": 1, "km": 1000}[unit] == pytest.approx(metres) and float(number) == int(number)
    assert box.west < bar.start[0] < bar.end[0] < box.east and box.south < bar.start[1] < box.north
    assert metres == pytest.approx(surroundings.round_step(metres * (1 + 1e-6), 1))


def test_degrees_are_told_with_their_side() -> None:
    south = surroundings.parallels(BOXES[3])[0].name
    assert south.endswith("° S") and not south.startswith("-")
    assert "0°" in [line.name for line in surroundings.meridians(BOXES[2])]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_only_boxes_without_a_map_get_the_frame(theme: Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, city = ({layer.id for layer in layers.base(MapView(box=box, place="x"), theme)} for box in (BERLIN, CITY))
    assert "graticule" not in drawn and {"scale", "city-names"} <= drawn
    assert "graticule-names" not in drawn, "how long the bar is stands among the names of places"
    assert "graticule" not in city and "scale" not in city
    known = surroundings.city_of(BERLIN)
    assert known is not None
    monkeypatch.setattr(surroundings, "city_of", lambda box: replace(known, areas={}, lines={}))
    bare = {layer.id for layer in layers.base(MapView(box=BERLIN, place="x"), theme)}
    assert bare == {"box", "graticule", "scale", "graticule-names", "city-names"}
