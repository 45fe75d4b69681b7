"""What error to expect before anything is spent: a look into a table made by simulation. Never looks at data.

`auto_table.json` is written by `dpviz_research.auto_table` from synthetic cities and, beyond two dimensions, chains
and groups. Errors depend on n, ε and k almost only through the strength n·ε (per record of a unit of protection), k and
the number of dimensions; between the table's lines the logarithm of the error is interpolated, beyond its ends the
nearest line holds. A real city may be easier or harder than synthetic ones: the band is widened for that (WIDER); it
is no promise.
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
from dpviz.privacy import Budget, histogram_l1

# Cities differ from each other by more than draws do. Chosen on one half of the data sets of
# dpviz_research/forecast_coverage.py; as recorded, the band then holds 91 % there (79 to 99 on each), 89 % elsewhere.
WIDER = 1.4
TOLD = 4  # numbers of each cell of the table
TABLE = Path(__file__).with_name("auto_table.json")


@dataclass(frozen=True, kw_only=True)
class Forecast:
    """Expected relative error of a release and the band that holds 90 of 100 simulated draws."""

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
    """An error in percent with two digits."""
    value = 100 * error
    return f"{value:.0f} %" if value >= 100 else f"{value:.2g} %"


def strength_of(records: float, budget: Budget, relation: Adjacency, unit: Unit) -> float:
    """n·ε, with ε divided by what one unit of protection can change."""
    return max(records, 1.0) * budget.epsilon / histogram_l1(relation, unit)


def forecast(method: str, *, records: float, k: int, budget: Budget, dims: int = 2,
             relation: Adjacency = Adjacency.ADD_REMOVE_ONE, unit: Unit | None = None) -> Forecast:  # fmt: skip
    """The expected error for a public or noisy number of records."""
    everything = dict.fromkeys(name for plane in _table().values() for name in plane.errors)
    if method not in everything:
        known = ", ".join(everything)
        raise InputError(f"method {method!r} has no forecast; there is one for {known}.", method=method)
    if k < 1 or dims < 1:
        raise InputError(f"k={k!r}, dims={dims!r}: both are whole numbers, 1 or more.", k=k, dims=dims)
    return at_strength(method, strength_of(records, budget, relation, unit or Unit()), k, dims)


def at_strength(method: str, strength: float, k: int, dims: int) -> Forecast:
    """The table at a strength, interpolated."""
    low, expected, high, _ = np.exp(_log_errors(method, strength, k, dims))
    return Forecast(method=method, low=float(low) / WIDER, expected=float(expected), high=float(high) * WIDER)


def average(method: str, strength: float, k: int, dims: int) -> float:
    """The geometric mean of errors over simulated data and draws, by which methods are compared."""
    return float(np.exp(_log_errors(method, strength, k, dims)[3]))


def methods(dims: int = 2) -> tuple[str, ...]:
    """Methods that the table knows for so many dimensions."""
    return tuple(_table()[_upper(dims)].errors)


def always_answer(dims: int) -> tuple[str, ...]:
    """Those among them that answer whatever the data are: only these may be chosen before anything is spent."""
    return tuple(name for name in _content()["always_answer"] if name in methods(dims))


def strengths(dims: int) -> tuple[float, ...]:
    """The strengths of the table's lines."""
    return _table()[_upper(dims)].strength


def most_dimensions() -> int:
    """The largest number of dimensions that was simulated."""
    return max(_table())


def _upper(dims: int) -> int:
    """The table's first number of dimensions from `dims` on, or its last."""
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
    """Of a cell's numbers; lines that have quantiles alone are compared by their medians."""
    told = errors if errors.shape[2] == TOLD else np.concatenate([errors, errors[:, :, 1:2]], axis=2)
    logarithms: NDArray[np.float64] = np.log(told)
    return logarithms


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
