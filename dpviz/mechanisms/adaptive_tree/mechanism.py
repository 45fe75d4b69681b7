"""adaptive_tree: a private tree that spends its budget along paths, then a residual round.

Releases: a coreset (the leaves of the tree, weights ≥ 0), centers found on it, a noisy number of records.
Paper: none; ours. Its benchmark references are PrivTree (Zhang, Xiao, Xie 2016) and EUGkM (Su et al. 2016).
Guarantee: pure ε under ADD_REMOVE_ONE (records, and persons with a cap) and REPLACE_ONE; δ is not used.
Public inputs: box, grid side, k, ε, relation, unit; under REPLACE_ONE the number of rows.
Exact inputs: counts of blocks of cells and, in more than two dimensions, of stripes; clipped sums of offsets per part.
Departures: none from a paper; discrete noise throughout.
Proof: docs/proofs/adaptive_tree.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from dpviz.clustering import Ground, KMeansResult, assign, solve_kmeans
from dpviz.domain import Adjacency, CellTree, Centers, Coreset, ExactCounts, Frame, StreamedPoints
from dpviz.domain.public_map import PriorMap
from dpviz.mechanisms.adaptive_tree.bisection import Bisection, Floats, Rulers, StreamedBisection, measure_rulers
from dpviz.mechanisms.adaptive_tree.budget import Ladder, Shares, charges_of, per_record, scale_for
from dpviz.mechanisms.adaptive_tree.growth import ROOT_SIDE, Depth, Pyramid, Thresholds, grow, laplace_variance
from dpviz.mechanisms.adaptive_tree.inference import cell_tree, center_variances, infer, radii, round_to_4_digits
from dpviz.mechanisms.adaptive_tree.residual import (
    Synopsis,
    correct_centers,
    crossing_errors,
    plan_pick,
    residual_round,
    settle_centers,
)
from dpviz.mechanisms.adaptive_tree.surface import Belief, smooth_pieces
from dpviz.mechanisms.interface import Answer, Constant, ExactData, MethodInfo, Plan, Public, Purpose, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget

Consistent = list[tuple[Floats, Floats]]  # per depth: counts of the nodes, and their variances
Pieces = list[tuple[Floats, Floats]]  # per depth: places of the points of each leaf, and their shares of it
POINTS_SIDE = 1024  # the grid on which planar points are counted


# From n·ε per cluster to the share of a residual round; below the last line the tree needs everything itself.
RESIDUAL_SHARES = ((30_000, Fraction(45, 100)), (2500, Fraction(35, 100)), (800, Fraction(1, 5)))
# One center has no borders: the tree only has to say where records stop being many.
RESIDUAL_SHARES_OF_ONE = ((30_000, Fraction(92, 100)), (3000, Fraction(80, 100)), (0, Fraction(65, 100)))


MANY_AXES = 6  # along so many a tree says little of where means are: two rounds say it better
LARGEST_BALANCED_SHARE = Fraction(20, 100)  # of a residual round where counts of areas matter too


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Utility constants; the privacy guarantee does not depend on them."""

    first: Fraction  # of the tree's share, for depth 0
    first_of_weak: Fraction  # the same on weak data, whose few large leaves rest on it
    step: Fraction  # of what is left, for each further depth
    easy_step: Fraction  # the same below a node whose count is large
    thresholds: Thresholds
    thresholds_for_many: Thresholds | None = None  # for many centers on strong data, whose borders need small leaves
    thresholds_of_little: Thresholds | None = None  # below `little` in all, whatever the number of centers
    weak: float = 800.0  # n·ε per center; below it, data are weak
    little: float = 15_000.0  # n·ε
    many: int = 15
    many_strength: float = 2500.0  # n·ε per center
    searches_for_many: int = 3
    some: int = 8  # from so many on, other clusterings are looked for
    searches_for_some: int = 2
    pick_from: int = 2  # so many centers on, two clusterings may be compared
    swaps: int = 20
    swaps_for_many: int = 40
    settle_from: float = 6e4  # n·ε per center from which corrected centers are searched on for, cell by cell
    rulers_per_axis: Fraction = Fraction(0)  # of everything but the noisy n, for counts along each axis
    most_for_rulers: Fraction = Fraction(1, 4)
    rounds_along_many_axes: tuple[Fraction, ...] = (Fraction(35, 100), Fraction(35, 100))
    roots: int = ROOT_SIDE  # blocks of depth 0 along a side of a map

    def ladder(self, share: Fraction, strength: float, k: int) -> Ladder:
        """Divide the tree's share along its chains."""
        first = self.first if strength / k >= self.weak else self.first_of_weak
        return Ladder(share=share, first=first, step=self.step, easy_step=self.easy_step)

    def splitting(self, strength: float, k: int) -> Thresholds:
        """Choose the thresholds for splits."""
        chosen = (self.thresholds_for_many if self._hard(strength, k) else None) or self.thresholds
        if strength < self.little:
            chosen = self.thresholds_of_little or chosen
        return chosen.for_strength(strength)

    def effort(self, strength: float, k: int) -> dict[str, int]:
        """Choose the search effort: fewer swaps where the noise matters more than the search."""
        if self._hard(strength, k):
            return {"repeats": self.searches_for_many, "swaps": self.swaps_for_many}
        some = k >= self.some and self._strong(strength, k)
        return {"repeats": self.searches_for_some if some else 1, "swaps": self.swaps}

    def _hard(self, strength: float, k: int) -> bool:
        return k >= self.many and self._strong(strength, k)

    def _strong(self, strength: float, k: int) -> bool:
        return strength / k >= self.many_strength

    def rulers(self, dims: int) -> Fraction:
        """Share for counts along the axes: the sensitivity of these counts grows with the number of axes."""
        return min(dims * self.rulers_per_axis, self.most_for_rulers)

    def residual_shares(
        self, strength: float, k: int, purpose: Purpose = Purpose.CENTERS, dims: int = 2
    ) -> tuple[Fraction, ...]:
        """Shares of what is left after the noisy n, one per residual round; `strength` = (noisy or public n) · ε."""
        if purpose is Purpose.ANY_QUESTION:
            return ()
        if k == 1:
            wanted = next(share for least, share in RESIDUAL_SHARES_OF_ONE if strength >= least)
        elif dims >= MANY_AXES and purpose is Purpose.CENTERS:
            return self.rounds_along_many_axes
        else:
            wanted = next((share for least, share in RESIDUAL_SHARES if strength / k >= least), Fraction(0))
        if purpose is Purpose.BALANCED:
            wanted = min(wanted, LARGEST_BALANCED_SHARE)
        return (wanted,) if wanted else ()


MAPS = Recipe(
    first=Fraction(5, 100),
    first_of_weak=Fraction(12, 100),
    step=Fraction(20, 100),
    easy_step=Fraction(5, 100),
    thresholds=Thresholds(coarse=(1.4, 5.0), fine=(2.0, 8.0), fine_from=2, easy_from=80.0, tiny_from=8),
    thresholds_for_many=Thresholds(coarse=(1.4, 5.0), fine=(1.0, 4.0), fine_from=2, easy_from=80.0, tiny_from=8),
)
# Chosen on the embedded city at hours 0, 3 and 12, the trips and a made city, for counts of areas of .1 to 10 %.
MAPS_FOR_COUNTS = replace(
    MAPS,
    first=Fraction(8, 100),
    first_of_weak=Fraction(8, 100),
    step=Fraction(12, 100),
    easy_step=Fraction(10, 100),
    thresholds=Thresholds(coarse=(0.35, 2.5), fine=(1.5, 9.0), fine_from=1, easy_from=60.0),
    thresholds_of_little=Thresholds(coarse=(0.35, 2.5), fine=(2.5, 11.0), fine_from=1, easy_from=60.0),
    thresholds_for_many=None,
    roots=8,
)
RECIPES = {Purpose.CENTERS: MAPS, Purpose.BALANCED: MAPS, Purpose.ANY_QUESTION: MAPS_FOR_COUNTS}
# Two halvings cost about what one split in four costs.
POINTS = Recipe(
    first=Fraction(15, 100),
    first_of_weak=Fraction(15, 100),
    step=Fraction(11, 100),
    easy_step=Fraction(11, 100),
    thresholds=Thresholds(coarse=(1.4, 2.8), fine=(2.0, 4.0), fine_from=3),
    rulers_per_axis=Fraction(1, 60),
)


class AdaptiveTree:
    """The most accurate of these methods on maps (docs/decisions/0070-accuracy-elsewhere.md says where not)."""

    info = MethodInfo(
        name="adaptive_tree",
        title="Adaptive tree",
        summary="Counts the map in squares that get smaller where people are, then corrects each center once.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE}),
        needs_delta=False,
        dims=(1, 1000),
        proof="adaptive_tree",
        vetted=True,
        person_cap=True,
    )

    def __init__(
        self,
        recipe: Recipe | None = None,
        points_recipe: Recipe = POINTS,
        purpose: Purpose = Purpose.CENTERS,
        prior: PriorMap | None = None,
    ) -> None:
        self.given = recipe
        self.recipe = recipe or RECIPES[purpose]
        self.points_recipe = points_recipe
        self.purpose = purpose
        self.prior = prior

    def made_for(self, purpose: Purpose) -> AdaptiveTree:
        """Copy the method with its budget divided for another purpose."""
        return AdaptiveTree(self.given, self.points_recipe, purpose, self.prior)

    def with_prior(self, prior: PriorMap) -> AdaptiveTree:
        """Copy the method with a public map that its estimates lean on as far as its noisy counts agree with it."""
        return AdaptiveTree(self.given, self.points_recipe, self.purpose, prior)

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        charges = charges_of(budget, public)
        recipe = self.recipe
        constants: dict[str, Constant] = {
            "first_share": float(recipe.first),
            "first_share_of_weak_data": float(recipe.first_of_weak),
            "step_share": float(recipe.step),
            "easy_step_share": float(recipe.easy_step),
        }
        if self.purpose is not Purpose.CENTERS:
            constants["purpose"] = self.purpose.value
        return Plan(method=self.info.name, k=k, budget=budget, charges=charges, constants=constants)

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        public = Public.of(data)
        *counting, main = plan.charges
        total: tuple[float, float] | None = None
        if public.public_rows is None:  # [P2]
            scale = scale_for(per_record(counting[0], public))
            noisy_total = float(noise.add_laplace(np.array([data.exact_total]), scale)[0])
            total = (noisy_total, laplace_variance(scale))
        else:
            noisy_total = float(public.public_rows)
        whole = per_record(main, public)  # [P1]
        for_rulers = self._share_of_rulers(data)
        strength = max(noisy_total, 1.0) * float(whole * (1 - for_rulers))
        rounds = self._recipe_for(data).residual_shares(strength, plan.k, self.purpose, public.frame.dims)
        shares = Shares.of(whole, rounds, for_rulers)  # [P3]
        rulers = measure_rulers(data, shares.rulers, noisy_total, noise)  # [P4a]
        counts, recipe = self._tree_over(data, rulers), self._recipe_for(data)
        ladder = recipe.ladder(shares.tree, strength, plan.k)
        tree = grow(counts, ladder, recipe.splitting(strength, plan.k), noise)  # [P4] [P5]
        consistent = infer(tree, counts.fan, total)
        belief = self._belief(counts, public.frame, tree, consistent)
        pieces = _pieces(tree, consistent, counts, belief)
        synopsis = leaf_points(tree, consistent, pieces)
        synopsis, centers = _search_ground(  # [P6]
            synopsis, find_ground(tree, pieces), plan.k, public.frame, self.recipe.effort(strength, plan.k)
        )
        left, crossed = np.ones(plan.k), None
        clear = strength >= self.recipe.settle_from * plan.k
        if shares.residual and plan.k >= recipe.pick_from and isinstance(counts, Pyramid):
            pick = plan_pick(synopsis, centers, shares.residual[0], _seed(synopsis, plan.k), public.frame.extent)
            if pick is not None:
                centers = pick.made(counts, noise)  # [P6b]
                shares = shares.with_pick(pick.spend)  # [P3]
        for spend in shares.residual:
            shifts, left = residual_round(counts, synopsis, centers, spend, noise)  # [P6] [P7] [P8]
            follow = settle_centers if clear else correct_centers
            counted, begun = synopsis, centers
            synopsis, centers = follow(synopsis, centers, shifts, public.frame.extent)
            crossed = crossing_errors(counted, begun, centers)
        means = leaf_means(pieces, synopsis.positions)
        names = tuple(charge.name for charge in plan.charges)
        cells = cell_tree(public.frame, tree, consistent, counts, means, total=total, charges=names)
        cells = cells if belief is None else replace(cells, quarters=belief.quarters(tree))
        told: dict[str, Constant] = {
            "residual_shares": tuple(float(part / shares.whole) for part in shares.residual),
            "tree_share": float(shares.tree / shares.whole),
        }
        if shares.pick:
            told["pick_share"] = float(shares.pick / shares.whole)
        return assemble_answer(public.frame, synopsis, centers, noisy_total, cells, told, left, crossed)  # [P9]

    def _share_of_rulers(self, data: ExactData) -> Fraction:
        """No share where stripes add nothing: on maps, along one axis, and for counts of areas."""
        if isinstance(data, ExactCounts) or data.frame.dims <= 2 or self.purpose is not Purpose.CENTERS:
            return Fraction(0)
        return self.points_recipe.rulers(data.frame.dims)

    def _recipe_for(self, data: ExactData) -> Recipe:
        return self.recipe if isinstance(data, ExactCounts) or data.frame.dims == 2 else self.points_recipe

    def _belief(
        self, counts: Pyramid | Bisection, frame: Frame, tree: list[Depth], consistent: Consistent
    ) -> Belief | None:
        """What the noisy counts say of the public map, if there is one. Post-processing."""
        if self.prior is None or not isinstance(counts, Pyramid):
            return None
        belief = Belief(blocks=counts, shares=self.prior.on(frame, min(counts.side, POINTS_SIDE)))
        belief.learn(tree, consistent)
        return belief

    def _tree_over(self, data: ExactData, rulers: Rulers | None) -> Pyramid | Bisection:
        if isinstance(data, ExactCounts):
            return Pyramid(data, self.recipe.roots)
        if data.frame.dims == 2:
            return Pyramid(data.to_counts(POINTS_SIDE), self.recipe.roots)
        return StreamedBisection(data, rulers) if isinstance(data, StreamedPoints) else Bisection(data, rulers)


def leaf_points(tree: list[Depth], consistent: Consistent, pieces: Pieces) -> Synopsis:
    """Represent each leaf by a few points that share its weight; their errors add up to the leaf's variance."""
    positions, weights, variances = [], [], []
    for depth, (placed, shares) in enumerate(pieces):
        values, spread = consistent[depth]
        leaf = tree[depth].leaf
        positions.append(placed.reshape(-1, placed.shape[2]))
        weights.append((values[leaf, None] * shares).ravel())
        variances.append(np.repeat(spread[leaf] / placed.shape[1], placed.shape[1]))
    return Synopsis(
        positions=np.concatenate(positions), weights=np.concatenate(weights), variances=np.concatenate(variances)
    )


def leaf_means(pieces: Pieces, positions: Floats) -> Floats:
    """The believed mean of the records of each leaf, after its points were moved, (leaves, d)."""
    means, start = [], 0
    for placed, shares in pieces:
        stop = start + placed.shape[0] * placed.shape[1]
        means.append(np.einsum("np,npd->nd", shares, positions[start:stop].reshape(placed.shape)))
        start = stop
    return np.concatenate(means)


def _pieces(tree: list[Depth], consistent: Consistent, counts: Pyramid | Bisection, belief: Belief | None) -> Pieces:
    """Places and shares of the pieces of leaves, per depth: from a smooth surface on maps, else even."""
    if isinstance(counts, Pyramid):
        return smooth_pieces(tree, consistent, counts, belief)
    placed = [counts.pieces(depth, here.nodes[here.leaf]) for depth, here in enumerate(tree)]
    return [(places, np.full(places.shape[:2], 1.0 / places.shape[1])) for places in placed]


def find_ground(tree: list[Depth], pieces: Pieces) -> Ground:
    """Collect the leaves' counts as sampled; they tell empty ground from sparse ground."""
    sizes = [int(here.leaf.sum()) for here in tree]
    places = np.concatenate([np.einsum("np,npd->nd", shares, placed) for placed, shares in pieces])
    points = np.concatenate([np.full(len(placed), placed.shape[1]) for placed, _ in pieces])
    return Ground(
        places=places,
        values=np.concatenate([here.values[here.leaf] for here in tree]),
        variances=np.concatenate([here.variances[here.leaf] for here in tree]),
        sizes=np.repeat(np.arange(len(tree)), sizes),
        owner=np.repeat(np.arange(len(points)), points),
    )


def _search_ground(
    synopsis: Synopsis, below: Ground, k: int, frame: Frame, effort: Mapping[str, int]
) -> tuple[Synopsis, Floats]:
    """Drop ground that may well be empty, and find the best centers on the rest."""
    weights, found = below.search(
        synopsis.weights, lambda believed: search_centers(replace(synopsis, weights=believed), k, frame, effort)
    )
    return replace(synopsis, weights=weights), found.centers


def search_centers(synopsis: Synopsis, k: int, frame: Frame, effort: Mapping[str, int]) -> KMeansResult:
    """Run the guided k-means search on the synopsis; its seed is a hash of the synopsis."""
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


def assemble_answer(
    frame: Frame,
    synopsis: Synopsis,
    found: Floats,
    noisy_total: float,
    cells: CellTree,
    constants: Mapping[str, Constant],
    left: Floats | None = None,
    crossed: Floats | None = None,
) -> Answer:
    """[P9] Clamp into the box, drop points of no weight, weigh the centers.

    `left`: the share of each center's expected squared error that a residual round left; `crossed`: what was added by
    points that changed parts after it.
    """
    centers = np.clip(found, 0.0, frame.extent)
    spread = center_variances(synopsis.positions, synopsis.weights, synopsis.variances, centers)
    used = synopsis.weights > 0.0
    positions, weights = np.clip(synopsis.positions[used], 0.0, frame.extent), synopsis.weights[used]
    held = np.bincount(assign(positions, centers), weights=weights, minlength=len(centers)).astype(np.float64)
    order = np.argsort(-held, kind="stable")
    told = dict(constants)
    if left is not None:
        spread = spread * left
        told["center_error_left"] = round_to_4_digits(left[order])
    if crossed is not None:
        spread = spread + crossed
        told["center_error_crossed"] = round_to_4_digits(crossed[order])
    told["center_radii_90"] = round_to_4_digits(radii(spread[order], frame))
    return Answer(
        coreset=Coreset(frame=frame, positions=positions, weights=weights, variances=synopsis.variances[used]),
        centers=Centers(frame=frame, positions=centers[order], weights=held[order]),
        noisy_total=noisy_total,
        cells=cells,
        constants=told,
    )


ADAPTIVE_TREE = AdaptiveTree()
