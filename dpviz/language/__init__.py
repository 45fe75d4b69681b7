"""Sentences and numbers in other languages. A language is one file here, NAME.po: a gettext catalogue.

    from dpviz.language import translated
    translated("Start again", "de")     # "Von vorn", or the English words where the file has none

The catalogue is read when it is first needed. `python -m dpviz_research.translating NAME --write` makes it and keeps it
complete; a test says what it lacks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import Final

ENGLISH: Final = "en"
_FOLDER: Final = Path(__file__).parent
Message = tuple[str, str, str]  # context, sentence, its plural; "" where there is none
HEADER: Final[Message] = ("", "", "")  # of a catalogue: what it says about itself
MARKED: dict[Message, None] = {}  # by the modules that were imported so far


def marked(*texts: str, context: str = "") -> tuple[str, ...]:
    """Mark words that are stored in English, such as a state, so that catalogues hold them; screens show `told(word)`.

    `context` tells two meanings of the same English words apart.
    """
    MARKED.update(dict.fromkeys((context, text, "") for text in texts))
    return texts


@cache
def languages() -> tuple[str, ...]:
    """English, and every language that has a file."""
    return (ENGLISH, *sorted(path.stem for path in _FOLDER.glob("*.po")))


@cache
def catalogue(language: str) -> dict[Message, list[str]]:
    """From each message to its translations, one for each plural form; empty for English and where there is no file."""
    found: dict[Message, list[str]] = {}
    if language == ENGLISH or language not in languages():
        return found
    for block in re.split(r"\n\s*\n", (_FOLDER / f"{language}.po").read_text(encoding="utf-8")):
        parts: dict[str, str] = {}
        part = ""
        for line in block.splitlines():
            if line.startswith(("msg", '"')):
                word, _, quoted = line.partition('"')
                part = word.strip() or part
                parts[part] = parts.get(part, "") + json.loads(f'"{quoted}')
        if "msgid" in parts:
            message = (parts.get("msgctxt", ""), parts["msgid"], parts.get("msgid_plural", ""))
            found[message] = [own for name, own in parts.items() if name.startswith("msgstr")]
    return found


@cache
def facts(language: str) -> dict[str, str]:
    """The head of a catalogue: its name, its rule of plurals and the signs in its numbers."""
    head = catalogue(language).get(HEADER, ["X-Name: English\nX-Thousands: ,\nX-Decimal: .\n"])[0]
    return dict(line.split(": ", 1) for line in head.splitlines())


@cache
def plural_rule(language: str) -> Callable[[int], int]:
    """Which of its forms a language has for so many, by the rule in the head of its catalogue."""
    return c2py(facts(language)["Plural-Forms"].partition("plural=")[2].rstrip(";"))


def name_of(language: str) -> str:
    """What a language calls itself."""
    return facts(language)["X-Name"]


def translated(text: str, language: str, context: str = "") -> str:
    """A sentence in a language; the sentence itself where the language has none for it."""
    return (text and catalogue(language).get((context, text, ""), [""])[0]) or text


def translated_plural(one: str, more: str, number: int, language: str) -> str:
    """The sentence that a language has for so many."""
    own = catalogue(language).get(("", one, more), [""])
    return own[plural_rule(language)(number)] if any(own) else one if number == 1 else more


def signs(language: str) -> tuple[str, str]:
    """What stands between thousands and before fractions."""
    return facts(language)["X-Thousands"], facts(language)["X-Decimal"]


def figures(written: str, language: str) -> str:
    """A number written as in English, 1,234.5, with the signs of a language."""
    thousands, decimal = signs(language)
    return written.translate({ord(","): thousands, ord("."): decimal})


def number(value: float, language: str, *, digits: int = 0) -> str:
    """A number as a language writes it, with a true minus sign."""
    return figures(f"{value:,.{digits}f}".replace("-", "−"), language)
