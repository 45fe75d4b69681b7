"""A and B on maps, their pairs in a table, and one chosen pair that both of them show."""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.releases import Release
from dpviz.ui import cache, compare, compare_tables, elements, icons, picking
from dpviz.ui import compare_words as say
from dpviz.ui.compare import Matched
from dpviz.ui.theme import PROTECTED, SECOND
from dpviz.ui.view import Box, Marker

HALF, WHOLE = (450, 480), (500, 580)  # pixels that one of two maps and a map beside the table have at least
CLOSEST = 15.5  # zoom to a pair no closer than this
_CHOSEN = "pair"
_PLACE, _PLACE_NARROW, _PLACE_TELEPHONE = 205, 170, 102  # pixels of a place's column


def heading(letter: str, release: Release) -> str:
    """The symbol, the letter and the title of a release, as HTML: its name is somebody's free text."""
    colour = PROTECTED if letter == "A" else SECOND
    return (
        f"<div class='dpv-release' style='font-size:.95rem;overflow-wrap:anywhere'><img src='"
        f"{icons.diamond(letter, colour=colour)}' alt='' width='24' height='24' style='vertical-align:-6px'> "
        f"<strong>{letter}</strong> · {escape(compare.title(release))}</div>"
    )


def draw(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, way: str) -> None:
    """Two maps, or one with both; a click on a center chooses its pair."""
    chosen = _pair(match)
    if way == "one":
        _one(a, match, chosen)
    else:
        _two(a, first, b, second, match, chosen)
    _notes(a, b, arcs=way != "one")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(say.RESET, key="compare_reset", on_click=_reset, args=(a, b), icon=":material/home:")
        if chosen is not None and match.pairs:
            st.button(
                say.ZOOM_PAIR.format(number=chosen),
                key="compare_zoom",
                on_click=_zoom,
                args=(a, b, match, chosen),
                icon=":material/zoom_in:",
            )


def alone(release: Release, centers: pd.DataFrame, markers: tuple[Marker, ...]) -> None:
    """The only release on a map of its own."""
    view = replace(compare.view_of(release, centers, say.CENTER_A), centers=markers)
    camera = cache.camera(f"compare-{release.id}-alone", view.box, size=WHOLE)
    st.html(heading("A", release))
    elements.draw_map(view, camera, cache.theme(), key="compare_alone")
    _notes(release)


def _notes(*releases: Release, arcs: bool = True) -> None:
    """What the maps do not show."""
    for release, which in zip(releases, (say.A, say.B), strict=False):
        count = compare.negative_points(release)
        if count:
            st.caption(say.NEGATIVE.format(which=which, count=f"{count:,}"))
    if any(compare.are_trips(release) for release in releases):
        st.caption(say.ARCS if arcs else say.DROP_OFFS)


def _one(a: Release, match: Matched, chosen: int | None) -> None:
    view = replace(compare.overlay(a, match), ringed_number=chosen)
    elements.key_line(
        [
            (icons.diamond("", hollow=True), say.KEY_A),
            (icons.diamond("", colour=SECOND), say.KEY_B),
            (icons.legend_key("pairs", cache.theme()), say.KEY_LINE),
        ]
    )
    camera = cache.camera(f"compare-{a.id}", view.box, size=WHOLE)
    picked = picking.draw(view, camera, cache.theme(), key="compare_one", height=580, alt=compare.map_alt(view))
    _take(picked, match)


def _two(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, chosen: int | None) -> None:
    views = (
        replace(compare.view_of(a, first, say.CENTER_A), centers=match.first),
        replace(compare.view_of(b, second, say.CENTER_B), centers=(), other_centers=match.second),
    )
    for column, view, release, letter in zip(st.columns(2, gap="small"), views, (a, b), "AB", strict=True):
        with column:
            st.html(heading(letter, release))
            camera = cache.camera(_camera_name(a, b, letter), view.box, size=HALF)
            marked = replace(view, ringed_number=chosen)
            picked = picking.draw(
                marked, camera, cache.theme(), key=f"compare_{letter}", height=480, alt=compare.map_alt(view)
            )
            _take(picked, match)


def _camera_name(a: Release, b: Release, letter: str) -> str:
    """Two releases of one box share a camera, so that both maps look at the same place."""
    shared = letter == "A" or compare.comparable(a, b)
    return f"compare-{a.id if shared else b.id}-half"


def _take(picked: picking.Picked | None, match: Matched) -> None:
    if picked is None:
        return
    number = picked.row.get("n") if picked.layer in ("centers", "other-centers") else None
    if number in _numbers(match):
        cache.put(_CHOSEN, number)
        cache.put("pairs_turn", cache.get("pairs_turn", 0) + 1)  # the table starts afresh with this row ticked
    st.rerun()


def _reset(a: Release, b: Release) -> None:
    cache.move_camera(f"compare-{a.id}", compare.box_of(a), size=WHOLE)
    cache.move_camera(_camera_name(a, b, "A"), compare.box_of(a), size=HALF)
    if not compare.comparable(a, b):
        cache.move_camera(_camera_name(a, b, "B"), compare.box_of(b), size=HALF)


def _zoom(a: Release, b: Release, match: Matched, number: int) -> None:
    """Both ends of a pair in the middle of the map, as close as they allow."""
    pair = next((pair for pair in match.pairs if pair.number == number), None)
    if pair is None:
        return
    lon, lat = (pair.start[0] + pair.end[0]) / 2, (pair.start[1] + pair.end[1]) / 2
    reach = max(abs(pair.start[0] - pair.end[0]), abs(pair.start[1] - pair.end[1]), 1e-4) * 1.6
    around = Box(west=lon - reach, south=lat - reach, east=lon + reach, north=lat + reach)
    zoom = min(cache.home_camera(around, HALF).zoom, CLOSEST)
    cache.move_camera(f"compare-{a.id}", compare.box_of(a), lon, lat, zoom, size=WHOLE)
    cache.move_camera(_camera_name(a, b, "A"), compare.box_of(a), lon, lat, zoom, size=HALF)


# ---- the chosen pair -------------------------------------------------------------------------------------------


def _pair(match: Matched) -> int | None:
    """The chosen pair: the ticked row of the table, or the center clicked since."""
    turn = cache.get("pairs_turn", 0)
    ticked = st.session_state.get(f"pairs_table_{turn}")
    if ticked is not None:
        numbers = _numbers(match)
        rows = ticked["selection"]["rows"]
        cache.put(_CHOSEN, numbers[rows[0]] if rows and rows[0] < len(numbers) else None)
    chosen = cache.get(_CHOSEN)
    return chosen if chosen in _numbers(match) else None


def _numbers(match: Matched) -> list[int]:
    return sorted({marker.number for marker in (*match.first, *match.second)})


def table(match: Matched, *, narrow: bool = False) -> None:
    """The pairs; a ticked row is ringed on the maps, and a center clicked there ticks its row here.

    Beside a map (`narrow`) the places get less room, on a telephone still less, and there nothing but the places.
    """
    st.header(say.PAIRS)
    st.caption(say.PICK)
    turn, numbers = cache.get("pairs_turn", 0), _numbers(match)
    chosen = cache.get(_CHOSEN)
    rows = [numbers.index(chosen)] if chosen in numbers else []
    shown = compare_tables.pairs_table(match)
    telephone = elements.on_telephone()
    if telephone:
        shown = shown.drop(columns=[say.SERVES.format(letter=letter) for letter in "AB"])
    places = _PLACE_TELEPHONE if telephone else _PLACE_NARROW if narrow else _PLACE
    st.dataframe(
        shown,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": rows, "columns": [], "cells": []}},
        key=f"pairs_table_{turn}",
        height=min(560, 38 + 35 * len(shown)),
        column_config=_widths(list(shown.columns), places),
        alt=say.PAIRS,
    )


def _widths(columns: list[str], places: int) -> dict[str, Any]:
    """As wide as each column's content needs, so that all columns are seen at once."""
    near = {say.NEAR.format(letter=letter): st.column_config.Column(width=places) for letter in "AB"}
    serves = {say.SERVES.format(letter=letter): st.column_config.Column(width=70) for letter in "AB"}
    apart = {name: st.column_config.Column(width=70) for name in (say.APART,)}
    found = {say.PAIR: st.column_config.NumberColumn(say.PAIR, width=46)} | apart | near | serves
    return {name: config for name, config in found.items() if name in columns}
