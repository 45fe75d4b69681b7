"""A synopsis of equal cells, then one noisy Lloyd step where the paper's inequalities say that it pays.

Releases: the synopsis as coreset, and centers.
Paper: Su, Cao, Li, Bertino, Jin 2016, section 6.3.
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, base grid, relation, unit, k, ε. Exact inputs: the records.
Departures: the number of records is bought with 3 % of ε; ρ is a constant; the search (not in `hybrid_paper`).
Proof: docs/proofs/hybrid.md.
"""

from __future__ import annotations

from dataclasses import replace

from dpviz.domain import Adjacency, Centers
from dpviz.mechanisms.baselines.noisy_lloyd import LatticeRecords, noisy_step
from dpviz.mechanisms.exact_view import epsilon_of_total, protected_total
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, check_request
from dpviz.mechanisms.uniform_grid import (
    TOTAL_SHARE,
    Search,
    bought_total,
    centers_as_printed,
    centers_from_synopsis,
    grid_cells,
    noisy_synopsis,
)
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

RHO = 0.225  # utility only: average normalised coordinate of a cluster's center in inequality (15)


class Hybrid:
    """The paper's hybrid approach as a catalogue method."""

    info = MethodInfo(
        name="hybrid",
        title="Grid, then one step",
        summary="Noisy counts of equal cells give centers; one noisy k-means step improves them where that pays.",
        paper="Su, Cao, Li, Bertino, Jin 2016, section 6.3",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(1, 12),
        takes="both",
        gives_coreset=True,
        proof="hybrid",
        vetted=True,
        person_cap=True,
    )

    def __init__(self, search: Search | None = None, name: str | None = None) -> None:
        self.search = search or centers_from_synopsis
        if name is not None:
            self.info = replace(self.info, name=name, title=f"{self.info.title}, as printed")

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        total = epsilon_of_total(public.relation, TOTAL_SHARE, budget.epsilon)
        charges = [Charge(name="synopsis and step", epsilon=budget.epsilon - total)]
        if total:
            charges.insert(0, Charge(name="total", epsilon=total))
        return Plan(method=self.info.name, k=k, budget=budget, charges=tuple(charges))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        public = Public.of(data)
        epsilon = {charge.name: charge.epsilon for charge in plan.charges}
        noisy_total = protected_total(data, epsilon.get("total", 0.0), noise)  # [P1]
        rest = epsilon["synopsis and step"]
        refine = step_pays(noisy_total, plan.k, public.frame.dims, rest)  # [P2]
        share = rest / 2 if refine else rest
        coreset = noisy_synopsis(data, noisy_total, share, noise)  # [P3]
        names = tuple(charge.name for charge in plan.charges)
        cells = grid_cells(coreset, bought_total(data, noisy_total, epsilon.get("total", 0.0)), names)
        positions, weights = self.search(coreset, plan.k)  # [P4]
        if refine:
            positions, weights = noisy_step(LatticeRecords(data), positions, rest / 2, public, noise)  # [P5]
        return Answer(  # [P6]
            coreset=coreset,
            centers=Centers(frame=public.frame, positions=positions, weights=weights),
            noisy_total=float(noisy_total),
            cells=cells,
            constants={"refined": refine},
        )


def step_pays(total: int, k: int, dims: int, epsilon: float) -> bool:
    """[P2] Inequality (15); (14) holds because noisy_lloyd runs five rounds."""
    x = 8 * dims * (1 + (2 * RHO) ** 2) * (k * (dims + 1) / total) ** 2
    y = 2 * dims * k ** ((dims - 2) / dims) / (3 * 10 ** (2 * dims / (2 + dims)) * total ** (4 / (2 + dims)))
    return bool(epsilon >= (x / y) ** ((2 + dims) / (2 * dims)))


HYBRID = Hybrid()
HYBRID_PAPER = Hybrid(centers_as_printed, "hybrid_paper")
