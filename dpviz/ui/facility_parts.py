"""Trying out sites on screen: table, map with clickable cells, reading, remembered plans."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import streamlit as st

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError
from dpviz.releases import Release
from dpviz.ui import basemap, cache, compare, elements, facility, words
from dpviz.ui.basemap import Area, rectangle
from dpviz.ui.facility import Site
from dpviz.ui.view import Box, Marker


def draw(release: Release, k: int) -> None:
    """Sites in a table and on a map, their reach, and plans to compare."""
    st.markdown(words.FACILITY_NOTE)
    if release.raw_coreset is None or release.frame.dims != 2:
        st.info(words.COMPARE_NO_CORESET)
        return
    box = compare.box_of(release)
    left, right = st.columns([0.36, 0.64], gap="medium")
    with left:
        forbidden = _forbidden(box)
        sites = _sites(release, box, k, forbidden)
        _reading(release, sites, forbidden)
    with right:
        st.caption(words.FACILITY_CLICK)
        _site_map(release, box, sites, forbidden)
    _plans(release, sites)


def _forbidden(box: Box) -> Area | None:
    known = basemap.load()
    names = known.names_in(box) if known is not None and known.covers(box) else []
    name = st.selectbox(
        words.FACILITY_FORBIDDEN, [words.FACILITY_NOWHERE, words.FACILITY_TYPED, *names], key="forbidden"
    )
    if name == words.FACILITY_TYPED:
        text = st.text_input(words.OWN_BOX_TYPED, key="forbidden_box", placeholder="-73.98, 40.76, -73.95, 40.79")
        return _typed_area(text)
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
    return rectangle(words.FACILITY_TYPED, Box(west=box.west, south=box.south, east=box.east, north=box.north))


def _sites(release: Release, box: Box, k: int, forbidden: Area | None) -> list[Site]:
    sites: list[Site] = cache.keep(f"sites-{release.id}", list)
    turn = cache.get("sites_turn", 0)
    with st.container(horizontal=True):
        if st.button(words.FACILITY_SUGGEST.format(k=k), key="suggest"):
            _set_sites(release, facility.suggested(release, k, forbidden))
        if st.button(words.FACILITY_CLEAR, key="clear", disabled=not sites):
            _set_sites(release, [])
    edited = st.data_editor(
        facility.table_of_sites(sites),
        num_rows="dynamic",
        hide_index=True,
        key=f"sites_table_{turn}",
        column_config={
            "lon": st.column_config.NumberColumn(words.OWN_LON, format="%.5f"),
            "lat": st.column_config.NumberColumn(words.OWN_LAT, format="%.5f"),
        },
        height=min(320, 75 + 35 * max(2, len(sites))),
    )
    found = facility.sites_of_table(edited, box)
    upload = st.file_uploader(words.FACILITY_FILE, type=["geojson", "json"], key=f"sites_file_{turn}")
    if upload is not None:
        try:
            _set_sites(release, facility.from_geojson(upload.getvalue(), box))
        except DpvizError as problem:
            st.error(problem.message)
    return found


def _set_sites(release: Release, sites: list[Site]) -> None:
    """New sites from outside the table: the table starts afresh."""
    cache.put(f"sites-{release.id}", sites[: facility.MOST_SITES])
    cache.put("sites_turn", cache.get("sites_turn", 0) + 1)
    st.rerun()


def _reading(release: Release, sites: list[Site], forbidden: Area | None) -> None:
    wrong = facility.in_forbidden(sites, forbidden)
    if wrong:
        st.warning(words.FACILITY_IN_FORBIDDEN.format(numbers=", ".join(map(str, wrong))))
    found = facility.reach(release, sites)
    if found is None:
        return
    best = facility.reach(release, facility.suggested(release, len(sites), None))
    items = [
        (
            words.FACILITY_AVERAGE,
            words.distance(found.average_m),
            "" if best is None else words.FACILITY_BEST.format(k=len(sites), distance=words.distance(best.average_m)),
        ),
        (words.FACILITY_HALF, words.distance(found.median_m), ""),
        *[
            (words.FACILITY_WITHIN.format(distance=words.distance(m)), words.percent(share), "")
            for m, share in found.within[:2]
        ],
    ]
    elements.figures(items, columns=2)


def _site_map(release: Release, box: Box, sites: list[Site], forbidden: Area | None) -> None:
    view = compare.view_of(release, release.centers, words.COMPARE_CENTER_A)
    markers = tuple(
        Marker(number=number, lon=site.lon, lat=site.lat, tip=words.tip_site(number))
        for number, site in enumerate(sites, start=1)
    )
    view = replace(view, centers=(), arcs=(), sites=markers, forbidden=() if forbidden is None else forbidden.rings)
    turn = cache.get("sites_turn", 0)
    event = elements.draw_map(
        view,
        cache.camera(f"sites-{release.id}", box, size=(700, 580)),
        cache.theme(),
        key=f"site_map_{turn}",
        cells=facility.cell_rows(box),
    )
    picked = event["selection"]["objects"].get("cells", []) if event else []
    if picked:
        place = picked[0]["c"]
        _set_sites(release, [*sites, Site(lon=place[0], lat=place[1])])


def _plans(release: Release, sites: list[Site]) -> None:
    plans: list[facility.SitePlan] = cache.keep("plans", list)
    found = facility.reach(release, sites)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = st.text_input(words.FACILITY_NAME, value=words.FACILITY_PLAN.format(number=len(plans) + 1), width=220)
        if st.button(words.FACILITY_SAVE, disabled=found is None) and found is not None:
            plan = facility.SitePlan(
                name=name, sites=tuple(sites), average_m=found.average_m, release=compare.title(release)
            )
            plans.append(plan)
        st.download_button(
            words.FACILITY_DOWNLOAD,
            facility.to_geojson(sites),
            file_name="sites.geojson",
            mime="application/geo+json",
            disabled=not sites,
            on_click="ignore",
        )
    if plans:
        st.header(words.FACILITY_PLANS)
        table = pd.DataFrame(
            [
                {
                    "Plan": plan.name,
                    "Sites": len(plan.sites),
                    words.FACILITY_AVERAGE: words.distance(plan.average_m),
                    "Estimated from": plan.release,
                }
                for plan in sorted(plans, key=lambda plan: plan.average_m)
            ]
        )
        st.table(table, hide_index=True)
