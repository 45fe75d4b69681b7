"""A cap that is promised is held, checked, or said to be the publisher's statement."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.ingest import load_saved_counts, read_counts, read_points, save_counts
from dpviz.labels.privacy_label import privacy_label
from dpviz.labels.sentences import CAP_IS_STATED
from dpviz.language import speaking
from dpviz.privacy import Budget
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import release
from dpviz.publishing.registration import register
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

FRAME = plain_frame((0.0, 0.0), (1.0, 1.0))
GRID = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16)
RIDER = Unit(person_column="rider", cap=1)
HEAVY = Unit(weight_column="kilos", weight_bound=4)


def rides() -> pd.DataFrame:
    generator = np.random.default_rng(3)
    lon, lat = generator.uniform(-74.04, -73.91, 300), generator.uniform(40.71, 40.79, 300)
    return pd.DataFrame({"lon": lon, "lat": lat, "rider": generator.integers(0, 40, 300)})


def test_points_of_persons_are_refused_without_their_persons() -> None:
    raw = np.full((100, 2), 0.5)  # all of one person, for all that anybody knows
    with pytest.raises(InputError, match="whose each row is") as refused:
        ExactPoints.from_array(FRAME, raw, unit=RIDER)
    assert refused.value.exit_code == 2
    assert ExactPoints.from_array(FRAME, raw, unit=RIDER, persons=np.arange(100)).exact_total == 100


@pytest.mark.parametrize(
    "persons",
    [np.arange(3), np.zeros((4, 1), np.int64), np.array([1.0, 2.0, np.nan, np.nan]), np.array(["a", "b", "c", "d"])],
)
def test_persons_are_one_whole_number_a_row(persons: np.ndarray) -> None:
    with pytest.raises(InputError, match="one whole number"):
        ExactPoints.from_array(FRAME, np.full((4, 2), 0.5), unit=RIDER, persons=persons)


@pytest.mark.parametrize("unit", [RIDER, HEAVY])
def test_finished_counts_state_their_cap_and_the_label_says_so(tmp_path: Path, unit: Unit) -> None:
    counts = ExactCounts.from_array(GRID, np.full((16, 16), 9), unit=unit)
    assert counts.cap_is_stated and counts.coarsened(8).cap_is_stated
    dataset = register("rides", counts, total=Budget(epsilon=4.0), ledger=tmp_path / "ledger.sqlite3")
    found = publish(dataset, ReleaseRequest(k=2, budget=Budget(epsilon=1.0)))
    assert CAP_IS_STATED in privacy_label(found) and CAP_IS_STATED in (
        found.save(tmp_path / "out") / "PRIVACY.md"
    ).read_text("utf-8")
    assert "Aussage der Veröffentlichenden" in privacy_label(Release.load(tmp_path / "out"), "de")


def test_what_dpviz_capped_itself_is_no_statement(tmp_path: Path) -> None:
    box = GRID.box
    counts = read_counts(rides(), box=box, side=16, person="rider", cap=1)
    points = read_points(rides(), box=box, columns=["lon", "lat"], person="rider", cap=1)
    checked = ExactPoints.from_array(FRAME, np.full((2, 2), 0.5), unit=RIDER, persons=np.array([1, 2]))
    for data in (counts, points, points.to_counts(16), checked, ExactCounts.from_array(GRID, np.ones((16, 16)))):
        assert not data.cap_is_stated
        assert CAP_IS_STATED not in privacy_label(release(data, 2, Budget(epsilon=1.0), seed=1))


def test_a_file_of_counts_and_a_sum_of_counts_are_statements(tmp_path: Path) -> None:
    counts = read_counts(rides(), box=GRID.box, side=16, person="rider", cap=1)
    assert load_saved_counts(save_counts(counts, tmp_path / "counts.npz")).cap_is_stated
    assert (counts + counts).cap_is_stated  # each rider may stand in both
    plain = ExactCounts.from_array(GRID, np.ones((16, 16)))
    assert not (plain + plain).cap_is_stated
    with speaking.spoken_in("de"):
        assert CAP_IS_STATED not in privacy_label(release(plain, 2, Budget(epsilon=1.0), seed=1))
