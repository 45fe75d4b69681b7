"""A release of several holders on the screens: who held the records is said on Publications, Compare and the map."""

from __future__ import annotations

from pathlib import Path

import pytest

import dpviz
from dpviz.releases.release import Release
from dpviz.ui.compare.pair_tables import facts_table
from tests.ui.test_compare_page import told
from tests.ui.test_publications import opened
from tests.unit.joint.holders import Holders, keys_of_their_own

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Holders:
    keys_of_their_own(monkeypatch, tmp_path)
    return Holders(tmp_path)


def published(three: Holders) -> Release:
    def act(name: str, place: int) -> object:
        return dpviz.joint.run(three.plan, holder=name, data=three.counts(place), ledger=three.ledger(name), wait=30.0)

    found = three.each(act)
    assert all(isinstance(one, Release) for one in found)
    return found[0]


def test_the_holders_are_named_on_every_screen(
    three: Holders, project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = published(three)
    facts = facts_table(release, None).set_index("Fact")["A"]
    assert facts["Held by"] == "a, b, c"
    page = release.files()["map.html"].decode()
    assert "Held by a, b, c." in page and "Die Eintragungen liegen bei a, b, c." in page
    assert "held by a, b, c" in page and "lagen bei a, b, c" in page
    monkeypatch.setenv("DPVIZ_LEDGER", str(three.ledger("a").path))
    screen = opened(project_root)
    assert "Held by a, b, c" in told(screen)
    assert {one.label: one.disabled for one in screen.button if one.label in ("Correct its words …", "Withdraw …")} == {
        "Correct its words …": True,
        "Withdraw …": False,
    }
