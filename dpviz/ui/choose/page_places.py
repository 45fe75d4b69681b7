"""The popover *Stricter places* of the page Choose: names, a level, a file, and what they promise."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.language.speaking import as_now, told
from dpviz.privacy import LEVELS, Region, level_by_name
from dpviz.ui import stage
from dpviz.ui.session import regions, state
from dpviz.ui.session.session import Session, theme
from dpviz.ui.session.sources import Source

STARTS_AT = level_by_name("Strict")


def choose(session: Session, source: Source) -> None:
    """The regions that the curator wants, whatever the level of the rest; none where they are not proved."""
    with st.popover(regions.TITLE, width="stretch"):
        if not regions.possible(source.exact_data):
            st.markdown(regions.why_not(source.exact_data))
            session.choose(regions=())
            return
        st.markdown(regions.HELP)
        wanted: tuple[Region, ...] = ()
        try:
            wanted = _wanted(session, source)
        except DpvizError as problem:
            st.error(problem.message)
        for sentence in regions.told(wanted, session.chosen.level, source.unit):
            st.markdown(f"- {sentence}")
    session.choose(regions=wanted)


def _wanted(session: Session, source: Source) -> tuple[Region, ...]:
    found = source.map
    offered = regions.names(found, source.box)
    names: list[str] = []
    if offered:
        names = st.multiselect(
            regions.NAMES,
            offered,
            default=[name for name in session.place_names if name in offered],
            key=session.key("region_names"),
            on_change=session.changed,
        )
        session.place_names = tuple(names)
    level = st.selectbox(
        regions.LEVEL,
        [other.name for other in LEVELS],
        index=LEVELS.index(session.place_level or STARTS_AT),
        format_func=as_now(told),
        key=session.key("region_level"),
        on_change=session.changed,
    )
    session.place_level = state.level_named(level)
    opened = st.expander(regions.FILE, key="region_file_open", on_change="rerun", expanded=not offered)
    opened.file_uploader(
        regions.FILE,
        type=["geojson", "json"],
        key="region_file",
        help=regions.FILE_HELP.format(levels=len(LEVELS)),
        label_visibility="collapsed",
        on_change=_take_file,
        args=(session,),
    )
    content, inside = session.place_file, session.place_level
    filed: tuple[Region, ...] = ()
    if content is not None:
        filed = session.recent("region-file", (content, inside), lambda: regions.from_file(content, inside), most=1)
    with st.expander(regions.DRAWN, key="region_draw_open", on_change="rerun") as drawing:
        if drawing.open:
            drawn = (
                source.id,
                stage.draw_areas(source.box, theme().name, key=session.key(f"region_drawn_{source.id}")),
            )
            if drawn != session.place_drawn:
                session.place_drawn = drawn
                session.changed()
    of_data, rings = session.place_drawn
    if rings and of_data == source.id:
        filed = (*filed, *regions.from_file(stage.as_geojson(rings).encode("utf-8"), inside))
    named = () if found is None else regions.by_name(names, found, inside)
    return regions.together(named, filed)


def _take_file(session: Session) -> None:
    """The file stays until another one is given or it is taken away, also when another page was visited meanwhile."""
    given = st.session_state.get("region_file")
    session.place_file = None if given is None else given.getvalue()
    session.changed()


def chosen_names(wanted: Sequence[Region]) -> None:
    """Which places have a stricter level, for as long as the popover is closed."""
    if wanted:
        st.caption(regions.CHOSEN.format(names=", ".join(region.name for region in wanted)))
