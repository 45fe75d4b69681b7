"""The parts of the page *Compare*, shared by the app and the analysts' server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
import streamlit as st

from dpviz.releases import Release, privacy_label
from dpviz.ui import cache, compare, elements, evidence_parts, facility_parts, icons, state, words
from dpviz.ui.compare import Matched, Shelf
from dpviz.ui.theme import SECOND
from dpviz.ui.view import Box, MapView, Marker

HALF = (560, 480)  # pixels of one of two maps side by side


def page(folders: Sequence[Path]) -> None:
    """The whole page."""
    st.title(words.COMPARE_PAGE_TITLE)
    elements.banner(words.MODE_ANALYST, "dpv-strict")
    shelf: Shelf = cache.last("shelf", compare.stamp(folders), lambda: compare.find(folders))
    if shelf.unreadable:
        st.warning(words.COMPARE_UNREADABLE.format(names=", ".join(shelf.unreadable[:5])))
    if not shelf.releases:
        st.info(f"{words.COMPARE_NONE} {words.COMPARE_NONE_HELP}")
        return
    a, b = _choose(shelf)
    if not compare.comparable(a, b):
        st.warning(words.COMPARE_OTHER_BOX)
        b = a
    k, objective, way = _question(a, b)
    first, second = compare.centers_of(a, k, objective), compare.centers_of(b, k, objective)
    match = compare.matched(a, first, b, second)
    tabs = st.tabs([words.COMPARE_TAB_MAPS, words.FACILITY, words.COMPARE_TAB_METHODS, words.COMPARE_TAB_FILES])
    with tabs[0]:
        _maps(a, first, b, second, match, way)
        _pairs(a, b, match)
    with tabs[1]:
        facility_parts.draw(a, k)
    with tabs[2]:
        evidence_parts.method_errors()
    with tabs[3]:
        _exports(a, first, b)


def _choose(shelf: Shelf) -> tuple[Release, Release]:
    by_id = {release.id: release for release in shelf.releases}
    ids = list(by_id)
    one, two = st.columns(2, gap="medium")
    with one:
        a = st.selectbox(words.COMPARE_A, ids, format_func=lambda found: compare.title(by_id[found]), key="release_a")
    with two:
        b = st.selectbox(
            words.COMPARE_B,
            ids,
            index=_partner(by_id, a),
            format_func=lambda found: compare.title(by_id[found]),
            key=f"release_b_{a}",
        )
    return by_id[a], by_id[b]


def _partner(by_id: dict[str, Release], a: str) -> int:
    """The newest other release of the same box; A itself where there is none."""
    ids = list(by_id)
    others = [found for found in ids if found != a and compare.comparable(by_id[a], by_id[found])]
    return ids.index(others[0] if others else a)


def _question(a: Release, b: Release) -> tuple[int, str, str]:
    asked = a.raw_coreset is not None and b.raw_coreset is not None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        k = st.number_input(
            words.COMPARE_K,
            min_value=1,
            max_value=state.MOST_CLUSTERS,
            value=len(a.raw_centers),
            key=f"compare_k_{a.id}",
            disabled=not asked,
            width=180,
        )
        objective = st.selectbox(
            words.COMPARE_OBJECTIVE,
            ["k-means", "k-median"],
            format_func=lambda name: words.OBJECTIVES[name],
            key="compare_objective",
            disabled=not asked,
            width=330,
        )
        way = st.radio(
            words.COMPARE_WAY,
            ["two", "one"],
            format_func={"two": words.COMPARE_SIDE, "one": words.COMPARE_ONE}.get,
            horizontal=True,
            key="compare_way",
        )
    st.caption(words.COMPARE_FREE if asked else words.COMPARE_NO_CORESET)
    return int(k), str(objective), str(way)


def _maps(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, way: str) -> None:
    theme = cache.theme()
    box = compare.box_of(a)
    picked = _picked(match)
    if way == "one":
        view = _marked(compare.overlay(a, match), picked)
        elements.key_line(
            [(icons.diamond("", hollow=True), words.COMPARE_A), (icons.diamond("", colour=SECOND), words.COMPARE_B)]
        )
        elements.draw_map(view, cache.camera(f"compare-{a.id}", box), theme, key="compare_one")
    else:
        views = [
            replace(compare.view_of(a, first, words.COMPARE_CENTER_A), centers=match.first),
            replace(compare.view_of(b, second, words.COMPARE_CENTER_B), centers=match.second),
        ]
        for column, view, release, letter in zip(st.columns(2, gap="small"), views, (a, b), "AB", strict=True):
            with column:
                st.markdown(f"**{letter}** · {compare.title(release)}")
                camera = cache.camera(f"compare-{a.id}-half", box, size=HALF)
                elements.draw_map(_marked(view, picked), camera, theme, key=f"compare_{letter}", height=480)
    st.button(words.RESET_VIEW, key="compare_reset", on_click=_reset, args=(a, box), icon=":material/home:")


def _reset(a: Release, box: Box) -> None:
    cache.move_camera(f"compare-{a.id}", box)
    cache.move_camera(f"compare-{a.id}-half", box, size=HALF)


def _picked(match: Matched) -> int | None:
    selection = st.session_state.get("pairs_table")
    rows = selection["selection"]["rows"] if selection else []
    table = compare.pairs_table(match)
    return int(table["Pair"].iloc[rows[0]]) if rows and rows[0] < len(table) else None


def _marked(view: MapView, number: int | None) -> MapView:
    """The picked pair with a ring around it."""
    if number is None:
        return view

    def ring(markers: tuple[Marker, ...]) -> tuple[Marker, ...]:
        return tuple(replace(marker, spread_m=1.0 if marker.number == number else None) for marker in markers)

    return replace(view, centers=ring(view.centers), spreads=True)


def _pairs(a: Release, b: Release, match: Matched) -> None:
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        st.header(words.COMPARE_TABLE)
        st.caption(words.COMPARE_PICK)
        st.dataframe(
            compare.pairs_table(match),
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            key="pairs_table",
            alt=words.COMPARE_TABLE,
        )
        average = sum(pair.metres for pair in match.pairs) / max(1, len(match.pairs))
        st.markdown(words.COMPARE_AVERAGE.format(distance=words.distance(average)))
    with right:
        st.header(words.COMPARE_FACTS)
        st.table(compare.facts_table(a, b), hide_index=True)


def _exports(a: Release, first: pd.DataFrame, b: Release) -> None:
    for letter, release in (("A", a), ("B", b)):
        if letter == "B" and b.id == a.id:
            continue
        st.markdown(f"**{letter}** · {compare.title(release)}")
        with st.container(horizontal=True):
            st.download_button(
                words.DOWNLOAD,
                cache.last(f"zip-{letter}", release.id, release.zip_bytes),
                file_name=f"release-{release.id[:8]}.zip",
                mime="application/zip",
                on_click="ignore",
                key=f"zip_{letter}",
            )
            if letter == "A":
                st.download_button(
                    words.COMPARE_SAVE_CENTERS.format(k=len(first)),
                    compare.centers_geojson(a, first),
                    file_name=f"centers-{a.id[:8]}-{len(first)}.geojson",
                    mime="application/geo+json",
                    on_click="ignore",
                )
        with st.expander(words.LABEL):
            elements.label(privacy_label(release))
