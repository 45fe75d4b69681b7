from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from dpviz.domain import Coreset, ExactCounts, ExactPoints, Frame, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.drawing.density import density_scale, find_shades
from dpviz.drawing.looks import LOOKS
from dpviz.drawing.map_shapes import variable
from dpviz.drawing.map_trips import flows_to_show
from dpviz.errors import InputError
from dpviz.labels.privacy_label import CHOICES_SENTENCE, harmless_markdown, privacy_label
from dpviz.mechanisms.interface import Answer, Plan, Public
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import preview, release
from dpviz.releases.about import About
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest

BUDGET = Budget(epsilon=0.5)
HOSTILE = "</title><script>alert('x')</script><img src=x onerror=alert(1)> **bold** [a](http://b) `c`"


class Page(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def published(dataset: Dataset) -> Release:
    found = publish(dataset, ReleaseRequest(k=3, budget=BUDGET, method="uniform_grid"))
    assert isinstance(found, Release)
    return found


def test_the_label_says_promise_odds_unit_and_relation(published: Release) -> None:
    label = privacy_label(published)
    for words in (
        str(published.guarantee),
        "right at most 63 times in 100",
        "Unit of protection: one record",
        "The number of records is kept secret",
        "Published through the ledger",
        "docs/LIMITS.md",
    ):
        assert words in label


@pytest.mark.parametrize("epsilon", [0.25, 0.375, 1.05, 2.345])
@pytest.mark.parametrize("language", ["en", "de"])
def test_label_and_page_state_the_whole_epsilon_in_every_language(
    counts: ExactCounts, epsilon: float, language: str
) -> None:
    said = f"{epsilon:g}" if language == "en" else f"{epsilon:g}".replace(".", ",")
    named = re.compile(r"(?:epsilon|ε)\s*=?\s*(\d+(?:[.,]\d+)?)", re.IGNORECASE)
    found = release(counts, 2, Budget(epsilon=epsilon), "uniform_grid", seed=1)
    for text in (privacy_label(found, language), *((found.files()["map.html"].decode(),) if language == "en" else ())):
        told = named.findall(text)
        assert said in told
        assert all(float(number.replace(",", ".")) >= epsilon for number in told), told


def test_the_label_says_that_choices_are_not_covered(published: Release) -> None:
    assert CHOICES_SENTENCE in privacy_label(published)
    assert CHOICES_SENTENCE in published.files()["map.html"].decode()


def test_the_label_of_replace_and_of_persons_says_what_is_different(counts: ExactCounts) -> None:
    replaced = ExactCounts.from_array(counts.grid, counts.to_numpy(), relation="replace")
    capped = ExactCounts.from_array(counts.grid, counts.to_numpy(), unit=Unit(person_column="rider", cap=3))
    exchanged = privacy_label(release(replaced, 2, BUDGET, "uniform_grid", seed=1))
    assert "one record is in the data, or any other in its place. The number of records is public" in exchanged
    persons = privacy_label(release(capped, 2, BUDGET, "uniform_grid", seed=1))
    assert "one person (at most 3 records each)" in persons
    assert "no more than 3 are used, and any others are left out" in persons


def test_the_label_of_a_preview_says_that_it_is_none(counts: ExactCounts) -> None:
    assert "PREVIEW: not a release" in privacy_label(preview(counts, 2, BUDGET, "uniform_grid", seed=1))


def test_a_hostile_name_is_plain_text_in_label_and_map(counts: ExactCounts, ledger: Any) -> None:
    from dpviz.publishing.registration import register

    dataset = register(HOSTILE, counts, total=BUDGET, ledger=ledger)
    found = publish(dataset, ReleaseRequest(k=2, budget=BUDGET, method="uniform_grid"))
    page = Page(found.files()["map.html"].decode())
    assert page.tags.count("script") == 1 and "img" not in page.tags
    assert any(HOSTILE in words for words in page.words)
    label = found.files()["PRIVACY.md"].decode()
    assert "<script>" not in re.sub(r"\\.", "", label)
    assert "](http" not in re.sub(r"\\.", "", label)


def test_a_hostile_column_is_plain_text_in_the_map() -> None:
    frame = plain_frame((0.0, 0.0), (1.0, 1.0), names=('"><script>x</script>', "&amp;"))
    points = ExactPoints.from_array(frame, np.random.default_rng(0).random((90, 2)))
    page = Page(release(points, 2, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode())
    assert page.tags.count("script") == 1


def test_the_page_speaks_every_language_and_the_label_that_of_the_release(published: Release) -> None:
    text = published.files()["map.html"].decode()
    for words in (">Reset view</span>", ">Ganze Karte</span>", "data-speak=de", 'data-said-de="Zentrum 1'):
        assert words in text, words
    assert "höchstens 63 von 100 Malen" in text and "63 von 100" not in published.files()["PRIVACY.md"].decode()
    german = replace(published, about={**published.about, "language": "de"}, loaded_files=None)
    label, page = german.files()["PRIVACY.md"].decode(), german.files()["map.html"].decode()
    assert label.startswith("# Beipackzettel zum Schutz") and "right at most" not in label
    assert '<html lang="de">' in page and "<title>Wo sich Menschen" in page
    assert privacy_label(german, "en") == privacy_label(published)


def test_a_language_without_a_file_is_refused() -> None:
    with pytest.raises(InputError, match="--language"):
        About(language="xx")


def test_markdown_is_escaped_on_one_line() -> None:
    assert harmless_markdown("a*b\nc<d>") == r"a\*b c\<d\>"


def test_the_map_asks_nobody_for_anything(published: Release) -> None:
    text = published.files()["map.html"].decode()
    page = Page(text)
    assert not re.findall(r"(?:https?:|//)[a-z]", re.sub(r"<!--.*?-->", "", text))
    assert not [value for name, value in page.attributes if name in ("src", "href", "xlink:href", "srcset", "action")]
    assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(page.tags)
    assert "url(" not in text.replace("url(#", "")
    assert "default-src 'none'" in text


def test_the_map_draws_every_center_and_every_cell_but_noise_and_the_emptiest_hundredth(published: Release) -> None:
    text = published.files()["map.html"].decode()
    drawn = text.split("</svg><figcaption>")[0].split("<g class=cells>")[1]
    cells = published.cells
    assert cells is not None
    heard = cells[(cells["count"] > 0) & (cells["count"] >= cells["variance"] ** 0.5)]
    ground = (heard["east"] - heard["west"]) * (heard["north"] - heard["south"])
    density = (heard["count"] / ground).sort_values()
    held = heard["count"].loc[density.index].cumsum() / heard["count"].sum()
    least = density[held >= 0.01].iloc[0]
    assert drawn.split("<g class=names")[0].count("M") == (density >= least * (1 - 1e-6)).sum() > 0
    assert drawn.split("<g class=centers>")[1].count("<path d=") == len(published.centers)


def test_the_map_of_a_method_without_cells_draws_every_point(counts: ExactCounts) -> None:
    found = release(counts, 3, BUDGET, "centred_lines", seed=1)
    assert isinstance(found, Release) and found.coreset is not None
    drawn = found.files()["map.html"].decode().split("</svg><figcaption>")[0].split("<g class=coreset>")[1]
    assert drawn.count("<circle") == len(found.coreset)


def test_the_page_opens_with_the_map_then_the_odds_as_a_hundred_marks_and_their_premise(published: Release) -> None:
    text = published.files()["map.html"].decode()
    icons = text.split("<svg class=icons")[1].split("</svg>")[0]
    assert icons.count("class=right") == 63 and icons.count("<circle") == 100, "ε = 0.5 is 63 of 100"
    assert icons.count("data-coin") == 50, "what a coin gets right is grey, as in the app"
    assert text.index("class=map") < text.index("class=icons")
    assert "toss a coin" in text and "×" not in text.split("<main>")[1].split("<script>")[0]


def test_label_and_page_say_how_good_it_is_who_loses_and_whom_to_trust(published: Release) -> None:
    for text in (privacy_label(published), published.files()["map.html"].decode()):
        for words in (
            "a thousandth of the area",
            "few records lose most",
            "You have to trust",
            "with 30 trips",
            "A usual center lies",
        ):
            assert words in text, words


def test_weights_below_zero_are_hollow_and_in_the_legend(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        positions = np.array([[500.0, 500.0], [900.0, 900.0]])
        return Answer(coreset=Coreset(frame=public.frame, positions=positions, weights=np.array([3.0, -1.0])))

    add_method("made", answer)
    text = release(counts, 1, BUDGET, "made", seed=1).files()["map.html"].decode()
    assert text.count("<circle class=below") == 1
    assert "Number below zero" in text


def test_north_is_up_and_east_is_right(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        from dpviz.domain import Centers

        positions = np.array([[0.1, 0.9], [0.9, 0.1]]) * public.frame.extent
        return Answer(
            coreset=None, centers=Centers(frame=public.frame, positions=positions, weights=np.array([2.0, 1.0]))
        )

    add_method("made", answer, gives_coreset=False)
    text = release(counts, 2, BUDGET, "made", seed=1).files()["map.html"].decode()
    places = {
        int(number): (float(x), float(y))
        for x, y, number in re.findall(r"translate\(([\d.]+) ([\d.]+)\)\"><title[^>]*>Center (\d+)", text)
    }
    north_west, south_east = places[1], places[2]
    assert north_west[0] < south_east[0] and north_west[1] < south_east[1]


def test_land_water_and_names_are_drawn_in_every_city(counts: ExactCounts) -> None:
    look = LOOKS["light"]
    there = release(counts, 3, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode()
    assert f'fill="{variable("water", look.water)}"' in there and ">mostly in</span>" in there and "Map: " in there
    elsewhere = ExactCounts.from_array(Grid(GeoBox(13.0, 52.3, 13.8, 52.7), 32), counts.to_numpy())
    berlin = release(elsewhere, 3, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode()
    for name in ("land", "water"):
        assert f'fill="{variable(name, getattr(look, name))}"' in berlin
    assert ">Berlin</text>" in berlin
    assert ">mostly in</span>" in berlin and "OpenStreetMap contributors" in berlin


def test_a_portrait_box_shows_what_lies_beside_it(counts: ExactCounts) -> None:
    narrow = ExactCounts.from_array(Grid(GeoBox(11.24, 43.70, 11.28, 43.85), 32), counts.to_numpy())
    page = release(narrow, 3, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode()
    x, y, wide, high = (
        float(part) for part in page.split("class=map", 1)[1].split('viewBox="', 1)[1].split('"')[0].split()
    )
    assert x < 0 and y == 0 and wide / high >= 1.49


def test_a_given_basemap_is_drawn(counts: ExactCounts) -> None:
    found = release(counts, 3, BUDGET, "uniform_grid", seed=1)
    square = [[[-74.0, 40.72], [-73.98, 40.72], [-73.98, 40.74], [-74.0, 40.74]]]
    far = [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]
    text = found.files(basemap={"park": [square, far], "labels": []})["map.html"].decode()
    assert text.count("<path class=park") == 1 and "<path class=water" not in text
    assert "mostly in" not in text.split("<table>")[1].split("</table>")[0]


def test_a_basemap_in_geojson_is_drawn_with_the_built_in_names(counts: ExactCounts) -> None:
    found = release(counts, 3, BUDGET, "uniform_grid", seed=1)
    square = [[[-74.0, 40.72], [-73.98, 40.72], [-73.98, 40.74], [-74.0, 40.74]]]
    shapes = {
        "park": {"type": "Polygon", "coordinates": square},
        "water": {"type": "MultiPolygon", "coordinates": [square]},
    }
    features = [{"type": "Feature", "properties": {"kind": kind}, "geometry": shape} for kind, shape in shapes.items()]
    text = found.files(basemap={"type": "FeatureCollection", "features": features})["map.html"].decode()
    assert text.count("<path class=park") == 1 and text.count("<path class=water") == 1
    assert ">mostly in</span>" in text


def test_a_center_over_water_is_called_after_where_its_records_are() -> None:
    from dataclasses import replace

    from dpviz.labels.center_names import names_by_records

    cells = np.zeros((32, 32), np.int64)
    cells[10:12, 4], cells[10:12, 24:27] = 900, 900
    found = release(
        ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.1, 0.1), 32), cells), 1, BUDGET, "uniform_grid", seed=1
    )
    between = np.array([[0.05, 0.066]])

    def banks(lon: np.ndarray, lat: np.ndarray) -> list[str | None]:
        return ["west" if x < 0.03 else "east" if x > 0.07 else "the river" for x in lon]

    assert banks(*between.T) == ["the river"]
    assert names_by_records(found, between, banks) == ["east"]
    assert names_by_records(replace(found, raw_coreset=None, coreset_weights=None), between, banks) == ["the river"]


def trips_between(west: float, east: float, north: float = 40.78) -> ExactPoints:
    frame = Frame(
        names=("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat"),
        low=(-74.05, 40.7) * 2,
        high=(-73.9, 40.8) * 2,
        scale=(84_000.0, 111_320.0) * 2,
        metric="m",
    )
    near = np.random.default_rng(3).normal([west, 40.75, east, north], 0.002, size=(4_000, 4))
    return ExactPoints.from_array(frame, near)


@pytest.mark.parametrize("method", ["adaptive_tree", "ends:adaptive_tree"])
def test_the_page_of_trips_shows_both_ends_and_flows_by_name_and_no_lattice_of_points(method: str) -> None:
    found = release(trips_between(-73.99, -73.955), 2, Budget(epsilon=2.0), method, seed=1)
    text = found.files()["map.html"].decode()
    body = text.split("<main>")[1].split("<script>")[0]
    assert body.count("<svg class=map") == 3 and "class=coreset" not in body
    begins, ends = (part.split("</g>")[0] for part in body.split("<g class=cells>")[1:])
    assert begins.count("<path") and ends.count("<path") and begins != ends
    flows = flows_to_show(found)
    assert flows is not None and (flows.rows["low"] > 0).all()
    assert body.count('stroke="url(#flow') == len(flows.arcs) > 0
    assert flows.rows.iloc[0]["origin"] in body and "The largest flows of trips" in body
    assert "mostly from → to" in body and "pickup_lon" not in body and "-73.9" not in re.sub(r"<svg.*?</svg>", "", body)
    assert "Count the trips that begin in a hundredth" in text and "Count the trips" in privacy_label(found)


def test_flows_of_a_city_without_neighbourhoods_lie_between_squares_with_names() -> None:
    frame = replace(trips_between(0, 1).frame, low=(13.3, 52.45) * 2, high=(13.5, 52.55) * 2)
    near = np.random.default_rng(3).normal([13.35, 52.48, 13.45, 52.53], 0.002, size=(4_000, 4))
    found = release(ExactPoints.from_array(frame, near), 2, Budget(epsilon=2.0), "adaptive_tree", seed=1)
    flows = flows_to_show(found)
    assert flows is not None and len(flows.arcs)
    assert not flows.rows["origin"].str.match(r"^\d+-\d+$").all()


def test_a_release_of_trips_without_cells_keeps_its_points() -> None:
    found = release(trips_between(-73.99, -73.955), 2, Budget(epsilon=2.0), "genetic", seed=1)
    text = found.files()["map.html"].decode()
    assert text.count("<svg class=map") == 2 and "<g class=flows>" not in text


def test_equal_ground_has_one_shade() -> None:
    density = 3.0 + np.linspace(0.0, 1e-9, 50)
    assert len(set(find_shades(density, density_scale(density, density)).tolist())) == 1
