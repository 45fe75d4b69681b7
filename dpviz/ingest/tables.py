"""From a source to opened tables of the right kind."""

from __future__ import annotations

from typing import Any

from dpviz.ingest.batches import Table
from dpviz.ingest.memory_table import table_in_memory
from dpviz.ingest.sources import Place, find_places, is_places


def open_tables(source: Any) -> list[Table]:
    """Every table of the source: one per file, or the one in memory."""
    if not is_places(source):
        return [table_in_memory(source)]
    return [open_place(place) for place in find_places(source)]


def open_place(place: Place) -> Table:
    """The table that a file holds, by its content."""
    kind = place.kind()
    if kind == "parquet":
        from dpviz.ingest.parquet_table import ParquetTable

        return ParquetTable(place)
    if kind == "geojson":
        from dpviz.ingest.geojson_table import GeoJsonTable

        return GeoJsonTable(place)
    if kind == "gpx":
        from dpviz.ingest.gpx_table import GpxTable

        return GpxTable(place)
    from dpviz.ingest.text_table import TextTable

    return TextTable(place)
