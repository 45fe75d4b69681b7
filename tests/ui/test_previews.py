"""Previews: one main draw, repeated draws beside it, and the level a curator can accept."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import InputError
from dpviz.privacy import LEVELS, Budget, Level
from dpviz.ui.choose import figures, scene
from dpviz.ui.session import sources
from dpviz.ui.session.preview import (
    ENOUGH,
    MOST,
    WANTED,
    Acceptable,
    Brief,
    Drawn,
    Limit,
    Previews,
    Refused,
    Setting,
    acceptable,
    band,
    keeps,
)
from dpviz.ui.session.sources import Mode, Source
from tests.ui.parts import finish, wait_for

BOX = GeoBox(0.0, 0.0, 0.1, 0.1)
METHOD = "uniform_grid"


@pytest.fixture(autouse=True, scope="module")
def few_tries() -> None:
    """As many as the pages say."""


def small_city() -> ExactCounts:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    return ExactCounts.from_array(Grid(BOX, 32), cells)


def budget_of(level: Level, method: str) -> Budget:
    return Budget(epsilon=level.epsilon)


@pytest.fixture(scope="module")
def previews() -> Previews:
    made = Previews(small_city(), budget_of=budget_of, wanted=5)
    finish(made, METHOD, 2, LEVELS[3])
    return made


def test_the_main_preview_of_a_setting_is_drawn_once() -> None:
    fresh = Previews(small_city(), budget_of=budget_of, wanted=2)
    setting = Setting(method=METHOD, k=2, level=4)
    assert fresh.main(setting) is fresh.main(setting)


def test_the_background_draws_every_level_and_every_repeat(previews: Previews) -> None:
    assert previews.complete(METHOD, 2)
    assert previews.done(METHOD, 2) == 5 * len(LEVELS)
    assert set(previews.known(METHOD, 2)) == {level.number for level in LEVELS}


def test_a_page_wants_twenty_draws_of_every_level_and_a_hundred_for_a_limit() -> None:
    """The numbers that a page states; the browser's tests draw fewer."""
    fresh = Previews(small_city(), budget_of=budget_of)
    finish(fresh, METHOD, 2, LEVELS[3])
    assert fresh.wanted == WANTED == 20 and fresh.done(METHOD, 2) == 20 * len(LEVELS)
    assert (MOST, ENOUGH) == (100, 90)


def test_a_preview_is_marked_as_one_and_refuses_to_be_saved(previews: Previews, tmp_path: object) -> None:
    drawn = previews.main(Setting(method=METHOD, k=2, level=4))
    assert isinstance(drawn, Drawn) and drawn.release.status == "preview"
    with pytest.raises(Exception, match="preview"):
        drawn.release.save(str(tmp_path) + "/out")


def test_a_request_that_cannot_be_made_is_refused_with_its_reason() -> None:
    def too_little(level: Level, method: str) -> Budget:
        raise InputError("the budget is too small")

    outcome = Previews(small_city(), budget_of=too_little).main(Setting(method=METHOD, k=2, level=4))
    assert outcome == Refused(reason="the budget is too small")


def test_bands_hold_nine_draws_of_ten_and_need_a_few() -> None:
    found = band(float(value) for value in range(101))
    assert found is not None and (found.low, found.middle, found.high) == (5, 50, 95)
    assert band([1.0, 2.0]) is None


def draws(*errors: float | None) -> list[Brief | None]:
    nothing = np.empty((0, 2))
    return [
        None if error is None else Brief(exact_error=error, exact_shift_m=error, size=1, coreset=None, centers=nothing)
        for error in errors
    ]


WITHIN, BEYOND = Limit(measure="error", value=0.1), 0.5


def test_ninety_of_a_hundred_draws_have_to_keep_a_limit() -> None:
    assert keeps(draws(*[0.01] * 90, *[BEYOND] * 10), WITHIN) is True
    assert keeps(draws(*[0.01] * 89, *[BEYOND] * 11), WITHIN) is False
    assert keeps(draws(*[0.01] * 89, *[None] * 11), WITHIN) is False


@pytest.mark.parametrize("seed", range(20))
def test_a_limit_is_settled_early_only_as_a_hundred_draws_would_settle_it(seed: int) -> None:
    lost = np.random.default_rng(seed).random(MOST) < 0.1
    made = draws(*np.where(lost, BEYOND, 0.01))
    wanted = int((~lost).sum()) >= ENOUGH
    verdicts = [keeps(made[:number], WITHIN) for number in range(MOST + 1)]
    assert set(verdicts) - {None} == {wanted} and verdicts[-1] is wanted


def test_the_accepted_level_is_the_most_private_that_keeps_the_limit() -> None:
    errors = {level: draws(*[BEYOND] * 11) for level in LEVELS}
    errors[LEVELS[2]] = draws(*[0.01] * 90)
    errors[LEVELS[0]] = draws(*[0.01] * 100)
    assert acceptable(lambda level: errors[level], WITHIN) == Acceptable(level=LEVELS[2])
    assert acceptable(lambda level: errors[level], Limit(measure="shift", value=0.001)).level is None
    errors[LEVELS[4]] = draws(*[0.01] * 50)
    waiting = acceptable(lambda level: errors[level], WITHIN)
    assert waiting.undecided == LEVELS[4] and waiting.done == 50 and waiting.level is None


def test_the_background_goes_on_until_a_limit_is_settled_and_keeps_few_points() -> None:
    fresh = Previews(small_city(), budget_of=budget_of, wanted=3)
    limit = Limit(measure="error", value=1e6)
    finish(fresh, METHOD, 2, LEVELS[3])
    while fresh.accepted(METHOD, 2, limit).undecided is not None:
        fresh.prepare(METHOD, 2, LEVELS[3], limit)
        wait_for(fresh)
    assert fresh.accepted(METHOD, 2, limit) == Acceptable(level=LEVELS[-1])
    made = fresh.repeats(Setting(method=METHOD, k=2, level=LEVELS[-1].number))
    assert len(made) == ENOUGH
    assert sum(draw is not None and draw.coreset is not None for draw in made) == 3
    assert fresh.done(METHOD, 2) == 3 * len(LEVELS)


def a_source() -> Source:
    counts = small_city()
    return Source(
        id="x", title="a small city", mode=Mode.PREVIEW, exact_data=counts, box=sources.box_of(counts), unit="record"
    )


def test_partners_on_the_map_share_a_number(previews: Previews) -> None:
    drawn = previews.main(Setting(method=METHOD, k=2, level=1))
    assert isinstance(drawn, Drawn)
    view = scene.map_view(a_source(), drawn)
    assert sorted(marker.number for marker in view.exact_centers) == [1, 2]
    assert {pair.number for pair in view.exact_pairs} == {1, 2}
    table = scene.centers_table(view)
    assert list(table["Center"]) == ["1", "2"] and "Apart" in table


def test_the_figures_compare_with_the_stop_to_the_left(previews: Previews) -> None:
    setting = Setting(method=METHOD, k=2, level=6)
    drawn = previews.main(setting)
    assert isinstance(drawn, Drawn)
    items = figures.figure_items(
        drawn, LEVELS[5], previews.known(METHOD, 2), previews.repeats(setting), previews.wanted, None
    )
    assert [name for name, _, _ in items] == [
        "Points on the protected map",
        "How much worse the centers fit",
        "Average shift of centers",
    ]
    assert "Careful" in items[0][2] and "9 of 10 tries" in items[1][2]


def test_a_figure_outside_its_own_range_says_so(previews: Previews) -> None:
    setting = Setting(method=METHOD, k=2, level=6)
    drawn, known = previews.main(setting), previews.known(METHOD, 2)
    assert isinstance(drawn, Drawn)
    repeats = [draw for draw in previews.repeats(setting) if draw is not None]

    def note(factor: float) -> str:
        moved = [replace(draw, exact_shift_m=factor * drawn.exact_evaluation.shift_m) for draw in repeats]
        return figures.figure_items(drawn, LEVELS[5], known, moved, len(moved), None)[2][2]

    assert note(0.5).startswith("more than usual: ") and note(2.0).startswith("less than usual: ")
    assert "usual" not in note(1.0)


def test_the_levels_table_names_every_level(previews: Previews) -> None:
    table = figures.levels_table(figures.level_series(previews, METHOD, 2))
    assert table["heads"][0] == "Level" and [row[0] for row in table["rows"]] == [level.name for level in LEVELS]


def test_the_uncertainty_of_a_center_shrinks_with_the_noise(previews: Previews) -> None:
    radii = []
    for level in (1, len(LEVELS)):
        drawn = previews.main(Setting(method=METHOD, k=2, level=level))
        assert isinstance(drawn, Drawn)
        radii.append([radius for radius in scene.spreads(drawn.release) if radius is not None])
    if radii[0] and radii[1]:
        assert max(radii[0]) < max(radii[1])
