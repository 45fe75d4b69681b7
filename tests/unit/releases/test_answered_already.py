"""What a stored release answers for nothing is said before another one is paid for."""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.__main__ import main
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import withdraw
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset, demonstration_dataset
from dpviz.publishing.door import AnsweredAlreadyWarning, find_answer, publish, quote
from dpviz.publishing.registration import register
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32)


def asked(k: int = 8, epsilon: float = 0.5, **more: Any) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), **more)


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    counts = ExactCounts.from_array(GRID, np.random.default_rng(5).poisson(20.0, (32, 32)))
    return register("trips", counts, total=Budget(epsilon=8.0, delta=1e-6), ledger=tmp_path / "ledger.sqlite3")


def test_a_request_that_a_stored_release_answers_is_warned_of_before_the_charge(dataset: Dataset) -> None:
    first = publish(dataset, asked(5))
    price = quote(dataset, asked(8))
    assert price.answered_by is not None and price.answered_by.release.id == first.id and not price.stored
    assert len(price.answered_by.release.centers_for(k=8)) == 8
    with warnings.catch_warnings(), pytest.raises(AnsweredAlreadyWarning, match=r"centers_for\(8\)"):
        warnings.simplefilter("error", AnsweredAlreadyWarning)
        publish(dataset, asked(8))
    assert len(dataset.charges) == 1  # an error before the charge leaves none
    with pytest.warns(AnsweredAlreadyWarning, match="at no cost"):
        second = publish(dataset, asked(8))
    assert second.id != first.id and len(dataset.charges) == 2


def test_nothing_is_said_where_it_is_wanted_all_the_same_or_costs_nothing(dataset: Dataset) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", AnsweredAlreadyWarning)
        publish(dataset, asked(5))
        publish(dataset, asked(8), even_if_answered=True)
        publish(dataset, asked(8))  # stored: charges nothing


def test_only_the_same_question_at_no_larger_budget_is_answered(dataset: Dataset) -> None:
    first = publish(dataset, asked(5, 1.0))
    assert isinstance(first, Release)
    assert find_answer(dataset, asked(8, 1.0)) is not None
    assert find_answer(dataset, asked(8, 0.2, method=first.request.method)) is not None
    for other in (
        asked(8, 2.0),
        asked(8, 1.0, purpose="any question"),
        asked(8, 1.0, method="uniform_grid"),
        ReleaseRequest(k=8, budget=Budget(epsilon=1.0, delta=1e-9)),
    ):
        assert find_answer(dataset, other) is None, other


def test_a_release_without_a_coreset_or_that_was_withdrawn_answers_nothing(dataset: Dataset) -> None:
    publish(dataset, asked(5, method="genetic"))
    assert find_answer(dataset, asked(8, method="genetic")) is None
    first = publish(dataset, asked(5))
    assert find_answer(dataset, asked(8)) is not None
    withdraw(first.id, ledger=dataset.ledger, why="a mistake")
    assert find_answer(dataset, asked(8)) is None


def test_demonstration_data_may_be_published_for_practice(tmp_path: Path) -> None:
    counts = ExactCounts.from_array(GRID, np.full((32, 32), 9))
    practice = demonstration_dataset("city", counts, ledger=Ledger(tmp_path / "demo.sqlite3", demonstration=True))
    publish(practice, asked(5))
    assert quote(practice, asked(8)).answered_by is None


def test_the_command_line_refuses_before_the_charge_and_goes_on_when_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = np.random.default_rng(2).uniform((-74.04, 40.71), (-73.91, 40.79), (900, 2))
    np.savetxt(tmp_path / "trips.csv", rows, delimiter=",", header="lon,lat", comments="", fmt="%.6f")

    def run(*words: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["dpviz", *map(str, words)])
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return int(left.value.code or 0), captured.out, captured.err

    def release(k: int, *more: object) -> tuple[int, str, str]:
        where = ["--ledger", tmp_path / "ledger.sqlite3", "--out", tmp_path / f"k{k}"]
        return run("release", tmp_path / "trips.csv", "--box=-74.05,40.70,-73.90,40.80", "--side", 32, "--k", k,
                   "--epsilon", 1, "--total", 4, *where, *more)  # fmt: skip

    def spent() -> int:
        return len(json.loads(run("ledger", "--ledger", tmp_path / "ledger.sqlite3", "--json")[1])["charges"])

    assert release(5)[0] == 0
    code, _, err = release(8)
    assert code == 3 and "at no cost" in err and "--again" in err and "--k 8" in err
    assert spent() == 1 and not (tmp_path / "k8").exists()
    assert release(5)[0] == 0  # the stored one
    code, out, _ = run("ask", tmp_path / "k5", "--k", 8, "--json")
    assert code == 0 and len(json.loads(out)["centers"]) == 8
    assert len(run("ask", tmp_path / "k5", "--k", 8)[1].splitlines()) == 9
    assert release(8, "--again")[0] == 0 and spent() == 2
