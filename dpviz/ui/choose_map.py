"""The map of the page *Choose*: its legend, what is picked on it, why it may be missing, and its content as tables."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.privacy import LEVELS
from dpviz.ui import (
    cache,
    choose,
    choose_parts,
    choose_whole,
    elements,
    icons,
    picking,
    sources,
    state,
    tables,
    words,
    workspace,
)
from dpviz.ui import choose_words as say
from dpviz.ui.picking import Picked
from dpviz.ui.preview import Drawn, Outcome, Previews, Refused
from dpviz.ui.sources import Mode, Source
from dpviz.ui.state import ChooseState
from dpviz.ui.view import MapView

HEIGHT, TELEPHONE_HEIGHT = 560, 440
_MAP = "choose_map"
_LAYER_WORDS = {
    "coreset": (words.LAYER_CORESET, words.LAYER_CORESET_HELP),
    "protected": (words.LAYER_PROTECTED, words.LAYER_PROTECTED_HELP),
    "exact": (words.LAYER_EXACT, words.LAYER_EXACT_HELP),
    "pairs": (words.LAYER_PAIRS, words.LAYER_PAIRS_HELP),
    "spread": (words.LAYER_SPREAD, words.LAYER_SPREAD_HELP),
    "density": (words.LAYER_DENSITY, words.LAYER_DENSITY_HELP),
    "regions": (words.LAYER_REGIONS, words.LAYER_REGIONS_HELP),
}


def skeleton() -> DeltaGenerator:
    """The map's place, until the first map of this session is drawn."""
    st.html(icons.legend_css(cache.theme()))
    place = st.empty()
    if cache.get("map_drawn") is None:
        place.html(f"<div class='dpv-skeleton' style='height:{_height()}px'>{words.MAP_COMING}</div>")
    return place


def come(waiting: DeltaGenerator) -> None:
    """The map is there, or the reason why it is not."""
    waiting.empty()
    cache.put("map_drawn", True)


def _height() -> int:
    return TELEPHONE_HEIGHT if elements.on_telephone() else HEIGHT


def _size() -> tuple[int, int]:
    return cache.MAP_SIZE[0], _height()


@st.fragment(key=choose_parts.ANSWER)
def answer(source: Source, chosen: ChooseState, previews: Previews) -> None:
    """What the level gives: the map, or why there is none."""
    chosen = choose_parts.at_this_level(chosen)
    drawn = previews.main(choose.setting_of(chosen))
    if cache.get("legend") != _entries(drawn):
        st.rerun()  # the legend stands outside this part
    with st.container(key="choose_answer", gap="small"):
        if isinstance(drawn, Drawn):
            _panel(source, chosen, drawn)
        else:
            _no_answer(source, chosen, drawn, previews)


def _view(source: Source, chosen: ChooseState, drawn: Drawn, *, density: bool = False) -> MapView:
    """The map of a preview; those of the last few levels are kept."""
    picture = cache.keep(f"density-{source.id}", lambda: sources.density_picture(source)) if density else None
    key = (*view_key(source, chosen), density)
    return cache.recent("map-view", key, lambda: choose.map_view(source, drawn, picture))


def _panel(source: Source, chosen: ChooseState, drawn: Drawn) -> None:
    """Legend, map and the buttons that move it."""
    theme = cache.theme()
    shown = chosen.layers
    view = _view(source, chosen, drawn, density="density" in shown)
    picked = current_pick(source, chosen)
    if view.arcs:
        st.caption(words.LAYER_ARCS_NOTE)
    with st.container(key="map_area", gap="small"):
        camera = cache.camera(workspace.place(source), source.box, size=_size())
        visible = view.showing(shown).ringed(picked.center)
        content = (view_key(source, chosen), tuple(sorted(shown)), picked.center)
        click = picking.draw(visible, camera, theme, key=_MAP, height=_height(), alt=visible.alt, content=content)
        if click is not None and (found := pick_of(click, source, view)) is not None:
            cache.put("picked", (view_key(source, chosen), found))
            st.session_state["table_open"] = True
            st.rerun()
        _moves(source, view, view_key(source, chosen))
    if source.mode is not Mode.DEMONSTRATION:
        elements.watermark()
    told = view.showing(shown).told(picked.center) or picked.told
    if told:
        st.html(f"<p class='dpv-picked' role='status'>{escape(told)}</p>")


def _entries(drawn: Outcome) -> tuple[str, ...]:
    """What the legend of a preview lists."""
    if not isinstance(drawn, Drawn):
        return ()
    missing = {
        "spread": drawn.release.coreset_variances is None,
        "regions": not drawn.release.request.regions,
    }
    return tuple(name for name in _LAYER_WORDS if not missing.get(name))


def legend(source: Source, chosen: ChooseState, previews: Previews) -> None:
    """The switches of the layers. They seldom depend on the level, so a step of the slider leaves them alone.

    Without any their place stays: Streamlit knows a part by its place, and drops what is clicked in one that moved.
    """
    entries = _entries(previews.main(choose.setting_of(chosen)))
    cache.put("legend", entries)
    if not entries:
        st.empty()
        return
    with st.container(horizontal=True, gap="small", key="legend", vertical_alignment="center"):
        named = _layer_words(source)
        for name in entries:
            st.checkbox(
                named[name][0],
                value=name in state.SHOWN_AT_FIRST,
                key=f"show_{name}",
                on_change=choose_whole.only,
                args=(choose_parts.ANSWER,),
            )
        with st.popover(words.LEGEND_HELP, type="tertiary", icon=":material/help:"):
            told = [f"**{label}**: {explained}" for label, explained in named.values()]
            elements.reading(told, words.LEGEND_HELP)


def _layer_words(source: Source) -> dict[str, tuple[str, str]]:
    """Name and help of each layer. In strict mode nothing on the page is exact: all of it comes from the stand-in."""
    return _LAYER_WORDS | words.LAYERS_STRICT if source.mode is Mode.STRICT else _LAYER_WORDS


def view_key(source: Source, chosen: ChooseState) -> tuple[object, ...]:
    """What the content of the map depends on."""
    return (source.id, chosen.method, chosen.k, chosen.level.number, chosen.regions)


def _moves(source: Source, view: MapView, key: tuple[object, ...]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="map_moves"):
        st.button(
            words.RESET_VIEW,
            on_click=_reset,
            args=(source,),
            icon=":material/home:",
        )
        places = {marker.number: words.center_name(marker.number, marker.place) for marker in view.centers}
        st.selectbox(
            words.ZOOM_TO,
            [marker.number for marker in view.centers],
            index=None,
            placeholder=words.ZOOM_CHOOSE,
            format_func=lambda number: places[number],
            key="zoom_to",
            label_visibility="collapsed",
            width=250,
            on_change=_zoom,
            args=(source, view, key),
        )


def _reset(source: Source) -> None:
    cache.put("picked", None)
    st.session_state["zoom_to"] = None
    cache.move_camera(workspace.place(source), source.box, size=_size())
    choose_whole.only(choose_parts.ANSWER, choose_parts.DRAWERS)


def _zoom(source: Source, view: MapView, key: tuple[object, ...]) -> None:
    wanted = st.session_state.get("zoom_to")
    cache.put("picked", (key, Pick(center=wanted)))
    for marker in view.centers:
        if marker.number == wanted:
            zoom = cache.home_camera(source.box, _size()).zoom + 2.2
            cache.move_camera(workspace.place(source), source.box, marker.lon, marker.lat, zoom, size=_size())
            break
    else:
        cache.move_camera(workspace.place(source), source.box, size=_size())
    choose_whole.only(choose_parts.ANSWER, choose_parts.DRAWERS)


@dataclass(frozen=True, kw_only=True)
class Pick:
    """What the curator pointed at: a pair of centers, or a coreset point and with it a neighbourhood."""

    center: int | None = None
    place: str | None = None
    told: str = ""


def pick_of(click: Picked, source: Source, view: MapView) -> Pick | None:
    """What a click hit. Partners share a number, so a center of either kind means the pair."""
    if click.layer in ("centers", "exact-centers"):
        return Pick(center=int(click.row["n"]))
    dots = view.dots
    if click.layer == "coreset" and dots is not None and 0 <= click.index < len(dots):
        at = slice(click.index, click.index + 1)
        (place,) = source.namer(dots.lon[at], dots.lat[at])
        return Pick(place=place or say.ELSEWHERE, told=dots.tips[click.index])
    return None


def current_pick(source: Source, chosen: ChooseState) -> Pick:
    """What is picked on the map that is shown now; another map starts anew."""
    found = cache.get("picked")
    return found[1] if found is not None and found[0] == view_key(source, chosen) else Pick()


def _no_answer(source: Source, chosen: ChooseState, refused: Refused, previews: Previews) -> None:
    """Why this level has no answer, and the ways out."""
    known = previews.known(chosen.method, chosen.k)
    answering = [level for level in LEVELS if isinstance(known.get(level.number), Drawn)]
    nowhere = len(known) == len(LEVELS) and not answering
    with st.container(border=True, key="no_answer"):
        st.subheader(words.NO_ANSWER.format(level=chosen.level.name))
        st.markdown(say.NO_ANSWER_WHY.format(reason=words.REASONS.get(refused.reason, refused.reason).rstrip(".")))
        st.markdown(say.TOO_SMALL if nowhere else say.NO_ANSWER_HELP)
        with st.container(horizontal=True):
            if chosen.method != state.AUTO:
                wanted = {"method": state.AUTO}
                st.button(say.NO_ANSWER_AUTO, type="primary", on_click=choose_whole.go_to, args=(wanted,))
            nearest = min(answering, key=lambda level: abs(level.number - chosen.level.number), default=None)
            cache.put("way_out", nearest is not None)
            if nearest is not None:
                wanted = {"level": nearest.name}
                st.button(say.ACCEPT_GO.format(level=nearest.name), on_click=choose_whole.go_to, args=(wanted,))
    if source.mode is not Mode.DEMONSTRATION:
        st.caption(words.WATERMARK)


def way_out_found(chosen: ChooseState, previews: Previews) -> bool:
    """Whether this level has no answer, was shown without a level to go to, and the background has found one since."""
    known = previews.known(chosen.method, chosen.k)
    return (
        cache.get("way_out") is False
        and isinstance(known.get(chosen.level.number), Refused)
        and any(isinstance(outcome, Drawn) for outcome in known.values())
    )


def as_tables(source: Source, chosen: ChooseState, previews: Previews) -> None:
    """The content of the map as tables."""
    drawn = previews.main(choose.setting_of(chosen))
    if not isinstance(drawn, Drawn):
        return
    drawer = st.expander(say.TABLE, key="table_open", on_change="rerun")
    if not drawer.open:
        return
    view = _view(source, chosen, drawn)
    with drawer:
        st.subheader(say.TABLE_CENTERS)
        st.caption(say.TABLE_PICK)
        picked = current_pick(source, chosen)
        numbers = [marker.number for marker in view.centers]
        chosen_row = numbers.index(picked.center) if picked.center in numbers else None
        tables.show(choose.centers_table(view, picked.center), caption=say.TABLE_CENTERS, chosen=chosen_row)
        places = cache.recent("places", view_key(source, chosen), lambda: choose.places_table(view, source))
        if len(places):
            st.subheader(say.TABLE_PLACES)
            names = list(places.iloc[:, 0])
            chosen_row = names.index(picked.place) if picked.place in names else None
            shown = choose.with_arrow(places, picked.place)
            tables.show(shown, caption=say.TABLE_PLACES, chosen=chosen_row, numbers=list(places.columns[1:]))
