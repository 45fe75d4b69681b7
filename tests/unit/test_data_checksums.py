"""The committed data are the ones that data/DATA.md describes, and the basemap asks nobody for anything."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from dpviz.drawing.looks import LOOKS

ROOT = Path(__file__).resolve().parents[2]
STYLES = ("static/style.json", "static/style-dark.json")
WORLD = ("data/world-land.zip", "data/world-water.zip", "data/places.npz", "data/other-names.zip")
DATA = ("data/nyc-taxi.npz", "data/nyc-trips.parquet", "data/basemap.json", *WORLD, *STYLES)


def described() -> dict[str, str]:
    text = (ROOT / "data" / "DATA.md").read_text(encoding="utf-8")
    return {path: digest for digest, path in re.findall(r"^([0-9a-f]{64})  (\S+)$", text, flags=re.MULTILINE)}


def test_every_data_file_is_described_with_its_checksum() -> None:
    assert set(described()) == set(DATA)


@pytest.mark.parametrize("path", DATA)
def test_a_data_file_is_the_one_that_was_described(path: str) -> None:
    assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == described()[path]


def test_every_licence_named_is_there_and_every_one_there_is_named() -> None:
    text = (ROOT / "data" / "DATA.md").read_text(encoding="utf-8")
    named = set(re.findall(r"LICENSES/([\w.-]+\.txt)", text))
    assert named and named == {path.name for path in (ROOT / "data" / "LICENSES").iterdir()}


def test_the_basemap_is_small() -> None:
    names = (ROOT / "data" / "basemap.json").stat().st_size
    for style in STYLES:
        assert names + (ROOT / style).stat().st_size < 400_000


def test_the_world_is_small() -> None:
    names = (ROOT / "data" / "other-names.zip").stat().st_size  # what towns are called in other languages
    assert names < 1_200_000
    assert sum((ROOT / path).stat().st_size for path in WORLD) - names < 6_500_000


@pytest.mark.parametrize("style", STYLES)
def test_a_style_asks_for_nothing_from_anywhere(style: str) -> None:
    text = (ROOT / style).read_text(encoding="utf-8")
    loaded = json.loads(text)
    assert "http" not in text and "//" not in text
    assert not {"glyphs", "sprite"} & set(loaded)
    for source in loaded["sources"].values():
        assert source["type"] == "geojson" and isinstance(source["data"], dict)


def ids(style: dict[str, Any]) -> list[str]:
    return [layer["id"] for layer in style["layers"]]


def test_light_and_dark_draw_the_same_map_in_other_colours() -> None:
    light, dark = (json.loads((ROOT / style).read_text(encoding="utf-8")) for style in STYLES)
    assert light["sources"] == dark["sources"]
    assert ids(light) == ids(dark)
    assert light["layers"][0]["paint"]["background-color"] == LOOKS["light"].land
    assert next(one for one in light["layers"] if one["id"] == "water")["paint"]["fill-color"] == LOOKS["light"].water
    assert json.dumps(light["layers"]) != json.dumps(dark["layers"])


def test_styles_hold_shapes_of_places_and_no_records() -> None:
    features = json.loads((ROOT / STYLES[0]).read_text(encoding="utf-8"))["sources"]["city"]["data"]["features"]
    assert {one["properties"]["kind"] for one in features} == {"water", "park", "cemetery", "airport", "line"}
    assert {one["geometry"]["type"] for one in features} == {"MultiPolygon", "MultiLineString"}
