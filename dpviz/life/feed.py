"""The signed feed of a ledger's releases; what anybody can verify of a release folder, or list of several, by it.

The feed says what is public of the releases. It lies beside their folder and is called like it with the ending .json
(`releases.json` beside `releases`), or lies in it as releases.json.

A release is withdrawn or superseded for its readers only by a feed that the same key signed as signed the release.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from dpviz.errors import DpvizError, StoreError
from dpviz.language import marked
from dpviz.releases import load
from dpviz.releases.document import DOCUMENT
from dpviz.releases.release import UNVERIFIED, NoAnswer, Release
from dpviz.releases.request import STAND_IN
from dpviz.releases.signing import MANIFEST, Signature, checked_signature, public_key, remember_key, sign, write_whole
from dpviz.releases.store import read_folder

FEED_INSIDE = "releases.json"
PUBLISHED_STATE, WITHDRAWN, SUPERSEDED = marked("published", "withdrawn", "superseded")
_KIND = "release feed"
_LARGEST = 64 * 2**20


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What is public of one release."""

    id: str
    dataset: str
    version: int
    state: str
    title: str = ""
    published: str = ""
    by: str = ""
    notice: str = ""

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Entry:
        """The entry that a feed holds."""
        texts = {name: str(facts[name]) for name in cls.__dataclass_fields__ if name in facts and name != "version"}
        return cls(version=int(facts["version"]), **texts)

    def sentence(self) -> str:
        """What a reader of a release is told about its state; nothing where it stands as published."""
        if self.state == PUBLISHED_STATE:
            return ""
        heir = f" by {self.by}" if self.by else ""
        return f"This release was {self.state}{heir}.{f' {self.notice}' if self.notice else ''}"


@dataclass(frozen=True, kw_only=True)
class Feed:
    """The entries of one feed, and who signed it."""

    ledger: str
    updated: str
    entries: tuple[Entry, ...]
    signature: Signature

    def entry_of(self, release: Release | NoAnswer) -> Entry | None:
        """What the feed says of a release, if whoever signed the release signed the feed."""
        if not release.signature.keys & self.signature.keys:
            return None
        return next((entry for entry in self.entries if entry.id == release.id), None)


def feed_beside(folder: Path) -> Path:
    """Where the feed of the releases in this folder is written."""
    return folder.with_name(folder.name + ".json")


def write_feed(folder: Path, ledger: str, entries: Iterable[Entry]) -> Path:
    """Write the feed of this folder, and its signature."""
    file = feed_beside(folder)
    listed = [{name: value for name, value in asdict(entry).items() if value != ""} for entry in entries]
    facts = {"dpviz_releases": 1, "ledger": ledger, "updated": datetime.now(UTC).date().isoformat(), "releases": listed}
    content = (json.dumps(facts, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
    try:
        for target, part in ((_signature_file(file), sign(_KIND, content)), (file, content)):
            write_whole(target, part, 0o600)
    except OSError as error:
        raise StoreError(
            f"cannot write {str(file)!r}: {error.strerror or type(error).__name__}. The ledger holds what was done; "
            "write the feed again with 'dpviz publications --refresh'."
        ) from None
    return file


def read_feed(folder: str | Path) -> Feed | None:
    """The feed of the releases in this folder; None where there is none. A signature that does not fit is refused."""
    root = Path(folder)
    file = next((file for file in (root / FEED_INSIDE, feed_beside(root.absolute())) if file.is_file()), None)
    if file is None:
        return None
    try:
        if file.stat().st_size > _LARGEST:
            raise StoreError(f"{str(file)!r} is larger than any feed; it was not written by dpviz.")
        content, signature = file.read_bytes(), _signature_file(file).read_bytes()
    except OSError as error:
        raise StoreError(
            f"cannot read {str(file)!r} or its signature: {error.strerror or type(error).__name__}; copy both again."
        ) from None
    signed = checked_signature(_KIND, content, signature)
    try:
        found: dict[str, Any] = json.loads(content)
        listed = tuple(Entry.from_facts(entry) for entry in found["releases"])
        return Feed(ledger=str(found["ledger"]), updated=str(found["updated"]), entries=listed, signature=signed)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise StoreError(f"{str(file)!r} is no feed of releases; copy it again.") from None


def _signature_file(file: Path) -> Path:
    return file.with_name(file.name + ".sig")


def state_sentence(release: Release | NoAnswer, *folders: str | Path) -> str:
    """What feeds in these folders say of a release: "" where it stands as published, or none speaks of it."""
    for folder in folders:
        feed = read_feed(folder)
        entry = feed.entry_of(release) if feed is not None else None
        if entry is not None and entry.sentence():
            return entry.sentence()
    return ""


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What was found. `trusted`: signed by a key that was given, or that this machine knows."""

    id: str
    dataset: str | None
    status: str
    signature: str
    key: str
    trusted: bool
    guarantee: str
    files: int
    state: str = ""  # what a feed beside the folder says of it, if the same key signed it
    holders: tuple[str, ...] = ()  # of a joint release: who held records, and what is known of each signature


def verify_release(folder: str | Path, *, key: str = "", remember: str = "") -> Verification:
    """Check a release folder: every file, its hashes, the schema, the parts against each other, and the signature.

    `key` is the publisher's public key (digits, or the file signing-key.pub); `remember` keeps it under that name.
    """
    place = Path(folder)
    trusted = public_key(key) if key else ""
    if remember:
        remember_key(trusted, remember)
    found = read_folder(place, trusted=trusted)
    signed_by_given = not trusted or trusted in found.signature.keys
    joint = found.request.joint
    told = {one.key: str(replace(one, others=())) for one in (found.signature, *found.signature.others)}
    return Verification(
        id=found.id,
        dataset=found.dataset,
        status=found.status if signed_by_given else UNVERIFIED,
        signature=str(found.signature),
        key=found.signature.key,
        trusted=found.signature.known and signed_by_given,
        guarantee=str(found.guarantee),
        files=len([name for name in (found.loaded_files or {}) if name != MANIFEST]) - bool(found.signature.key),
        state=state_sentence(found, place.absolute().parent),
        holders=() if joint is None else tuple(f"{name}: {told[key]}" for name, key in joint.holders),
    )


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
    news: dict[str, Entry] = {}
    for folder in folders:
        try:
            feed = read_feed(folder)
        except DpvizError:
            unreadable.append(feed_beside(folder).name)
            continue
        entries = () if feed is None else map(feed.entry_of, found)
        news |= {entry.id: entry for entry in entries if entry is not None and entry.state != PUBLISHED_STATE}
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
        inside, looked_at = [], [folder]
        with contextlib.suppress(OSError):
            looked_at += [path for path in folder.iterdir() if not path.name.startswith(".")]
        for path in looked_at:
            with contextlib.suppress(OSError, ValueError):
                if (path / DOCUMENT).is_file():
                    inside.append((path, (path / DOCUMENT).stat().st_mtime))
        found += sorted(inside, key=_newest_first)[:LATEST]
    return found


def _newest_first(candidate: tuple[Path, float]) -> tuple[float, str]:
    """Two of one moment, as a copy may have them, in the order of their names: the same for every visitor."""
    path, written = candidate
    return -written, path.name
