"""The page *One person's own track*: a log of places, hidden places, and what a stranger could still guess.

The log is read in a process of its own, shown to its owner alone, and published through the ledger like any data.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.domain import ExactCounts, GeoBox
from dpviz.drawing.notebook import map_drawing
from dpviz.hosting.reading_process import OWN_LIMITS, Given, RunningReading, Wish
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing import own_track
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import preview
from dpviz.publishing.registration import register_or_open
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.own_data import dialog_box
from dpviz.ui.own_data.page_running import follow_reading, shown_errors
from dpviz.ui.page_parts import elements, icons, tables, words
from dpviz.ui.session.session import current_session, current_theme


@dataclass(kw_only=True)
class Made:
    """What this session made last, and of what."""

    key: tuple[Any, ...] = ()
    outcome: Release | NoAnswer | None = None


def draw() -> None:
    """The whole page."""
    session = current_session()
    with session.page():
        st.title(_("One person’s own track"))
        elements.banner(words.MODE_PREVIEW, "dpv-preview")
        introduction = _(
            "A log of where one person was can be handed on as a protected map of places. Of every hour or day one fix "
            "is kept and then protected; of a hidden place nothing is kept but that it may be one. Times and the way "
            "between places are left out. Where you often are and hide nothing, a stranger sees it: the table says how "
            "well."
        )
        st.markdown(introduction)
        left, right = st.columns(2, gap="medium")
        with left:
            upload = st.file_uploader(_("A GPX log"), type=["gpx", "gz"], key="trace_file")
            helps = _(
                "A name, or a circle as longitude, latitude, metres. The circle is published: name a quarter, or move "
                "its middle, so that it does not point at a door."
            )
            label = _("Places that have to stay hidden, one a line")
            hidden = st.text_area(label, key="trace_hide", help=helps, height=80)
            windows = {
                "hour": _("All of an hour, by one fix of it"),
                "day": _("All of a day, by one fix of it"),
                "fix": _("One fix, which hides no place where you often are"),
            }
            window = elements.choose(st.radio, _("What is protected"), windows, key="trace_window")
            levels = {level.name: words.level_name(level) for level in LEVELS}
            level = elements.choose(st.selectbox, _("Level"), levels, index=3, key="trace_level")
        with right:
            box = dialog_box.choose(current_theme().name, takes_maps=False)
        if upload is None or not box:
            st.caption(_("Choose a file and a public box first."))
            return
        with shown_errors():
            ground = GeoBox.parse(box)
            places = "\n".join(filter(None, map(str.strip, hidden.splitlines())))
            regions = own_track.hidden_places(places.splitlines(), box=ground)
            request = own_track.request_for(Budget(epsilon=level_by_name(level).epsilon), regions)
            _show(upload, Wish(box=box, window=window, hidden=places, side=own_track.SIDE), request)


def _show(upload: Any, wish: Wish, request: ReleaseRequest) -> None:
    session, key = current_session(), (upload.file_id, wish.box, wish.window, wish.hidden)

    def read() -> ExactCounts:
        given = Given(name=upload.name, content=bytes(upload.getbuffer()), is_own=True)
        reading = RunningReading(given, wish, OWN_LIMITS)
        follow_reading(reading, upload.name, "trace")
        return reading.counts()[0]

    counts = session.recent("trace", key, read, most=1)
    known = (*key, request.key(""))

    def protected() -> Any:
        return preview(counts, request.k, request.budget, regions=request.regions, purpose=request.purpose)

    shown = session.recent("trace_shown", known, protected)
    one, two = st.columns([0.55, 0.45], gap="medium")
    with one:
        st.html(icons.picture(map_drawing(shown), _("The protected map")))
        st.caption(_("One possible protected map, for your eyes only. The file is made anew."))
    with two:
        _guesses(wish.window, request)
        _save(upload.name, request, counts, known)


def _guesses(window: str, request: ReleaseRequest) -> None:
    title = _("What a stranger could still guess")
    st.header(title)
    there = _({"hour": "Hours there", "day": "Days there", "fix": "Fixes there"})[window]
    rows = [
        {
            _("Place"): words.as_text(name) if name else _("everywhere else"),
            there: words.whole(many) if many else _("any number"),
            _("Right of 100, at most"): str(right),
        }
        for name, many, right in own_track.guesses(request.budget, request.regions)
    ]
    tables.show(pd.DataFrame(rows), caption=title, cards=False)
    stranger = _(
        "The stranger knows everything else, and guesses whether you were there at all for so long. Tossing a coin is "
        "right 50 times in 100."
    )
    st.caption(stranger)


def _save(name: str, request: ReleaseRequest, counts: ExactCounts, key: tuple[Any, ...]) -> None:
    """Publish through the ledger, and hand out the protected points."""
    done = current_session().part(Made)
    if st.button(_("Make the protected file"), type="primary", key="trace_go"):

        def make() -> Release | NoAnswer:
            dataset = register_or_open(name, counts, request=request, total=None, ledger=Ledger())
            return publish(dataset, request, even_if_answered=True)

        made = elements.show_errors(make)
        if made is None:
            return
        done.key, done.outcome = key, made
    if done.key != key or not isinstance(done.outcome, Release):
        st.caption(_("The file is made anew from your log, counted in the ledger, and differs from the map beside it."))
        return
    st.success(_("Made and counted in the ledger. What further files of this log give away adds up."))
    for kind in ("gpx", "geojson"):
        elements.draw_download(
            _("Protected points ({kind})").format(kind=kind.upper()),
            own_track.track_bytes(done.outcome, kind),
            f"protected.{kind}",
            key=f"trace_{kind}",
        )
