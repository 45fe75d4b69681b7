"""Which language the screen speaks in this run, and modules of words that answer in it.

A module of words is written in English. Its last line, `speaking.answers(__name__)`, has its sentences (the names in
capitals) come out of the catalogue of the language that is spoken, for whoever reads them as `words.NAME`. In English
everything is as it is written. Functions of such a module say `told(NAME)`, since a module reads its own names itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, is_dataclass, replace
from types import ModuleType
from typing import Any, TypeVar

import dpviz.language as language_room
from dpviz.language import ENGLISH, languages, translated

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)
Said = TypeVar("Said")


def speak(language: str) -> None:
    """From now on in this run; every run of a page has a thread of its own, or one of the same browser's."""
    _spoken.set(language if language in languages() else ENGLISH)


def language() -> str:
    """The language of this run: English where nothing was said."""
    return _spoken.get()


def first_of(*asked: str | None) -> str:
    """The first of these for which there is a file: `de`, or `de-CH` as browsers say it; else English."""
    return next((name for one in asked if (name := str(one or "")[:2].lower()) in languages()), ENGLISH)


def told(said: Said) -> Said:
    """A sentence, or all sentences of a table of them, in the language of this run."""
    spoken = language()
    return said if spoken == ENGLISH else _in(said, spoken)


@contextmanager
def spoken_in(language: str) -> Iterator[None]:
    """For a while, whatever the screen speaks: a file in a language of its own."""
    before = _spoken.set(language if language in languages() else ENGLISH)
    try:
        yield
    finally:
        _spoken.reset(before)


def as_now(say: Callable[[Any], str]) -> Callable[[Any], str]:
    """For the options of a control, which Streamlit reads again before a run says its language: in that of now."""
    spoken = language()

    def said(option: Any) -> str:
        with spoken_in(spoken):
            return say(option)

    return said


def figures(written: str) -> str:
    """A number written as in English, 1,234.5, with the signs of this run's language."""
    return language_room.figures(written, language())


@dataclass(frozen=True)
class Plural:
    """A sentence about a number, as English has it for one and for more. A language has as many forms as it needs."""

    one: str
    more: str

    def of(self, number: int, **blanks: str) -> str:
        """The sentence for so many, in the language of this run; `{count}` is filled in."""
        said = language_room.translated_plural(self.one, self.more, number, language())
        return said.format(count=figures(f"{number:,}"), **blanks)


def _in(said: Any, spoken: str) -> Any:
    if isinstance(said, str):
        return translated(str(said), spoken)
    if isinstance(said, Mapping):
        return {key: _in(held, spoken) for key, held in said.items()}
    if type(said) in (list, tuple):
        return type(said)(_in(held, spoken) for held in said)
    if is_dataclass(said) and not isinstance(said, type | Plural):
        return replace(said, **{field.name: _in(getattr(said, field.name), spoken) for field in fields(said)})
    return said


class Words(ModuleType):
    """A module whose sentences come out in the language of the run."""

    def __getattribute__(self, name: str) -> Any:
        found = super().__getattribute__(name)
        return told(found) if name.isupper() else found


def answers(module: str) -> None:
    """The last line of a module of words; every module of words that says so is part of what a translation holds."""
    sys.modules[module].__class__ = Words
