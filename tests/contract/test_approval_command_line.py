"""The second person on the command line: a rule for a population, asking, approving and refusing as two accounts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from dpviz.__main__ import main
from dpviz.cli import approval
from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.ledger import persons
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms import series_cells
from dpviz.mechanisms.interface import NoAnswer, Reason
from dpviz.privacy import Budget
from dpviz.publishing import approvals
from dpviz.publishing.populations import begin_population
from dpviz.publishing.registration import register_member

Run = Callable[..., tuple[int, str, str]]
RELEASE = ["--k", 2, "--epsilon", 0.5, "--method", "uniform_grid"]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))

    def call(who: str, *words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(approval, "account", lambda: who)
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def publish(run: Run, tmp_path: Path) -> Callable[[], tuple[int, str, str]]:
    """The population's records of March, registered, and the command that would publish them."""
    cells = np.zeros((64, 64), dtype=np.int64)
    rows = np.random.default_rng(0).integers(8, 56, (500, 2))
    np.add.at(cells, (rows[:, 0], rows[:, 1]), 1)
    box = GeoBox(-74.05, 40.70, -73.90, 40.80)
    lon = box.west + (rows[:, 1] + 0.5) * (box.east - box.west) / 64
    lat = box.north - (rows[:, 0] + 0.5) * (box.north - box.south) / 64
    lines = "\n".join(f"{x:.6f},{y:.6f}" for x, y in zip(lon, lat, strict=True))
    (tmp_path / "march.csv").write_text("lon,lat\n" + lines + "\n")
    ledger = Ledger(tmp_path / "ledger.sqlite3")
    begin_population("riders", whole=Budget(epsilon=1.0, delta=1e-6), unit=Unit(), ledger=ledger)
    counts = ExactCounts.from_array(Grid(box, 64), cells)
    register_member("march", counts, of="riders", when="2026-03", ledger=ledger)
    words = ["release", tmp_path / "march.csv", "--box=-74.05,40.70,-73.90,40.80", "--side", 64, "--unit", "record"]
    words += ["--dataset", "march", "--out", tmp_path / "out", *RELEASE]
    return lambda: run("piet", *words)


def test_from_the_rule_of_a_population_to_a_release_of_two_people(
    run: Run, publish: Callable[[], tuple[int, str, str]], tmp_path: Path
) -> None:
    assert run("anna", "approval", "need", "riders", "--why", "decision")[0] == 0
    code, _, err = publish()
    assert code == 3 and "dpviz approval ask" in err
    code, out, err = run("piet", "approval", "ask", "march", *RELEASE, "--why", "cycling plan", "--json")
    assert code == 0, err
    asked = json.loads(out)
    code, _, err = run(" PIET", "approval", "approve", asked["number"][:6])
    assert code == 3 and "somebody else" in err
    assert publish()[0] == 3 and not Ledger(tmp_path / "ledger.sqlite3").charges()
    assert run("ada", "approval", "approve", asked["number"][:6], "--why", "fine")[0] == 0
    code, _, err = publish()
    assert code == 0, err
    (charge,) = Ledger(tmp_path / "ledger.sqlite3").charges()
    assert charge.key == asked["release"]
    listed = json.loads(run("ada", "approval", "--json")[1])
    assert listed["needed"] == ["riders"] and listed["requests"][0]["decided_by"] == "ada"


def test_a_refusal_needs_a_reason_and_stays(run: Run, publish: Callable[[], tuple[int, str, str]]) -> None:
    assert run("anna", "approval", "need", "riders", "--why", "decision")[0] == 0
    code, out, err = run("piet", "approval", "ask", "march", *RELEASE, "--why", "plan", "--json")
    assert code == 0, err
    number = json.loads(out)["number"]
    assert run("ada", "approval", "refuse", number, "--why", " ")[0] == 2
    assert run("ada", "approval", "refuse", number, "--why", "too fine")[0] == 0
    code, _, err = run("bea", "approval", "approve", number)
    assert code == 3 and "ada refused" in err
    assert publish()[0] == 3 and "too fine" in run("piet", "approval")[1]


def test_what_would_bind_nobody_or_is_unknown_is_refused(run: Run, publish: Callable[[], tuple[int, str, str]]) -> None:
    code, _, err = run("anna", "approval", "need", "ridders", "--why", "x")
    assert code == 2 and "would bind nobody" in err
    code, _, err = run("piet", "approval", "ask", "march", *RELEASE, "--why", "plan")
    assert code == 2 and "needs no second person" in err
    assert run("ada", "approval", "approve", "00ff")[0] == 2


def test_the_environment_does_not_say_who_is_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    before = approval.account()
    for variable in ("LOGNAME", "USER", "USERNAME"):
        monkeypatch.setenv(variable, "somebody-else")
    assert approval.account() == before or sys.platform == "win32"


def dated(tmp_path: Path) -> Path:
    """Records of two hours of one day."""
    file = tmp_path / "rides.csv"
    chance = np.random.default_rng(2)
    rows = [
        f"{lon:.6f},{lat:.6f},2026-01-05T{8 + number % 2:02d}:30:00"
        for number, (lon, lat) in enumerate(chance.uniform((-74.05, 40.7), (-73.9, 40.8), (1000, 2)))
    ]
    file.write_text("lon,lat,at\n" + "\n".join(rows) + "\n")
    return file


BOX = "--box=-74.05,40.70,-73.90,40.80"


def test_a_period_is_asked_for_approved_and_published_by_the_same_command(run: Run, tmp_path: Path) -> None:
    begin = ["series", "begin", "trips", "--population", "riders", "--epsilon", 4, "--k", 2, BOX, "--unit", "record"]
    assert run("anna", *begin, "--side", 16, "--periods", 3)[0] == 0
    assert run("anna", "approval", "need", "riders", "--why", "decision")[0] == 0
    words = ["series", "publish", "trips", dated(tmp_path), "--time", "at", "--period", "2026-01"]
    words += ["--out", tmp_path / "out"]
    book = Ledger(tmp_path / "ledger.sqlite3")
    code, _, err = run("piet", *words)
    assert code == 3 and "dpviz series publish … --ask" in err and not book.datasets()
    assert run("piet", *words, "--ask")[0] == 2 and not book.datasets()  # without a reason
    code, out, err = run("piet", *words, "--ask", "--why", "plan", "--json")
    assert code == 0, err
    number = json.loads(out)["number"]
    assert run("piet", *words)[0] == 3 and run("piet", "approval", "approve", number)[0] == 3 and not book.charges()
    code, out, _ = run("ada", "approval", "approve", number)
    assert code == 0 and "dpviz series publish trips" in out
    code, _, err = run("piet", *words)
    assert code == 0, err
    assert len(book.charges()) == 1 and (tmp_path / "out" / "release.json").is_file()


def test_parts_of_time_are_asked_for_by_the_command_that_publishes_them(run: Run, tmp_path: Path) -> None:
    words = [
        "release",
        dated(tmp_path),
        BOX,
        "--side",
        16,
        "--unit",
        "record",
        "--by",
        "hour",
        "--time",
        "at",
        "--zone",
        "UTC",
    ]
    words += ["--k", 2, "--epsilon", 1, "--dataset", "hours", "--total", 2, "--out", tmp_path / "out"]
    code, _, err = run("piet", *words, "--ask", "--why", "plan")
    book = Ledger(tmp_path / "ledger.sqlite3")
    assert code == 2 and "needs no second person" in err and not book.datasets()
    persons.host(persons.HousePolicy(always_second_person=True))
    approvals.note_house_rule(book)
    persons._stated.clear()
    assert run("piet", *words)[0] == 3 and not book.charges()
    code, out, err = run("piet", *words, "--ask", "--why", "plan", "--json")
    assert code == 0, err
    assert run("ada", "approval", "approve", json.loads(out)["number"])[0] == 0
    code, _, err = run("piet", *words)
    assert code == 0 and len(book.charges()) == 1, err


def test_a_ledger_of_an_always_house_binds_the_command_line(
    run: Run, publish: Callable[[], tuple[int, str, str]], tmp_path: Path
) -> None:
    book = Ledger(tmp_path / "ledger.sqlite3")
    persons.host(persons.HousePolicy(always_second_person=True))
    approvals.note_house_rule(book)
    approvals.note_house_rule(book)  # at every start
    persons._stated.clear()  # the command line is another process
    assert len(book.notes(approvals.RULE)) == 1
    code, _, err = publish()
    assert code == 3 and "dpviz approval ask" in err and not book.charges()
    assert "needed for: everything" in run("anna", "approval")[1]
    facts = json.loads(run("anna", "approval", "--json")[1])
    assert facts["everything"] is True and facts["needed"] == []


def test_no_answer_of_a_period_ends_with_4_because_it_is_charged(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = ["series", "begin", "trips", "--population", "riders", "--epsilon", 4, "--k", 2, BOX, "--unit", "record"]
    assert run("anna", *begin, "--side", 16, "--periods", 3)[0] == 0
    monkeypatch.setattr(series_cells.SeriesCells, "run", lambda *_: NoAnswer(reason=Reason.TOO_FEW_RECORDS))
    words = ["series", "publish", "trips", dated(tmp_path), "--time", "at", "--period", "2026-01"]
    code, out, err = run("piet", *words, "--out", tmp_path / "out", "--json")
    assert code == 4, err
    facts = json.loads(out)
    assert facts["answer"] is False and facts["reason"] and len(Ledger(tmp_path / "ledger.sqlite3").charges()) == 1
    code, _, err = run("piet", *words, "--out", tmp_path / "again")
    assert code == 4 and "The budget is spent" in err
