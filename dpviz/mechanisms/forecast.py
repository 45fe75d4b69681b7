"""What error to expect before anything is spent, and the method of `auto`: both from a table made by simulation.

Nothing here looks at data. `auto_table.json` is written by `dpviz_research.auto_table` from synthetic cities and,
beyond two dimensions, chains and groups. Errors depend on n, ε and k almost only through the strength n·ε (per record
of a unit of protection), k and the number of dimensions. Between the table's lines the logarithm of the error is
interpolated; beyond its ends the nearest line holds. A real city may be easier or harder than a synthetic one, so the
band is widened (WIDER); it is no promise.

`auto` reads k, the budget, the frame, the relation and a number of records that is public, noisy or unknown. Where it
is unknown, the method with the smallest average error (in ratios, over all sizes of the table) is taken. Only methods
that always answer are compared; the others are in the table for their forecast.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Unit
from dpviz.errors import InputError
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget, histogram_l1

# Cities differ from each other by more than draws do. Chosen on one half of the data sets of
# dpviz_research/forecast_coverage.py; as recorded, the band then holds 91 % there (79 to 99 on each), 89 % elsewhere.
WIDER = 1.4
TOLD = 4  # numbers of each cell of the table
TABLE = Path(__file__).with_name("auto_table.json")


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """Expected relative error of a release and the band that holds 90 of 100 simulated runs."""

    method: str
    low: float
    expected: float
    high: float

    def __str__(self) -> str:
        return (
            f"{self.method}: expected error {percent(self.expected)}, "
            f"in 90 of 100 simulated draws between {percent(self.low)} and {percent(self.high)}."
        )


def percent(error: float) -> str:
    """Write an error in percent with two digits."""
    value = 100 * error
    if value > 1000:  # what is worse is no more than worse
        return "more than 1,000 %"
    return f"{value:.0f} %" if value >= 100 else f"{value:.2g} %"


def strength_of(records: float, budget: Budget, relation: Adjacency, unit: Unit) -> float:
    """n·ε, with ε divided by what one unit of protection can change."""
    return max(records, 1.0) * budget.epsilon / histogram_l1(relation, unit)


def forecast(method: str, *, records: float, k: int, budget: Budget, dims: int = 2,
             relation: Adjacency = Adjacency.ADD_REMOVE_ONE, unit: Unit | None = None) -> Forecast:  # fmt: skip
    """Forecast the error for a public or noisy number of records."""
    if k < 1 or dims < 1:
        raise InputError(f"k={k!r}, dims={dims!r}: both are whole numbers, 1 or more.", k=k, dims=dims)
    if method not in methods(dims):
        known = ", ".join(methods(dims))
        raise InputError(f"method {method!r} has no forecast here; there is one for {known}.", method=method)
    low, expected, high, _ = np.exp(
        _log_errors(method, strength_of(records, budget, relation, unit or Unit()), k, dims)
    )
    return Forecast(method=method, low=float(low) / WIDER, expected=float(expected), high=float(high) * WIDER)


def average(method: str, strength: float, k: int, dims: int) -> float:
    """The geometric mean of errors over simulated data and runs; methods are compared by it."""
    return float(np.exp(_log_errors(method, strength, k, dims)[3]))


def methods(dims: int = 2) -> tuple[str, ...]:
    """Methods in the table for this number of dimensions."""
    return tuple(_table()[_upper(dims)].errors)


def always_answer(dims: int) -> tuple[str, ...]:
    """The methods among them that answer for any data: only these may be chosen before anything is spent."""
    return tuple(name for name in _content()["always_answer"] if name in methods(dims))


def strengths(dims: int) -> tuple[float, ...]:
    """Strengths in the table."""
    return _table()[_upper(dims)].strength


def most_dimensions() -> int:
    """The largest simulated number of dimensions."""
    return max(_table())


def _upper(dims: int) -> int:
    """The smallest simulated number of dimensions that is at least `dims`, or the largest."""
    return min((number for number in _table() if number >= dims), default=max(_table()))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Plane:
    k: tuple[int, ...]
    strength: tuple[float, ...]
    errors: dict[str, NDArray[np.float64]]  # (k, strength, 4): quantiles and the average, logarithms


@cache
def _content() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return content


@cache
def _table() -> dict[int, _Plane]:
    return {
        int(dims): _Plane(
            k=tuple(plane["k"]),
            strength=tuple(float(value) for value in plane["strength"]),
            errors={name: _logarithms(np.array(values)) for name, values in plane["errors"].items()},
        )
        for dims, plane in _content()["dims"].items()
    }


def _logarithms(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Logarithms of a cell's numbers; where there are quantiles only, the median stands for the average."""
    return np.log(errors if errors.shape[2] == TOLD else np.concatenate([errors, errors[:, :, 1:2]], axis=2))


def _log_errors(method: str, strength: float, k: int, dims: int) -> NDArray[np.float64]:
    known = sorted(number for number, plane in _table().items() if method in plane.errors)
    along = np.array([_in_plane(_table()[number], method, strength, k) for number in known])
    return np.array([np.interp(math.log(dims), np.log(known), along[:, i]) for i in range(TOLD)])


def _in_plane(plane: _Plane, method: str, strength: float, k: int) -> NDArray[np.float64]:
    along = [
        np.array([np.interp(math.log(strength), np.log(plane.strength), line[:, i]) for line in plane.errors[method]])
        for i in range(TOLD)
    ]
    return np.array([np.interp(math.log(k), np.log(plane.k), values) for values in along])


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The chosen method and a sentence with the reason."""

    method: str
    reason: str


def choose_by_forecast(public: Public, k: int, budget: Budget, noisy_n: float | None = None) -> Choice:
    """Choose the method with the smallest expected error among those that always answer."""
    dims = public.frame.dims
    records = noisy_n if public.public_rows is None else float(public.public_rows)
    if records is None:
        return _without_size(k, dims)
    strength = strength_of(records, budget, public.relation, public.unit)
    expected = {name: average(name, strength, k, dims) for name in always_answer(dims)}
    best, second = sorted(expected, key=lambda name: expected[name])[:2]
    about = "about that many records" if public.public_rows is None else "that many records"
    return Choice(
        method=best,
        reason=(
            f"Chosen because in simulations its error was on average the smallest, {percent(expected[best])} "
            f"(next: {second}, {percent(expected[second])}) at this level and {about}."
        ),
    )


def _without_size(k: int, dims: int) -> Choice:
    """Compare over all strengths of the table, because the number of records is secret."""
    over_sizes = {
        name: float(np.mean([np.log(average(name, strength, k, dims)) for strength in strengths(dims)]))
        for name in always_answer(dims)
    }
    ranked = sorted(over_sizes, key=lambda name: over_sizes[name])
    ratio = float(np.exp(over_sizes[ranked[1]] - over_sizes[ranked[0]]))
    return Choice(
        method=ranked[0],
        reason=(
            "Chosen because in simulations of all sizes its error was the smallest for this number of centers, "
            f"on average {ratio:.2g} times below the next ({ranked[1]}); the secret number of records was not used."
        ),
    )
