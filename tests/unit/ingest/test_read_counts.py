"""Every kind of source gives the same counts, and the counts are those of the grid's own arithmetic."""

from __future__ import annotations

import bz2
import copy
import gzip
import http.server
import io
import json
import lzma
import pickle
import struct
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import AmbiguousColumns, ExactDataLeak, FileError, InputError, NothingInBox
from dpviz.ingest import builtin, load_saved_counts, read_counts, save_counts

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
SIDE = 64


@pytest.fixture(scope="module")
def trips() -> pd.DataFrame:
    rng = np.random.default_rng(7)
    lon = rng.uniform(-74.06, -73.89, 3000)
    lat = rng.uniform(40.69, 40.81, 3000)
    lon[:40] = BOX.west + (BOX.east - BOX.west) * np.arange(40) / 32  # on the edges of cells, and of the box
    lat[20:60] = BOX.south + (BOX.north - BOX.south) * np.arange(40) / 32
    lon[100:110] = np.nan
    lat[105:120] = np.inf
    return pd.DataFrame({"trip_id": np.arange(3000), "start_lng": lon, "start_lat": lat, "fare": rng.gamma(2, 6, 3000)})


@pytest.fixture(scope="module")
def expected(trips: pd.DataFrame) -> np.ndarray[Any, Any]:
    found = Grid(BOX, SIDE).cells(trips["start_lng"].to_numpy(), trips["start_lat"].to_numpy())
    return np.bincount(found[found >= 0], minlength=SIDE * SIDE).reshape(SIDE, SIDE)


def as_csv(trips: pd.DataFrame, **options: Any) -> bytes:
    return str(trips.to_csv(index=False, **options)).encode()


def as_parquet(trips: pd.DataFrame, **options: Any) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pandas(trips), buffer, **options)
    return buffer.getvalue()


def zstd(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(content)
    return bytes(sink.getvalue())


def features(trips: pd.DataFrame) -> list[dict[str, Any]]:
    finite = trips[np.isfinite(trips["start_lng"]) & np.isfinite(trips["start_lat"])]
    return [
        {"type": "Feature", "properties": {"id": i}, "geometry": {"type": "Point", "coordinates": [x, y, 12.5]}}
        for i, x, y in zip(finite.index, finite["start_lng"], finite["start_lat"], strict=True)
    ]


def as_gpx(trips: pd.DataFrame) -> bytes:
    points = "".join(
        f'<trkpt lat="{y!r}" lon="{x!r}"><ele>3</ele></trkpt>'
        for x, y in zip(trips["start_lng"], trips["start_lat"], strict=True)
    )
    space = "http://www.topografix.com/GPX/1/1"
    return f'<?xml version="1.0"?><gpx xmlns="{space}"><trk><trkseg>{points}</trkseg></trk></gpx>'.encode()


def as_geoparquet(trips: pd.DataFrame) -> bytes:
    points = [
        struct.pack("<BIdd", 1, 1, x, y) if i % 3 else struct.pack(">BIIdd", 0, 0x20000001, 4326, x, y)
        for i, (x, y) in enumerate(zip(trips["start_lng"], trips["start_lat"], strict=True))
    ]
    table = pa.table({"geometry": pa.array([*points, None, b"", struct.pack("<BII", 1, 2, 0)], pa.binary())})
    geo = {"version": "1.0.0", "primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB"}}}
    buffer = io.BytesIO()
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), buffer)
    return buffer.getvalue()


def as_structs(trips: pd.DataFrame) -> bytes:
    geo = {"primary_column": "point", "columns": {"point": {"encoding": "point"}}}
    points = pa.StructArray.from_arrays([pa.array(trips["start_lng"]), pa.array(trips["start_lat"])], ["x", "y"])
    buffer = io.BytesIO()
    pq.write_table(pa.table({"point": points}).replace_schema_metadata({"geo": json.dumps(geo)}), buffer)
    return buffer.getvalue()


KINDS: dict[str, Callable[[pd.DataFrame], bytes]] = {
    "csv": as_csv,
    "csv with CR LF": lambda trips: as_csv(trips, lineterminator="\r\n"),
    "csv with CR": lambda trips: as_csv(trips, lineterminator="\r"),
    "csv without a last line end": lambda trips: as_csv(trips)[:-1],
    "csv, all quoted": lambda trips: as_csv(trips, quoting=1),
    "csv with a mark of byte order": lambda trips: b"\xef\xbb\xbf" + as_csv(trips),
    "semicolons and decimal commas": lambda trips: as_csv(trips, sep=";", decimal=","),
    "quoted decimal commas": lambda trips: as_csv(trips, decimal=",", quoting=1),
    "tabs": lambda trips: as_csv(trips, sep="\t"),
    "bars": lambda trips: as_csv(trips, sep="|"),
    "Excel's sep line": lambda trips: b"sep=;\r\n" + as_csv(trips, sep=";"),
    "csv.gz": lambda trips: gzip.compress(as_csv(trips)),
    "csv.gz in two members": lambda trips: gzip.compress(as_csv(trips)[:5000]) + gzip.compress(as_csv(trips)[5000:]),
    "csv.zst": lambda trips: zstd(as_csv(trips)),
    "csv.bz2": lambda trips: bz2.compress(as_csv(trips)),
    "csv.xz": lambda trips: lzma.compress(as_csv(trips)),
    "parquet": as_parquet,
    "parquet.gz": lambda trips: gzip.compress(as_parquet(trips)),
    "parquet in small row groups": lambda trips: as_parquet(trips, row_group_size=111),
    "parquet of texts": lambda trips: as_parquet(trips.astype({"start_lng": str, "start_lat": str})),
    "parquet of categories": lambda trips: as_parquet(trips.astype(str).astype("category")),
    "geoparquet, well-known binary": as_geoparquet,
    "geoparquet, structs": as_structs,
    "geojson": lambda trips: json.dumps({"type": "FeatureCollection", "features": features(trips)}).encode(),
    "geojson, type last": lambda trips: json.dumps({"features": features(trips), "type": "FeatureCollection"}).encode(),
    "geojson, indented": lambda trips: json.dumps(
        {"type": "FeatureCollection", "features": features(trips)}, indent=1
    ).encode(),
    "geojson lines": lambda trips: "\n".join(map(json.dumps, features(trips))).encode(),
    "geojson.gz": lambda trips: gzip.compress("\n".join(map(json.dumps, features(trips))).encode()),
    "multipoint": lambda trips: json.dumps(
        {"type": "MultiPoint", "coordinates": [each["geometry"]["coordinates"] for each in features(trips)]}
    ).encode(),
    "gpx": as_gpx,
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_same_counts_whatever_its_name(
    kind: str, trips: pd.DataFrame, expected: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    content = KINDS[kind](trips)
    lying = tmp_path / "straße 東京 [1].txt"
    lying.write_bytes(content)
    for source in (lying, str(lying), content, io.BytesIO(content)):
        assert (read_counts(source, box=BOX, side=SIDE).to_numpy() == expected).all()


MEMORY: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda trips: trips,
    "pandas with a strange index": lambda trips: trips.set_index("fare"),
    "pandas, Arrow types": lambda trips: trips.convert_dtypes(dtype_backend="pyarrow"),
    "pandas, objects": lambda trips: trips.astype(object),
    "pandas, texts": lambda trips: trips.astype(str),
    "polars": pl.from_pandas,
    "polars, lazy": lambda trips: pl.from_pandas(trips).lazy(),
    "arrow": pa.Table.from_pandas,
    "array": lambda trips: trips[["start_lng", "start_lat"]].to_numpy(),
    "array, other order in memory": lambda trips: np.asfortranarray(trips[["start_lng", "start_lat"]].to_numpy()),
    "list of pairs": lambda trips: trips[["start_lng", "start_lat"]].to_numpy().tolist(),
}


@pytest.mark.parametrize("kind", MEMORY)
def test_every_table_in_memory_gives_the_same_counts(
    kind: str, trips: pd.DataFrame, expected: np.ndarray[Any, Any]
) -> None:
    assert (read_counts(MEMORY[kind](trips), box=BOX, side=SIDE).to_numpy() == expected).all()


def test_single_precision_is_widened_before_it_is_binned(trips: pd.DataFrame, tmp_path: Path) -> None:
    narrow = trips[["start_lng", "start_lat"]].astype(np.float32)
    found = Grid(BOX, SIDE).cells(*(narrow[name].to_numpy().astype(np.float64) for name in narrow))
    wanted = np.bincount(found[found >= 0], minlength=SIDE * SIDE).reshape(SIDE, SIDE)
    narrow.to_parquet(tmp_path / "a.parquet")
    for source in (narrow, narrow.to_numpy(), tmp_path / "a.parquet"):
        assert (read_counts(source, box=BOX, side=SIDE).to_numpy() == wanted).all()


def test_a_folder_a_glob_and_a_list_are_the_sum_of_their_files(
    trips: pd.DataFrame, expected: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    parts = [trips[:1000], trips[1000:1500], trips[1500:]]
    (tmp_path / "year=2015" / "month=1").mkdir(parents=True)
    parts[0].to_parquet(tmp_path / "year=2015" / "month=1" / "part-0.parquet")
    (tmp_path / "b.csv").write_bytes(as_csv(parts[1][["start_lat", "fare", "start_lng"]]))  # another order of columns
    (tmp_path / "c.csv.gz").write_bytes(gzip.compress(as_csv(parts[2])))
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / "README.md").write_text("not records")
    (tmp_path / ".hidden.csv").write_text("lon,lat\n")
    listed = [tmp_path / "year=2015", tmp_path / "b.csv", tmp_path / "c.csv.gz"]
    for source in (tmp_path, listed, str(tmp_path / "**" / "*[vt]*"), [*listed[:1], str(tmp_path / "*.csv*")]):
        assert (read_counts(source, box=BOX, side=SIDE).to_numpy() == expected).all()


def test_a_file_address_is_read_like_a_path(
    trips: pd.DataFrame, expected: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    (tmp_path / "a.csv").write_bytes(as_csv(trips))
    (tmp_path / "b.parquet").write_bytes(as_parquet(trips))
    for name in ("a.csv", "b.parquet"):
        assert (read_counts((tmp_path / name).as_uri(), box=BOX, side=SIDE).to_numpy() == expected).all()


def test_west_and_south_edges_are_inside_and_row_0_is_north() -> None:
    corners = np.array([[-74.05, 40.70], [-73.90, 40.75], [-74.0, 40.80], [np.nextafter(-73.90, -99), 40.70]])
    counts = read_counts(corners, box=BOX, side=2).to_numpy()
    assert counts.tolist() == [[0, 0], [1, 1]]


@pytest.mark.parametrize("box", [BOX, (-74.05, 40.70, -73.90, 40.80), "-74.05,40.70,-73.90,40.80", "nyc-taxi"])
def test_a_box_may_be_written_in_four_ways(box: Any) -> None:
    assert read_counts(np.array([[-74.0, 40.75]]), box=box, side=1).grid.box == BOX


def test_a_city_has_a_box_whatever_the_case_of_its_name() -> None:
    points = np.array([[2.35, 48.86]])
    assert read_counts(points, box="paris", side=1).grid == read_counts(points, box="Paris", side=1).grid


def test_under_replace_every_row_of_the_file_counts_and_under_add_remove_none_is_public() -> None:
    text = b"id,lon,lat\n1,-74,40.75\n2,x,y\n\n3\n4,0,0\n5,nan,40.75\n"
    counts = read_counts(text, box=BOX, side=4, relation="replace")
    assert (counts.public_rows, counts.exact_total, counts.exact_nowhere) == (5, 1, 4)
    assert read_counts(text, box=BOX, side=4).public_rows is None


def test_columns_may_be_named_by_place() -> None:
    named = b"id,lat,lon\n1,40.75,-74\n2,40.75,-74\n"
    assert read_counts(named, box=BOX, side=1, lon=2, lat=1).exact_total == 2
    rows = named.split(b"\n", 1)[1]
    for places in ({"lon": 2, "lat": 1}, {"lon": "column_3", "lat": "column_2"}):
        with pytest.raises(AmbiguousColumns, match="header=False"):
            read_counts(rows, box=BOX, side=1, lon="column_3", lat="column_2")
        stated: dict[str, Any] = {"header": False, "separator": ",", "decimal": ".", **places}
        assert read_counts(rows, box=BOX, side=1, **stated).exact_total == 2
    with pytest.raises(AmbiguousColumns, match="header=True"):
        read_counts(rows, box=BOX, side=1, lon=2, lat=1)


def test_rows_without_names_are_read_as_stated_and_never_by_their_first_row() -> None:
    points = "".join(f"{-74 + i / 10000:.4f},40.75\n" for i in range(201))
    swapped = points.replace("-74.0000,40.75\n", '"-74,0";"40,75"\n', 1)  # the first row by another program
    columns: dict[str, Any] = {"box": BOX, "side": 4, "lon": "column_1", "lat": "column_2", "strict": True}
    for text in (points, swapped):
        with pytest.raises(AmbiguousColumns, match="has no line of column names") as refused:
            read_counts(text.encode(), **columns)
        assert "-74" not in refused.value.message and "40" not in refused.value.message
    stated = {"header": False, "separator": ",", "decimal": "."}
    one, other = (read_counts(text.encode(), **columns, **stated).to_numpy() for text in (points, swapped))
    assert one.sum() == 201 and np.abs(one - other).sum() <= 1


def test_the_line_of_names_is_one_line_whatever_follows() -> None:
    for rows in (b"-74,40.75,1\n" * 5, b'-74,40.75,"1"\n' * 5):
        with pytest.raises(FileError, match="quote in the first line"):
            read_counts(b'lon,lat,"size\n' + rows, box=BOX, side=1)
        assert read_counts(b'lon,lat,size 5"\n' + rows, box=BOX, side=1).exact_total == 5


@pytest.mark.parametrize(
    ("stated", "says"),
    [
        ({"header": False}, "separator"),
        ({"header": False, "separator": ";"}, "decimal"),
        ({"separator": "ab"}, "one character"),
        ({"separator": "5"}, "one character"),
        ({"separator": '"'}, "one character"),
        ({"decimal": "x"}, "decimal="),
        ({"header": "no"}, "header="),
    ],
)
def test_what_is_stated_about_text_is_checked_before_a_file_is_opened(stated: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        read_counts("no such file.csv", box=BOX, **stated)


def test_other_kinds_of_file_take_no_statement_about_text(tmp_path: Path) -> None:
    pq.write_table(pa.table({"lon": [-74.0], "lat": [40.75]}), tmp_path / "trips.parquet")
    with pytest.raises(InputError, match="no separated text"):
        read_counts(tmp_path / "trips.parquet", box=BOX, separator=";")


def test_a_point_alone_is_the_decimal_sign_where_that_was_stated() -> None:
    text = b'lon;lat\n-74,0;"40,75"\n-74.0;40.75\n'
    assert read_counts(text, box=BOX, side=1).exact_total == 2
    assert read_counts(text, box=BOX, side=1, decimal="point").exact_total == 1


def test_the_report_tells_the_curator_what_was_of_no_use() -> None:
    report = read_counts(b"lon,lat\n-74,40.75\nx,1\n0,0\n", box=BOX, side=1).report
    assert (report.exact_rows, report.exact_inside, report.exact_unusable, report.exact_outside) == (3, 1, 1, 1)
    assert report.columns == ("lon", "lat") and report.kinds == ("csv",) and report.files == 1


HINTS = {
    "swapped": (b"lon,lat\n40.75,-74\n40.76,-74\n-74,40.75\n", "swapped"),
    "metres": (b"x,y\n583960,4507523\n583961,4507523\n-74,40.75\n", "metres"),
    "elsewhere": (b"lon,lat\n2,48\n2,49\n-74,40.75\n", "right box"),
    "no numbers": (b"lon,lat\na,b\nc,d\n-74,40.75\n", "no numbers"),
}


@pytest.mark.parametrize("case", HINTS)
def test_mistakes_are_noticed_and_said_without_a_number(case: str) -> None:
    text, word = HINTS[case]
    report = read_counts(text, box=BOX, side=1).report
    assert any(word in hint for hint in report.hints)
    told = " ".join(report.hints).replace("EPSG:4326", "").replace("EPSG:2263", "")  # the names of two systems
    assert not any(character.isdigit() for character in told)


@pytest.mark.parametrize("text", [b"lon,lat\n40.75,-74\n", b"x,y\n583960,4507523\n", b"lon,lat\n", b"lon,lat\nx,y\n"])
def test_nothing_in_the_box_is_refused_unless_strict(text: bytes) -> None:
    with pytest.raises(NothingInBox) as caught:
        read_counts(text, box=BOX, side=2)
    assert caught.value.exit_code == 2
    assert read_counts(text, box=BOX, side=2, strict=True).exact_total == 0


def test_good_data_gives_no_hint(trips: pd.DataFrame) -> None:
    assert read_counts(trips, box=BOX, side=SIDE).report.hints == ()


def test_a_report_shows_no_number_and_refuses_to_be_copied_out(trips: pd.DataFrame) -> None:
    report = read_counts(trips, box=BOX, side=SIDE).report
    assert str(report.exact_rows) not in repr(report) and str(report.exact_inside) not in f"{report}"
    with pytest.raises(ExactDataLeak):
        pickle.dumps(report)
    assert copy.copy(report) is report


def test_progress_grows_to_the_total(trips: pd.DataFrame, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(as_csv(trips))
    (tmp_path / "b.parquet").write_bytes(as_parquet(trips, row_group_size=500))
    seen: list[tuple[int, int]] = []
    read_counts(tmp_path, box=BOX, side=SIDE, progress=lambda done, total: seen.append((done, total)))
    done = [at for at, _ in seen]
    assert done == sorted(done) and seen[-1][0] == seen[-1][1] == sum(p.stat().st_size for p in tmp_path.iterdir())


def test_counts_can_be_kept_in_a_file_of_the_curators_own(trips: pd.DataFrame, tmp_path: Path) -> None:
    counts = read_counts(trips, box=BOX, side=SIDE, relation="replace")
    kept = save_counts(counts, tmp_path / "counts.npz")
    again = load_saved_counts(kept)
    assert isinstance(again, ExactCounts) and (again.to_numpy() == counts.to_numpy()).all()
    assert (again.grid, again.relation, again.public_rows) == (counts.grid, counts.relation, counts.public_rows)
    assert [path.name for path in tmp_path.iterdir()] == ["counts.npz"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"side": 1000},
        {"engine": "spark"},
        {"scheduler": "tcp://127.0.0.1:1"},
        {"relation": "swap"},
        {"person": "trip_id"},
        {"cap": 3},
        {"person": "trip_id", "cap": 0},
        {"person": "start_lng", "cap": 1},
        {"person": "nobody", "cap": 1},
        {"person": "trip_id", "cap": 1, "relation": "replace"},
        {"lon": "start_lng"},
        {"lon": 1, "lat": 9},
        {"lon": True, "lat": 1},
        {"box": "Nowhere-upon-Sea"},
        {"box": (1, 2, 3)},
        {"box": (1, 2, 3, "x")},
        {"box": None},
        {"box": "1,2,3"},
    ],
    ids=str,
)
def test_a_wrong_argument_is_answered_with_what_to_give(wrong: dict[str, Any], trips: pd.DataFrame) -> None:
    with pytest.raises(InputError) as caught:
        read_counts(trips, **({"box": BOX, "side": SIDE} | wrong))
    assert 20 < len(caught.value.message) < 900


def test_the_embedded_city_is_found_by_name() -> None:
    assert builtin("nyc-taxi").exact_total == 10_229_193
    assert builtin("nyc-trips").frame.dims == 4


class Server(http.server.SimpleHTTPRequestHandler):
    """Sends whole files only, as many servers do."""

    def log_message(self, *_: Any) -> None:
        """Silence."""


def test_an_address_on_a_server_that_sends_whole_files_only_is_read(
    trips: pd.DataFrame, expected: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(as_csv(trips)))
    (tmp_path / "b.parquet").write_bytes(as_parquet(trips, row_group_size=100))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Server, directory=str(tmp_path))) as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        try:
            for name in ("a.csv.gz", "b.parquet"):
                address = f"http://127.0.0.1:{server.server_port}/{name}"
                assert (read_counts(address, box=BOX, side=SIDE).to_numpy() == expected).all()
            with pytest.raises(FileError, match="not found"):
                read_counts(f"http://127.0.0.1:{server.server_port}/none.csv", box=BOX)
        finally:
            server.shutdown()
            serving.join()


def test_addresses_of_any_file_system_may_name_a_file_a_glob_or_a_folder(
    trips: pd.DataFrame, expected: np.ndarray[Any, Any]
) -> None:
    files = fsspec.filesystem("memory")
    files.pipe("/trips/a.csv", as_csv(trips[:1000]))
    files.pipe("/trips/b.parquet", as_parquet(trips[1000:]))
    for source in ("memory://trips", "memory://trips/*", ["memory://trips/a.csv", "memory://trips/b.parquet"]):
        assert (read_counts(source, box=BOX, side=SIDE).to_numpy() == expected).all()


def test_a_header_may_hold_numbers_when_it_names_the_coordinates() -> None:
    assert read_counts(b"2014,2015,lon,lat\n1,2,-74,40.75\n", box=BOX, side=1).exact_total == 1


def test_the_name_of_an_embedded_city_in_place_of_a_file_says_how_to_get_it() -> None:
    with pytest.raises(FileError, match="builtin"):
        read_counts("nyc-taxi", box=BOX)
