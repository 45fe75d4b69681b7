"""Twelve months at one person-level ε a year, against one month with the whole of it. Curator only.

    python -m dpviz_research.months --draws 3 --out docs/evidence

Five ways to publish twelve periods of the same people within one ε:

* `single`: the reference: every month by itself with the whole ε (so twelve times the promise in all);
* `naive`: every month by itself with ε/12;
* `shared tree`: the first month's cells, counted again every month with an equal part, the past not used;
* `series`: `series_cells` by its default schedule, 0.7 of ε for the first month;
* `series, equal parts`: the same with ε/12 a month, for periods that have little in common.

The constants of the filter and of the schedule were chosen on `CHOSEN_ON`; what is reported is `REPORTED`, other seeds,
another kind of city and another turnover among them, and the hours of the embedded city.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult, match_centers
from dpviz.domain import ExactCounts
from dpviz.evaluation import exact_cost_of, exact_reference
from dpviz.ingest.cities import load_counts
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.adaptive_tree.partition import BELIEFS, Beliefs
from dpviz.mechanisms.interface import Answer, Mechanism, Public
from dpviz.mechanisms.series_cells import Past, SeriesCells, past_of
from dpviz.noise import NoiseSource, replayable_source
from dpviz.privacy import Budget
from dpviz.privacy.windows import schedule
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.synthetic import CityKind
from dpviz_research.synthetic_months import HABITS, Habits, synthetic_months

EPSILON = 1.0
PERIODS = 12
SIDE = 256
CAP = 3
AREAS = 200
AREA_SIDES = (13, 26, 51, 81)  # cells: about 0.25, 1, 4 and 10 % of the box
CHOSEN_ON = "peer 20,000 and 80,000 persons, suburbs 20,000 and 80,000 persons, seeds 1 to 4, usual habits"
# Nothing carries over: every cell is taken as new in every period, so the past gives no more than the cells.
FORGETFUL = Beliefs(change=1e9, change_range=(1e9, 1e9), growth=1e-6, root_growth=1e-6, coarse=0.0, split_from=np.inf)


@dataclass(frozen=True, kw_only=True)
class Example:
    """Periods of one data set."""

    name: str
    periods: Callable[[], list[ExactCounts]]


def made(persons: int, seed: int, kind: CityKind = "peer", habits: Habits = HABITS) -> Callable[[], list[ExactCounts]]:
    """Twelve made months."""

    def make() -> list[ExactCounts]:
        months = synthetic_months(persons, seed, PERIODS, kind=kind, habits=habits)
        return [months.counts(month + 1, side=SIDE, cap=CAP) for month in range(PERIODS)]

    return make


def hours() -> list[ExactCounts]:
    """Drop-offs of the embedded city from 8 to 19 o'clock; one record a unit, as if every hour held the same units."""
    return [load_counts(hours=[hour]) for hour in range(8, 8 + PERIODS)]


RESTLESS = Habits(leaving=0.15, present=0.6, summer_only=0.15)
REPORTED = (
    Example(name="made city, 20,000 persons", periods=made(20_000, 101)),
    Example(name="made city, 60,000 persons", periods=made(60_000, 102)),
    Example(name="made city, 5,000 persons", periods=made(5_000, 103)),
    Example(name="suburbs, 20,000 persons", periods=made(20_000, 104, "suburbs")),
    Example(name="suburbs, 60,000 persons", periods=made(60_000, 105, "suburbs")),
    Example(name="made city, 20,000 restless persons", periods=made(20_000, 106, habits=RESTLESS)),
    Example(name="embedded city, hours 8 to 19", periods=hours),
)


@dataclass(frozen=True, kw_only=True)
class Found:
    """What one way of publishing gave for one period: exact errors."""

    shift_m: float
    cost: float
    count: float


class Judge:
    """Exact errors of one period: distance of centers, cost, counts in random squares."""

    def __init__(self, data: ExactCounts, k: int) -> None:
        self._data = data
        self._reference: KMeansResult = exact_reference(data, k)
        generator = np.random.default_rng(0)
        sides = generator.choice(AREA_SIDES, AREAS).tolist()
        self._squares = [(*generator.integers(0, SIDE - wide, 2).tolist(), wide) for wide in sides]

    def judged(self, answer: Answer) -> Found:
        """The errors of an answer for this period."""
        assert answer.centers is not None and answer.coreset is not None
        centers, reference = answer.centers.positions, self._reference
        pairs = match_centers(centers, reference.centers)
        sizes = [reference.weights[j] for _, j in pairs]
        away = [float(np.linalg.norm(centers[i] - reference.centers[j])) for i, j in pairs]
        shift = np.average(away, weights=sizes)
        believed, exact = self._on_grid(answer), self._data.to_numpy()
        errors = [
            abs(believed[row : row + wide, col : col + wide].sum() - exact[row : row + wide, col : col + wide].sum())
            for row, col, wide in self._squares
        ]
        return Found(
            shift_m=float(shift),
            cost=exact_cost_of(self._data, centers) / reference.cost - 1.0,
            count=float(np.mean(errors)),
        )

    def _on_grid(self, answer: Answer) -> NDArray[np.float64]:
        assert answer.coreset is not None
        extent, points = self._data.grid.frame.extent, answer.coreset
        col = np.clip((points.positions[:, 0] / extent[0] * SIDE).astype(int), 0, SIDE - 1)
        row = np.clip(SIDE - 1 - (points.positions[:, 1] / extent[1] * SIDE).astype(int), 0, SIDE - 1)
        sums = np.bincount(row * SIDE + col, weights=points.weights, minlength=SIDE * SIDE)
        return sums.reshape(SIDE, SIDE).astype(np.float64)


def _run(method: Mechanism, data: ExactCounts, k: int, budget: Budget, noise: NoiseSource) -> Answer:
    answer = method.run(data, method.plan(Public.of(data), k=k, budget=budget), noise)
    assert isinstance(answer, Answer)
    return answer


def alone(periods: Sequence[ExactCounts], k: int, epsilon: float, noise: NoiseSource) -> Iterator[Answer]:
    """Every period by itself."""
    for data in periods:
        yield _run(ADAPTIVE_TREE, data, k, Budget(epsilon=epsilon), noise)


def in_series(
    periods: Sequence[ExactCounts], k: int, epsilon: float, noise: NoiseSource, first_share: float | None = None
) -> Iterator[Answer]:
    """Every period from those before it; by the default schedule, or with a stated share for the first."""
    divided = schedule(Budget(epsilon=epsilon), len(periods), first_share=first_share)
    past: Past | None = None
    for number, data in enumerate(periods):
        answer = _run(SeriesCells(past), data, k, divided.budget(number), noise)
        past = past_of(dict(answer.constants), SIDE)
        yield answer


def on_a_shared_tree(periods: Sequence[ExactCounts], k: int, epsilon: float, noise: NoiseSource) -> Iterator[Answer]:
    """Equal parts; the first month's cells are counted again in every month, and nothing else is shared."""
    each = Budget(epsilon=epsilon / len(periods))
    past: Past | None = None
    for data in periods:
        answer = _run(SeriesCells(past, beliefs=BELIEFS if past is None else FORGETFUL), data, k, each, noise)
        found = past_of(dict(answer.constants), SIDE)
        past = past or Past(partition=found.partition, change=FORGETFUL.change, side=SIDE)
        yield answer


WAYS: dict[str, Callable[[Sequence[ExactCounts], int, NoiseSource], Iterator[Answer]]] = {
    "single": lambda periods, k, noise: alone(periods, k, EPSILON, noise),
    "naive": lambda periods, k, noise: alone(periods, k, EPSILON / len(periods), noise),
    "shared tree": lambda periods, k, noise: on_a_shared_tree(periods, k, EPSILON, noise),
    "series": lambda periods, k, noise: in_series(periods, k, EPSILON, noise),
    "series, equal parts": lambda periods, k, noise: in_series(periods, k, EPSILON, noise, 1 / len(periods)),
}


def rows(
    draws: int, clusters: Sequence[int] = (5, 10), examples: Sequence[Example] = REPORTED
) -> Iterator[dict[str, Any]]:
    """One row per data set, k and way: medians and means over periods and draws, and ratios to `single`."""
    for example in examples:
        periods = example.periods()
        for k in clusters:
            judges = [Judge(data, k) for data in periods]
            reference: dict[str, float] = {}
            for way, publish in WAYS.items():
                found = [
                    judge.judged(answer)
                    for seed in range(draws)
                    for judge, answer in zip(judges, publish(periods, k, replayable_source(seed)), strict=True)
                ]
                told = _told(found)
                reference = reference or told
                ratios = {f"{name}_ratio": told[name] / reference[name] for name in told}
                yield {"data": example.name, "k": k, "way": way, **told, **ratios, "draws": draws}


def _told(found: Sequence[Found]) -> dict[str, float]:
    """Means over months and draws of what is linear in the noise; medians beside them, for draws in another basin."""
    shifts = np.array([one.shift_m for one in found])
    costs = np.array([one.cost for one in found])
    return {
        "shift_m_median": float(np.median(shifts)),
        "shift_m_mean": float(shifts.mean()),
        "cost_median": float(np.median(costs)),
        "count_error_mean": float(np.mean([one.count for one in found])),
    }


def main() -> None:
    """Measure and write a record for the page *Evidence*."""
    given = read_options(__doc__, draws=3)
    found = list(rows(given.draws))
    write_record(
        given.out / "months.json",
        title="Twelve months of the same persons under one budget a year",
        what=(
            "Twelve periods of the same people under one ε = 1 (at most 3 records a person and month), beside every "
            "month with the whole ε (`single`). Shift: distance of the centers from those without protection. Cost: "
            "how much higher their cost is. Count error: mean absolute error in 200 random squares of 0.25 to 10 % of "
            "the box. Means and medians over months and draws; ratios are to `single`. No constant was chosen on "
            "these data."
        ),
        kind="table",
        rows=found,
        command=f"python -m dpviz_research.months --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1}, replayable noise; data seeds 101 to 106",
        data="made months (research/dpviz_research/synthetic_months.py), nyc-taxi hours 8 to 19",
    )


if __name__ == "__main__":
    main()
