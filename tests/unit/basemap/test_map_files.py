"""No map file and no file of records makes GDAL open another file or an address."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from dpviz.basemap import added_maps
from dpviz.basemap.extracts import refuse_pointers, root_of
from dpviz.errors import FileError
from dpviz.ingest import read_counts

BOX = (11.20, 43.74, 11.32, 43.81)
SECRET = """{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"place":"city","name":"secret"},
"geometry":{"type":"Point","coordinates":[11.25,43.77]}}]}"""
VRT = '<OGRVRTDataSource><OGRVRTLayer name="secret"><SrcDataSource>{}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>'
PIPELINE = '{{"type":"gdal_streamed_alg","command_line":"gdal vector pipeline ! read {}"}}'
KML = '<?xml version="1.0"?><!-- <kml xmlns="http://www.opengis.net/kml/2.2"> -->'


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "secret.geojson"
    file.write_text(SECRET)
    return file


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("map.geojson", VRT),
        ("map.pmtiles", "PMTiles\n" + VRT),
        ("map.geojson", '{{"a": 1,\n' + VRT),
        ("map.geojson", PIPELINE),
        ("map.kml", KML + VRT),
        ("map.gpkg", "<OGRWFSDataSource><URL>http://127.0.0.1:9/</URL></OGRWFSDataSource>"),
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_a_pointer_in_disguise_opens_nothing(name: str, text: str, packed: bool, secret: Path, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text.format(secret))
    if packed:
        inner, file = file, tmp_path / "map.zip"
        with zipfile.ZipFile(file, "w") as archive:
            archive.write(inner, "doc.kml")
            archive.write(inner, "map.shp")
    with pytest.raises(FileError, match="points to other files"):
        added_maps.add(file, BOX, folder=tmp_path / "maps")
    assert not (tmp_path / "maps").exists()
    for source in (file, file.read_bytes()):
        with pytest.raises(FileError):
            read_counts(source, box=BOX, side=16, protect="record")


def test_the_other_file_is_a_map_where_it_is_given_itself(secret: Path, tmp_path: Path) -> None:
    added_maps.add(secret, BOX, folder=tmp_path / "maps")
    known = added_maps.best(BOX, tmp_path / "maps")
    assert known is not None and known.places.names == ("secret",)


def test_a_name_that_the_library_takes_for_two_is_refused(secret: Path, tmp_path: Path) -> None:
    for name in ("other!secret.geojson", "other;secret.geojson"):
        hidden = tmp_path / name
        hidden.write_text(SECRET)
        with pytest.raises(FileError, match="rename it"):
            added_maps.add(hidden, BOX, folder=tmp_path / "maps")


def test_random_bytes_are_no_pointers_and_roots_are_found_behind_comments(tmp_path: Path) -> None:
    tile = tmp_path / "a.pmtiles"
    tile.write_bytes(b"PMTiles\x03\x7f\x00" + b"<ogr" * 9)
    refuse_pointers(tile, "a.pmtiles")
    assert root_of(b'<?xml version="1.0"?>\n<!-- <a> --><!DOCTYPE k [<!ENTITY x "<b>">]><k:kml a="1">') == b"k:kml"
    assert root_of(b"no element") == b""


def test_names_and_credits_with_signs_for_the_terminal_are_one_plain_line(secret: Path, tmp_path: Path) -> None:
    added = added_maps.add(
        secret, BOX, folder=tmp_path / "maps", name="\x1b[31mred\nline", credit="A\x1b[0m\u202e\nB" * 99
    )
    assert added.name == "[31mred line" and added.credit.isprintable() and len(added.credit) <= 200
    broken = tmp_path / "\x1b[31mred.geojson"
    broken.write_text("no map")
    with pytest.raises(FileError) as refused:
        added_maps.add(broken, BOX, folder=tmp_path / "maps")
    assert refused.value.message.isprintable()
