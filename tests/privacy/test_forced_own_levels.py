"""Own levels under forced transcripts: a neighbour of each level costs at most that level's ε, or the ceiling."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpviz.domain import Grid, PlainBox, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.mechanisms import own_levels
from dpviz.mechanisms.interface import Purpose
from dpviz.mechanisms.own_levels import OWN_LEVELS, Stretch
from dpviz.privacy import Budget
from tests.privacy.transcripts import Loss, TranscriptBroken, check_transcript

SIDE = 32
LEVELS = (4.0, 1.0, 0.3, 0.05)  # .3 as a float is below three tenths
RECORD = Unit(level_column="choice", levels=LEVELS)
PERSON = Unit(person_column="rider", cap=3, level_column="choice", levels=LEVELS)
PLACES = [(0, 0), (6, 6)]


@pytest.fixture(autouse=True)
def few_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Utility only: a run takes less time."""
    monkeypatch.setattr(own_levels, "MOST_BLOCKS", 40)


def city(records: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    places = np.array([[6, 6], [24, 10], [14, 25]])[rng.integers(3, size=records)] + rng.normal(0, 2, (records, 2))
    sheets = np.zeros((len(LEVELS), SIDE, SIDE), np.int64)
    level = rng.choice(len(LEVELS), records, p=[0.1, 0.3, 0.4, 0.2])
    np.add.at(sheets, (level, *np.clip(places.astype(int), 0, SIDE - 1).T), 1)
    return sheets


def by_level(sheets: np.ndarray, unit: Unit = RECORD) -> LevelCounts:
    return LevelCounts(Grid(PlainBox((0.0, 0.0), (1.0, 1.0)), SIDE), sheets.copy(), unit=unit)


def worst(ceiling: float, unit: Unit = RECORD, records: int = 5000, k: int = 3, method: Any = OWN_LEVELS) -> Loss:
    """The dearest of one unit more of each level in several places, against what its level allows."""
    sheets = city(records)
    neighbours, claims = [], []
    for level, epsilon in enumerate(LEVELS):
        for place in PLACES:
            more = sheets.copy()
            more[level][place] += 1 if unit.cap is None else unit.cap
            neighbours.append(by_level(more, unit))
            claims.append(Budget(epsilon=min(epsilon, ceiling)))
    others = [by_level(np.zeros_like(sheets), unit), by_level(city(9000, 4)[::-1], unit)]
    return check_transcript(
        method, by_level(sheets, unit), neighbours, budget=Budget(epsilon=ceiling), others=others, claims=claims, k=k
    )


@pytest.mark.parametrize("unit", [RECORD, PERSON], ids=["record", "person"])
@pytest.mark.parametrize("ceiling", [4.0, 0.3, 0.02])
def test_nobody_loses_more_than_their_own_level_or_the_ceiling(unit: Unit, ceiling: float) -> None:
    found = worst(ceiling, unit)
    assert 0.9 < found.used <= 1 + 1e-9


def test_the_same_holds_where_clusterings_are_compared_and_where_areas_are_asked_for() -> None:
    assert worst(4.0, records=60_000, k=9).used <= 1 + 1e-9
    assert worst(1.0, method=OWN_LEVELS.made_for(Purpose.ANY_QUESTION)).used <= 1 + 1e-9


def test_units_are_rounded_down_as_exact_fractions() -> None:
    for ceiling in (4.0, 0.3, 0.12, 0.02, 0.7):
        stretch = Stretch.of(LEVELS, ceiling)
        for level, units in zip(LEVELS, stretch.units, strict=True):
            allowed = min(Fraction(level), Fraction(ceiling)) / Fraction(ceiling)
            assert allowed * Fraction(9, 10) <= Fraction(units, stretch.most) <= allowed


def test_units_that_are_rounded_up_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = Stretch.units.fget
    assert honest is not None

    def up(self: Stretch) -> tuple[int, ...]:
        return tuple(units + 1 for units in honest(self))

    monkeypatch.setattr(Stretch, "units", property(up))
    with pytest.raises(TranscriptBroken):
        worst(4.0)


def test_counts_by_level_without_noise_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = own_levels.count_levels

    def published_exactly(data: Any, blocks: Any, spends: Any, noise: Any) -> Any:
        found = honest(data, blocks, spends, noise)
        if len(blocks) == 16:
            found.values[0] = data.exact_by_level[0].reshape(4, 8, 4, 8).sum(axis=(1, 3)).ravel()
        return found

    monkeypatch.setattr(own_levels, "count_levels", published_exactly)
    with pytest.raises(TranscriptBroken):
        worst(4.0)


def test_one_noise_for_all_levels_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = own_levels.count_levels
    monkeypatch.setattr(
        own_levels, "count_levels", lambda data, blocks, spends, noise: honest(data, blocks, [spends[0]] * 4, noise)
    )
    with pytest.raises(TranscriptBroken):
        worst(4.0)


def test_a_level_that_is_read_after_the_noise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = own_levels.believe

    def with_true_shares(held: Any, noise: Any, counted: Any) -> Any:
        return honest(held, noise, replace(counted, units=counted.units * exact[0]))

    exact = [1.0]
    seen = own_levels.stretched

    def look(data: LevelCounts, stretch: Stretch) -> Any:
        exact[0] = 1.0 + data.exact_by_level[0].sum() / 1e6
        return seen(data, stretch)

    monkeypatch.setattr(own_levels, "stretched", look)
    monkeypatch.setattr(own_levels, "believe", with_true_shares)
    with pytest.raises(TranscriptBroken):
        worst(4.0)
