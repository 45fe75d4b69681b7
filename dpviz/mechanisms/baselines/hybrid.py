"""A synopsis of equal cells, then one noisy Lloyd step where the paper's inequalities say that it pays.

Releases: the synopsis as coreset, and centers.
Paper: Su, Cao, Li, Bertino, Jin 2016, section 6.3.
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, base grid, relation, unit, k, ε. Exact inputs: the records.
Departures: the number of records is bought with 3 % of ε; ρ is a constant; the search (not in `hybrid_paper`).
Proof: docs/proofs/hybrid.md.
"""

from __future__ import annotations

from dpviz.domain import Adjacency, Centers
from dpviz.mechanisms.baselines.noisy_lloyd import LatticeRecords, noisy_step
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public
from dpviz.mechanisms.shares import BudgetSplit
from dpviz.mechanisms.uniform_grid import SearchedGrid, centers_as_printed, grid_cells, noisy_synopsis
from dpviz.noise import NoiseSource

RHO = 0.225  # utility only: average normalised coordinate of a cluster's center in inequality (15)


class Hybrid(SearchedGrid):
    """The paper's hybrid approach."""

    info = MethodInfo(
        name="hybrid",
        title="Grid, then one step",
        summary="Noisy counts of equal cells give centers; one noisy k-means step improves them where that pays.",
        paper="Su, Cao, Li, Bertino, Jin 2016, section 6.3",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(1, 12),
        proof="hybrid",
        vetted=True,
        person_cap=True,
    )

    split = BudgetSplit(shares={"synopsis and step": 1.0})  # privacy-bearing

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        public = Public.of(data)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        rest = parts["synopsis and step"].epsilon
        refine = step_pays(noisy_total, plan.k, public.frame.dims, rest)  # [P2]
        share = rest / 2 if refine else rest
        coreset = noisy_synopsis(data, noisy_total, share, noise)  # [P3]
        cells = grid_cells(data, coreset, noisy_total, plan)
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
