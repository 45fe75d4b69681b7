"""A and B on maps, their pairs in a table, and one chosen pair that both of them show."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.language.speaking import told as _
from dpviz.releases.release import Release
from dpviz.ui import stage
from dpviz.ui.compare import logic, pair_tables, words as say
from dpviz.ui.compare.logic import Matched
from dpviz.ui.map import counted, layers
from dpviz.ui.map.view import MapView, Marker
from dpviz.ui.page_parts import elements, icons, tables, words
from dpviz.ui.page_parts.theme import PROTECTED, SECOND
from dpviz.ui.session import shared_results
from dpviz.ui.session.session import current_session, current_theme

_TOGETHER, _KEYS = "compare", ("compare_one", "compare_A", "compare_B")
_PLACE, _PLACE_NARROW, _PLACE_TELEPHONE = 205, 170, 102  # pixels of a place's column


@dataclass(kw_only=True)
class Picked:
    """The pair of centers that is chosen, in the table or on a map, and what each of them has told."""

    number: int | None = None
    rows: tuple[int, ...] = ()  # that are ticked in the table
    picks: dict[str, int] = field(default_factory=dict)  # by map: how often something was picked there
    table_turn: int = 0  # how often a map has chosen: the table starts afresh
    maps_turn: int = 0  # how often the table has chosen: the maps obey
    drawn_as: str | None = None  # cells or dots
    asked: tuple[int, str, str] | None = None  # how many centers, which they keep small, one map or two


def format_heading(letter: str, release: Release) -> str:
    """The symbol, the letter and the title of a release, as HTML: its name is somebody's free text."""
    colour = PROTECTED if letter == "A" else SECOND
    return (
        f"<div class='dpv-release' style='font-size:.95rem;overflow-wrap:anywhere'><img src='"
        f"{icons.diamond(letter, colour=colour)}' alt='' width='24' height='24' style='vertical-align:-6px'> "
        f"<strong>{letter}</strong> · {escape(logic.title(release))}</div>"
    )


def draw(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, way: str, about: Hashable
) -> None:
    """Two maps, or one with both; a click on a center chooses its pair. `about`: what the centers answer."""
    if way == "one":
        elements.key_line(
            [
                (icons.diamond("", hollow=True), _("Centers of A")),
                (icons.diamond("", colour=SECOND), _("Centers of B")),
                (layers.legend_key("pairs", current_theme()), _("how far apart")),
            ]
        )
        data = shared_results.get_or_make(
            "map-one",
            [a, b],
            (about, *_shown(match)),
            lambda: _encoded(logic.lay_over(a, match), match, "compare_one", f"compare-{a.id}"),
        )
        stage.draw_encoded(data, key="compare_one", height=580)
    else:
        _two(a, first, b, second, match, about)
    _notes(a, b, two=way != "one")


def draw_alone(release: Release, centers: pd.DataFrame, markers: tuple[Marker, ...]) -> None:
    """The only release on a map of its own."""
    view = add_ground(replace(logic.view_of(release, centers, say.CENTER_A), centers=markers), release)
    st.html(format_heading("A", release))
    options = stage.MapOptions(place=f"compare-{release.id}-alone")
    stage.draw_map(view, current_theme(), key="compare_alone", height=580, options=options)
    _notes(release)


def choose_drawing(*releases: Release) -> None:
    """Whether ground or points are drawn; ground where there are many points, until somebody says otherwise."""
    able = [release for release in releases if release.protected_cells is not None and logic.on_a_map(release)]
    if not able:
        return
    current_session().part(Picked).drawn_as = elements.choose(
        st.segmented_control, _("Shown as"), say.DRAWN_AS, default="cells", required=True, key="drawn_as"
    )


def add_ground(view: MapView, release: Release) -> MapView:
    """What the release counted instead of its points, where that is asked for."""
    if current_session().part(Picked).drawn_as != "cells":
        return view
    found = _counted(release)
    return view if found is None else replace(view, dots=None, counted=found.picture)


def _counted(release: Release) -> counted.Counted | None:
    theme = current_theme()
    return shared_results.get_or_make(
        "counted", [release], theme.name, lambda: counted.counted(release, logic.box_of(release), theme)
    )


def _key_of(release: Release) -> str | None:
    """What the colours of the ground say, in one line."""
    if current_session().part(Picked).drawn_as != "cells" or not logic.on_a_map(release):
        return None
    if logic.are_trips(release):
        return _("The stronger the colour, the more trips end there. Flows between areas are under “{tab}”.").format(
            tab=say.TABS["areas"]
        )
    found = _counted(release)
    if found is None:
        return None
    numbers = {"least": words.count(found.begins[0]), "most": words.count(found.begins[-1])}
    return words.GROUND_KEY.format(record=_("record"), **numbers)


def _notes(*releases: Release, two: bool = True) -> None:
    """What maps do not show, and what their colours say where they agree; one map (not `two`) shows centers alone."""
    for release, which in zip(releases, (say.A, say.B), strict=False):
        count = logic.negative_points(release)
        if count:
            st.caption(
                _(
                    "{count} points of {which} weigh less than nothing: they take back what their "
                    "neighbours count too much. The map leaves them out; all estimates count them."
                ).format(which=which, count=words.whole(count))
            )
    keys = {_key_of(release) for release in releases} if two else set()
    for told in filter(None, keys if len(keys) == 1 else ()):
        st.caption(told)
    if any(logic.are_trips(release) for release in releases):
        st.caption(
            _("Each arc runs from the pick-up to the drop-off end of a group of trips.")
            if two
            else _("The diamonds stand at the drop-off ends of the trips; the table tells both ends.")
        )


def _two(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, match: Matched, about: Hashable) -> None:
    views: tuple[Callable[[], MapView], ...] = (
        lambda: add_ground(replace(logic.view_of(a, first, say.CENTER_A), centers=match.first), a),
        lambda: add_ground(replace(logic.view_of(b, second, say.CENTER_B), centers=(), other_centers=match.second), b),
    )
    together = logic.comparable(a, b)  # two releases of one box are looked at by one camera
    for column, view, release, letter in zip(st.columns(2, gap="small"), views, (a, b), "AB", strict=True):
        place = f"compare-{a.id if together else release.id}-half"
        with column:
            _map(view, match, f"compare_{letter}", place, (a, b, about))
            told = _key_of(release)
            if told is not None and told != _key_of(b if letter == "A" else a):
                st.caption(told)


def _map(
    view: Callable[[], MapView], match: Matched, key: str, place: str, of: tuple[Release, Release, Hashable]
) -> None:
    """One of the two maps: it shows the pair that is chosen in the table or on the other one."""
    a, b, about = of
    data = shared_results.get_or_make(key, [a, b], (about, *_shown(match)), lambda: _encoded(view(), match, key, place))
    stage.draw_encoded(data, key=key, height=480)


def _shown(match: Matched) -> tuple[Hashable, ...]:
    """What a map depends on beside the releases and the centers: appearance, points or ground, the chosen pair."""
    picked = current_session().part(Picked)
    return current_theme().name, picked.drawn_as, _pair(match), picked.maps_turn


def _encoded(view: MapView, match: Matched, key: str, place: str) -> bytes:
    options = stage.MapOptions(
        alt=logic.map_alt(view),
        place=place,
        together=_TOGETHER,
        picked=_pair(match),
        spots=stage.spots_of(replace(view, other_pairs=match.pairs)),
    )
    return stage.encoded(view, current_theme(), key=key, options=options, turn=current_session().part(Picked).maps_turn)


# ---- the chosen pair -------------------------------------------------------------------------------------------


def read_picks(match: Matched) -> None:
    """Before anything is drawn: the row of the table that was ticked, or the center that was picked on a map since."""
    numbers = _numbers(match)
    picked = current_session().part(Picked)
    ticked = st.session_state.get(f"pairs_table_{picked.table_turn}")
    rows = tuple(ticked["selection"]["rows"]) if ticked is not None else picked.rows
    if rows != picked.rows:
        picked.number = numbers[rows[0]] if rows and rows[0] < len(numbers) else None
        picked.maps_turn += 1
    picked.rows = rows
    for key in _KEYS:
        heard = stage.read_heard(key)
        is_new = heard.picks != picked.picks.get(key, 0)
        picked.picks[key] = heard.picks
        if not is_new or heard.turn != picked.maps_turn:
            continue
        picked.number = heard.center
        picked.table_turn += 1  # it starts afresh with this row ticked
        picked.rows = (numbers.index(heard.center),) if heard.center in numbers else ()


def _pair(match: Matched) -> int | None:
    chosen = current_session().part(Picked).number
    return chosen if chosen in _numbers(match) else None


def _numbers(match: Matched) -> list[int]:
    return sorted({marker.number for marker in (*match.first, *match.second)})


def draw_pairs(match: Matched, *, narrow: bool = False) -> None:
    """The pairs; a ticked row is ringed on the maps, and a center clicked there ticks its row here.

    Beside a map (`narrow`) the places get less room, on a telephone still less, and there nothing but the places.
    """
    st.header(say.PAIRS)
    st.caption(_("Tick a row, or click a center on the map."))
    picked, numbers = current_session().part(Picked), _numbers(match)
    rows = [numbers.index(picked.number)] if picked.number in numbers else []
    shown = pair_tables.pairs_table(match)
    telephone = elements.on_telephone()
    if telephone:
        shown = shown.drop(columns=[say.SERVES.format(letter=letter) for letter in "AB"])
    tables.show_sortable(
        shown,
        on_select="rerun",
        selection_mode="single-row",
        selection_default={"selection": {"rows": rows, "columns": [], "cells": []}},
        key=f"pairs_table_{picked.table_turn}",
        height=min(560, 38 + 35 * len(shown)),
        column_config=_widths(
            list(shown.columns), _PLACE_TELEPHONE if telephone else _PLACE_NARROW if narrow else _PLACE
        ),
        alt=say.PAIRS,
    )


def _widths(columns: list[str], places: int) -> dict[str, Any]:
    """As wide as each column's content needs, so that all columns are seen at once."""
    widths = {say.APART: 70}
    for letter in "AB":
        widths |= {say.NEAR.format(letter=letter): places, say.SERVES.format(letter=letter): 70}
    found = {name: st.column_config.Column(width=width) for name, width in widths.items() if name in columns}
    return {say.PAIR: st.column_config.NumberColumn(say.PAIR, width=46), **found}
