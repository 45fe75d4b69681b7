"""Map views and layers: plain data in, JSON out, and nothing that was not asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz.ui.map import city_map
from dpviz.ui.map.view import Box, Dots, MapView, Marker, Picture, dot_radii_m, make_markers, make_pairs
from dpviz.ui.page_parts.theme import DARK, LIGHT
from dpviz.ui.stage import MapOptions, wire
from dpviz.ui.stage.stage_component import scene_of_map, spots_of
from tests.ui.stages import decoded, stops_layers

BOX = Box(west=-74.05, south=40.70, east=-73.90, north=40.80)
SECRET_PLACE = -73.987654


def a_view(points: int = 50) -> MapView:
    generator = np.random.default_rng(0)
    lon, lat = generator.uniform(-74.0, -73.95, points), generator.uniform(40.72, 40.78, points)
    dots = Dots(lon=lon, lat=lat, weight=generator.uniform(1, 9, points), places=[None] * points, unit="trip")
    spots = np.array([-73.99, -73.96]), np.array([40.75, 40.77]), np.array([3.0, 1.0])
    centers = make_markers(*spots, name_places=city_map.nameless, what="Private center", spreads=[20.0, 30.0])
    exact = (Marker(number=1, lon=SECRET_PLACE, lat=40.75, tip="exact one"),)
    return MapView(
        box=BOX,
        place="a city",
        dots=dots,
        centers=centers,
        exact_centers=exact,
        exact_pairs=make_pairs(centers, exact, [(0, 0)], [12.0]),
        exact_density=Picture(url="data:image/png;base64,SECRETPICTURE", box=BOX),
    )


def sent(view: MapView, options: MapOptions | None = None) -> bytes:
    """A map alone, as the browser gets it."""
    found = scene_of_map(view, LIGHT, options or MapOptions(), key="a-map")
    return wire.scene(found, stage="a-map", turn=0, level=1)


def header(data: bytes) -> str:
    """The part of it that can be read."""
    return data[4 : 4 + int.from_bytes(data[:4], "little")].decode()


def described(data: bytes) -> list[dict[str, Any]]:
    """Its layers, bottom-up."""
    found = decoded(data)
    return sorted([*found["base"], *stops_layers(found)], key=lambda layer: int(layer["order"]))


def layer_names(data: bytes) -> list[str]:
    return [layer["id"] for layer in described(data)]


def test_all_layers_lie_in_the_stated_order() -> None:
    view = a_view().showing(frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"}))
    wanted = ["box", "exact-density", "coreset", "spreads", "city-names", "exact-pairs-halo", "exact-pairs-line"]
    assert layer_names(sent(view)) == [*wanted, "exact-centers", "centers"]


@pytest.mark.parametrize("hidden", ["exact", "density", "coreset", "protected"])
def test_a_hidden_layer_is_not_sent_at_all(hidden: str) -> None:
    everything = frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"})
    text = header(sent(a_view().showing(everything - {hidden})))
    trace = {
        "exact": str(SECRET_PLACE),
        "density": "SECRETPICTURE",
        "coreset": '"id":"coreset"',
        "protected": '"id":"centers"',
    }
    assert trace[hidden] in header(sent(a_view().showing(everything)))
    assert trace[hidden] not in text
    if hidden == "exact":
        assert "exact-pairs" not in text


def test_the_protected_view_holds_nothing_exact() -> None:
    text = header(sent(a_view().showing(frozenset({"coreset", "protected", "spread", "regions"}))))
    assert "exact" not in text and str(SECRET_PLACE) not in text and "SECRETPICTURE" not in text


def test_every_mark_of_every_layer_has_a_tip() -> None:
    everything = frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"})
    for layer in described(sent(a_view().showing(everything))):
        rows: list[dict[str, Any]] = layer.get("data") or []
        assert all("tip" in row for row in rows), layer["id"]
        assert "columns" not in layer or "tip" in layer


def test_a_dot_costs_sixteen_bytes_and_the_words_are_sent_once() -> None:
    view = replace(a_view(points=9_000), centers=(), exact_centers=(), exact_pairs=())
    data = sent(view)
    assert len(data) - len(header(data)) < 21 * 9_000 and header(data).count("Stands for about") == 1


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_ground_is_our_own(theme: Any) -> None:
    found = scene_of_map(a_view(), theme, MapOptions(), key="a-map")
    assert found.ground.startswith("app/static/")


def test_both_ends_of_a_pair_are_seen_when_one_zooms_to_it() -> None:
    centers, others = (
        make_markers(
            np.array([lon]), np.array([40.75]), np.array([1.0]), name_places=city_map.nameless, what="Center of A"
        )
        for lon in (-73.99, -73.95)
    )
    pairs = make_pairs(centers, others, [(0, 0)], [3_400.0])
    (spot,) = spots_of(MapView(box=BOX, place="", centers=centers, other_centers=others, other_pairs=pairs))
    assert spot.around is not None and spot.around.west < -73.99 and spot.around.east > -73.95


def test_only_a_map_with_cells_asks_for_clicks() -> None:
    cell = {"ring": [[0, 0], [0, 1], [1, 1]], "c": [0, 0], "tip": "add"}
    asked, view = MapOptions(together="both", picked=2), replace(a_view(), cells=(cell,))
    found = decoded(sent(view, asked))
    assert found["hits"] and not decoded(sent(a_view()))["hits"]
    assert (found["together"], found["picked"]) == ("both", 2)
    assert "cells" in layer_names(sent(view, asked))


def test_a_dots_area_is_its_weight_whatever_the_number_of_dots() -> None:
    view = a_view()
    assert view.dots is not None
    areas = dot_radii_m(view.dots, BOX) ** 2
    assert np.allclose(areas / areas.sum(), view.dots.weight / view.dots.weight.sum())


def test_weights_below_zero_draw_no_dot() -> None:
    dots = Dots(
        lon=np.array([-74.0, -73.9]),
        lat=np.array([40.7, 40.8]),
        weight=np.array([5.0, -3.0]),
        places=[None, None],
        unit="trip",
    )
    assert dot_radii_m(dots, BOX)[1] == 0


def test_neighbourhoods_and_boroughs_are_found() -> None:
    city = city_map.load()
    assert city is not None
    assert city.place_names([-73.9855, -60.0], [40.7580, 10.0]) == ["Midtown–Times Square", None]
    inside = city.borough("Manhattan").contains([-73.9855, -73.95], [40.758, 40.69])
    assert inside.tolist() == [True, False]
