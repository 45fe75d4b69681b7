"""Ranges of flows that are shown as more than chance hold the truth about as often as they say; planted ones do not.

Made-up trips, on which no constant was chosen: fourteen places of many sizes, ways that grow rare with their length.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from dpviz.domain import ExactPoints, Frame
from dpviz.domain.trip_ends import end_frame
from dpviz.drawing.map_trips import sure_flows
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz.questions.areas import Tiles, Zone, zones_of
from dpviz.releases.release import Release

LOW, HIGH = (0.0, 50.0), (0.15, 50.1)
TRIPS = Frame(
    names=("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat"),
    low=LOW * 2,
    high=HIGH * 2,
    scale=(71_000.0, 111_320.0) * 2,
    metric="m",
)
PLACES, MANY = 14, 60_000
STREETS = (0.0035, 0.0022)  # degrees between streets


def made_up(seed: int, *, streets: bool) -> NDArray[np.float64]:
    chance = np.random.default_rng(seed)
    middles = chance.uniform([0.02, 50.015], [0.13, 50.085], (PLACES, 2))
    size = chance.uniform(0.0015, 0.012, PLACES)
    begins = chance.choice(PLACES, MANY, p=chance.dirichlet(np.full(PLACES, 0.7)))
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    likely = np.exp(-apart / 0.04) * chance.dirichlet(np.full(PLACES, 0.8))
    likely = (likely / likely.sum(axis=1, keepdims=True)).cumsum(axis=1)
    goes = np.minimum((chance.random(MANY)[:, None] > likely[begins]).sum(axis=1), PLACES - 1)
    found = np.hstack([chance.normal(middles[at], size[at][:, None]) for at in (begins, goes)])
    if streets:
        for axis in range(4):
            on = chance.random(MANY) < 0.5
            apart_by = STREETS[axis % 2]
            found[on, axis] = np.round(found[on, axis] / apart_by) * apart_by
    clipped: NDArray[np.float64] = np.clip(found, LOW * 2, np.array(HIGH * 2) - 1e-6)
    return clipped


def inside(zones: list[Zone], places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Which of the squares a place lies in, -1 for none."""
    found = np.full(len(places), -1)
    for at, zone in enumerate(zones):
        ring = zone.rings[0][0]
        found[((places >= ring.min(axis=0)) & (places < ring.max(axis=0))).all(axis=1)] = at
    return found


def held(released: Release, trips: NDArray[np.float64], zones: list[Zone]) -> NDArray[np.bool_]:
    """Of the flows that are more than chance: whether the range of each holds the truth."""
    begins, goes = inside(zones, trips[:, :2]), inside(zones, trips[:, 2:])
    known = (begins >= 0) & (goes >= 0)
    truth = np.bincount(begins[known] * len(zones) + goes[known], minlength=len(zones) ** 2)
    told = sure_flows(released.flows(zones).assign(truth=truth), len(truth), round_trips=True)
    return ((told["low"] <= told["truth"]) & (told["truth"] <= told["high"])).to_numpy()


@pytest.mark.statistical
@pytest.mark.slow
def test_flows_that_are_shown_hold_the_truth_about_as_often_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    zones = zones_of(Tiles(kind="squares", size=2500.0), end_frame(TRIPS, "pickup"))
    kept, planted = [], []
    for seed, (method, streets) in enumerate(
        (method, streets) for method in ("adaptive_tree", "ends:adaptive_tree") for streets in (False, True)
    ):
        trips = made_up(seed, streets=streets)
        found = release(ExactPoints.from_array(TRIPS, trips), 5, Budget(epsilon=1.0), method, seed=seed)
        assert isinstance(found, Release)
        kept.append(held(found, trips, zones))
        with monkeypatch.context() as fault:
            fault.setattr("dpviz.questions.counts.scatter", lambda share, rho: np.zeros_like(share))
            planted.append(held(found, trips, zones))
    shown, faulty = np.concatenate(kept), np.concatenate(planted)
    assert len(shown) > 150 and shown.mean() >= 0.85
    assert faulty.mean() < 0.7, "ranges that know of noise alone must fail"
