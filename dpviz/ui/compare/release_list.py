"""The releases that an analyst can look at: those of some folders, and those opened from a file in this session.

Whatever lies in a folder, the page stays up: what cannot be read is named, what has no answer is listed apart.
"""

from __future__ import annotations

import contextlib
import io
import re
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from dpviz.errors import DpvizError, InputError
from dpviz.life.feed import FEED_INSIDE, PUBLISHED_STATE, Entry, feed_beside, read_feed
from dpviz.releases import load, load_files
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN
from dpviz.ui.compare import words as say

LATEST = 200  # folders looked at; a folder of thousands does not stop the page
DOCUMENT = "release.json"
MOST_FILES = 32
_FILE_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}\.[a-z]{1,10}")
LARGEST = 64 * 2**20  # bytes of all files of a release together


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


def on_disk(folders: Sequence[Path]) -> Shelf:
    """The same as `find`, read once for all sessions of the server as long as nothing changes: releases are public.

    Who comes while it is read waits; and a release that was there before stays the same one.
    """
    with _reading:
        return _found(tuple(folders), stamp(folders))


_reading = threading.Lock()


@lru_cache(maxsize=2)
def _found(folders: tuple[Path, ...], _stamp: tuple[tuple[str, float], ...]) -> Shelf:
    return find(folders, _loaded)


@lru_cache(maxsize=LATEST)
def _loaded(path: Path, _changed: float) -> Release | NoAnswer:
    return load(path)


def find(folders: Sequence[Path], read: Callable[[Path, float], Release | NoAnswer] | None = None) -> Shelf:
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
    news = _news(folders, found.values(), unreadable)
    return Shelf(
        news=news,
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
        inside = []
        for path in [folder, *_children(folder)]:
            with contextlib.suppress(OSError, ValueError):
                if (path / DOCUMENT).is_file():
                    inside.append((path, (path / DOCUMENT).stat().st_mtime))
        found += sorted(inside, key=_newest_first)[:LATEST]
    return found


def _newest_first(candidate: tuple[Path, float]) -> tuple[float, str]:
    """Two of one moment, as a copy may have them, in the order of their names: the same for every visitor."""
    path, written = candidate
    return -written, path.name


def _children(folder: Path) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if not path.name.startswith(".")]
    except OSError:
        return []


def opened(content: bytes) -> Release | NoAnswer:
    """The release in a zip file. Its files are checked like those of a folder, and lie on no disk."""
    try:
        files = _unpacked(content)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError):
        raise InputError(say.BAD_ZIP) from None
    try:
        outcome = load_files(files, "the file")
    except DpvizError:
        raise InputError(say.BAD_ZIP) from None
    if outcome.request.purpose == STAND_IN:
        raise InputError(say.BAD_ZIP)
    return outcome


def _unpacked(content: bytes) -> dict[str, bytes]:
    """The files beside release.json by their bare names: no path of the zip reaches the disk."""
    files: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        home = next((PurePosixPath(entry.filename).parent for entry in entries if _name(entry) == DOCUMENT), None)
        plain = all(entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in entries)
        size = sum(entry.file_size for entry in entries)
        if home is None or not plain or len(entries) > MOST_FILES or size > LARGEST:
            raise InputError(say.BAD_ZIP)
        for entry in entries:
            if PurePosixPath(entry.filename).parent == home and _FILE_NAME.fullmatch(_name(entry)):
                with archive.open(entry) as file:  # reads no more than the size that was counted
                    files[_name(entry)] = file.read(entry.file_size)
    return files


def _name(entry: zipfile.ZipInfo) -> str:
    return PurePosixPath(entry.filename.replace("\\", "/")).name
