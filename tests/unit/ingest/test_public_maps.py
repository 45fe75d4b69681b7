"""Public maps from files: rasters, tables of places, points, lines and polygons; what cannot be read says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.errors import FileError, InputError

BOX = dpviz.GeoBox(11.0, 43.0, 11.2, 43.1)


def geojson(path: Path, *shapes: tuple[str, Any, dict[str, Any]]) -> Path:
    features = [
        {"type": "Feature", "properties": facts, "geometry": {"type": kind, "coordinates": places}}
        for kind, places, facts in shapes
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def halves(found: dpviz.PublicMap) -> tuple[float, float]:
    """What lies in the western and the eastern half."""
    assert found.cells is not None
    return float(found.cells[:, :512].sum()), float(found.cells[:, 512:].sum())


def test_an_array_needs_a_box(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", [[1, 2], [3, 4]])
    found = dpviz.PublicMap.read(tmp_path / "a.npy", box=BOX)
    np.testing.assert_allclose(found.cells, [[0.1, 0.2], [0.3, 0.4]])
    assert found.name == "a.npy" and found.low == (11.0, 43.0)
    with pytest.raises(InputError, match="give the box"):
        dpviz.PublicMap.read(tmp_path / "a.npy")


def test_rasters_say_where_they_lie(tmp_path: Path) -> None:
    head = "ncols 3\nnrows 2\nxllcorner 11\nyllcorner 43\ncellsize 0.05\nNODATA_value -9999\n"
    (tmp_path / "a.asc").write_text(f"{head}1 2 3\n4 -9999 6\n")
    found = dpviz.PublicMap.read(tmp_path / "a.asc", name="people")
    np.testing.assert_allclose(found.cells, np.array([[1, 2, 3], [4, 0, 6]]) / 16)
    assert found.name == "people" and found.high == pytest.approx((11.15, 43.1))


def test_geotiff_in_degrees_is_read_and_another_projection_refused(tmp_path: Path) -> None:
    image_module = pytest.importorskip("PIL.Image")
    from PIL.TiffImagePlugin import ImageFileDirectory_v2

    for name, model in (("degrees.tif", 2), ("metres.tif", 1)):
        tags = ImageFileDirectory_v2()
        for tag, kind, values in (
            (33550, 12, (0.05, 0.05, 0.0)),
            (33922, 12, (0.0, 0.0, 0.0, 11.0, 43.1, 0.0)),
            (34735, 3, (1, 1, 0, 1, 1024, 0, 1, model)),
        ):
            tags.tagtype[tag] = kind
            tags[tag] = values
        tags[42113] = "-99999"
        image_module.fromarray(np.array([[1, 2], [3, -99999]], np.float32)).save(tmp_path / name, tiffinfo=tags)
    found = dpviz.PublicMap.read(tmp_path / "degrees.tif")
    np.testing.assert_allclose(found.cells, np.array([[1, 2], [3, 0]]) / 6)
    assert found.low == pytest.approx((11.0, 43.0)) and found.high == pytest.approx((11.1, 43.1))
    with pytest.raises(InputError, match="not in degrees"):
        dpviz.PublicMap.read(tmp_path / "metres.tif")


def test_a_table_of_places_is_counted(tmp_path: Path) -> None:
    (tmp_path / "shops.csv").write_text("lon,lat\n11.01,43.05\n11.02,43.05\n11.19,43.05\n")
    assert halves(dpviz.PublicMap.read(tmp_path / "shops.csv", box=BOX)) == pytest.approx((2 / 3, 1 / 3))


def test_features_count_by_size_or_by_a_column(tmp_path: Path) -> None:
    west = [[[11.0, 43.0], [11.1, 43.0], [11.1, 43.1], [11.0, 43.1], [11.0, 43.0]]]
    east_and_beyond = [[[11.1, 43.0], [11.4, 43.0], [11.4, 43.1], [11.1, 43.1], [11.1, 43.0]]]
    file = geojson(
        tmp_path / "a.geojson", ("Polygon", west, {"people": 30}), ("Polygon", east_and_beyond, {"people": 30})
    )
    assert halves(dpviz.PublicMap.read(file, box=BOX)) == pytest.approx((0.5, 0.5), abs=0.01)
    told = dpviz.PublicMap.read(file, box=BOX, weight="people")
    assert halves(told) == pytest.approx((0.75, 0.25), abs=0.01)  # a third of the second lies inside the box
    with pytest.raises(InputError, match="no column 'inhabitants'"):
        dpviz.PublicMap.read(file, box=BOX, weight="inhabitants")


def test_lines_points_and_collections(tmp_path: Path) -> None:
    lines = geojson(
        tmp_path / "lines.geojson",
        ("LineString", [[11.0, 43.02], [11.1, 43.02]], {}),
        ("MultiLineString", [[[11.1, 43.05], [11.15, 43.05]], [[11.15, 43.08], [11.2, 43.08]]], {}),
        ("LineString", [[11.1, 43.09], [11.2, 43.09]], {}),
    )
    found = dpviz.PublicMap.read(lines, box=BOX)
    assert halves(found) == pytest.approx((1 / 3, 2 / 3), abs=0.01)
    assert found.cells is not None and (found.cells > 0.0).mean() < 0.01
    points = geojson(
        tmp_path / "points.geojson",
        ("Point", [11.05, 43.05], {"n": 3}),
        ("Point", [11.15, 43.05], {"n": "many"}),
        ("MultiPoint", [[11.15, 43.01], [11.16, 43.01]], {"n": 1}),
    )
    assert halves(dpviz.PublicMap.read(points, box=BOX)) == pytest.approx((0.25, 0.75))
    assert halves(dpviz.PublicMap.read(points, box=BOX, weight="n")) == pytest.approx((0.75, 0.25))


@pytest.mark.parametrize(("name", "content"), [("a.npy", b"no array"), ("a.asc", b"ncols 3\n"), ("a.tif", b"II*")])
def test_what_cannot_be_read_says_what_can(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match="cannot be read as a map"):
        dpviz.PublicMap.read(tmp_path / name, box=BOX)
    with pytest.raises(FileError, match="there is no file"):
        dpviz.PublicMap.read(tmp_path / "absent.tif")
