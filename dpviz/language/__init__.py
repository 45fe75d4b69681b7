"""Words in other languages. A language is one file here, from the English sentence to its own.

    from dpviz.language import translated
    translated("Start again", "de")     # "Von vorn", or the English words where the file has none

Sentences keep their `{names}`; a test says which sentences a file lacks and where names differ.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

ENGLISH: Final = "en"
_FOLDER: Final = Path(__file__).parent


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """English, and every language that has a file."""
    return (ENGLISH, *sorted(path.stem for path in _FOLDER.glob("*.json")))


@lru_cache(maxsize=8)
def catalogue(language: str) -> dict[str, str]:
    """From English sentences to those of a language; empty for English and where there is no file."""
    path = _FOLDER / f"{language}.json"
    if language == ENGLISH or language not in languages():
        return {}
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return {str(english): str(own) for english, own in found["words"].items()}


@lru_cache(maxsize=8)
def name_of(language: str) -> str:
    """What a language calls itself."""
    if language == ENGLISH or language not in languages():
        return "English"
    return str(json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))["language"])


def translated(text: str, language: str) -> str:
    """A sentence in a language; the sentence itself where the language has none for it."""
    return catalogue(language).get(text, text)


@lru_cache(maxsize=8)
def signs(language: str) -> tuple[str, str]:
    """What stands between thousands and before fractions."""
    if language == ENGLISH or language not in languages():
        return ",", "."
    found = json.loads((_FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return str(found["thousands"]), str(found["decimal"])


def number(value: float, language: str, *, digits: int = 0) -> str:
    """A number as a language writes it, with a true minus sign."""
    thousands, decimal = signs(language)
    text = f"{value:,.{digits}f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands)
    return text.replace("-", "−")
