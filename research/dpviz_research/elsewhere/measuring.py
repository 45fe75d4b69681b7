"""Paired draws of every method in every cell of data set × n × k × ε. Exact, curator only."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.elsewhere.development_sets import DEVELOPMENT
from dpviz_research.elsewhere.held_back_sets import HELD_BACK
from dpviz_research.elsewhere.keeping import OF_OURS, OF_RIVALS, Kept
from dpviz_research.elsewhere.rivals import GRIDS, HINDSIGHT, NAMED
from dpviz_research.elsewhere.used_sets import USED
from dpviz_research.elsewhere.yard import SAME_BASIN, Yard
from dpviz_research.references import Problem, Reference

Floats = NDArray[np.float64]
OURS = "adaptive_tree"
SETS = {**USED, **HELD_BACK}
MAKERS = {**SETS, **DEVELOPMENT}


@dataclass(frozen=True, kw_only=True)
class Place:
    """One cell of the benchmark."""

    data: str
    n: int
    k: int
    epsilon: float

    @property
    def held_back(self) -> bool:
        """Whether no constant was chosen on these data."""
        return self.data in HELD_BACK


@dataclass(frozen=True, kw_only=True, eq=False)
class Measured:
    """One method in one cell: errors draw by draw, the same draws for every method. Exact, curator only."""

    place: Place
    method: str
    rival: bool
    raw: Floats  # cost on raw records over the best known there, minus 1
    gridded: Floats  # the same on the counts of the grid, which is all that a method on counts can see
    floor: float  # error on raw records of the best centers of the grid
    other_basin: float | None  # of ours: share of draws from which a descent ends elsewhere than the best known
    seconds: float  # CPU seconds a draw


def measure(
    sets: Sequence[str],
    sizes: Sequence[int],
    numbers: Sequence[int],
    levels: Sequence[float],
    draws: int,
    seed: int,
    kept: Kept | None = None,
) -> Iterator[list[Measured]]:
    """All methods of one cell after the other; all data sets for one n and k come together."""
    kept = kept or Kept()
    for n in sizes:
        for k in numbers:
            for data in sets:
                yard = Yard(MAKERS[data](n, seed), k)
                for epsilon in levels:
                    yield _cell(yard, Place(data=data, n=n, k=k, epsilon=epsilon), draws, seed, kept)


def _cell(yard: Yard, place: Place, draws: int, seed: int, kept: Kept) -> list[Measured]:
    seeds = range(1000 * seed, 1000 * seed + draws)

    def asked(method: str, sources: Sequence[str], run: Callable[[int], Floats]) -> tuple[list[Floats], float]:
        """The answers of one method, with the sample of the data that this seed means in their name."""
        name = re.sub(r"[^a-z0-9.]+", "-", f"{place.data}-n{place.n}-s{seed}-k{place.k}-e{place.epsilon:g}-{method}")
        return kept.answers(name, sources, run, seeds)

    answers = {(OURS, True): asked(OURS, OF_OURS, lambda draw: ours(yard, place, draw))}
    problem = _problem(yard)
    for reference in (*GRIDS, *NAMED):
        if not reference.needs_best:
            run = _theirs(problem, reference, place.epsilon)
            answers[reference.name, reference.rival] = asked(reference.name, OF_RIVALS, run)
    ended = np.array([yard.consider(centers) for centers in answers[OURS, True][0]])
    for found, _ in answers.values():
        yard.consider(min(found, key=yard.grid_cost))
    problem = _problem(yard)
    for reference in NAMED:
        if reference.needs_best:
            run = _theirs(problem, reference, place.epsilon)  # never kept: the best known may have changed
            answers[reference.name, reference.rival] = Kept().answers(reference.name, (), run, seeds)
            yard.consider(min(answers[reference.name, reference.rival][0], key=yard.grid_cost))
    best_on_the_grid = yard.best_on_the_grid()
    raws = {name: np.array([yard.raw_cost(one) for one in found]) for (name, _), (found, _) in answers.items()}
    best_raw = min(yard.best_raw_cost([best_on_the_grid.centers]), *(float(costs.min()) for costs in raws.values()))
    measured = [
        Measured(
            place=place,
            method=name,
            rival=rival,
            raw=raws[name] / best_raw - 1.0,
            gridded=np.maximum([yard.grid_cost(one) / best_on_the_grid.cost - 1.0 for one in found], 0.0),
            floor=yard.raw_cost(best_on_the_grid.centers) / best_raw - 1.0,
            other_basin=float(np.mean(ended > best_on_the_grid.cost * (1.0 + SAME_BASIN))) if name == OURS else None,
            seconds=seconds,
        )
        for (name, rival), (found, seconds) in answers.items()
    ]
    return _with_hindsight(measured)


def _with_hindsight(measured: list[Measured]) -> list[Measured]:
    """One row for all grids: the side with the lowest median, picked in this very cell after looking at its errors."""
    names = {grid.name for grid in GRIDS}
    grids = [one for one in measured if one.method in names]
    best = min(grids, key=lambda one: float(np.median(one.raw)))
    told = Measured(**{**vars(best), "method": HINDSIGHT})
    return [one for one in measured if one.method not in names] + [told]


def ours(yard: Yard, place: Place, draw: int, method: AdaptiveTree | None = None) -> Floats:
    """Centers of one run."""
    mechanism = method or get(OURS)
    plan = mechanism.plan(Public.of(yard.exact_counts), k=place.k, budget=Budget(epsilon=place.epsilon))
    answer = mechanism.run(yard.exact_counts, plan, replayable_source(draw))
    assert isinstance(answer, Answer) and answer.centers is not None  # it always answers
    return answer.centers.positions


def _theirs(problem: Problem, reference: Reference, epsilon: float) -> Callable[[int], Floats]:
    return lambda draw: reference.run(problem, epsilon, np.random.default_rng(draw))


def _problem(yard: Yard) -> Problem:
    positions, weights = yard.occupied()
    return Problem(
        exact_counts=yard.exact_counts,
        exact_positions=positions,
        exact_weights=weights,
        exact_best=yard.best_on_the_grid(),
        k=yard.k,
    )
