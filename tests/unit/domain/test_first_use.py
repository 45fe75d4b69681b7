"""The first use on a computer says once that it compiles, and never again."""

from __future__ import annotations

import logging

import pytest

from dpviz.domain import _kernels, compiles_now


def test_it_is_said_once_when_it_will_take_seconds(caplog: pytest.LogCaptureFixture) -> None:
    heard = _kernels.FirstUse()
    with caplog.at_level(logging.WARNING):
        for _ in range(heard.many - 1):
            heard.on_start(None)
            heard.on_end(None)
        assert caplog.messages == []  # a few functions take no time worth a word
        for _ in range(20):
            heard.on_start(None)
            heard.on_end(None)
    assert len(caplog.messages) == 1 and caplog.messages[0].startswith("First use on this computer")


def test_what_is_compiling_is_known_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_kernels, "_FIRST_USE", _kernels.FirstUse())
    assert not compiles_now()
    _kernels._FIRST_USE.on_start(None)
    assert compiles_now()
    _kernels._FIRST_USE.on_end(None)
    assert not compiles_now()
