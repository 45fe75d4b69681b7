"""Tables of a release by time: the centers of every part, and how many records an area has in each."""

from __future__ import annotations

from dpviz.errors import NotOffered
from dpviz.releases.outcomes import Release
from dpviz.releases.questions.counts import view_by_time
from dpviz.releases.spreadsheets import csv_text

_HEADER = ("part", "center", "lon", "lat", "weight")


def centers_by_time(release: Release) -> bytes:
    """centers-by-time.csv: the best k centers of every part, heaviest first; no rows where parts cannot be told."""
    try:
        view = view_by_time(release)
    except NotOffered:
        return csv_text(_HEADER, ()).encode("utf-8")
    rows: list[tuple[str, int, float, float, float]] = []
    for number, name in enumerate(view.parts.names):
        table = view.centers(number, release.request.k).sort_values("weight", ascending=False, kind="stable")
        rows += [
            (name, at, lon, lat, weight)
            for at, (lon, lat, weight) in enumerate(table.to_numpy(dtype=float).tolist(), start=1)
        ]
    return csv_text(_HEADER, rows).encode("utf-8")
