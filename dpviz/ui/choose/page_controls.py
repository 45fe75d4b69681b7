"""The controls of the page *Choose* beside its stage: data, clusters, the drawer *Details*, and the ways on."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import streamlit as st

from dpviz.domain import GeoBox
from dpviz.errors import DpvizError
from dpviz.hosting import hosted_city
from dpviz.language.speaking import as_now, told as _
from dpviz.privacy import LEVELS, Region, level_by_name
from dpviz.questions.noise_model import NINETY
from dpviz.ui import stage
from dpviz.ui.map import charts
from dpviz.ui.map.city_map import Area, rectangle
from dpviz.ui.map.view import Box
from dpviz.ui.own_data import registration
from dpviz.ui.page_parts import elements, icons, words
from dpviz.ui.session import methods, regions, sources, state, workspace
from dpviz.ui.session.preview import Drawn
from dpviz.ui.session.session import Session, current_theme
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState

MANY = 20  # clusters from which on a map takes a while
PLACES_START_AT = level_by_name("Strict")


def draw(session: Session, source: Source) -> None:
    """All of them, in the order in which one chooses."""
    _data(session, source)
    controls = [_hours, _clusters] if source.id.startswith(sources.CITY) else [_clusters]
    for place, control in zip(st.columns(len(controls), gap="small"), controls, strict=True):
        with place:
            control(session, source)
    if session.chosen.k > MANY:
        st.caption(_("Each of so many centers is less certain, and the map takes up to a minute."))
    _own_levels(session, source)
    _details(session, source)
    if session.chosen.regions:  # below the closed drawer
        st.caption(
            _("Stricter level in: {names}").format(names=", ".join(region.name for region in session.chosen.regions))
        )
    with st.container(key="choose_go", gap="small"):
        ask = partial(st.button, width="stretch", on_click=session.ask)
        ask(_("Publish this level …"), type="primary", icon=":material/publish:", args=("publish",))
        ask(_("Use your own data"), icon=":material/folder_open:", args=("own",))


def keep_to_offered(session: Session, source: Source) -> None:
    """Reset choices that these data do not offer."""
    chosen = session.chosen
    if chosen.method not in (state.AUTO, *methods.offered(source.exact_data)):
        session.choose(method=state.AUTO)
    if source.map is not None and chosen.watched not in source.map.boroughs:
        session.choose(watched="")
    if chosen.regions and not regions.possible(source.exact_data):
        session.choose(regions=())


def _data(session: Session, source: Source) -> None:
    # A hosted installation lists its data on the page *Data*.
    listed = [record.name for record in registration.list_known()] if hosted_city.city() is None else []
    own = {f"own:{name}": _("My own: {name}").format(name=name) for name in dict.fromkeys([*session.own, *listed])}
    labels = {"city": _("Taxi drop-offs, New York"), "trips": _("Taxi trips from–to, New York")} | own
    options = list(labels)
    current = f"own:{session.own_name}" if session.chosen.data == "own" else session.chosen.data
    elements.choose(
        st.selectbox,
        _("Data"),
        labels,
        index=options.index(current) if current in options else 0,
        key=session.key("data"),
        on_change=_take_data,
        args=(session,),
    )
    if source.id.startswith(sources.CITY):
        _control(
            session,
            "days",
            st.segmented_control,
            _("Trips of one"),
            state.DAYS,
            default=session.chosen.days,
            required=True,
            format_func=dict(zip(state.DAYS, _(("day", "week", "month")), strict=True)).__getitem__,
            help=_(
                "How many trips to look at. With fewer trips the same protection makes the map worse, as you can see. "
                "The city’s file holds one month without dates, so in place of one day every 31st trip of it is taken."
            ),
            width="stretch",
        )


def _take_data(session: Session) -> None:
    """Before the page is drawn: its title and its mode depend on it."""
    kind, _colon, name = str(st.session_state[session.key("data")]).partition(":")
    session.own_name, session.own_told = name, ""
    session.place_names, session.place_file, session.place_drawn = (), None, ("", ())
    session.choose(data=kind, regions=())
    session.changed()


def _control(
    session: Session, field: str, draw: Any, label: str, *options: Any, convert: Any = None, **more: Any
) -> None:
    """Draw a control that sets one field of what is chosen."""
    args = (field,) if convert is None else (field, convert)
    draw(label, *options, key=session.key(field), on_change=session.take, args=args, **more)


def _hours(session: Session, source: Source) -> None:
    hours, now = [state.ALL_DAY, *range(24)], session.chosen.hour
    _control(
        session,
        "hour",
        st.selectbox,
        _("Time of day"),
        hours,
        index=hours.index(state.ALL_DAY if now is None else now),
        help=_(
            "Each trip ends in one hour only. So a map for every hour gives away no more about a single trip than one "
            "map does. About a person who travels in several hours it gives away more: that adds up."
        ),
        format_func=as_now(lambda hour: _("All day") if hour == state.ALL_DAY else words.hour(hour)),
        convert=lambda shown: None if shown == state.ALL_DAY else shown,
    )


def _watched(session: Session, source: Source) -> None:
    names = ["", *source.map.boroughs] if source.map is not None else [""]
    label, box = _("Watched area"), source.box
    helps = _("Choose a place, and see how many of the published points lie outside of it.")
    if names[1:]:  # what is watched is one of them or none: see keep_to_offered
        now, shown = names.index(session.chosen.watched), as_now(lambda name: name or _("none"))
        _control(session, "watched", st.selectbox, label, names, index=now, help=helps, format_func=shown)
        return
    _control(
        session,
        "watched_box",
        st.text_input,
        label,
        value=session.chosen.watched_box,
        placeholder=f"{box.west:g}, {box.south:g}, {box.middle[0]:g}, {box.middle[1]:g}",
        help=f"{helps} {_('Type its west, south, east and north.')}",
    )


def _clusters(session: Session, source: Source) -> None:
    _control(
        session,
        "k",
        st.number_input,
        _("Clusters"),
        min_value=1,
        max_value=state.MOST_CLUSTERS,
        value=session.chosen.k,
        help=_("How many centers to look for, up to 256: the places that the records gather around."),
    )


def _own_levels(session: Session, source: Source) -> None:
    """How many chose which level, from the noisy counts of the preview."""
    unit = source.exact_data.unit
    levels = unit.levels
    if not levels:
        return
    st.caption(_("Everybody keeps the level they chose. The slider sets the most that is told about anybody."))
    known = workspace.looked_at(source, session.chosen)
    if not isinstance(known, Drawn):
        return
    release = known.release
    found = release.constants["coarse_records_by_level"]
    counted = [max(sum(row), 0.0) for row in found]
    total = max(sum(counted), 1e-9)
    shares = [one / total for one in counted]
    share = release.charges[0].epsilon / release.guarantee.epsilon  # of everybody's own epsilon, for these counts
    laplace = [unit.records / (share * min(one, release.guarantee.epsilon)) for one in levels]
    off = [min(100 * NINETY * math.sqrt(2 * len(found[0])) * one / total, 100.0) for one in laplace]
    names = {level.epsilon: words.level_name(level) for level in LEVELS}
    parts = zip((names.get(one, f"ε {one:g}") for one in levels), shares, off, strict=True)
    said = [f"{name} {100 * part:.0f}" + f" ± {err:.0f}" * (err >= 0.5) for name, part, err in parts if part >= 0.005]
    alt = _("Of 100 records (counted with noise): {shares}.").format(shares=", ".join(said))
    st.html(icons.picture(charts.shares_bar(shares, current_theme()), alt))
    st.caption(alt)


def _details(session: Session, source: Source) -> None:
    """Method, watched area, stricter places, and the only place on screen with ε and δ. What is closed is not drawn."""
    drawer = st.popover(_("Details"), width="stretch", key="details_open", on_change="rerun")
    if not drawer.open:
        return
    chosen, known = session.chosen, workspace.looked_at(source, session.chosen)
    used = known.release.method if isinstance(known, Drawn) else None
    with drawer, st.container(key="details_drawer"):
        offered = [state.AUTO, *methods.offered(source.exact_data)]
        _control(
            session,
            "method",
            st.selectbox,
            _("Method"),
            offered,
            index=offered.index(chosen.method),
            help=_(
                "Automatic picks the method that should be best. It looks at public facts, such as the number of "
                "centers, never at the records."
            ),
            format_func=as_now(methods.title),
        )
        _watched(session, source)
        _places(session, source)
        elements.reading(methods.details(chosen, source, used), _("Details"))


def limits(session: Session) -> None:
    """Ask which error or shift is acceptable."""
    st.subheader(_("I can accept"))
    chosen, measures = session.chosen, {"error": _("% error"), "shift": _("metres of shift")}
    with st.container(horizontal=True, vertical_alignment="center"):
        ask = partial(_control, session, label_visibility="collapsed")
        value = float(chosen.accept_value)
        ask("accept_value", st.number_input, _("I can accept"), min_value=0.0, value=value, width=150)
        ask(
            "accept_measure",
            st.radio,
            _("Measured in"),
            list(measures),
            index=list(measures).index(chosen.accept_measure),
            format_func=measures.__getitem__,
            horizontal=True,
        )


def watched_area(chosen: ChooseState, source: Source) -> Area | None:
    """The area to keep an eye on."""
    found = source.map
    if found is not None:
        return found.borough(chosen.watched) if chosen.watched in found.boroughs else None
    try:
        box = GeoBox.parse(chosen.watched_box)
    except DpvizError:  # a half-typed rectangle is no area yet
        return None
    return rectangle(_("the watched area"), Box(west=box.west, south=box.south, east=box.east, north=box.north))


# ---- stricter places ----


def _places(session: Session, source: Source) -> None:
    """Let the curator choose stricter places; none where they are not proved."""
    with st.expander(_("Stricter places"), expanded=bool(session.chosen.regions)):
        if not regions.possible(source.exact_data):
            st.markdown(regions.why_not(source.exact_data))
            session.choose(regions=())
            return
        helps = _(
            "Give a hospital or a whole district a stricter level than the rest. Choose places from a map, never from "
            "the records: their outlines are published."
        )
        st.markdown(helps)
        wanted: tuple[Region, ...] = ()
        try:
            wanted = _wanted(session, source)
        except DpvizError as problem:
            st.error(problem.message)
        for sentence in regions.describe(wanted, session.chosen.level, source.unit):
            st.markdown(f"- {sentence}")
    session.choose(regions=wanted)


def _wanted(session: Session, source: Source) -> tuple[Region, ...]:
    found = source.map
    offered = regions.names(found, source.box)
    names: list[str] = []
    if offered:
        names = st.multiselect(
            _("Places by name"),
            offered,
            default=[name for name in session.place_names if name in offered],
            key=session.key("region_names"),
            on_change=session.changed,
        )
        session.place_names = tuple(names)
    level = elements.choose(
        st.selectbox,
        _("Level inside them"),
        {other.name: words.level_name(other) for other in LEVELS},
        index=LEVELS.index(session.place_level or PLACES_START_AT),
        key=session.key("region_level"),
        on_change=session.changed,
    )
    session.place_level = level_by_name(level)
    label = _("Or a file of outlines (GeoJSON)")
    st.expander(label, key="region_file_open", on_change="rerun", expanded=not offered).file_uploader(
        label,
        type=["geojson", "json"],
        key="region_file",
        help=_(
            "Outlines in a GeoJSON file, in degrees, each with a name. One may bring its own “level”, from 1 (protects "
            "least) to {levels} (most); the others take the level chosen here."
        ).format(levels=len(LEVELS)),
        label_visibility="collapsed",
        on_change=_take_file,
        args=(session,),
    )
    content, inside = session.place_file, session.place_level
    filed: tuple[Region, ...] = ()
    if content is not None:
        filed = session.recent("region-file", (content, inside), lambda: regions.from_file(content, inside), most=1)
    with st.expander(_("Or mark them on the map"), key="region_draw_open", on_change="rerun") as drawing:
        if drawing.open:
            key = session.key(f"region_drawn_{source.id}")
            drawn = source.id, stage.draw_areas(source.box, current_theme().name, key=key)
            if drawn != session.place_drawn:
                session.place_drawn = drawn
                session.changed()
    of_data, rings = session.place_drawn
    if rings and of_data == source.id:
        filed = (*filed, *regions.from_file(stage.as_geojson(rings).encode("utf-8"), inside))
    return regions.together(() if found is None else regions.by_name(names, found, inside), filed)


def _take_file(session: Session) -> None:
    """The file stays until another one is given or it is taken away, also when another page was visited meanwhile."""
    given = st.session_state.get("region_file")
    session.place_file = None if given is None else given.getvalue()
    session.changed()
