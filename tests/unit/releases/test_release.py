from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.domain import Coreset, ExactCounts, ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import DpvizError, InputError, NotOffered, RelationNotProved, UnledgeredRelease
from dpviz.labels.catalogue_rows import methods
from dpviz.mechanisms import interface as mechanisms
from dpviz.mechanisms.interface import Answer, Plan, Public
from dpviz.privacy import Adjacency, Budget
from dpviz.publishing.mechanism_run import cell_center_points, preview, release
from dpviz.releases.release import NoAnswer, Release

BUDGET = Budget(epsilon=0.5)
NOTHING = mechanisms.NoAnswer(reason=mechanisms.Reason.SELECTION_FAILED)


@pytest.fixture
def made(counts: ExactCounts, coreset_method: object) -> Release:
    found = release(counts, 4, BUDGET, method="made_coreset", seed=1)
    assert isinstance(found, Release)
    return found


def test_a_release_shows_tables_in_degrees(made: Release) -> None:
    assert list(made.centers.columns) == ["lon", "lat", "weight"]
    assert made.coreset is not None and list(made.coreset.columns) == ["lon", "lat", "weight"]
    assert made.centers["lon"].between(-74.05, -73.90).all()
    assert made.centers["lat"].between(40.70, 40.80).all()


def test_the_heaviest_center_comes_first(made: Release) -> None:
    assert (np.diff(made.centers["weight"]) <= 0).all()


def test_the_same_seed_gives_the_same_release_and_another_seed_another(counts: ExactCounts) -> None:
    first, second, third = (release(counts, 3, BUDGET, "uniform_grid", seed=seed) for seed in (5, 5, 6))
    assert isinstance(first, Release) and isinstance(second, Release) and isinstance(third, Release)
    assert first.files() == second.files()
    assert first.id != third.id


def test_a_release_outside_the_door_says_so(counts: ExactCounts) -> None:
    secure = release(counts, 3, BUDGET, "uniform_grid")
    seeded = release(counts, 3, BUDGET, "uniform_grid", seed=0)
    assert (secure.status, secure.noise, secure.seed) == ("unledgered", "secure", None)
    assert (seeded.status, seeded.noise, seeded.seed) == ("unledgered", "replayable", 0)
    assert "UNLEDGERED" in secure.files()["PRIVACY.md"].decode()
    assert "NOT PRIVATE: the random changes can be undone" in seeded.files()["PRIVACY.md"].decode()
    assert "UNLEDGERED" in secure.files()["map.html"].decode()
    assert "UNLEDGERED" in repr(secure).upper()


def test_a_preview_is_never_saved_or_exported(counts: ExactCounts, tmp_path: Any) -> None:
    seen = preview(counts, 3, BUDGET, "uniform_grid", seed=1)
    for leak in (lambda: seen.save(tmp_path / "out"), seen.files, seen.zip_bytes):
        with pytest.raises(UnledgeredRelease, match="curator's eyes"):
            leak()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seed", [-1, 1.5, True, "1"])
def test_a_seed_that_cannot_be_is_refused(counts: ExactCounts, seed: Any) -> None:
    with pytest.raises(InputError, match="seed"):
        release(counts, 3, BUDGET, seed=seed)


@pytest.mark.parametrize("data", [None, [[1, 2]], np.zeros((4, 4)), pd.DataFrame()])
def test_only_exact_data_are_taken(data: Any) -> None:
    with pytest.raises(InputError, match="ExactCounts"):
        release(data, 3, BUDGET)


def test_further_questions_are_deterministic_and_free(made: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    first = made.centers_for(7, objective="k-median")
    made._answers.clear()
    pd.testing.assert_frame_equal(first, made.centers_for(7, objective="k-median"))
    from dpviz.questions import centers

    monkeypatch.setattr(centers, "solve_kmedian", lambda *_, **__: pytest.fail("solved twice"))
    pd.testing.assert_frame_equal(first, made.centers_for(7, "k-median"))


@pytest.mark.parametrize("k", [1, 39, 40, 41, 256])
def test_any_number_of_centers_is_answered(made: Release, k: int) -> None:
    found = made.centers_for(k)
    assert len(found) == k
    assert found["lon"].between(-74.05, -73.90).all() and found["lat"].between(40.70, 40.80).all()
    assert found["weight"].sum() == pytest.approx(200.0)


@pytest.mark.parametrize(("k", "objective"), [(0, "k-means"), (4097, "k-means"), (3, "k-centre"), (3, "")])
def test_questions_that_cannot_be_asked_say_what_can(made: Release, k: int, objective: str) -> None:
    with pytest.raises(InputError):
        made.centers_for(k, objective)


def test_changing_a_given_table_changes_no_release(made: Release) -> None:
    before = made.centers
    given = made.centers
    given.loc[:, :] = 0.0
    pd.testing.assert_frame_equal(made.centers, before)


def test_costs_are_sums_of_weight_and_squared_local_distance(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        positions = np.array([[100.0, 100.0], [400.0, 500.0], [100.0, 200.0]])
        return Answer(coreset=Coreset(frame=public.frame, positions=positions, weights=np.array([2.0, 3.0, -1.0])))

    add_method("made", answer)
    found = release(counts, 1, BUDGET, "made", seed=1)
    assert isinstance(found, Release)
    site = found.frame.to_raw(np.array([[100.0, 100.0]]))
    assert found.cost(site) == pytest.approx(3 * 500.0**2 - 1 * 100.0**2)
    assert found.cost(site, objective="k-median") == pytest.approx(3 * 500.0 - 100.0)
    assert found.cost(pd.DataFrame(site, columns=["lon", "lat"])) == pytest.approx(found.cost(site))
    assert found.cost(site[0]) == pytest.approx(found.cost(site))


@pytest.mark.parametrize(
    "centers", [[], [[1.0]], [[1.0, 2.0, 3.0]], [[np.nan, 1.0]], "here", pd.DataFrame({"x": [1.0]}), [[[1.0, 2.0]]]]
)
def test_sites_that_cannot_be_are_refused(made: Release, centers: Any) -> None:
    with pytest.raises(InputError, match="centers"):
        made.cost(centers)


def test_a_method_without_a_coreset_offers_no_further_questions(counts: ExactCounts, centers_method: object) -> None:
    found = release(counts, 3, BUDGET, "made_centers", seed=1)
    assert isinstance(found, Release)
    assert found.coreset is None and found.protected_coreset is None
    with pytest.raises(NotOffered, match="made_centers"):
        found.centers_for(3)
    with pytest.raises(NotOffered, match="made_centers"):
        found.cost(found.centers)


def test_centers_outside_the_box_are_put_on_its_edge(counts: ExactCounts, add_method: Any) -> None:
    from dpviz.domain import Centers

    def answer(public: Public, plan: Plan) -> Answer:
        far = np.array([[-1e7, 2e7], [1e7, -3e7]])
        return Answer(coreset=None, centers=Centers(frame=public.frame, positions=far, weights=np.ones(2)))

    add_method("made", answer, gives_coreset=False)
    found = release(counts, 2, BUDGET, "made", seed=1)
    assert isinstance(found, Release)
    assert set(found.centers["lon"]) == {-74.05, -73.90}
    assert set(found.centers["lat"]) == {40.70, 40.80}


def test_a_large_coreset_is_merged_and_keeps_its_weight(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        rng = np.random.default_rng(5)
        positions = rng.random((9000, 2)) * public.frame.extent
        return Answer(
            coreset=Coreset(
                frame=public.frame,
                positions=positions,
                weights=rng.normal(3.0, 4.0, 9000),
                variances=np.full(9000, 2.0),
            )
        )

    add_method("made", answer)
    found = release(counts, 3, BUDGET, "made", seed=1)
    assert isinstance(found, Release) and found.coreset is not None and found.coreset_variances is not None
    assert 1000 < len(found.coreset) <= 4096
    rng = np.random.default_rng(5)
    rng.random((9000, 2))
    assert found.coreset["weight"].sum() == pytest.approx(rng.normal(3.0, 4.0, 9000).sum())
    assert found.coreset_variances.sum() == pytest.approx(18_000.0)


@pytest.mark.parametrize("weights", [np.zeros(5), -np.ones(5)])
def test_a_coreset_without_positive_weight_still_answers(
    counts: ExactCounts, add_method: Any, weights: np.ndarray
) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        return Answer(coreset=Coreset(frame=public.frame, positions=np.ones((5, 2)), weights=weights))

    add_method("made", answer)
    found = release(counts, 3, BUDGET, "made", seed=1)
    assert isinstance(found, Release)
    assert len(found.centers) == 3 and len(found.centers_for(9)) == 9
    assert found.files()["map.html"]


def test_an_empty_coreset_still_answers(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        return Answer(coreset=Coreset(frame=public.frame, positions=np.empty((0, 2)), weights=np.empty(0)))

    add_method("made", answer)
    found = release(counts, 3, BUDGET, "made", seed=1)
    assert isinstance(found, Release)
    assert len(found.centers_for(4)) == 4 and found.files()["coreset.csv"] == b"lon,lat,weight\n"


def test_a_method_that_gives_nan_is_stopped(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        from dpviz.domain import Centers

        centers = Centers(frame=public.frame, positions=np.ones((1, 2)), weights=np.array([np.nan]))
        return Answer(coreset=None, centers=centers)

    add_method("made", answer)
    with pytest.raises(DpvizError, match="defect"):
        release(counts, 1, BUDGET, "made", seed=1)


def test_a_method_that_gives_nothing_is_stopped(counts: ExactCounts, add_method: Any) -> None:
    add_method("made", lambda public, plan: Answer(coreset=None))
    with pytest.raises(DpvizError, match="defect"):
        release(counts, 1, BUDGET, "made", seed=1)


def test_no_answer_is_an_answer(counts: ExactCounts, silent_method: object) -> None:
    found = release(counts, 3, BUDGET, "made_silent", seed=1)
    assert isinstance(found, NoAnswer)
    assert found.reason.value == "too few records for this budget"
    assert found.charges[0].epsilon == 0.5
    assert "too few records" in repr(found)


def test_a_relation_that_is_not_proved_is_refused(counts: ExactCounts, add_method: Any) -> None:
    add_method("made", lambda public, plan: Answer(coreset=None), adjacencies=frozenset({Adjacency.REPLACE_ONE}))
    with pytest.raises(RelationNotProved, match="add-remove"):
        release(counts, 3, BUDGET, "made", seed=1)


@pytest.mark.parametrize(("takes", "form"), [("counts", ExactCounts), ("points", ExactPoints), ("both", ExactCounts)])
def test_methods_get_the_form_they_take(counts: ExactCounts, add_method: Any, takes: str, form: type) -> None:
    method = add_method("made", lambda public, plan: NOTHING, takes=takes)
    run, seen = method.run, []
    method.run = lambda data, plan, noise: seen.append(type(data)) or run(data, plan, noise)
    release(counts, 2, BUDGET, "made", seed=1)
    assert seen == [form]


def test_every_record_becomes_a_point_at_the_center_of_its_cell(counts: ExactCounts) -> None:
    points = cell_center_points(counts)
    assert points.exact_total == counts.exact_total
    assert (points.to_counts(counts.grid.side).exact_cells == counts.exact_cells).all()


def test_points_in_the_plane_are_put_on_a_grid_for_methods_that_take_counts(add_method: Any) -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0))
    points = ExactPoints.from_array(frame, np.random.default_rng(0).random((50, 2)))
    seen: list[Public] = []

    def answer(public: Public, plan: Plan) -> Answer:
        seen.append(public)
        return Answer(coreset=Coreset(frame=public.frame, positions=np.ones((5, 2)), weights=np.ones(5)))

    add_method("made", answer, takes="counts")
    found = release(points, 2, BUDGET, "made", seed=1)
    assert seen[0].side == 1024 == found.side


def test_the_catalogue_is_given_as_rows() -> None:
    rows = methods()
    assert {"name", "title", "paper", "adjacencies", "guarantee", "dims", "vetted"} <= set(rows[0])


def test_nothing_exact_is_in_what_a_release_holds(made: Release, counts: ExactCounts) -> None:
    held = [value for name, value in vars(made).items() if name != "_answers"]
    assert not any(isinstance(value, ExactCounts | ExactPoints) for value in held)
    assert str(counts.exact_total) not in repr(made)
