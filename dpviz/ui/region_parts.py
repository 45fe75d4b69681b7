"""The popover *Stricter places* of the page Choose: names, a level, a file, and what they promise."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from dpviz.errors import DpvizError
from dpviz.privacy import LEVELS, Level, Region
from dpviz.ui import cache, regions, state
from dpviz.ui.sources import Source

STARTS_AT = LEVELS[5]


def choose(source: Source, level: Level) -> tuple[Region, ...]:
    """The regions that the curator wants, whatever the level of the rest; none where they are not proved."""
    with st.popover(regions.TITLE, width="stretch"):
        if not regions.possible(source.exact_data):
            st.markdown(regions.NOT_HERE)
            return ()
        st.markdown(regions.HELP)
        found = source.map
        offered = regions.names(found, source.box)
        chosen = st.multiselect(regions.NAMES, offered, key="region_names") if offered else []
        inside = state.level_named(
            st.selectbox(
                regions.LEVEL, [other.name for other in LEVELS], index=LEVELS.index(STARTS_AT), key="region_level"
            )
        )
        opened = st.expander(regions.FILE, key="region_file_open", on_change="rerun", expanded=not offered)
        file = opened.file_uploader(
            regions.FILE,
            type=["geojson", "json"],
            key="region_file",
            help=regions.FILE_HELP,
            label_visibility="collapsed",
        )
        try:
            named = () if found is None else regions.by_name(chosen, found, inside)
            filed = () if file is None else _read(file, inside)
            wanted = regions.together(named, filed)
        except DpvizError as problem:
            st.error(problem.message)
            wanted = ()
        for sentence in regions.told(wanted, level, source.unit):
            st.markdown(f"- {sentence}")
    return wanted


def chosen_names(wanted: Sequence[Region]) -> None:
    """Which places have a stricter level, for as long as the popover is closed."""
    if wanted:
        st.caption(regions.CHOSEN.format(names=", ".join(region.name for region in wanted)))


def _read(file: st.runtime.uploaded_file_manager.UploadedFile, level: Level) -> tuple[Region, ...]:
    key = (file.file_id, level.number)
    return cache.last("region-file", key, lambda: regions.from_file(file.getvalue(), level))
