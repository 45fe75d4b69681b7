"""A file of one's own on the page: a person column after a restart, and the same file under another name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ledger.ledger import Ledger
from dpviz.ui.own_data import registration, words
from tests.ui.test_pages import run

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair


@pytest.fixture(autouse=True)
def fresh_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "data" / "ledger.sqlite3"
    monkeypatch.setenv("DPVIZ_LEDGER", str(path))
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rng = np.random.default_rng(4)
    rows = zip(rng.normal(13.4, 0.03, 3000), rng.normal(52.5, 0.02, 3000), rng.integers(0, 900, 3000), strict=True)
    found = tmp_path / "rides.csv"
    found.write_text("lon,lat,rider_id\n" + "".join(f"{x:.6f},{y:.6f},r{who}\n" for x, y, who in rows))
    return found


def open_file(app: AppTest, file: Path, name: str, *, city: str = "Berlin", persons: bool = True) -> None:
    """Fill in the dialog as a curator does, and press its button."""
    named(app, "Use your own data").click().run()
    app.text_input(key="own_path").set_value(str(file)).run()
    app.selectbox(key="own_city").set_value(city).run()
    app.text_input(key=f"own_name_{file.name}").set_value(name).run()
    app.radio(key="own_unit_True").set_value("person" if persons else "record").run()
    app.button(key="own_go").click().run()
    assert not app.exception, [error.message for error in app.exception]


def named(app: AppTest, label: str) -> Any:
    return next(button for button in app.button if button.label == label)


def names() -> list[str]:
    return [row.name for row in Ledger().datasets()]


def test_the_first_data_of_a_fresh_folder_with_persons_open_again_after_a_restart(
    project_root: Path, file: Path
) -> None:
    open_file(run(project_root), file, "rides")
    assert names() == ["rides"]
    again = run(project_root)  # another session, another Ledger: what a restart leaves
    open_file(again, file, "rides")
    assert not again.error and names() == ["rides"]
    record = next((one for one in registration.list_known() if one.name == "rides"), None)
    assert record is not None and registration.reopen_file(record).title == "rides"


def test_another_name_asks_about_the_people_and_takes_both_answers(project_root: Path, file: Path) -> None:
    open_file(run(project_root), file, "rides")
    app = run(project_root)
    open_file(app, file, "rides two")
    assert names() == ["rides"] and [one.value for one in app.warning if "rides" in one.value]
    app.button(key="own_go").click().run()  # without an answer
    assert names() == ["rides"] and [error.value for error in app.error] == [words.OWN_ALIKE_ANSWER]
    app.radio(key="own_people").set_value("rides").run()
    app.button(key="own_go").click().run()
    assert names() == ["rides", "rides two"] and not app.exception
    assert [note.subject for note in Ledger().notes("member")] == ["rides", "rides two"]

    app = run(project_root)
    open_file(app, file, "rides three", persons=False)
    app.radio(key="own_people").set_value("").run()
    app.button(key="own_go").click().run()
    assert names() == ["rides", "rides two"], "the reason is missing"
    app.text_input(key="own_other_people").set_value("made up for a test").run()
    app.button(key="own_go").click().run()
    assert names() == ["rides", "rides two", "rides three"] and not app.exception
    (note,) = Ledger().notes("other people")
    assert note.why == "made up for a test" and note.facts["alike"] == ["rides", "rides two"]
