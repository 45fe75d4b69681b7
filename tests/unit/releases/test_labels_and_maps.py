from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

from dpviz.domain import Coreset, ExactCounts, ExactPoints, GeoBox, Grid, Unit
from dpviz.domain.box import plain_frame
from dpviz.mechanisms.interface import Answer, Plan, Public
from dpviz.privacy import Budget
from dpviz.releases import CHOICES_SENTENCE, Dataset, Release, ReleaseRequest, preview, privacy_label, publish, release
from dpviz.releases.label import harmless_markdown

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
        "The number of records is secret",
        "Published through the ledger",
        "docs/LIMITS.md",
    ):
        assert words in label


def test_the_label_says_that_choices_are_not_covered(published: Release) -> None:
    assert CHOICES_SENTENCE in privacy_label(published)
    assert CHOICES_SENTENCE in published.files()["map.html"].decode()


def test_the_label_of_replace_and_of_persons_says_what_is_different(counts: ExactCounts) -> None:
    replaced = ExactCounts.from_array(counts.grid, counts.to_numpy(), relation="replace")
    capped = ExactCounts.from_array(counts.grid, counts.to_numpy(), unit=Unit(person_column="rider", cap=3))
    assert "number of rows is public" in privacy_label(release(replaced, 2, BUDGET, "uniform_grid", seed=1))
    assert "one person (at most 3 records each)" in privacy_label(release(capped, 2, BUDGET, "uniform_grid", seed=1))


def test_the_label_of_a_preview_says_that_it_is_none(counts: ExactCounts) -> None:
    assert "PREVIEW: not a release" in privacy_label(preview(counts, 2, BUDGET, "uniform_grid", seed=1))


def test_a_hostile_name_is_plain_text_in_label_and_map(counts: ExactCounts, ledger: Any) -> None:
    from dpviz.releases import register

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


def test_the_map_draws_every_point_and_center(published: Release) -> None:
    text = published.files()["map.html"].decode()
    drawn = text.split("</svg><figcaption>")[0].split("<g class=coreset>")[1]
    assert published.coreset is not None
    assert drawn.count("<circle") == len(published.coreset)
    assert drawn.count("<path d=") == len(published.centers)


def test_weights_below_zero_are_hollow_and_in_the_legend(counts: ExactCounts, add_method: Any) -> None:
    def answer(public: Public, plan: Plan) -> Answer:
        positions = np.array([[500.0, 500.0], [900.0, 900.0]])
        return Answer(coreset=Coreset(frame=public.frame, positions=positions, weights=np.array([3.0, -1.0])))

    add_method("made", answer)
    text = release(counts, 1, BUDGET, "made", seed=1).files()["map.html"].decode()
    assert text.count("<circle class=below") == 1
    assert "Weight below zero" in text


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
        for x, y, number in re.findall(r"translate\(([\d.]+) ([\d.]+)\)\"><title>Center (\d+)", text)
    }
    north_west, south_east = places[1], places[2]
    assert north_west[0] < south_east[0] and north_west[1] < south_east[1]


def test_land_and_names_are_drawn_where_the_basemap_lies(counts: ExactCounts) -> None:
    there = release(counts, 3, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode()
    assert "<path class=water" in there and "<th scope=col>near</th>" in there
    elsewhere = ExactCounts.from_array(Grid(GeoBox(13.0, 52.3, 13.8, 52.7), 32), counts.to_numpy())
    berlin = release(elsewhere, 3, BUDGET, "uniform_grid", seed=1).files()["map.html"].decode()
    assert "<path class=water" not in berlin and "<th scope=col>near</th>" not in berlin
    assert "<rect class=land" in berlin


def test_a_given_basemap_is_drawn(counts: ExactCounts) -> None:
    found = release(counts, 3, BUDGET, "uniform_grid", seed=1)
    square = [[[-74.0, 40.72], [-73.98, 40.72], [-73.98, 40.74], [-74.0, 40.74]]]
    far = [[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]]
    text = found.files(basemap={"park": [square, far], "labels": []})["map.html"].decode()
    assert text.count("<path class=park") == 1 and "<path class=water" not in text
    assert "near" not in text.split("<table>")[1]


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
    assert "<th scope=col>near</th>" in text
