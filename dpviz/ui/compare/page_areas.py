"""Counts by area on screen: which areas, their table with ranges, the same on the map, and flows of trips."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from dpviz.domain.trip_ends import end_names
from dpviz.labels import sentences
from dpviz.language.speaking import as_now, told as _
from dpviz.questions.areas import NEIGHBOURHOODS, Tiles
from dpviz.questions.counts import count_all
from dpviz.questions.geojson_areas import areas_of_text
from dpviz.releases.release import Release
from dpviz.releases.spreadsheets import csv_of_table
from dpviz.ui import stage
from dpviz.ui.compare import areas, logic, words as say
from dpviz.ui.compare.areas import Counts
from dpviz.ui.map.view import MapView
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.session import shared_results
from dpviz.ui.session.session import current_session, current_theme

_NAME, _NAME_OF_TWO, _NAME_TELEPHONE = 250, 195, 150  # pixels of a place's column
MOST_COLUMNS = 24  # parts that a table has room for
_NUMBER, _HEADED = 76, 112  # of a number's, and of one whose heading is longer


def draw(a: Release, b: Release, whole: Release | None = None) -> None:
    """Areas of release A; of B beside it where both can be asked. `whole`: the release that A is a part of."""
    st.markdown(
        _(
            "How many records lie in an area, read off release A at no cost to privacy. "
            "Each number has a range that holds the truth 9 times out of 10."
        )
    )
    st.caption(sentences.OF_FILE)
    if not logic.on_a_map(a):
        st.info(say.NO_MAP)
        return
    if a.protected_cells is None:
        st.info(say.AREAS_NO_CELLS)
        return
    wanted, end, compared = _asked(a, a.id != b.id and logic.comparable(a, b) and b.protected_cells is not None)
    if wanted is None:
        return
    shares = bool(a.whole) and a.whole == b.whole  # two parts differ in size: their shares are compared
    found = elements.show_errors(
        lambda: [
            _counts(a, wanted, end),
            *([_counts(one, wanted, end, shares=shares) for one in (a, b)] if compared else []),
        ]
    )
    if found is None:
        return
    counts = found[0]
    left, right = st.columns([0.54, 0.46], gap="medium")
    with right:
        _map(a, "areas_map", shades=areas.shades_of(counts))
        st.caption(
            _("The stronger the colour of an area, the more records on the same ground. Point at it to read its range.")
        )
        if len(counts.zones) > areas.MOST_DRAWN:
            st.caption(
                _("The map draws the first {most} areas; the table has all of them.").format(
                    most=words.count(areas.MOST_DRAWN)
                )
            )
    with left:
        if compared:
            _against(found[1], found[2], shares=shares)
        else:
            _table(a, counts)
    if a.frame.dims == 4:
        _flows(a, counts)
    if whole is not None and whole.request.parts is not None and len(whole.request.parts.names) <= MOST_COLUMNS:
        _by_part(whole, counts)


def _by_part(whole: Release, counts: Counts) -> None:
    """Who is where: the share of every part in every area."""
    st.header(_("Of 100 records of an area, how many are in each part"))
    st.caption(_("In brackets what holds the truth 9 times out of 10. Where that is wide, the number says little."))
    table = areas.parts_by_area(whole, counts.zones)
    tables.show_sortable(table, height=min(520, 38 + 35 * max(1, len(table))), key="areas_parts", alt=say.AREAS_TABLE)
    elements.draw_download(say.SAVE_TABLE, csv_of_table(table), "areas-by-part.csv", key="save_areas-by-part.csv")


def _asked(release: Release, both: bool) -> tuple[Any, str | None, bool]:
    """Which areas, which end of trips, and whether B stands beside A."""
    named = [NEIGHBOURHOODS] if areas.has_names(release) else []
    kinds = [*named, areas.SQUARES, areas.HEXAGONS, areas.OWN, areas.DRAWN]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind = elements.choose(st.selectbox, _("Areas"), {name: say.AREAS_KINDS[name] for name in kinds}, width=260)
        wanted: Any = NEIGHBOURHOODS
        if kind in (areas.SQUARES, areas.HEXAGONS):
            width = st.selectbox(_("Width"), areas.WIDTHS_M, index=2, format_func=as_now(words.distance), width=130)
            wanted = Tiles(kind=kind, size=float(width))
        end = None
        if release.frame.dims == 4:
            ends = {name: say.ENDS_OF_TRIPS.get(name, name) for name in end_names(release.frame)}
            first, last = ends
            end = elements.choose(
                st.segmented_control, _("Counted at the"), ends, default=last, required=True, key=f"areas_end_{first}"
            )
        compared = both and st.toggle(_("Beside release B"), key="areas_compared")
    if kind == areas.OWN:
        wanted = _own()
    if kind == areas.DRAWN:
        rings = stage.draw_areas(logic.box_of(release), current_theme().name, key=f"areas_drawn_{release.frame.low}")
        wanted = stage.as_geojson(rings) if rings else None
    return wanted, end, bool(compared)


def _own() -> Any:
    """Polygons from a file."""
    file = st.file_uploader(
        _("Areas (GeoJSON polygons, longitude and latitude)"),
        type=["geojson", "json"],
        key="areas_file",
        max_upload_size=32,
        width=520,
    )
    if file is None or elements.show_errors(lambda: areas_of_text(file.getvalue())) is None:
        return None
    return file.getvalue().decode("utf-8-sig")


def _counts(release: Release, wanted: Any, end: str | None, *, shares: bool = False) -> Counts:
    if isinstance(wanted, str) and wanted != NEIGHBOURHOODS:  # somebody's own outlines stay in their session
        return current_session().recent(
            "area-counts",
            (release.id, wanted, end, shares),
            lambda: areas.counts_of(release, wanted, end, shares=shares),
            most=6,
        )
    about = (wanted if isinstance(wanted, str) else repr(wanted), end, shares)
    return shared_results.get_or_make(
        "area-counts", [release], about, lambda: areas.counts_of(release, wanted, end, shares=shares), most=16
    )


def _table(release: Release, counts: Counts) -> None:
    total = count_all(release)
    about, low, high = (words.whole(number) for number in (total.estimate, total.low, total.high))
    st.caption(
        _(
            "All areas together and the rest of the box: about {about} ({low} to {high}). Click a column to sort."
        ).format(about=about, low=low, high=high)
    )
    _shown(areas.tell_counts(counts.table, total.estimate), "areas_table", say.AREAS_TABLE)
    with st.container(horizontal=True):
        elements.draw_download(say.SAVE_TABLE, csv_of_table(counts.table), "areas.csv", key="save_areas.csv")
        elements.draw_download(
            _("Download the areas with their counts"),
            areas.geojson_of(counts),
            "areas.geojson",
            key="save_areas.geojson",
        )


def _against(counts: Counts, other: Counts, *, shares: bool = False) -> None:
    if shares:
        st.caption(_("Of 100 records of A and of 100 of B, how many are in the area."))
    table = areas.compare_counts(counts.table, other.table, shares=shares)
    differ, known = areas.count_apart(table)
    expected = words.count(round(0.1 * known))
    st.caption(
        _(
            "{apart} of {all} areas are a range apart. Noise alone would put about "
            "{expected} there, were A and B of the same records."
        ).format(apart=words.count(differ), all=words.count(known), expected=expected)
    )
    _shown(table, "areas_against", say.AREAS_TABLE)
    elements.draw_download(say.SAVE_TABLE, csv_of_table(table), "areas-a-and-b.csv", key="save_areas-a-and-b.csv")


def _shown(table: pd.DataFrame, key: str, alt: str) -> None:
    """A table that can be sorted by each column; names get the room they need, and no column stands empty."""
    table = table.drop(columns=[name for name in (say.AREA_NOTE,) if name in table and not any(table[name])])
    config: dict[str, Any] = {
        name: st.column_config.NumberColumn(
            name, format="localized", width=_HEADED if name in (say.AREA_SHARE, say.AREA_NOISE) else _NUMBER
        )
        for name in [name for name in table.columns if pd.api.types.is_numeric_dtype(table[name].dtype)]
    }
    places = [name for name in (say.AREA, say.FLOW_FROM, say.FLOW_TO) if name in table]
    wide = _NAME_TELEPHONE if elements.on_telephone() else _NAME if len(places) == 1 else _NAME_OF_TWO
    config |= {name: st.column_config.TextColumn(name, width=wide) for name in places}
    tables.show_sortable(table, height=min(520, 38 + 35 * max(1, len(table))), column_config=config, key=key, alt=alt)


def _map(release: Release, key: str, **shown: Any) -> None:
    view = MapView(box=logic.box_of(release), place=logic.title(release), **shown)
    stage.draw_map(view, current_theme(), key=key, options=stage.MapOptions(place=f"areas-{release.id}"))


def _flows(release: Release, counts: Counts) -> None:
    """Trips between these areas: arcs and an origin–destination table."""
    st.header(say.FLOWS)
    if len(counts.zones) > areas.MOST_FLOW_AREAS:
        st.info(
            _("Flows are told between at most {most} areas. Choose larger ones.").format(most=areas.MOST_FLOW_AREAS)
        )
        return
    with st.spinner(_("Adding up the trips between all areas …")):
        key = (release.id, tuple(zone.name for zone in counts.zones))
        found = current_session().recent("flows", key, lambda: areas.flows_of(release, counts.zones), most=4)
    if found is None:
        st.info(say.AREAS_NO_CELLS)
        return
    arcs = areas.arcs_of(found, counts.zones)
    left, right = st.columns([0.54, 0.46], gap="medium")
    with left:
        st.caption(_("From where to where, with ranges. Largest first; click a column to sort."))
        _shown(areas.tell_flows(found.head(2000)), "flows_table", say.FLOWS)
        elements.draw_download(say.SAVE_TABLE, csv_of_table(found), "flows.csv", key="save_flows.csv")
    with right:
        _map(release, "flows_map", flows=arcs)
        st.caption(
            _(
                "The {count} largest flows that are more than noise, from violet to magenta. "
                "Point at an arc to read it."
            ).format(count=len(arcs))
            if arcs
            else _("No flow between two of these areas is more than noise. Choose larger areas.")
        )
