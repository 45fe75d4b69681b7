"""The frame and the controls of the page *Choose*: mode, slider and odds, data, method, publishing.

What depends on the level is drawn by parts of their own. A step of the slider draws these again and nothing else:
title, controls, legend and slider stay as they are, in the browser too, which is where most of a step's time goes.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError
from dpviz.privacy import LEVELS
from dpviz.ui import (
    cache,
    choose_whole,
    elements,
    methods,
    own_data,
    publishing,
    region_parts,
    sources,
    state,
    words,
    workspace,
)
from dpviz.ui import choose_words as say
from dpviz.ui.basemap import Area, rectangle
from dpviz.ui.preview import Drawn
from dpviz.ui.sources import MODE_CLASSES, MODE_WORDS, Mode, Source
from dpviz.ui.state import ChooseState
from dpviz.ui.view import Box


def frame() -> tuple[DeltaGenerator, DeltaGenerator, DeltaGenerator, DeltaGenerator]:
    """Title, and the places of the mode, the slider, the map and the other controls.

    On a wide screen the map stands right of slider and controls; on a telephone it comes between them (theme.py).
    """
    st.title(say.CHOOSE_TITLE)
    head = st.container(key="choose_head", gap=None)
    with st.container(key="choose_frame", gap=None):
        dial = st.container(key="choose_dial", gap="small")
        picture = st.container(key="choose_picture", gap="small")
        rest = st.container(key="choose_rest", gap="small")
    return head, dial, picture, rest


# The parts of the page that a level changes, as they are named for Streamlit, in the order of their drawing.
ODDS, ANSWER, FIGURES, CURVES, DRAWERS, DETAILS = (
    "part_odds",
    "part_answer",
    "part_figures",
    "part_curves",
    "part_drawers",
    "part_details",
)
SLIDER = "part_slider"  # where the level is chosen: drawn again by nothing but the whole page
OPENED = {  # the keys of what opens, and where it stands
    "levels_open": DRAWERS,
    "chance_open": DRAWERS,
    "table_open": DRAWERS,
    "details_open": DETAILS,
}


def _another_level() -> None:
    """A step of the slider: what it changes, and nothing that is closed.

    While places with a stricter level are chosen, the list of them names the level too, as a dialog does that was just
    asked for: then the whole page is drawn.
    """
    if cache.get("stricter_places") or elements.open_dialog() is not None:
        st.rerun()
    opened = {part for key, part in OPENED.items() if st.session_state.get(key)}
    choose_whole.only(ODDS, ANSWER, FIGURES, CURVES, *sorted(opened))


def at_this_level(chosen: ChooseState) -> ChooseState:
    """The state with the level and the layers as they are now: a part may be drawn without the rest of its page."""
    choose_whole.complete()
    now = state.parse(cache.values())
    return replace(chosen, level=now.level, layers=now.layers)


def read_state() -> ChooseState:
    """The state as the widgets hold it, after a move that a button asked for."""
    if cache.get("opened_own"):
        st.session_state["data"] = "own"
        cache.put("opened_own", None)
    choose_whole.gone_to()
    return state.parse(cache.values(), methods=methods.names())


def mode(source: Source) -> None:
    """Which mode the page is in, and what looks like a mistake in the curator's file."""
    title, text = MODE_WORDS[source.mode]
    if source.mode is Mode.DEMONSTRATION:
        text = words.MODE_DEMO_DATA.format(title=source.title, number=f"{source.exact_data.exact_total:,}")
    elements.banner((title, text), MODE_CLASSES[source.mode])
    for hint in source.notes:
        st.warning(words.sentence(hint))


def dial(source: Source, chosen: ChooseState) -> None:
    """The slider and what it means."""
    _slider(source)
    _odds(source, chosen)


@st.fragment(key=SLIDER)
def _slider(source: Source) -> None:
    """A part of its own, so that a step is no run of the whole page: one that is begun stops the clocks of all parts
    that fill up by themselves, also when it is cut short at once.
    """
    st.select_slider(
        say.LEVEL_QUESTION,
        [level.name for level in LEVELS],
        value=state.DEFAULT_LEVEL.name,
        key="level",
        bind="query-params",
        help=say.LEVEL_HELP.format(unit=source.unit),
        on_change=_another_level,
    )
    st.html(elements.slider_ends(len(LEVELS)))


@st.fragment(key=ODDS)
def _odds(source: Source, chosen: ChooseState) -> None:
    guarantee = methods.guarantee_of(source, at_this_level(chosen).level, chosen.method)
    elements.odds(guarantee, source.record, cache.theme())


def controls(source: Source) -> ChooseState:
    """Everything else that is chosen, and the two ways on."""
    _data(source)
    if source.id.startswith(sources.CITY):
        one, two = st.columns(2, gap="small")
        with one:
            _hours()
        with two:
            _watched(source)
    else:
        _watched(source)
    one, two = st.columns(2, gap="small")
    with one:
        _clusters()
    with two:
        _method(source)
    chosen = read_state()
    one, two = st.columns(2, gap="small")
    with one:
        chosen = replace(chosen, regions=region_parts.choose(source, chosen.level))
    with two:
        _details(source, chosen)
    cache.put("stricter_places", bool(chosen.regions))
    region_parts.chosen_names(chosen.regions)
    st.button(
        words.PUBLISH, type="primary", width="stretch", icon=":material/publish:", on_click=_ask, args=("publish",)
    )
    st.button(say.OWN_DATA, width="stretch", icon=":material/folder_open:", on_click=_ask, args=("own",))
    if elements.open_dialog() == "publish":
        publishing.open_dialog(source, chosen)
    elif elements.open_dialog() == "own":
        own_data.open_dialog()
    return chosen


def _ask(name: str) -> None:
    cache.put("published", None)
    choose_whole.open_dialog(name)


def _clusters() -> None:
    st.number_input(
        say.CLUSTERS,
        min_value=1,
        max_value=state.MOST_CLUSTERS,
        value=state.DEFAULT_K,
        key="k",
        bind="query-params",
        help=say.CLUSTERS_HELP,
    )


def _method(source: Source) -> None:
    st.selectbox(
        say.METHOD,
        [state.AUTO, *methods.offered(source.exact_data)],
        format_func=methods.title,
        key="method",
        bind="query-params",
        help=say.METHOD_HELP,
    )


def _hours() -> None:
    hours = [state.ALL_DAY, *range(24)]
    st.selectbox(
        say.HOURS,
        hours,
        index=hours.index(state.DEFAULT_HOUR),
        format_func=lambda hour: say.HOURS_ALL if hour == state.ALL_DAY else words.hour(hour),
        key="hour",
        help=say.HOURS_NOTE,
    )


@st.fragment(key=DETAILS)
def _details(source: Source, chosen: ChooseState) -> None:
    chosen = at_this_level(chosen)
    drawer = st.popover(say.DETAILS, width="stretch", key="details_open", on_change="rerun")
    if not drawer.open:
        return
    previews = workspace.previews(source, chosen.regions)
    with drawer:
        known = previews.known(chosen.method, chosen.k).get(chosen.level.number)
        used = known.release.method if isinstance(known, Drawn) else None
        elements.reading(methods.details(chosen, source, used), say.DETAILS)


def _data(source: Source) -> None:
    own = workspace.own_source()
    names = {**say.DATA_CHOICES, "own": say.DATA_CHOICES["own"].format(name="" if own is None else own.title)}
    options = [name for name in names if name != "own" or own is not None]
    st.selectbox(say.DATA, options, format_func=lambda name: names[name], key="data")
    if source.id.startswith(sources.CITY):
        st.segmented_control(
            say.DAYS,
            state.DAYS,
            default=state.DEFAULT_DAYS,
            required=True,
            format_func=lambda days: say.DAYS_NAMES[days],
            key="days",
            help=say.DAYS_HELP,
            width="stretch",
        )


def _watched(source: Source) -> None:
    names = list(source.map.boroughs) if source.map is not None else []
    if names:
        st.selectbox(
            say.WATCHED,
            names,
            index=names.index("Manhattan") if "Manhattan" in names else 0,
            key="watched",
            help=say.WATCHED_HELP,
        )
    else:
        box = source.box
        example = f"{box.west:g}, {box.south:g}, {box.middle[0]:g}, {box.middle[1]:g}"
        st.text_input(
            say.WATCHED, key="watched_box", placeholder=example, help=say.WATCHED_HELP + " " + say.WATCHED_TYPE
        )


def watched_area(source: Source, chosen: ChooseState) -> Area | None:
    """The area to keep an eye on."""
    found = source.map
    if found is None:
        return _typed_area(chosen.watched_box)
    if chosen.watched not in found.boroughs:
        return None
    return cache.keep(f"area-{chosen.watched}", lambda: found.borough(chosen.watched))


def _typed_area(text: str) -> Area | None:
    """A rectangle that the curator typed; half-typed ones are no area yet."""
    try:
        box = GeoBox.parse(text)
    except DpvizError:
        return None
    return rectangle(say.WATCHED_TYPED, Box(west=box.west, south=box.south, east=box.east, north=box.north))
