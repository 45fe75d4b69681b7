"""PRIVATE-K-MEAN as printed: the smallest ball of about 3n/(8k) records, found privately, removed, again and again.

Releases: one weighted point per round; centers are solved on them.
Paper: Feldman, Xiang, Zhu, Rus 2017, Algorithms 1 and 2; SMALL-BALL of Nissim, Stemmer, Vadhan 2016.
Guarantee: (ε, δ), δ > 0; replace; one record.
Public inputs: grid or box, n (all rows), k, ε, δ. Exact inputs: the counts, or the points.
Departures: whole-number qualities and noise, few radii in the practical constant set, random blocks above two
dimensions (see the proof page).
Proof: docs/proofs/peeled_balls_paper.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Coreset, ExactCounts, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, Reason, check_request
from dpviz.mechanisms.peeled_balls.small_ball import (
    PRACTICAL,
    CenterSearch,
    ConstantSet,
    GridState,
    LatticeState,
    PaperSchedule,
    PrintedState,
    Round,
    good_center,
    good_radius,
    paper_schedule,
    stability_threshold,
)
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

BLOCK = 10_000  # records per block above two dimensions (section 4.5)
LARGEST_SIDE = 4096  # of the lattice in two dimensions
MOST_ROWS = 2**30  # in two dimensions: the square of a ball's records stays below what RecConcave takes


class PeeledBallsPaper:
    """Algorithm 1 with one of the two sets of constants."""

    info = MethodInfo(
        name="peeled_balls_paper",
        title="Peeled balls, as printed",
        summary="The paper's own algorithm, for the record: it needs far more records than the practical variant.",
        paper="Feldman, Xiang, Zhu, Rus 2017 (PRIVATE-K-MEAN, Algorithms 1 and 2)",
        adjacencies=frozenset({Adjacency.REPLACE_ONE}),
        needs_delta=True,
        dims=(2, 8),
        proof="peeled_balls_paper",
        vetted=True,
    )

    def __init__(self, constants: ConstantSet = PRACTICAL) -> None:
        self.constants = constants

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Fix everything here: n is public."""
        check_request(self.info, public, k=k, budget=budget)
        if public.frame.dims == 2 and (public.public_rows or 0) >= MOST_ROWS:
            raise InputError(
                f"{self.info.name} takes fewer than 2^30 rows; this file has {public.public_rows:,}. "
                "Choose another method, such as peeled_balls.",
                rows=public.public_rows,
            )
        charge = Charge(name="rounds", epsilon=budget.epsilon, delta=budget.delta)
        return Plan(
            method=self.info.name, k=k, budget=budget, charges=(charge,), constants={"constants": self.constants.name}
        )

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Run rounds until t_min; above two dimensions in each block of 10,000 records, and unite them."""
        assert data.public_rows is not None
        frame = data.grid.frame if isinstance(data, ExactCounts) else data.frame
        if frame.dims == 2:
            positions, weights, rounds, failed = self._on_grid(data, plan, noise)
        else:
            assert isinstance(data, ExactPoints)
            positions, weights, rounds, failed = self._in_blocks(data, plan, noise)
        constants = {"rounds": rounds, "found": len(weights)}
        if rounds == 0:
            return NoAnswer(reason=Reason.TOO_FEW_RECORDS, constants=constants)
        if failed or len(weights) < plan.k:
            return NoAnswer(reason=Reason.SELECTION_FAILED, constants=constants)
        return Answer(
            coreset=Coreset(frame=frame, positions=positions, weights=weights),
            noisy_total=float(data.public_rows),
            constants=constants,
        )

    def _on_grid(
        self, data: ExactData, plan: Plan, noise: NoiseSource
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], int, bool]:
        assert data.public_rows is not None
        side = lattice_side(data.public_rows, 2, LARGEST_SIDE)
        if isinstance(data, ExactCounts):
            side = min(side, data.grid.side)
            counts = data.coarsened(side)
        else:
            counts = data.to_counts(side)
        schedule = paper_schedule(data.public_rows, plan.k, plan.budget, side=side, dims=2, constants=self.constants)
        found = list(self._rounds(GridState(counts.grid, counts.exact_cells), schedule, side, noise))
        halves = np.array([center for center, _ in found], np.float64).reshape(-1, 2)
        x = halves[:, 1] / 2 * counts.grid.cell_width
        y = (side - halves[:, 0] / 2) * counts.grid.cell_height
        weights = np.array([weight for _, weight in found], np.float64)
        return np.column_stack([x, y]), weights, len(schedule.rounds), not found

    def _in_blocks(
        self, data: ExactPoints, plan: Plan, noise: NoiseSource
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], int, bool]:
        """[P1] Blocks of 10,000 rows, drawn at random; rows outside the box are members without a place."""
        rows = data.public_rows
        assert rows is not None
        dims = data.frame.dims
        blocks = max(1, rows // BLOCK)
        sizes = np.full(blocks, rows // blocks)
        sizes[: rows % blocks] += 1
        ends = np.cumsum(sizes)
        block_of = np.searchsorted(ends, noise.order_of_rows(rows)[: data.exact_total], side="right")
        positions, weights, most = [], [], 0
        for block in range(blocks):
            size = int(sizes[block])
            side = lattice_side(size, dims, LARGEST_SIDE, at_most=True)
            schedule = paper_schedule(size, plan.k, plan.budget, side=side, dims=dims, constants=self.constants)
            lattice = np.minimum((data.exact_cube[block_of == block] * side).astype(np.int64), side - 1)
            most = max(most, len(schedule.rounds))
            for center, weight in self._rounds(LatticeState(lattice), schedule, side, noise):
                positions.append(np.asarray(center) / (2 * side) * data.frame.extent)
                weights.append(float(weight))
        return np.array(positions).reshape(-1, dims), np.array(weights), most, not weights

    def _rounds(
        self, state: PrintedState, schedule: PaperSchedule, side: int, noise: NoiseSource
    ) -> Iterator[tuple[NDArray[np.int64], int]]:
        """[P3] Algorithm 1, lines 3 to 11: (center in half cells, weight) of each ball; ends where none is found."""
        for one in schedule.rounds:
            center = self._small_ball(state, one, schedule, side, noise)
            if center is None:
                return
            state.remove(center, one.weight)
            yield center, one.weight

    def _small_ball(
        self, state: PrintedState, one: Round, schedule: PaperSchedule, side: int, noise: NoiseSource
    ) -> NDArray[np.int64] | None:
        """GOOD-RADIUS, then GOOD-CENTER."""
        t = one.weight + one.slack  # [P4]
        sums = state.sums(t, schedule.radii)  # [P5]
        radius = good_radius(
            sums,
            schedule.radii,
            t=t,
            slack=one.slack,
            alpha=self.constants.alpha,
            budget=schedule.for_radius,
            noise=noise,
        )
        if radius is None:
            return None
        center = good_center(*state.occupied(), self._search(radius, one, schedule, state), noise)
        return None if center is None else np.clip(center, 0, 2 * side)

    def _search(self, radius: int, one: Round, schedule: PaperSchedule, state: PrintedState) -> CenterSearch:
        dims = state.occupied()[0].shape[1]
        chance = (1 - 1 / (2 * self.constants.box_widths)) ** dims if self.constants.box_widths > 1 else 0.5**dims
        budget = schedule.for_center
        threshold = stability_threshold(budget.epsilon / 3, budget.delta)
        return CenterSearch(
            box=self.constants.box_widths * (2 * radius + 1),
            shifts=max(1, math.ceil(math.log(schedule.beta) / math.log1p(-min(chance, 0.999)))),
            heavy=max(one.weight, threshold),
            budget=budget,
        )


def lattice_side(records: int, dims: int, largest: int, *, at_most: bool = False) -> int:
    """|X|: the least power of two with |X|^d > n (section 5.2), or, in blocks, the largest with |X|^d ≤ n."""
    side = 1
    while side**dims <= records and side < largest:
        side *= 2
    return max(2, side // 2) if at_most else side


PEELED_BALLS_PAPER = PeeledBallsPaper()
