"""Printed pages: tags, language, alternative texts, contrast, letters without a font, and the same bytes twice."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import dpviz
from dpviz.basemap.world import Places
from dpviz.drawing import map_view, picture, printing
from dpviz.drawing.looks import LOOKS, Look
from dpviz.errors import InputError
from dpviz.releases.release import Release

pikepdf = pytest.importorskip("pikepdf")
BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)
SCRIPTS = {
    "latin": "Città",
    "devanagari": "दिल्ली",
    "arabic": "القاهرة",
    "greek": "Αθήνα",
    "cyrillic": "Москва",
    "hebrew": "חיפה",
}


@pytest.fixture(scope="module")
def release() -> Release:
    counts = np.zeros((32, 32), np.int64)
    counts[5:15, 5:15] = 90
    exact = dpviz.ExactCounts.from_array(dpviz.Grid(BOX, 32), counts)
    made = dpviz.release(exact, k=2, budget=dpviz.Budget(epsilon=1.0), method="adaptive_tree", seed=4)
    assert isinstance(made, Release)
    return made


@pytest.fixture
def only_fonts_of_typst(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    import typst

    own = typst.Fonts(include_system_fonts=False)
    monkeypatch.setattr(printing, "_fonts", lambda: own)
    printing._without_font.cache_clear()
    yield
    printing._without_font.cache_clear()


def tags_of(element: Any) -> Iterator[Any]:
    """All structure elements in reading order."""
    if isinstance(element, pikepdf.Array):
        for one in element:
            yield from tags_of(one)
    elif isinstance(element, pikepdf.Dictionary) and "/S" in element:
        yield element
        yield from tags_of(element.get("/K", pikepdf.Array()))


@pytest.mark.parametrize("style", sorted(LOOKS))
def test_a_pdf_is_tagged_named_and_told_in_numbers(release: Release, style: str) -> None:
    with pikepdf.open(io.BytesIO(picture.picture(release, "pdf", style=style, title="Florence"))) as file:
        root = file.Root
        assert str(root.Lang) == "en" and bool(root.MarkInfo.Marked) and bool(root.ViewerPreferences.DisplayDocTitle)
        with file.open_metadata() as facts:
            assert facts["dc:title"] == "Florence"
            assert (facts["pdfuaid:part"], facts["pdfaid:part"], facts["pdfaid:conformance"]) == ("1", "2", "A")
        tags = [(str(tag.S), str(tag.get("/Alt", ""))) for tag in tags_of(root.StructTreeRoot.K)]
        order = [name for name, _ in tags if name in ("/H1", "/H2", "/Figure", "/Table")]
        assert order[:5] == ["/H1", "/Figure", "/H2", "/Figure", "/Figure"] and "/Table" in order
        figures = [alt for name, alt in tags if name == "/Figure"]
        assert all(figures) and "records" in figures[0] and "74 times in 100" in figures[0]
        assert any("74 of 100 dots" in alt for alt in figures)
        assert sum(name == "/TH" for name, _ in tags) == 3
        with file.open_outline() as outline:
            assert [item.title for item in outline.root] == ["Florence"]
            assert "What is promised" in [item.title for item in outline.root[0].children]


def test_the_same_release_gives_the_same_bytes(release: Release) -> None:
    for kind in ("pdf", "svg", "png"):
        assert picture.picture(release, kind) == picture.picture(release, kind)


def contrast(one: str, other: str) -> float:
    """WCAG 2: (lighter + .05) / (darker + .05) of the relative luminances."""
    values = []
    for colour in (one, other):
        parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        values.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    return (max(values) + 0.05) / (min(values) + 0.05)


@pytest.mark.parametrize("look", LOOKS.values(), ids=lambda look: look.name)
def test_every_word_on_the_page_stands_out(look: Look) -> None:
    for ink, ground in (
        (look.ink, look.paper),
        (look.faint, look.paper),
        (look.name_ink, look.name_halo),
        (look.center_ink, look.center),
    ):
        assert contrast(ink, ground) >= 4.5, (look.name, ink, ground)


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.usefixtures("only_fonts_of_typst")
def test_scripts_with_a_font_are_set(release: Release, script: str) -> None:
    with pikepdf.open(io.BytesIO(picture.picture(release, "pdf", title=SCRIPTS[script]))) as file:
        assert file.docinfo["/Title"] == SCRIPTS[script]


@pytest.mark.usefixtures("only_fonts_of_typst")
def test_a_title_without_a_font_is_refused_by_its_letters(release: Release) -> None:
    with pytest.raises(InputError, match=r"letters 北, 京 of the title"):
        picture.picture(release, "svg", title="北京 map")


@pytest.mark.usefixtures("only_fonts_of_typst")
def test_names_without_a_font_are_left_out_and_counted(release: Release, monkeypatch: pytest.MonkeyPatch) -> None:
    ground = picture.ground_of((11.20, 43.74, 11.30, 43.81))
    names = Places(
        names=("北京", "Αθήνα"),
        lon=np.array([11.24, 11.28]),
        lat=np.array([43.79, 43.76]),
        inhabitants=np.zeros(2, int),
    )
    for module in (picture, map_view):
        monkeypatch.setattr(module, "ground_of", lambda box: replace(ground, places=names))
    sheet = picture.Sheet(
        releases=[release], look=LOOKS["light"], box=(11.20, 43.74, 11.30, 43.81), title="a title", record="record"
    )
    data, _ = sheet.parts()
    assert [word["text"] for word in data["maps"][0]["words"] if word["halo"] and "km" not in word["text"]] == ["Αθήνα"]
    assert data["foot"][-1].endswith("letters: 1.")
    assert any("without a font" in center["name"]["text"] for center in data["centers"])
    assert picture.picture(release, "pdf")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_label_is_tagged_in_its_own_language(release: Release, language: str) -> None:
    with pikepdf.open(io.BytesIO(picture.label_page(release, language=language))) as file:
        assert str(file.Root.Lang) == language
        names = [str(tag.S) for tag in tags_of(file.Root.StructTreeRoot.K)]
        assert names[1] == "/H1" and names.count("/H2") >= 4 and names.count("/Table") == 1 and "/LI" in names
        assert names.count("/TH") == 4 and names.count("/TD") % 4 == 0
        with file.open_outline() as outline:
            assert len(outline.root[0].children) == names.count("/H2")
    assert picture.label_page(release, "svg").startswith(b'<svg role="img"')
    with pytest.raises(InputError, match="no kind of a label"):
        picture.label_page(release, "html")


def test_markdown_of_a_label_becomes_words() -> None:
    table = ["| what | e |", "|---|---|", r"| a \| b | |"]
    assert picture._block(table)["rows"] == [[[{"bold": False, "text": "a | b"}], [{"bold": False, "text": ""}]]]
    line = r"**Not** a \*star\*, `code` or [a \[link\]](x.md)"
    assert [span["bold"] for span in picture._spans(line)] == [False, True, False]
    assert "".join(span["text"] for span in picture._spans(line)).startswith("Not a *star*, code or a ")


def test_a_text_runs_as_its_first_letter_does() -> None:
    for text, rightwards in (("القاهرة 2026", True), ("2026 חיפה", True), ("Kairo القاهرة", False), ("12 – 3", False)):
        assert printing.one(text) == {"text": text, "rtl": rightwards}
