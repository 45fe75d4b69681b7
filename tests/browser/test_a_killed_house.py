"""The drill of the how-to on a live house: killed while it publishes, started again, its store lost and restored."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from dpviz.hosting.config import read_city
from dpviz.hosting.desk import Desk, Terms
from dpviz.hosting.reading_process import Wish
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role
from dpviz.privacy import Budget
from dpviz.publishing.approvals import APPROVED, ask_for_approval, requests, require_second_person
from dpviz.releases.request import ReleaseRequest
from tests.browser.houses import PEOPLE, House, build, provider, running, signed_in

pytestmark = pytest.mark.browser
BOX = "-74.05, 40.70, -73.90, 40.80"


@pytest.fixture(scope="module")
def city(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("city")
    with provider(project_root, folder, PEOPLE) as port:
        built = build(folder, port)
        _registered_and_asked_for(built)
        yield built


def _registered_and_asked_for(built: House) -> None:
    """What the steward and the publisher do on their pages, without the pages."""
    house = read_city(built.folder / "city.toml", {"HOUSE_SECRET": "of-the-house"})
    ledger = _ledger(built)
    anna = Desk(house, Person(name="anna@city.example", roles=frozenset({Role.STEWARD})), ledger)
    given, wish = anna.given(source="Taxi, March"), Wish(box=BOX, lon="pickup_longitude", lat="pickup_latitude")
    terms = Terms(name="march", total=Budget(epsilon=2.0), why="mobility plan")
    dataset, _ = anna.register(given, wish, anna.reading(given, wish), terms)
    require_second_person("march", ledger=ledger, who="anna@city.example", why="decision")
    request = ReleaseRequest(k=5, budget=Budget(epsilon=0.5))
    ask_for_approval(
        ledger, dataset="march", key=dataset.key_of(request), request=request, who="piet@city.example", why="cycling"
    )


def _ledger(built: House) -> Ledger:
    return Ledger(built.folder / "store" / "ledger.sqlite3")


def _published(built: House) -> dict[str, bytes]:
    """Every file of every release that the analysts' program can read."""
    folder = built.folder / "store" / "published"
    return {f"{path.parent.name}/{path.name}": path.read_bytes() for path in folder.glob("[!.]*/*")}


def _dpviz(built: House, *words: str) -> str:
    """A command of the how-to."""
    command = [sys.executable, "-m", "dpviz", "ledger", *words, "--ledger", str(built.folder / "store/ledger.sqlite3")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_killed_while_it_publishes_it_owes_one_release_and_a_lost_store_comes_back(
    city: House, browser: Browser, project_root: Path
) -> None:
    with running(project_root, city, "curators") as process:
        ada = signed_in(browser, city.curators, "ada")
        ada.get_by_role("button", name="Approve and publish").click()
        _kill_when_it_has_charged(city, process)
        ada.context.close()
    (charge,) = _ledger(city).charges()
    assert [one.state for one in requests(_ledger(city))] == [APPROVED]

    with running(project_root, city, "curators"):
        ada = signed_in(browser, city.curators, "ada")
        unfinished = ada.get_by_role("button", name="Publish what was approved")
        if not charge.stored:  # else the kill came when all was done
            unfinished.click()
            ada.wait_for_selector("text=Approved and published")
        expect(unfinished).to_be_hidden()
        (again,) = _ledger(city).charges()
        assert again.stored and replace(again, stored=charge.stored, seal=charge.seal) == charge
        _until(lambda: bool(_published(city)))
        before = _published(city)
        ada.context.close()

    _dpviz(city, "verify")
    _dpviz(city, "backup", "--out", str(city.folder / "backup"))
    shutil.move(city.folder / "store", city.folder / "store.lost")
    _dpviz(city, "restore", str(city.folder / "backup"))
    _dpviz(city, "verify")
    assert [row.key for row in _ledger(city).charges()] == [charge.key]
    with running(project_root, city):
        _until(lambda: bool(_published(city)))
        assert _published(city) == before
        ron = signed_in(browser, city.analysts, "ron")
        ron.wait_for_selector("text=Privacy label")
        ron.context.close()


def _kill_when_it_has_charged(built: House, process: int) -> None:
    """Between the charge and the stored release, as far as looking on allows."""
    file = f"file:{built.folder / 'store' / 'ledger.sqlite3'}?mode=ro"
    with sqlite3.connect(file, uri=True) as looking:
        _until(lambda: looking.execute("SELECT count(*) FROM charges").fetchone()[0] > 0, every=0.001)
    os.kill(process, signal.SIGKILL)


def _until(done: Callable[[], bool], every: float = 0.1) -> None:
    deadline = time.monotonic() + 180
    while not done():
        assert time.monotonic() < deadline
        time.sleep(every)
