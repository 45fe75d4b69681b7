"""turned_tree: five sums of whole numbers, axes and a box made of them, and an answer in the public box."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dpviz.clustering import assign, cost, solve_kmeans
from dpviz.domain import Adjacency, ExactPoints, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms import turned_tree
from dpviz.mechanisms.adaptive_tree import turning
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.adaptive_tree.turning import LATTICE, Spends, Turning, measure_turning
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.turned_tree import TURNED_TREE
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from tests.oracles.recorded_source import RecordedSource

Floats = NDArray[np.float64]


def on_a_plane(records: int, dims: int = 6, relation: str = "add-remove") -> ExactPoints:
    """Groups whose middles lie on a plane that no axis is along, in a box with sides of very unlike lengths."""
    draw = np.random.default_rng(records)
    plane = np.linalg.qr(draw.normal(size=(dims, dims)))[0][:2]
    middles = draw.uniform(-0.3, 0.3, (5, 2)) @ plane
    raw = middles[draw.integers(0, 5, records)] + draw.normal(0.0, 0.03, (records, dims)) + 0.5
    long = np.geomspace(1.0, 100.0, dims)
    frame = plain_frame([0.0] * dims, [1000.0] * dims)
    inside = raw * 10.0 + long
    return ExactPoints.from_array(frame, inside, relation=Adjacency.parse(relation), outside="clip")


def error_of(name: str, data: ExactPoints, epsilon: float, seed: int) -> float:
    mechanism, places = get(name), data.exact_local()
    answer = mechanism.run(
        data,
        mechanism.plan(Public.of(data), k=5, budget=Budget(epsilon=epsilon)),
        replayable_source(seed),
    )
    mass = np.ones(len(places))
    return cost(places, mass, answer.centers.positions) / solve_kmeans(places, mass, 5, seed=0).cost - 1.0  # type: ignore[union-attr]


def test_groups_on_a_slanted_plane_in_a_wide_box_are_found() -> None:
    data = on_a_plane(20_000)
    ours = np.median([error_of("turned_tree", data, 1.0, seed) for seed in range(3)])
    plain = np.median([error_of("adaptive_tree", data, 1.0, seed) for seed in range(3)])
    assert ours < 0.1 * plain


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 7.0])
@pytest.mark.parametrize("relation", ["add-remove", "replace"])
def test_the_charges_come_to_epsilon_and_no_more(epsilon: float, relation: str) -> None:
    public = Public.of(on_a_plane(50, relation=relation))
    plan = TURNED_TREE.plan(public, k=3, budget=Budget(epsilon=epsilon))
    total = sum(Fraction(charge.epsilon) for charge in plan.charges)
    assert Fraction(epsilon) * Fraction(999999, 1000000) < total <= Fraction(epsilon)


def test_the_five_sums_spend_what_one_record_may_cost() -> None:
    for number in (True, False):
        spends = Spends.of(Fraction(1, 7), number=number)
        parts = (spends.number, spends.middle, spends.lengths, spends.products, spends.outside)
        assert sum(parts) == Fraction(1, 7) * (1 if number else Fraction(13, 14))


def test_noise_has_the_scales_of_the_page() -> None:
    data = on_a_plane(400)
    source = RecordedSource(replayable_source(1))
    spends = Spends.of(Fraction(14, 100), number=True)
    measure_turning(data, spends, source)
    assert [draw.size for draw in source.draws] == [1, 6, turning.LENGTHS, 21, 13]
    assert [draw.scale for draw in source.draws] == pytest.approx([100, 50 * LATTICE, 100, 12.5 * LATTICE, 50])


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dims=st.integers(3, 8), grown=st.floats(-320, 300))
def test_a_record_moves_each_sum_by_at_most_what_it_pays_for(seed: int, dims: int, grown: float) -> None:
    draw = np.random.default_rng(seed)
    rows: Floats = draw.normal(size=(30, dims)) * 10.0**grown
    radius = float(10.0 ** draw.uniform(-3, 3))
    with np.errstate(all="ignore"):
        for asked in (
            lambda part: turning.exact_sums(part, radius),
            lambda part: turning.exact_products(part, radius),
        ):
            assert np.abs(asked(rows) - asked(rows[1:])).sum() <= LATTICE
        ladder = np.geomspace(1e-3, 1e3, 7)
        for counted in (
            lambda part: turning.exact_classes(turning.lengths(part), ladder),
            lambda part: turning.exact_outside(part, np.full(dims, 0.3)),
        ):
            assert np.abs(counted(rows) - counted(rows[1:])).sum() == 1


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dims=st.integers(3, 24), records=st.integers(1, 40))
def test_where_a_record_comes_to_lie_depends_on_no_other(seed: int, dims: int, records: int) -> None:
    draw = np.random.default_rng(seed)
    cube = draw.random((records, dims))
    frame = plain_frame([0.0] * dims, draw.uniform(0.1, 9.0, dims).tolist())
    axes = np.linalg.qr(draw.normal(size=(dims, dims)))[0]
    turned = Turning(
        frame=frame,
        middle=draw.random(dims),
        axes=axes,
        low=np.full(dims, -0.2),
        high=np.full(dims, 0.3),
        turned=True,
        total=1.0,
    )
    together = turned.turned_records(ExactPoints(frame, cube)).exact_cube
    alone = [turned.turned_records(ExactPoints(frame, row[None].copy())).exact_cube[0] for row in cube]
    assert np.array_equal(together, np.array(alone))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dims=st.integers(3, 24))
def test_places_in_the_new_box_are_turned_back(seed: int, dims: int) -> None:
    draw = np.random.default_rng(seed)
    frame = plain_frame([0.0] * dims, draw.uniform(0.1, 9.0, dims).tolist())
    axes = np.linalg.qr(draw.normal(size=(dims, dims)))[0]
    wide = np.full(dims, 3.0 * np.sqrt(dims))
    turned = Turning(
        frame=frame, middle=draw.random(dims) * 0.1, axes=axes, low=-wide, high=wide, turned=True, total=1.0
    )
    data = ExactPoints(frame, draw.random((20, dims)))
    local = turned.turned_records(data).exact_local()
    assert np.allclose(turned.back(local), data.exact_local(), atol=1e-9)
    gaps = np.linalg.norm(local[1:] - local[:-1], axis=1)
    assert np.allclose(gaps, np.linalg.norm(np.diff(data.exact_local(), axis=0), axis=1), atol=1e-9)


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), dims=st.integers(3, 8), k=st.integers(1, 5), grown=st.floats(-9, 100))
def test_a_record_moves_a_step_by_at_most_what_it_pays_for(seed: int, dims: int, k: int, grown: float) -> None:
    draw = np.random.default_rng(seed)
    places: Floats = draw.normal(size=(30, dims)) * 10.0**grown
    centers = draw.normal(size=(k, dims))
    ladder = np.geomspace(1e-3, 1e3, 9)
    gone = turned_tree.exact_reaches(places, centers, ladder) - turned_tree.exact_reaches(places[1:], centers, ladder)
    assert np.abs(gone).sum() == 1
    radius = float(10.0 ** draw.uniform(-3, 3))
    less = turned_tree.exact_parts(places, centers, radius) - turned_tree.exact_parts(places[1:], centers, radius)
    assert np.abs(less[:, :dims]).sum() <= turned_tree.LATTICE
    assert np.abs(less[:, dims]).sum() == turned_tree.PERSON


def test_noise_of_a_step_has_the_scales_of_the_page() -> None:
    draw = np.random.default_rng(3)
    places, centers = draw.random((200, 4)), draw.random((3, 4))
    source = RecordedSource(replayable_source(1))
    turned_tree.step_on_records(places, centers, np.full(3, 66.0), 200.0, 8.0, Fraction(1, 10), source)
    assert [one.size for one in source.draws] == [turned_tree.REACHES, 3 * 5]
    assert [one.scale for one in source.draws] == pytest.approx([100, 1.125 * turned_tree.LATTICE / 0.09])


def test_three_steps_spend_what_the_tree_leaves() -> None:
    data = on_a_plane(2_000)
    plan = TURNED_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=1.0))
    source = RecordedSource(replayable_source(1))
    TURNED_TREE.run(data, plan, source)
    assert [charge.name for charge in plan.charges] == ["axes and box", "centers"]
    walk = 0.6 * plan.charges[1].epsilon / 3
    told = [one.scale for one in source.draws[-6:]]
    assert told == pytest.approx([10 / walk, 1.125 * turned_tree.LATTICE / (0.9 * walk)] * 3)


def test_a_step_moves_centers_to_the_means_of_their_records_wherever_these_lie() -> None:
    draw = np.random.default_rng(9)
    places = np.vstack([draw.normal(0.0, 0.1, (4_000, 5)), draw.normal(2.0, 0.1, (2_000, 5))])
    places[:40] -= 0.8  # far outside of what a box of three standard deviations holds
    centers = np.array([np.full(5, 0.2), np.full(5, 1.9)])
    source = replayable_source(0)
    step = turned_tree.step_on_records(
        places, centers, np.array([3_000.0, 3_000.0]), 6_000.0, 60.0, Fraction(20), source
    )
    wanted = np.array([places[:4_000].mean(axis=0), places[4_000:].mean(axis=0)])
    assert np.abs(step.centers - wanted).max() < 0.002
    assert (np.sqrt(step.error) < 0.01).all()


def test_a_step_that_sees_nothing_but_noise_moves_little() -> None:
    draw = np.random.default_rng(9)
    places, centers = draw.random((50, 5)), draw.random((4, 5))
    step = turned_tree.step_on_records(
        places, centers, np.full(4, 12.0), 50.0, 10.0, Fraction(1, 1000), replayable_source(0)
    )
    assert np.isfinite(step.centers).all() and np.abs(step.centers - centers).sum(axis=1).max() <= 10.0


def test_the_tree_keeps_its_budget_where_records_are_few() -> None:
    shares = {}
    for records in (2_000, 20_000):
        data = on_a_plane(records)
        plan = TURNED_TREE.plan(Public.of(data), k=5, budget=Budget(epsilon=1.0))
        shares[records] = TURNED_TREE.run(data, plan, replayable_source(1)).constants["residual_shares"]
    assert len(shares[2_000]) == 0 and len(shares[20_000]) == 1  # type: ignore[arg-type]


def filling(records: int, lean: float, dims: int = 6) -> ExactPoints:
    """Records that fill their box from end to end; the more they lean, the more columns follow the first."""
    rows = np.random.default_rng(3).random((records, dims))
    rows = (1.0 - lean) * rows + lean * rows[:, :1]
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), rows, outside="clip")


def test_where_the_new_box_is_hardly_smaller_the_tree_has_all_that_is_left_in_the_public_one() -> None:
    data = filling(20_000, lean=0.0)
    plan = TURNED_TREE.plan(Public.of(data), k=4, budget=Budget(epsilon=1.0))
    source = RecordedSource(replayable_source(1))
    answer = TURNED_TREE.run(data, plan, source)
    assert answer.constants["own_box"] is False and answer.constants["axes_turned"] is False
    total = source.draws[5]  # what the tree asks first, after five sums
    alone = RecordedSource(replayable_source(1))
    inside = Budget(epsilon=plan.charges[1].epsilon)
    ADAPTIVE_TREE.run(data, ADAPTIVE_TREE.plan(Public.of(data), k=4, budget=inside), alone)
    assert total.scale == alone.draws[0].scale
    assert answer.cells is not None and answer.cells.frame == data.frame
    assert answer.cells.charges == ("axes and box", "centers") and set(answer.cells.charge.tolist()) == {1}


def test_axes_stay_where_noise_can_be_told_but_little_lies_slanted(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_turned(lean: float) -> bool:
        spends = Spends.of(Fraction(20), number=True)
        return measure_turning(filling(50_000, lean), spends, replayable_source(1)).turned

    assert not is_turned(0.15) and is_turned(0.4)
    monkeypatch.setattr(turning, "SLANT", 0.0)
    assert is_turned(0.15)


def test_a_box_is_as_roomy_as_its_sides_are_long_in_the_public_one() -> None:
    frame = plain_frame([0.0, 0.0, 0.0], [2.0, 1.0, 1e-9])
    turned = Turning(
        frame=frame,
        middle=np.zeros(3),
        axes=np.eye(3),
        low=np.zeros(3),
        high=np.array([0.5, 0.25, 0.002]),
        turned=False,
        total=1.0,
    )
    assert turned.roominess == pytest.approx(0.25 ** (1.0 / 3.0))


def test_the_points_of_a_release_have_its_centers_as_means() -> None:
    data = on_a_plane(20_000)
    plan = TURNED_TREE.plan(Public.of(data), k=5, budget=Budget(epsilon=2.0))
    answer = TURNED_TREE.run(data, plan, replayable_source(1))
    assert answer.coreset is not None and answer.centers is not None
    again = solve_kmeans(answer.coreset.positions, answer.coreset.weights, 5, seed=0).centers
    gaps = np.linalg.norm(again[:, None] - answer.centers.positions, axis=2).min(axis=1)
    assert gaps.max() < 0.02 * data.frame.extent[0]


def test_radii_hold_the_means_of_the_records_nearest_to_centers() -> None:
    within = []
    for seed in range(8):
        data = on_a_plane(20_000)
        plan = TURNED_TREE.plan(Public.of(data), k=4, budget=Budget(epsilon=1.0))
        answer = TURNED_TREE.run(data, plan, replayable_source(seed))
        assert answer.centers is not None
        places, centers = data.exact_local(), answer.centers.positions
        nearest = assign(places, centers)
        means = np.array([places[nearest == part].mean(axis=0) for part in range(4)])
        radii = np.array(answer.constants["center_radii_90"])
        within.append(np.linalg.norm(means - centers, axis=1) <= radii)
    assert np.mean(within) >= 0.8


def test_a_far_group_is_not_cut_off() -> None:
    draw = np.random.default_rng(5)
    near = draw.normal(0.2, 0.004, (19_600, 5))
    far = draw.normal(0.9, 0.004, (400, 5))
    data = ExactPoints.from_array(plain_frame([0.0] * 5, [1.0] * 5), np.vstack([near, far]), outside="clip")
    plan = TURNED_TREE.plan(Public.of(data), k=2, budget=Budget(epsilon=2.0))
    answer = TURNED_TREE.run(data, plan, replayable_source(2))
    assert answer.centers is not None
    ends = np.sort(answer.centers.positions.mean(axis=1))
    assert ends == pytest.approx([0.2, 0.9], abs=0.02)


@pytest.mark.parametrize("records", [0, 1, 2, 300])
@pytest.mark.parametrize("dims", [3, 24])
@pytest.mark.parametrize("side", [1e-100, 1.0, 1e100])
def test_few_records_and_boxes_of_any_size_are_answered(records: int, dims: int, side: float) -> None:
    draw = np.random.default_rng(records)
    data = ExactPoints(plain_frame([0.0] * dims, [side] * dims), draw.random((records, dims)))
    plan = TURNED_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5))
    answer = TURNED_TREE.run(data, plan, replayable_source(0))
    assert answer.centers is not None and answer.coreset is not None
    for found in (answer.centers.positions, answer.coreset.positions):
        assert (found >= 0).all() and (found <= data.frame.extent).all()


def test_counts_other_dimensions_and_what_the_tree_refuses_are_refused() -> None:
    for dims in (2, 25):
        data = ExactPoints(plain_frame([0.0] * dims, [1.0] * dims), np.zeros((3, dims)))
        with pytest.raises(InputError, match="takes 3 to 24 dimensions"):
            TURNED_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5))
    data = ExactPoints(plain_frame([0.0] * 3, [1.0] * 3), np.zeros((3, 3)), unit=Unit(person_column="rider", cap=3))
    assert TURNED_TREE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5)).charges[0].epsilon < 0.5 * 0.141
    assert ADAPTIVE_TREE.info.person_cap
