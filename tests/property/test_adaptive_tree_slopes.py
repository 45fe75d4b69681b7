"""Leaves of adaptive_tree that lean uphill: no mass invented or moved, slopes followed, lone peaks left alone."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings, strategies as st

from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree.growth import Depth, Pyramid, grow
from dpviz.mechanisms.adaptive_tree.inference import infer
from dpviz.mechanisms.adaptive_tree.mechanism import MAPS, leaf_points
from dpviz.mechanisms.adaptive_tree.surface import leaning_pieces, slopes
from dpviz.noise import replayable_source

SQUARE = PlainBox((0.0, 0.0), (3.0, 2.0))
SEEDS = st.integers(0, 2**32 - 1)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 8), share=st.sampled_from([Fraction(1, 100), Fraction(1, 5), Fraction(3)]))
def test_leaves_keep_their_counts_and_pieces_their_places(seed: int, power: int, share: Fraction) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    place = np.clip((generator.normal(0.4, 0.2, (4000, 2)) * side).astype(int), 0, side - 1)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 1], place[:, 0]), 1)
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), cells))
    ladder = MAPS.ladder(share, 1e5, 3)
    tree = grow(blocks, ladder, MAPS.thresholds, replayable_source(seed))
    consistent = infer(tree, 4)
    for depth, (places, shares) in enumerate(leaning_pieces(tree, consistent, blocks)):
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert (shares >= 0.0).all()
        assert np.array_equal(places, blocks.pieces(depth, tree[depth].nodes[tree[depth].leaf]))
    whole = sum(float(values[here.leaf].sum()) for here, (values, _) in zip(tree, consistent, strict=True))
    assert np.isclose(leaf_points(tree, consistent, leaning_pieces(tree, consistent, blocks)).weights.sum(), whole)


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, side=st.sampled_from([4, 8, 16]))
def test_turning_the_map_turns_the_slopes(seed: int, side: int) -> None:
    counts = np.random.default_rng(seed).exponential(2.0, (side, side))
    every = np.arange(side * side)
    east, north = (part.reshape(side, side) for part in slopes(counts, every))
    # Row 0 is the north edge: transposing turns west-east into north-south.
    turned_east, turned_north = (part.reshape(side, side) for part in slopes(counts.T.copy(), every))
    np.testing.assert_allclose(turned_north, -east.T)
    np.testing.assert_allclose(turned_east, -north.T)


def test_a_lone_peak_leans_nowhere_and_neither_do_its_neighbours() -> None:
    counts = np.ones((8, 8))
    counts[3, 4] = 1000.0
    for part in slopes(counts, np.arange(64)):
        assert not part.any()


def test_a_leaf_on_a_slope_leans_uphill() -> None:
    """Equal weights would put every leaf's mean in its middle: wrong in one direction all along a slope."""
    side = 64
    rising = np.tile(10.0 + np.arange(side), (side, 1))
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), np.rint(rising).astype(np.int64)))
    values = blocks.exact_counts(0, np.arange(16)).astype(np.float64)
    roots = np.arange(16)
    leaf = np.ones(16, bool)
    tree = [Depth(nodes=roots, parents=roots[:0], values=values, variances=np.ones(16), leaf=leaf)]
    ((places, shares),) = leaning_pieces(tree, infer(tree, 4), blocks)
    means = np.einsum("mp,mpd->md", shares, places)[:, 0].reshape(4, 4)[0]
    even = places.mean(axis=1)[:, 0].reshape(4, 4)[0]
    columns = ((np.arange(side) + 0.5) * 3.0 / side).reshape(4, 16)
    parts = rising[0].reshape(4, 16)
    exact = (parts * columns).sum(axis=1) / parts.sum(axis=1)
    # At the borders of the box there is one neighbour only: such leaves stay even.
    assert (np.abs(means - exact)[1:3] < 0.35 * np.abs(even - exact)[1:3]).all()
    assert np.allclose(means[[0, 3]], even[[0, 3]])
