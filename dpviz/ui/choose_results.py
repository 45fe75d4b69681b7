"""What a level costs, on screen: figures, curves, the level one can accept, further draws. Fills up by itself."""

from __future__ import annotations

from html import escape

import streamlit as st

from dpviz.privacy import LEVELS
from dpviz.ui import cache, charts, choose, elements, icons, words
from dpviz.ui.basemap import Area
from dpviz.ui.preview import Drawn, Previews, Setting, most_careful_level
from dpviz.ui.sources import Source
from dpviz.ui.state import ChooseState


def results(source: Source, chosen: ChooseState, drawn: Drawn, previews: Previews, area: Area | None) -> None:
    """Figures and curves; they fill up by themselves while further draws are made in the background."""
    complete = previews.complete(chosen.method, chosen.k)

    @st.fragment(run_every=None if complete else 1.0)
    def growing() -> None:
        previews.prepare(chosen.method, chosen.k, chosen.level)
        _figures(source, chosen, drawn, previews, area)
        if not complete and previews.complete(chosen.method, chosen.k):
            st.rerun()

    growing()


def _figures(source: Source, chosen: ChooseState, drawn: Drawn, previews: Previews, area: Area | None) -> None:
    theme = cache.theme()
    setting = Setting(method=chosen.method, k=chosen.k, level=chosen.level.number)
    st.header(words.FIGURES)
    known = previews.known(chosen.method, chosen.k)
    items = choose.figure_items(drawn, chosen.level, known, previews.repeats(setting), previews.wanted, area)
    elements.figures(items)
    series = choose.level_series(previews, chosen.method, chosen.k)
    names = [level.name for level in LEVELS]
    index = LEVELS.index(chosen.level)
    nothing: list[float | None] = [None] * len(LEVELS)
    error, size, accept = st.columns(3, gap="medium")
    with error:
        st.subheader(words.CURVE_ERROR)
        drawing = charts.curve(
            names, series["error"], series["error_low"], series["error_high"], index, theme, percent=True
        )
        told = words.curve_alt(words.CURVE_ERROR, names, series["error"], words.percent)
        st.html(icons.picture(drawing, told, max_width="520px", caption=words.CURVE_ERROR_NOTE))
    with size:
        st.subheader(words.CURVE_SIZE)
        drawing = charts.curve(names, series["size"], nothing, nothing, index, theme, percent=False)
        told = words.curve_alt(words.CURVE_SIZE, names, series["size"], words.count)
        st.html(icons.picture(drawing, told, max_width="520px", caption=words.CURVE_SIZE_NOTE))
    with accept:
        _accept(chosen, previews)
    levels = st.expander(words.TABLE_LEVELS, key="levels_open", on_change="rerun")
    if levels.open:
        levels.table(choose.levels_table(series, chosen.level), hide_index=True)
    _chance(source, chosen, previews, setting)


def _accept(chosen: ChooseState, previews: Previews) -> None:
    st.subheader(words.ACCEPT)
    with st.container(horizontal=True, vertical_alignment="center"):
        value = st.number_input(
            words.ACCEPT, min_value=0.0, value=1.0, key="accept_value", width=150, label_visibility="collapsed"
        )
        measure = st.radio(
            words.ACCEPT_MEASURE,
            ["error", "shift"],
            format_func={"error": words.ACCEPT_ERROR, "shift": words.ACCEPT_SHIFT}.get,
            key="accept_measure",
            horizontal=True,
            label_visibility="collapsed",
        )
    wanted = previews.wanted
    if not previews.complete(chosen.method, chosen.k):
        done = previews.done(chosen.method, chosen.k)
        st.markdown(words.ACCEPT_WAIT.format(done=done, wanted=wanted * len(LEVELS)))
        return
    limit = value / 100 if measure == "error" else value
    found = most_careful_level(previews, chosen.method, chosen.k, limit=limit, measure=measure)
    shown = f"{value:g} %" if measure == "error" else words.distance(value)
    meet = -(-9 * wanted // 10)
    if found is None:
        st.markdown(words.ACCEPT_NONE.format(limit=shown, meet=meet, wanted=wanted))
        return
    st.markdown(words.ACCEPT_FOUND.format(level=found.name, limit=shown, meet=meet, wanted=wanted))
    if found != chosen.level and st.button(words.ACCEPT_GO.format(level=found.name)):
        cache.put("go_to_level", found.name)
        st.rerun()


def _chance(source: Source, chosen: ChooseState, previews: Previews, setting: Setting) -> None:
    drawer = st.expander(words.CHANCE, key="chance_open", on_change="rerun")
    if not drawer.open:  # what is closed is neither drawn nor sent
        return
    with drawer:
        st.markdown(words.CHANCE_NOTE.format(wanted=previews.wanted))
        theme = cache.theme()
        cells = []
        water = ""
        if source.map is not None:
            found = source.map
            water = cache.keep(f"water-{source.id}", lambda: found.water_path(source.box, 150, 132))
        for number, draw in enumerate(previews.repeats(setting), start=1):
            if draw is None:
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
                f"<figcaption>{words.FIGURE_ERROR_SHORT} {error}</figcaption></figure>"
            )
        st.html(f"<div class='dpv-draws'>{''.join(cells)}</div>")
