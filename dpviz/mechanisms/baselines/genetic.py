"""Private selection among evolving sets of centers.

Releases: k centers; no coreset.
Paper: Zhang et al. 2013 (PrivGene); Su et al. 2016, section 4.1.3 (PGkM).
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, relation, unit, k, ε. Exact inputs: the records.
Departures: integer scores; the one-sided weight under add-remove; at most 400 rounds; noisy n.
Proof: docs/proofs/genetic.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Centers
from dpviz.mechanisms.baselines._kernels import lattice_costs
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import NoiseSource

LATTICE = 2**12  # privacy-bearing: steps along the longest axis
CANDIDATES = 200  # utility only
PARENTS = 10  # privacy-bearing: selections a round
RATE = 1.25e-3  # utility only: rounds grow with n ε
LEAST_ROUNDS, MOST_ROUNDS = 8, 400  # privacy-bearing: divide the budget


class Genetic(FixedShares):
    """PGkM."""

    info = MethodInfo(
        name="genetic",
        title="Genetic search",
        summary="Lets sets of centers evolve and selects the better ones privately.",
        paper="Zhang, Xiao, Yang, Zhang, Winslett 2013 (PrivGene); Su et al. 2016 (PGkM)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(1, 100),
        proof="genetic",
        gives_coreset=False,
        vetted=True,
        person_cap=True,
    )

    split = BudgetSplit(shares={"selections": 1.0})  # privacy-bearing

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Rounds of selection, crossover and mutation; one last selection."""
        public = Public.of(data)
        parts, noisy_total = self.buy_total(data, plan, noise)
        rest = parts["selections"].epsilon
        rounds = min(MOST_ROUNDS, max(LEAST_ROUNDS, int(RATE * noisy_total * rest / PARENTS)))  # [P1]
        each = rest / (PARENTS * rounds + 1)
        records = LatticeCosts(data)
        genes = plan.k * public.frame.dims
        limits = np.tile(records.limits, plan.k)  # one upper bound per gene
        # Each gene is uniform in 0 … its limit.
        population = np.column_stack([noise.integers(int(limit) + 1, CANDIDATES) for limit in limits])  # [P2]
        for number in range(rounds):
            scores = -records.exact_costs(population.reshape(-1, plan.k, public.frame.dims))  # [P3]
            parents: list[int] = []
            alive = np.arange(CANDIDATES)
            for _ in range(PARENTS):  # [P4]
                chosen = select(scores[alive], each, records, noise)
                parents.append(int(alive[chosen]))
                alive = np.delete(alive, chosen)
            step = 0.25 * (1 - number / rounds) + 0.005
            population = offspring(population[parents], limits, step, genes, noise)  # [P5]
        scores = -records.exact_costs(population.reshape(-1, plan.k, public.frame.dims))
        best = population[select(scores, each, records, noise)].reshape(plan.k, -1)  # [P6]
        positions = np.minimum(best * records.step_length, public.frame.extent)
        return Answer(
            coreset=None,
            centers=Centers(
                frame=public.frame, positions=positions, weights=np.full(plan.k, float(noisy_total) / plan.k)
            ),
            noisy_total=float(noisy_total),
            constants={"rounds": rounds},
        )


class LatticeCosts:
    """Exact integer costs of candidate sets, within one run."""

    def __init__(self, data: ExactData) -> None:
        local, self.multiplicity = weighted_local(data)
        public = Public.of(data)
        self.step_length = float(public.frame.extent.max()) / LATTICE
        self.limits = np.maximum(1, np.rint(public.frame.extent / self.step_length).astype(np.int64))
        self.steps = np.clip(np.rint(local / self.step_length).astype(np.int64), 0, self.limits)
        self.monotone = public.relation is Adjacency.ADD_REMOVE_ONE
        self.sensitivity = float((self.limits**2).sum()) * public.unit.records

    def exact_costs(self, candidates: NDArray[np.int64]) -> NDArray[np.int64]:
        """Minus the scores, exactly."""
        costs: NDArray[np.int64] = lattice_costs(self.steps, self.multiplicity, candidates)
        return costs


def select(scores: NDArray[np.int64], epsilon: float, records: LatticeCosts, noise: NoiseSource) -> int:
    """[P4] [P6] One charged selection."""
    return noise.select(scores, epsilon=epsilon, sensitivity=records.sensitivity, monotone=records.monotone)


def offspring(
    parents: NDArray[np.int64], limits: NDArray[np.int64], step: float, genes: int, noise: NoiseSource
) -> NDArray[np.int64]:
    """[P5] The parents and their mutated children, CANDIDATES rows in all."""
    pairs = (CANDIDATES - len(parents)) // 2
    first, second = noise.integers(len(parents), pairs), noise.integers(len(parents), pairs)
    cuts = noise.integers(max(1, genes - 1), pairs) + (genes > 1)
    head = np.arange(genes)[None, :] < cuts[:, None]
    one = np.where(head, parents[first], parents[second])
    two = np.where(head, parents[second], parents[first])
    children = np.vstack([one, two])
    where = noise.integers(genes, len(children))
    reach = np.maximum(1, (limits[where] * step).astype(np.int64))
    widest = int(2 * reach.max() + 1)
    moves = noise.integers(widest, len(children)) % (2 * reach + 1) - reach
    rows = np.arange(len(children))
    children[rows, where] = np.clip(children[rows, where] + moves, 0, limits[where])
    return np.vstack([parents, children])


GENETIC = Genetic()
