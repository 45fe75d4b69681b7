"""PrivateKMeans keeps scikit-learn's conventions and shows protected things only."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import check_estimator

from dpviz import PrivateKMeans


def groups(records: int = 6000, dims: int = 2, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.normal(0, 0.5, (records, dims)) + rng.choice([-5.0, 5.0], (records, 1))


def test_it_passes_scikit_learns_own_checks() -> None:
    results = check_estimator(PrivateKMeans(n_clusters=3, bounds=(-20, 20)), on_skip=None)
    skipped = {row["check_name"] for row in results if row["status"] == "skipped"}
    assert skipped <= {"check_array_api_input"}  # runs only where SCIPY_ARRAY_API is set
    assert len(results) > 40 and all(row["status"] in ("passed", "skipped") for row in results)


@pytest.mark.slow
def test_no_check_is_left_out_where_scikit_learn_runs_them_all() -> None:
    """The check of the array API runs only where a variable is set before scikit-learn is imported."""
    code = """
from sklearn.utils.estimator_checks import check_estimator
from dpviz import PrivateKMeans
results = check_estimator(PrivateKMeans(n_clusters=3, bounds=(-20, 20)), on_skip=None)
print(sorted({row["status"] for row in results}), any(row["expected_to_fail"] for row in results))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"SCIPY_ARRAY_API": "1", "PYTHONPATH": str(Path(__file__).resolve().parents[3])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "['passed'] False"


def test_bounds_are_required_and_never_taken_from_the_rows() -> None:
    with pytest.raises(ValueError, match="public box"):
        PrivateKMeans(n_clusters=2).fit(groups())
    for bad in ((1, -1), (0, float("nan")), (0,), "ab", (np.zeros(3), np.ones(3))):
        with pytest.raises(ValueError):
            PrivateKMeans(n_clusters=2, bounds=bad).fit(groups())


def test_nothing_exact_becomes_an_attribute() -> None:
    model = PrivateKMeans(n_clusters=2, bounds=(-10, 10), random_state=0).fit(groups())
    assert not hasattr(model, "labels_") and not hasattr(model, "inertia_")
    fitted = {name for name in vars(model) if name.endswith("_")}
    allowed = {"cluster_centers_", "coreset_", "coreset_weights_", "guarantee_", "method_", "n_features_in_"}
    assert fitted <= allowed | {"feature_names_in_", "_n_features_out", "told_apart_"}


@pytest.mark.parametrize("dims", [1, 2, 3, 5])
def test_it_finds_clear_groups_in_any_dimension(dims: int) -> None:
    model = PrivateKMeans(n_clusters=2, epsilon=4.0, bounds=(-10, 10), random_state=1).fit(groups(20_000, dims))
    found = np.sort(model.cluster_centers_[:, 0])
    assert np.allclose(found, [-5, 5], atol=1.5)
    assert "epsilon = 4" in str(model.guarantee_)


@pytest.mark.parametrize("kind", [np.float32, np.float64, pd.DataFrame])
def test_it_takes_the_usual_kinds_of_rows(kind: type) -> None:
    rows = groups()
    given = pd.DataFrame(rows, columns=["east", "north"]) if kind is pd.DataFrame else rows.astype(kind)
    model = PrivateKMeans(n_clusters=2, bounds=([-10, -10], [10, 10]), random_state=0).fit(given)
    assert set(model.predict(given)) <= {0, 1}
    assert model.transform(given).shape == (len(rows), 2)
    assert model.score(given) <= 0


def test_it_works_in_a_pipeline_and_can_be_cloned() -> None:
    line = make_pipeline(FunctionTransformer(), PrivateKMeans(n_clusters=2, bounds=(-10, 10), random_state=3))
    copied = clone(line)
    assert copied.fit(groups()).predict(groups()).shape == (6000,)


def test_the_repr_shows_the_guarantee_once_fitted() -> None:
    model = PrivateKMeans(n_clusters=2, epsilon=1.5, bounds=(-10, 10), random_state=0)
    assert "epsilon=1.5" in repr(model)
    assert "Differentially private with epsilon = 1.5" in repr(model.fit(groups()))


def test_a_method_without_an_answer_is_a_value_error() -> None:
    model = PrivateKMeans(n_clusters=40, epsilon=0.001, bounds=(-10, 10), method="peeled_balls", random_state=0)
    with pytest.raises(ValueError, match="no answer"):
        model.fit(groups(500))


def test_rows_outside_are_clipped_and_counted() -> None:
    far = np.full((5000, 2), 1e6)
    model = PrivateKMeans(n_clusters=1, epsilon=4.0, bounds=(-10, 10), random_state=0).fit(far)
    assert np.allclose(model.cluster_centers_, 10, atol=0.5)


@pytest.mark.parametrize("bounds", [(-20, 20), ([-20, -30], [20, 10])])
def test_the_frame_hangs_on_the_bounds_alone(bounds: object) -> None:
    """As many rows in a corner, around one place and everywhere have cells in the same places, box wide."""
    spread = np.random.default_rng(1).uniform(-20, 10, (500, 2))
    made = (
        PrivateKMeans(n_clusters=2, bounds=bounds, method="uniform_grid", random_state=3).fit(rows).coreset_
        for rows in (groups(500), groups(500) / 50 - 15, np.full((500, 2), 2.0), spread)
    )
    first, *others = (np.unique(positions, axis=0) for positions in made)
    assert len(first) > 9 and all(np.array_equal(first, other) for other in others)


def test_without_a_seed_two_fits_differ() -> None:
    one, two = (PrivateKMeans(n_clusters=2, bounds=(-10, 10)).fit(groups()).cluster_centers_ for _ in range(2))
    assert not np.array_equal(one, two)


def test_weights_are_repetition_unless_a_row_is_bounded() -> None:
    rng = np.random.default_rng(3)
    rows = np.concatenate([rng.normal(-5, 0.5, (300, 2)), rng.normal(5, 0.5, (300, 2))])
    weights = rng.integers(0, 4, 600)
    made = {"n_clusters": 2, "epsilon": 1.0, "bounds": (-10, 10), "random_state": 1}
    weighted = PrivateKMeans(**made).fit(rows, sample_weight=weights)
    repeated = PrivateKMeans(**made).fit(np.repeat(rows, weights, axis=0))
    assert (weighted.cluster_centers_ == repeated.cluster_centers_).all()
    assert "one record (a weight of 1)" in str(weighted.guarantee_)
    bounded = PrivateKMeans(**made, weight_bound=2).fit(rows, sample_weight=weights)
    assert "of weight at most 2" in str(bounded.guarantee_)
    assert bounded.score(rows, sample_weight=weights) < 0
    assert PrivateKMeans(**made).fit_predict(rows, sample_weight=weights).shape == (600,)


@pytest.mark.parametrize(
    "weights", [[1.5] * 4, [-1] * 4, [np.nan] * 4, [1] * 3, [[1]] * 4, [0] * 4], ids=lambda weights: str(weights[0])
)
def test_weights_that_are_no_whole_numbers_are_refused(weights: list[float]) -> None:
    with pytest.raises(ValueError, match="weight"):
        PrivateKMeans(n_clusters=1, bounds=(0, 1)).fit([[0.1], [0.2], [0.3], [0.4]], sample_weight=weights)


def test_what_it_cannot_do_is_refused_with_a_reason() -> None:
    model = PrivateKMeans(bounds=(0, 1))
    assert not hasattr(model, "partial_fit")
    with pytest.raises(AttributeError, match="budget of its own"):
        model.partial_fit([[0.1]])


def test_auto_answers_in_any_number_of_dimensions() -> None:
    rows = np.random.default_rng(4).uniform(-1, 1, (2000, 40))
    fitted = PrivateKMeans(n_clusters=2, bounds=(-1, 1), random_state=0).fit(rows)
    assert fitted.method_ == "mean_split"
    assert fitted.cluster_centers_.shape == (2, 40)
