"""Pictures of releases: what is on them, in every kind and style, and what they refuse."""

from __future__ import annotations

import io
import json
import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import dpviz
from dpviz.basemap.world import Places
from dpviz.drawing.ground import box_of
from dpviz.drawing.looks import LOOKS, find_look
from dpviz.drawing.map_view import fit_names
from dpviz.drawing.picture import Sheet, kind_of_name, picture, title_of
from dpviz.drawing.svg_canvas import SvgCanvas, text_width
from dpviz.errors import InputError, NotOffered
from dpviz.releases.release import Release

BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)


@pytest.fixture(scope="module")
def release() -> Release:
    counts = np.zeros((64, 64), np.int64)
    counts[20:30, 20:30] = 400
    counts[45:50, 40:60] = 150
    exact = dpviz.ExactCounts.from_array(dpviz.Grid(BOX, 64), counts)
    made = dpviz.release(exact, k=3, budget=dpviz.Budget(epsilon=1.0), method="adaptive_tree", seed=4)
    assert isinstance(made, Release)
    return made


def data_of(*releases: Release) -> dict[str, Any]:
    """What the page says."""
    box = box_of(releases[0].frame)
    assert box is not None
    sheet = Sheet(releases=list(releases), look=find_look("light"), box=box, title=title_of(releases[0]), record="ride")
    return sheet.parts()[0]


def said_on(*releases: Release) -> str:
    return json.dumps(data_of(*releases), ensure_ascii=False)


def test_a_page_says_title_promise_legend_and_credit(release: Release) -> None:
    words = said_on(release)
    assert "Records per square kilometre" in words and "What is promised" in words and "whether one ride" in words
    assert "74 times" in words and "OpenStreetMap contributors" in words and "GeoNames" in words
    assert "Firenze" in words or "Florence" in words


def test_an_svg_names_itself_for_screen_readers_and_asks_for_nothing(release: Release) -> None:
    drawn = picture(release, "svg", title="Florence <& its squares>").decode()
    root = ElementTree.fromstring(drawn)
    assert root.attrib["role"] == "img"
    assert root[0].text == "Florence <& its squares>"
    assert re.search(r"about [\d,]+ records", root[1].text or "") and "74 times in 100" in (root[1].text or "")
    assert all(found.startswith("http://www.w3.org/") for found in re.findall(r"https?://[^\"' ]+", drawn))  # names
    assert "data:" not in drawn


@pytest.mark.parametrize("style", sorted(LOOKS))
def test_every_style_draws_and_none_looks_like_another(release: Release, style: str) -> None:
    drawn = picture(release, "svg", style=style)
    assert LOOKS[style].land.encode() in drawn and LOOKS[style].center.encode() in drawn


def test_dark_water_differs_from_dark_land() -> None:
    for look in LOOKS.values():
        apart = [abs(int(look.land[at : at + 2], 16) - int(look.sea[at : at + 2], 16)) for at in (1, 3, 5)]
        assert max(apart) >= 12, look.name


def test_a_png_is_read_back_in_its_size(release: Release) -> None:
    image = pytest.importorskip("PIL.Image")
    found = image.open(io.BytesIO(picture(release, "png")))
    assert found.format == "PNG" and found.width > 1_600 and len(found.getcolors(1 << 24)) > 50


def test_an_embedded_page_loads_nothing_and_may_stand_in_a_frame(release: Release) -> None:
    page = picture(release, "html").decode()
    assert "default-src 'none'" in page and "<script" not in page and "src=" not in page.replace("-src", "")


def test_words_with_accents_and_signs_keep_their_room_and_other_scripts_their_shape() -> None:
    canvas = SvgCanvas(300, 200, "a title")
    for words in ("San Niccolò", "0.75 km²", "2026 · about 3", "東京", "Ελλάδα"):
        canvas.words(words, 10, 10, 12, "#000")
    drawn = canvas.to_bytes().decode()
    kept = re.findall(r"textLength[^>]*>([^<]*)<", drawn)
    assert kept == ["San Niccolò", "0.75 km²", "2026 · about 3"]


def test_two_levels_share_one_scale_of_colours(release: Release) -> None:
    data = data_of(release, release)
    assert [each["said"].count("A guesser is right at most 74 times in 100") for each in data["maps"]] == [1, 1]
    assert len(data["shades"]) > 2 and picture(release, "svg", beside=release)


def test_beside_each_other_both_levels_say_how_good_and_how_many(release: Release) -> None:
    counts = np.zeros((64, 64), np.int64)
    counts[20:30, 20:30] = 400
    exact = dpviz.ExactCounts.from_array(dpviz.Grid(BOX, 64), counts)
    other = dpviz.release(exact, k=3, budget=dpviz.Budget(epsilon=0.1), method="adaptive_tree", seed=5)
    assert isinstance(other, Release)
    words = said_on(release, other)
    alone = [said_on(one) for one in (release, other)]
    for said in (r"off by at most [\d,.]+, up or down", r"epsilon = [\d.]+", r"bout [\d,]+ records"):
        first, second = (re.findall(said, each)[:1] for each in alone)
        assert first and second and first != second
        assert set(re.findall(said, words)) == {*first, *second}
    assert words.count('"Left"') == words.count('"Right"') == 1


def test_what_cannot_be_drawn_is_refused_in_a_sentence(release: Release) -> None:
    line = dpviz.release(
        dpviz.ExactCounts.from_array(dpviz.Grid(dpviz.GeoBox(0, 0, 1, 1), 64), np.ones((64, 64), np.int64)),
        k=2,
        budget=dpviz.Budget(epsilon=1.0),
        seed=1,
    )
    with pytest.raises(InputError, match="different public boxes"):
        picture(release, "svg", beside=line)
    with pytest.raises(InputError, match="no kind of picture"):
        picture(release, "gif")
    with pytest.raises(InputError, match="style='neon'"):
        picture(release, "svg", style="neon")
    with pytest.raises(InputError, match=r"name a file \.svg"):
        kind_of_name("map.docx")
    trips = dpviz.release(dpviz.builtin("nyc-trips"), k=2, budget=dpviz.Budget(epsilon=1.0), seed=1)
    with pytest.raises(NotOffered, match="two dimensions"):
        picture(trips, "svg")


def test_names_never_touch_each_other_or_what_is_kept_free() -> None:
    draws = np.random.default_rng(5)
    many = 120
    known = Places(
        names=tuple(f"Place number {at}" for at in range(many)),
        lon=np.zeros(many),
        lat=np.zeros(many),
        inhabitants=draws.integers(0, 300_000, many),
    )
    at = draws.uniform(0, 500, (many, 2))
    kept_free = (200.0, 200.0, 300.0, 300.0)
    found = fit_names(known, at, (500.0, 500.0), size=12, taken=[kept_free], most=200)
    boxes = [kept_free]
    for name in found:
        half = text_width(name.text, name.size, bold=name.large) / 2
        box = (name.x - half, name.y - 0.8 * name.size, name.x + half, name.y + 0.2 * name.size)
        assert not any(box[0] < b[2] and box[2] > b[0] and box[1] < b[3] and box[3] > b[1] for b in boxes)
        assert box[0] >= 0 and box[2] <= 500
        boxes.append(box)
    assert len(found) > 20


def test_long_words_and_letters_of_other_scripts_keep_a_line_finite() -> None:
    assert text_width("東京", 10) == 20.0 and text_width("Å", 10) == text_width("A", 10)
    canvas = SvgCanvas(10, 10, "<script>")
    canvas.words("</text><script>alert(1)</script>", 0, 0, 5, "#000000")
    assert b"<script>" not in canvas.to_bytes()


def test_picture_and_map_page_paint_as_many_cells_in_each_shade(release: Release) -> None:
    cells = release.files()["map.html"].decode().split("<g class=cells>")[1].split("</g>")[0]
    on_page = [path.count("M") for path in re.findall(r"<path[^>]*crispEdges[^>]*>", cells)]
    drawn = picture(release, "svg").decode()
    in_picture = [
        sum(path.count("M") for path in re.findall(f'<path fill="{colour}"[^>]*crispEdges[^>]*>', drawn)) - 1  # legend
        for colour in LOOKS["light"].cells
    ]
    assert on_page == [count for count in in_picture if count > 0] and len(on_page) > 2
