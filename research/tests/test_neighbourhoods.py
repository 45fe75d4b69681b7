"""Points of New York bear the names of known places."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.basemap.embedded import load_basemap, watched_areas
from dpviz_research.find_her.neighbourhoods import distance_m, neighbourhoods

TIMES_SQUARE = (-73.9855, 40.7580)
CENTRAL_PARK = (-73.9665, 40.7812)


@pytest.mark.parametrize(
    ("lon", "lat", "name"),
    [
        (*TIMES_SQUARE, "Midtown–Times Square"),
        (*CENTRAL_PARK, "Central Park"),
        (-73.9570, 40.7140, "Williamsburg"),
        (-73.9626, 40.8075, "Morningside Heights"),
        (-73.9950, 40.6960, "Brooklyn Heights"),
        (-73.7800, 40.6450, "John F. Kennedy International Airport"),
        (-74.0300, 40.7450, "Hudson County, New Jersey"),
        (-73.9450, 40.6860, "Bedford-Stuyvesant (West)"),
    ],
)
def test_known_places_have_their_names(lon: float, lat: float, name: str) -> None:
    assert neighbourhoods([lon], [lat])[0] == name


def test_a_point_in_the_river_is_named_after_its_bank_and_one_far_away_has_no_name() -> None:
    assert neighbourhoods([-73.9660], [40.7450])[0] == "United Nations"
    assert neighbourhoods([-73.9000], [40.5000])[0] is None
    assert neighbourhoods([2.35], [48.86])[0] is None
    assert neighbourhoods([float("nan")], [40.7])[0] is None


def test_many_names_at_once_are_the_names_one_by_one() -> None:
    random = np.random.default_rng(5)
    lons, lats = random.uniform(-74.3, -73.65, 25), random.uniform(40.4, 40.95, 25)
    one_by_one = [neighbourhoods([lon], [lat])[0] for lon, lat in zip(lons, lats, strict=True)]
    assert neighbourhoods(lons, lats) == one_by_one


def test_every_label_lies_in_its_own_neighbourhood() -> None:
    labels = load_basemap()["labels"]
    assert len(labels) == 262
    names = neighbourhoods([one["lon"] for one in labels], [one["lat"] for one in labels])
    assert names == [one["name"] for one in labels]


def test_a_watched_area_measures_distance_to_its_edge_in_metres() -> None:
    manhattan = watched_areas()["Manhattan"]
    inland, hoboken = distance_m(manhattan, [-73.9855, -74.0300], [40.7580, 40.7450])
    assert 1_300 < inland < 2_000
    assert 1_300 < hoboken < 2_000
