"""Trying out sites on screen: table, map with clickable cells, reading, remembered plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError
from dpviz.releases import Release
from dpviz.ui import basemap, cache, compare, elements, facility, picking, state, tables, words
from dpviz.ui import compare_words as say
from dpviz.ui.basemap import Area, rectangle
from dpviz.ui.facility import Demand, Reach, Site, SitePlan
from dpviz.ui.view import Box, Marker

_SIZE = (590, 560)  # pixels that the map has at least


def draw(release: Release, k: int) -> None:
    """Sites in a table and on a map, their reach, and plans to compare."""
    st.markdown(say.SITES_NOTE)
    if not compare.on_a_map(release):
        st.info(say.SITES_NO_MAP)
        return
    end = _end() if compare.are_trips(release) else "drop-off"
    demand = facility.demand_of(release, end)
    if demand is None:
        st.info(say.SITES_NO_POINTS)
        return
    left, right = st.columns([0.36, 0.64], gap="medium")
    with left:
        above, table, more = st.container(), st.container(), st.expander(say.MORE)
    with more:
        forbidden = _forbidden(demand.box)
        _file(demand)
    with above:
        _buttons(demand, k, forbidden)
    with table:
        sites = _table(demand)
    with right:
        _reading(demand, sites, forbidden)
        _site_map(demand, sites, forbidden)
    _plans(demand, sites)


def _end() -> str:
    chosen = st.segmented_control(
        say.END, list(say.ENDS), format_func=lambda end: say.ENDS[end], default="drop-off", required=True, key="end"
    )
    return str(chosen)


# ---- the sites -------------------------------------------------------------------------------------------------


def _kept(demand: Demand) -> list[Site]:
    sites: list[Site] = cache.keep(f"sites-{demand.name}", list)
    return sites


def _set_sites(demand: Demand, sites: Sequence[Site]) -> None:
    """New sites from outside the table: the table starts afresh."""
    cache.put(f"sites-{demand.name}", list(sites)[: facility.MOST_SITES])
    cache.put("sites_turn", cache.get("sites_turn", 0) + 1)
    st.rerun()


def _now(demand: Demand) -> list[Site]:
    """The sites with what was typed into the table since."""
    found: list[Site] = cache.get(f"typed-{demand.name}", _kept(demand))
    return found


def _buttons(demand: Demand, k: int, forbidden: Area | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        wanted = st.number_input(
            say.HOW_MANY, min_value=1, max_value=facility.MOST_SITES, value=min(k, state.MOST_CLUSTERS), width=130
        )
        if st.button(say.SUGGEST, key="suggest", type="primary"):
            _set_sites(demand, facility.suggested(demand, int(wanted), forbidden))
        if st.button(say.CLEAR, key="clear", disabled=not _now(demand)):
            _set_sites(demand, [])
    known = basemap.load()
    names = known.names_in(demand.box) if known is not None and known.covers(demand.box) else []
    if not names or known is None:
        return
    turn = cache.get("sites_turn", 0)
    name = st.selectbox(
        say.ADD_NEAR, names, index=None, placeholder=say.ADD_NEAR_PLACEHOLDER, key=f"near_{demand.name}_{turn}"
    )
    if name is not None:
        place = next(place for place in known.neighbourhoods if place.name == name)
        _set_sites(demand, [*_now(demand), Site(lon=place.label[0], lat=place.label[1])])


def _table(demand: Demand) -> list[Site]:
    st.caption(say.CLICK)
    sites, turn = _kept(demand), cache.get("sites_turn", 0)
    edited = st.data_editor(
        facility.table_of_sites(sites, compare.namer_of(demand.box)),
        num_rows="dynamic",
        hide_index=True,
        key=f"sites_table_{demand.name}_{turn}",
        column_config={
            "site": st.column_config.NumberColumn(say.SITE, disabled=True, width=40),
            "near": st.column_config.TextColumn(say.SITE_NEAR, disabled=True, width=100),
            "lon": st.column_config.NumberColumn(say.SITE_LON, help=say.SITE_LON_HELP, format="%.4f", width=80),
            "lat": st.column_config.NumberColumn(say.SITE_LAT, help=say.SITE_LAT_HELP, format="%.4f", width=80),
        },
        column_order=["site", "near", "lon", "lat"],
        height=min(318, 75 + 35 * max(1, len(sites))),
    )
    found, outside = facility.sites_of_table(edited, demand.box)
    if outside:
        st.warning(say.OUTSIDE_ONE if outside == 1 else say.OUTSIDE_MORE.format(count=outside))
    if len(found) >= facility.MOST_SITES:
        st.caption(say.TOO_MANY.format(most=facility.MOST_SITES))
    cache.put(f"typed-{demand.name}", found)
    return found


def _file(demand: Demand) -> None:
    upload = st.file_uploader(
        say.FILE, type=["geojson", "json"], key=f"sites_file_{cache.get('sites_turn', 0)}", max_upload_size=5
    )
    if upload is None:
        return
    try:
        sites = facility.from_geojson(upload.getvalue(), demand.box)
    except DpvizError as problem:
        st.error(problem.message)
        return
    _set_sites(demand, sites)


# ---- the forbidden area ----------------------------------------------------------------------------------------


def _forbidden(box: Box) -> Area | None:
    known = basemap.load()
    names = known.names_in(box) if known is not None and known.covers(box) else []
    name = st.selectbox(say.FORBIDDEN, [say.NOWHERE, say.TYPED, *names], key="forbidden")
    if name == say.TYPED:
        middle = [box.west, box.south, *box.middle]
        example = ", ".join(f"{number:.2f}" for number in middle)
        return _typed_area(st.text_input(say.TYPED_BOX, key="forbidden_box", placeholder=example))
    if known is None or name not in names:
        return None
    return known.neighbourhood(name)


def _typed_area(text: str) -> Area | None:
    if not text.strip():
        return None
    try:
        box = GeoBox.parse(text)
    except DpvizError as problem:
        st.error(problem.message)
        return None
    return rectangle(say.TYPED, Box(west=box.west, south=box.south, east=box.east, north=box.north))


# ---- reading ---------------------------------------------------------------------------------------------------


def _good_reach(demand: Demand, k: int, forbidden: Area | None) -> Reach | None:
    """The reach of the suggested plan of so many sites."""
    known: dict[Any, Reach | None] = cache.keep("good_reach", dict)
    area = "" if forbidden is None else f"{forbidden.name} {forbidden.box}"
    key = (demand.name, k, area)
    if key not in known:
        if len(known) > 200:
            known.clear()
        known[key] = facility.reach(demand, facility.suggested(demand, k, forbidden))
    return known[key]


def _reading(demand: Demand, sites: list[Site], forbidden: Area | None) -> None:
    wrong = facility.in_forbidden(sites, forbidden)
    if wrong:
        told = say.IN_FORBIDDEN_ONE if len(wrong) == 1 else say.IN_FORBIDDEN_MORE
        st.warning(told.format(numbers=", ".join(map(str, wrong))))
    found = facility.reach(demand, sites)
    if found is None:
        st.info(say.NO_SITES)
        return
    good = _good_reach(demand, len(sites), forbidden)
    note = ""
    if good is not None:
        worse = found.average_m > 1.005 * good.average_m
        note = say.GOOD_PLAN.format(k=len(sites), distance=words.distance(good.average_m)) if worse else ""
        note = note or say.GOOD_PLAN_NOW
    items = [(say.AVERAGE_WAY, words.distance(found.average_m), note)]
    items.append((say.HALF_WITHIN, words.distance(found.median_m), ""))
    items += [
        (say.WITHIN.format(distance=f"{m} m" if m < 1000 else f"{m / 1000:g} km"), words.percent(share), "")
        for m, share in found.within
    ]
    elements.figures(items)


@lru_cache(maxsize=8)
def _cells(box: Box) -> list[dict[str, Any]]:
    return facility.cell_rows(box)


def _site_map(demand: Demand, sites: list[Site], forbidden: Area | None) -> None:
    release = demand.release
    places = compare.namer_of(demand.box)([site.lon for site in sites], [site.lat for site in sites])
    markers = tuple(
        Marker(number=number, lon=site.lon, lat=site.lat, tip=say.tip_site(number, place))
        for number, (site, place) in enumerate(zip(sites, places, strict=True), start=1)
    )
    view = replace(
        compare.demand_view(release, demand.raw, demand.weights, demand.box),
        sites=markers,
        forbidden=() if forbidden is None else forbidden.polygons,
    )
    camera = cache.camera(f"sites-{demand.name}", demand.box, size=_SIZE)
    picked = picking.draw(
        view, camera, cache.theme(), key="site_map", height=560, alt=view.alt, cells=_cells(demand.box)
    )
    if picked is None:
        return
    if picked.layer == "cells":
        place = picked.row["c"]
        _set_sites(demand, [*sites, Site(lon=place[0], lat=place[1])])
    st.rerun()


# ---- plans -----------------------------------------------------------------------------------------------------


def _plans(demand: Demand, sites: list[Site]) -> None:
    plans: list[SitePlan] = cache.keep("plans", list)
    found = facility.reach(demand, sites)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        default = say.PLAN.format(number=cache.get("plans_made", 0) + 1)
        name = st.text_input(say.PLAN_NAME, value=default, width=220, max_chars=60, key=f"plan_{default}")
        if st.button(say.REMEMBER, disabled=found is None, icon=":material/bookmark_add:") and found is not None:
            plan = SitePlan(
                name=name.strip() or default,
                sites=tuple(sites),
                reach=found,
                demand=demand.name,
                release=compare.title(demand.release),
            )
            plans.append(plan)
            cache.put("plans_made", cache.get("plans_made", 0) + 1)
            st.rerun()
        st.download_button(
            say.SAVE_SITES,
            facility.to_geojson(sites),
            file_name="sites.geojson",
            mime="application/geo+json",
            disabled=not sites,
            on_click="ignore",
            icon=":material/download:",
        )
    if not plans:
        return
    st.header(say.PLANS)
    ranked = sorted(plans, key=lambda plan: plan.reach.average_m)
    tables.show(_plan_table(ranked), caption=say.PLANS, numbers=say.PLAN_COLUMNS[1:5])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.selectbox(
            say.PLAN_CHOOSE,
            range(len(ranked)),
            format_func=lambda at: ranked[at].name,
            key=f"plan_of_{len(plans)}",
            width=260,
        )
        if st.button(say.PLAN_OPEN, key="plan_open", disabled=ranked[at].demand != demand.name):
            _set_sites(demand, ranked[at].sites)
        if st.button(say.PLAN_FORGET, key="plan_forget"):
            plans.remove(ranked[at])
            st.rerun()


def _plan_table(plans: Sequence[SitePlan]) -> pd.DataFrame:
    rows = [
        (
            plan.name,
            str(len(plan.sites)),
            words.distance(plan.reach.average_m),
            words.distance(plan.reach.median_m),
            words.percent(dict(plan.reach.within)[1000]),
            plan.release,
        )
        for plan in plans
    ]
    return pd.DataFrame(rows, columns=list(say.PLAN_COLUMNS))
