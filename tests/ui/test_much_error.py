"""A large error is told on the page before anything is spent: of a preview, and of a forecast."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dpviz.ui.choose import figures
from dpviz.ui.session.preview import Band


def drawn(error: float) -> Any:
    return SimpleNamespace(exact_evaluation=SimpleNamespace(relative_error=error))


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (0.2, ""),
        (0.45, "45 %"),
        (
            1.5,
            (
                "At this level the map is mostly random and of little use: squared distances to the "
                "nearest center add up to more than twice as much as without protection."
            ),
        ),
    ],
)
def test_a_preview_with_a_large_error_says_so(error: float, wanted: str) -> None:
    told = figures.mostly_chance(drawn(error), {})
    assert wanted in told and bool(told) == bool(wanted)


def test_a_forecast_of_a_large_error_says_that_it_is_a_lot() -> None:
    assert "That is much worse: fewer clusters or a less strict level would fit better." in figures.describe_forecast(
        Band(low=0.2, middle=0.4, high=0.9)
    )
    assert (
        "That is much worse: fewer clusters or a less strict level would fit better."
        not in figures.describe_forecast(Band(low=0.01, middle=0.1, high=0.9))
    )
