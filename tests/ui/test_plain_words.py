"""First-screen texts can be read at about 13 years, and no symbol stands outside *Details*."""

from __future__ import annotations

import re
from dataclasses import is_dataclass
from pathlib import Path
from types import ModuleType

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.compare import words as compare_words
from dpviz.ui.demo import words as demo_words
from dpviz.ui.evidence import logic as evidence, words as evidence_words
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.page_parts import plain_documents, words
from dpviz_research import translating

MODULES = (words, own_data_words, compare_words, demo_words, evidence_words)
GRADE, LONGEST = 8.0, 30
IN_DETAILS = re.compile("^(DETAILS|MADE_DETAILS|UNVETTED|RELATIONS|COLUMNS|RIVALS|NOTES)")  # NOTES: the presenter's
SENTENCE = re.compile(r"(?<=[.!?])[\s*”]+(?=[A-Z“*{…])|\n+")


def texts(module: ModuleType) -> dict[str, str]:
    """The sentences of a module of words, by name."""
    found: dict[str, str] = {}
    for name, value in vars(module).items():
        if name.isupper() and not IN_DETAILS.match(name):
            for index, text in enumerate(_flat(value)):
                found[f"{name}[{index}]"] = text
    return found


def _flat(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = tuple(value.values())
    if is_dataclass(value):
        value = tuple(part for name, part in vars(value).items() if name != "say")  # to the presenter
    return [text for part in value for text in _flat(part)] if isinstance(value, tuple | list) else []


def sentences(text: str) -> list[list[str]]:
    """The words of each sentence. What is filled in counts as one short word."""
    filled = re.sub(r"\{[^}]*\}", "this", text)
    return [found for part in SENTENCE.split(filled) if len(found := re.findall(r"[A-Za-z’'\d–-]+", part)) > 2]


def syllables(word: str) -> int:
    """Groups of vowels, without a silent e at the end; a number counts as one."""
    plain_word = re.sub(r"[^a-z]", "", word.lower())
    groups = len(
        re.findall(
            "[aeiouy]+", re.sub(r"(?<![aeiouyl])e$|(?<=[aeiouy][^aeiouy])es?$|(?<=[^aeiouytd])ed$", "", plain_word)
        )
    )
    return max(1, groups)


def grade(found: list[list[str]]) -> float:
    """Flesch–Kincaid: years of American school; 8 is a reader of about 13."""
    count = sum(map(len, found))
    return 0.39 * count / len(found) + 11.8 * sum(syllables(word) for part in found for word in part) / count - 15.59


@pytest.mark.parametrize("module", MODULES)
def test_the_words_of_a_page_can_be_read_at_thirteen(module: ModuleType) -> None:
    found = [part for text in texts(module).values() for part in sentences(text)]
    assert len(found) > 5 and grade(found) <= GRADE


def test_sentences_that_stand_where_they_are_shown_can_be_read_at_thirteen() -> None:
    found = [part for _, text, _ in translating.written_in_place("ui") for part in sentences(text)]
    assert len(found) > 200 and grade(found) <= GRADE
    assert not [part for part in found if len(part) > LONGEST]


@pytest.mark.parametrize("module", MODULES)
def test_no_sentence_is_longer_than_a_breath(module: ModuleType) -> None:
    long = {name: len(part) for name, text in texts(module).items() for part in sentences(text) if len(part) > LONGEST}
    assert not long


def test_the_measure_tells_plain_words_from_learned_ones() -> None:
    """The planted case: a sentence from a paper."""
    learned = (
        "Differential privacy quantifies indistinguishability of neighbouring databases under randomised mechanisms, "
        "parameterised multiplicatively. Subsequent postprocessing preserves the guarantee unconditionally."
    )
    assert grade(sentences(learned)) > 2 * GRADE
    assert grade(sentences("The cat sat on the mat. It was a fat cat.")) < 2
    assert [syllables(word) for word in ("made", "table", "level", "published", "released", "privacy")] == [
        1,
        2,
        2,
        2,
        2,
        3,
    ]


def test_documents_on_screen_have_no_symbols_and_keep_their_headings(project_root: Path) -> None:
    for name in evidence_words.PAGES:
        text = evidence.read_document(name)
        assert plain_documents.has_symbols(text), "the whole text keeps them, in Details"
        shown = plain_documents.without_symbols(text)
        assert not plain_documents.has_symbols(shown)
        headings = re.compile("^#+ .*$", re.MULTILINE)
        assert headings.findall(shown) == headings.findall(text), "every section says something in plain words"


def test_symbols_are_dropped_by_sentence_and_by_column() -> None:
    told = "## Odds\n\nRight at most 63 times. (That is e^ε.) Rounded up.\n\n* One trip.\n* With ε = 1\n  more. Less."
    assert (
        plain_documents.without_symbols(told)
        == "## Odds\n\nRight at most 63 times. Rounded up.\n\n* One trip.\n* Less."
    )
    table = "| level | ε | right |\n|---|---|---|\n| Strict | 0.1 | 53 |"
    assert plain_documents.without_symbols(table) == "| level | right |\n| --- | --- |\n| Strict | 53 |"
    assert plain_documents.without_symbols("## δ\n\nδ is small.\n\n## Next\n\nFine.") == "## Next\n\nFine."


@pytest.mark.parametrize("tab", evidence_words.TABS)
def test_no_symbol_is_on_evidence_outside_of_details(project_root: Path, tab: str) -> None:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=120)
    app.session_state["evidence_tabs"] = tab
    app.run()
    app.switch_page("pages/evidence.py").run()
    assert not app.exception
    app.session_state["evidence_tabs"] = tab
    app.run()
    inside = {id(one) for drawer in app.expander if drawer.label.startswith("Details") for one in _all(drawer)}
    seen = [
        one
        for kind in ("markdown", "caption", "html", "title", "header")
        for one in app.get(kind)
        if id(one) not in inside
    ]
    told = " ".join(one.proto.body if one.type == "html" else str(one.value) for one in seen)
    assert len(told) > 200 and not plain_documents.SYMBOLS.findall(told)


def _all(block: object) -> list[object]:
    found = []
    for child in getattr(block, "children", {}).values():
        found += [child, *_all(child)]
    return found


def test_a_link_that_leads_nowhere_on_a_screen_is_text() -> None:
    label = r"steps ([docs/proofs/a.md](docs/proofs/a.md)) \[P1\] \[P2\], [the field](https://example.org)"
    assert (
        plain_documents.without_dead_links(label)
        == r"steps (docs/proofs/a.md) \[P1\] \[P2\], [the field](https://example.org)"
    )
