"""Every sentence that a translation must hold, and what one lacks: `python -m dpviz_research.translating de`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import ModuleType

from dpviz.labels import sentences as released
from dpviz.labels.catalogue_rows import methods
from dpviz.language import catalogue
from dpviz.privacy import LEVELS
from dpviz.ui.choose import words as choose
from dpviz.ui.compare import words as compare
from dpviz.ui.demo import words as demo
from dpviz.ui.evidence import words as evidence
from dpviz.ui.own_data import words as own_data
from dpviz.ui.page_parts import words
from dpviz.ui.person import words as hosting
from dpviz.ui.publications import words as publications
from dpviz.ui.session import regions

NAMES = re.compile(r"\{+(\w*)[^}]*\}+")
MODULES = (demo, words, choose, own_data, regions, released, compare, publications, evidence, hosting)
_KEYS = ("name",)  # fields that scripts know and nobody reads


def sentences() -> list[str]:
    """The English sentences of all screens that are translated, in their order, each once."""
    return list(dict.fromkeys([*names(), *(text for module in MODULES for text in of_module(module))]))


def names() -> list[str]:
    """What levels and methods are called: of a new one the English name is shown until somebody has a better one."""
    told = [level.name for level in LEVELS]
    for row in methods():
        told += [str(row["title"]), str(row["summary"])]
    return told


def of_module(module: ModuleType) -> list[str]:
    """The sentences of one module of words, in their order."""
    return [text for name, value in vars(module).items() if name.isupper() for text in _texts(value)]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if re.search(r"[A-Za-z]", NAMES.sub("", value)):
            yield value
    elif isinstance(value, dict):
        for held in value.values():
            yield from _texts(held)
    elif isinstance(value, list | tuple):
        for held in value:
            yield from _texts(held)
    elif is_dataclass(value):
        for field in fields(value):
            if field.name not in _KEYS:
                yield from _texts(getattr(value, field.name))


def missing(language: str, *, with_names: bool = False) -> list[str]:
    """Sentences that a language lacks; names of levels and methods are no sentences."""
    held, named = catalogue(language), set() if with_names else set(names())
    return [text for text in sentences() if text not in held and text not in named]


def differing(language: str) -> list[str]:
    """Sentences whose translation fills in other names than the English one."""
    return [text for text, own in catalogue(language).items() if set(NAMES.findall(text)) != set(NAMES.findall(own))]


def unneeded(language: str) -> list[str]:
    """Sentences that a language holds and no screen says any more."""
    said = set(sentences())
    return [text for text in catalogue(language) if text not in said]


def main() -> int:
    """List what is missing; 0 where nothing is."""
    language = sys.argv[1] if len(sys.argv) > 1 else "de"
    found = missing(language, with_names=True)
    for text in found:
        sys.stdout.write(f"{text}\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
