"""From a source to opened tables of the right kind."""

from __future__ import annotations

import zipfile
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
        from dpviz.ingest.formats.hexagon_file import HexagonFile

        return HexagonFile(place, kind, table.names)
    return table


def _opened(place: Place, kind: str) -> Table:
    if kind == "parquet":
        from dpviz.ingest.formats.parquet_table import ParquetTable

        return ParquetTable(place)
    if kind == "geojson":
        from dpviz.ingest.formats.geojson_table import GeoJsonTable

        return GeoJsonTable(place)
    if kind == "gpx":
        from dpviz.ingest.formats.gpx_table import GpxTable

        return GpxTable(place)
    if kind == "arrow":
        from dpviz.ingest.formats.database_table import ArrowTable

        return ArrowTable(place)
    if kind == "sqlite":
        from dpviz.ingest.formats.database_table import SqliteTable

        return SqliteTable(place)
    if kind == "mobility":
        from dpviz.ingest.formats.mobility_table import MobilityTable

        return MobilityTable(place)
    if kind == "duckdb":
        from dpviz.ingest.formats.duck_table import DuckTable

        return DuckTable(place)
    if kind == "gtfs":
        from dpviz.ingest.formats.text_table import TextTable

        return TextTable(_stops_of(place))
    if kind in ENDINGS:
        from dpviz.ingest.formats.geo_table import GeoTable

        return GeoTable(place, kind)
    from dpviz.ingest.formats.text_table import TextTable

    return TextTable(place)


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
