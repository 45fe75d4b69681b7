"""`auto` and the forecast read public numbers and a table only."""

from __future__ import annotations

import inspect

import pytest

from dpviz.domain import Adjacency, PlainBox, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms import forecast
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget


def public(dims: int = 2, rows: int | None = None, unit: Unit | None = None) -> Public:
    return Public(
        frame=PlainBox((0.0, 0.0), (1.0, 1.0)).frame if dims == 2 else plain_frame((0.0,) * dims, (1.0,) * dims),
        side=256 if dims == 2 else None,
        relation=Adjacency.ADD_REMOVE_ONE if rows is None else Adjacency.REPLACE_ONE,
        unit=unit or Unit(),
        public_rows=rows,
    )


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
@pytest.mark.parametrize("k", [1, 5, 256, 4096])
@pytest.mark.parametrize("records", [None, -50.0, 0.0, 1.0, 1e5, 1e12])
def test_auto_always_names_a_method_that_takes_the_request(dims: int, k: int, records: float | None) -> None:
    seen = public(dims)
    choice = forecast.choose_by_forecast(seen, k, Budget(epsilon=0.2), records)
    assert get(choice.method).plan(seen, k=k, budget=Budget(epsilon=0.2)).charges
    assert choice.reason.startswith("Chosen because")
    assert choice.reason.endswith(".")


def test_auto_uses_the_public_number_of_rows_under_replace() -> None:
    choice = forecast.choose_by_forecast(public(rows=100_000), 5, Budget(epsilon=0.5))
    assert "that many records" in choice.reason


def test_auto_takes_no_data() -> None:
    assert list(inspect.signature(forecast.choose_by_forecast).parameters) == ["public", "k", "budget", "noisy_n"]


def test_the_adaptive_tree_is_chosen_for_maps_of_ordinary_size() -> None:
    for epsilon in (0.05, 0.5, 4.0):
        for k in (3, 5, 10, 20):
            assert forecast.choose_by_forecast(public(), k, Budget(epsilon=epsilon), 1e6).method == "adaptive_tree"


@pytest.mark.parametrize("method", forecast.methods())
def test_a_forecast_is_a_band_around_its_expectation(method: str) -> None:
    for k in (1, 7, 200):
        for records in (10, 10_000, 10**9):
            found = forecast.forecast(method, records=records, k=k, budget=Budget(epsilon=0.3))
            assert 0 < found.low <= found.expected <= found.high
            assert method in str(found)


def test_more_records_and_more_budget_promise_smaller_errors() -> None:
    expected = [
        forecast.forecast("adaptive_tree", records=n, k=5, budget=Budget(epsilon=0.1)).expected for n in (1e4, 1e5, 1e6)
    ]
    assert expected == sorted(expected, reverse=True)


def test_between_the_numbers_of_dimensions_that_were_simulated_errors_lie_between_theirs() -> None:
    budget = Budget(epsilon=1.0)
    at = {
        dims: forecast.forecast("mean_split", records=2500, k=4, budget=budget, dims=dims).expected
        for dims in (5, 6, 7, 10, 24, 30, 64, 80)
    }
    assert sorted(at[dims] for dims in (5, 6, 7, 10)) == [at[dims] for dims in (5, 6, 7, 10)]
    assert at[24] < at[30] < at[64] == at[80]
    with pytest.raises(InputError, match="has no forecast here; there is one for mean_split"):
        forecast.forecast("adaptive_tree", records=2500, k=4, budget=budget, dims=5)


def test_every_number_of_dimensions_names_methods_that_take_it() -> None:
    for dims in range(1, 1001):
        for name in forecast.always_answer(dims):
            few, many = get(name).info.dims
            assert few <= dims <= many


def test_replacing_and_caps_cost_strength() -> None:
    budget = Budget(epsilon=0.5)
    whole = forecast.strength_of(1000, budget, Adjacency.ADD_REMOVE_ONE, Unit())
    assert forecast.strength_of(1000, budget, Adjacency.REPLACE_ONE, Unit()) == whole / 2
    capped = Unit(person_column="rider", cap=4)
    assert forecast.strength_of(1000, budget, Adjacency.ADD_REMOVE_ONE, capped) == whole / 4


def test_unknown_methods_and_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="has no forecast"):
        forecast.forecast("genetic", records=10, k=2, budget=Budget(epsilon=1.0))
    with pytest.raises(InputError, match="1 or more"):
        forecast.forecast("adaptive_tree", records=10, k=0, budget=Budget(epsilon=1.0))
