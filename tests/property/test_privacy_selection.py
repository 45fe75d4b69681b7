"""The exponential mechanism's price, computed from its exact probabilities on neighbouring scores."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st
from scipy.special import logsumexp

from dpviz.privacy.composition import rho_of_selection

SCORES = st.lists(st.integers(-6, 6), min_size=2, max_size=12)
EPSILON = st.floats(0.01, 4.0)


def probabilities(scores: np.ndarray, rate: float) -> np.ndarray:
    weights = np.exp(rate * (scores - scores.max()))
    return np.asarray(weights / weights.sum())


def losses(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.asarray(np.log(one) - np.log(other))


def renyi(one: np.ndarray, other: np.ndarray, order: float) -> float:
    return float(logsumexp(order * np.log(one) + (1 - order) * np.log(other)) / (order - 1))


@given(SCORES, st.data(), EPSILON, st.integers(1, 3))
def test_a_selection_leaks_at_most_epsilon_and_an_eighth_of_its_square(
    scores: list[int], data: st.DataObject, epsilon: float, sensitivity: int
) -> None:
    moves = data.draw(
        st.lists(st.integers(-sensitivity, sensitivity), min_size=len(scores), max_size=len(scores)), label="moves"
    )
    before = np.array(scores)
    one, other = (probabilities(s, epsilon / (2 * sensitivity)) for s in (before, before + np.array(moves)))
    assert np.abs(losses(one, other)).max() <= epsilon * (1 + 1e-9)
    for order in (1.5, 2.0, 8.0, 50.0):
        assert renyi(one, other, order) <= order * rho_of_selection(epsilon) + 1e-12


@given(SCORES, st.data(), EPSILON)
def test_scores_that_move_one_way_may_leave_out_the_two(scores: list[int], data: st.DataObject, epsilon: float) -> None:
    moves = data.draw(st.lists(st.integers(0, 1), min_size=len(scores), max_size=len(scores)), label="moves")
    before = np.array(scores)
    one, other = probabilities(before, epsilon), probabilities(before + np.array(moves), epsilon)
    assert np.abs(losses(one, other)).max() <= epsilon * (1 + 1e-9)
    for order in (1.5, 2.0, 8.0, 50.0):
        assert renyi(one, other, order) <= order * rho_of_selection(epsilon) + 1e-12


def test_leaving_out_the_two_for_scores_that_move_both_ways_is_caught() -> None:
    before, after = np.array([0, 0, 0]), np.array([1, -1, -1])
    one, other = probabilities(before, 1.0), probabilities(after, 1.0)
    assert np.abs(losses(one, other)).max() > 1.05


def test_an_eighth_is_tight() -> None:
    """Two candidates, one moved up and one down: a sixteenth would be too little."""
    epsilon = 0.01
    one, other = probabilities(np.array([0, 0]), epsilon / 2), probabilities(np.array([1, -1]), epsilon / 2)
    assert renyi(one, other, 2.0) > 2.0 * epsilon**2 / 16
