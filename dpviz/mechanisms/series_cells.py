"""series_cells: a period of a series, counted on the cells that earlier periods published.

Releases: a coreset (the cells, weights ≥ 0), centers found on it, and the cells with estimated counts and variances, on
which the next period builds.
Paper: none; ours. Cf. Hay et al. 2010 (consistency) and ordinary Kalman filtering.
Guarantee: per period pure ε (δ = 0, discrete Laplace) or (ε, δ) by zCDP (discrete Gaussian), under ADD_REMOVE_ONE, for
records and for persons with a cap. What several periods cost together: proof, and dpviz/privacy/windows.py.
Public inputs: box, grid side, k, budget, unit; the releases of earlier periods.
Exact inputs: counts of disjoint blocks of cells; in the first period those of a growing tree.
Departures: none from a paper; discrete noise throughout.
Proof: docs/proofs/series.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpviz.domain import Adjacency, CellTree, ExactCounts, ExactPoints, Frame
from dpviz.domain.cell_tree import TOP
from dpviz.errors import DpvizError, InputError
from dpviz.mechanisms.adaptive_tree.budget import charges_of, floor_float, per_record, scale_for
from dpviz.mechanisms.adaptive_tree.growth import ROOT_SIDE, Depth, Pyramid, grow, laplace_variance
from dpviz.mechanisms.adaptive_tree.inference import infer, raw_inside
from dpviz.mechanisms.adaptive_tree.mechanism import (
    MAPS,
    Recipe,
    assemble_answer,
    leaf_means,
    leaf_points,
    search_centers,
)
from dpviz.mechanisms.adaptive_tree.partition import (
    BELIEFS,
    Beliefs,
    Cut,
    Floats,
    Partition,
    as_tree,
    choose_cut,
    leaves_of,
    merge_cells,
    predict_period,
    split_grown_cells,
    tiles,
    update_beliefs,
)
from dpviz.mechanisms.adaptive_tree.surface import leaning_pieces
from dpviz.mechanisms.interface import Answer, Constant, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, rho_within, scale_of_gaussian

CELLS = "cells of the period"
LEAST_VARIANCE = 1e-6


@dataclass(frozen=True, kw_only=True, eq=False)
class Past:
    """What earlier periods published and this one builds on: protected, so public, including the learned `change`."""

    partition: Partition
    change: float
    side: int  # of the grid; the next period keeps it


class SeriesCells:
    """The first period grows a tree; each later one counts an already public partition."""

    info = MethodInfo(
        name="series_cells",
        title="Cells of a series",
        summary="Counts this period on the cells that the last one published, and corrects what was known by it.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE}),
        needs_delta=False,
        dims=(2, 2),
        takes="counts",
        proof="series",
        vetted=True,
        person_cap=True,
    )

    def __init__(self, past: Past | None = None, *, recipe: Recipe = MAPS, beliefs: Beliefs = BELIEFS) -> None:
        self.past = past
        self.recipe = recipe
        self.beliefs = beliefs

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        if self.past is None:
            return Plan(method=self.info.name, k=k, budget=budget, charges=charges_of(budget, public))
        if self.past.side != public.side:
            raise InputError(
                f"the series was begun on a grid of side {self.past.side}, and these counts have side {public.side}; "
                "read them on the series' grid."
            )
        return Plan(method=self.info.name, k=k, budget=budget, charges=(charge_of_cells(budget),))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        if isinstance(data, ExactPoints):
            raise DpvizError("series_cells takes counts on a grid; this is a defect of its caller.")
        public, blocks = Public.of(data), Pyramid(data)
        if self.past is None:
            partition, noisy_total = self._first(data, public, blocks, plan, noise)
            return _answer(partition, None, noisy_total, self.beliefs.change, blocks, plan.k, public.frame, self.recipe)
        (charge,) = plan.charges
        counting = Counting.of(charge, public)
        prior = predict_period(self.past.partition, self.past.change)  # [P2]
        prior = split_grown_cells(prior, counting.per_record, blocks.depths, self.beliefs)
        cut = choose_cut(prior, counting.variance, self.beliefs)
        noisy = count_blocks(blocks, cut, counting, noise)
        partition, change = update_beliefs(prior, cut, noisy, counting.variance, self.past.change, self.beliefs)  # [P5]
        measured = Partition(
            roots=prior.roots,
            depth=cut.depth,
            block=cut.block,
            count=noisy,
            variance=np.full(len(noisy), counting.variance),
        )
        total = float(partition.count.sum())
        return _answer(partition, measured, total, change, blocks, plan.k, public.frame, self.recipe)

    def _first(
        self, data: ExactCounts, public: Public, blocks: Pyramid, plan: Plan, noise: NoiseSource
    ) -> tuple[Partition, float]:
        """[P6] Grow the tree of adaptive_tree with the whole budget, steps [P2] to [P5] of its proof."""
        counting, main = plan.charges
        exact = np.array([data.exact_total])
        noisy_total = float(noise.add_laplace(exact, scale_for(per_record(counting, public)))[0])
        share = per_record(main, public)
        strength = max(noisy_total, 1.0) * float(share)
        ladder = self.recipe.ladder(share, strength, plan.k)
        tree = grow(blocks, ladder, self.recipe.splitting(strength, plan.k), noise)
        partition = leaves_of(tree, infer(tree, blocks.fan), blocks.side_at(0))
        return merge_cells(partition, self.beliefs.most_cells), noisy_total


@dataclass(frozen=True, kw_only=True)
class Counting:
    """Noise of a period's counts: Laplace or Gaussian, of one scale."""

    scale: float
    gaussian: bool
    sensitivity: int  # L1 and L2: all records of a unit may lie in one block
    variance: float
    per_record: float  # the ε of Laplace noise of this variance: for decisions about cells only

    @classmethod
    def of(cls, charge: Charge, public: Public) -> Counting:
        """[P1] One unit of protection holds at most `unit.records` records, which may all lie in one block."""
        if charge.rho is None:
            scale = scale_for(per_record(charge, public))
            return cls(
                scale=scale,
                gaussian=False,
                sensitivity=public.unit.records,
                variance=laplace_variance(scale),
                per_record=1.0 / scale,
            )
        scale = scale_of_gaussian(float(public.unit.records), charge.rho)
        return cls(
            scale=scale,
            gaussian=True,
            sensitivity=public.unit.records,
            variance=scale**2,
            per_record=float(np.sqrt(2.0)) / scale,
        )


def charge_of_cells(budget: Budget) -> Charge:
    """[P1] Charge the whole budget for one count of each block: pure, or by zCDP where a δ is given."""
    if budget.delta == 0.0:
        return Charge(name=CELLS, epsilon=floor_float(Fraction(budget.epsilon)))
    return Charge(name=CELLS, epsilon=budget.epsilon, delta=budget.delta, rho=rho_within(budget))


def count_blocks(blocks: Pyramid, cut: Cut, counting: Counting, noise: NoiseSource) -> Floats:
    """[P3] [P4] Count every block of the cut with noise, empty ones included."""
    if not tiles(blocks.side_at(0), cut.depth, cut.block):  # [P3] privacy-bearing: no record lies in two blocks
        raise DpvizError("the blocks to be counted overlap or leave a gap; nothing was drawn.")
    exact = np.zeros(len(cut.depth), np.int64)
    for depth in np.unique(cut.depth):
        here = cut.depth == depth
        exact[here] = blocks.exact_counts(int(depth), cut.block[here])
    add = noise.add_gaussian if counting.gaussian else noise.add_laplace
    noisy: Floats = add(exact, counting.scale, sensitivity=counting.sensitivity).astype(np.float64)  # [P4]
    return noisy


def _answer(
    partition: Partition,
    measured: Partition | None,
    noisy_total: float,
    change: float,
    blocks: Pyramid,
    k: int,
    frame: Frame,
    recipe: Recipe,
) -> Answer:
    """[P5] Points and centers of the estimated counts; the measured counts are published beside them."""
    tree, sums, _ = as_tree(partition)
    pieces = leaning_pieces(tree, sums, blocks)
    synopsis = leaf_points(tree, sums, pieces)
    cells = cells_of(frame, tree, sums, blocks, leaf_means(pieces, synopsis.positions))
    strength = float(partition.count.sum() / max(np.sqrt(np.mean(partition.variance)), 1.0))
    centers = search_centers(synopsis, k, frame, recipe.effort(strength, k)).centers
    told: dict[str, Constant] = {"change_per_record": float(f"{change:.6g}"), "partition": partition.to_constants()}
    answer = assemble_answer(frame, synopsis, centers, noisy_total, cells, told)
    if measured is None:
        return answer
    return replace(answer, constants={**answer.constants, "measured": measured.to_constants()})


def cells_of(
    frame: Frame, tree: list[Depth], sums: list[tuple[Floats, Floats]], blocks: Pyramid, means: Floats
) -> CellTree:
    """Cells for queries about areas, independent of each other: each estimate already includes all periods."""
    leaves = [(depth, here.nodes[here.leaf]) for depth, here in enumerate(tree)]
    corners = [blocks.boxes(depth, nodes) for depth, nodes in leaves]
    count = np.concatenate([found[0][here.leaf] for here, found in zip(tree, sums, strict=True)])
    spread = np.concatenate([found[1][here.leaf] for here, found in zip(tree, sums, strict=True)])
    spread = np.maximum(spread, LEAST_VARIANCE)
    each = np.arange(len(count))
    return CellTree(
        frame=frame,
        low=raw_inside(frame, np.concatenate([low for low, _ in corners])),
        high=raw_inside(frame, np.concatenate([high for _, high in corners])),
        parent=np.full(len(count), TOP),
        depth=np.concatenate([np.full(len(nodes), depth) for depth, nodes in leaves]),
        node=each,
        value=count,
        variance=spread,
        charge=np.zeros(len(count), np.int64),
        charges=(CELLS,),
        cell=each,
        count=count,
        spread=spread,
        mean=raw_inside(frame, means),
    )


def past_of(constants: object, side: int | None) -> Past:
    """Read what a published period offers the next from the constants of its release."""
    if not isinstance(constants, dict) or "partition" not in constants or side is None:
        raise InputError(
            "the earlier release holds no cells to build on: a series goes on from releases of the method "
            f"{SeriesCells.info.name!r} only."
        )
    change = float(np.clip(float(constants.get("change_per_record", BELIEFS.change)), *BELIEFS.change_range))
    partition = Partition.from_constants(constants["partition"])
    if partition.roots != min(ROOT_SIDE, side) or (partition.roots * 2 ** int(partition.depth.max())) > side:
        raise InputError("the cells of the earlier release are not of its grid; the release is damaged or edited.")
    return Past(partition=partition, change=change, side=side)


SERIES_CELLS = SeriesCells()
