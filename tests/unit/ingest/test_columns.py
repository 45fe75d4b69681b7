"""Columns are guessed from names, and never silently when two pairs are possible."""

from __future__ import annotations

import pytest

from dpviz.errors import AmbiguousColumns, FileError, InputError
from dpviz.ingest.columns import choose_columns, guess_columns

ONE_PAIR = [
    ("pickup_longitude", "pickup_latitude"),
    ("Trip_Pickup_Longitude", "Trip_Pickup_Latitude"),
    ("Pickup Centroid Longitude", "Pickup Centroid Latitude"),
    ("Start_Lon", "Start_Lat"),
    ("start_lng", "start_lat"),
    ("start station longitude", "start station latitude"),
    ("startLongitude", "startLatitude"),
    ("lng", "lat"),
    ("lon", "lat"),
    ("LON", "LAT"),
    ("Long", "Lat"),
    ("longitude", "latitude"),
    ("Longitude_WGS84", "Latitude_WGS84"),
    ("geo_lon", "geo_lat"),
    ("GPS Longitude (deg)", "GPS Latitude (deg)"),
    ("location.lng", "location.lat"),
    ("location.coordinates.longitude", "location.coordinates.latitude"),
    ("x", "y"),
    ("X_COORD", "Y_COORD"),
    ("pickup_x", "pickup_y"),
    ("Längengrad", "Breitengrad"),
    ("Laengengrad", "Breitengrad"),
    ("geogr. Länge", "geogr. Breite"),
    ("Longitud", "Latitud"),
    ("longitude_depart", "latitude_depart"),
    ("longitudine", "latitudine"),
    ("经度", "纬度"),
    ("上车经度", "上车纬度"),
    ("経度", "緯度"),
    ("долгота", "широта"),
    ("경도", "위도"),
]


@pytest.mark.parametrize(("lon", "lat"), ONE_PAIR, ids=lambda name: name)
def test_common_schemas_are_understood(lon: str, lat: str) -> None:
    guess = guess_columns(["trip_id", "fare", lat, "flat_rate", lon, "Balance"])
    assert (guess.lon, guess.lat) == (lon, lat)
    assert guess.found and guess.reason


SEVERAL = [
    ["pickup_longitude", "pickup_latitude", "dropoff_longitude", "dropoff_latitude"],
    ["start_lng", "start_lat", "end_lng", "end_lat"],
    ["lon", "lat", "dest_lon", "dest_lat"],
    ["lon", "lat", "longitude", "latitude"],
    ["x1", "y1", "pickup_x", "pickup_y", "dropoff_x", "dropoff_y"],
]


@pytest.mark.parametrize("names", SEVERAL, ids=lambda names: names[0])
def test_several_pairs_are_a_question_not_a_guess(names: list[str]) -> None:
    guess = guess_columns(names)
    assert not guess.found and len(guess.candidates) >= 2
    with pytest.raises(AmbiguousColumns, match="several pairs") as caught:
        choose_columns("trips.csv", names, None, None, None, True)
    assert caught.value.values["candidates"] == guess.candidates


def test_degrees_win_over_plane_coordinates() -> None:
    assert guess_columns(["x", "y", "lon", "lat"]).lon == "lon"


@pytest.mark.parametrize(
    "names", [["a", "b"], ["lon", "b"], [], ["lat"], ["salon", "platform"], ["salon", "flat"], ["from_lon", "to_lat"]]
)
def test_names_that_say_nothing_are_no_guess(names: list[str]) -> None:
    assert not guess_columns(names).found


def test_a_pickup_longitude_does_not_go_with_a_dropoff_latitude_among_others() -> None:
    guess = guess_columns(["pickup_lon", "dropoff_lat", "dropoff_lon"])
    assert (guess.lon, guess.lat) == ("dropoff_lon", "dropoff_lat")


def test_named_columns_may_differ_in_case() -> None:
    guess = choose_columns("f", ["LON", "Lat"], None, "lon", " lat", True)
    assert (guess.lon, guess.lat) == ("LON", "Lat")


def test_a_geometry_needs_no_names() -> None:
    assert choose_columns("f", ["a", "g.x", "g.y"], ("g.x", "g.y"), None, None, True).lon == "g.x"


@pytest.mark.parametrize(("lon", "lat"), [("lon", None), (None, "lat"), ("lon", "lon")])
def test_half_a_pair_is_refused(lon: str | None, lat: str | None) -> None:
    with pytest.raises(InputError):
        choose_columns("f", ["lon", "lat"], None, lon, lat, True)


def test_a_file_without_names_says_how_to_name_its_columns() -> None:
    with pytest.raises(AmbiguousColumns, match="column_1"):
        choose_columns("f", ["column_1", "column_2"], None, None, None, False)


def test_a_single_column_names_the_separators() -> None:
    with pytest.raises(FileError, match="semicolon"):
        choose_columns("f", ["lon lat"], None, None, None, True)


def test_control_characters_of_a_name_do_not_reach_a_message() -> None:
    with pytest.raises(AmbiguousColumns) as caught:
        choose_columns("f", ["\x1b[31mred", "b"], None, None, None, True)
    assert "\x1b" not in caught.value.message
