"""The auditor on a lone record in a strict region: the strict level holds, and a wrong budget there is caught."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.audit.attacks import BOX, SIDE, Pair, lower_bound
from dpviz.audit.running import sample
from dpviz.domain import Adjacency, ExactCounts, Grid
from dpviz.domain.regions import Outline
from dpviz.mechanisms.exact_view import protected_total
from dpviz.mechanisms.interface import Answer, ExactData, Plan, Public
from dpviz.mechanisms.regional import Part, Regional
from dpviz.mechanisms.uniform_grid import UniformGrid, noisy_synopsis
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Region

pytestmark = pytest.mark.statistical
WHOLE, STRICT, TRIALS = Budget(epsilon=4.0), 0.5, 1000
CLINIC = Region(
    outline=Outline(name="clinic", polygons=((((0.0, 0.061), (0.019, 0.061), (0.019, 0.079), (0.0, 0.079)),),)),
    epsilon=STRICT,
)


class Counted(UniformGrid):
    """uniform_grid without its centers, which regions do not use: the same noise, in a tenth of the time."""

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        epsilon = {charge.name: charge.epsilon for charge in plan.charges}
        total = protected_total(data, epsilon["total"], noise)
        return Answer(coreset=noisy_synopsis(data, total, epsilon["counts"], noise), noisy_total=float(total))


class WrongBudget(Regional):
    """The planted bug: every part spends what elsewhere may."""

    def part_budget(self, part: Part, public: Public, budget: Budget) -> Budget:
        return budget


def pair(inside: bool) -> Pair:
    """A crowd far away, and one record more: in the clinic, or in another corner."""
    first = np.zeros((SIDE, SIDE), np.int64)
    first[4:6, 4:6] = 15
    second = first.copy()
    here = (0, 0) if inside else (7, 0)
    second[here] += 1
    grid = Grid(BOX, SIDE)
    place = ((here[1] + 0.5) / SIDE, (SIDE - here[0] - 0.5) / SIDE)
    counts = [ExactCounts.from_array(grid, cells) for cells in (first, second)]
    return Pair(name="lone record", relation=Adjacency.ADD_REMOVE_ONE, first=counts[0], second=counts[1], place=place)


def bound(method: Regional, inside: bool) -> float:
    first, second = sample(method, pair(inside), k=1, budget=WHOLE, trials=TRIALS)
    return lower_bound(first, second, delta=0.0)


def test_a_lone_record_in_a_strict_region_is_protected_by_the_strict_level() -> None:
    assert bound(Regional(Counted(), (CLINIC,)), inside=True) <= STRICT


def test_the_wrong_budget_in_a_region_is_caught() -> None:
    assert bound(WrongBudget(Counted(), (CLINIC,)), inside=True) > STRICT


def test_elsewhere_the_record_has_the_level_of_elsewhere() -> None:
    """The control: the same attack sees more than the strict level where that does not apply, and no more than ε."""
    assert STRICT < bound(Regional(Counted(), (CLINIC,)), inside=False) <= WHOLE.epsilon
