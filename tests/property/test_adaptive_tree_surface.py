"""The smooth surface of adaptive_tree: counts of leaves are kept, slopes followed, and kernels do as their twins."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings, strategies as st
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree.growth import Depth, Pyramid, grow
from dpviz.mechanisms.adaptive_tree.inference import infer
from dpviz.mechanisms.adaptive_tree.mechanism import MAPS_FOR_COUNTS, leaf_means, leaf_points
from dpviz.mechanisms.adaptive_tree.surface import leaf_grid, smooth_pieces, smooth_surface
from dpviz.noise import replayable_source
from tests.oracles.tree import TWINS

SQUARE = PlainBox((0.0, 0.0), (3.0, 2.0))
SEEDS = st.integers(0, 2**32 - 1)
Consistent = list[tuple[NDArray[np.float64], NDArray[np.float64]]]


def grown(seed: int, side: int, share: Fraction) -> tuple[list[Depth], Consistent, Pyramid]:
    generator = np.random.default_rng(seed)
    place = np.clip((generator.normal(0.4, 0.2, (4000, 2)) * side).astype(int), 0, side - 1)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 1], place[:, 0]), 1)
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), cells), MAPS_FOR_COUNTS.roots)
    ladder = MAPS_FOR_COUNTS.ladder(share, 1e5, 3)
    tree = grow(blocks, ladder, MAPS_FOR_COUNTS.thresholds, replayable_source(seed))
    return tree, infer(tree, 4), blocks


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 10), share=st.sampled_from([Fraction(1, 100), Fraction(1, 5), Fraction(3)]))
def test_leaves_keep_their_counts_and_means_lie_inside_them(seed: int, power: int, share: Fraction) -> None:
    tree, consistent, blocks = grown(seed, 2**power, share)
    pieces = smooth_pieces(tree, consistent, blocks)
    points = leaf_points(tree, consistent, pieces)
    means = leaf_means(pieces, points.positions)
    whole = sum(float(values[here.leaf].sum()) for here, (values, _) in zip(tree, consistent, strict=True))
    assert np.isclose(points.weights.sum(), whole)
    boxes = [blocks.boxes(depth, here.nodes[here.leaf]) for depth, here in enumerate(tree)]
    low, high = (np.concatenate(parts) for parts in zip(*boxes, strict=True))
    assert ((means >= low - 1e-9) & (means <= high + 1e-9)).all()
    for _, shares in pieces:
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert (shares >= 0.0).all()


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 8))
def test_the_surface_has_the_counts_of_the_leaves(seed: int, power: int) -> None:
    tree, consistent, blocks = grown(seed, 2**power, Fraction(1, 5))
    across = blocks.side_at(len(tree) - 1)  # so that every leaf is one of the surface
    owner, even = leaf_grid(tree, consistent, blocks, across)
    surface = smooth_surface(owner, even)
    held, wanted = (np.bincount(owner.ravel(), weights=part.ravel()) for part in (surface, even))
    assert (surface >= 0.0).all()
    np.testing.assert_allclose(held, wanted, atol=1e-6 * max(1.0, float(even.sum())))


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 5), rounds=st.integers(0, 4))
def test_kernels_agree_with_their_plain_twins(seed: int, power: int, rounds: int) -> None:
    generator = np.random.default_rng(seed)
    pairs = {name: (fast, plain) for name, fast, plain in TWINS}
    side = 2**power
    owner = generator.integers(0, side * side, (side, side))
    sums = generator.poisson(2.0, side * side).astype(np.float64)
    surface = generator.exponential(1.0, (side, side)) * generator.integers(0, 2, (side, side))
    fast, plain = pairs["smoothed"]
    np.testing.assert_allclose(fast(owner, sums, surface, rounds), plain(owner, sums, surface, rounds))
    times = int(2 ** generator.integers(0, power + 1))
    rows, cols = generator.integers(0, side - times + 1, (2, 5))
    fast, plain = pairs["held_by"]
    for found, wanted in zip(fast(surface, rows, cols, times), plain(surface, rows, cols, times), strict=True):
        np.testing.assert_allclose(found, wanted, atol=1e-12)


def test_a_leaf_on_a_slope_has_its_mean_uphill_on_both_axes() -> None:
    side, across = 64, np.arange(64)
    for rising, axis, sign in ((10 + across[None, :] + 0 * across[:, None], 0, 1.0),
                               (10 + across[:, None] + 0 * across[None, :], 1, -1.0)):  # fmt: skip
        blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), rising.astype(np.int64)), 8)
        nodes = np.arange(64)
        values = blocks.exact_counts(0, nodes).astype(np.float64)
        tree = [Depth(nodes=nodes, parents=nodes[:0], values=values, variances=np.ones(64), leaf=np.ones(64, bool))]
        consistent = [(values, np.ones(64))]
        pieces = smooth_pieces(tree, consistent, blocks)
        means = leaf_means(pieces, leaf_points(tree, consistent, pieces).positions)
        low, high = blocks.boxes(0, nodes)
        lean = sign * (2.0 * means - low - high)[:, axis]
        inner = np.ones((8, 8), bool)
        inner[[0, -1], :] = inner[:, [0, -1]] = False
        assert (lean.reshape(8, 8)[inner] > 0.0).all()
