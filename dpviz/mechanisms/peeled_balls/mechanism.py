"""Peel small heavy balls off the map, one after the other: the coreset of ball centers.

Releases: at most one weighted point per round, refined by noisy sums and counts; centers are solved on them.
Paper: Feldman, Xiang, Zhu, Rus 2017, Algorithm 1 (PRIVATE-K-MEAN), with the tools of the `practical` variant.
Guarantee: (ε, δ), or (ε, 0) for δ = 0; add-remove and replace; one record.
Public inputs: grid, relation, k, ε, δ; n under replace. Exact inputs: the counts, or the points.
Departures: see the proof page (public lattice and ladder, public number of rounds, refinement).
Proof: docs/proofs/peeled_balls.md.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Coreset, ExactCounts, ExactPoints, Grid
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Reason
from dpviz.mechanisms.peeled_balls.engine import Peeler, block_sums
from dpviz.mechanisms.peeled_balls.lattice import LatticePeeler, peel_boxes, refine_boxes
from dpviz.mechanisms.peeled_balls.refine import refine_points
from dpviz.mechanisms.peeled_balls.schedule import Spending, peeled_weights, spending, useful_rounds
from dpviz.mechanisms.peeled_balls.selections import LargestCounts, select_center, select_radius
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, verify
from dpviz.privacy.composition import epsilon_of_zcdp

POINTS_SIDE = 1024  # points in two dimensions are counted on a grid of this side


class PeeledBalls(FixedShares):
    """The practical variant."""

    info = MethodInfo(
        name="peeled_balls",
        title="Peeled balls",
        summary="Takes the smallest heavy circle off the map, again and again; each leaves one weighted point.",
        paper="Feldman, Xiang, Zhu, Rus 2017 (PRIVATE-K-MEAN)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(2, 8),
        proof="peeled_balls",
        vetted=True,
    )

    # Privacy-bearing. How the rounds share their part is fixed, and verified, once the total is known.
    split = BudgetSplit(shares={"rounds": 1.0}, deltas={"rounds": 1.0}, total=0.04)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Rounds of radius, center and removal, then the refinement."""
        if isinstance(data, ExactPoints) and data.frame.dims == 2:
            data = data.to_counts(POINTS_SIDE)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        rest = parts["rounds"]
        rounds = useful_rounds(noisy_total, plan.k, rest)  # [P2]
        constants = {"rounds": rounds, "noisy_total": noisy_total}
        if rounds == 0:
            return NoAnswer(reason=Reason.TOO_FEW_RECORDS, constants=constants)
        spend = spending(rest, rounds)
        verify(charges_of(spend, rounds, rest), rest)
        weights = peeled_weights(noisy_total, plan.k, rounds)
        if isinstance(data, ExactCounts):
            frame = data.grid.frame
            sums = block_sums(data)
            found, radii = peel(Peeler(data.grid, sums), weights, spend, data.relation, data.grid, noise)
            points = refine_points(sums, data.grid, found, radii, np.array(weights, float), spend, data.relation, noise)
        else:
            frame = data.frame
            centers, radii = peel_boxes(LatticePeeler(frame, data.exact_cube), weights, spend, data.relation, noise)
            points = refine_boxes(
                frame, data.exact_cube, centers, radii, np.array(weights, float), spend, data.relation, noise
            )
        positions, noisy_weights, variances = points
        return Answer(
            coreset=Coreset(frame=frame, positions=positions, weights=noisy_weights, variances=variances),
            noisy_total=float(noisy_total),
            constants={**constants, "accounting": spend.accounting},
        )


def charges_of(spend: Spending, rounds: int, rest: Budget) -> tuple[Charge, ...]:
    """Charges of the rounds and the refinement, for the second computation of the cost."""
    concentrated = spend.accounting == "zcdp"
    charges = []
    for name, epsilon in (("radii", spend.radius_epsilon), ("centers", spend.center_epsilon)):
        rho = rounds * epsilon**2 / 8 if concentrated else None
        charges.append(Charge(name=name, epsilon=rounds * epsilon, rho=rho))
    if spend.refine_rho is None:
        charges.append(Charge(name="refinement", epsilon=spend.refine_epsilon))
    else:
        delta = rest.delta / 2  # any split will do: the ρ is what is added up
        claimed = epsilon_of_zcdp(spend.refine_rho, delta)
        charges.append(Charge(name="refinement", epsilon=claimed, delta=delta, rho=spend.refine_rho))
    return tuple(charges)


def peel(
    state: Peeler,
    weights: list[int],
    spend: Spending,
    relation: Adjacency,
    grid: Grid,
    noise: NoiseSource,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Run the rounds: ball centers in local coordinates and their radii, (T, 2) and (T,)."""
    monotone = relation is Adjacency.ADD_REMOVE_ONE
    centers, radii = [], []
    counts = LargestCounts(state)
    for weight in weights:
        rung = select_radius(counts, weight, spend.radius_epsilon, noise)
        at = select_center(state, rung, weight, spend.center_epsilon, noise, monotone=monotone)
        state.remove(at, weight)  # [P5]
        counts.removed(weight)
        centers.append(at)
        radii.append(state.windows[rung].half_width_cells * max(grid.cell_width, grid.cell_height))
    halves = np.array(centers, np.float64)
    x = halves[:, 1] / 2 * grid.cell_width
    y = (grid.side - halves[:, 0] / 2) * grid.cell_height
    return np.column_stack([x, y]), np.array(radii)


PEELED_BALLS = PeeledBalls()
