"""Requests for one part of a page, as a browser sends them; AppTest asks for the whole page alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from dpviz.privacy import Level
from dpviz.ui.session.preview import IDLE_SECONDS, Previews


@contextlib.contextmanager
def asked_of(part: str, app: AppTest) -> Iterator[None]:
    """Requests are sent for one part of the page, and not for the whole of it."""
    (identity,) = app._fragment_storage.resolve_target(part)
    with _asked_of(identity):
        yield


@contextlib.contextmanager
def asked_of_dialog(app: AppTest) -> Iterator[None]:
    """Requests are sent for the open dialog, as every click in it does."""
    stored = app._fragment_storage
    (identity,) = [one for one in stored._fragments if one not in stored._target_key_by_id]  # type: ignore[attr-defined]
    with _asked_of(identity):
        yield


@contextlib.contextmanager
def _asked_of(identity: str) -> Iterator[None]:
    def request(runner: LocalScriptRunner, wanted: Any) -> bool:
        runner._requests = ScriptRequests()  # without the whole page that every run of AppTest asks for first
        return runner._requests.request_rerun(replace(wanted, fragment_id=identity))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalScriptRunner, "request_rerun", request)
        yield


def confirm_publishing(app: AppTest) -> AppTest:
    """Go on to the last step of the dialog that publishes, where the level's name is typed."""
    for _ in range(2):
        app.button(key="publish_next").click().run()
        assert not app.exception
    return app


def wait_for(previews: Previews) -> None:
    """Wait until the background thread is idle, at most a quarter of its idle time."""
    if previews._thread is not None:
        previews._thread.join(IDLE_SECONDS / 4)


def finish(previews: Previews, method: str, k: int, level: Level) -> None:
    """Prepare and wait until all is drawn."""
    while not previews.complete(method, k):
        previews.prepare(method, k, level)
        wait_for(previews)
