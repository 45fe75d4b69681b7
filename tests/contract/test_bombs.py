"""Small files that unpack to large ones, opened on the analysts' server: refused before they cost anything."""

from __future__ import annotations

import io
import json
import threading
import tracemalloc
import zipfile
from collections.abc import Iterator

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.privacy import LEVELS
from dpviz.questions.answers import Asked
from dpviz.questions.geojson_areas import areas_of_text
from dpviz.ui.compare import areas, release_list, siting
from dpviz.ui.map.view import Box
from dpviz.ui.session.regions import from_file

MEGABYTE = 2**20


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8] = 400
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)
    made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), method="uniform_grid", seed=1)
    return dict(made.files())


def zipped(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return file.getvalue()


BOMBS = {
    "a document of millions of parts": ("release.json", b'{"a":[' + b"{}," * (5 * MEGABYTE) + b"{}]}"),
    "a document of a million brackets": ("release.json", b"[" * (3 * MEGABYTE)),
    "places without end": ("centers.geojson", b'{"features":[' + b'{"a":1},' * (2 * MEGABYTE) + b"{}]}"),
    "a table without end": ("coreset.csv", b"lon,lat,weight\n" + b"0,0,0\n" * (3 * MEGABYTE)),
    "a map of zeros": ("map.html", bytes(100 * MEGABYTE)),
}


@pytest.fixture
def traced() -> Iterator[None]:
    """No page of an earlier test computes meanwhile: Python may crash where tracing ends beside compiled loops."""
    for thread in threading.enumerate():
        if thread.name == "previews":
            thread.join(timeout=60)
    tracemalloc.start()
    yield
    tracemalloc.stop()


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.usefixtures("traced")
def test_a_bomb_is_refused_within_200_megabytes(name: str, files: dict[str, bytes]) -> None:
    target, content = BOMBS[name]
    bomb = zipped({**files, target: content})
    assert len(bomb) < MEGABYTE
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    with pytest.raises(InputError):
        release_list.open_zip(bomb)
    assert tracemalloc.get_traced_memory()[1] - before < 200 * MEGABYTE


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("part", [b"{},", b"[],", b"[[0,0]],", b"0,"])
def test_a_text_of_areas_sites_or_regions_with_very_many_parts_is_refused_before_it_is_read(part: bytes) -> None:
    """32 MB of empty features took 800."""
    text = b'{"type":"FeatureCollection","features":[' + part * (9 * MEGABYTE // len(part) * 3) + b"{}]}"
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    box = Box(west=0, south=0, east=1, north=1)
    for reads in (
        areas_of_text,
        lambda given: siting.from_geojson(given, box),
        lambda given: from_file(given, LEVELS[0]),
    ):
        with pytest.raises(InputError, match="parts"):
            reads(text)
    assert tracemalloc.get_traced_memory()[1] - before < 50 * MEGABYTE


def triangles(many: int, wide: float) -> str:
    corners = [[[-74.04 + at * 1e-6, 40.71], [-74.04 + wide, 40.71], [-74.04, 40.71 + wide]] for at in range(many)]
    listed = [{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [one]}} for one in corners]
    return json.dumps({"type": "FeatureCollection", "features": listed})


def test_areas_that_lie_upon_each_other_are_refused_before_they_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand triangles over a third of the box took 6 seconds of a core and 480 MB, ten thousand ten times that."""
    cells = np.ones((256, 256), np.int64)
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 256), cells)
    made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), method="uniform_grid", seed=1)
    assert made.protected_cells is not None and len(made.protected_cells) > 2000
    assert len(areas.counts_of(made, triangles(20, 0.05), None).table) == 20
    monkeypatch.setattr(Asked, "_spreads", lambda *given: pytest.fail("counted"))
    with pytest.raises(InputError, match="lie upon each other"):
        areas.counts_of(made, triangles(20_000, 0.09), None)


def test_the_same_without_a_bomb_opens(files: dict[str, bytes]) -> None:
    assert release_list.open_zip(zipped(files)).request.k == 2


def test_an_opened_release_touches_no_disk(files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def written(name: object, flags: int, *more: object, **other: object) -> int:
        raise AssertionError(f"{name} was opened")

    content = zipped(files)
    monkeypatch.setattr("os.open", written)
    monkeypatch.setattr("os.mkdir", written)
    assert release_list.open_zip(content).request.k == 2
