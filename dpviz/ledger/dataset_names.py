"""Names of datasets: tidied before they are kept, and found again when they are written a little otherwise."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from dpviz.errors import InputError

LONGEST_NAME = 200
# Letters of other scripts that look like these of ours in every common font.
_TWINS = str.maketrans(
    "аеорсухіјѕһԁԛԝвкмнтαοερκντυχιβ" + "ɡıо０",
    "aeopcyxijshdqwbkmhtaoepkvtuxib" + "gio0",
)


def checked_name(name: Any) -> str:
    """A name of 1 to 200 printable characters in any script. It is never used as a path."""
    if not isinstance(name, str):
        raise InputError(f"the dataset's name is {type(name).__name__}; give a text such as 'trips-2026'.")
    tidy = tidy_name(name)
    if not tidy or len(tidy) > LONGEST_NAME or not tidy.isprintable():
        shown = name[:40] + ("…" if len(name) > 40 else "")
        raise InputError(
            f"the dataset's name {shown!a} has {len(name)} characters; give 1 to {LONGEST_NAME} printable characters "
            "in any script, such as 'trips-2026' (--dataset NAME).",
        )
    return tidy


def tidy_name(name: Any) -> str:
    """Normalize a name as the ledger stores it; "" where it is no text."""
    return unicodedata.normalize("NFC", name).strip() if isinstance(name, str) else ""


def fold_name(name: str) -> str:
    """Fold a name to compare it with others: no case, width, doubled spaces or look-alike letters of other scripts."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().translate(_TWINS).split())


def same_look(name: str, known: Iterable[str]) -> list[str]:
    """The known names that look like this one; the name itself alone where it is among them."""
    listed = list(known)
    if name in listed:
        return [name]
    wanted = fold_name(name)
    return [other for other in listed if fold_name(other) == wanted]
