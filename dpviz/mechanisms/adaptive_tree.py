"""adaptive_tree: a private tree that spends its budget along paths, then a residual round.

Releases: a coreset (the leaves of the tree, weights ≥ 0), centers found on it, a noisy number of records.
Paper: none; ours. Its benchmark references are PrivTree (Zhang, Xiao, Xie 2016) and EUGkM (Su et al. 2016).
Guarantee: pure ε under ADD_REMOVE_ONE (records, and persons with a cap) and REPLACE_ONE; δ is not used.
Public inputs: box, grid side, k, ε, relation, unit; under REPLACE_ONE the number of rows.
Exact inputs: counts of blocks of cells; clipped sums of offsets per part.
Departures: none from a paper; discrete noise throughout.
Proof: docs/proofs/adaptive_tree.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult, assign, solve_kmeans
from dpviz.domain import Adjacency, Centers, Coreset, ExactCounts, Frame
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.mechanisms.tree.bisection import Bisection
from dpviz.mechanisms.tree.budget import (
    Ladder,
    Shares,
    charges_of,
    per_record,
    scale_for,
)
from dpviz.mechanisms.tree.growth import Depth, Thresholds, grow
from dpviz.mechanisms.tree.inference import infer
from dpviz.mechanisms.tree.pyramid import Pyramid
from dpviz.mechanisms.tree.residual import Synopsis, corrected, residual_round, settled
from dpviz.mechanisms.tree.slopes import leaning_pieces
from dpviz.mechanisms.uncertainty import center_variances, radii
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget

Floats = NDArray[np.float64]
POINTS_SIDE = 1024  # the grid on which planar points are counted


# From n·ε per cluster to the share of a residual round; below the last line the tree needs everything itself.
RESIDUAL_SHARES = ((30_000, Fraction(45, 100)), (2500, Fraction(35, 100)), (800, Fraction(1, 5)))
# One center has no borders: the tree only has to say where records stop being many.
RESIDUAL_SHARES_OF_ONE = ((30_000, Fraction(92, 100)), (3000, Fraction(80, 100)), (0, Fraction(65, 100)))


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Utility constants: none of them carries the promise. Measured in docs/proofs and the accuracy benchmark."""

    first: Fraction  # of the tree's share, for depth 0
    first_of_weak: Fraction  # the same on weak data, whose few large leaves rest on it
    step: Fraction  # of what is left, for each further depth
    easy_step: Fraction  # the same below a node whose count is large
    thresholds: Thresholds
    thresholds_for_many: Thresholds | None = None  # for many centers on strong data, whose borders need small leaves
    weak: float = 800.0  # n·ε per center; below it, data are weak
    many: int = 15
    many_strength: float = 2500.0  # n·ε per center
    searches_for_many: int = 3
    swaps: int = 20
    swaps_for_many: int = 40
    settle_from: float = 6e4  # n·ε per center from which corrected centers are searched on for, cell by cell

    def ladder(self, share: Fraction, strength: float, k: int) -> Ladder:
        """How the chains of a tree with this share divide it."""
        first = self.first if strength / k >= self.weak else self.first_of_weak
        return Ladder(share=share, first=first, step=self.step, easy_step=self.easy_step)

    def splitting(self, strength: float, k: int) -> Thresholds:
        """When to split."""
        chosen = (self.thresholds_for_many if self._hard(strength, k) else None) or self.thresholds
        return chosen.for_strength(strength)

    def effort(self, strength: float, k: int) -> dict[str, int]:
        """How long to search: fewer swaps where noise moves the best centers farther than a search misses them."""
        if self._hard(strength, k):
            return {"repeats": self.searches_for_many, "swaps": self.swaps_for_many}
        return {"repeats": 1, "swaps": self.swaps}

    def _hard(self, strength: float, k: int) -> bool:
        return k >= self.many and strength / k >= self.many_strength

    def residual_shares(self, strength: float, k: int) -> tuple[Fraction, ...]:
        """Shares of what is left after the noisy n, one per residual round; `strength` = (noisy or public n) · ε."""
        if k == 1:
            return (next(share for least, share in RESIDUAL_SHARES_OF_ONE if strength >= least),)
        for least, share in RESIDUAL_SHARES:
            if strength / k >= least:
                return (share,)
        return ()


MAPS = Recipe(
    first=Fraction(5, 100),
    first_of_weak=Fraction(12, 100),
    step=Fraction(20, 100),
    easy_step=Fraction(5, 100),
    thresholds=Thresholds(coarse=(1.4, 5.0), fine=(2.0, 8.0), fine_from=2, easy_from=80.0),
    thresholds_for_many=Thresholds(coarse=(1.4, 5.0), fine=(1.0, 4.0), fine_from=2, easy_from=80.0),
)
# Two halvings cost about what one split in four costs.
POINTS = Recipe(
    first=Fraction(15, 100),
    first_of_weak=Fraction(15, 100),
    step=Fraction(11, 100),
    easy_step=Fraction(11, 100),
    thresholds=Thresholds(coarse=(1.4, 2.8), fine=(2.0, 4.0), fine_from=3),
)


class AdaptiveTree:
    """The most accurate method on maps, at every size and level measured."""

    info = MethodInfo(
        name="adaptive_tree",
        title="Adaptive tree",
        summary="Counts the map in squares that get smaller where people are, then corrects each center once.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE}),
        needs_delta=False,
        dims=(1, 12),
        takes="both",
        gives_coreset=True,
        proof="adaptive_tree",
        vetted=True,
        person_cap=True,
    )

    def __init__(self, recipe: Recipe = MAPS, points_recipe: Recipe = POINTS) -> None:
        self.recipe = recipe
        self.points_recipe = points_recipe

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        charges = charges_of(budget, public)
        recipe = self.recipe
        constants = {
            "first_share": float(recipe.first),
            "first_share_of_weak_data": float(recipe.first_of_weak),
            "step_share": float(recipe.step),
            "easy_step_share": float(recipe.easy_step),
        }
        return Plan(method=self.info.name, k=k, budget=budget, charges=charges, constants=constants)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        public = Public.of(data)
        *counting, main = plan.charges
        if public.public_rows is None:  # [P2]
            drawn = int(noise.laplace(scale_for(per_record(counting[0], public)), 1)[0])
            noisy_total = float(data.exact_total + drawn)
        else:
            noisy_total = float(public.public_rows)
        whole = per_record(main, public)  # [P1]
        strength = max(noisy_total, 1.0) * float(whole)
        shares = Shares.of(whole, self.recipe.residual_shares(strength, plan.k))  # [P3]
        counts, recipe = self._tree_over(data)
        ladder = recipe.ladder(shares.tree, strength, plan.k)
        tree = grow(counts, ladder, recipe.splitting(strength, plan.k), noise)  # [P4] [P5]
        synopsis = leaf_points(tree, counts)
        centers = search(synopsis, plan.k, public.frame, self.recipe.effort(strength, plan.k)).centers
        left = np.ones(plan.k)
        clear = strength >= self.recipe.settle_from * plan.k
        for spend in shares.residual:
            shifts, left = residual_round(counts, synopsis, centers, spend, noise)  # [P6] [P7] [P8]
            follow = settled if clear else corrected
            synopsis, centers = follow(synopsis, centers, shifts, public.frame.extent)
        return _answer(public.frame, synopsis, centers, left, noisy_total, shares)  # [P9]

    def _tree_over(self, data: ExactData) -> tuple[Pyramid | Bisection, Recipe]:
        if isinstance(data, ExactCounts):
            return Pyramid(data), self.recipe
        if data.frame.dims == 2:
            return Pyramid(data.to_counts(POINTS_SIDE)), self.recipe
        return Bisection(data), self.points_recipe


def leaf_points(tree: list[Depth], counts: Pyramid | Bisection) -> Synopsis:
    """Each leaf as a few points that share its weight; independent pieces whose sum has the leaf's variance."""
    consistent = infer(tree, counts.fan)
    positions, weights, variances = [], [], []
    for depth, (placed, shares) in enumerate(_pieces(tree, consistent, counts)):
        values, spread = consistent[depth]
        leaf = tree[depth].leaf
        positions.append(placed.reshape(-1, placed.shape[2]))
        weights.append((values[leaf, None] * shares).ravel())
        variances.append(np.repeat(spread[leaf] / placed.shape[1], placed.shape[1]))
    return Synopsis(
        positions=np.concatenate(positions), weights=np.concatenate(weights), variances=np.concatenate(variances)
    )


def _pieces(
    tree: list[Depth], consistent: list[tuple[Floats, Floats]], counts: Pyramid | Bisection
) -> list[tuple[Floats, Floats]]:
    """Per depth: places of the pieces of its leaves, and their shares: leaning uphill on maps, else even."""
    if isinstance(counts, Pyramid):
        return leaning_pieces(tree, consistent, counts)
    placed = [counts.pieces(depth, here.nodes[here.leaf]) for depth, here in enumerate(tree)]
    return [(places, np.full(places.shape[:2], 1.0 / places.shape[1])) for places in placed]


def search(synopsis: Synopsis, k: int, frame: Frame, effort: Mapping[str, int]) -> KMeansResult:
    """The best k-means of the synopsis that the guided search finds; seeded from the synopsis itself."""
    used = synopsis.weights > 0.0
    return solve_kmeans(
        synopsis.positions[used],
        synopsis.weights[used],
        k,
        seed=_seed(synopsis, k),
        low=np.zeros(frame.dims),
        high=frame.extent,
        **effort,
    )


def _seed(synopsis: Synopsis, k: int) -> int:
    digest = hashlib.blake2b(repr(k).encode(), digest_size=8)
    digest.update(np.ascontiguousarray(synopsis.weights).tobytes())
    return int.from_bytes(digest.digest(), "little")


def _answer(
    frame: Frame,
    synopsis: Synopsis,
    found: Floats,
    left: NDArray[np.float64],
    noisy_total: float,
    shares: Shares,
) -> Answer:
    """[P9] Clamp into the box, drop points of no weight, weigh the centers."""
    centers = np.clip(found, 0.0, frame.extent)
    spread = center_variances(synopsis.positions, synopsis.weights, synopsis.variances, centers) * left
    used = synopsis.weights > 0.0
    positions = np.clip(synopsis.positions[used], 0.0, frame.extent)
    weights = synopsis.weights[used]
    held: NDArray[np.float64] = np.bincount(assign(positions, centers), weights=weights, minlength=len(centers)).astype(
        np.float64
    )
    order = np.argsort(-held, kind="stable")
    return Answer(
        coreset=Coreset(frame=frame, positions=positions, weights=weights, variances=synopsis.variances[used]),
        centers=Centers(frame=frame, positions=centers[order], weights=held[order]),
        noisy_total=noisy_total,
        constants={
            "residual_shares": tuple(float(part / shares.whole) for part in shares.residual),
            "tree_share": float(shares.tree / shares.whole),
            "center_radii_90": tuple(float(f"{value:.4g}") for value in radii(spread[order], frame)),
        },
    )


ADAPTIVE_TREE = AdaptiveTree()
