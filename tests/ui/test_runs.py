"""A clock of the page harms nothing that somebody did in the same moment."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData, ScriptRequests, ScriptRequestType

from dpviz.ui import runs

T = TypeVar("T")


class Session(SimpleNamespace):
    """As much of a session as a request meets."""

    def __init__(self, runner: Any, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(
            _scriptrunner=runner,
            _event_loop=loop,
            _state=AppSessionState.APP_NOT_RUNNING,
            _client_state=ClientState(),
            has_fragment=lambda identity: True,
        )

    def _create_scriptrunner(self, wanted: RerunData) -> None:
        AppSession._create_scriptrunner(self, wanted)  # type: ignore[arg-type]


class Runner(ScriptRunner):
    """A run that has ended, or one that goes on and takes requests."""

    def __init__(self, *, ended: bool) -> None:
        self._requests = ScriptRequests()
        self._requests.request_rerun(RerunData())
        assert self._requests.on_scriptrunner_ready().type == ScriptRequestType.RERUN
        if ended:
            assert self._requests.on_scriptrunner_ready().type == ScriptRequestType.STOP

    def _wake_parallel_join_barrier_if_waiting(self) -> None:
        pass

    def pending(self) -> RerunData:
        return self._requests.on_scriptrunner_ready().rerun_data


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[RerunData]:
    """What new runs were begun with."""
    found: list[RerunData] = []
    monkeypatch.setattr(ScriptRunner, "request_rerun", ScriptRunner.request_rerun)  # put back afterwards
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)
    monkeypatch.setattr(runs, "_begin", lambda session, wanted: found.append(wanted))
    runs.keep_apart()
    runs.keep_apart()
    return found


def asked(part: str = "", *, clock: bool = False, level: str = "") -> ClientState:
    state = ClientState(fragment_id=part, is_auto_rerun=clock)
    state.widget_states.widgets.add(id="level", string_value=level)
    return state


def ask(session: Session, state: ClientState) -> None:
    AppSession.request_rerun(session, state)  # type: ignore[arg-type]


def on_a_loop(story: Coroutine[Any, Any, T]) -> T:
    """In a thread of its own: a browser test that came before may have left a loop running in this one."""
    with ThreadPoolExecutor(1) as one:
        return one.submit(asyncio.run, story).result()


def test_a_request_that_comes_as_a_run_ends_waits_until_all_of_it_was_passed_on(begun: list[RerunData]) -> None:
    async def story() -> None:
        session = Session(Runner(ended=True), asyncio.get_running_loop())
        ask(session, asked("curves", clock=True))
        await asyncio.sleep(0.05)
        assert not begun, "what the ended run drew would be left out from now on"
        session._scriptrunner = None  # its last event was handled
        await asyncio.sleep(0.05)
        assert [wanted.fragment_id for wanted in begun] == ["curves"]

    on_a_loop(story())


def test_a_request_that_waits_is_taken_by_the_run_that_began_meanwhile(begun: list[RerunData]) -> None:
    async def story() -> None:
        session = Session(Runner(ended=True), asyncio.get_running_loop())
        ask(session, asked("slider", level="Strict"))
        session._scriptrunner = other = Runner(ended=False)
        await asyncio.sleep(0.05)
        assert not begun
        wanted = other.pending()
        assert wanted.fragment_id_queue == ["slider"]
        assert wanted.widget_states is not None and wanted.widget_states.widgets[0].string_value == "Strict"

    on_a_loop(story())


def test_nothing_begins_in_a_session_that_was_closed_meanwhile(begun: list[RerunData]) -> None:
    async def story() -> None:
        session = Session(Runner(ended=True), asyncio.get_running_loop())
        ask(session, asked("curves", clock=True))
        session._scriptrunner, session._state = None, AppSessionState.SHUTDOWN_REQUESTED
        await asyncio.sleep(0.05)
        assert not begun

    on_a_loop(story())


@pytest.mark.parametrize("at_work", [True, False])
def test_a_clock_brings_no_values_and_a_person_does(begun: list[RerunData], at_work: bool) -> None:
    async def taken(state: ClientState) -> RerunData:
        runner = Runner(ended=False) if at_work else None
        ask(Session(runner, asyncio.get_running_loop()), state)
        return runner.pending() if runner else begun.pop()

    clock = on_a_loop(taken(asked("curves", clock=True, level="Strict")))
    assert clock.widget_states is None
    person = on_a_loop(taken(asked("slider", level="Strict")))
    assert person.widget_states is not None and person.widget_states.widgets[0].string_value == "Strict"


def test_a_clock_takes_nothing_away_from_what_a_person_asked_for_just_before(begun: list[RerunData]) -> None:
    async def story() -> None:
        runner = Runner(ended=False)
        session = Session(runner, asyncio.get_running_loop())
        ask(session, asked("slider", level="Strict"))
        ask(session, asked("curves", clock=True, level="Balanced"))
        wanted = runner.pending()
        assert wanted.fragment_id_queue == ["slider", "curves"]
        assert wanted.widget_states is not None and wanted.widget_states.widgets[0].string_value == "Strict"

    on_a_loop(story())
