"""The box and the coordinates of data of one's own: seen on a map, by a name, and read as they are written."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from dpviz.basemap import world
from dpviz.drawing.map_view import width_m
from dpviz.errors import FileError, InputError
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import LEVELS, Budget
from dpviz.ui.map import surroundings
from dpviz.ui.map.view import Box
from dpviz.ui.own_data.registration import LooksConverted, list_known, open_file, own_words
from dpviz.ui.session import regions
from dpviz.ui.session.sources import Source
from dpviz.ui.stage import stage_drawing


def _open(file: Path, name: str, *, crs: str = "", as_it_is: bool = False) -> Source:
    wish = Wish(box="11.20, 43.74, 11.30, 43.81", lon="lon", lat="lat", crs=crs)
    return open_file(str(file), wish, Terms(name=name, total=Budget(epsilon=1.0)), as_it_is=as_it_is)


def _file(folder: Path, swapped: int, right: int) -> Path:
    draws = np.random.default_rng(2)
    x, y = draws.uniform(11.21, 11.29, swapped + right), draws.uniform(43.75, 43.80, swapped + right)
    lines = [f"{b:.5f},{a:.5f}" if at < swapped else f"{a:.5f},{b:.5f}" for at, (a, b) in enumerate(zip(x, y))]  # noqa: B905
    file = folder / "trips.csv"
    file.write_text("lon,lat\n" + "\n".join(lines) + "\n")
    return file


def test_mostly_swapped_rows_are_asked_about_before_anything_is_registered(tmp_path: Path) -> None:
    file = _file(tmp_path, 95, 5)
    with pytest.raises(LooksConverted, match="5 used") as told:
        _open(file, "half")
    assert told.value.values["suggested_crs"] == "swapped" and Ledger().dataset("half") is None
    source = _open(file, "half", crs="swapped")
    assert any("95 used" in fact for fact in source.facts)
    assert list_known()[0].name == "half" and list_known()[0].wish.crs == "swapped"


def test_all_swapped_rows_name_the_same_fix_and_as_it_is_goes_on(tmp_path: Path) -> None:
    file = _file(tmp_path, 50, 0)
    with pytest.raises(FileError, match="no row lies inside the box") as told:
        _open(file, "all")
    assert told.value.values["suggested_crs"] == "swapped"
    as_it_is = _open(_file(tmp_path, 60, 40), "some", as_it_is=True)
    assert any("40 used" in fact for fact in as_it_is.facts)


def test_a_place_is_found_by_its_name_and_its_box_is_drawn_with_names() -> None:
    found = world.search("florenc", most=6)
    assert abs(found.lat[0] - 43.77) < 1
    west, south, east, north = world.box_around(float(found.lon[0]), float(found.lat[0]), across_m=16_000.0)
    seen = Box(west=west, south=south, east=east, north=north)
    assert 15_500 < width_m((west, south, east, north)) < 16_500
    for appearance in ("light", "dark"):
        drawn = ElementTree.fromstring(stage_drawing.paper_of(seen, appearance, 0.6)[0])
        assert len(list(drawn.iter("{http://www.w3.org/2000/svg}text"))) >= 2
    assert not len(world.search("Qqqqxyz")) and not len(world.search(""))


@pytest.mark.parametrize("corners", [(-180, -89, -179, -88.5), (179.5, 65, 180, 66), (-180, -89.9, 180, 89.9)])
def test_boxes_at_the_ends_of_the_world_are_drawn(corners: tuple[float, float, float, float]) -> None:
    west, south, east, north = corners
    ElementTree.fromstring(stage_drawing.paper_of(Box(west=west, south=south, east=east, north=north), "light", 0.6)[0])


def test_names_on_the_map_lie_inside_the_box_the_largest_first_and_the_last_says_whose_the_map_is() -> None:
    box = Box(west=11.147, south=43.707, east=11.346, north=43.851)
    *rows, scale, credit = surroundings.name_rows(box)
    assert scale["scale"] and scale["t"] == surroundings.scale(box).name
    assert 5 < len(rows) <= surroundings.NAMES_AT_MOST and rows[0]["large"] and not rows[-1]["large"]
    for row in rows:
        lon, lat = row["p"]
        assert box.west <= lon <= box.east and box.south <= lat <= box.north
    assert credit["credit"] and credit["t"]


def test_drawn_areas_are_outlines_that_can_be_asked_and_nonsense_from_a_browser_is_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ring = [[11.21, 43.75], [11.25, 43.75], [11.23, 43.79]]
    wrong = [[[1, 2]], "x", [[1, "2"], [3, 4], [5, 6]]]
    told: dict[str, object] = {"areas": [ring, *wrong], "box": [11.2, 43.7, 11.1, 43.8]}
    monkeypatch.setattr(stage_drawing, "_drawn", lambda *_, **__: told)
    box = Box(west=11.2, south=43.74, east=11.3, north=43.81)
    rings = stage_drawing.draw_areas(box, "light", key="a")
    assert rings == (tuple((lon, lat) for lon, lat in ring),)
    (region,) = regions.from_file(stage_drawing.as_geojson(rings).encode(), LEVELS[4])
    assert region.name == "Drawn place 1" and region.outline.polygons[0][0] == rings[0]
    assert stage_drawing.draw_box(box, "light", key="b") is None, "its west lies east of its east"
    told["box"] = [11.21, 43.75, 11.25, 43.79]
    assert stage_drawing.draw_box(box, "light", key="b") == Box(west=11.21, south=43.75, east=11.25, north=43.79)


@pytest.mark.parametrize("crs", ["swapped", "E7", "0-360", "EPSG"])
def test_a_suggestion_is_a_button_on_the_screen_and_nothing_that_one_would_type(crs: str) -> None:
    hints = {
        "swapped": "Most rows would lie inside if swapped: name them otherwise (lon, lat), or read with crs='swapped'.",
        "E7": "Most coordinates look like degrees times ten million: read them with crs='E7'.",
        "0-360": "Most longitudes look as if they went from 0 to 360: read them with crs='0-360'.",
        "EPSG": "Say which with crs (such as crs='EPSG:2263'), or check the columns (--lon, --lat).",
    }
    said = own_words(InputError(hints[crs]))
    assert "crs" not in said and "--" not in said and said.endswith(".")


@pytest.mark.parametrize("name", ["city\u200b", "x" * 300])
def test_a_name_that_the_ledger_refuses_shows_nothing_exact_of_the_file(name: str) -> None:
    from dpviz.ui.choose.dialog_own_data import _seen_through_standin

    assert _seen_through_standin(name) and not _seen_through_standin("city")
