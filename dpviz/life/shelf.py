"""The releases in some folders, and what signed feeds beside them say of each.

Whatever lies in a folder, a server stays up: what cannot be read is named, what has no answer is listed apart.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from dpviz.errors import DpvizError
from dpviz.life.feed import FEED_INSIDE, PUBLISHED_STATE, Entry, feed_beside, read_feed
from dpviz.releases import load
from dpviz.releases.document import DOCUMENT
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN

LATEST = 200  # folders looked at; a folder of thousands does not stop a server


@dataclass(frozen=True, kw_only=True)
class Shelf:
    """What was found, newest first."""

    releases: tuple[Release, ...] = ()
    no_answers: tuple[NoAnswer, ...] = ()
    unreadable: tuple[str, ...] = ()
    news: Mapping[str, Entry] = field(default_factory=dict)  # of releases withdrawn or superseded, by id

    def with_opened(self, opened: Sequence[Release | NoAnswer]) -> Shelf:
        """The same shelf with what was opened from files in front; nothing twice."""
        known = {outcome.id for outcome in (*self.releases, *self.no_answers)}
        fresh = [outcome for outcome in reversed(opened) if outcome.id not in known]
        return replace(
            self,
            releases=(*(found for found in fresh if isinstance(found, Release)), *self.releases),
            no_answers=(*(found for found in fresh if isinstance(found, NoAnswer)), *self.no_answers),
        )


def load_releases(folders: Sequence[Path]) -> Shelf:
    """The same as `find`, read once for all sessions of the server as long as nothing changes: releases are public.

    Who comes while it is read waits; and a release that was there before stays the same one.
    """
    with _reading:
        return _found(tuple(folders), stamp(folders))


_reading = threading.Lock()


@lru_cache(maxsize=2)
def _found(folders: tuple[Path, ...], _stamp: tuple[tuple[str, float], ...]) -> Shelf:
    return find_releases(folders, _loaded)


@lru_cache(maxsize=LATEST)
def _loaded(path: Path, _changed: float) -> Release | NoAnswer:
    return load(path)


def find_releases(folders: Sequence[Path], read: Callable[[Path, float], Release | NoAnswer] | None = None) -> Shelf:
    """Every readable release in these folders (or the folder itself, where it is one)."""
    found: dict[str, Release | NoAnswer] = {}
    unreadable: list[str] = []
    for path, changed in sorted(_candidates(folders), key=_newest_first):
        try:
            outcome = load(path) if read is None else read(path, changed)
        except DpvizError:
            unreadable.append(path.name)
            continue
        if outcome.request.purpose != STAND_IN:
            found.setdefault(outcome.id, outcome)
    return Shelf(
        news=_news(folders, found.values(), unreadable),
        releases=tuple(outcome for outcome in found.values() if isinstance(outcome, Release)),
        no_answers=tuple(outcome for outcome in found.values() if isinstance(outcome, NoAnswer)),
        unreadable=tuple(unreadable),
    )


def _news(folders: Sequence[Path], found: Iterable[Release | NoAnswer], unreadable: list[str]) -> dict[str, Entry]:
    """What the signed feeds beside the releases say of them, where it is no longer that they stand as published."""
    news = {}
    for folder in folders:
        try:
            feed = read_feed(folder)
        except DpvizError:
            unreadable.append(feed_beside(folder).name)
            continue
        for outcome in found if feed is not None else ():
            entry = feed.entry_of(outcome) if feed is not None else None
            if entry is not None and entry.state != PUBLISHED_STATE:
                news[outcome.id] = entry
    return news


def stamp(folders: Sequence[Path]) -> tuple[tuple[str, float], ...]:
    """Changes when a release is added, taken away, withdrawn or superseded."""
    feeds = [file for folder in folders for file in (feed_beside(folder), folder / FEED_INSIDE)]
    dated = [(file, file.stat().st_mtime) for file in feeds if file.is_file()]
    return tuple((str(path), changed) for path, changed in [*_candidates(folders), *dated])


def _candidates(folders: Sequence[Path]) -> list[tuple[Path, float]]:
    """Folders that hold a release.json, each with the time at which that was written: a folder that is touched later
    does not make its release a newer one. The latest of each folder.
    """
    found = []
    for folder in folders:
        inside, children = [], []
        with contextlib.suppress(OSError):
            children = [path for path in folder.iterdir() if not path.name.startswith(".")]
        for path in [folder, *children]:
            with contextlib.suppress(OSError, ValueError):
                if (path / DOCUMENT).is_file():
                    inside.append((path, (path / DOCUMENT).stat().st_mtime))
        found += sorted(inside, key=_newest_first)[:LATEST]
    return found


def _newest_first(candidate: tuple[Path, float]) -> tuple[float, str]:
    """Two of one moment, as a copy may have them, in the order of their names: the same for every visitor."""
    path, written = candidate
    return -written, path.name
