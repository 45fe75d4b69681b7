"""by_size: the number is bought first, the choice reads it and public facts, and all that is spent is charged."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from dpviz import PrivateKMeans
from dpviz.domain import Adjacency, ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError, RelationNotProved
from dpviz.mechanisms import catalogue, forecast
from dpviz.mechanisms.catalogue import BY_SIZE, choose, get
from dpviz.mechanisms.interface import Answer, Public, Purpose
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import Release
from tests.oracles.recorded_source import RecordedSource


def points(records: int, dims: int = 4, relation: str = "add-remove") -> ExactPoints:
    draw = np.random.default_rng(records)
    middles = draw.uniform(0.2, 0.8, (3, dims))
    cube = np.clip(middles[draw.integers(0, 3, records)] + draw.normal(0.0, 0.03, (records, dims)), 0.0, 0.999)
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), cube, relation=Adjacency.parse(relation))


@pytest.mark.parametrize("epsilon", [0.05, 0.3, 1.0, 7.0])
def test_the_two_charges_come_to_epsilon_and_no_more(epsilon: float) -> None:
    plan = BY_SIZE.plan(Public.of(points(50)), k=3, budget=Budget(epsilon=epsilon))
    assert [charge.name for charge in plan.charges] == ["number of records", "chosen method"]
    total = sum(Fraction(charge.epsilon) for charge in plan.charges)
    assert Fraction(epsilon) * Fraction(999999, 1000000) < total <= Fraction(epsilon)


def test_the_number_is_drawn_first_with_the_scale_of_its_charge() -> None:
    data = points(400)
    plan = BY_SIZE.plan(Public.of(data), k=3, budget=Budget(epsilon=0.5))
    source = RecordedSource(replayable_source(1))
    assert isinstance(BY_SIZE.run(data, plan, source), Answer)
    assert source.draws[0].size == 1
    assert source.draws[0].scale == pytest.approx(1.0 / plan.charges[0].epsilon)


def test_the_choice_is_that_of_the_noisy_number() -> None:
    seen = set()
    for records, epsilon in ((60, 0.05), (500, 0.5), (6000, 4.0)):
        data = points(records)
        plan = BY_SIZE.plan(Public.of(data), k=5, budget=Budget(epsilon=epsilon))
        answer = BY_SIZE.run(data, plan, replayable_source(3))
        assert isinstance(answer, Answer)
        rest = Budget(epsilon=plan.charges[1].epsilon)
        expected = forecast.choose_by_forecast(
            Public.of(data), 5, rest, float(str(answer.constants["chosen_for_records"]))
        )
        assert answer.constants["chosen_method"] == expected.method
        assert answer.constants["why"] == expected.reason
        seen.add(expected.method)
    assert len(seen) > 1


def test_automatic_means_by_size_where_the_number_is_secret_and_matters() -> None:
    budget = Budget(epsilon=1.0)
    for dims in (3, 4):
        assert choose("auto", Public.of(points(20, dims)), k=3, budget=budget).info.name == "by_size"
    assert choose("auto", Public.of(points(20, 2)), k=3, budget=budget).info.name == "adaptive_tree"
    replaced = Public.of(points(20, 4, "replace"))
    assert choose("auto", replaced, k=3, budget=budget).info.name in catalogue.BY_SIZE.candidates
    any_question = choose("auto", Public.of(points(20)), k=3, budget=budget, purpose=Purpose.ANY_QUESTION)
    assert any_question.info.name == "adaptive_tree"


def test_a_public_number_of_rows_is_refused() -> None:
    with pytest.raises(RelationNotProved):
        get("by_size").plan(Public.of(points(20, 4, "replace")), k=3, budget=Budget(epsilon=1.0))


def test_a_release_says_what_was_chosen_and_what_paid_for_its_cells(tmp_path: object) -> None:
    found = release(points(3000), 3, Budget(epsilon=1.0), seed=1)
    assert found.method == "by_size"
    assert found.constants["chosen_method"] in BY_SIZE.candidates
    cells = found.protected_cells
    assert cells is not None
    assert cells.charges == ("number of records", "chosen method")
    assert set(cells.charge.tolist()) == {1}
    folder = found.save(f"{tmp_path}/release") or f"{tmp_path}/release"
    again = Release.load(folder)
    assert again.constants["chosen_method"] == found.constants["chosen_method"]


@pytest.mark.parametrize("dims", [3, 12, 13, 20, 40])
def test_the_estimator_answers_in_any_number_of_dimensions(dims: int) -> None:
    rows = np.random.default_rng(0).random((300, dims))
    model = PrivateKMeans(n_clusters=3, epsilon=1.0, bounds=(0, 1), random_state=0).fit(rows)
    assert model.cluster_centers_.shape == (3, dims)
    assert model.method_ == "mean_split" if dims > 4 else model.method_ in BY_SIZE.candidates


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
@pytest.mark.parametrize(("records", "dims", "k"), [(1, 1, 1), (1, 3, 5), (2, 1000, 3), (300, 2, 1000), (300, 5, 1000)])
def test_few_rows_many_columns_and_many_centers_are_answered(records: int, dims: int, k: int, relation: str) -> None:
    rows = np.random.default_rng(1).random((records, dims))
    asked = PrivateKMeans(n_clusters=k, epsilon=1.0, bounds=(0, 1), relation=relation, random_state=0)
    assert asked.fit(rows).cluster_centers_.shape == (k, dims)


def test_more_centers_than_a_coreset_has_points_are_refused() -> None:
    with pytest.raises(InputError, match="from 1 to 4096"):
        PrivateKMeans(n_clusters=4097, bounds=(0, 1)).fit(np.zeros((3, 3)))
