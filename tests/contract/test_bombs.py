"""Small files that unpack to large ones, opened on the analysts' server: refused before they cost anything."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Iterator

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.ui.compare import shelf

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
        shelf.opened(bomb)
    assert tracemalloc.get_traced_memory()[1] - before < 200 * MEGABYTE


def test_the_same_without_a_bomb_opens(files: dict[str, bytes]) -> None:
    assert shelf.opened(zipped(files)).request.k == 2


def test_an_opened_release_touches_no_disk(files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    def written(name: object, flags: int, *more: object, **other: object) -> int:
        raise AssertionError(f"{name} was opened")

    content = zipped(files)
    monkeypatch.setattr("os.open", written)
    monkeypatch.setattr("os.mkdir", written)
    assert shelf.opened(content).request.k == 2
