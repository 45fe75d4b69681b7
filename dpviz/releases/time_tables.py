"""Tables of a release by time: the centers of every part, and how many records an area has in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpviz.errors import NotOffered

if TYPE_CHECKING:
    from dpviz.releases.outcomes import Release

_HEADER = "part,center,lon,lat,weight"


def centers_by_time(release: Release) -> bytes:
    """centers-by-time.csv: the best k centers of every part, heaviest first; no rows where parts cannot be told."""
    try:
        view = release.by_time
    except NotOffered:
        return f"{_HEADER}\n".encode()
    lines = [_HEADER]
    for number, name in enumerate(view.parts.names):
        table = view.centers(number, release.request.k).sort_values("weight", ascending=False, kind="stable")
        lines += [
            f"{name},{at},{lon!r},{lat!r},{weight!r}"
            for at, (lon, lat, weight) in enumerate(table.to_numpy(dtype=float).tolist(), start=1)
        ]
    return ("\n".join(lines) + "\n").encode("utf-8")
