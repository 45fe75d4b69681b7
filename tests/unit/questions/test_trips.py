"""Questions to releases of trips: either end, and flows between areas."""

from __future__ import annotations

import numpy as np
import pytest

import dpviz
from dpviz.errors import InputError, NotOffered
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.releases.release import Release

QUARTERS = {
    "south-west": (-74.05, 40.70, -73.975, 40.75),
    "south-east": (-73.975, 40.70, -73.90, 40.75),
    "north-west": (-74.05, 40.75, -73.975, 40.80),
    "north-east": (-73.975, 40.75, -73.90, 40.80),
}


@pytest.fixture(scope="module")
def trips() -> Release:
    found = release(dpviz.builtin("nyc-trips"), 4, Budget(epsilon=2.0), seed=1)
    assert isinstance(found, Release)
    return found


@pytest.fixture(scope="module")
def exact_quarters() -> np.ndarray:
    """Which quarter each end of each trip lies in, (n, 2), numbered as above; public demonstration data."""
    cube = dpviz.builtin("nyc-trips").exact_cube
    return np.column_stack([(cube[:, at] >= 0.5) + 2 * (cube[:, at + 1] >= 0.5) for at in (0, 2)])


@pytest.mark.parametrize(("end", "column"), [("pickup", 0), ("dropoff", 1)])
def test_counts_of_an_end_hold_the_truth_and_add_up(
    trips: Release, exact_quarters: np.ndarray, end: str, column: int
) -> None:
    table = trips.table(QUARTERS, end=end)
    truth = np.bincount(exact_quarters[:, column], minlength=4)
    reach = (table["high"] - table["low"]).to_numpy()
    assert (np.abs(table["estimate"] - truth) <= 2.0 * reach).all(), "far inside what chance allows"
    assert table["estimate"].sum() == pytest.approx(trips.total().estimate, rel=0.01)
    one = trips.count(QUARTERS["north-east"], end=end)
    assert one.estimate == pytest.approx(float(table["estimate"].iloc[3]))


def test_flows_are_a_row_for_each_pair_and_add_up(trips: Release, exact_quarters: np.ndarray) -> None:
    table = trips.flows(QUARTERS)
    assert list(table.columns) == ["origin", "destination", "estimate", "low", "high", "note"]
    assert len(table) == 16 and table["origin"].iloc[4] == "south-east"
    truth = np.bincount(4 * exact_quarters[:, 0] + exact_quarters[:, 1], minlength=16)
    assert table["estimate"].sum() == pytest.approx(trips.total().estimate, rel=0.01)
    assert np.corrcoef(table["estimate"], truth)[0, 1] > 0.995
    assert ((table["low"] <= truth) & (truth <= table["high"])).sum() >= 10


def test_an_end_has_to_be_named_and_known(trips: Release) -> None:
    with pytest.raises(InputError, match="end="):
        trips.count(QUARTERS["north-east"])
    with pytest.raises(InputError, match="'pickup' and 'dropoff'"):
        trips.count(QUARTERS["north-east"], end="left")
    flat = release(dpviz.builtin("nyc-taxi"), 2, Budget(epsilon=0.01), seed=1)
    assert isinstance(flat, Release)
    with pytest.raises(NotOffered, match="two ends"):
        flat.flows(QUARTERS)


@pytest.mark.parametrize(("end", "axes"), [("pickup", slice(0, 2)), ("dropoff", slice(2, 4))])
def test_ranges_near_several_sites_know_that_records_crowd_there(
    monkeypatch: pytest.MonkeyPatch, end: str, axes: slice
) -> None:
    data = dpviz.builtin("nyc-trips")
    found = release(data, 16, Budget(epsilon=0.3), "adaptive_tree", seed=101)
    assert isinstance(found, Release)
    places = found.raw_centers[:, axes]
    circles = [dpviz.Circle(lon=float(lon), lat=float(lat), radius_m=500.0) for lon, lat in places]
    told, one = found.share(circles, end=end), found.share(circles[0], end=end)
    scale = np.asarray(data.frame.scale)[axes]
    local, sites = data.exact_local()[:, axes], (places - np.asarray(data.frame.low)[axes]) * scale
    away = np.min([np.linalg.norm(local - site, axis=1) for site in sites], axis=0)
    assert told.low <= float((away <= 500.0).mean()) <= told.high
    monkeypatch.setattr("dpviz.questions.answers.CROWDED", 0.0)
    alone = found.share(circles, end=end)
    assert alone.high - alone.low < 0.9 * (told.high - told.low), "the planted case: every cell errs by itself"
    assert found.share(circles[0], end=end) == one, "a single area is not widened"
