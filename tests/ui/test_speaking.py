"""The screens in another language: every sentence has one of its own, and English stays as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.domain import Adjacency, Unit
from dpviz.labels import sentences as released
from dpviz.language import ENGLISH, catalogue, languages, signs, speaking
from dpviz.privacy import LEVELS, Budget, Guarantee, odds_sentence
from dpviz.ui.choose import words as choose
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
    assert len(translating.sentences()) > 400
    assert not translating.missing(language) and not translating.differing(language)
    assert not translating.unneeded(language)


def test_a_sentence_without_a_translation_and_one_with_other_blanks_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    held = dict(catalogue("de"))
    held["{low} to {high}"] = "{tief} bis {high}"
    del held["Clusters"]
    monkeypatch.setattr(translating, "catalogue", lambda _language: held)
    assert translating.missing("de") == ["Clusters"] and translating.differing("de") == ["{low} to {high}"]


NUMBER = re.compile(r"(?<![A-Za-z\d])\d[\d.,]*")


def numbers_in(text: str, marks: tuple[str, str]) -> list[str]:
    """The numbers of a sentence, those of its blanks left out, without marks between thousands and with a point."""
    thousands, decimal = marks
    found = [number.rstrip(".,") for number in NUMBER.findall(translating.NAMES.sub(" ", text))]
    return sorted(number.replace(thousands, "").replace(decimal, ".") for number in found)


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_says_the_same_numbers_in_every_language(language: str) -> None:
    assert numbers_in("1,234.5 of 5.", signs(ENGLISH)) == numbers_in("1.234,5 von 5.", signs("de"))
    for english, own in catalogue(language).items():
        assert numbers_in(own, signs(language)) == numbers_in(english, signs(ENGLISH)), own


BOUNDS = {"de": {"at most": "höchstens", "at least": "mindestens|wenigstens"}}  # what makes a number a promise


@pytest.mark.parametrize("language", OTHERS)
def test_a_bound_stays_a_bound_and_a_range_keeps_its_ends_in_every_language(language: str) -> None:
    for english, own in catalogue(language).items():
        ends = [
            [name for name in translating.NAMES.findall(text) if name in ("low", "high")] for text in (english, own)
        ]
        assert ends[0] == ends[1], own
        for bound, its_words in BOUNDS[language].items():
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
    assert choose.CLUSTERS == "Gruppen" and choose.PURPOSES["any question"][0] == "Jede Frage"
    assert words.STAGE_PARTS["dial"]["less"] == words.LESS_PRIVATE == "Genauer"
    assert (words.count(1_234_567), words.percent(0.0123), words.distance(3214)) == ("1,2 Millionen", "1,2 %", "3,2 km")
    assert words.map_alt(1200, 5, 0, "X") == (
        "Karte von X mit 1.200 geschützten Punkten, 5 geschützten Zentren als blauen Rauten. "
        "Derselbe Inhalt folgt unter „Die Karte als Tabelle lesen“."
    )


@pytest.mark.parametrize("unit", [Unit(), Unit(person_column="rider", cap=3), Unit(weight_column="w", weight_bound=4)])
def test_units_are_told_in_plain_words(unit: Unit) -> None:
    counts = r"a row’s number in the column of weights counts up to \1 only"
    assert released.unit_told(unit) == re.sub(r"of weight at most (\d+)", counts, str(unit))


def test_english_words_are_what_the_module_says() -> None:
    assert choose.PURPOSES is vars(choose)["PURPOSES"] and choose.CLUSTERS is vars(choose)["CLUSTERS"]


@pytest.mark.parametrize("unit", [Unit(), Unit(person_column="rider", cap=3)])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_the_odds_on_screen_are_those_of_the_library(unit: Unit, adjacency: Adjacency) -> None:
    for level in LEVELS:
        guarantee = Guarantee.of(Budget(epsilon=level.epsilon), adjacency, unit)
        assert words.odds_told(guarantee, "trip") == odds_sentence(guarantee, record="trip")


@pytest.mark.parametrize(
    ("asked", "found"), [(("de", None), "de"), ((None, "de-CH"), "de"), (("xx", "fr"), "en"), (("en", "de"), "en")]
)
def test_the_address_comes_before_the_browser(asked: tuple[str | None, ...], found: str) -> None:
    assert speaking.first_of(*asked) == found


def test_the_app_speaks_german_by_its_address_and_english_by_a_click(project_root: Path) -> None:
    app = AppTest.from_file(f"{project_root}/app.py", default_timeout=120)
    app.query_params["lang"] = "de"
    app.run()
    assert not app.exception and app.title[0].value == "Wählen Sie, wie viel Sie preisgeben"
    app.button(key="speak_en").click().run()
    assert not app.exception and app.title[0].value == choose.CHOOSE_TITLE == "Choose how much to give away"
