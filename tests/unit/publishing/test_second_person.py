"""Publishing that needs a second person, and the log of who did what."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.errors import InputError, LedgerRefusal
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second, audit_log as log
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.populations import begin_population
from dpviz.publishing.registration import register_member
from dpviz.releases.release import NoAnswer
from dpviz.releases.request import ReleaseRequest


def counts(seed: int = 0) -> ExactCounts:
    cells = np.random.default_rng(seed).poisson(3.0, (16, 16))
    return ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16), cells)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite3")


@pytest.fixture
def dataset(ledger: Ledger) -> Dataset:
    found = dpviz.register("trips", counts(), total=Budget(epsilon=2.0), ledger=ledger, who="anna", why="plan")
    second.require_second_person("trips", ledger=ledger, who="anna", why="rule of the house")
    return found


REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")


def ask(ledger: Ledger, dataset: Dataset, who: str = "Piet@City.example") -> second.ApprovalRequest:
    key = dataset.key_of(REQUEST)
    return second.ask_for_approval(ledger, dataset="trips", key=key, request=REQUEST, who=who, why="cycling plan")


def test_without_approval_the_door_charges_and_draws_nothing(ledger: Ledger, dataset: Dataset) -> None:
    for before in (lambda: None, lambda: ask(ledger, dataset)):
        before()
        with pytest.raises(LedgerRefusal, match="second person"):
            dpviz.publish(dataset, REQUEST, who="piet")
        assert ledger.charges() == []


def test_who_asked_cannot_approve_however_the_name_is_written(ledger: Ledger, dataset: Dataset) -> None:
    asked = ask(ledger, dataset)
    for name in ("Piet@City.example", " piet@city.EXAMPLE ", "ｐiet@city.example", "pi\u00adet@city.example"):
        with pytest.raises(LedgerRefusal, match="somebody else"):
            second.approve(ledger, asked.id, who=name)
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(dataset, REQUEST, who="piet")


def test_an_approved_release_is_drawn_and_charged_once(ledger: Ledger, dataset: Dataset) -> None:
    asked = ask(ledger, dataset)
    second.approve(ledger, asked.id, who="ada", why="fine")
    second.approve(ledger, asked.id, who="bea")  # a second click changes nothing
    first = dpviz.publish(dataset, asked.request, who=asked.who, why=asked.why)
    again = dpviz.publish(dataset, REQUEST, who="piet")
    assert not isinstance(first, NoAnswer) and not isinstance(again, NoAnswer) and first.id == again.id == asked.key
    (charge,) = ledger.charges()
    assert (charge.who, charge.why) == ("Piet@City.example", "cycling plan")
    (told,) = second.requests(ledger)
    assert (told.state, told.decided_by, told.reason) == ("approved", "ada", "fine")


def test_another_request_than_the_approved_one_stays_refused(ledger: Ledger, dataset: Dataset) -> None:
    second.approve(ledger, ask(ledger, dataset).id, who="ada")
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(dataset, ReleaseRequest(k=2, budget=Budget(epsilon=1.0), method="uniform_grid"))


def test_an_approval_is_of_one_request_and_of_no_other_that_waits_or_was_refused(
    ledger: Ledger, dataset: Dataset
) -> None:
    second.approve(ledger, ask(ledger, dataset).id, who="ada")
    dearer, wider = (ReleaseRequest(k=k, budget=Budget(epsilon=1.0), method="uniform_grid") for k in (2, 3))
    waiting, refused = (
        second.ask_for_approval(
            ledger, dataset="trips", key=dataset.key_of(request), request=request, who="piet", why="cycling plan"
        )
        for request in (dearer, wider)
    )
    second.refuse(ledger, refused.id, who="ada", why="too much")
    assert [one.state for one in second.requests(ledger)] == ["approved", "waiting", "refused"]
    for one in (waiting, refused):
        with pytest.raises(LedgerRefusal):
            dpviz.publish(dataset, one.request, who=one.who)
        assert ledger.charges() == []
    dpviz.publish(dataset, REQUEST, who="piet")
    assert [charge.key for charge in ledger.charges()] == [dataset.key_of(REQUEST)]


@pytest.mark.filterwarnings("ignore::dpviz.publishing.datasets.SameContentWarning")
def test_another_name_for_the_same_records_is_no_way_around_the_rule(ledger: Ledger, dataset: Dataset) -> None:
    """Who may register could otherwise register them again, and who may publish would publish alone."""
    cells = counts().to_numpy().copy()
    cells[3, 3] += 1
    nearly = ExactCounts.from_array(counts().grid, cells)
    for name, records in (("again", counts()), ("nearly", nearly)):
        other = dpviz.register(name, records, total=Budget(epsilon=2.0), ledger=ledger, other_people="so it is said")
        assert second.needs_second_person(ledger, name)
        with pytest.raises(LedgerRefusal, match="second person"):
            dpviz.publish(other, REQUEST, who="anna")
    dpviz.register("others", counts(7), total=Budget(epsilon=2.0), ledger=ledger)
    assert not second.needs_second_person(ledger, "others") and ledger.charges() == []


def test_of_two_answers_the_first_one_counts(ledger: Ledger, dataset: Dataset) -> None:
    asked = ask(ledger, dataset)
    with pytest.raises(InputError, match="say why"):
        second.refuse(ledger, asked.id, who="ada", why=" ")
    second.refuse(ledger, asked.id, who="ada", why="too fine")
    with pytest.raises(LedgerRefusal, match="ada refused"):
        second.approve(ledger, asked.id, who="bea")
    ledger.note(second.DECIDED, asked.id, {"decision": "approved", "key": asked.key}, who="bea")  # at the same moment
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(dataset, REQUEST)
    assert ask(ledger, dataset).id != asked.id  # who was refused may ask again


def test_an_answer_that_came_too_late_is_told_as_such(ledger: Ledger, dataset: Dataset) -> None:
    """Two approvers in one moment: both looked before either had answered."""
    asked = ask(ledger, dataset)
    second.refuse(ledger, asked.id, who="ada", why="too fine")
    ledger.note(second.DECIDED, asked.id, {"decision": "approved", "key": asked.key}, who="bea")
    told = [(event.who, event.what) for event in log.events(ledger)][-2:]
    assert told == [("ada", "refused a release"), ("bea", "answered too late")]


def test_a_population_asks_for_all_its_datasets(ledger: Ledger) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0, delta=1e-6), unit=Unit(), ledger=ledger)
    second.require_second_person("riders", ledger=ledger, who="anna")
    member = register_member("march", counts(1), of="riders", when="2026-03", ledger=ledger)
    assert second.needs_second_person(ledger, "march") and not second.needs_second_person(ledger, "other")
    with pytest.raises(LedgerRefusal, match="second person"):
        dpviz.publish(member, REQUEST)


def test_the_log_tells_everything_in_order_and_no_formula(ledger: Ledger, dataset: Dataset) -> None:
    asked = ask(ledger, dataset)
    second.approve(ledger, asked.id, who="ada", why='=HYPERLINK("x")')
    dpviz.publish(dataset, REQUEST, who=asked.who)
    ledger.note(log.VISIT, "eve", {"roles": []}, who="eve")
    told = [(event.who, event.what) for event in log.events(ledger)]
    assert told == [
        ("anna", "registered a dataset"),
        ("anna", "asked for a second person from now on"),
        ("Piet@City.example", "asked for approval"),
        ("ada", "approved a release"),
        ("Piet@City.example", "published"),
        ("eve", "signed in without a role"),
    ]
    rows = list(csv.DictReader(io.StringIO(log.as_csv(log.events(ledger)))))
    assert rows[3]["why"].startswith("'=") and rows[4]["release"] == asked.key
    assert ledger.content_key.hex() not in log.as_csv(log.events(ledger))
    ledger.check()
