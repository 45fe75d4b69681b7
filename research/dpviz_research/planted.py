"""Methods with a planted privacy bug, which the auditor must catch. Never in the catalogue, never published."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Coreset
from dpviz.mechanisms.interface import Answer, ExactData, NoAnswer, Plan, Public
from dpviz.mechanisms.uniform_grid import UniformGrid, cell_middles, exact_cell_counts
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, histogram_l1, noise_scale


class QuietSource:
    """A source whose Laplace noise is scaled by a factor: a factor below 1 breaks every promise."""

    def __init__(self, inner: NoiseSource, factor: float) -> None:
        self._inner, self._factor = inner, factor
        self.kind, self.seed = inner.kind, inner.seed

    def add_laplace(
        self, exact: NDArray[np.int64], scale: float, *, sensitivity: float | None = None
    ) -> NDArray[np.int64]:
        """Too little noise."""
        return self._inner.add_laplace(exact, scale * self._factor)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class Planted(UniformGrid):
    """uniform_grid with one of the bugs."""

    def __init__(self, bug: str) -> None:
        super().__init__()
        self.bug = bug
        self.info = dataclasses.replace(UniformGrid.info, name=f"planted: {bug}")

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """The missing charge: what is planned costs twice what is declared."""
        factor = 2.0 if self.bug == "a missing charge" else 1.0
        return super().plan(public, k=k, budget=Budget(epsilon=factor * budget.epsilon, delta=budget.delta))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """The honest run, or a broken one."""
        if self.bug == "half the noise":
            return super().run(data, plan, QuietSource(noise, 0.5))
        if self.bug == "noise skipped for empty cells":
            return self._counted(data, plan, noise, per_axis=8, skip_empty=True)
        if self.bug == "exact n in the schedule":
            total = data.exact_total
            return self._counted(data, plan, noise, per_axis=2 + total % 2, skip_empty=False)
        return super().run(data, plan, noise)

    def _counted(self, data: ExactData, plan: Plan, noise: NoiseSource, *, per_axis: int, skip_empty: bool) -> Answer:
        exact = exact_cell_counts(data, per_axis)
        scale = noise_scale(histogram_l1(data.relation, data.unit), plan.charges[-1].epsilon)
        noisy = noise.add_laplace(exact, scale)
        if skip_empty:
            noisy = np.where(exact > 0, noisy, exact)
        frame = Public.of(data).frame
        middles = cell_middles(per_axis, frame.dims) * frame.extent
        return Answer(coreset=Coreset(frame=frame, positions=middles, weights=noisy.astype(np.float64)))


BUGS = ("half the noise", "noise skipped for empty cells", "a missing charge", "exact n in the schedule")
PLANTED = tuple(Planted(bug) for bug in BUGS)


def honest_twin() -> Planted:
    """The same class without a bug: the control that must pass."""
    return Planted("none")
