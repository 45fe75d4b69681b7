"""From a source to opened tables of the right kind."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dpviz.errors import FileError, InputError
from dpviz.ingest.batches import Table
from dpviz.ingest.formats.hexagons import hexagon_column
from dpviz.ingest.formats.kinds import ENDINGS
from dpviz.ingest.formats.object_tables import tables_of
from dpviz.ingest.sources import DATABASES, Place, TextForm, find_places, is_places

_LARGEST_STOPS = 1 << 29
HEXAGON_KINDS = ("csv", "parquet")


def open_tables(
    source: Any, *, layer: str | None = None, query: str | None = None, form: TextForm | None = None
) -> list[Table]:
    """Every table of the source: one per file, or the one in memory.

    `layer`, `query`: of files that hold several. `form`: how separated text is written.
    """
    stated = TextForm() if form is None else form
    if not is_places(source):
        found = tables_of(source)
    else:
        places = find_places(source)
        found = [open_place(replace(place, layer=layer, query=query, form=stated)) for place in places]
    if stated != TextForm() and all(table.kind != "csv" for table in found):
        raise InputError(
            f"{found[0].label} is no separated text (CSV); leave out separator, decimal and header (--separator, "
            "--decimal, --header)."
        )
    return found


def open_place(place: Place) -> Table:
    """The table that a file holds, by its content; one whose only places are H3 cells has their middles as columns."""
    if place.url is not None and place.url.startswith(DATABASES):
        from dpviz.ingest.formats.postgres_table import PostgresTable

        return PostgresTable(place)
    kind = "csv" if place.is_stated_text else place.kind()
    table = _opened(place, kind)
    if kind in HEXAGON_KINDS and hexagon_column(table.names) is not None and table.has_header:
        from dpviz.ingest.formats.frame_table import HexagonFile

        return HexagonFile(place, kind, table.names)
    return table


def _opened(place: Place, kind: str) -> Table:
    from dpviz.ingest.formats.database_table import ArrowTable, SqliteTable
    from dpviz.ingest.formats.duck_table import DuckTable
    from dpviz.ingest.formats.geo_table import GeoTable
    from dpviz.ingest.formats.geojson_table import GeoJsonTable
    from dpviz.ingest.formats.gpx_table import GpxTable
    from dpviz.ingest.formats.mobility_table import MobilityTable
    from dpviz.ingest.formats.parquet_table import ParquetTable
    from dpviz.ingest.formats.text_table import TextTable

    if kind in ENDINGS:
        return GeoTable(place, kind)
    if kind == "gtfs":
        return TextTable(_stops_of(place))
    readers: dict[str, Callable[[Place], Table]] = {
        "parquet": ParquetTable,
        "geojson": GeoJsonTable,
        "gpx": GpxTable,
        "arrow": ArrowTable,
        "sqlite": SqliteTable,
        "mobility": MobilityTable,
        "duckdb": DuckTable,
    }
    return readers.get(kind, TextTable)(place)


def _stops_of(place: Place) -> Place:
    """The table of stops in a GTFS archive."""
    with place.open() as stream, zipfile.ZipFile(stream) as archive:
        (name,) = [name for name in archive.namelist() if name.lower() == "stops.txt"]
        entry = archive.getinfo(name)
        if entry.file_size > _LARGEST_STOPS:
            raise FileError(
                f"{place.label} says that its stops.txt is larger than any list of stops.", file=place.label
            )
        return Place(label=f"stops.txt of {place.label}", content=archive.read(entry))
