"""Feeds of shared mobility as one JSON document: MDS trips, status changes and events; GBFS stations and vehicles.

A trip has the columns `start_lon`, `start_lat`, `end_lon` and `end_lat`; everything else has `lon` and `lat`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dpviz.errors import FileError
from dpviz.ingest.batches import Batch, FileTable, Part, Wanted
from dpviz.ingest.formats.kinds import MOBILITY_LISTS, TRIPS
from dpviz.ingest.sources import Place, explain_file_errors, unpacked

ENDS: Final = ("start_lon", "start_lat", "end_lon", "end_lat")
_ROWS: Final = 50_000
_LARGEST: Final = 1 << 31
_PLACES: Final = ("location", "event_location", "current_location", "last_event_location")


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
