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
from dpviz.errors import DpvizError
from dpviz.hosting.reading_process import OWN_LIMITS, Given, RunningReading, Wish
from dpviz.language.speaking import as_now
from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import LEVELS, Budget, level_by_name
from dpviz.publishing import own_track
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import preview
from dpviz.publishing.registration import register_or_open
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.ui.choose import words as say
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
        st.markdown(say.TRACE_INTRODUCTION)
        left, right = st.columns(2, gap="medium")
        with left:
            upload = st.file_uploader(_("A GPX log"), type=["gpx", "gz"], key="trace_file")
            hidden = st.text_area(say.TRACE_HIDE, key="trace_hide", help=say.TRACE_HIDE_HELP, height=80)
            window = st.radio(
                _("What is protected"),
                list(say.TRACE_WINDOWS),
                format_func=as_now(lambda name: say.TRACE_WINDOWS[name]),
                key="trace_window",
            )
            names = [level.name for level in LEVELS]
            level = st.selectbox(_("Level"), names, index=3, format_func=as_now(_), key="trace_level")
        with right:
            box = dialog_box.choose(current_theme().name, takes_maps=False)
        if upload is None or not box:
            st.caption(_("Choose a file and a public box first."))
            return
        with shown_errors():
            ground = GeoBox.parse(box)
            places = "\n".join(filter(None, map(str.strip, hidden.splitlines())))
            regions = own_track.hidden_places(places.splitlines(), box=ground)
            request = own_track.request_for(Budget(epsilon=level_by_name(str(level)).epsilon), regions)
            _show(upload, Wish(box=box, window=str(window), hidden=places, side=own_track.SIDE), request)


def _show(upload: Any, wish: Wish, request: ReleaseRequest) -> None:
    session, key = current_session(), (upload.file_id, wish.box, wish.window, wish.hidden)

    def read() -> ExactCounts:
        given = Given(name=upload.name, content=bytes(upload.getbuffer()), is_own=True)
        reading = RunningReading(given, wish, OWN_LIMITS)
        follow_reading(reading, upload.name, "trace")
        return reading.counts()[0]

    counts = session.recent("trace", key, read, most=1)
    known = (*key, request.key(""))
    budget, regions = request.budget, request.regions
    shown = session.recent(
        "trace_shown",
        known,
        lambda: preview(counts, request.k, budget, regions=regions, purpose=request.purpose),
    )
    one, two = st.columns([0.55, 0.45], gap="medium")
    with one:
        st.html(icons.picture(map_drawing(shown), _("The protected map")))
        st.caption(say.TRACE_PREVIEW)
    with two:
        _guesses(wish.window, request)
        _save(upload.name, request, counts, known)


def _guesses(window: str, request: ReleaseRequest) -> None:
    """What a stranger could still guess."""
    st.header(_("What a stranger could still guess"))
    rows = [
        (
            words.as_text(name) if name else _("everywhere else"),
            words.whole(many) if many else _("any number"),
            str(right),
        )
        for name, many, right in own_track.guesses(request.budget, request.regions)
    ]
    heads = (_("Place"), say.TRACE_MANY[window], _("Right of 100, at most"))
    tables.show(pd.DataFrame(rows, columns=list(heads)), caption=_("What a stranger could still guess"), cards=False)
    st.caption(say.TRACE_STRANGER)


def _save(name: str, request: ReleaseRequest, counts: ExactCounts, key: tuple[Any, ...]) -> None:
    """Publish through the ledger, and hand out the protected points."""
    done = current_session().part(Made)
    if st.button(_("Make the protected file"), type="primary", key="trace_go"):
        try:
            dataset = register_or_open(name, counts, request=request, total=None, ledger=Ledger())
            made = publish(dataset, request, even_if_answered=True)
        except DpvizError as problem:
            st.error(words.sentence(problem.message))
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
