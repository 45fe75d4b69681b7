"""PROOF.md: the proof of protection that a release rests on, as it stood when the release was made."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PROOF = "PROOF.md"
_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE.parent / "docs" / "proofs", _PACKAGE / "_data" / "proofs")  # a checkout, an installed wheel
_LINK_INTO_THE_PROJECT = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")


def proof_of(method: str) -> str:
    """The page of a method's proof; what it names in the program is text, because the folder holds this page alone."""
    from dpviz.mechanisms import catalogue  # here, so that reading releases loads no method

    return _page(catalogue.get(method).info.proof)


@cache
def _page(name: str) -> str:
    place = next(folder for folder in _FOLDERS if folder.is_dir())
    page = (place / f"{name}.md").read_text(encoding="utf-8")
    alone = _LINK_INTO_THE_PROJECT.sub(r"\1", page).rstrip()
    return f"{alone}\n\nThis is the page docs/proofs/{name}.md of dpviz.\n"
