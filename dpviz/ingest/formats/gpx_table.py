"""GPX tracks: every track point, route point and waypoint is a record.

Documents that declare a type or entities are refused before anything of them is expanded: no outside entity is fetched
and none can grow.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from dpviz.errors import FileError
from dpviz.ingest.batches import Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of
from dpviz.ingest.formats.memory_table import texts_of
from dpviz.ingest.sources import Place, explain_file_errors, unpacked

_PIECE = 1 << 18
_POINTS = ("trkpt", "wpt", "rtept")


class GpxTable:
    """One GPX file with the columns lon and lat."""

    kind = "gpx"
    has_header = True
    names: tuple[str, ...] = ("lon", "lat")
    geometry: tuple[str, str] | None = ("lon", "lat")
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        found: list[tuple[str | None, str | None]] = []
        depth = 0

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            plain = name.rsplit(":", 1)[-1]
            if depth == 0 and plain != "gpx":
                raise FileError(f"{self.label} is XML but no GPX. Give GPX, GeoJSON, CSV or Parquet.", file=self.label)
            depth += 1
            if plain in _POINTS:
                found.append((attributes.get("lon"), attributes.get("lat")))

        def refuse(*_: Any) -> None:
            raise FileError(
                f"{self.label} declares a document type or entities, which a GPX file does not need and dpviz does not "
                "read. Export it again.",
                file=self.label,
            )

        parser = expat.ParserCreate()
        parser.StartElementHandler = start
        parser.StartDoctypeDeclHandler = refuse
        parser.EntityDeclHandler = refuse
        parser.ExternalEntityRefHandler = None
        with explain_file_errors(self.label), unpacked(self._place) as (stream, raw):
            try:
                while piece := stream.read(_PIECE):
                    parser.Parse(piece, False)
                    if found:
                        yield self._batch(found, wanted, raw.tell())
                        found.clear()
                parser.Parse(b"", True)
            except expat.ExpatError:
                raise FileError(
                    f"{self.label} is no valid GPX, or is cut off. Copy or export it again.", file=self.label
                ) from None
        if found:
            yield self._batch(found, wanted, self.size)

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    def _batch(self, found: list[tuple[str | None, str | None]], wanted: Wanted, at: int) -> Batch:
        place = {"lon": 0, "lat": 1}
        axes = tuple(
            numbers_of(texts_of([point[place[name]] for point in found]), self.label, name) for name in wanted.columns
        )
        return Batch(axes=axes, persons=None, rows=len(found), done=min(at / max(self.size, 1), 1.0))
