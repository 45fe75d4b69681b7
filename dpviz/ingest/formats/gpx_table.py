"""GPX tracks: every track point, route point and waypoint is a record, with its time where it has one.

A document that declares a type or entities is refused before any of them is expanded or fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

from dpviz.errors import FileError
from dpviz.ingest.batches import Batch, FileTable, Part, Wanted
from dpviz.ingest.sources import explain_file_errors, unpacked

_PIECE = 1 << 18
_POINTS = ("trkpt", "wpt", "rtept")


class GpxTable(FileTable):
    """One GPX file with the columns lon, lat and time."""

    names = ("lon", "lat", "time")
    geometry = ("lon", "lat")

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        found: list[list[str | None]] = []
        depth = 0
        point: dict[str, str] = {}
        told: list[str] = []  # the text behind the last tag that opened

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth, point
            plain = name.rsplit(":", 1)[-1]
            if depth == 0 and plain != "gpx":
                raise FileError(f"{self.label} is XML but no GPX. Give GPX, GeoJSON, CSV or Parquet.", file=self.label)
            depth += 1
            told.clear()
            if plain in _POINTS:
                point = dict(attributes)

        def end(name: str) -> None:
            nonlocal point
            plain = name.rsplit(":", 1)[-1]
            if plain == "time" and point:
                point["time"] = "".join(told)
            elif plain in _POINTS:
                found.append([point.get(name) for name in wanted.all])
                point = {}

        def refuse(*_: Any) -> None:
            raise FileError(
                f"{self.label} declares a document type or entities, which a GPX file does not need and dpviz does not "
                "read. Export it again.",
                file=self.label,
            )

        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = start, end, told.append
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
        with explain_file_errors(self.label), unpacked(self.place) as (stream, raw):
            try:
                while piece := stream.read(_PIECE):
                    parser.Parse(piece, False)
                    if found:
                        yield self.batch_of_rows(found, wanted, raw.tell() / max(self.size, 1))
                        found.clear()
                parser.Parse(b"", True)
            except expat.ExpatError:
                raise FileError(
                    f"{self.label} is no valid GPX, or is cut off. Copy or export it again.", file=self.label
                ) from None
        if found:
            yield self.batch_of_rows(found, wanted, 1.0)
