"""How a feed of shared mobility is known by its beginning."""

from __future__ import annotations

from typing import Final

TRIPS: Final = "trips"
LISTS: Final = (TRIPS, "status_changes", "events", "vehicles_status", "stations", "bikes", "vehicles", "stops")


def is_feed(head: bytes) -> bool:
    """Whether the beginning of a JSON document is that of such a feed and of no GeoJSON."""
    start = head[:4096].lstrip()
    named = any(f'"{name}"'.encode() in start for name in LISTS)
    marks = [start.find(mark) for mark in (b'"data"', b'"version"', b'"last_updated"')]
    first = min((at for at in marks if at >= 0), default=-1)
    typed = start.find(b'"type"')  # the first word of GeoJSON; inside a feed it comes later
    return start.startswith(b"{") and named and first >= 0 and (typed < 0 or first < typed)
