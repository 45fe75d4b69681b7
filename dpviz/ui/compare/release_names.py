"""What releases are called in lists, and which two are laid side by side. No release is named by its id."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from dpviz.life.feed import SUPERSEDED
from dpviz.releases.release import Release
from dpviz.ui.compare import words as say
from dpviz.ui.compare.logic import data_title, day_of, level_name, method_name
from dpviz.ui.compare.release_list import Shelf
from dpviz.ui.page_parts import words

# What a name is made of, the most telling first; the later parts are said only where two names would be the same.
_PARTS: tuple[Callable[[Release], str], ...] = (
    lambda release: " · ".join(part for part in (data_title(release), level_name(release), day_of(release)) if part),
    lambda release: words.counted(len(release.raw_centers), "center"),
    method_name,
)


def names_of(releases: Sequence[Release]) -> dict[str, str]:
    """A name for each release that no other one of the list has; the last way out is a number, oldest first."""
    names = {release.id: "" for release in releases}
    unclear = list(releases)
    for tell in _PARTS:
        for release in unclear:
            names[release.id] = " · ".join(part for part in (names[release.id], tell(release)) if part)
        often = Counter(names.values())
        unclear = [release for release in unclear if often[names[release.id]] > 1]
    counted: Counter[str] = Counter()
    for release in reversed(unclear):  # lists begin with the newest
        name = names[release.id]
        counted[name] += 1
        names[release.id] = say.NUMBERED.format(name=name, number=counted[name])
    return names


def news_of(release: Release, found: Shelf) -> list[str]:
    """That its publisher withdrew or superseded it; `{which}` stands for its letter."""
    entry = found.news.get(release.whole or release.id)
    if entry is None:
        return []
    if entry.state == SUPERSEDED:
        heir = names_of(found.releases).get(entry.by, say.ANOTHER)
        told = say.SUPERSEDED.replace("{name}", doubled_braces(words.as_text(heir)))
    else:
        told = say.WITHDRAWN
    return [f"{told} {doubled_braces(words.as_text(entry.notice, 300))}".rstrip()]


def doubled_braces(text: str) -> str:
    """Free text inside a sentence that is still to be filled in."""
    return text.replace("{", "{{").replace("}", "}}")


def same_data(a: Release, b: Release) -> bool:
    """Whether two releases are about the same records, as far as they say."""
    return a.dataset == b.dataset and a.demonstration == b.demonstration and a.frame == b.frame


def beside(releases: Sequence[Release], a: Release) -> list[Release]:
    """What may stand beside A: those of the same data first; A itself never."""
    others = [release for release in releases if release.id != a.id]
    return [*(one for one in others if same_data(a, one)), *(one for one in others if not same_data(a, one))]


def partner(releases: Sequence[Release], a: Release, wanted: str = "", fallen: Collection[str] = ()) -> Release | None:
    """B, where nobody has chosen one: the newest other release of A's data, one that still stands before one that fell.

    `wanted` is kept as long as it may be.
    """
    others = beside(releases, a)
    chosen = next((release for release in others if release.id == wanted), None)
    of_these = sorted((one for one in others if same_data(a, one)), key=lambda one: one.id in fallen)
    return chosen or next(iter(of_these), None)


def first_of(releases: Sequence[Release], fallen: Collection[str] = ()) -> Release:
    """A, where nobody has chosen one: the newest release that was neither withdrawn nor superseded."""
    return next((one for one in releases if one.id not in fallen), releases[0])


def opening(releases: Sequence[Release], fallen: Collection[str] = ()) -> tuple[Release, Release | None]:
    """A and B for a new visitor: the newest release and its partner, the older one of them first, as they came out.

    Where only one of the two still stands, that one is A.
    """
    newest = first_of(releases, fallen)
    other = partner(releases, newest, fallen=fallen)
    if other is None or (other.id in fallen) != (newest.id in fallen):
        return newest, other
    order = [release.id for release in releases]
    return (other, newest) if order.index(other.id) > order.index(newest.id) else (newest, other)
