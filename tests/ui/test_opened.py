"""Data of one's own are listed and opened again by name; what cannot be read again says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpviz.errors import InputError
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.privacy import Budget
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA
from dpviz.ui.own_data import registration
from dpviz.ui.own_data.registration import Opened
from dpviz.ui.session.sources import Mode
from tests.browser.steps import rides

BOX = "13.1, 52.35, 13.75, 52.65"
WISH = Wish(box=BOX, lon="lon", lat="lat")


@pytest.fixture(autouse=True)
def listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(registration, "place", lambda: tmp_path / "list" / "opened.json")
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))  # the same records under one name each
    return tmp_path / "list" / "opened.json"


def terms(name: str, share: float = 0.0) -> Terms:
    total = Budget(epsilon=2.0, delta=DEFAULT_TOTAL_DELTA)
    return Terms(name=name, total=total, standin_share=share, other_people="tests")


@pytest.mark.parametrize(("share", "mode"), [(0.0, Mode.PREVIEW), (0.3, Mode.STRICT)])
def test_data_are_reopen_file_by_name_in_the_mode_they_had(
    tmp_path: Path, listed: Path, share: float, mode: Mode
) -> None:
    file = tmp_path / "rides.csv"
    file.write_bytes(rides(2000))
    first = registration.open_file(str(file), WISH, terms(f"again {share}", share))
    record = next((one for one in registration.list_known() if one.name == f"again {share}"), None)
    assert record is not None and record.has_path and listed.stat().st_mode & 0o077 == 0
    again = registration.reopen_file(record)
    assert (again.id, again.mode, again.box) == (first.id, mode, first.box)


def test_a_moved_or_uploaded_file_is_asked_for_by_name() -> None:
    moved = Opened(name="taxis", path="/nowhere/taxis.csv", wish=WISH)
    with pytest.raises(InputError, match="not where it was"):
        registration.reopen_file(moved)
    with pytest.raises(InputError, match="same file again"):
        registration.reopen_file(Opened(name="taxis", file="taxis.csv", wish=WISH))


def test_a_list_that_cannot_be_read_is_an_empty_one(listed: Path) -> None:
    listed.parent.mkdir()
    listed.write_text("{not json")
    assert registration.list_known() == ()
    for name, path in (("a", ""), ("b", ""), ("a", "x")):
        registration.remember(Opened(name=name, path=path, wish=WISH))
    assert [(one.name, one.path) for one in registration.list_known()] == [("a", "x"), ("b", "")]
    assert {one.wish for one in registration.list_known()} == {WISH}


def test_a_list_as_it_was_first_written_is_read(listed: Path) -> None:
    row = {"name": "a", "path": "x", "file": "", "box": BOX, "lon": "lon", "lat": "lat", "person": "rider", "cap": 2}
    listed.parent.mkdir()
    listed.write_text(json.dumps([row | {"crs": "", "separator": ";", "decimal": ","}, {"name": "b"}]))
    first, second = registration.list_known()
    wish = Wish(box=BOX, lon="lon", lat="lat", person="rider", cap=2, separator=";", decimal=",")
    assert (first, second) == (Opened(name="a", path="x", wish=wish), Opened(name="b", wish=Wish()))
