"""Greedy private coverage on grids of growing coarseness, noisy counts, private averages.

Releases: k centers with noisy counts; as coreset the candidates with noisy counts, or the centers after a projection.
Paper: Nguyen, Chaturvedi, Xu 2021 (max cover), algorithms 1 to 3.
Guarantee: (ε, δ), δ > 0, for add-remove and, through it, replace; one record.
Public inputs: frame, relation, k, ε, δ; n under replace. Exact inputs: the records.
Departures: exact exponent of the decaying-gain argument; zCDP noise; radii from a public ladder.
Proof: docs/proofs/grid_cover.md.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, Centers, Coreset
from dpviz.mechanisms.baselines.covering.averages import lloyd_step, noisy_averages
from dpviz.mechanisms.baselines.covering.ladder import Ladder
from dpviz.mechanisms.baselines.covering.projection import ONE, Image, dims_after
from dpviz.mechanisms.baselines.covering.selection import exponent, noisy_candidate_counts, select_candidates
from dpviz.mechanisms.baselines.covering.shares import charges_of, parts_of
from dpviz.mechanisms.exact_view import protected_total
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget

TOTAL_SHARE = 0.03  # privacy-bearing: of ε, under add-remove
SHARES = {"cover": 0.35, "counts": 0.20, "averages": 0.25, "last step": 0.20}  # privacy-bearing: of what is left
DELTAS = {"cover": 0.4, "averages": 0.3, "last step": 0.3}  # privacy-bearing: of δ
MOST_ROUNDS = 4  # utility only: rounds for each radius, in multiples of k
MOVE_SHARE = 0.1  # utility only: mean squared move of a center over the spread of its records, at most
COUNTS_WORTH = 100.0  # utility only: records times ε_L per candidate


class GridCover:
    """Max cover on grids as a catalogue method."""

    info = MethodInfo(
        name="grid_cover",
        title="Greedy cover",
        summary="Picks, privately and one after the other, the places that cover most records, small circles first.",
        paper="Nguyen, Chaturvedi, Xu 2021",
        adjacencies=frozenset(Adjacency),
        needs_delta=True,
        dims=(2, 1000),
        takes="both",
        gives_coreset=True,
        proof="grid_cover",
        vetted=True,
    )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Total, cover, counts, averages, last step; the charges add up to the budget."""
        check_request(self.info, public, k=k, budget=budget)
        parts = parts_of(public.relation, budget, TOTAL_SHARE, SHARES, DELTAS)
        return Plan(method=self.info.name, k=k, budget=budget, charges=charges_of(public.relation, parts))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Cover, count, cluster, average, one step."""
        public = Public.of(data)
        parts = parts_of(public.relation, plan.budget, TOTAL_SHARE, SHARES, DELTAS)
        noisy_total = protected_total(data, parts["total"].epsilon if "total" in parts else 0.0, noise)  # [P1]
        image = Image.of(data, dims_after(public.frame.dims, noisy_total), noise)  # [P2]
        ladder = Ladder.of(image.reach, noisy_total)  # [P3]
        rounds = rounds_per_radius(plan.k, len(ladder.radii), noisy_total * parts["counts"].epsilon)
        chance = exponent(parts["cover"], rounds * len(ladder.radii))
        candidates = select_candidates(image, ladder, rounds, chance, noise)  # [P4] [P5]
        noisy_counts, scale = noisy_candidate_counts(image, candidates, parts["counts"].epsilon, noise)  # [P6]
        proxy = solve_kmeans(candidates, noisy_counts, plan.k, seed=0, low=-image.reach, high=image.reach)  # [P7]
        largest = largest_move(image, candidates, noisy_counts, proxy.centers)
        averages = noisy_averages(image, proxy.centers, parts["averages"], noise, largest_move=largest)  # [P8]
        positions, weights = lloyd_step(image, averages, parts["last step"], noise, largest_move=largest)  # [P9]
        centers = Centers(frame=public.frame, positions=image.to_local(positions), weights=weights)
        if image.projected:  # [P10]
            coreset = Coreset(frame=public.frame, positions=centers.positions, weights=weights)
        else:
            coreset = Coreset(
                frame=public.frame,
                positions=image.to_local(image.back(candidates)),
                weights=noisy_counts,
                variances=noisy_counts * 0 + 2 * scale**2,
            )
        return Answer(
            coreset=coreset,
            centers=centers,
            noisy_total=float(noisy_total),
            constants={"image_dims": image.dims, "radii": len(ladder.radii), "candidates": len(candidates)},
        )


def rounds_per_radius(k: int, radii: int, strength: float) -> int:
    """[P3] k, or more where the noise of more counts would still be small: the exponent does not pay for rounds."""
    return max(k, min(MOST_ROUNDS * k, int(strength / COUNTS_WORTH / radii)))


def largest_move(
    image: Image, candidates: NDArray[np.float64], noisy_counts: NDArray[np.float64], proxies: NDArray[np.float64]
) -> float:
    """How far, in squared lattice steps per axis, a center may trust a noisy average: a part of its records' spread.

    After a projection the spread of the candidates says nothing about the other axes.
    """
    counts = np.maximum(noisy_counts, 0.0)
    if image.projected or not counts.any():
        return math.inf
    spread = cost(candidates, counts, proxies) / counts.sum() / image.dims
    return MOVE_SHARE * float(spread) * (image.diameter / ONE / 2) ** 2


GRID_COVER = GridCover()
