"""Rare paths: limits that small data meet only when they are small, steps run alone, refusals, no answers.

What is changed for a case are limits of time and memory, and the range below which a search is one step. That one
carries privacy, since the number of steps follows from it: the search reads its shares of the budget from the same
number, so a changed range is another promise that has to hold as well. The code that runs is the code of the methods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from dpviz.audit.transcripts import TranscriptBroken
from dpviz.domain import Adjacency, ExactCounts
from dpviz.errors import DpvizError
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, MethodInfo, NoAnswer, Plan, Public, Reason
from dpviz.mechanisms.peeled_balls.small_ball import CenterSearch, good_center, noisy_middle
from dpviz.noise import NoiseSource
from dpviz.noise.recconcave import rec_concave
from dpviz.privacy import Budget, Charge
from dpviz_research.transcripts.data import counts, points

Step = Callable[[ExactCounts, Budget, NoiseSource], object]


class Limited:
    """A method whose limits of time and memory are smaller, so that small data meet them."""

    def __init__(self, base: Mechanism, limits: Mapping[str, int]) -> None:
        self.base, self.limits, self.info = base, dict(limits), base.info

    @contextmanager
    def _limited(self) -> Iterator[None]:
        before: list[tuple[Any, str, int]] = []
        try:
            for where, value in self.limits.items():
                module, _, name = where.partition(":")
                found = import_module(f"dpviz.{module}")
                before.append((found, name, getattr(found, name)))
                setattr(found, name, value)
            yield
        finally:
            for found, name, was in before:
                setattr(found, name, was)

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """The method's own."""
        with self._limited():
            return self.base.plan(public, k=k, budget=budget)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """The method's own."""
        with self._limited():
            return self.base.run(data, plan, noise)


class Alone:
    """One step of a method as a method of its own, which hands out what the step found."""

    def __init__(self, name: str, step: Step, relation: Adjacency) -> None:
        self._step = step
        self.info = MethodInfo(
            name=name,
            title=name,
            summary="One step.",
            paper="dpviz",
            adjacencies=frozenset({relation}),
            needs_delta=False,
            dims=(2, 2),
            takes="counts",
            gives_coreset=False,
            proof=name,
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """The step has the whole budget."""
        charge = Charge(name=self.info.name, epsilon=budget.epsilon, delta=budget.delta)
        return Plan(method=self.info.name, k=k, budget=budget, charges=(charge,))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> NoAnswer:
        """What the step found, as a constant."""
        assert isinstance(data, ExactCounts)
        found = self._step(data, plan.budget, noise)
        return NoAnswer(reason=Reason.SELECTION_FAILED, constants={"found": repr(np.asarray(found).tolist())})


def line(values: list[int]) -> ExactCounts:
    """A square grid whose first row holds these counts."""
    cells = np.zeros((len(values), len(values)), np.int64)
    cells[0] = values
    return counts(cells)


def searched(promise: int) -> Step:
    """A search over the first row; one record more moves one of its qualities by 1."""

    def step(data: ExactCounts, budget: Budget, noise: NoiseSource) -> object:
        quality = data.exact_cells[0]
        return rec_concave(quality, len(quality), promise=promise, alpha=0.5, budget=budget, noise=noise)

    return step


def box_found(heavy: int, shifts: int = 2) -> Step:
    """A box of the grid that holds many records, and its middle."""

    def step(data: ExactCounts, budget: Budget, noise: NoiseSource) -> object:
        places = np.argwhere(data.exact_cells).astype(np.int64)
        held = data.exact_cells[places[:, 0], places[:, 1]]
        search = CenterSearch(box=5, shifts=shifts, heavy=heavy, budget=budget)
        return good_center(places, held, search, noise)

    return step


def middle_of_a_box(data: ExactCounts, budget: Budget, noise: NoiseSource) -> object:
    """The noisy middle of a box that may hold nobody."""
    places = np.argwhere(data.exact_cells[:8, :8]).astype(np.int64)
    held = data.exact_cells[places[:, 0], places[:, 1]]
    corner = np.zeros(2, np.int64)
    return noisy_middle(places, held, corner, corner, 8, budget.epsilon, noise)


def joint_sums(data: ExactCounts, budget: Budget, noise: NoiseSource) -> object:
    """The count of the first row and a sum of signs, with joint noise of radius 1: its border is often met exactly."""
    row = data.exact_cells[0]
    signs = np.where(np.arange(len(row)) % 2 == 0, 1, -1)
    exact = np.array([[int(row.sum()), int(row @ signs)]], np.int64)
    return noise.add_joint_laplace(exact, epsilon=budget.epsilon, radius=1)


def public_chance(data: ExactCounts, budget: Budget, noise: NoiseSource) -> object:
    """Chance that no data touch, beside one noisy number."""
    order, coins = noise.permutation(5), noise.coins(0.5, 4)
    noisy = noise.add_laplace(np.array([data.exact_total]), 1.0 / budget.epsilon, sensitivity=1.0)
    return [*order.tolist(), *coins.tolist(), *noisy.tolist()]


@dataclass(frozen=True, kw_only=True, eq=False)
class Refused:
    """A request that is refused before a draw, in the same words whatever the data are."""

    mechanism: Mechanism
    data: tuple[ExactData, ...]
    budget: Budget
    k: int = 3

    def run(self) -> None:
        """Raises `TranscriptBroken` where it is not refused, or not for all data alike."""
        said = set()
        for one in self.data:
            try:
                self.mechanism.plan(Public.of(one), k=self.k, budget=self.budget)
            except DpvizError as error:
                said.add(f"{type(error).__name__}: {error}")
            else:
                raise TranscriptBroken(f"{self.mechanism.info.name} takes a request that has to be refused.")
        if len(said) != 1:
            raise TranscriptBroken(f"{self.mechanism.info.name} refuses in words that follow the data: {said}.")


def two_clouds(dims: int, relation: str = "add-remove") -> tuple[ExactData, ExactData]:
    """Few points and none, of one public number of rows."""
    cube = np.random.default_rng(dims).uniform(0.1, 0.9, (20, dims))
    return points(cube, relation, rows=25), points(cube[:0], relation, rows=25)
