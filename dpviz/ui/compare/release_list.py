"""The releases that an analyst can look at: those of some folders, and those opened from a file in this session."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePosixPath

from dpviz.errors import DpvizError, InputError
from dpviz.language.speaking import told as _
from dpviz.life.feed import SUPERSEDED, Entry, Shelf
from dpviz.releases import load_files
from dpviz.releases.document import DOCUMENT
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import STAND_IN
from dpviz.ui.compare import words as say
from dpviz.ui.compare.logic import data_title, day_of, level_name, method_name
from dpviz.ui.page_parts import words

MOST_FILES = 32
_FILE_NAME = re.compile(r"[A-Za-z0-9_-]{1,40}\.[a-z]{1,10}")
LARGEST = 64 * 2**20  # bytes of all files of a release together


def open_zip(content: bytes) -> Release | NoAnswer:
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


# ---- names, and which two stand side by side ---------------------------------------------------------------------


# What a name is made of, the most telling first; the later parts are said only where two names would be the same.
_PARTS: tuple[Callable[[Release], str], ...] = (
    lambda release: " · ".join(part for part in (data_title(release), level_name(release), day_of(release)) if part),
    lambda release: words.CENTERS.of(len(release.raw_centers)),
    method_name,
)


def name_releases(releases: Sequence[Release], news: Mapping[str, Entry] | None = None) -> dict[str, str]:
    """A name for each release that no other one of the list has; the last way out is a number, oldest first.

    Those that were withdrawn or superseded say so.
    """
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
        names[release.id] = _("{name} · no. {number}").format(name=name, number=counted[name])
    for id_, entry in (news or {}).items():
        if id_ in names:
            names[id_] += " · " + (_("superseded") if entry.state == SUPERSEDED else _("withdrawn"))
    return names


def tell_news(release: Release, found: Shelf) -> list[str]:
    """That its publisher withdrew or superseded it; `{which}` stands for its letter."""
    entry = found.news.get(release.whole or release.id)
    if entry is None:
        return []
    if entry.state == SUPERSEDED:
        heir = name_releases(found.releases).get(entry.by, _("another release"))
        told = _("{which} was superseded by its publisher: use “{name}” instead.").replace(
            "{name}", _double_braces(words.as_text(heir))
        )
    else:
        told = _("{which} was withdrawn by its publisher and should no longer be used.")
    return [f"{told} {_double_braces(words.as_text(entry.notice, 300))}".rstrip()]


def _double_braces(text: str) -> str:
    """Free text inside a sentence that is still to be filled in."""
    return text.replace("{", "{{").replace("}", "}}")


def are_of_same_data(a: Release, b: Release) -> bool:
    """Whether two releases are about the same records, or periods of one series, as far as they say."""
    one, other = a.request.period, b.request.period
    together = one is not None and other is not None and one.series == other.series
    return (together or a.dataset == b.dataset) and a.demonstration == b.demonstration and a.frame == b.frame


def list_others(releases: Sequence[Release], a: Release) -> list[Release]:
    """What may stand beside A: those of the same data first; A itself never."""
    return sorted((one for one in releases if one.id != a.id), key=lambda one: not are_of_same_data(a, one))


def find_partner(
    releases: Sequence[Release], a: Release, wanted: str = "", fallen: Collection[str] = ()
) -> Release | None:
    """B, where nobody has chosen one: the newest other release of A's data, one that still stands before one that fell.

    `wanted` is kept as long as it may be.
    """
    others = list_others(releases, a)
    chosen = next((release for release in others if release.id == wanted), None)
    of_these = sorted((one for one in others if are_of_same_data(a, one)), key=lambda one: one.id in fallen)
    return chosen or next(iter(of_these), None)


def find_newest(releases: Sequence[Release], fallen: Collection[str] = ()) -> Release:
    """A, where nobody has chosen one: the newest release that was neither withdrawn nor superseded."""
    return next((one for one in releases if one.id not in fallen), releases[0])


def choose_first_pair(releases: Sequence[Release], fallen: Collection[str] = ()) -> tuple[Release, Release | None]:
    """A and B for a new visitor: the newest release and its partner, the older one of them first, as they came out.

    Where only one of the two still stands, that one is A.
    """
    newest = find_newest(releases, fallen)
    other = find_partner(releases, newest, fallen=fallen)
    if other is None or (other.id in fallen) != (newest.id in fallen):
        return newest, other
    order = [release.id for release in releases]
    return (other, newest) if order.index(other.id) > order.index(newest.id) else (newest, other)
