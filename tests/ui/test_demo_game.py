"""The attack game keeps the dial's promise, and a game with too little noise would not."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.noise import replayable_source
from dpviz.privacy import LEVELS
from dpviz.ui import demo, words
from dpviz.ui.theme import LIGHT

ROUNDS = 20_000


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_the_machine_stays_below_the_promise(level: object) -> None:
    score = demo.machine_score(level.epsilon, ROUNDS, seed=7)  # type: ignore[attr-defined]
    promised = words.odds_of_100(level.epsilon) / 100  # type: ignore[attr-defined]
    assert score.right / score.played <= promised + 4 * 0.5 / np.sqrt(ROUNDS)


def test_a_tenth_of_the_noise_would_break_the_promise() -> None:
    score = demo.machine_score(0.5 * 10, ROUNDS, seed=7)
    assert score.right / score.played > words.odds_of_100(0.5) / 100 + 4 * 0.5 / np.sqrt(ROUNDS)


def test_each_picture_gets_half_of_the_budget() -> None:
    """Swapping the pictures moves one count in each: the pair must not be surer than the dial says."""
    cells = np.zeros((3, 3), np.int64)
    cells[1, 1] = 5
    spread = [demo.deal(cells, 1.0, seed=seed).left[0, 0] for seed in range(4000)]
    noise = replayable_source(1).laplace(2.0, 4000)
    assert np.mean(np.abs(spread)) == pytest.approx(np.mean(np.abs(noise)), rel=0.1)


def test_the_pictures_differ_by_her_trip_alone_when_there_is_no_noise() -> None:
    cells = np.full((3, 3), 4, np.int64)
    game = demo.deal(cells, 1000.0, seed=3)
    with_trip, without = (game.left, game.right) if game.with_trip == 0 else (game.right, game.left)
    assert (with_trip - without).sum() == 1 and with_trip[1, 1] - without[1, 1] == 1


def test_the_story_finds_a_lonely_trip_and_a_square_that_the_rule_just_shows() -> None:
    cells = np.zeros((64, 64), np.int64)
    cells[10:30, 10:30] = 3
    cells[50, 50] = 1
    cells[31, 12] = 5
    counts = ExactCounts.from_array(Grid(GeoBox(0, 0, 1, 1), 64), cells)
    story = demo.find_story(counts, None)
    assert (story.lonely.row, story.lonely.column) == (50, 50)
    assert story.lonely_window[demo.WINDOW // 2, demo.WINDOW // 2] == 1
    assert "<svg" in demo.squares(story.lonely_window, LIGHT, hide_below=5)


def test_the_tally_keeps_the_latest_guesses_and_the_score_all_of_them() -> None:
    score = demo.Score()
    for round_number in range(30):
        score = score.after(round_number % 3 == 0)
    assert (score.right, score.played, len(score.rounds)) == (10, 30, demo.TALLY)
    assert demo.tally(score.rounds, LIGHT).count("<circle") == demo.TALLY


def test_numbers_below_zero_have_a_true_minus_sign() -> None:
    assert demo.number(-3) == "−3" and demo.number(0) == "0"


def test_every_square_gets_chance_also_the_empty_ones() -> None:
    noisy = [demo.with_chance(np.zeros((7, 7), np.int64), 0.5, seed=seed) for seed in range(200)]
    changed = np.mean([cells != 0 for cells in noisy], axis=0)
    assert (changed > 0.4).all()


def test_the_score_bar_keeps_its_words_inside_at_every_promise() -> None:
    for promised in (52, 63, 88, 99):
        bar = demo.score_bar(promised * 10, 1000, promised, LIGHT)
        assert f"promised: at most {promised}" in bar
        assert ('text-anchor="end" font-size="15" font-weight' in bar) == (promised > 75)
