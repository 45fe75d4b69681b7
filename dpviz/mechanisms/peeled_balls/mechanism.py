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
from dpviz.mechanisms.exact_view import epsilon_of_total, protected_total
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, Reason, check_request
from dpviz.mechanisms.peeled_balls.engine import Peeler, block_sums
from dpviz.mechanisms.peeled_balls.lattice import LatticePeeler, peel_boxes, refined_boxes
from dpviz.mechanisms.peeled_balls.refine import refined
from dpviz.mechanisms.peeled_balls.schedule import Spending, peeled_weights, spending, useful_rounds
from dpviz.mechanisms.peeled_balls.selections import LargestCounts, select_center, select_radius
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, verify
from dpviz.privacy.composition import epsilon_of_zcdp

TOTAL_SHARE = 0.04  # privacy-bearing: share of ε that buys the noisy total under add-remove
POINTS_SIDE = 1024  # points in two dimensions are counted on a grid of this side


class PeeledBalls:
    """The practical variant as a catalogue method."""

    info = MethodInfo(
        name="peeled_balls",
        title="Peeled balls",
        summary="Takes the smallest heavy circle off the map, again and again; each leaves one weighted point.",
        paper="Feldman, Xiang, Zhu, Rus 2017 (PRIVATE-K-MEAN)",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(2, 8),
        takes="both",
        gives_coreset=True,
        proof="peeled_balls",
        vetted=True,
    )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """The total, then everything else; the split over rounds is fixed, and verified, once the total is known."""
        check_request(self.info, public, k=k, budget=budget)
        total = epsilon_of_total(public.relation, TOTAL_SHARE, budget.epsilon)
        charges = [Charge(name="rounds", epsilon=budget.epsilon - total, delta=budget.delta)]
        if total:
            charges.insert(0, Charge(name="total", epsilon=total))
        return Plan(method=self.info.name, k=k, budget=budget, charges=tuple(charges))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Rounds of radius, center and removal, then the refinement."""
        if isinstance(data, ExactPoints) and data.frame.dims == 2:
            data = data.to_counts(POINTS_SIDE)
        charged = {charge.name: charge for charge in plan.charges}
        noisy_total = protected_total(data, charged["total"].epsilon if "total" in charged else 0.0, noise)  # [P1]
        rest = Budget(epsilon=charged["rounds"].epsilon, delta=charged["rounds"].delta)
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
            state = Peeler(data.grid, sums)
            found, radii = peel(state, weights, spend, data.relation, data.grid, noise)
            points = refined(sums, data.grid, found, radii, np.array(weights, float), spend, data.relation, noise)
        else:
            frame = data.frame
            boxes = LatticePeeler(frame, data.exact_cube)
            centers, radii = peel_boxes(boxes, weights, spend, data.relation, noise)
            points = refined_boxes(
                frame, data.exact_cube, centers, radii, np.array(weights, float), spend, data.relation, noise
            )
        positions, noisy_weights, variances = points
        return Answer(
            coreset=Coreset(frame=frame, positions=positions, weights=noisy_weights, variances=variances),
            noisy_total=float(noisy_total),
            constants={**constants, "accounting": spend.accounting},
        )


def charges_of(spend: Spending, rounds: int, rest: Budget) -> tuple[Charge, ...]:
    """What the rounds and the refinement cost, for the second computation."""
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
    """The rounds: ball centers in local coordinates and their radii, (T, 2) and (T,)."""
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
