"""Where records come from: paths, globs, folders, lists, URLs and uploads become a list of places to read."""

from __future__ import annotations

import bz2
import errno
import glob
import gzip
import importlib
import io
import lzma
import os
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from dpviz.errors import FileError, InputError, extra_needed, missing_extra, show_name
from dpviz.ingest.formats.kinds import (
    SUPPORTED,
    ZIP,
    is_data_name,
    is_packed_name,
    kind_of,
    kind_of_archive,
    may_be_text,
    packing,
)

HEAD = 65536
_NETWORK = {"adlfs", "aiohttp", "azure", "botocore", "fsspec", "gcsfs", "google", "requests", "s3fs"}
DATABASES = ("postgresql://", "postgres://")  # addresses that a query is asked of
Paths = str | os.PathLike[str]
_PROBLEMS = {
    **dict.fromkeys((errno.EACCES, errno.EPERM), "may not be read by this user. Change its permissions or copy it."),
    errno.ENOENT: "is gone. Check the spelling and the folder.",
    errno.ELOOP: "is a link that leads to itself. Give the file.",
    errno.EISDIR: "is a folder where a file was expected.",
}
_CALLED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "point": "."}


@dataclass(frozen=True, kw_only=True)
class TextForm:
    """How separated text is written, as far as it was stated; no record may decide any of it.

    `separator`: one character, or its name; without it the line of column names decides. `decimal`: "." (a comma is
    then no part of a number) or ","; without it both are read, each number for itself. `header`: whether the first line
    holds names of columns; without it that line has to hold the names that are looked for. `header=False` needs both
    others, and columns are then called column_1, column_2, …
    """

    separator: str | None = None
    decimal: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        for name in ("separator", "decimal"):
            given = getattr(self, name)
            object.__setattr__(self, name, _CALLED.get(given, given) if isinstance(given, str) else given)
        mark = self.separator
        if mark is not None and not (
            isinstance(mark, str)
            and len(mark) == 1
            and mark.isascii()
            and (mark.isprintable() or mark == "\t")
            and not mark.isalnum()
            and mark not in '"+-._'
        ):
            raise InputError(
                f"separator={self.separator!r}: give one character between fields, such as ',', ';', 'tab' or '|' "
                "(--separator)."
            )
        if self.decimal not in (None, ".", ","):
            raise InputError(f"decimal={self.decimal!r}: give '.' or ',' (--decimal).")
        if self.header not in (None, True, False):
            raise InputError(f"header={self.header!r}: give True, False or nothing (--header, --no-header).")
        if self.header is False and (self.separator is None or self.decimal is None):
            raise InputError(
                "rows without a line of column names say nothing about how they are written: with header=False "
                "(--no-header) give separator=';' and decimal=',' or others too (--separator, --decimal)."
            )


@dataclass(frozen=True, kw_only=True)
class Place:
    """One file: a local path, a URL, or bytes that were uploaded. `label` is how messages call it."""

    label: str
    path: str | None = None
    url: str | None = field(default=None, repr=False)  # may hold a password
    content: bytes | None = field(default=None, repr=False)
    layer: str | None = None  # which table, sheet or layer, where a file holds several
    query: str | None = None  # of a database
    form: TextForm = field(default_factory=TextForm)  # of separated text

    @property
    def is_stated_text(self) -> bool:
        """Whether it was said to be rows without names: then its first bytes are a record's, and decide nothing."""
        return self.form.header is False and may_be_text(self.label)

    @property
    def is_database(self) -> bool:
        """Whether it is an address that a query is asked of."""
        return self.url is not None and self.url.startswith(DATABASES)

    def open(self) -> BinaryIO:
        """The raw bytes, from the start."""
        if self.content is not None:
            return io.BytesIO(self.content)
        if self.url is not None:
            with _url_errors(show_address(self.url)):
                return cast(BinaryIO, _fsspec().open(self.url, "rb").open())
        with explain_file_errors(self.label):
            return open(cast(str, self.path), "rb")

    def size(self) -> int:
        """Bytes, 0 where that is not known."""
        if self.content is not None:
            return len(self.content)
        if self.path is not None:
            with explain_file_errors(self.label):
                return os.stat(self.path).st_size
        if self.is_database:
            return 0
        with self.open() as stream:
            return int(getattr(stream, "size", 0) or 0)

    def kind(self) -> str:
        """What kind of file it is, by content."""
        with explain_file_errors(self.label), unpacked(self) as (stream, _):
            head = stream.read(HEAD)
        if head.startswith(ZIP):
            with explain_file_errors(self.label), self.open() as raw:
                return kind_of_archive(raw, self.label)
        return kind_of(head, self.label)


@contextmanager
def explain_file_errors(label: str) -> Iterator[None]:
    """Turn what libraries say about a broken file into one sentence without its content."""
    try:
        yield
    except InputError:
        raise
    except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError, pa.ArrowException):
        raise FileError(
            f"{label} is damaged or cut off in the middle of its compressed content. Copy or download it again.",
            file=label,
        ) from None
    except MemoryError:
        raise FileError(f"{label} does not fit into memory. Give it as Parquet or CSV.", file=label) from None
    except OSError as error:
        damaged = f"cannot be read: it is damaged or cut off ({type(error).__name__}). Copy or download it again."
        raise FileError(f"{label} {_PROBLEMS.get(error.errno or 0, damaged)}", file=label) from None
    except Exception as error:
        if type(error).__module__.split(".")[0] not in _NETWORK:
            raise
        raise FileError(f"the connection to {label} broke off. Check the network and try again.", file=label) from None


_UNPACKED: dict[str, Callable[[BinaryIO], Any]] = {
    "gzip": lambda raw: gzip.GzipFile(fileobj=raw),
    "zstd": lambda raw: pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "zstd"),
    "bzip2": bz2.BZ2File,
    "xz": lzma.LZMAFile,
    "lz4": lambda raw: pa.CompressedInputStream(pa.PythonFile(raw, mode="r"), "lz4"),
}


@contextmanager
def unpacked(place: Place) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """The content of a place, decompressed while it is read, and the raw bytes below (to know how far one is)."""
    raw = place.open()
    try:
        kind = packing(raw.read(8))
        raw.seek(0)
        if place.is_stated_text and not is_packed_name(place.label):
            kind = None
        yield raw if kind is None else cast(BinaryIO, _UNPACKED[kind](raw)), raw
    finally:
        raw.close()


def find_places(source: Any) -> list[Place]:
    """Every file that `source` names, in a fixed order; an error where it names none."""
    if isinstance(source, bytes | bytearray | memoryview):
        return [Place(label="the upload", content=bytes(source))]
    if hasattr(source, "read"):
        return [_from_stream(source)]
    if isinstance(source, str | os.PathLike):
        return _from_text(os.fspath(source))
    if isinstance(source, Sequence):
        if not source:
            raise InputError("the list of files is empty; give at least one.")
        return [place for each in source for place in find_places(each)]
    raise InputError(
        f"a source of type {type(source).__name__} is not understood; give a path, a glob, a folder, a list of these, "
        "a DataFrame or an array of shape (n, 2)."
    )


def is_places(source: Any) -> bool:
    """Whether a source names files (or holds one), rather than being a table in memory."""
    if isinstance(source, str | bytes | bytearray | memoryview | os.PathLike) or hasattr(source, "read"):
        return True
    if isinstance(source, list | tuple):
        return not source or all(is_places(each) for each in source)
    return False


def _from_stream(stream: Any) -> Place:
    label = str(getattr(stream, "name", "") or "the upload")
    if label == "<stdin>":
        label = "standard input"
    elif hasattr(stream, "seek"):
        stream.seek(0)
    content = stream.read()
    if isinstance(content, str):
        content = content.encode()
    return Place(label=show_name(Path(label).name), content=bytes(content))


def _from_text(text: str) -> list[Place]:
    if not text.strip():
        raise InputError("the path is empty; give a file, a folder, a glob or a URL.")
    if "\x00" in text:
        raise InputError("the path holds a NUL character; give the name of a file.")
    if "://" in text and not os.path.exists(text):
        return _from_url(text)
    path = os.path.expanduser(text)
    if os.path.isdir(path):
        return _from_folder(path)
    if not os.path.exists(path) and glob.has_magic(path):
        found = sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))
        if not found:
            raise FileError(f"no file matches {show_name(text)}.", file=text)
        return [Place(label=show_name(os.path.basename(name)), path=os.path.abspath(name)) for name in found]
    if not os.path.exists(path):
        hint = " It is a link to something that is gone, or to itself." if os.path.islink(path) else ""
        if text in ("nyc-taxi", "nyc-trips"):
            hint = f" The embedded city of this name is dpviz.builtin({text!r})."
        raise FileError(f"there is no file {show_name(text)}.{hint} Check the spelling and the folder.", file=text)
    if not os.path.isfile(path):
        raise FileError(
            f"{show_name(text)} is not an ordinary file; send what it gives to standard input (… | dpviz count - …).",
            file=text,
        )
    return [Place(label=show_name(os.path.basename(path)), path=os.path.abspath(path))]


def _from_folder(folder: str) -> list[Place]:
    names: list[str] = []
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "_")))
        names += [os.path.join(root, name) for name in sorted(files)]
    # Pipes, devices and links to them would be waited for; a link that leads nowhere is left to what opening it says.
    ordinary = (name for name in names if os.path.isfile(name) or not os.path.exists(name))
    chosen = [name for name in ordinary if is_data_name(os.path.basename(name))]
    if not chosen:
        raise FileError(f"the folder {show_name(folder)} holds no file of a known kind: {SUPPORTED}.", file=folder)
    return [Place(label=show_name(os.path.relpath(name, folder)), path=os.path.abspath(name)) for name in chosen]


def _from_url(text: str) -> list[Place]:
    label = show_address(text)
    if text.startswith(DATABASES):
        return [Place(label=label, url=text)]
    with _url_errors(label):
        system, path = _fsspec().core.url_to_fs(text)
        if text.startswith(("http://", "https://")):
            return [_from_web(text, label)]
        if glob.has_magic(path):
            paths = sorted(system.glob(path))
        elif system.isdir(path):
            paths = sorted(name for name in system.find(path) if is_data_name(name.rsplit("/", 1)[-1]))
        else:
            paths = [path]
        if not paths:
            raise FileError(f"nothing is found at {label}.", file=label)
        return [Place(label=show_address(name), url=system.unstrip_protocol(name)) for name in paths]


def _from_web(url: str, label: str) -> Place:
    """The file behind an address: read where it lies if the server allows that, else fetched into memory once."""
    try:
        with _fsspec().open(url, "rb").open() as stream:
            stream.seek(max(int(stream.size) - 1, 0))  # needs a server that sends pieces
            stream.read(1)
    except (ValueError, TypeError):  # a server that sends whole files only
        with _fsspec().open(url, "rb", block_size=0).open() as stream:
            return Place(label=label, content=stream.read())
    return Place(label=label, url=url)


def _fsspec() -> Any:
    with extra_needed():
        return importlib.import_module("fsspec")


@contextmanager
def _url_errors(label: str) -> Iterator[None]:
    try:
        yield
    except InputError:
        raise
    except FileNotFoundError:
        raise FileError(f"{label} is not found or not reachable. Check the address and the network.") from None
    except ImportError as error:
        if (known_extra := missing_extra(error)) is not None:
            raise known_extra from None
        missing = (error.name or "").split(".")[0]
        hint = f" (python -m pip install {missing})" if missing else ""
        raise FileError(f"{label} needs a package that is not installed{hint}.", file=label) from None
    except ValueError:
        known = "file://, http://, https://, s3://, gs://, az://"
        raise FileError(f"{label} begins with a protocol that is not known. Known are {known}.", file=label) from None
    except Exception as error:
        raise FileError(
            f"{label} cannot be reached ({type(error).__name__}). Check the address and the network.", file=label
        ) from None


def show_address(url: str) -> str:
    """A URL as it may be printed: without a password or a signed query."""
    scheme, mark, rest = url.split("?", 1)[0].partition("://")
    host, slash, path = (rest if mark else scheme).partition("/")
    return show_name((scheme + mark if mark else "") + host.rsplit("@", 1)[-1] + slash + path)
