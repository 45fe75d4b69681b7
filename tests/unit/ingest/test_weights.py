"""A weight means what was stated for the promise: bounded as a row, or counted record by record; never guessed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.errors import AmbiguousColumns, InputError, RelationNotProved
from dpviz.ingest import load_saved_counts, read_counts, read_points, save_counts
from dpviz.ingest.units.weights import Weights
from dpviz.privacy import Budget, Guarantee
from dpviz.privacy.composition import histogram_l1
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import Release

BOX = GeoBox(0, 0, 4, 4)
PLACES = {"lon": [0.5, 1.5, 1.5, 3.5, 9.0], "lat": [0.5, 0.5, 0.5, 3.5, 0.5]}


def table(weights: list[Any], **more: Any) -> pd.DataFrame:
    return pd.DataFrame({**PLACES, "count": weights, **more})


def read(frame: Any, **stated: Any) -> Any:
    return read_counts(frame, box=BOX, side=4, lon="lon", lat="lat", **stated)


def test_a_table_that_counts_records_is_asked_about_and_never_counted_one_a_row() -> None:
    frame = table([3, 1, 2, 7, 5])
    with pytest.raises(AmbiguousColumns, match="does a row stand for several records"):
        read(frame)
    with pytest.raises(InputError, match="what a weight in 'count' means"):
        read(frame, weight="count")
    by_row = read(frame, weight_unit="row")
    assert by_row.exact_total == 4 and "'count' is not used" in " ".join(by_row.report.hints)  # said, never silent
    counts = read(frame, weight="count", weight_unit="record")
    assert counts.to_numpy()[[3, 3, 0], [0, 1, 3]].tolist() == [3, 3, 7]
    assert str(counts.unit) == "one record (a weight of 1)" and counts.unit.records == 1


def test_a_column_of_passengers_is_no_count_of_records() -> None:
    assert read(pd.DataFrame({**PLACES, "passenger_count": [1] * 5})).exact_total == 4


def test_a_row_is_protected_with_its_weight_up_to_the_bound() -> None:
    counts = read(table([3, 1, 200, 7, 5]), weight="count", weight_bound=5)
    assert counts.to_numpy()[[3, 3, 0], [0, 1, 3]].tolist() == [3, 6, 5]
    assert str(counts.unit) == "one record (of weight at most 5)"
    assert counts.unit.records == histogram_l1(counts.relation, counts.unit) == 5
    assert counts.report.exact_cut == 2 and counts.report.exact_inside == 4


def test_one_row_more_changes_the_counts_by_at_most_the_bound() -> None:
    """The claim of docs/proofs/weights.md, tried on heavy, light and broken rows."""
    rng = np.random.default_rng(5)
    rows = {"lon": rng.uniform(0, 4, 300), "lat": rng.uniform(0, 4, 300)}
    weights = rng.choice([0, 1, 2, 9, 1e12, -3, np.nan, np.inf], 300)
    frame = pd.DataFrame({**rows, "count": weights})
    with_all = read(frame, weight="count", weight_bound=4).to_numpy()
    for row in range(0, 300, 7):
        without = read(frame.drop(index=row), weight="count", weight_bound=4).to_numpy()
        assert 0 <= (with_all - without).sum() == np.abs(with_all - without).sum() <= 4


def test_one_person_more_changes_the_counts_by_at_most_cap_times_bound() -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"lon": rng.uniform(0, 4, 400), "lat": rng.uniform(0, 4, 400)})
    frame["count"], frame["who"] = rng.integers(0, 30, 400), rng.integers(0, 9, 400)

    def counted(some: pd.DataFrame) -> Any:
        from dpviz.noise import replayable_source

        stated = {"weight": "count", "weight_bound": 6, "person": "who", "cap": 3}
        return read(some, noise=replayable_source(1), **stated)

    everybody = counted(frame)
    assert everybody.unit.records == 18 and "at most 3 records each, of weight at most 6" in str(everybody.unit)
    for who in range(9):
        gone = everybody.to_numpy() - counted(frame[frame["who"] != who]).to_numpy()
        assert (gone >= 0).all() and gone.sum() <= 18
    shuffled = counted(frame.sample(frac=1, random_state=0))
    assert (shuffled.to_numpy() == everybody.to_numpy()).all()


@pytest.mark.parametrize(
    ("value", "steps"), [(0, 0), (0.24, 0), (0.25, 1), (1.7, 3), (9, 4), (-1, -1), (np.nan, -1), (1e300, -1)]
)
def test_weights_become_whole_steps(value: float, steps: int) -> None:
    found = Weights(column="w", step=0.5, bound=4).steps(np.array([value], dtype=float))
    assert found.tolist() == [steps]


def test_a_planted_reader_without_the_bound_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Weights, "steps", lambda self, values: np.nan_to_num(values).astype(np.int64))
    with pytest.raises(AssertionError):
        test_a_row_is_protected_with_its_weight_up_to_the_bound()
    with pytest.raises(AssertionError):
        test_one_person_more_changes_the_counts_by_at_most_cap_times_bound()


def test_points_stand_as_often_as_they_weigh() -> None:
    points = read_points(table([3, 0, 2, 7, 5]), columns=["lon", "lat"], box=BOX, weight="count", weight_bound=4)
    assert points.exact_total == 3 + 0 + 2 + 4 and points.unit.records == 4


def test_files_and_tables_count_alike_in_every_engine(tmp_path: Path) -> None:
    frame = table([3, 1, "", 7.4, 5])
    frame.to_csv(tmp_path / "w.csv", index=False)
    frame["count"] = pd.to_numeric(frame["count"])
    frame.to_parquet(tmp_path / "w.parquet")
    stated = {"weight": "count", "weight_bound": 6.0}
    expected = read(frame, **stated).to_numpy()
    assert expected.sum() == 3 + 1 + 6
    for name in ("w.csv", "w.parquet"):
        assert (read(tmp_path / name, **stated).to_numpy() == expected).all()


def test_the_unit_goes_with_counts_and_releases(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(
        {"lon": rng.uniform(0, 4, 900), "lat": rng.uniform(0, 4, 900), "count": rng.integers(0, 9, 900)}
    )
    counts = read(frame, weight="count", weight_bound=3, weight_step=0.5)
    assert load_saved_counts(save_counts(counts, tmp_path / "c.npz")).unit == counts.unit
    made = release(counts, 2, Budget(epsilon=2.0), seed=1)
    assert isinstance(made, Release) and "of weight at most 3, counted in steps of 0.5" in str(made.guarantee)
    made.save(tmp_path / "out")
    assert Release.load(tmp_path / "out").guarantee.unit == counts.unit
    assert Guarantee.from_dict(made.guarantee.to_dict()) == made.guarantee
    assert "column of weights counts up to 3 only, in steps of 0.5" in (tmp_path / "out" / "PRIVACY.md").read_text()
    assert Unit.from_facts(Unit().facts()) == Unit() and "weight" not in Unit().facts()


def test_noise_grows_with_the_bound() -> None:
    """The same counts under a bound of 10 get the noise of ten records, as a person of ten records would."""
    cells = np.random.default_rng(8).integers(0, 90, (16, 16))

    def published(name: str, unit: Unit) -> list[float]:
        made = release(ExactCounts.from_array(Grid(BOX, 16), cells, unit=unit), 2, Budget(epsilon=1.0), name, seed=1)
        assert isinstance(made, Release)
        found: list[float] = made.centers.to_numpy().ravel().tolist()
        return found

    for name in ("adaptive_tree", "uniform_grid"):
        heavy = published(name, Unit(weight_column="count", weight_bound=10))
        assert heavy == published(name, Unit(person_column="who", cap=10))
        assert heavy != published(name, Unit(weight_column="count", weight_bound=1)) == published(name, Unit())


def test_methods_without_a_proof_for_several_records_refuse_weights() -> None:
    counts = read(table([3, 1, 2, 7, 5]), weight="count", weight_bound=5)
    with pytest.raises(RelationNotProved, match="weight"):
        release(counts, 2, Budget(epsilon=1.0), "sample_aggregate", seed=1)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "a bound and no column": ({"weight_bound": 3}, "which column"),
    "both meanings": ({"weight": "count", "weight_unit": "record", "weight_bound": 3}, "needs no weight_bound"),
    "an unknown meaning": ({"weight": "count", "weight_unit": "cell"}, "'row' or 'record'"),
    "a bound of nothing": ({"weight": "count", "weight_bound": 0}, "above 0"),
    "a bound below a step": ({"weight": "count", "weight_bound": 1, "weight_step": 2}, "at least one step"),
    "a step that is no number": ({"weight": "count", "weight_bound": 1, "weight_step": float("nan")}, "above 0"),
    "a column that is not there": ({"weight": "mass", "weight_bound": 1}, "no column"),
    "a coordinate": ({"weight": "lon", "weight_bound": 1}, "also a coordinate"),
    "persons without a bound": (
        {"weight": "count", "weight_unit": "record", "person": "who", "cap": 1}, "has no persons"
    ),
    "replaced weights": ({"weight": "count", "weight_bound": 1, "relation": "replace"}, "add-remove"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_weights_that_mean_nothing_are_refused(name: str) -> None:
    stated, word = REFUSED[name]
    with pytest.raises(InputError, match=word):
        read(table([1] * 5, who=["a"] * 5), **stated)
