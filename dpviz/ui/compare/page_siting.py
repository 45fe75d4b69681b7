"""Trying out sites on screen: table, map with clickable cells, reading, remembered plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pandas as pd
import streamlit as st

from dpviz.domain import GeoBox
from dpviz.labels import sentences
from dpviz.language.speaking import figures, told as _
from dpviz.releases.release import Release
from dpviz.ui import stage
from dpviz.ui.compare import logic, siting, words as say
from dpviz.ui.compare.siting import Demand, PlanRanges, Reach, Site, SitePlan
from dpviz.ui.map import city_map, counted, surroundings
from dpviz.ui.map.city_map import Area, Basemap, rectangle
from dpviz.ui.map.view import Box, Marker
from dpviz.ui.page_parts import elements, tables, words
from dpviz.ui.session import shared_results, state
from dpviz.ui.session.session import current_session, current_theme


@dataclass(kw_only=True)
class Sites:
    """Sites that are tried out, by the name of the demand, and remembered plans."""

    given: dict[str, list[Site]] = field(default_factory=dict)  # what the table starts with
    typed: dict[str, list[Site]] = field(default_factory=dict)  # with what was typed into it since
    turn: int = 0  # how often the table started afresh
    plans: list[SitePlan] = field(default_factory=list)
    plans_made: int = 0


def draw(release: Release, k: int) -> None:
    """Sites in a table and on a map, their reach, and plans to compare."""
    st.markdown(
        _(
            "Place sites such as pharmacies or charging points and read how far the records are from the nearest one. "
            "Everything is estimated from release A alone and costs no privacy."
        )
    )
    if not logic.on_a_map(release):
        st.info(_("Release A is no map of places, so there is nowhere to put a site. Choose another release as A."))
        return
    end = "drop-off"
    if logic.are_trips(release):
        end = elements.choose(
            st.segmented_control, _("Way to a site from"), say.ENDS, default=end, required=True, key="end"
        )
    demand = siting.demand_of(release, end)
    if demand is None:
        st.info(
            _(
                "Release A holds centers only, no points, so distances to sites cannot be estimated from it. Choose "
                "another release as A."
            )
        )
        return
    with st.container(key="compared_sites"):
        left, right = st.columns([0.43, 0.57], gap="medium")
    with left:
        above, table, more = st.container(), st.container(), st.expander(_("Area without sites, and sites from a file"))
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


# ---- the sites -------------------------------------------------------------------------------------------------


def _set_sites(demand: Demand, sites: Sequence[Site]) -> None:
    """New sites from outside the table: the table starts afresh."""
    kept = current_session().part(Sites)
    kept.given[demand.name] = list(sites)[: siting.MOST_SITES]
    kept.turn += 1
    st.rerun()


def _now(demand: Demand) -> list[Site]:
    """The sites with what was typed into the table since."""
    kept = current_session().part(Sites)
    return kept.typed.get(demand.name, kept.given.get(demand.name, []))


def _buttons(demand: Demand, k: int, forbidden: Area | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        wanted = st.number_input(
            _("How many sites"),
            min_value=1,
            max_value=siting.MOST_SITES,
            value=min(k, state.MOST_CLUSTERS),
            width=130,
            help=_("Besides those that stand already"),
        )
        if st.button(_("Suggest sites"), key="suggest", type="primary"):
            standing = [site for site in _now(demand) if site.stands]
            _set_sites(demand, [*standing, *siting.suggest_sites(demand, int(wanted), forbidden, standing)])
        if st.button(_("Remove all"), key="clear", disabled=not _now(demand)):
            _set_sites(demand, [])
    known = _known_city(demand.box)
    if known is None:
        return
    name = st.selectbox(
        _("Add a site near"),
        known.names_in(demand.box),
        index=None,
        placeholder=_("a neighbourhood …"),
        key=f"near_{demand.name}_{current_session().part(Sites).turn}",
    )
    if name is not None:
        place = next(place for place in known.neighbourhoods if place.name == name)
        _set_sites(demand, [*_now(demand), Site(lon=place.label[0], lat=place.label[1])])


def _table(demand: Demand) -> list[Site]:
    st.caption(_("Click the map to add a site, choose a neighbourhood, or type into the table."))
    kept = current_session().part(Sites)
    sites = kept.given.get(demand.name, [])
    edited = tables.edit(
        siting.table_of_sites(sites, surroundings.namer_of(demand.box)),
        num_rows="dynamic",
        key=f"sites_table_{demand.name}_{kept.turn}",
        column_config={
            "site": st.column_config.NumberColumn(_("Site"), disabled=True, width=40),
            "near": st.column_config.TextColumn(_("Near"), disabled=True, width=95),
            "lon": st.column_config.NumberColumn(
                _("East"), help=_("Degrees to the east (longitude)"), format="%.4f", width=74
            ),
            "lat": st.column_config.NumberColumn(
                _("North"), help=_("Degrees to the north (latitude)"), format="%.4f", width=74
            ),
            "stands": st.column_config.CheckboxColumn(
                _("Stands"), help=_("It is there already; suggestions leave it where it is"), default=False, width=78
            ),
            "capacity": st.column_config.NumberColumn(
                _("Capacity"),
                help=_("Records that it can serve, where that is known"),
                min_value=0,
                format="localized",
                width=92,
            ),
        },
        column_order=["site", "near", "stands", "capacity", "lon", "lat"],
        placeholder="",
        height=min(318, 75 + 35 * max(1, len(sites))),
    )
    found, outside = siting.sites_of_table(edited, demand.box)
    if outside:
        st.warning(say.OUTSIDE.of(outside))
    if len(found) >= siting.MOST_SITES:
        st.caption(_("At most {most} sites can be tried out at once.").format(most=siting.MOST_SITES))
    kept.typed[demand.name] = found
    return found


def _file(demand: Demand) -> None:
    upload = st.file_uploader(
        _("Sites from a file (GeoJSON points)"),
        type=["geojson", "json"],
        key=f"sites_file_{current_session().part(Sites).turn}",
        max_upload_size=5,
    )
    if upload is None:
        return
    sites = elements.show_errors(lambda: siting.from_geojson(upload.getvalue(), demand.box))
    if sites is not None:
        _set_sites(demand, sites)


# ---- the forbidden area ----------------------------------------------------------------------------------------


def _forbidden(box: Box) -> Area | None:
    known = _known_city(box)
    names = [] if known is None else known.names_in(box)
    name = st.selectbox(_("Area where no site may stand"), [_("nowhere"), say.TYPED, *names], key="forbidden")
    if name == say.TYPED:
        example = ", ".join(f"{number:.2f}" for number in (box.west, box.south, *box.middle))
        text = st.text_input(_("West, south, east, north"), key="forbidden_box", placeholder=example)
        typed = elements.show_errors(lambda: GeoBox.parse(text)) if text.strip() else None
        if typed is None:
            return None
        return rectangle(say.TYPED, Box(west=typed.west, south=typed.south, east=typed.east, north=typed.north))
    return known.neighbourhood(name) if known is not None and name in names else None


def _known_city(box: Box) -> Basemap | None:
    """The embedded map, where it covers a box."""
    known = city_map.load()
    return known if known is not None and known.covers(box) else None


# ---- reading ---------------------------------------------------------------------------------------------------


def _good_reach(demand: Demand, k: int, forbidden: Area | None) -> Reach | None:
    """The reach of the suggested plan of so many sites."""
    return shared_results.get_or_make(
        "good-reach",
        [demand.release],
        (demand.name, k, "" if forbidden is None else f"{forbidden.name} {forbidden.box}"),
        lambda: siting.reach(demand, siting.suggest_sites(demand, k, forbidden)),
    )


def _reading(demand: Demand, sites: list[Site], forbidden: Area | None) -> None:
    wrong = siting.find_forbidden(sites, forbidden)
    if wrong:
        st.warning(say.IN_FORBIDDEN.of(len(wrong), numbers=", ".join(map(str, wrong))))
    found = siting.reach(demand, sites)
    if found is None:
        st.info(_("No site yet. Add one to read how far the records are from it."))
        return
    good = _good_reach(demand, len(sites), forbidden)
    note = "" if good is None else _("as good as the suggested plan")
    if good is not None and found.average_m > 1.005 * good.average_m:
        note = _("a good plan with {k}: {distance}").format(k=len(sites), distance=words.distance(good.average_m))
    key = (demand.name, tuple((site.lon, site.lat) for site in sites))
    ranges = current_session().recent("plan-ranges", key, lambda: siting.estimate_ranges(demand, sites), most=8)
    items = _figures(found, ranges, note)
    elements.figures(items, columns=len(items))
    if ranges is None:
        st.caption(
            _("This release holds no counted cells, so these estimates have no range. They may be far off near sites.")
        )
        return
    ranged = _("Ranges hold the truth 9 times out of 10. A dash: the cells are too coarse to say.")
    st.caption(f"{ranged} {sentences.OF_FILE}")
    for number, serves, capacity in siting.find_overfull(sites, ranges):
        low, high, most = (words.count(round(value)) for value in (serves.low, serves.high, capacity))
        st.warning(
            _("Site {number} would serve {low} to {high} records, more than its capacity of {capacity}.").format(
                number=number, low=low, high=high, capacity=most
            )
        )
    with st.expander(say.SITE_SERVES):
        tables.show(_served(sites, ranges), caption=say.SITE_SERVES, numbers=say.SERVED_COLUMNS[1:])


def _figures(found: Reach, ranges: PlanRanges | None, note: str) -> list[tuple[str, str, str]]:
    """Numbers with ranges where the release has counted cells; else estimates of the coreset, which have none."""
    names = {
        m: _("Records within {distance}").format(distance=f"{m} m" if m < 1000 else figures(f"{m / 1000:g} km"))
        for m in siting.WITHIN_M
    }
    if ranges is None:
        shares = [(names[m], words.percent(share), "") for m, share in found.within.items()]
        return [
            (say.AVERAGE_WAY, words.distance(found.average_m), note),
            (_("Half of the records are within"), words.distance(found.median_m), ""),
            *shares,
        ]
    items = [siting.tell_range(say.AVERAGE_WAY, ranges.average, words.distance, note)]
    return [*items, *(siting.tell_range(names[m], share, words.percent) for m, share in ranges.within.items())]


def _served(sites: Sequence[Site], ranges: PlanRanges) -> pd.DataFrame:
    """How many records each site serves."""
    rows = []
    for number, (site, serves) in enumerate(zip(sites, ranges.serves, strict=True), start=1):
        about, low, high = (words.count(round(value)) for value in ((serves.estimate, serves.low, serves.high)))
        capacity = "" if site.capacity is None else words.count(round(site.capacity))
        rows.append((str(number), "–" if serves.note else about, low, high, capacity))
    return pd.DataFrame(rows, columns=list(say.SERVED_COLUMNS))


def _site_map(demand: Demand, sites: list[Site], forbidden: Area | None) -> None:
    release = demand.release
    places = surroundings.namer_of(demand.box)([site.lon for site in sites], [site.lat for site in sites])
    tips = [_("Site {number} · near {place}") if place else _("Site {number}") for place in places]
    view = replace(
        logic.demand_view(release, demand.raw, demand.weights, demand.box),
        sites=tuple(
            Marker(number=number, lon=site.lon, lat=site.lat, tip=tip.format(number=number, place=place))
            for number, (site, place, tip) in enumerate(zip(sites, places, tips, strict=True), start=1)
        ),
        cells=siting.cell_rows(demand.box),
        forbidden=() if forbidden is None else forbidden.polygons,
    )
    ground = shared_results.get_or_make(
        "counted-sites",
        [release],
        (demand.name, current_theme().name),
        lambda: counted.counted(release, demand.box, current_theme(), end=demand.end),
    )
    if ground is not None:
        view = replace(view, dots=None, counted=ground.picture)
    hit = stage.draw_map(
        view, current_theme(), key="site_map", options=stage.MapOptions(place=f"sites-{demand.name}")
    ).hit
    if hit is not None and hit["layer"] == "cells":
        place = hit["row"]["c"]
        _set_sites(demand, [*sites, Site(lon=place[0], lat=place[1])])


# ---- plans -----------------------------------------------------------------------------------------------------


def _plans(demand: Demand, sites: list[Site]) -> None:
    kept = current_session().part(Sites)
    plans = kept.plans
    found = siting.reach(demand, sites)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        default = _("Plan {number}").format(number=kept.plans_made + 1)
        name = st.text_input(_("Name of this plan"), value=default, width=220, max_chars=60, key=f"plan_{default}")
        if (
            st.button(_("Remember this plan"), disabled=found is None, icon=":material/bookmark_add:")
            and found is not None
        ):
            called, title = name.strip() or default, logic.title(demand.release)
            plans.append(SitePlan(name=called, sites=tuple(sites), reach=found, demand=demand.name, release=title))
            kept.plans_made += 1
            st.rerun()
        elements.draw_download(_("Download the sites"), siting.to_geojson(sites), "sites.geojson", disabled=not sites)
    if not plans:
        return
    st.header(say.PLANS)
    ranked = sorted(plans, key=lambda plan: plan.reach.average_m)
    rows = [
        (
            plan.name,
            str(len(plan.sites)),
            words.distance(plan.reach.average_m),
            words.distance(plan.reach.median_m),
            words.percent(plan.reach.within[1000]),
            plan.release,
        )
        for plan in ranked
    ]
    tables.show(pd.DataFrame(rows, columns=list(say.PLAN_COLUMNS)), caption=say.PLANS, numbers=say.PLAN_COLUMNS[1:5])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.selectbox(
            _("A remembered plan"),
            range(len(ranked)),
            format_func=lambda at: ranked[at].name,
            key=f"plan_of_{len(plans)}",
            width=260,
        )
        if st.button(_("Open"), key="plan_open", disabled=ranked[at].demand != demand.name):
            _set_sites(demand, ranked[at].sites)
        if st.button(_("Forget"), key="plan_forget"):
            plans.remove(ranked[at])
            st.rerun()
