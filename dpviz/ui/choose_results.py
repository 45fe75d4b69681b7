"""What a level costs, on screen: figures, curves, the level one can accept, further draws. Fills up by itself."""

from __future__ import annotations

from html import escape

import streamlit as st

from dpviz.privacy import LEVELS, Level
from dpviz.ui import (
    cache,
    charts,
    choose,
    choose_map,
    choose_parts,
    choose_whole,
    elements,
    forecasts,
    icons,
    sources,
    state,
    tables,
    words,
)
from dpviz.ui import choose_words as say
from dpviz.ui.basemap import Area
from dpviz.ui.draws import MOST, Limit
from dpviz.ui.preview import Drawn, Previews, Setting
from dpviz.ui.sources import Mode, Source
from dpviz.ui.state import ChooseState

LITTLE = 0.001  # added error that nobody sees


def figures(
    previews: Previews, setting: Setting, level: Level, drawn: Drawn, area: Area | None
) -> tuple[list[tuple[str, str, str]], str]:
    """The figures, and the warning where they are mostly chance."""
    known = previews.known(setting.method, setting.k)
    draws = previews.repeats(setting)[: previews.wanted]
    items = choose.figure_items(drawn, level, known, draws, previews.wanted, area)
    return items, choose.mostly_chance(drawn, known)


def strip(source: Source, chosen: ChooseState, previews: Previews, area: Area | None) -> None:
    """The four figures below the map; their bands fill up while further draws are made in the background."""

    @st.fragment(key=choose_parts.FIGURES, run_every=None if previews.complete(chosen.method, chosen.k) else 1.0)
    def growing() -> None:
        now = choose_parts.at_this_level(chosen)
        setting = choose.setting_of(now)
        drawn = previews.main(setting)
        if not isinstance(drawn, Drawn):
            return
        name = None if area is None else area.name
        key = (choose_map.view_key(source, now), previews.version, name)
        items, told = cache.recent("figures", key, lambda: figures(previews, setting, now.level, drawn, area))
        elements.figures(items, columns=len(items))
        if told:
            st.warning(told)

    growing()


def curves(source: Source, chosen: ChooseState, previews: Previews, *, settled: bool) -> None:
    """Error and size over the levels, and which level one can accept."""
    st.header(say.LEVELS_COMPARED)
    with st.container(key="curves"):
        pictures, accept = st.columns([2, 1], gap="medium")
    with accept:
        _limits()

    @st.fragment(key=choose_parts.CURVES, run_every=None if settled else 1.0)
    def growing() -> None:
        now = choose_parts.at_this_level(chosen)
        previews.prepare(now.method, now.k, now.level, _limit())
        series = _series(source, now, previews)
        with pictures:
            key = (choose_map.view_key(source, now), previews.version, cache.theme().name)
            st.html(cache.recent("curves", key, lambda: _pictures(now, previews, series)))
        _accept(source, now, previews, series["error"])
        news = settled != is_settled(chosen, previews) or choose_map.way_out_found(now, previews)
        if news and elements.open_dialog() is None:
            st.rerun()

    with accept:
        growing()


def drawers(source: Source, chosen: ChooseState, previews: Previews, *, settled: bool) -> None:
    """What is drawn and sent only while it is open: the levels and the map as tables, further draws."""

    @st.fragment(key=choose_parts.DRAWERS, run_every=None if settled else 1.0)
    def growing() -> None:
        now = choose_parts.at_this_level(chosen)
        levels = st.expander(say.TABLE_LEVELS, key="levels_open", on_change="rerun")
        if levels.open:
            with levels:
                shown = choose.levels_table(_series(source, now, previews), now.level)
                tables.show(shown, caption=say.TABLE_LEVELS, chosen=LEVELS.index(now.level))
        _chance(source, now, previews)
        choose_map.as_tables(source, now, previews)

    growing()


def is_settled(chosen: ChooseState, previews: Previews) -> bool:
    """Whether the background has nothing to add. Asked before anything is drawn from what it has: what comes while the
    page is being drawn must find somebody who waits for it.
    """
    answer = previews.accepted(chosen.method, chosen.k, _limit())
    return answer.undecided is None and previews.complete(chosen.method, chosen.k)


Series = dict[str, list[float | None]]


def _series(source: Source, chosen: ChooseState, previews: Previews) -> Series:
    """The numbers of the curves; the same for all levels until there are further draws."""
    key = (source.id, chosen.regions, chosen.method, chosen.k, previews.version)
    return cache.recent("series", key, lambda: choose.level_series(previews, chosen.method, chosen.k), most=4)


def _pictures(chosen: ChooseState, previews: Previews, series: Series) -> str:
    """Both curves as one piece of HTML: a step of the slider sends it again, and the browser has one piece to draw."""
    theme = cache.theme()
    names = [level.name for level in LEVELS]
    index = LEVELS.index(chosen.level)
    nothing: list[float | None] = [None] * len(LEVELS)
    gap = say.CURVE_GAP if 0 < sum(size is None for size in series["size"]) < len(LEVELS) else ""
    note = say.NO_CURVE if len(previews.known(chosen.method, chosen.k)) == len(LEVELS) else "…"
    error = charts.curve(
        names, series["error"], series["error_low"], series["error_high"], index, theme, percent=True, note=note
    )
    size = charts.curve(names, series["size"], nothing, nothing, index, theme, percent=False, note=note)
    shown = (
        (say.CURVE_ERROR, error, words.curve_alt(say.CURVE_ERROR, names, series["error"], words.percent)),
        (say.CURVE_SIZE, size, words.curve_alt(say.CURVE_SIZE, names, series["size"], words.count)),
    )
    notes = (say.CURVE_ERROR_NOTE + gap, say.CURVE_SIZE_NOTE + gap)
    parts = [
        f"<section><h3>{escape(title)}</h3>{icons.picture(drawing, told, max_width='520px', caption=note)}</section>"
        for (title, drawing, told), note in zip(shown, notes, strict=True)
    ]
    return f"<div class='dpv-curves'>{''.join(parts)}</div>"


def _limit() -> Limit:
    """What the curator can accept, as typed."""
    measure = str(st.session_state.get("accept_measure") or "error")
    value = float(st.session_state.get("accept_value", 1.0))
    return Limit(measure=measure, value=value / 100 if measure == "error" else value)


def _limits() -> None:
    """Where the curator says what they can accept; outside the part that a level changes."""
    st.subheader(say.ACCEPT)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.number_input(
            say.ACCEPT,
            min_value=0.0,
            value=1.0,
            key="accept_value",
            width=150,
            label_visibility="collapsed",
        )
        st.radio(
            say.ACCEPT_MEASURE,
            ["error", "shift"],
            format_func={"error": say.ACCEPT_ERROR, "shift": say.ACCEPT_SHIFT}.get,
            key="accept_measure",
            horizontal=True,
            label_visibility="collapsed",
        )


def _accept(source: Source, chosen: ChooseState, previews: Previews, errors: list[float | None]) -> None:
    """Which level keeps the limit, and the other end of the trade."""
    limit = _limit()
    answer = previews.accepted(chosen.method, chosen.k, limit)
    shown = f"{100 * limit.value:g}\u00a0%" if limit.measure == "error" else words.distance(limit.value)
    if answer.undecided is not None:
        told = say.ACCEPT_WAIT.format(level=answer.undecided.name, done=answer.done, wanted=MOST)
        st.html(icons.progress(answer.done / MOST, told))
    elif answer.level is None:
        st.markdown(say.ACCEPT_NONE.format(limit=shown))
    else:
        st.markdown(say.ACCEPT_FOUND.format(level=answer.level.name, limit=shown))
        if answer.level == chosen.level:
            st.caption(say.ACCEPT_HERE)
        else:
            _button(say.ACCEPT_GO.format(level=answer.level.name), level=answer.level.name)
    _scale(source, chosen, errors)
    if forecast := forecasts.told(source, chosen):
        st.markdown(forecast)


def _scale(source: Source, chosen: ChooseState, errors: list[float | None]) -> None:
    """The other end of the trade: fewer trips where privacy costs nothing, more where it does."""
    if not source.id.startswith(sources.CITY):
        return
    known = [error for error in errors if error is not None]
    if source.days == state.DAYS[-1] and known and max(known) < LITTLE:
        st.html(f"<p class='dpv-aside'>{say.SCALE_MONTH}</p>")
        _button(say.SCALE_TO_DAY, ":material/nightlight:", days=state.DEFAULT_DAYS, hour=state.DEFAULT_HOUR)
    elif source.days == state.DAYS[0]:
        st.html(f"<p class='dpv-aside'>{say.SCALE_DAY}</p>")
        _button(say.SCALE_TO_MONTH, ":material/calendar_month:", days=state.DAYS[-1])


def _button(label: str, icon: str | None = None, **wanted: object) -> None:
    """A button that sets controls."""
    st.button(label, icon=icon, on_click=choose_whole.go_to, args=(wanted,))


def _chance(source: Source, chosen: ChooseState, previews: Previews) -> None:
    drawer = st.expander(say.CHANCE, key="chance_open", on_change="rerun")
    if not drawer.open:  # what is closed is neither drawn nor sent
        return
    setting = choose.setting_of(chosen)
    with drawer:
        note = say.CHANCE_NOTE_STRICT if source.mode is Mode.STRICT else say.CHANCE_NOTE
        st.markdown(note.format(wanted=previews.wanted))
        theme = cache.theme()
        cells = []
        water = ""
        if source.map is not None:
            found = source.map
            water = cache.keep(
                f"water-{source.id}", lambda: found.water_path(source.box, 150, charts.small_height(source.box, 150))
            )
        for number, draw in enumerate(previews.repeats(setting)[: previews.wanted], start=1):
            if draw is None or draw.coreset is None:
                continue
            drawing = charts.small_map(
                source.box,
                draw.coreset[:, -3],
                draw.coreset[:, -2],
                draw.coreset[:, -1],
                [(float(x), float(y)) for x, y in draw.centers[:, -2:]],
                water,
                theme,
            )
            error = words.percent(draw.exact_error)
            alt = words.CHANCE_ALT.format(number=number, points=f"{draw.size:,}", k=len(draw.centers), error=error)
            cells.append(
                f"<figure style='margin:0'><img src='{icons.data_uri(drawing)}' alt='{escape(alt, quote=True)}'>"
                f"<figcaption>{say.FIGURE_ERROR_SHORT} {error}</figcaption></figure>"
            )
        st.html(f"<div class='dpv-draws'>{''.join(cells)}</div>")
