"""Words, state and figures of the screens."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from dpviz.privacy import LEVELS, out_of_100
from dpviz.ui.compare import words as compare_words
from dpviz.ui.demo import words as demo_words
from dpviz.ui.own_data import words as own_data_words
from dpviz.ui.page_parts import words
from dpviz.ui.session import address, state
from dpviz_research import translating

GREEK = re.compile("[α-ωΑ-Ω]|epsilon|delta", re.IGNORECASE)
IN_DETAILS = {"DETAILS_BOUND", "EVIDENCE_COLUMNS"}  # the popover, and the page for data scientists


def texts(module: object) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in vars(module).items():
        if name.isupper() and name not in IN_DETAILS:
            values = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else (value,)
            found |= {f"{name}[{index}]": text for index, text in enumerate(values) if isinstance(text, str)}
    return found


@pytest.mark.parametrize("module", [words, own_data_words, compare_words, demo_words])
def test_no_greek_letter_outside_the_details(module: object) -> None:
    assert not {name: text for name, text in texts(module).items() if GREEK.search(text)}


def test_no_greek_letter_in_sentences_that_stand_where_they_are_shown() -> None:
    screens = translating.written_in_place("ui/choose", "ui/map", "ui/page_parts", "ui/session", "ui/stage")
    assert not [text for _, text, _ in screens if GREEK.search(text)]


def test_the_odds_are_those_of_the_design_and_rounded_up() -> None:
    assert out_of_100(0.5) == 63
    for level in LEVELS:
        exact = 100 / (1 + math.exp(-level.epsilon))
        assert exact <= out_of_100(level.epsilon) < exact + 1


@pytest.mark.parametrize(
    ("share", "shown"), [(0.1234, "12 %"), (0.0123, "1.2 %"), (1e-9, "under 0.001 %"), (math.inf, "more than 1,000 %")]
)
def test_percentages_have_two_telling_digits(share: float, shown: str) -> None:
    assert words.percent(share) == shown


@pytest.mark.parametrize(("metres", "shown"), [(3.21, "3.2 m"), (321.4, "321 m"), (3214, "3.2 km"), (32140, "32 km")])
def test_distances_change_unit_where_a_reader_would(metres: float, shown: str) -> None:
    assert words.distance(metres) == shown


def read(**parts: str) -> state.ChooseState:
    return address.read(parts).applied_to(state.ChooseState())


def test_a_state_is_read_from_an_address() -> None:
    chosen = read(level="Strict", k="8", hour="4")
    assert (chosen.level.name, chosen.k, chosen.hour) == ("Strict", 8, 4)


def test_a_new_visitor_sees_the_whole_month_and_one_night_can_be_chosen() -> None:
    chosen = read(hour="all", days="month")
    assert (read().hour, read().days) == (chosen.hour, chosen.days) == (None, 31)
    assert {"hour": read(hour="4", days="day").hour, "days": read(hour="4", days="day").days} == state.NIGHT


@pytest.mark.parametrize(
    "values",
    [
        {"level": "nonsense"},
        {"k": "-3"},
        {"k": "x"},
        {"method": "../../etc"},
        {"hour": "99"},
        {"days": "3"},
        {"level": ""},
    ],
)
def test_an_address_typed_by_hand_never_breaks_the_state(values: dict[str, str]) -> None:
    assert read(**values) == state.ChooseState()


def test_no_page_calls_itself_ready_without_words_of_its_own_room(project_root: Path) -> None:
    """Pages are thin: no sentence lives in them."""
    for page in (project_root / "pages").glob("*.py"):
        code = page.read_text(encoding="utf-8").split('"""', 2)[2]
        assert not re.search(r"""["'][A-Z][a-z]+ [a-z]+ """, code), page.name


def test_no_address_in_free_text_becomes_a_link() -> None:
    """Browsers' Markdown makes links of these where letters of an address follow; a sign without a width does not."""
    for text in ("https://evil.example/x", "HTTP://evil.example", "www.evil.example", "anna@city.example"):
        shown = words.as_text(text, 200)
        assert shown.replace("\u2060", "").replace("\\", "") == text
        assert not re.search(r"(://|www\.|@)[\w.-]", shown.replace("\\", ""), re.IGNORECASE)
