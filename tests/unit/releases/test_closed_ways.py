"""Ways to a charge, or past a rule, that were open once: each is tried and refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.errors import InputError, LedgerRefusal, NotYourRole
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Person, Role, house_policy
from dpviz.life import publications as life
from dpviz.life.publications import correct, publications, supersede, withdraw
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second, door
from dpviz.publishing.datasets import Dataset, demonstration_dataset
from dpviz.publishing.door import publish
from dpviz.publishing.populations import begin_population
from dpviz.publishing.record_similarity import LikelySamePeople
from dpviz.publishing.registration import register, register_member, register_or_open
from dpviz.releases.about import About
from dpviz.releases.period import Period
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
REQUEST = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")


def counts(seed: int = 0) -> ExactCounts:
    return ExactCounts.from_array(Grid(BOX, 16), np.random.default_rng(seed).poisson(3.0, (16, 16)))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite3")


@pytest.fixture
def dataset(ledger: Ledger) -> Dataset:
    return register("Trips 2026", counts(), total=Budget(epsilon=2.0), ledger=ledger, who="anna", why="plan")


@pytest.mark.parametrize("spelling", ["trips 2026", " Trips  2026", "Тriрs 2026"])
def test_a_rule_binds_the_dataset_however_its_name_was_typed(ledger: Ledger, dataset: Dataset, spelling: str) -> None:
    second.require_second_person(spelling, ledger=ledger, who="anna", why="x")
    assert second.rules(ledger) == ("Trips 2026",)
    with pytest.raises(LedgerRefusal, match="second person"):
        publish(dataset, REQUEST, who="anna", why="x")
    assert ledger.charges() == []


def test_a_rule_that_was_noted_in_another_spelling_binds_too(ledger: Ledger, dataset: Dataset) -> None:
    ledger.note(second.RULE, "trips 2026", {"needed": True}, who="anna")
    with pytest.raises(LedgerRefusal, match="second person"):
        publish(dataset, REQUEST, who="anna", why="x")


def test_a_rule_for_a_population_in_another_spelling_binds_it(ledger: Ledger) -> None:
    begin_population("Riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    second.require_second_person("riders", ledger=ledger, who="anna", why="x")
    assert second.rules(ledger) == ("Riders",)


def test_a_rule_that_is_made_while_a_release_is_prepared_stops_it(
    ledger: Ledger, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(prepared: object, where: object, basemap: object) -> None:
        second.require_second_person("Trips 2026", ledger=ledger, who="ada", why="x")

    monkeypatch.setattr(door, "rehearse", slow)  # between the permit and the charge
    with pytest.raises(LedgerRefusal, match="made meanwhile"):
        publish(dataset, REQUEST, who="anna", why="x")
    assert ledger.charges() == []


def test_an_approved_release_is_not_stopped_by_its_own_rule(ledger: Ledger, dataset: Dataset) -> None:
    second.require_second_person("Trips 2026", ledger=ledger, who="ada", why="x")
    key = dataset.key_of(REQUEST)
    asked = second.ask_for_approval(ledger, dataset=dataset.name, key=key, request=REQUEST, who="anna", why="plan")
    second.approve(ledger, asked.id, who="ada")
    assert isinstance(publish(dataset, REQUEST, who="anna", why="x"), Release)


def test_who_shares_the_budget_of_a_dataset_shares_its_rule(ledger: Ledger, dataset: Dataset) -> None:
    other = register("u", counts(9), total=Budget(epsilon=2.0), same_people="Trips 2026", ledger=ledger, who="anna")
    second.require_second_person("Trips 2026", ledger=ledger, who="ada", why="x")
    with pytest.raises(LedgerRefusal, match="second person"):
        publish(other, REQUEST, who="anna", why="x")
    assert ledger.charges() == []


def test_a_dataset_with_its_own_total_is_not_taken_for_one_that_shares(ledger: Ledger, dataset: Dataset) -> None:
    whole = Budget(epsilon=2.0)
    register("own", counts(9), total=whole, ledger=ledger, who="anna")
    with pytest.raises(LedgerRefusal, match="shares no budget"):
        register("own", counts(9), total=whole, same_people="Trips 2026", ledger=ledger, who="anna")
    with pytest.raises(LedgerRefusal, match="shares no budget"):
        register_or_open("own", counts(9), request=REQUEST, same_people="Trips 2026", ledger=ledger, who="anna")
    for _ in range(2):  # the second time it is registered and shares
        register("shared", counts(8), total=whole, same_people="Trips 2026", ledger=ledger, who="anna")
    register_or_open("shared", counts(8), request=REQUEST, same_people="trips 2026", ledger=ledger, who="anna")


@pytest.mark.parametrize("whole", ["0.001", "8.0"])
def test_a_request_cannot_bring_its_own_promise_over_time(ledger: Ledger, dataset: Dataset, whole: str) -> None:
    facts = {"population": "p", "window": "2026", "whole_epsilon": whole, "whole_delta": "0.0", "disjoint": True}
    period = Period(series="s", label="2026-03", number=0, **facts)  # type: ignore[arg-type]
    request = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="series_cells", period=period)
    with pytest.raises(InputError, match="publish_period"):
        publish(dataset, request, who="anna", why="x")
    begin_population("p", whole=Budget(epsilon=8.0), unit=Unit(), ledger=ledger)
    member = register_member("s 2026-03", counts(7), of="p", when="2026-03", period=True, ledger=ledger)
    if whole == "8.0":
        assert isinstance(publish(member, request, who="anna", why="x"), Release)
    else:
        with pytest.raises(InputError, match="this window and budget"):
            publish(member, request, who="anna", why="x")
        assert ledger.charges() == []


def test_a_record_has_one_time_so_the_same_records_get_no_second_window(ledger: Ledger) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    register_member("trips", counts(), of="riders", when="2026", ledger=ledger)
    with pytest.raises(LikelySamePeople):
        register_member("the same", counts(), of="riders", when="2027", ledger=ledger)
    assert [row.name for row in ledger.datasets()] == ["trips"] and len(ledger.notes("member")) == 1
    register_member("one window", counts(), of="riders", when="2026-03", ledger=ledger)  # spends what is there
    register_member("others", counts(5), of="riders", when="2027", ledger=ledger)
    register_member("said", counts(), of="riders", when="2028", ledger=ledger, other_people="made-up months")


def test_what_was_read_from_files_is_no_demonstration(ledger: Ledger, tmp_path: Path) -> None:
    file = tmp_path / "own.csv"
    file.write_text("lon,lat\n-74.0,40.75\n", encoding="utf-8")
    practice = Ledger(tmp_path / "practice.sqlite3", demonstration=True)
    with pytest.raises(InputError, match="built-in cities only"):
        demonstration_dataset("city", read_counts(file, box=BOX, side=16), ledger=practice)
    persons = ExactCounts.from_array(Grid(BOX, 16), counts().to_numpy(), unit=Unit(person_column="rider", cap=2))
    with pytest.raises(InputError, match="built-in cities only"):
        demonstration_dataset("city", persons, ledger=practice)
    assert practice.datasets() == []


@pytest.mark.parametrize("name", ["ada\ufe0f", "a\u034fda", "ada\u3164", "\u115fada", "\u0430da", "\u2066ada\u2069"])
def test_letters_that_show_nothing_or_the_same_make_no_second_person(name: str) -> None:
    assert second.same_person("ada", name) and second.same_person(name, "ADA")
    assert not second.same_person("ada", "eda")


def test_a_stand_in_takes_no_releases_place(ledger: Ledger) -> None:
    whole = Budget(epsilon=2.0)
    dataset = register("trips", counts(), total=whole, standin_share=0.2, ledger=ledger, who="anna", why="x")
    release = publish(dataset, REQUEST, who="anna", why="x")
    (standin,) = [charge.key for charge in dataset.charges if charge.purpose == "stand-in"]
    with pytest.raises(InputError, match="stand-in"):
        supersede(str(release.id), by=standin, ledger=ledger, why="x", who="anna")


@pytest.mark.parametrize("step", ["correct", "withdraw"])
def test_of_two_steps_at_once_only_the_first_counts(
    ledger: Ledger, dataset: Dataset, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = str(publish(dataset, REQUEST, who="anna", why="x").id)
    looked = life._refuse_twice

    def somebody_else_withdraws_it(chosen: life.Publication) -> None:
        looked(chosen)
        monkeypatch.setattr(life, "_refuse_twice", looked)
        withdraw(release, ledger=ledger, why="wrong box", who="ada")

    monkeypatch.setattr(life, "_refuse_twice", somebody_else_withdraws_it)
    with pytest.raises(InputError, match="at this moment"):
        if step == "correct":
            correct(release, About(title="x"), ledger=ledger, why="x", who="anna")
        else:
            withdraw(release, ledger=ledger, why="x", who="anna")
    assert [(one.id, one.state) for one in publications(ledger)] == [(release, life.WITHDRAWN)]


def test_a_module_that_is_loaded_again_does_not_let_a_process_out_of_its_house(project_root: Path) -> None:
    lines = (
        "import importlib",
        f"import {house_policy.__module__} as persons",
        "persons.host(persons.HousePolicy(always_second_person=True))",
        "assert importlib.reload(persons).house_policy().always_second_person",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=project_root, check=True)


def test_a_publisher_registers_nothing_that_is_no_period_of_a_series(ledger: Ledger) -> None:
    begin_population("riders", whole=Budget(epsilon=1.0), unit=Unit(), ledger=ledger)
    piet = Person(name="piet", roles=frozenset({Role.PUBLISHER}))
    with pytest.raises(NotYourRole, match="for a steward"):
        register_member("own", counts(), of="riders", when="2026-03", period=True, ledger=ledger, who=piet)
    assert ledger.datasets() == [] and ledger.notes("member") == []
