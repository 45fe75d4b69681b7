"""by_size: buy a noisy number of records first, then run the method that the table of simulations expects to be best.

Releases: what the chosen method releases, its name, and the noisy number that chose it.
Paper: none; ours.
Guarantee: (ε, 0) under ADD_REMOVE_ONE (records, persons with a cap, weights). Where the number of rows is public
nothing has to be bought, and `auto` chooses beforehand.
Public inputs: frame, k, ε, unit, the table. Exact inputs: the number of records; then those of the chosen method.
Departures: none.
Proof: docs/proofs/by_size.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpviz.domain import Adjacency
from dpviz.mechanisms import forecast
from dpviz.mechanisms.adaptive_tree.budget import floor_float
from dpviz.mechanisms.interface import (
    Answer,
    Constant,
    ExactData,
    Mechanism,
    MethodInfo,
    NoAnswer,
    Plan,
    Public,
    check_request,
)
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, histogram_l1, noise_scale, verify

NAME = "by_size"
SIZE_SHARE = Fraction(2, 100)  # privacy-bearing: share of ε that buys the number that the choice looks at
COUNTING, CHOSEN = "number of records", "chosen method"


class BySize:
    """Several methods as one: a noisy number of records decides which one runs."""

    def __init__(self, candidates: Mapping[str, Mechanism]) -> None:
        self.candidates = candidates
        infos = [method.info for method in candidates.values()]
        self.info = MethodInfo(
            name=NAME,
            title="Chosen by size",
            summary="Buys a noisy number of records, then runs the method that simulations of that size favour.",
            paper="dpviz",
            adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE}),
            needs_delta=False,
            dims=(3, 4),
            takes="points",
            proof=NAME,
            vetted=all(info.vetted for info in infos),  # this page and theirs: all must have been read
            person_cap=all(info.person_cap for info in infos),
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        whole = Fraction(budget.epsilon)
        counting = Charge(name=COUNTING, epsilon=floor_float(whole * SIZE_SHARE))  # [P1]
        chosen = Charge(name=CHOSEN, epsilon=floor_float(whole - Fraction(counting.epsilon)))
        for method in self._able(public):  # whatever would be refused is refused now, before any draw
            verify(
                method.plan(public, k=k, budget=Budget(epsilon=chosen.epsilon)).charges, Budget(epsilon=chosen.epsilon)
            )
        return Plan(method=self.info.name, k=k, budget=budget, charges=(counting, chosen))

    def _able(self, public: Public) -> list[Mechanism]:
        """The candidates that take this number of dimensions; the table names one of them."""
        dims = public.frame.dims
        return [method for method in self.candidates.values() if method.info.dims[0] <= dims <= method.info.dims[1]]

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        public = Public.of(data)
        counting, main = plan.charges
        touched = histogram_l1(public.relation, public.unit)
        scale = noise_scale(touched, counting.epsilon)
        noisy_n = int(noise.add_laplace(np.array([data.exact_total]), scale, sensitivity=touched)[0])  # [P2]
        rest = Budget(epsilon=main.epsilon)
        choice = forecast.choose_by_forecast(public, plan.k, rest, float(noisy_n))  # [P3]
        method = self.candidates[choice.method]
        answer = method.run(data, method.plan(public, k=plan.k, budget=rest), noise)  # [P4]
        told: dict[str, Constant] = {
            "chosen_method": choice.method,
            "chosen_for_records": noisy_n,
            "why": choice.reason,
        }
        if isinstance(answer, NoAnswer):
            return replace(answer, constants={**answer.constants, **told})
        names = tuple(charge.name for charge in plan.charges)
        cells = None if answer.cells is None else answer.cells.paid_by(1, of=names)
        return replace(answer, constants={**answer.constants, **told}, cells=cells)  # [P5]
