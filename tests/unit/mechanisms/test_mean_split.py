"""mean_split: whole numbers of single records, prices that add up to the charge, and answers that are never absurd."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz import PrivateKMeans
from dpviz.audit.transcripts import RecordingSource
from dpviz.clustering import cost
from dpviz.domain import ExactPoints, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import choose, get
from dpviz.mechanisms.interface import Answer, Public, Purpose
from dpviz.mechanisms.mean_split.mechanism import MEAN_SPLIT
from dpviz.mechanisms.mean_split.queries import (
    LATTICE,
    CodesAsked,
    LeavesAsked,
    LengthsAsked,
    PartsAsked,
    Purse,
    ReachesAsked,
    SumAsked,
    View,
    offset_radius,
    shortened,
)
from dpviz.noise import replayable_source
from dpviz.noise.spherical import STEEPNESS
from dpviz.privacy import Budget, epsilon_of_zcdp
from dpviz_research.transcripts.data import points, streamed

Floats = NDArray[np.float64]


def groups(dims: int, k: int, n: int, *, spread: float = 0.03, wide: float = 1.0, seed: int = 0) -> ExactPoints:
    """Groups in the middle of a box `wide` times as wide as the unit cube."""
    generator = np.random.default_rng([seed, dims, k])
    middles = generator.uniform(0.15, 0.85, (k, dims))
    raw = middles[generator.integers(k, size=n)] + generator.normal(0.0, spread, (n, dims))
    return ExactPoints.from_array(plain_frame([0.0] * dims, [wide] * dims), raw, outside="clip")


def centers_of(data: ExactPoints, k: int) -> Floats:
    """The middles of the groups with seed 0."""
    return np.random.default_rng([0, data.frame.dims, k]).uniform(0.15, 0.85, (k, data.frame.dims))


def run(data: ExactPoints, k: int, budget: Budget, seed: int = 0) -> Answer:
    plan = MEAN_SPLIT.plan(Public.of(data), k=k, budget=budget)
    return MEAN_SPLIT.run(data, plan, replayable_source(seed))


def cost_of(data: ExactPoints, centers: Floats) -> float:
    return cost(data.exact_local(), np.ones(data.exact_total), centers)


@pytest.mark.parametrize("dims", [1, 5, 100, 1000])
def test_no_vector_is_longer_than_its_radius(dims: int) -> None:
    generator = np.random.default_rng(dims)
    for size in (1.0, 1e3, 1.5 * LATTICE):
        steps = np.rint(generator.uniform(-size, size, (200, dims)))
        for reach, radius in ((float(LATTICE), LATTICE), (17.3, 999_999), (2.5 * LATTICE, 700_001)):
            cut = shortened(steps, reach, radius)
            assert (cut == np.trunc(cut)).all() and int((cut.astype(np.int64) ** 2).sum(axis=1).max()) <= radius**2
    radius = 777_777
    assert offset_radius(radius) ** 2 + (radius // 8) ** 2 <= radius**2


def test_a_record_changes_each_query_by_what_it_states() -> None:
    generator = np.random.default_rng(4)
    dims, k, radius = 7, 4, 800_003
    extent = np.full(dims, 3.0)
    view = View(extent=extent, middle=extent * 0.45, reach=0.7)
    planes = np.rint(generator.normal(size=(6, dims)) * 500)
    leaves = generator.integers(5, size=64)
    centers = np.rint(generator.uniform(-0.4, 0.4, (k, dims)) * LATTICE)
    counts = (
        LengthsAsked(view=view),
        CodesAsked(view=view, directions=planes),
        ReachesAsked(view=view, centers=centers),
    )
    rows = (
        SumAsked(view=view, radius=radius),
        LeavesAsked(view=view, directions=planes, leaf_of_code=leaves, leaves=5, radius=radius),
        PartsAsked(view=view, centers=centers, reach=1e5, radius=radius, directions=None),
        PartsAsked(view=view, centers=centers, reach=1e5, radius=radius, directions=planes[:k]),
    )
    odd = np.vstack([np.zeros(dims), np.ones(dims), generator.uniform(size=(40, dims)), np.full(dims, 0.45)])
    for query in (*counts, *rows):
        for record in odd:
            answer = query.empty()
            query.add(record[None], answer)
            if query in counts:
                assert answer.sum() == 1 and answer.max() == 1
            else:
                assert ((answer**2).sum(axis=1) <= radius**2).all() and np.count_nonzero(answer.any(axis=1)) <= 1
        whole, parts = query.empty(), query.empty()
        query.add(odd, whole)
        for record in odd[::-1]:
            query.add(record[None], parts)
        assert (whole == parts).all()  # to the bit, whatever stands beside a record


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("relation", "cap"), [("add-remove", None), ("add-remove", 3), ("replace", None)])
@pytest.mark.parametrize(("k", "n", "epsilon"), [(1, 400, 0.5), (6, 3000, 2.0), (6, 3000, 0.05), (3, 4, 0.01)])
def test_prices_of_all_questions_add_up_to_the_charge(
    monkeypatch: pytest.MonkeyPatch, delta: float, relation: str, cap: int | None, k: int, n: int, epsilon: float
) -> None:
    cube = groups(6, 6, n).exact_cube.copy()
    unit = Unit() if cap is None else Unit(person_column="rider", cap=cap)
    rows = n + 5 if relation == "replace" else None
    data = points(cube, relation, rows=rows, unit=unit)
    plan = MEAN_SPLIT.plan(Public.of(data), k=k, budget=Budget(epsilon=epsilon, delta=delta))
    source = RecordingSource(replayable_source(1))
    spends: list[tuple[Fraction, int]] = []
    for name, reach in (("add_to_counts", lambda *_: 1), ("add_to_rows", Purse.radius)):
        asked = getattr(Purse, name)

        def priced(purse: Purse, exact: Any, spend: Fraction, asked: Any = asked, reach: Any = reach) -> Any:
            spends.append((spend, reach(purse, spend)))
            return asked(purse, exact, spend)

        monkeypatch.setattr(Purse, name, priced)
    MEAN_SPLIT.run(data, plan, source)
    steps = [step for step in source.steps if step.kind != "integers"]
    assert len(steps) == len(spends) >= 3
    for step, (spend, moved) in zip(steps, spends, strict=True):
        scale = Fraction(float(str(step.asked[0])))
        if step.kind == "gaussian":
            assert Fraction(moved**2) / (2 * scale**2) <= spend
        else:
            assert (STEEPNESS if step.kind == "spherical" else 1) * moved / scale <= spend
    units = cap or (2 if relation == "replace" else 1)
    charge = plan.charges[0]
    spent = sum((spend for spend, _ in spends), Fraction(0))
    if delta:
        assert charge.rho is not None and spent * units**2 <= Fraction(charge.rho)
        assert epsilon_of_zcdp(charge.rho, delta) <= epsilon
    else:
        assert spent * units <= Fraction(epsilon)


@pytest.mark.parametrize("delta", [0.0, 1e-6])
def test_groups_in_many_dimensions_are_found(delta: float) -> None:
    data = groups(16, 8, 20_000)
    best = min(cost_of(data, centers_of(data, 8)), 1e300)
    found = [cost_of(data, run(data, 8, Budget(epsilon=1.0, delta=delta), seed).centers.positions) for seed in range(3)]
    assert np.median(found) / best - 1.0 < 0.05


@pytest.mark.parametrize("wide", [1.0, 1000.0])
def test_a_box_a_thousand_times_too_wide_costs_little(wide: float) -> None:
    data = groups(10, 4, 10_000, wide=wide)
    found = np.median([cost_of(data, run(data, 4, Budget(epsilon=1.0), seed).centers.positions) for seed in range(3)])
    assert found / cost_of(data, centers_of(data, 4)) - 1.0 < 0.05


@pytest.mark.parametrize("case", range(40))
def test_weak_data_are_no_worse_than_their_noisy_mean_repeated(case: int) -> None:
    """Shapes from 5 to 64 dimensions with n·ε/k from 10 to 100."""
    generator = np.random.default_rng([31, case])
    dims, k = int(generator.choice([5, 8, 16, 32, 64])), int(generator.choice([2, 5, 10, 25]))
    epsilon = float(generator.choice([0.1, 1.0]))
    n = int(generator.choice([10, 30, 100]) * k / epsilon)
    data = groups(dims, k, min(n, 8000), spread=float(generator.choice([0.03, 0.1])), wide=1.0, seed=case)
    ours = np.mean([cost_of(data, run(data, k, Budget(epsilon=epsilon), seed).centers.positions) for seed in range(6)])
    mean, half = data.exact_local().mean(axis=0), np.sqrt(dims) / 2.0
    drawn = generator.normal(size=(30, dims))
    lengths = generator.gamma(dims, half / (epsilon * data.exact_total), (30, 1))
    noisy = np.clip(mean + drawn / np.linalg.norm(drawn, axis=1)[:, None] * lengths, 0.0, 1.0)
    floor = np.mean([cost_of(data, center[None]) for center in noisy])
    assert ours <= 1.15 * floor


def test_so_few_records_say_that_groups_cannot_be_told_apart() -> None:
    weak = run(groups(32, 10, 300), 10, Budget(epsilon=0.5))
    assert weak.constants["told_apart"] is False and len(np.unique(weak.centers.positions, axis=0)) == 1
    as_many = run(groups(50, 4, 300), 299, Budget(epsilon=100.0))  # whose mean is known well
    assert as_many.constants["told_apart"] is False and len(np.unique(as_many.centers.positions, axis=0)) == 1
    strong = run(groups(8, 3, 20_000), 3, Budget(epsilon=1.0))
    assert strong.constants["told_apart"] is True and len(np.unique(strong.centers.positions, axis=0)) == 3


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
def test_records_that_stay_where_they_are_give_the_same_answer(relation: str) -> None:
    data = groups(6, 4, 3000)
    data = ExactPoints.from_array(data.frame, data.to_numpy(), relation=relation, outside="clip")
    here, there = run(data, 4, Budget(epsilon=2.0)), run(streamed(data), 4, Budget(epsilon=2.0))
    assert (here.centers.positions == there.centers.positions).all()
    assert (here.coreset.weights == there.coreset.weights).all()


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize(("dims", "k", "n"), [(5, 40, 10), (300, 3, 2000), (1000, 2, 500), (7, 1, 0)])
def test_hard_requests_are_answered_inside_the_box(delta: float, dims: int, k: int, n: int) -> None:
    data = groups(dims, 3, n)
    answer = run(data, k, Budget(epsilon=1.0, delta=delta))
    extent = data.frame.extent
    assert answer.centers.positions.shape == (k, dims)
    assert ((answer.centers.positions >= 0.0) & (answer.centers.positions <= extent)).all()
    assert (answer.coreset.weights >= 0.0).all() and np.isfinite(answer.coreset.positions).all()


def test_a_constant_column_stays_near_its_value() -> None:
    data = groups(8, 3, 20_000)
    raw = data.to_numpy().copy()
    raw[:, 2] = 0.3
    flat = ExactPoints.from_array(data.frame, raw, outside="clip")
    assert np.abs(run(flat, 3, Budget(epsilon=1.0)).centers.positions[:, 2] - 0.3).max() < 0.05


@pytest.mark.parametrize("dims", [5, 30, 400])
def test_auto_is_mean_split_from_five_dimensions_on(dims: int) -> None:
    for relation in ("add-remove", "replace"):
        public = Public.of(points(np.full((9, dims), 0.5), relation))
        assert choose("auto", public, k=4, budget=Budget(epsilon=0.5)).info.name == "mean_split"
        asked = choose("auto", public, k=4, budget=Budget(epsilon=0.5), purpose=Purpose.ANY_QUESTION)
        assert asked.info.name == "adaptive_tree"
    assert get("mean_split") is MEAN_SPLIT


def test_the_estimator_takes_a_ball_and_says_what_it_cannot_tell_apart() -> None:
    generator = np.random.default_rng(2)
    rows = (
        generator.normal(size=(4000, 12)) * 0.1 + 2.0 * generator.normal(size=(3, 12))[generator.integers(3, size=4000)]
    )
    model = PrivateKMeans(3, epsilon=2.0, radius=20.0, random_state=0).fit(rows)
    assert model.told_apart_ and model.method_ == "mean_split"
    beside = PrivateKMeans(3, epsilon=2.0, bounds=(-4, 4), radius=1.0, random_state=0).fit(rows)
    assert np.linalg.norm(beside.cluster_centers_, axis=1).max() < 1.5
    assert not PrivateKMeans(20, epsilon=0.05, radius=20.0, random_state=0).fit(rows[:300]).told_apart_
    for radius in (0, -1.0, float("nan"), "3"):
        with pytest.raises(InputError, match="radius"):
            PrivateKMeans(3, radius=radius).fit(rows)


def test_rows_beyond_a_ball_are_outside() -> None:
    frame = plain_frame([-2.0] * 3, [2.0] * 3)
    raw = np.array([[0.0, 0.0, 1.0], [1.5, 1.5, 0.0], [9.0, 0.0, 0.0], [0.5, np.nan, 0.0]])
    assert ExactPoints.from_array(frame, raw, radius=1.5).exact_total == 1
    pulled = ExactPoints.from_array(frame, raw, radius=1.5, outside="clip").to_numpy()
    assert np.linalg.norm(pulled, axis=1) == pytest.approx([1.0, 1.5, 1.5])
