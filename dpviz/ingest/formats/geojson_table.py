"""Points in JSON: GeoJSON, and feeds of shared mobility.

GeoJSON is a FeatureCollection, one Feature, a bare Point or MultiPoint, or one of these per line. Features are read one
by one. Every point is a record; a feature without a point is an unusable row.

A feed is one document: MDS trips, status changes and events; GBFS stations and vehicles. A trip has the columns
`start_lon`, `start_lat`, `end_lon` and `end_lat`; everything else has `lon` and `lat`.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, TextIO, cast

from dpviz.errors import FileError
from dpviz.ingest.batches import Batch, FileTable, Part, Wanted
from dpviz.ingest.conversions import is_degrees
from dpviz.ingest.formats.kinds import MOBILITY_LISTS, TRIPS
from dpviz.ingest.sources import Place, explain_file_errors, unpacked

_ROWS = 50_000
_PIECE = 1 << 20
_LARGEST_OBJECT = 1 << 28
_GAP = re.compile(r"[\s,]*")
_FEATURES = re.compile(r'"features"\s*:\s*\[')
_KNOWN = ("FeatureCollection", "Feature", "Point", "MultiPoint", "GeometryCollection")
LON, LAT = "lon", "lat"
ENDS: Final = ("start_lon", "start_lat", "end_lon", "end_lat")
_LARGEST: Final = 1 << 31
_PLACES: Final = ("location", "event_location", "current_location", "last_event_location")


class GeoJsonTable(FileTable):
    """One file of GeoJSON. Its columns are lon, lat and the properties of the first feature."""

    geometry = (LON, LAT)

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        with explain_file_errors(self.label), unpacked(place) as (stream, _):
            first = next(self._objects(_text(stream)), None)
        properties = (first or {}).get("properties")
        own = tuple(name for name in properties if name not in (LON, LAT)) if isinstance(properties, dict) else ()
        self.names = (LON, LAT, *own)

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        rows: list[list[Any]] = []
        with explain_file_errors(self.label), unpacked(self.place) as (stream, raw):
            for each in self._objects(_text(stream)):
                properties = each.get("properties")
                own = properties if isinstance(properties, dict) else {}
                for point in _points(each):
                    row = {**own, LON: point[0], LAT: point[1]}
                    rows.append([row.get(name) for name in wanted.all])
                if len(rows) >= _ROWS:
                    yield self.batch_of_rows(rows, wanted, raw.tell() / max(self.size, 1))
                    rows = []
        if rows:
            yield self.batch_of_rows(rows, wanted, 1.0)

    def _objects(self, stream: TextIO) -> Iterator[dict[str, Any]]:
        """Features and bare geometries, one at a time."""
        decode = json.JSONDecoder(parse_constant=lambda _: None, parse_int=_whole).raw_decode
        buffer = stream.read(_PIECE).removeprefix("\ufeff")
        at, inside, ended, found = 0, False, False, False
        while True:
            at = _GAP.match(buffer, at).end()  # type: ignore[union-attr]
            if at >= len(buffer):
                more = stream.read(_PIECE)
                if not more:
                    break
                buffer, at = more, 0
                continue
            if inside and buffer[at] == "]":
                ended = True
                break
            if not inside and not found:
                opened = self._collection(buffer, at, stream)
                if opened is not None:
                    buffer, at, inside, found = *opened, True, True
                    continue
            try:
                value, end = decode(buffer, at)
                if end == len(buffer) and not isinstance(value, dict | list):
                    raise json.JSONDecodeError("cut", buffer, end)
            except (json.JSONDecodeError, RecursionError) as error:
                more = "" if isinstance(error, RecursionError) else stream.read(max(_PIECE, len(buffer) - at))
                if not more or len(buffer) - at > _LARGEST_OBJECT:
                    raise FileError(
                        f"{self.label} is no valid GeoJSON, or is cut off. Export it again as GeoJSON or CSV.",
                        file=self.label,
                    ) from None
                buffer, at = buffer[at:] + more, 0
                continue
            at = end
            found = True
            yield self._checked(value)
        if inside and not ended:
            raise FileError(f"{self.label} is cut off in the middle of its features. Copy it again.", file=self.label)

    def _collection(self, buffer: str, at: int, stream: TextIO) -> tuple[str, int] | None:
        """Where the list of features begins, if this is a FeatureCollection."""
        window = buffer[at:]
        opened = _FEATURES.search(window)
        while opened is None and '"FeatureCollection"' in window[:_PIECE] and len(window) < _LARGEST_OBJECT:
            more = stream.read(_PIECE)
            if not more:
                break
            window += more
            opened = _FEATURES.search(window)
        if opened is None:
            return None
        before = window[: opened.start()]
        if before.count("{") - before.count("}") != 1:  # the features of something deeper inside
            return None
        crs = re.search(r'"crs"\s*:\s*\{[^{}]*\{[^{}]*?"name"\s*:\s*"([^"]*)"', before)
        if crs and not is_degrees(crs[1]):
            self.crs = crs[1]
        return window, opened.end()

    def _checked(self, value: Any) -> dict[str, Any]:
        kind = value.get("type") if isinstance(value, dict) else None
        if isinstance(kind, str) and (kind in _KNOWN or "coordinates" in value):
            return cast(dict[str, Any], value)
        raise FileError(
            f"{self.label} is JSON but no GeoJSON. Give a FeatureCollection of points, one Feature per line, "
            "or a CSV file.",
            file=self.label,
        )


def _whole(digits: str) -> int | float:
    """Whole numbers stay exact (they may be names of persons), unless they are too long to be either."""
    return int(digits) if len(digits) <= 400 else float("nan")


def _text(stream: Any) -> TextIO:
    return cast(TextIO, codecs.getreader("utf-8")(stream, "replace"))


def _points(value: dict[str, Any]) -> list[tuple[Any, Any]]:
    """The coordinates of every point of a feature; (None, None) for a feature that has none."""
    geometry = value.get("geometry") if value.get("type") == "Feature" else value
    if isinstance(geometry, dict):
        coordinates = geometry.get("coordinates")
        if geometry.get("type") == "Point":
            return [_pair(coordinates)]
        if geometry.get("type") == "MultiPoint" and isinstance(coordinates, list) and coordinates:
            return [_pair(each) for each in coordinates]
    return [(None, None)]


def _pair(coordinates: Any) -> tuple[Any, Any]:
    if isinstance(coordinates, list) and len(coordinates) >= 2:
        x, y = coordinates[0], coordinates[1]
        if all(isinstance(v, int | float) and not isinstance(v, bool) for v in (x, y)):
            return x, y
    return None, None


class MobilityTable(FileTable):
    """One page of a feed."""

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        listed, entries = self._entries()
        first = entries[0] if entries and isinstance(entries[0], Mapping) else {}
        own = tuple(str(name) for name, value in first.items() if not isinstance(value, list | dict))
        places = ENDS if listed == TRIPS else ("lon", "lat")
        self.names = (*places, *(name for name in own if name not in places))
        self.geometry = None if listed == TRIPS else ("lon", "lat")

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        listed, entries = self._entries()
        for start in range(0, len(entries), _ROWS):
            rows = (_row(listed, entry) for entry in entries[start : start + _ROWS])
            chosen = [[row.get(name) for name in wanted.all] for row in rows]
            yield self.batch_of_rows(chosen, wanted, (start + _ROWS) / len(entries))

    def _entries(self) -> tuple[str, list[Any]]:
        with explain_file_errors(self.label), unpacked(self.place) as (stream, _):
            content = stream.read(_LARGEST)
        try:
            document = json.loads(content)
        except (ValueError, RecursionError):
            raise FileError(f"{self.label} is no valid JSON, or is cut off. Fetch it again.", file=self.label) from None
        if isinstance(document, dict):
            data = document.get("data")
            for holder in (data if isinstance(data, dict) else {}, document):
                for name in MOBILITY_LISTS:
                    if isinstance(holder.get(name), list):
                        return name, holder[name]
        raise FileError(
            f"{self.label} looks like a feed of shared mobility and holds none of {', '.join(MOBILITY_LISTS)}.",
            file=self.label,
        )


def _row(kind: str, entry: Any) -> dict[str, Any]:
    """One entry as columns; what holds no place has none."""
    if not isinstance(entry, Mapping):
        return {}
    row = {str(name): value for name, value in entry.items() if not isinstance(value, list | dict)}
    if kind == TRIPS:
        start, end = _point(entry.get("start_location")), _point(entry.get("end_location"))
        route = entry.get("route")
        features = route.get("features") if isinstance(route, Mapping) else None
        if isinstance(features, list) and features:
            start, end = start or _point(features[0]), end or _point(features[-1])
        return row | dict(zip(ENDS, (*(start or (None, None)), *(end or (None, None))), strict=True))
    found = next((point for name in _PLACES if (point := _point(entry.get(name)))), None) or _point(entry)
    return row | dict(zip(("lon", "lat"), found or (None, None), strict=True))


def _point(value: Any) -> tuple[Any, Any] | None:
    """A place as GeoJSON, or as lat and lng or lon."""
    if not isinstance(value, Mapping):
        return None
    shape = value.get("geometry") if isinstance(value.get("geometry"), Mapping) else value
    corners = shape.get("coordinates") if isinstance(shape, Mapping) else None
    if isinstance(corners, list) and len(corners) >= 2 and not isinstance(corners[0], list):
        return corners[0], corners[1]
    lon, lat = value.get("lon", value.get("lng", value.get("stop_lon"))), value.get("lat", value.get("stop_lat"))
    return (lon, lat) if lon is not None and lat is not None else None
