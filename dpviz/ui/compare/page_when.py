"""Which hours, weekdays … of a release by time the page *Compare* looks at: mornings beside nights, or any two."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from dpviz.errors import NotOffered
from dpviz.questions.counts import view_by_time
from dpviz.releases.release import Release
from dpviz.ui.compare import times
from dpviz.ui.compare import words as say


def at_times(a: Release, b: Release | None) -> tuple[Release, Release | None]:
    """A and B at the chosen times; a release by time alone is compared with itself at another time."""
    if a.request.parts is None and (b is None or b.request.parts is None):
        return a, b
    if b is None or b.request.parts is None:
        b = a if a.request.parts is not None and b is None else b
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="compare_when"):
        first = _chosen(a, "A", 0)
        second = None if b is None else _chosen(b, "B", 1)
    layout = a.request.parts or (None if b is None else b.request.parts)
    if layout is not None:
        st.caption(say.WHEN_NOTE.format(zone=layout.zone, many=len(layout.names), by=layout.by))
    return first, second


def _chosen(release: Release, letter: str, start: int) -> Release:
    """The release at the time that is picked; as it is, where it is not divided or its parts cannot be told."""
    layout = release.request.parts
    if layout is None:
        return release
    offered = times.spans(layout)
    names = list(offered)
    picked = st.selectbox(
        say.WHEN.format(letter=letter),
        names,
        index=min(start, len(names) - 1),
        key=f"when-{letter}-{release.id}",
        width=260,
    )
    try:
        return _at(release, str(picked), offered[str(picked)])
    except NotOffered as problem:
        st.warning(problem.message)
        return release


@lru_cache(maxsize=32)
def _at(release: Release, name: str, parts: tuple[int, ...]) -> Release:
    """Releases are public, so all sessions may share what is made of them."""
    return view_by_time(release).at(*parts, called=name)
