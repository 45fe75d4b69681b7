from __future__ import annotations

import math

import numpy as np
import pytest

from dpviz.domain.relation import Unit
from dpviz.errors import InputError
from dpviz.privacy import LEVELS, Adjacency, Guarantee, limits_sentence, odds_sentence, out_of_100
from dpviz.privacy.levels import chance_of_guessing_right

TRIP = Unit()
PERSON = Unit(person_column="rider_id", cap=3)


def guarantee(epsilon: float, delta: float = 0.0, unit: Unit = TRIP, relation: str = "add-remove") -> Guarantee:
    return Guarantee(epsilon=epsilon, delta=delta, adjacency=Adjacency.parse(relation), unit=unit)


def test_the_levels_have_the_odds_of_the_slider() -> None:
    known = {4.0: 99, 2.0: 89, 1.0: 74, 0.5: 63, 0.2: 55, 0.1: 53, 0.05: 52}
    levels = {level.epsilon for level in LEVELS}
    assert {epsilon: out_of_100(epsilon) for epsilon in levels & set(known)} == known


def test_no_leakage_is_a_coin_and_total_leakage_is_certainty() -> None:
    assert out_of_100(0.0) == 50
    assert out_of_100(100.0) == 100
    assert out_of_100(1000.0, 1.0) == 100
    assert chance_of_guessing_right(0.0, 1.0) == 1.0


def test_odds_are_rounded_up_and_delta_adds_to_them() -> None:
    assert chance_of_guessing_right(0.5) == pytest.approx(math.exp(0.5) / (1 + math.exp(0.5)))
    assert chance_of_guessing_right(0.5, 0.01) == pytest.approx((math.exp(0.5) + 0.01) / (1 + math.exp(0.5)))
    assert out_of_100(math.log(63 / 37) + 1e-6) == 64


@pytest.mark.parametrize("prior", [0.01, 0.3, 0.5, 0.8])
@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 0.0), (1.0, 0.0), (1.0, 0.05), (3.0, 1e-3)])
def test_no_test_allowed_by_the_guarantee_guesses_better(prior: float, epsilon: float, delta: float) -> None:
    """All pairs of error chances that (ε, δ) allows, on a grid."""
    alarm = np.linspace(0, 1, 401)[:, None]
    hit = np.linspace(0, 1, 401)[None, :]
    allowed = (hit <= math.exp(epsilon) * alarm + delta) & (1 - alarm <= math.exp(epsilon) * (1 - hit) + delta)
    allowed &= (alarm <= math.exp(epsilon) * hit + delta) & (1 - hit <= math.exp(epsilon) * (1 - alarm) + delta)
    right = np.where(allowed, prior * hit + (1 - prior) * (1 - alarm), 0).max()
    ours = chance_of_guessing_right(epsilon, delta, prior=prior)
    assert right <= ours + 1e-12
    assert ours <= right + 0.01


def test_a_prior_belief_moves_the_odds_and_blind_guessing_is_its_floor() -> None:
    assert out_of_100(0.1, prior=0.9) == 90
    assert chance_of_guessing_right(2.0, prior=0.9) >= 0.9
    assert chance_of_guessing_right(2.0, prior=0.2) == pytest.approx(chance_of_guessing_right(2.0, prior=0.8))


def test_sentences_are_plain_words_with_digits() -> None:
    assert odds_sentence(guarantee(0.5)) == (
        "Someone who knows all the other trips and tries to tell whether one trip is in the data is right at most "
        "63 times in 100 (rounded up); tossing a coin gives 50."
    )
    replace = odds_sentence(guarantee(0.5, relation="replace"), record="record")
    assert "which of two places one record in the data belongs to" in replace
    assert "one person is in the data" in odds_sentence(guarantee(0.5, unit=PERSON))
    assert odds_sentence(guarantee(0.5), prior=0.9).endswith("guessing without looking gives 90.")
    for sentence in (replace, odds_sentence(guarantee(4.0, 1e-9)), limits_sentence(guarantee(1.0))):
        assert not set("<>*_`ε") & set(sentence)


def test_the_limits_of_the_odds_are_said() -> None:
    assert "several trips is protected less" in limits_sentence(guarantee(1.0))
    assert limits_sentence(guarantee(1.0, unit=PERSON)) == (
        "Of each person’s trips no more than 3 are used, and any others are left out. All that are used are protected "
        "together."
    )


def test_impossible_guarantees_and_beliefs_are_refused() -> None:
    for arguments in ({"epsilon": -0.1}, {"epsilon": math.nan}, {"epsilon": 1.0, "delta": 2.0}):
        with pytest.raises(InputError):
            out_of_100(**arguments)
    for prior in (0.0, 1.0, math.nan):
        with pytest.raises(InputError, match="prior"):
            out_of_100(1.0, prior=prior)
