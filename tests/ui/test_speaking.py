"""The screens in another language: every sentence has one of its own, and English stays as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dpviz.language as language_room
from dpviz.domain import Adjacency, Unit
from dpviz.labels import sentences as released
from dpviz.language import ENGLISH, catalogue, languages, signs, speaking, translated
from dpviz.privacy import LEVELS, Budget, Guarantee, odds_sentence
from dpviz.ui.map.view import Box, Dots, MapView, Marker
from dpviz.ui.page_parts import words
from dpviz_research import translating

OTHERS = [name for name in languages() if name != ENGLISH]


@pytest.fixture
def german() -> Iterator[None]:
    speaking.speak("de")
    yield
    speaking.speak(ENGLISH)


@pytest.mark.parametrize("language", OTHERS)
def test_a_language_has_every_sentence_of_the_screens_with_the_same_blanks(language: str) -> None:
    assert len(translating.messages()) > 1400
    assert not translating.missing(language) and not translating.differing(language)
    assert not translating.unneeded(language)


@pytest.mark.parametrize("language", OTHERS)
def test_writing_a_catalogue_anew_keeps_every_translation(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, written = catalogue(language), translating.as_catalogue(language)
    (tmp_path / f"{language}.po").write_text(written, encoding="utf-8")
    monkeypatch.setattr(language_room, "_FOLDER", tmp_path)
    forget()
    try:
        assert catalogue(language) == held and translating.as_catalogue(language) == written
    finally:
        monkeypatch.undo()
        forget()


def test_what_a_catalogue_lacks_has_too_much_or_fills_in_otherwise_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    held = dict(catalogue("de"))
    held["", "{low} to {high}", ""] = ["{tief} bis {high}"]
    held["", "Nobody says this.", ""] = ["Das sagt niemand."]
    held["", "1 center", "{count} centers"] = ["1 Zentrum", ""]
    del held["", "Clusters", ""]
    monkeypatch.setattr(translating, "catalogue", lambda _language: held)
    assert {one for _, one, _ in translating.missing("de")} == {"1 center", "Clusters"}
    assert {one for _, one, _ in translating.differing("de")} == {"{low} to {high}"}
    assert [one for _, one, _ in translating.unneeded("de")] == ["Nobody says this."]


def test_words_that_are_stored_in_english_are_extracted_and_told() -> None:
    """States, roles, steps of the audit log and names of charges stand in no table of a screen."""
    held = {(context, one) for context, one, _ in translating.messages()}
    assert {("", "withdrawn"), ("", "steward"), ("", "approved"), ("", "quantiles"), ("", "licence")} <= held
    assert {("audit log", "withdrew a release"), ("audit log", "published"), ("", "published")} <= held
    with speaking.spoken_in("de"):
        assert (speaking.told("published"), translated("published", speaking.language(), "audit log")) == (
            "veröffentlicht",
            "hat veröffentlicht",
        )
        assert translated("never said", speaking.language(), "audit log") == "never said"


POLISH = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;\\n"
"X-Name: Polski\\n"
"X-Thousands: \u00a0\\n"
"X-Decimal: ,\\n"

# a comment
#: a place
msgid "1 center"
msgid_plural "{count} centers"
msgstr[0] "{count} centrum"
msgstr[1] "{count} centra"
msgstr[2] "{count} centrów"

msgctxt "audit log"
msgid "published"
msgstr "opublikowano "
"\\"tu\\""

msgid "Clusters"
msgstr ""
"""


def test_a_language_is_one_file_with_its_own_plurals_numbers_and_meanings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pl.po").write_text(POLISH, encoding="utf-8")
    monkeypatch.setattr(language_room, "_FOLDER", tmp_path)
    forget()
    try:
        assert languages() == ("en", "pl") and language_room.name_of("pl") == "Polski"
        with speaking.spoken_in("pl"):
            told = [words.CENTERS.of(number) for number in (1, 2, 5, 1022)]
            assert told == ["1 centrum", "2 centra", "5 centrów", "1\u00a0022 centra"]
            assert speaking.told(("Clusters", "published")) == ("Clusters", "published")  # not translated yet
            assert translated("published", speaking.language(), "audit log") == 'opublikowano "tu"'
            assert words.whole(1234567) == "1\u00a0234\u00a0567" and speaking.figures("0.5") == "0,5"
        assert words.CENTERS.of(1) == "1 center" and words.CENTERS.of(1022) == "1,022 centers"
        assert len(translating.missing("pl")) > 1400
        written = translating.as_catalogue("pl")
        assert 'msgstr[2] "{count} centrów"' in written and written.count("msgstr[2]") == written.count("msgid_plural")
    finally:
        monkeypatch.undo()
        forget()


def forget() -> None:
    for kept in (languages, catalogue, language_room.facts, language_room.plural_rule):
        kept.cache_clear()


def sentences(language: str) -> list[tuple[str, str]]:
    """Every English sentence with its translation; of plurals the first and the last form."""
    found = catalogue(language).items()
    return [
        pair
        for (_, one, more), own in found
        if one
        for pair in ([(one, own[0]), (more, own[-1])] if more else [(one, own[0])])
    ]


NUMBER = re.compile(r"(?<![A-Za-z\d])\d[\d.,]*")


def numbers_in(text: str, marks: tuple[str, str]) -> list[str]:
    """The numbers of a sentence, those of its blanks left out, without marks between thousands and with a point."""
    thousands, decimal = marks
    found = [number.rstrip(".,") for number in NUMBER.findall(translating.NAMES.sub(" ", text))]
    return sorted(number.replace(thousands, "").replace(decimal, ".") for number in found)


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_says_the_same_numbers_in_every_language(language: str) -> None:
    assert numbers_in("1,234.5 of 5.", signs(ENGLISH)) == numbers_in("1.234,5 von 5.", signs("de"))
    for english, own in sentences(language):
        assert numbers_in(own, signs(language)) == numbers_in(english, signs(ENGLISH)), own


BOUNDS = {  # what makes a number a promise
    "de": {"at most": "höchstens", "at least": "mindestens|wenigstens"},
    "es": {"at most": "como máximo", "at least": "al menos"},
}


@pytest.mark.parametrize("language", OTHERS)
def test_a_bound_stays_a_bound_and_a_range_keeps_its_ends_in_every_language(language: str) -> None:
    for english, own in sentences(language):
        ends = [
            [name for name in translating.NAMES.findall(text) if name in ("low", "high")] for text in (english, own)
        ]
        assert ends[0] == ends[1], own
        for bound, its_words in BOUNDS.get(language, {}).items():
            assert len(re.findall(its_words, own, re.IGNORECASE)) >= len(re.findall(bound, english, re.IGNORECASE)), own


def written_numbers() -> list[str]:
    """Numbers as all screens and files write them, of every size and with every number of digits."""
    values = [0.0, *(digits * 10.0**power for digits in (1.0, 2.5, 9.87654) for power in range(-6, 8))]
    plain = [f"{value:{form}}" for value in values for form in ("g", ".6g", ",.0f", ",.1f", ",.2f", ".3f", "+,.0f")]
    finer = [
        (say, value, digits) for say in (words.percent, words.distance) for value in values for digits in (0, 1, 2)
    ]
    return [
        *map(speaking.figures, plain),
        *(say(value, finer=digits) for say, value, digits in finer),
        *(say(value) for say in (words.count, words.whole) for value in values),
        *(
            released.guarantee_told(Guarantee.of(Budget(epsilon=level.epsilon), adjacency, Unit()))
            for level in LEVELS
            for adjacency in Adjacency
        ),
    ]


def test_a_number_keeps_every_digit_in_another_language() -> None:
    english = written_numbers()
    with speaking.spoken_in("de"):
        german = written_numbers()
    assert {"0.25", "1,234.5", "0.05 %"} <= {speaking.figures(text) for text in ("0.25", "1,234.5", "0.05 %")}
    for one, other in zip(english, german, strict=True):
        assert numbers_in(other, signs("de")) == numbers_in(one, signs(ENGLISH)), other


def test_words_come_out_in_the_language_that_is_spoken(german: None) -> None:
    assert speaking.told({"k": "Clusters", "any question": ("Any question",)}) == {
        "k": "Gruppen",
        "any question": ("Jede Frage",),
    }
    assert words.STAGE_PARTS["dial"]["less"] == "Genauer"
    assert (words.count(1_234_567), words.percent(0.0123), words.distance(3214)) == ("1,2 Millionen", "1,2 %", "3,2 km")
    dots = Dots(lon=np.zeros(1200), lat=np.zeros(1200), weight=np.ones(1200), places=(), unit="")
    centers = (Marker(number=1, lon=0.0, lat=0.0, tip=""),) * 5
    assert MapView(box=Box(west=0, south=0, east=1, north=1), place="X", dots=dots, centers=centers).alt == (
        "Karte von X mit 1.200 geschützten Punkten, 5 geschützten Zentren als blauen Rauten. "
        "Derselbe Inhalt folgt unter „Die Karte als Tabelle lesen“."
    )


@pytest.mark.parametrize("unit", [Unit(), Unit(person_column="rider", cap=3), Unit(weight_column="w", weight_bound=4)])
def test_units_are_told_in_plain_words(unit: Unit) -> None:
    counts = r"a row’s number in the column of weights counts up to \1 only"
    assert released.unit_told(unit) == re.sub(r"of weight at most (\d+)", counts, str(unit))


def test_english_words_are_what_the_module_says() -> None:
    assert words.STAGE_PARTS is vars(words)["STAGE_PARTS"] and words.DOWNLOAD is vars(words)["DOWNLOAD"]


@pytest.mark.parametrize("unit", [Unit(), Unit(person_column="rider", cap=3)])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_odds_on_screen_are_those_of_the_library(unit: Unit, adjacency: Adjacency) -> None:
    for level in LEVELS:
        guarantee = Guarantee.of(Budget(epsilon=level.epsilon), adjacency, unit)
        assert words.odds_told(guarantee, "trip") == odds_sentence(guarantee, record="trip")


@pytest.mark.parametrize(
    ("asked", "found"), [(("de", None), "de"), ((None, "de-CH"), "de"), (("xx", "yy"), "en"), (("en", "de"), "en")]
)
def test_the_address_comes_before_the_browser(asked: tuple[str | None, ...], found: str) -> None:
    assert speaking.first_of(*asked) == found


def test_the_app_speaks_german_by_its_address_and_english_by_a_click(project_root: Path) -> None:
    app = AppTest.from_file(f"{project_root}/app.py", default_timeout=120)
    app.query_params["lang"] = "de"
    app.run()
    assert not app.exception and app.title[0].value == "Wählen Sie, wie viel Sie preisgeben"
    app.button(key="speak_en").click().run()
    assert not app.exception and app.title[0].value == "Choose how much to give away"
