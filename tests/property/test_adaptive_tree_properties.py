"""Properties of the parts of adaptive_tree on random small inputs."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings, strategies as st

from dpviz.domain import ExactCounts, Grid, PlainBox
from dpviz.mechanisms.adaptive_tree.growth import Pyramid, laplace_variance
from dpviz.mechanisms.adaptive_tree.inference import infer, project
from dpviz.mechanisms.adaptive_tree.residual import LATTICE
from dpviz.noise import replayable_source
from tests.oracles.tree import TWINS

SQUARE = PlainBox((0.0, 0.0), (3.0, 2.0))
SEEDS = st.integers(0, 2**32 - 1)


def random_counts(generator: np.random.Generator, side: int) -> ExactCounts:
    cells = generator.poisson(0.7, (side, side)) * generator.integers(0, 3, (side, side))
    return ExactCounts.from_array(Grid(SQUARE, side), cells)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, power=st.integers(1, 5))
def test_kernels_agree_with_their_plain_twins(seed: int, power: int) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    cells = random_counts(generator, side).to_numpy()
    pairs = {name: (fast, plain) for name, fast, plain in TWINS}
    k = int(generator.integers(1, 6))
    arguments = (
        cells,
        (np.arange(side) + 0.5) / side,
        (side - np.arange(side) - 0.5) / side,
        generator.random((k, 2)),
        generator.choice([1e-7, 0.05, 0.4, 9.0], k),
        LATTICE,
    )
    fast, plain = pairs["clipped_sums"]
    assert np.array_equal(fast(*arguments), plain(*arguments))


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 5))
def test_differences_of_costs_agree_with_their_twin_and_one_record_moves_them_by_at_most_the_lattice(
    seed: int, power: int
) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    cells = random_counts(generator, side).to_numpy()
    first = generator.random((int(generator.integers(1, 6)), 2)) * [3.0, 2.0]
    second = first.copy()
    second[0] = generator.random(2) * [3.0, 2.0]
    radius = float(generator.choice([1e-300, 1e-7, 0.05, 0.4, 9.0]))
    fast, plain = next((fast, plain) for name, fast, plain in TWINS if name == "cost_difference")
    tree = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), cells))
    found = tree.exact_cost_difference(first, second, radius, LATTICE)
    middles = (np.arange(side) + 0.5) / side
    places = 3.0 * middles, 2.0 * middles[::-1]
    assert found == fast(cells, *places, first, second, radius, LATTICE)
    # In a tie the nearest center may be another one, and what rounds to either side of a half is one step apart.
    assert abs(found - plain(cells, *places, first, second, radius, LATTICE)) <= np.count_nonzero(cells) * cells.max()
    more = cells.copy()
    more[tuple(generator.integers(0, side, 2))] += 1
    moved = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), more))
    assert abs(moved.exact_cost_difference(first, second, radius, LATTICE) - found) <= LATTICE


@settings(max_examples=60, deadline=None)
@given(
    place=st.floats(allow_nan=False, allow_infinity=False),
    center=st.floats(),
    radius=st.one_of(st.floats(min_value=0.0, exclude_min=True, allow_infinity=False), st.just(5e-324)),
)
def test_no_float_whatever_makes_a_clipped_offset_longer_than_the_lattice(
    place: float, center: float, radius: float
) -> None:
    """A box of 1e-305 metres, say: steps per metre overflow, and infinity times zero is no number."""
    one, x, y = np.array([[1]]), np.array([place]), np.array([0.0])
    at, radii = np.array([[center, 0.0]]), np.array([radius])
    for name, fast, plain in TWINS:
        arguments = (one, x, y) if name == "clipped_sums" else (np.array([[place, 0.0]]),)
        if name.startswith("clipped"):
            with np.errstate(all="ignore"):
                moved = fast(*arguments, at, radii, LATTICE)
                assert np.abs(moved).sum() <= LATTICE and np.abs(moved).max() <= LATTICE
                assert np.array_equal(moved, plain(*arguments, at, radii, LATTICE))
        elif name == "cost_difference":
            with np.errstate(all="ignore"):
                moved = fast(one, x, y, at, np.array([[0.5, 0.5]]), radius, LATTICE)
                assert abs(moved) <= LATTICE
                assert moved == plain(one, x, y, at, np.array([[0.5, 0.5]]), radius, LATTICE)


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 5))
def test_one_record_moves_one_sum_by_at_most_the_lattice(seed: int, power: int) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    cells = random_counts(generator, side).to_numpy()
    more = cells.copy()
    more[tuple(generator.integers(0, side, 2))] += 1
    k = int(generator.integers(1, 6))
    centers, radii = generator.random((k, 2)) * [3.0, 2.0], generator.choice([1e-9, 0.01, 0.3, 50.0], k)
    change = np.zeros((k, 2), np.int64)
    for sign, given_cells in ((-1, cells), (1, more)):
        tree = Pyramid(ExactCounts.from_array(Grid(SQUARE, side), given_cells))
        change += sign * tree.exact_clipped_sums(centers, radii, LATTICE)
    assert np.abs(change).sum() <= LATTICE
    assert np.count_nonzero(np.abs(change).sum(axis=1)) <= 1


@settings(max_examples=50, deadline=None)
@given(seed=SEEDS, power=st.integers(0, 6))
def test_one_record_changes_one_node_of_each_depth_by_one(seed: int, power: int) -> None:
    generator = np.random.default_rng(seed)
    side = 2**power
    cells = random_counts(generator, side).to_numpy()
    more = cells.copy()
    more[tuple(generator.integers(0, side, 2))] += 1
    trees = [Pyramid(ExactCounts.from_array(Grid(SQUARE, side), given_cells)) for given_cells in (cells, more)]
    touched = None
    for depth in range(trees[0].depths):
        every = np.arange(trees[0].side_at(depth) ** 2)
        change = trees[1].exact_counts(depth, every) - trees[0].exact_counts(depth, every)
        assert sorted(change[change != 0]) == [1]
        here = int(np.flatnonzero(change)[0])
        if touched is not None:
            assert here in trees[0].children(depth - 1, np.array([touched]))
        touched = here


@settings(max_examples=100, deadline=None)
@given(seed=SEEDS, fan=st.integers(1, 6))
def test_projection_is_the_nearest_point_of_the_simplex(seed: int, fan: int) -> None:
    generator = np.random.default_rng(seed)
    values, totals = generator.normal(0, 5, (7, fan)), generator.normal(3, 5, 7)
    projected = project(values, totals)
    assert (projected >= 0).all()
    assert np.allclose(projected.sum(axis=1), np.maximum(totals, 0.0))
    for _ in range(20):
        other = generator.dirichlet(np.ones(fan), 7) * np.maximum(totals, 0.0)[:, None]
        assert (((values - projected) ** 2).sum(axis=1) <= ((values - other) ** 2).sum(axis=1) + 1e-9).all()


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS)
def test_inference_keeps_totals_and_never_goes_below_zero(seed: int) -> None:
    from fractions import Fraction

    from dpviz.mechanisms.adaptive_tree.growth import grow
    from dpviz.mechanisms.adaptive_tree.mechanism import MAPS

    generator = np.random.default_rng(seed)
    counts = Pyramid(random_counts(generator, 32))
    tree = grow(counts, MAPS.ladder(Fraction(1), 1e5, 3), MAPS.thresholds, replayable_source(seed))
    finished = infer(tree, counts.fan)
    for depth in range(1, len(tree)):
        sums = finished[depth][0].reshape(-1, counts.fan).sum(axis=1)
        assert np.allclose(sums, finished[depth - 1][0][tree[depth].parents])
    assert all((values >= 0).all() and (variances > 0).all() for values, variances in finished)
    leaves = sum(float(values[tree[depth].leaf].sum()) for depth, (values, _) in enumerate(finished))
    assert np.isclose(leaves, finished[0][0].sum())


@settings(max_examples=30, deadline=None)
@given(scale=st.floats(0.05, 1e6))
def test_the_variance_of_discrete_laplace_is_that_of_its_sum(scale: float) -> None:
    if scale < 50:
        steps = np.arange(-5000, 5001)
        mass = np.exp(-np.abs(steps) / scale)
        assert np.isclose(laplace_variance(scale), (mass * steps**2).sum() / mass.sum(), rtol=1e-6)
    else:
        assert np.isclose(laplace_variance(scale), 2 * scale**2, rtol=1e-3)
