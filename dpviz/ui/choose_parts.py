"""The parts of the page *Choose*: controls, map, figures, curves, tables, further draws."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError
from dpviz.privacy import LEVELS
from dpviz.ui import (
    cache,
    choose,
    elements,
    icons,
    methods,
    own_data,
    publishing,
    region_parts,
    sources,
    state,
    words,
    workspace,
)
from dpviz.ui.basemap import Area, rectangle
from dpviz.ui.preview import Drawn, Previews, Refused
from dpviz.ui.sources import Mode, Source
from dpviz.ui.state import ChooseState
from dpviz.ui.view import Box, MapView

_LAYER_WORDS = {
    "coreset": (words.LAYER_CORESET, words.LAYER_CORESET_HELP),
    "protected": (words.LAYER_PROTECTED, words.LAYER_PROTECTED_HELP),
    "exact": (words.LAYER_EXACT, words.LAYER_EXACT_HELP),
    "pairs": (words.LAYER_PAIRS, words.LAYER_PAIRS_HELP),
    "spread": (words.LAYER_SPREAD, words.LAYER_SPREAD_HELP),
    "density": (words.LAYER_DENSITY, words.LAYER_DENSITY_HELP),
}


def read_state() -> ChooseState:
    """The state as the widgets hold it, after a move that a button asked for."""
    if cache.get("opened_own"):
        st.session_state["data"] = "own"
        cache.put("opened_own", None)
    wanted = cache.get("go_to_level")
    if wanted is not None:
        st.session_state["level"] = wanted
        cache.put("go_to_level", None)
    return state.parse(cache.values(), methods=methods.names())


def hints(source: Source) -> None:
    """What looks like a mistake in the curator's file, in words without numbers."""
    for hint in source.notes:
        st.warning(hint)


def controls(source: Source) -> ChooseState:
    """The left column."""
    _data()
    name = st.select_slider(
        words.LEVEL_QUESTION,
        [level.name for level in LEVELS],
        value=state.DEFAULT_LEVEL.name,
        key="level",
        bind="query-params",
        help=words.LEVEL_HELP.format(unit=source.unit),
    )
    st.html(f"<div class='dpv-ends'><span>← {words.LESS_PRIVATE}</span><span>{words.MORE_PRIVATE} →</span></div>")
    level = state.level_named(name)
    elements.odds(level.epsilon, source.unit, cache.theme())
    one, two = st.columns(2)
    with one:
        st.number_input(
            words.CLUSTERS,
            min_value=1,
            max_value=state.MOST_CLUSTERS,
            value=state.DEFAULT_K,
            key="k",
            bind="query-params",
            help=words.CLUSTERS_HELP,
        )
    with two:
        offered = [state.AUTO, *methods.offered(source.exact_data)]
        st.selectbox(
            words.METHOD,
            offered,
            format_func=methods.title,
            key="method",
            bind="query-params",
            help=words.METHOD_HELP,
        )
    if source.id.startswith(sources.CITY):
        three, four = st.columns(2)
        with three:
            st.selectbox(
                words.HOURS,
                [None, *range(24)],
                format_func=lambda hour: words.HOURS_ALL if hour is None else words.hour(hour),
                key="hour",
                help=words.HOURS_NOTE,
            )
        with four:
            _watched(source)
    else:
        _watched(source)
    chosen = read_state()
    chosen = replace(chosen, regions=region_parts.choose(source, chosen.level))
    previews = workspace.previews(source, chosen.regions)
    with st.popover(words.DETAILS, width="stretch"):
        known = previews.known(chosen.method, chosen.k).get(chosen.level.number)
        used = known.release.method if isinstance(known, Drawn) else None
        st.markdown(methods.details(chosen, source, used))
    if st.button(words.PUBLISH, type="primary", width="stretch", icon=":material/publish:"):
        cache.put("published", None)
        publishing.open_dialog(source, chosen)
    if st.button(words.OWN_DATA, width="stretch", icon=":material/folder_open:"):
        own_data.open_dialog()
    return chosen


def _data() -> None:
    own = workspace.own_source()
    names = {**words.DATA_CHOICES, "own": words.DATA_CHOICES["own"].format(name="" if own is None else own.title)}
    options = [name for name in names if name != "own" or own is not None]
    st.selectbox(words.DATA, options, format_func=lambda name: names[name], key="data")


def _watched(source: Source) -> None:
    names = list(source.map.boroughs) if source.map is not None else []
    if names:
        st.selectbox(
            words.WATCHED,
            names,
            index=names.index("Manhattan") if "Manhattan" in names else 0,
            key="watched",
            help=words.WATCHED_HELP,
        )
    else:
        box = source.box
        example = f"{box.west:g}, {box.south:g}, {box.middle[0]:g}, {box.middle[1]:g}"
        st.text_input(
            f"{words.WATCHED}: {words.OWN_BOX_TYPED_SHORT}",
            key="watched_box",
            placeholder=example,
            help=words.WATCHED_HELP,
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
    return rectangle(words.WATCHED_TYPED, Box(west=box.west, south=box.south, east=box.east, north=box.north))


def map_panel(source: Source, chosen: ChooseState, drawn: Drawn) -> MapView:
    """Legend, map and the buttons that move it."""
    theme = cache.theme()
    st.html(icons.legend_css(theme))
    with st.container(horizontal=True, gap="small", key="legend", vertical_alignment="center"):
        for name, (label, _explained) in _LAYER_WORDS.items():
            if name == "exact" and source.mode is Mode.STRICT:
                label = words.LAYER_EXACT_STRICT
            if name == "density" and source.mode is Mode.STRICT:
                label = words.LAYER_DENSITY_STRICT
            if name == "spread" and drawn.release.coreset_variances is None:
                continue
            st.checkbox(label, value=name in state.SHOWN_AT_FIRST, key=f"show_{name}")
        with st.popover(words.LEGEND_HELP, type="tertiary", icon=":material/help:"):
            st.markdown("\n".join(f"- **{label}**: {explained}" for label, explained in _LAYER_WORDS.values()))
    shown = state.parse(cache.values()).layers
    density = None
    if "density" in shown:
        density = cache.keep(f"density-{source.id}", lambda: sources.density_picture(source))
    view = cache.last(
        "map-view",
        (*view_key(source, chosen), density is not None),
        lambda: choose.map_view(source, drawn, density),
    )
    visible = view.showing(shown)
    if view.arcs:
        st.caption(words.LAYER_ARCS_NOTE)
    with st.container(key="map_area"):
        elements.draw_map(visible, cache.camera(workspace.place(source), source.box), theme, key="choose_map")
    if source.mode is not Mode.DEMONSTRATION:
        elements.watermark()
    _moves(source, view)
    return view


def view_key(source: Source, chosen: ChooseState) -> tuple[object, ...]:
    """What the content of the map depends on."""
    return (source.id, chosen.method, chosen.k, chosen.level.number, chosen.regions)


def _moves(source: Source, view: MapView) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button(
            words.RESET_VIEW,
            on_click=cache.move_camera,
            args=(workspace.place(source), source.box),
            icon=":material/home:",
        )
        options = [None, *[marker.number for marker in view.centers]]
        places = {marker.number: words.center_name(marker.number, marker.place) for marker in view.centers}
        st.selectbox(
            words.ZOOM_TO,
            options,
            format_func=lambda number: words.ZOOM_CHOOSE if number is None else places[number],
            key="zoom_to",
            label_visibility="collapsed",
            width=320,
            on_change=_zoom,
            args=(source, view),
        )


def _zoom(source: Source, view: MapView) -> None:
    wanted = st.session_state.get("zoom_to")
    for marker in view.centers:
        if marker.number == wanted:
            zoom = cache.home_camera(source.box).zoom + 2.2
            cache.move_camera(workspace.place(source), source.box, marker.lon, marker.lat, zoom)
            return
    cache.move_camera(workspace.place(source), source.box)


def no_answer(chosen: ChooseState, refused: Refused, previews: Previews) -> None:
    """Why this level has no answer, and the way out."""
    reason = words.REASONS.get(refused.reason, refused.reason)
    with st.container(border=True):
        st.markdown("**" + words.NO_ANSWER.format(level=chosen.level.name, reason=reason) + "**")
        st.markdown(words.NO_ANSWER_HELP)
        if chosen.method != state.AUTO:
            st.button(words.NO_ANSWER_AUTO, on_click=_use_auto, type="primary")
        known = previews.known(chosen.method, chosen.k)
        if len(known) == len(LEVELS) and all(isinstance(found, Refused) for found in known.values()):
            st.markdown(words.TOO_SMALL)


def _use_auto() -> None:
    st.session_state["method"] = state.AUTO


def tables(source: Source, chosen: ChooseState, view: MapView) -> None:
    """The content of the map as tables."""
    drawer = st.expander(words.TABLE, key="table_open", on_change="rerun")
    if not drawer.open:
        return
    with drawer:
        st.subheader(words.TABLE_CENTERS)
        st.table(choose.centers_table(view), hide_index=True)
        places = cache.last("places", view_key(source, chosen), lambda: choose.places_table(view, source))
        if len(places):
            st.subheader(words.TABLE_PLACES)
            st.table(places, hide_index=True)
