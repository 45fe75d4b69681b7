"""A period of a series under forced transcripts: first and later, records and persons, Laplace and Gaussian noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, Unit
from dpviz.mechanisms import series_cells
from dpviz.mechanisms.interface import Answer, Public
from dpviz.mechanisms.series_cells import Past, SeriesCells, past_of
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from tests.privacy.transcripts import TranscriptBroken, check_transcript, counts, with_one_more

SIDE = 64
CORNERS = [(0, 0), (63, 63), (12, 12)]
PERSON = Unit(person_column="rider", cap=3)


def city(records: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    places = np.array([[12, 12], [48, 20], [28, 50]])[rng.integers(3, size=records)] + rng.normal(0, 3, (records, 2))
    cells = np.zeros((SIDE, SIDE), np.int64)
    np.add.at(cells, tuple(np.clip(places.astype(int), 0, SIDE - 1).T), 1)
    return cells


def past_on(unit: Unit) -> Past:
    data, method = counts(city(20_000), unit=unit), SeriesCells()
    plan = method.plan(Public.of(data), k=3, budget=Budget(epsilon=2.0))
    answer = method.run(data, plan, replayable_source(1))
    assert isinstance(answer, Answer)
    return past_of(dict(answer.constants), SIDE)


def family(unit: Unit, records: int = 15_000) -> tuple[ExactCounts, list[ExactCounts], list[ExactCounts]]:
    """A later month, the same with one unit more in a corner or in the middle, and wholly other months."""
    cells = city(records, 2)
    near = with_one_more(cells, CORNERS, unit.records)
    far = [np.zeros((SIDE, SIDE), np.int64), city(40_000, 9)[::-1].copy()]
    return counts(cells, unit=unit), [counts(one, unit=unit) for one in near], [counts(one, unit=unit) for one in far]


@pytest.mark.parametrize("unit", [Unit(), PERSON], ids=["record", "person"])
@pytest.mark.parametrize("later", [False, True], ids=["first", "later"])
def test_a_period_fits_all_data_and_costs_at_most_epsilon(unit: Unit, later: bool) -> None:
    data, neighbours, others = family(unit)
    method = SeriesCells(past_on(unit) if later else None)
    found = check_transcript(method, data, neighbours, budget=Budget(epsilon=0.5), others=others)
    assert 0.49 <= found.used <= 1.0
    assert not later or found.used >= 0.999  # one question a record: nothing is paid for and not used


@pytest.mark.parametrize("unit", [Unit(), PERSON], ids=["record", "person"])
def test_a_gaussian_period_costs_at_most_its_budget(unit: Unit) -> None:
    data, neighbours, others = family(unit)
    check_transcript(
        SeriesCells(past_on(unit)), data, neighbours, budget=Budget(epsilon=0.5, delta=1e-6), others=others
    )


def planted(change: Any, monkeypatch: pytest.MonkeyPatch, unit: Unit = PERSON) -> None:
    monkeypatch.setattr(series_cells, *change)
    data, neighbours, others = family(unit)
    check_transcript(SeriesCells(past_on(unit)), data, neighbours, budget=Budget(epsilon=0.5), others=others)


def test_a_cut_that_looks_at_the_records_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = series_cells.count_blocks

    def where_somebody_is(blocks: Any, cut: Any, counting: Any, noise: Any) -> np.ndarray:
        exact = np.concatenate([blocks.exact_counts(int(d), cut.block[[i]]) for i, d in enumerate(cut.depth)])
        noisy = honest(blocks, cut, counting, noise)
        return np.where(exact == 0, 0.0, noisy)

    with pytest.raises(TranscriptBroken):
        planted(("count_blocks", where_somebody_is), monkeypatch)


def test_a_cap_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from fractions import Fraction

    with pytest.raises(TranscriptBroken):
        planted(("per_record", lambda charge, public: Fraction(charge.epsilon)), monkeypatch)


def test_blocks_that_overlap_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = series_cells.choose_cut

    def with_the_roots_twice(prior: Any, variance: float, beliefs: Any) -> Any:
        cut = honest(prior, variance, beliefs)
        roots = np.arange(16)
        return series_cells.Cut(
            depth=np.concatenate([cut.depth, np.zeros(16, np.int64)]),
            block=np.concatenate([cut.block, roots]),
            of_cell=cut.of_cell,
        )

    monkeypatch.setattr(series_cells, "tiles", lambda *_: True)  # and nobody checks
    monkeypatch.setattr("dpviz.mechanisms.adaptive_tree.partition.tiles", lambda *_: True)
    with pytest.raises(TranscriptBroken):
        planted(("choose_cut", with_the_roots_twice), monkeypatch)
