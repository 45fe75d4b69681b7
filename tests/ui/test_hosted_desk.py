"""The steps of hosted people, each by its role; what analysts get; and no page without a door."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import DpvizError, InputError, LedgerRefusal, NotYourRole
from dpviz.hosting import identity, public_folder
from dpviz.hosting.config import City, read_city
from dpviz.hosting.desk import Desk, Terms
from dpviz.hosting.reading_process import Given, Wish
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role
from dpviz.life.feed import read_feed
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second
from dpviz.publishing.datasets import Dataset
from dpviz.releases import load, signing
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest
from dpviz.series.series import begin_series
from dpviz.ui.person.page_person import PAGES
from dpviz.ui.serving import frame
from tests.ui.test_hosted_door import ENVIRONMENT, FILE

REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")
WISH = Wish(box="-74.05,40.7,-73.9,40.8", side=16)
TERMS = Terms(name="trips", total=Budget(epsilon=2.0), why="plan", second_person=True, standin_share=0.2)


class Read:
    """A reading that has ended."""

    clock = ""

    def counts(self) -> tuple[ExactCounts, tuple[str, ...]]:
        cells = np.random.default_rng(0).poisson(3.0, (16, 16))
        return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16), cells), ()


@pytest.fixture
def city(tmp_path: Path) -> City:
    (tmp_path / "taxi").mkdir()
    (tmp_path / "city.toml").write_text(FILE, encoding="utf-8")
    return read_city(tmp_path / "city.toml", ENVIRONMENT)


@pytest.fixture
def ledger(city: City) -> Ledger:
    city.ledger.parent.mkdir()
    return Ledger(city.ledger)


def desk(city: City, ledger: Ledger, name: str, *roles: Role) -> Desk:
    return Desk(city, Person(name=name, roles=frozenset(roles)), ledger)


def registered(city: City, ledger: Ledger, place: str = "taxi") -> Dataset:
    anna = desk(city, ledger, "anna", Role.STEWARD)
    return anna.register(Given(name="Taxi", place=place), WISH, Read(), TERMS)[0]  # type: ignore[arg-type]


def test_every_step_is_refused_to_other_roles(city: City, ledger: Ledger) -> None:
    dataset = registered(city, ledger)
    asked = desk(city, ledger, "piet", Role.PUBLISHER).ask(dataset, REQUEST, "cycling")
    for role in Role:
        eve = desk(city, ledger, "eve", role)
        steps: dict[Role, list[Any]] = {
            Role.STEWARD: [lambda: eve.register(Given(name="x"), WISH, Read(), TERMS)],  # type: ignore[arg-type]  # noqa: B023
            Role.PUBLISHER: [lambda: eve.ask(dataset, REQUEST, "x"), lambda: eve.publish(dataset, REQUEST)],  # noqa: B023
            Role.APPROVER: [lambda: eve.approve(asked, None), lambda: eve.refuse(asked, "x")],  # noqa: B023
        }
        for needed, those in steps.items():
            for step in those if needed is not role else ():
                with pytest.raises(NotYourRole, match=needed):
                    step()
    assert all(charge.purpose == "stand-in" for charge in ledger.charges())


def test_an_upload_beyond_the_role_and_an_unknown_source_are_refused(city: City, ledger: Ledger) -> None:
    anna = desk(city, ledger, "anna", Role.STEWARD)
    large = SimpleNamespace(name="../a.csv", getbuffer=lambda: memoryview(bytes(4 * 2**20)))
    with pytest.raises(DpvizError, match="may send 3 MB"):
        anna.given(upload=large)
    small = SimpleNamespace(name="../../a.csv", getbuffer=lambda: memoryview(b"x"))
    assert anna.given(upload=small) == Given(name="a.csv", content=b"x")
    for path in ("/etc/hosts", "taxi", "../taxi", "//host/share"):
        with pytest.raises(DpvizError, match="no data are named"):
            anna.given(source=path)


def test_approving_draws_once_from_uploaded_records_and_lets_them_go(city: City, ledger: Ledger) -> None:
    dataset = registered(city, ledger, place="")  # an upload: held until somebody decides
    piet, ada = desk(city, ledger, "piet", Role.PUBLISHER), desk(city, ledger, "ada", Role.APPROVER)
    with pytest.raises(LedgerRefusal, match="second person"):
        piet.publish(dataset, REQUEST)
    asked = piet.ask(dataset, REQUEST, "cycling")
    assert piet.ask(dataset, REQUEST, "again").id == asked.id and not ada.needs_reading(asked)
    outcome = ada.approve(asked, None, "fine")
    assert isinstance(outcome, Release) and ada.needs_reading(asked)
    with pytest.raises(InputError, match="not held here any more"):
        ada.approve(asked, None, "once more")
    assert isinstance(piet.publish(dataset, REQUEST), Release)  # the stored one
    assert publications(ledger) == ["piet"]


def test_who_is_both_cannot_approve_what_they_asked_for(city: City, ledger: Ledger) -> None:
    dataset = registered(city, ledger, place="")
    both = desk(city, ledger, "piet", Role.PUBLISHER, Role.APPROVER)
    asked = both.ask(dataset, REQUEST, "cycling")
    with pytest.raises(LedgerRefusal, match="somebody else"):
        both.approve(asked, None)


def test_an_approval_is_of_the_registered_records_and_counts_once(city: City, ledger: Ledger) -> None:
    dataset = registered(city, ledger)
    piet, ada = desk(city, ledger, "piet", Role.PUBLISHER), desk(city, ledger, "ada", Role.APPROVER)
    asked = piet.ask(dataset, REQUEST, "cycling")
    counts, _ = Read().counts()
    changed = ExactCounts.from_array(counts.grid, counts.to_numpy() + 1)
    with pytest.raises(LedgerRefusal, match="not those that were registered"):
        ada.approve(asked, changed, "fine")
    (waiting,) = second.requests(ledger)
    assert waiting.state == second.WAITING and not publications(ledger)
    first = ada.approve(asked, counts, "fine")
    again = ada.approve(asked, counts, "once more")
    assert isinstance(first, Release) and isinstance(again, Release) and again.id == first.id
    assert np.array_equal(again.raw_centers, first.raw_centers)
    assert len(publications(ledger)) == 1 and len(ledger.notes(second.DECIDED)) == 1
    with pytest.raises(LedgerRefusal, match="second person"):  # what was approved is this request, and no other one
        piet.publish(piet.opened("trips", counts), replace(REQUEST, k=3))
    bob = desk(city, ledger, "bob", Role.APPROVER)
    with pytest.raises(LedgerRefusal, match="approved this request already"):
        bob.refuse(asked, "late")


def publications(ledger: Ledger) -> list[str]:
    return [charge.who for charge in ledger.charges() if charge.purpose != "stand-in"]


def test_analysts_get_what_was_published_and_no_stand_in(city: City, ledger: Ledger) -> None:
    dataset = registered(city, ledger, place="")
    asked = desk(city, ledger, "piet", Role.PUBLISHER).ask(dataset, REQUEST, "cycling")
    outcome = desk(city, ledger, "ada", Role.APPROVER).approve(asked, None)
    assert isinstance(outcome, Release)
    assert public_folder.bring_up_to_date(ledger, city.published) == 1
    assert public_folder.bring_up_to_date(ledger, city.published) == 0
    assert {path.name for path in city.published.iterdir()} == {outcome.id, "releases.json", "releases.json.sig"}
    dpviz.withdraw(outcome.id, ledger=ledger, why="x", who="piet", notice="Do not use.")
    public_folder.bring_up_to_date(ledger, city.published)
    feed = read_feed(city.published)
    assert feed is not None and feed.entries[0].state == "withdrawn"
    text = b"".join(path.read_bytes() for path in city.published.rglob("*") if path.is_file())
    assert b"piet" not in text and b"cycling" not in text


def test_analysts_know_the_house_by_the_key_that_it_hands_out(
    city: City, ledger: Ledger, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "curators"))
    dataset = registered(city, ledger, place="")
    asked = desk(city, ledger, "piet", Role.PUBLISHER).ask(dataset, REQUEST, "cycling")
    outcome = desk(city, ledger, "ada", Role.APPROVER).approve(asked, None)
    public_folder.bring_up_to_date(ledger, city.published)
    public_folder.hand_out_key(city.published, city.name)
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "analysts"))  # another account, without the secret half
    assert isinstance(unknown := load(city.published / outcome.id), Release) and not unknown.signature.known
    monkeypatch.setenv(signing.HOUSE_KEY, str(city.published / public_folder.KEY))
    assert isinstance(known := load(city.published / outcome.id), Release) and known.signature.name == city.name
    (city.published / public_folder.KEY).write_text('{"name": "you", "key": "00"}', encoding="utf-8")
    assert signing.known_keys() == {}


def test_a_server_past_the_door_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []

    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    context = SimpleNamespace(headers={"host": "127.0.0.1"})
    monkeypatch.setattr(frame, "st", SimpleNamespace(context=context, error=said.append, stop=stop, session_state={}))
    monkeypatch.setattr(identity, "_standing", [])
    with pytest.raises(Stopped):
        frame.begin()
    assert said == [identity.NO_DOOR]
    identity.note_that_a_door_stands("home")
    frame.begin()


def test_every_app_says_its_server_where_streamlit_looks_for_it(project_root: Path) -> None:
    for script in ("app.py", "city_app.py", "analyst_app.py"):
        tree = ast.parse((project_root / script).read_text(encoding="utf-8"))
        made = [
            node for node in ast.walk(tree) if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "app"
        ]
        assert made and all(ast.unparse(node.value).startswith("st.App(__file__, middleware=") for node in made), script


def test_records_are_looked_at_by_stewards_and_publishers_alone() -> None:
    pages = {path: roles for path, _, _, roles in PAGES}
    for path in ("pages/choose.py", "pages/data.py"):
        assert pages[path] == {Role.STEWARD, Role.PUBLISHER}
    assert not any({Role.ANALYST, Role.READER} & roles for roles in pages.values())


def test_the_same_people_under_another_name_are_refused_at_the_desk_too(city: City, ledger: Ledger) -> None:
    rng = np.random.default_rng(6)
    rows = zip(rng.normal(40.75, 0.01, 3000), rng.normal(-73.98, 0.01, 3000), rng.integers(0, 500, 3000), strict=True)
    content = ("lat,lon,rider\n" + "".join(f"{y:.6f},{x:.6f},rider {who}\n" for y, x, who in rows)).encode()
    anna, given = desk(city, ledger, "anna", Role.STEWARD), Given(name="trips.csv", content=content)
    riders = replace(WISH, person="rider", cap=2)
    trips = replace(TERMS, standin_share=0.0)
    anna.register(given, riders, anna.reading(given, riders), trips)
    half = replace(WISH, box="-74.15,40.7,-73.98,40.8", side=64)
    for wish in (half, replace(half, person="rider", cap=2)):
        other = replace(trips, name="other")
        with pytest.raises(LedgerRefusal, match="'trips'"):
            anna.register(given, wish, anna.reading(given, wish), other)
        assert [row.name for row in ledger.datasets()] == ["trips"] and ledger.charges() == []
    joined, _ = anna.register(given, wish, anna.reading(given, wish), replace(other, same_people="trips"))
    assert joined.remaining.epsilon == 2 and [note.subject for note in ledger.notes("member")] == ["trips", "other"]
    _, told = anna.register(
        given, half, anna.reading(given, half), replace(trips, name="third", other_people="made for a test")
    )
    assert any("add up" in sentence for sentence in told) and ledger.notes("other people")[0].who == "anna"


def test_a_period_that_was_read_before_another_one_was_published_is_read_again(city: City, ledger: Ledger) -> None:
    """Which rows count follows from the periods published before (docs/proofs/series.md, 5), so it may not be old."""
    box = GeoBox(-74.05, 40.70, -73.90, 40.80)
    series = begin_series("trips", people="all", whole=Budget(epsilon=4.0), box=box, k=2, side=16, ledger=ledger)
    piet, given = desk(city, ledger, "piet", Role.PUBLISHER), Given(name="Taxi", place="taxi")
    early = piet.wish_of_period(series, "2026-03", time="day")

    def publish(label: str, wish: Wish) -> object:
        return piet.publish_period(series, label, given, wish, Read(), "plan")  # type: ignore[arg-type]

    with pytest.raises(LedgerRefusal, match="read them again"):
        publish("2026-01", early)  # records of another period
    assert isinstance(publish("2026-02", piet.wish_of_period(series, "2026-02", time="day")), Release)
    with pytest.raises(LedgerRefusal, match="read them again"):
        publish("2026-03", early)
    assert len(ledger.charges()) == 1
    assert isinstance(publish("2026-03", piet.wish_of_period(series, "2026-03", time="day")), Release)


def test_who_may_not_publish_a_period_leaves_no_note(city: City, ledger: Ledger) -> None:
    box = GeoBox(-74.05, 40.70, -73.90, 40.80)
    series = begin_series("trips", people="all", whole=Budget(epsilon=4.0), box=box, k=2, side=16, ledger=ledger)
    before = len(ledger.notes())
    for role in set(Role) - {Role.PUBLISHER}:
        eve = desk(city, ledger, "eve", role)
        wish = eve.wish_of_period(series, "2026-01", time="other_day")
        with pytest.raises(NotYourRole):
            eve.publish_period(series, "2026-01", Given(name="Taxi", place="taxi"), wish, Read(), "x")  # type: ignore[arg-type]
    assert len(ledger.notes()) == before and ledger.datasets() == []


def test_the_column_of_dates_that_counts_is_that_of_a_published_period(city: City, ledger: Ledger) -> None:
    """A period that was read by another column and not published may not let the next one be read by it."""
    box = GeoBox(-74.05, 40.70, -73.90, 40.80)
    series = begin_series("trips", people="all", whole=Budget(epsilon=4.0), box=box, k=2, side=16, ledger=ledger)
    second.require_second_person("all", ledger=ledger, why="x")
    piet, ada = desk(city, ledger, "piet", Role.PUBLISHER), desk(city, ledger, "ada", Role.APPROVER)

    def ask(label: str, time: str) -> second.ApprovalRequest:
        wish = piet.wish_of_period(series, label, time=time)
        found = piet.publish_period(series, label, Given(name="Taxi"), wish, Read(), "plan")  # type: ignore[arg-type]
        assert isinstance(found, second.ApprovalRequest)
        return found

    january = ask("2026-01", "start")
    ask("2026-02", "end")
    assert isinstance(ada.approve(january, None, "fine"), Release)
    with pytest.raises(InputError, match="another one"):
        ask("2026-02", "end")
    ask("2026-02", "start")
