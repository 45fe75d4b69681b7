"""One suite over every method of the catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.clustering import cost, solve_kmeans
from dpviz.domain import Adjacency, ExactCounts, ExactPoints, Frame, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.domain.regions import Outline
from dpviz.errors import InputError, RelationNotProved
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import MAX_CLUSTERS, Answer, Mechanism, NoAnswer, Public
from dpviz.mechanisms.regional import Regional
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.privacy import Budget, Region, verify

GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32)
CORNER = Region(
    outline=Outline(name="corner", polygons=((((-73.92, 40.78), (-73.90, 40.78), (-73.90, 40.80), (-73.92, 40.80)),),)),
    epsilon=0.01,
)
METHODS = [
    *catalogue.METHODS,
    catalogue.get("subsampled:uniform_grid"),
    Regional(catalogue.get("adaptive_tree"), (CORNER,)),
]
IDS = [method.info.name for method in METHODS]
RELATIONS = list(Adjacency)


def budget_of(method: Mechanism, epsilon: float) -> Budget:
    return Budget(epsilon=epsilon, delta=1e-9 if method.info.needs_delta else 0.0)


def as_data(method: Mechanism, cells: np.ndarray, relation: Adjacency) -> ExactCounts | ExactPoints:
    counts = ExactCounts.from_array(GRID, cells, relation=relation)
    if method.info.takes != "points":
        return counts
    rows, columns = np.nonzero(cells)
    cube = np.column_stack([(columns + 0.5) / 32, (31.5 - rows) / 32])
    cube = np.repeat(cube, cells[rows, columns], axis=0)
    more = method.info.dims[0] - 2
    if more <= 0:
        return ExactPoints(GRID.frame, cube, relation=relation, public_rows=counts.public_rows)
    wide = np.hstack([cube, np.full((len(cube), more), 0.5)])  # the same groups, flat along further axes
    frame = plain_frame([0.0] * (2 + more), [1.0] * (2 + more))
    return ExactPoints(frame, wide, relation=relation, public_rows=counts.public_rows)


def frame_of(data: ExactCounts | ExactPoints) -> Frame:
    return data.grid.frame if isinstance(data, ExactCounts) else data.frame


def clustered(records: int, seed: int = 0) -> np.ndarray:
    """Three clear groups on the small grid."""
    rng = np.random.default_rng(seed)
    middles = np.array([[6, 6], [24, 10], [14, 25]])
    points = middles[rng.integers(3, size=records)] + rng.normal(0, 1.2, (records, 2))
    cells = np.zeros((32, 32), np.int64)
    rows, columns = np.clip(points.astype(int), 0, 31).T
    np.add.at(cells, (rows, columns), 1)
    return cells


def relations_of(method: Mechanism) -> list[Adjacency]:
    return [relation for relation in RELATIONS if relation in method.info.adjacencies]


def run(
    method: Mechanism, data: ExactCounts | ExactPoints, *, k: int, epsilon: float, noise: NoiseSource
) -> Answer | NoAnswer:
    plan = method.plan(Public.of(data), k=k, budget=budget_of(method, epsilon))
    return method.run(data, plan, noise)


def assert_sound(answer: Answer | NoAnswer, frame: Frame, k: int) -> None:
    """Whatever the data, what comes out is finite, inside the box and of the right shape."""
    if isinstance(answer, NoAnswer):
        assert str(answer.reason)
        return
    for part in (answer.centers, answer.coreset):
        if part is None:
            continue
        assert np.isfinite(part.positions).all() and np.isfinite(part.weights).all()
        assert (part.positions >= -1e-6).all() and (part.positions <= frame.extent + 1e-6).all()
    if answer.centers is not None:
        assert len(answer.centers) == k
    assert answer.centers is not None or answer.coreset is not None


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_charges_fit_the_budget_at_every_level_and_relation(method: Mechanism) -> None:
    for relation in relations_of(method):
        data = as_data(method, clustered(50), relation)
        for epsilon in (0.01, 0.05, 0.5, 4.0):
            budget = budget_of(method, epsilon)
            plan = method.plan(Public.of(data), k=3, budget=budget)
            verify(plan.charges, budget)


@pytest.mark.parametrize("method", METHODS, ids=IDS)
@pytest.mark.parametrize("kind", ["empty", "one record", "one cell", "everywhere one", "few"])
def test_unusual_data_get_a_sound_answer_or_a_stated_no_answer(method: Mechanism, kind: str) -> None:
    cells = np.zeros((32, 32), np.int64)
    if kind == "one record":
        cells[31, 0] = 1
    elif kind == "one cell":
        cells[0, 31] = 5000
    elif kind == "everywhere one":
        cells[:] = 1
    elif kind == "few":
        cells[5, 5] = cells[6, 6] = 1
    for relation in relations_of(method):
        data = as_data(method, cells, relation)
        for seed, (k, epsilon) in enumerate([(1, 1.0), (3, 0.05), (7, 4.0)]):
            assert_sound(run(method, data, k=k, epsilon=epsilon, noise=replayable_source(seed)), frame_of(data), k)


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_the_secure_source_serves_every_method(method: Mechanism) -> None:
    for relation in relations_of(method):
        data = as_data(method, clustered(3000), relation)
        assert_sound(run(method, data, k=3, epsilon=2.0, noise=secure_source()), frame_of(data), 3)


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_a_seed_replays_the_run_and_another_seed_does_not(method: Mechanism) -> None:
    data = as_data(method, clustered(4000), relations_of(method)[0])

    def outcome(seed: int) -> np.ndarray:
        answer = run(
            method,
            data,
            k=3,
            epsilon=60.0 if method.info.name == "peeled_balls_paper" else 3.0,
            noise=replayable_source(seed),
        )
        assert isinstance(answer, Answer)
        part = answer.coreset if answer.coreset is not None else answer.centers
        assert part is not None
        return np.column_stack([part.positions, part.weights])

    assert np.array_equal(outcome(1), outcome(1))
    first, second = outcome(1), outcome(2)
    assert first.shape != second.shape or not np.array_equal(first, second)


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_the_answer_comes_near_the_exact_one_when_protection_is_weak(method: Mechanism) -> None:
    cells = clustered(40_000)
    data = as_data(method, cells, relations_of(method)[0])
    positions, weights = weighted_local(data)
    best = solve_kmeans(positions, weights.astype(float), 3, seed=0).cost
    errors = []
    for seed in range(5):
        answer = run(method, data, k=3, epsilon=50.0, noise=replayable_source(seed))
        assert isinstance(answer, Answer)
        centers = answer.centers.positions if answer.centers is not None else None
        if centers is None:
            assert answer.coreset is not None
            centers = solve_kmeans(answer.coreset.positions, answer.coreset.weights, 3, seed=0).centers
        errors.append(cost(positions, weights.astype(float), centers) / best - 1)
    assert np.median(errors) < 1.0  # one group of three missed would cost about 30


@pytest.mark.parametrize("method", METHODS, ids=IDS)
def test_wrong_requests_are_refused_before_any_draw(method: Mechanism) -> None:
    data = as_data(method, clustered(100), relations_of(method)[0])
    public = Public.of(data)
    for k in (0, -1, MAX_CLUSTERS + 1, 2.5, True, "3"):
        with pytest.raises(InputError):
            method.plan(public, k=k, budget=budget_of(method, 1.0))  # type: ignore[arg-type]
    for relation in set(RELATIONS) - set(method.info.adjacencies):
        other = Public(frame=public.frame, side=public.side, relation=relation, unit=public.unit, public_rows=10)
        with pytest.raises(RelationNotProved):
            method.plan(other, k=3, budget=budget_of(method, 1.0))
    low, high = method.info.dims
    beyond = plain_frame([0.0] * (high + 1), [1.0] * (high + 1))
    wide = Public(frame=beyond, side=None, relation=public.relation, unit=public.unit, public_rows=public.public_rows)
    with pytest.raises(InputError):
        method.plan(wide, k=3, budget=budget_of(method, 1.0))
    if not method.info.person_cap:
        capped = Public(
            frame=public.frame,
            side=public.side,
            relation=Adjacency.ADD_REMOVE_ONE,
            unit=Unit(person_column="rider", cap=3),
            public_rows=None,
        )
        with pytest.raises(RelationNotProved):
            method.plan(capped, k=3, budget=budget_of(method, 1.0))
    assert low >= 1


class Recorder:
    """A source that writes down what is asked of it."""

    def __init__(self) -> None:
        self.inner = replayable_source(7)
        self.kind, self.seed = self.inner.kind, self.inner.seed
        self.asked: list[tuple[str, float, int]] = []

    def __getattr__(self, name: str) -> object:
        drawn = getattr(self.inner, name)

        def ask(*given: object, **named: object) -> object:
            if name in ("add_laplace", "add_gaussian"):
                self.asked.append((name, float(given[1]), np.size(given[0])))  # type: ignore[arg-type]
            return drawn(*given, **named)

        return ask


@pytest.mark.parametrize("name", ["uniform_grid", "noisy_lloyd"])
def test_empty_data_get_the_same_noise_as_full_data(name: str) -> None:
    """Under replace nothing that decides about noise is secret: the draws must be the same for any data."""
    method = catalogue.get(name)
    asked = []
    for cells in (np.zeros((32, 32), np.int64), clustered(500)):
        data = ExactCounts.from_array(GRID, cells, relation="replace", public_rows=500)
        recorder = Recorder()
        run(method, data, k=4, epsilon=1.0, noise=recorder)  # type: ignore[arg-type]
        asked.append(recorder.asked)
    assert asked[0] == asked[1] and asked[0]
