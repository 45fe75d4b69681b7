"""Trips with a map of each end: what is charged, what is asked of which part, and what comes out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpviz.domain import Adjacency, ExactPoints, Unit
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Answer, Public, Purpose
from dpviz.mechanisms.trip_ends import ENDS_SHARE, TripEnds, see_from_end
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.transcripts.cases import cloud
from dpviz_research.transcripts.data import points, trip_frame
from tests.oracles.recorded_source import RecordedSource

METHODS = ("ends:adaptive_tree", "ends:by_size")


def trips(records: int, relation: str = "add-remove", unit: Unit | None = None) -> ExactPoints:
    return points(cloud(4, records), relation, frame=trip_frame(), unit=unit)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("epsilon", [0.01, 0.05, 0.3, 1.0, 7.0])
def test_the_three_charges_come_to_epsilon_and_no_more(method: str, epsilon: float) -> None:
    plan = catalogue.get(method).plan(Public.of(trips(50)), k=3, budget=Budget(epsilon=epsilon))
    trips_share, first, second = (Fraction(charge.epsilon) for charge in plan.charges)
    assert Fraction(epsilon) * Fraction(999_999_999, 10**9) < trips_share + first + second <= Fraction(epsilon)
    assert first == second <= Fraction(epsilon) * ENDS_SHARE / 2 and plan.constants["ends_share"] == float(ENDS_SHARE)


@pytest.mark.parametrize("relation", ["add-remove", "replace"])
def test_what_is_drawn_is_what_the_parts_would_draw_for_themselves(relation: str) -> None:
    data, method = trips(400, relation), TripEnds(catalogue.get("adaptive_tree"))
    plan = method.plan(Public.of(data), k=3, budget=Budget(epsilon=2.0))
    whole = RecordedSource(replayable_source(4))
    assert isinstance(method.run(data, plan, whole), Answer)
    apart = RecordedSource(replayable_source(4))
    base, tree = method.base, catalogue.divide_for_purpose(catalogue.get("adaptive_tree"), Purpose.ANY_QUESTION)
    for one, seen, part, k in zip(
        (base, tree, tree), (data, see_from_end(data, 0), see_from_end(data, 1)), plan.charges, (3, 1, 1), strict=True
    ):
        one.run(seen, one.plan(Public.of(seen), k=k, budget=Budget(epsilon=part.epsilon)), apart)
    assert [(draw.scale, draw.size) for draw in whole.draws] == [(draw.scale, draw.size) for draw in apart.draws]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("records", [0, 1, 400])
def test_maps_are_of_both_ends_and_add_up_to_the_trips(method: str, records: int) -> None:
    data, wrapped = trips(records), catalogue.get(method)
    plan = wrapped.plan(Public.of(data), k=3, budget=Budget(epsilon=4.0))
    answer = wrapped.run(data, plan, replayable_source(2))
    assert isinstance(answer, Answer) and answer.ends is not None
    for place, cells in enumerate(answer.ends, start=1):
        cells.check()
        assert cells.frame.names == ("lon", "lat") and (cells.count >= 0.0).all()
        assert cells.charges[cells.charge[0]] == plan.charges[place].name and len(set(cells.charge.tolist())) == 1
        if records == 400 and answer.cells is not None:
            assert cells.count.sum() == pytest.approx(answer.cells.count.sum())


def test_a_strong_budget_finds_the_ends_where_they_are() -> None:
    data, method = trips(4000), catalogue.get("ends:adaptive_tree")
    answer = method.run(data, method.plan(Public.of(data), k=3, budget=Budget(epsilon=50.0)), replayable_source(2))
    assert isinstance(answer, Answer) and answer.ends is not None
    for at, cells in enumerate(answer.ends):
        places = see_from_end(data, at).to_numpy()
        middle = float(np.median(places[:, 0]))
        west = cells.high[cells.cell, 0] <= middle
        assert cells.count[west].sum() == pytest.approx((places[:, 0] < middle).sum(), rel=0.05)


def test_an_end_keeps_relation_unit_and_number_of_rows() -> None:
    unit = Unit(person_column="rider", cap=3)
    assert see_from_end(trips(20, unit=unit), 0).unit == unit
    replaced = see_from_end(trips(20, "replace"), 1)
    assert (replaced.relation, replaced.public_rows) == (Adjacency.REPLACE_ONE, 20)
    assert np.array_equal(replaced.exact_cube, trips(20).exact_cube[:, 2:])


def test_maps_are_bought_by_name_and_by_auto_where_questions_will_be_asked() -> None:
    def named(method: str, purpose: Purpose = Purpose.CENTERS, *, streamed: bool = False, maps: bool = True) -> str:
        public = replace(Public.of(trips(20)), streamed=streamed)
        return catalogue.choose(
            method, public, k=3, budget=Budget(epsilon=1.0), purpose=purpose, maps_of_ends=maps
        ).info.name

    assert named("auto") == "by_size"
    for purpose in (Purpose.BALANCED, Purpose.ANY_QUESTION):
        assert named("auto", purpose) == "ends:adaptive_tree" and named("adaptive_tree", purpose) == "adaptive_tree"
        assert named("auto", purpose, streamed=True) == named("auto", purpose, maps=False) == "adaptive_tree"
    for purpose in (Purpose.CENTERS, Purpose.ANY_QUESTION):
        assert named("ends:adaptive_tree", purpose) == "ends:adaptive_tree"
    plain = Public.of(points(cloud(4, 20)))
    with pytest.raises(InputError, match="trips"):
        catalogue.get("ends:adaptive_tree").plan(plain, k=3, budget=Budget(epsilon=1.0))


def test_methods_that_cannot_be_wrapped_are_refused() -> None:
    for name in ("grid_cover", "series_cells", "subsampled:adaptive_tree", "ends:adaptive_tree"):
        with pytest.raises(InputError, match="adaptive_tree"):
            catalogue.get(f"ends:{name}")
    with pytest.raises(InputError, match="on a sample"):
        catalogue.get("subsampled:ends:adaptive_tree")
    with pytest.raises(InputError, match="where they are"):
        catalogue.get("ends:adaptive_tree").plan(
            replace(Public.of(trips(20)), streamed=True), k=3, budget=Budget(epsilon=1.0)
        )


def test_it_is_unvetted_until_its_page_is_read() -> None:
    from dpviz.mechanisms import proof_pages

    assert catalogue.get("ends:adaptive_tree").info.vetted == (
        proof_pages.is_up_to_date("trip_ends") and catalogue.get("adaptive_tree").info.vetted
    )
