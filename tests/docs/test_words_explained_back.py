"""docs/words-explained-back.md: every sentence of the screens stands there, and none that is no longer said."""

from __future__ import annotations

import re
from pathlib import Path

from dpviz.releases import words as released
from dpviz.ui import regions, translating, words
from dpviz.ui.choose import words as choose
from dpviz.ui.demo import words as demo
from dpviz.ui.evidence import words as evidence

PAGE = Path(__file__).parents[2] / "docs" / "words-explained-back.md"
LEAST_WORDS = 8
GONE = (  # what nobody could explain back
    r"coreset",
    r"\bdraws?\b",
    r"guarantee covers",
    r"count as neighbours",
    r"noise is secure",
    r"before the door",
    r"weights? below zero",
    r"hang together",
    r"added clustering error",
)
MODULES = (released, words, regions, choose, demo, evidence)


def _said() -> set[str]:
    notes = {beat.say for scene in demo.SCENES for beat in scene.beats}
    return {text for module in MODULES for text in translating.of_module(module)} - notes


def test_every_sentence_stands_there_and_none_that_is_no_longer_said() -> None:
    listed = re.findall(r"^\| `(.+?)` \| .+ \|$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    shown = [text.replace(" ⏎ ", "\n").replace("\\|", "|") for text in listed]
    assert len(shown) == len(set(shown))
    assert set(shown) == {text for text in _said() if len(text.split()) >= LEAST_WORDS}


def test_what_nobody_could_explain_back_is_gone_from_the_screens() -> None:
    left = [text for text in _said() for term in GONE if re.search(term, text, flags=re.IGNORECASE)]
    assert not left
