"""The parts of the page *Compare*, shared by the app and the analysts' server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from dpviz.releases import NoAnswer, Release, privacy_label
from dpviz.ui import (
    cache,
    compare,
    compare_choice,
    compare_tables,
    elements,
    evidence_parts,
    facility_parts,
    pair_maps,
    shelf,
    state,
    tables,
    words,
)
from dpviz.ui import compare_words as say
from dpviz.ui.compare import Matched
from dpviz.ui.compare_choice import Examples
from dpviz.ui.view import Marker

_CSS = """
<style>
.st-key-compare_files h3 { font-size:1.08rem !important; padding:.5rem 0 .1rem 0 !important; }
.st-key-compare_files h4 { font-size:1rem !important; padding:.5rem 0 .1rem 0 !important; }
@media (max-width: 1300px) {  /* the tables below or beside the maps need the whole width */
  .st-key-compared [data-testid=stColumn], .st-key-compared_one [data-testid=stColumn] { min-width:100%; }
}
@media (max-width: 640px) {  /* A, B, and then both buttons in one row */
  .st-key-compare_choice > :has(.stSelectbox) { flex:1 1 100% !important; order:-1; }
}
</style>
"""


def page(folders: Sequence[Path], examples: Examples | None = None) -> None:
    """The whole page. `examples` publishes two example releases, where the process can."""
    st.title(say.TITLE)
    elements.banner(words.MODE_ANALYST, "dpv-strict")
    st.html(_CSS)
    found = shelf.on_disk(folders)
    opened: list[Release | NoAnswer] = cache.keep("opened", list)
    found = found.with_opened(opened)
    compare_choice.unreadable(found)
    if not found.releases:
        compare_choice.empty(found, examples)
        return
    a, b = compare_choice.choose(found, examples)
    _caveats(a, b, alone=len(found.releases) == 1)
    k, objective, way = _question(a, b)
    first, second = compare.centers_of(a, k, objective), compare.centers_of(b, k, objective)
    tabs = st.tabs(list(say.TABS.values()), key="compare_tabs", on_change="rerun")
    with tabs[0]:
        if tabs[0].open:
            _compared(a, first, b, second, way)
    with tabs[1]:
        if tabs[1].open:
            facility_parts.draw(a, k)
    with tabs[2]:
        if tabs[2].open:
            evidence_parts.method_errors()
    with tabs[3]:
        if tabs[3].open:
            with st.container(key="compare_files"):
                _exports(a, first, b, second)
                compare_choice.no_answers(found)


def _caveats(a: Release, b: Release, *, alone: bool) -> None:
    both = ((a, say.A),) if a.id == b.id else ((a, say.A), (b, say.B))
    said: dict[str, list[str]] = {}
    for release, which in both:
        for sentence in compare.warnings_about(release):
            said.setdefault(sentence, []).append(which)
    for sentence, named in said.items():
        st.warning(sentence.format(which=say.AND.join(named)), icon=":material/warning:")
    if a.id == b.id:
        st.info(say.ALONE if alone else say.SAME)
    elif not compare.comparable(a, b):
        st.info(say.OTHER_BOX)
    if a.demonstration and b.demonstration:
        st.caption(say.EXAMPLES_NOTE)


def _question(a: Release, b: Release) -> tuple[int, str, str]:
    fixed = compare.asked_k(a, b)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        k = st.number_input(
            say.K,
            min_value=1,
            max_value=max(state.MOST_CLUSTERS, fixed or 1, len(a.raw_centers)),
            value=fixed or len(a.raw_centers),
            key=f"compare_k_{a.id}_{fixed}",
            disabled=fixed is not None,
            width=170,
        )
        objective = st.selectbox(
            say.OBJECTIVE,
            list(say.OBJECTIVES),
            format_func=lambda name: say.OBJECTIVES[name],
            key=f"compare_objective_{fixed}",
            disabled=fixed is not None,
            width=300,
        )
        way = "two"
        if a.id != b.id and compare.comparable(a, b) and compare.on_a_map(a):
            way = st.segmented_control(
                say.WAY,
                list(say.WAYS),
                format_func=lambda name: say.WAYS[name],
                default="two",
                required=True,
                key="way",
            )
    without = [which for release, which in ((a, say.A), (b, say.B)) if release.raw_coreset is None]
    if len(without) == 2:
        st.caption(say.CENTERS_ONLY_BOTH)
    else:
        st.caption(say.CENTERS_ONLY.format(which=without[0]) if without else say.FREE)
    return int(k), str(objective), str(way)


# ---- A beside B ------------------------------------------------------------------------------------------------


def _compared(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, way: str) -> None:
    if a.id == b.id:
        _alone(a, first)
        return
    paired = compare.comparable(a, b)
    match = (compare.matched if paired else compare.apart)(a, first, b, second)
    _figures(a, b, match)
    drawn = compare.on_a_map(a) and compare.on_a_map(b)
    if drawn and paired and way == "one":
        with st.container(key="compared_one"):
            left, right = st.columns([0.52, 0.48], gap="medium")
        with left:
            pair_maps.draw(a, first, b, second, match, way)
        with right:
            pair_maps.table(match, narrow=True)
            _facts(a, b)
        return
    if drawn:
        pair_maps.draw(a, first, b, second, match, "two")
    else:
        st.info(say.NO_MAP)
    with st.container(key="compared"):
        left, right = st.columns([0.58, 0.42], gap="medium")
    with left:
        if paired and drawn:
            pair_maps.table(match)
        else:
            _apart(a, first, b, second, match)
    with right:
        _facts(a, b)


def _alone(release: Release, centers: pd.DataFrame) -> None:
    """A single release: its map, its centers, what it is."""
    markers = compare.markers_of(release, centers, say.CENTER_A)
    odds, size = str(compare_tables.guesses(release)), compare_tables.points(release)
    items = [(say.RIGHT_GUESSES, odds, say.RIGHT_NOTE), (say.POINTS, size, "")]
    left, right = st.columns([0.58, 0.42], gap="medium")
    with left:
        if compare.on_a_map(release):
            pair_maps.alone(release, centers, markers)
        else:
            st.info(say.NO_MAP)
    with right:
        elements.figures(items, columns=2)
        _centers(release, centers, markers, "A")
        _facts(release, release)


def _apart(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched) -> None:
    _centers(a, first, match.first, "A")
    _centers(b, second, match.second, "B")


def _facts(a: Release, b: Release) -> None:
    st.header(say.FACTS)
    both = a.id != b.id
    facts = compare_tables.facts_table(a, b if both else None)
    tables.show(facts, caption=say.A_THEN_B if both else say.A, cards=False)


def _centers(release: Release, centers: pd.DataFrame, markers: Sequence[Marker], letter: str) -> None:
    st.header(say.CENTERS.format(letter=letter))
    if compare.on_a_map(release):
        table = compare_tables.centers_table(markers, letter)
    else:
        table = compare_tables.coordinates_table(release, centers)
    tables.show(table, caption=say.CENTERS.format(letter=letter), cards=False)


def _figures(a: Release, b: Release, match: Matched) -> None:
    farthest, average = match.farthest, match.average_m
    items = []
    if farthest is not None and average is not None and compare.on_a_map(a):
        items.append((say.AVERAGE, words.distance(average), ""))
        items.append((say.FARTHEST, words.distance(farthest.metres), say.FARTHEST_WHERE.format(number=farthest.number)))
    odds = (str(compare_tables.guesses(a)), str(compare_tables.guesses(b)))
    sizes = [say.POINTS_NONE if found.raw_coreset is None else compare_tables.points(found) for found in (a, b)]
    items.append((say.RIGHT_GUESSES, say.A_AND_B.format(a=odds[0], b=odds[1]), f"{say.A_THEN_B}; {say.RIGHT_NOTE}"))
    items.append((say.POINTS, say.A_AND_B.format(a=sizes[0], b=sizes[1]), say.A_THEN_B))
    elements.figures(items)


# ---- files -----------------------------------------------------------------------------------------------------


def _exports(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame) -> None:
    for letter, release, centers in (("A", a, first), ("B", b, second)):
        if letter == "B" and b.id == a.id:
            continue
        st.html(pair_maps.heading(letter, release))
        with st.container(horizontal=True):
            st.download_button(
                words.DOWNLOAD,
                cache.last(f"zip-{letter}", release.id, release.zip_bytes),
                file_name=f"release-{release.id[:8]}.zip",
                mime="application/zip",
                on_click="ignore",
                icon=":material/download:",
                key=f"zip_{letter}",
            )
            if compare.on_a_map(release):
                st.download_button(
                    say.SAVE_CENTERS.format(k=len(centers)),
                    compare_tables.centers_geojson(release, centers),
                    file_name=f"centers-{release.id[:8]}-{len(centers)}.geojson",
                    mime="application/geo+json",
                    on_click="ignore",
                    key=f"centers_{letter}",
                )
        with st.expander(words.LABEL):
            elements.label(privacy_label(release))
