"""Map views and layers: plain data in, JSON out, and nothing that was not asked for."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpviz.ui import basemap, tips
from dpviz.ui.layers import Camera, build_deck, camera_for
from dpviz.ui.theme import DARK, LIGHT
from dpviz.ui.view import MAX_MARKS, Box, MapView, Marker, Picture, make_dots, make_markers, make_pairs

BOX = Box(west=-74.05, south=40.70, east=-73.90, north=40.80)
SECRET_PLACE = -73.987654


def a_view(points: int = 50) -> MapView:
    generator = np.random.default_rng(0)
    lon, lat = generator.uniform(-74.0, -73.95, points), generator.uniform(40.72, 40.78, points)
    dots = make_dots(lon, lat, generator.uniform(1, 9, points), name_places=basemap.nameless, unit="trip")
    spots = np.array([-73.99, -73.96]), np.array([40.75, 40.77]), np.array([3.0, 1.0])
    centers = make_markers(*spots, name_places=basemap.nameless, what="Private center", spreads=[20.0, 30.0])
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


def sent(view: MapView) -> str:
    return str(build_deck(view, camera_for(BOX), LIGHT).to_json())


def layer_names(text: str) -> list[str]:
    return [layer["id"] for layer in json.loads(text)["layers"]]


def test_all_layers_lie_in_the_stated_order() -> None:
    view = a_view().showing(frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"}))
    wanted = ["box", "exact-density", "coreset", "spreads", "exact-pairs-halo", "exact-pairs-line"]
    assert layer_names(sent(view)) == [*wanted, "exact-centers", "centers"]


@pytest.mark.parametrize("hidden", ["exact", "density", "coreset", "protected"])
def test_a_hidden_layer_is_not_sent_at_all(hidden: str) -> None:
    everything = frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"})
    text = sent(a_view().showing(everything - {hidden}))
    trace = {"exact": str(SECRET_PLACE), "density": "SECRETPICTURE", "coreset": '"coreset"', "protected": '"centers"'}
    assert trace[hidden] in sent(a_view().showing(everything))
    assert trace[hidden] not in text
    if hidden == "exact":
        assert "exact-pairs" not in text


def test_the_protected_view_holds_nothing_exact() -> None:
    text = sent(a_view().protected_only())
    assert "exact" not in text and str(SECRET_PLACE) not in text and "SECRETPICTURE" not in text


def test_every_mark_of_every_layer_has_a_tip() -> None:
    everything = frozenset({"coreset", "protected", "exact", "pairs", "spread", "density"})
    for layer in json.loads(sent(a_view().showing(everything)))["layers"]:
        rows: list[dict[str, Any]] = layer.get("data") or []
        assert all("tip" in row for row in rows), layer["id"]


def test_the_words_around_the_numbers_are_sent_once_and_give_the_same_tips() -> None:
    told = (
        "Stands for about 6 trips · Hudson County, New Jersey",
        "Stands for about 1.2 million trips",
        "Stands for about -3 trips · O'Hare </style> {tip}",
        "Stands for about 12,300 trips · Hudson County, New Jersey",
        "no number",
    )
    said = tips.share(told)
    assert tuple(said[index] for index in range(len(told))) == told
    assert said.numbers == ("6", "1.2", "-3", "12,300", "no number") and len(said.around) == 4
    html = tips.template(said)
    assert html.count("Hudson County") == 1 and html.count("</style>") == 1 and html.count("{tip}") == 1


def test_a_dot_costs_few_characters() -> None:
    view = replace(a_view(points=4_000), centers=(), exact_centers=(), exact_pairs=())
    assert len(sent(view)) < 70 * 4_000


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_map_style_is_our_own(theme: Any) -> None:
    document = json.loads(build_deck(a_view(), camera_for(BOX), theme).to_json())
    assert document["mapStyle"].startswith("/app/static/")


def test_the_json_has_no_blanks_and_few_marks() -> None:
    view = a_view(points=9_000)
    text = sent(view)
    assert view.dots is not None and len(view.dots) == MAX_MARKS
    assert '": ' not in text.replace('"tip":', "") and len(text) < 1_000_000


def test_a_dots_area_is_its_weight_whatever_the_number_of_dots() -> None:
    view = a_view()
    assert view.dots is not None
    areas = view.radii_m() ** 2
    assert np.allclose(areas / areas.sum(), view.dots.weight / view.dots.weight.sum())


def test_weights_below_zero_draw_no_dot() -> None:
    dots = make_dots(
        np.array([-74.0, -73.9]),
        np.array([40.7, 40.8]),
        np.array([5.0, -3.0]),
        name_places=basemap.nameless,
        unit="trip",
    )
    assert MapView(box=BOX, place="", dots=dots).radii_m()[1] == 0


def test_looking_again_at_the_same_place_is_a_change_too_small_to_see() -> None:
    once, again = (Camera(lon=-73.97, lat=40.75, zoom=11, turn=turn).view_state().longitude for turn in (1, 2))
    assert once != again and abs(once - again) < 1e-7


def test_the_first_camera_shows_the_whole_box() -> None:
    narrow, wide = camera_for(BOX, width=350), camera_for(BOX, width=900)
    assert narrow.zoom < wide.zoom
    pixels = (BOX.east - BOX.west) / 360 * 512 * 2**narrow.zoom
    assert pixels <= 350


def test_a_map_can_show_a_continent_and_a_citys_map_ends_at_its_coast() -> None:
    continent = camera_for(Box(west=-10, south=35, east=30, north=60))
    pixels = (30 - -10) / 360 * 512 * 2**continent.zoom
    assert 400 < pixels <= 880
    assert continent.view_state().min_zoom < continent.zoom
    assert camera_for(BOX).view_state().min_zoom == 8


def test_neighbourhoods_and_boroughs_are_found() -> None:
    city = basemap.load()
    assert city is not None
    assert city.place_names([-73.9855, -60.0], [40.7580, 10.0]) == ["Midtown–Times Square", None]
    inside = city.borough("Manhattan").contains([-73.9855, -73.95], [40.758, 40.69])
    assert inside.tolist() == [True, False]
