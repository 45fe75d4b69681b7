"""The surface over the released counts of adaptive_tree: no mass invented or moved between leaves, slopes followed."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree import MAPS, leaf_points
from dpviz.mechanisms.tree._kernels import settle
from dpviz.mechanisms.tree._twins import settle as plain_settle
from dpviz.mechanisms.tree.budget import Ladder
from dpviz.mechanisms.tree.growth import Depth, grow
from dpviz.mechanisms.tree.inference import infer
from dpviz.mechanisms.tree.pyramid import Pyramid
from dpviz.mechanisms.tree.surface import shaped_pieces, surface
from dpviz.noise import replayable_source

SQUARE = PlainBox((0.0, 0.0), (3.0, 2.0))
SEEDS = st.integers(0, 2**32 - 1)


def grown(side: int, seed: int, total: int, share: Fraction) -> tuple[list[Depth], Pyramid]:
    generator = np.random.default_rng(seed)
    place = np.clip((generator.normal(0.4, 0.2, (total, 2)) * side).astype(int), 0, side - 1)
    cells = np.zeros((side, side), np.int64)
    np.add.at(cells, (place[:, 1], place[:, 0]), 1)
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), cells))
    ladder = Ladder.of(share, depths=blocks.depths, first=MAPS.first, step=MAPS.step)
    return grow(blocks, ladder, MAPS.thresholds, replayable_source(seed)), blocks


@settings(max_examples=40, deadline=None)
@given(seed=SEEDS, power=st.integers(1, 5), leaves=st.integers(1, 9))
def test_the_compiled_smoothing_agrees_with_its_plain_twin(seed: int, power: int, leaves: int) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    masses = generator.exponential(3.0, (side, side)) * (generator.random((side, side)) < 0.7)
    leaf_of = generator.integers(-1, leaves, (side, side))
    held = np.bincount(leaf_of[leaf_of >= 0], weights=masses[leaf_of >= 0], minlength=leaves).astype(np.float64)
    fast, plain = masses.copy(), masses.copy()
    settle(fast, leaf_of, held, 4)
    plain_settle(plain, leaf_of, held, 4)
    assert np.allclose(fast, plain, rtol=1e-9, atol=1e-12)
    assert np.array_equal(fast[leaf_of < 0], masses[leaf_of < 0])


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 9), share=st.sampled_from([Fraction(1, 100), Fraction(1, 5), Fraction(3)]))
def test_the_surface_agrees_with_every_leaf_and_pieces_stay_inside_theirs(
    seed: int, power: int, share: Fraction
) -> None:
    tree, blocks = grown(2**power, seed, 4000, share)
    consistent = infer(tree, 4)
    side = max(min(256, blocks.side), blocks.side_at(0))
    cells = surface(tree, [values for values, _ in consistent], blocks, side)
    assert (cells >= 0).all()
    for depth, (places, shares) in enumerate(shaped_pieces(tree, consistent, blocks)):
        here, across = tree[depth], blocks.side_at(depth)
        nodes = here.nodes[here.leaf]
        assert np.allclose(shares.sum(axis=1), 1.0)
        assert (shares >= 0).all()
        rows, cols = np.divmod(nodes, across)
        step = np.array([3.0, 2.0]) / across
        low = np.column_stack([cols, across - 1 - rows]) * step
        assert (places >= low[:, None, :] - 1e-9).all()
        assert (places <= (low + step)[:, None, :] + 1e-9).all()
        if across <= side:
            mass = cells.reshape(across, side // across, across, side // across).sum(axis=(1, 3))
            held = np.where(mass.reshape(-1)[nodes] > 0, mass.reshape(-1)[nodes], consistent[depth][0][here.leaf])
            assert np.allclose(held, consistent[depth][0][here.leaf])
    points = leaf_points(tree, blocks)
    whole = sum(float(values[here.leaf].sum()) for here, (values, _) in zip(tree, consistent, strict=True))
    assert np.isclose(points.weights.sum(), whole)


def test_a_leaf_on_a_slope_leans_uphill() -> None:
    """Equal weights would put every leaf's mean in its middle: wrong in one direction all along a slope."""
    side = 64
    slope = np.tile(np.exp(np.arange(side) / 8.0), (side, 1))
    blocks = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), np.rint(slope).astype(np.int64)))
    tree = [
        Depth(
            nodes=np.arange(16),
            parents=np.zeros(0, np.int64),
            values=blocks.exact_counts(0, np.arange(16)).astype(np.float64),
            variances=np.ones(16),
            leaf=np.ones(16, bool),
        )
    ]
    ((places, shares),) = shaped_pieces(tree, infer(tree, 4), blocks)
    means = np.einsum("mp,mpd->md", shares, places)
    even = blocks.pieces(0, tree[0].nodes).mean(axis=1)
    columns = (np.arange(side) + 0.5) * 3.0 / side
    parts = slope[0].reshape(4, 16)
    exact = (parts * columns.reshape(4, 16)).sum(axis=1) / parts.sum(axis=1)
    shaped_miss = np.abs(means[:, 0].reshape(4, 4)[0] - exact)
    even_miss = np.abs(even[:, 0].reshape(4, 4)[0] - exact)
    assert (shaped_miss < even_miss).all()
    assert shaped_miss.sum() < 0.7 * even_miss.sum()
