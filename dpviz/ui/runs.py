"""How the runs of a page follow one another on the server, so that none loses what it drew or what was chosen.

A page has clocks: parts that fill up ask the server each second to draw them again. In Streamlit 1.67 a clock can harm
what somebody did in the same moment, in two ways that a loaded machine shows every few hundred steps.

- What a run drew is passed on by events on the server's loop, and the events of a run that is not the session's latest
  are left out. A request for a part that comes after a run has ended, and before its events were handled, begins a new
  run at once: what the ended one drew never reaches the browser. The slider says one level and the odds another. Here
  such a request waits, for milliseconds, until the ended run has been heard to its end.
- A clock sends the values of all controls along. Sent before the browser knew that the server has set one (data of
  one's own are open, a button went to another level), they set it back. Here a clock brings no values: whatever a
  person changes is sent by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

_PATIENCE_SECONDS = 0.002
_accept = ScriptRunner.request_rerun
_begin = AppSession._create_scriptrunner


def keep_apart() -> None:
    """For the whole server; calling it again changes nothing."""
    runner: Any = ScriptRunner
    session: Any = AppSession
    runner.request_rerun = _accept_without_values
    session._create_scriptrunner = _begin_after_the_last


def _accept_without_values(runner: ScriptRunner, wanted: RerunData) -> bool:
    return _accept(runner, _of_clock(wanted))


def _begin_after_the_last(session: AppSession, initial_rerun_data: RerunData) -> None:
    if session._state == AppSessionState.SHUTDOWN_REQUESTED:
        return
    ended: Any = session._scriptrunner  # a request for the whole page replaced it by None: that one draws all anew
    if ended is None:
        _begin(session, _of_clock(initial_rerun_data))
    elif not ended.request_rerun(initial_rerun_data):  # another run may have begun meanwhile, and takes it
        session._event_loop.call_later(_PATIENCE_SECONDS, _begin_after_the_last, session, initial_rerun_data)


def _of_clock(wanted: RerunData) -> RerunData:
    return replace(wanted, widget_states=None) if wanted.is_auto_rerun and wanted.fragment_id else wanted
