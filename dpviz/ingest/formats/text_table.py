"""Separated text: comma, semicolon, tab or bar; with or without a header; plain or compressed.

The line of column names, or what the curator states (`TextForm`), decides how rows are read, and no row decides how
another one is read. A row that is too short, or holds no number for a coordinate, is unusable and still a row.
"""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import BinaryIO

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.errors import AmbiguousColumns, FileError
from dpviz.ingest._kernels import POWERS, scan_rows
from dpviz.ingest.batches import BATCH_ROWS, Batch, FileTable, Part, Wanted
from dpviz.ingest.columns import guess_columns
from dpviz.ingest.conversions import plain_number
from dpviz.ingest.sources import HEAD, Place, explain_file_errors, unpacked

CHUNK = 1 << 23
LONGEST_ROW = 1 << 26
COUNTED_NAMES = tuple(f"column_{place}" for place in range(1, 101))  # of rows without a line of names
_DOUBTS = 1 << 16
_LARGEST_STOPS = 1 << 29
_BOM = b"\xef\xbb\xbf"
_WHOLE_FIELD = re.compile(rb'"(?:[^"]|"")*+"(?=[,;|\t\r\n])')
_LINE_END = re.compile(rb"[\r\n]")
_NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*")


class TextTable(FileTable):
    """A file of separated text. The header is read at once, the rows when asked for."""

    def __init__(self, place: Place, kind: str = "csv") -> None:
        super().__init__(place, kind)
        with explain_file_errors(self.label), unpacked(place) as (stream, _):
            head = stream.read(HEAD)
        form = place.form
        if form.header is False and form.separator is not None:
            self.first_byte, self.separator = len(_BOM) if head.startswith(_BOM) else 0, ord(form.separator)
            self.names_begin, self.names, self.has_header = self.first_byte, COUNTED_NAMES, False
            self._fields = 1 + _first_line(head, self.first_byte)[0].count(form.separator.encode())
        else:
            self.names_begin, self.first_byte, self.separator, self.names = _read_head(head, self.label, form.separator)
            self.has_header = form.header is True or _names_columns(self.names)
        self.knows_names = not self.is_counted and (form.header is True or bool(guess_columns(self.names).candidates))

    @property
    def is_counted(self) -> bool:
        """Whether its columns have no names and are counted, as was stated."""
        return self.names is COUNTED_NAMES

    @property
    def shown_names(self) -> tuple[str, ...]:
        """Of counted columns those that the first row has; a first line that may be a record is refused."""
        self.refuse_unless_named(())
        return self.names[: self._fields] if self.is_counted else self.names

    def refuse_unless_named(self, columns: Sequence[str]) -> None:
        """The first line may be a record: it is read as names only where these columns stand in it."""
        if not (self.has_header or self.is_counted) and (not columns or not set(columns) <= set(self.names)):
            raise AmbiguousColumns(
                f"{self.label} has no line of column names. Add one; or say how its rows are written and count its "
                "columns from 1: header=False, separator=';', decimal=',', lon='column_1', lat='column_2' (--no-header "
                "--separator ';' --decimal ',' --lon column_1 --lat column_2). Nothing of that is taken from the rows.",
                candidates=(),
            )

    def check(self, columns: Sequence[str]) -> None:
        self.refuse_unless_named(columns)
        super().check(columns)

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        numbers, texts = len(wanted.columns), wanted.all[len(wanted.columns) :]
        fields = [self.names.index(column) for column in wanted.all]
        slots = np.full(max(fields) + 1, -1, dtype=np.int64)
        slots[fields] = np.arange(len(fields))
        part = Part() if part is None else part
        with explain_file_errors(self.label), unpacked(self.place) as (stream, raw):
            chunks = _chunks_between(stream, part, self.first_byte)
            skip = self.first_byte if part.first_byte <= self.first_byte else 0
            for data, values, begins, ends in self._scan(chunks, skip, slots, numbers, len(texts)):
                slices = {name: (data, begins[at], ends[at]) for at, name in enumerate(texts)}
                keys = None
                if wanted.hashed is not None and wanted.person is not None:
                    keys = wanted.hashed.keys(*slices[wanted.person])
                yield Batch(
                    axes=tuple(values),
                    persons=keys,
                    rows=values.shape[1],
                    done=min(raw.tell() / max(self.size, 1), 1.0),
                    attributes=tuple(bytes_of_slices(*slices[name]) for name in wanted.attributes),
                )

    def parts(self, about_bytes: int) -> list[Part]:
        """Ranges of bytes where that is exact: in a plain file without a single quote, a line is a row."""
        whole = [Part()]
        if self.place.content is not None or self.size <= about_bytes * 3 // 2:
            return whole
        with explain_file_errors(self.label), unpacked(self.place) as (stream, raw):
            if stream is not raw:
                return whole
            while chunk := stream.read(CHUNK):
                if b'"' in chunk:
                    return whole
            size = stream.tell()
        edges = [*range(0, max(size - about_bytes // 2, 1), about_bytes), size]
        return [Part(first_byte=a, last_byte=b) for a, b in pairwise(edges)]

    def _scan(
        self, chunks: Iterator[tuple[bytes, bool]], skip: int, slots: NDArray[np.int64], numbers: int, texts: int
    ) -> Iterator[tuple[NDArray[np.uint8], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]]:
        """The buffer, numbers (one row of them a column), and where texts begin and end (one row a text column)."""
        comma = self.place.form.decimal != "."
        values = np.empty((numbers, BATCH_ROWS), dtype=np.float64)
        begins = np.empty((texts, BATCH_ROWS), dtype=np.int64)
        ends = np.empty_like(begins)
        doubts = np.empty((_DOUBTS, 4), dtype=np.int64)
        rest = b""
        for chunk, final in chunks:
            buffer = rest + chunk if rest else chunk
            data = np.frombuffer(buffer, dtype=np.uint8)
            at, skip = min(skip, len(buffer)), max(skip - len(buffer), 0)
            while True:
                at, rows, doubted = scan_rows(
                    data, at, len(data), final, self.separator, slots, numbers, comma, POWERS, values, begins, ends,
                    doubts,
                )  # fmt: skip
                for slot, row, begin, end in doubts[:doubted]:
                    values[slot, row] = plain_number(buffer[begin:end], comma)
                if rows == 0:
                    break
                yield data, values[:, :rows], begins[:, :rows], ends[:, :rows]
            rest = buffer[at:]
            if len(rest) > LONGEST_ROW:
                raise FileError(
                    f"{self.label} holds a line of more than 64 MB; it is no table of records.", file=self.label
                )


def open_stops(place: Place, kind: str) -> TextTable:
    """The table of stops in a GTFS archive."""
    with place.open() as stream, zipfile.ZipFile(stream) as archive:
        (name,) = [name for name in archive.namelist() if name.lower() == "stops.txt"]
        entry = archive.getinfo(name)
        if entry.file_size > _LARGEST_STOPS:
            raise FileError(
                f"{place.label} says that its stops.txt is larger than any list of stops.", file=place.label
            )
        return TextTable(Place(label=f"stops.txt of {place.label}", content=archive.read(entry)))


def _chunks_between(stream: BinaryIO, part: Part, header_end: int) -> Iterator[tuple[bytes, bool]]:
    """The content in pieces; the last one, which is empty, is marked.

    Of a part the lines that begin in [first_byte, last_byte): only for files without quotes, read as plain bytes.
    """
    if part.last_byte is None:
        while chunk := stream.read(CHUNK):
            yield chunk, False
    elif part.last_byte > header_end:
        at = 0 if part.first_byte <= header_end else _next_line(stream, part.first_byte)
        stop = _next_line(stream, part.last_byte)
        stream.seek(at)
        while chunk := stream.read(max(min(CHUNK, stop - at), 0)):
            at += len(chunk)
            yield chunk, False
    yield b"", True


def _next_line(stream: BinaryIO, at: int) -> int:
    """Where the first line begins that does so at this byte or behind it."""
    at -= 1
    stream.seek(at)
    while chunk := stream.read(4096):
        if found := _LINE_END.search(chunk):
            return at + found.end()
        at += len(chunk)
    return at


def _read_head(head: bytes, label: str, stated: str | None) -> tuple[int, int, int, tuple[str, ...]]:
    """Where names begin, where rows do, the separator, the names. Nothing behind the first line plays a part."""
    start = len(_BOM) if head.startswith(_BOM) else 0
    line, end = _first_line(head, start)
    marked = re.fullmatch(rb"sep=(.)\s*", line)
    if marked:  # how Excel says which separator follows
        stated = stated or marked[1].decode("latin-1")
        start = end
        line, end = _first_line(head, start)
    for fault, sentence in (
        (not line.strip(), "{} is empty. Give a file with a line of column names and rows of records."),
        (end == len(head) >= HEAD, "the first line of {} is longer than 64 kB; it is no table of records."),
        (
            _open_quote(line) is not None,
            "a quote in the first line of {} is not closed there. Write the names of the columns in one line.",
        ),
    ):
        if fault:
            raise FileError(sentence.format(label), file=label)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    separator = stated or _guess_separator(text)
    try:
        names = tuple(name.strip() for name in next(csv.reader([text], delimiter=separator)))
    except (csv.Error, StopIteration, TypeError):
        raise FileError(
            f"the first line of {label} cannot be read as names of columns; it is no table of text, or is damaged. "
            "Give CSV with a line of column names.",
            file=label,
        ) from None
    return start, end, ord(separator), names


def _names_columns(names: Sequence[str]) -> bool:
    """Whether a first line is likely to hold names: known ones, or not several numbers."""
    numeric = sum(_NUMBER.fullmatch(name) is not None for name in names)
    return not (numeric >= 2 or numeric == len(names)) or bool(guess_columns(names).candidates)


def _first_line(head: bytes, start: int) -> tuple[bytes, int]:
    """The first line that is not empty, and where the next one begins; whole quoted fields may hold line ends."""
    while start < len(head) and head[start] in b"\r\n":
        start += 1
    at = _line_end(head, start)
    while (opened := _open_quote(head[start:at])) is not None:
        field = _WHOLE_FIELD.match(head, start + opened)
        if field is None:  # rows would decide where it ends
            break
        at = _line_end(head, field.end())
    return head[start:at], min(at + (2 if head[at : at + 2] == b"\r\n" else 1), len(head))


def _line_end(head: bytes, start: int) -> int:
    found = _LINE_END.search(head, start)
    return found.start() if found else len(head)


def _open_quote(line: bytes) -> int | None:
    """Where a field begins with a quote that is not closed in this line."""
    at = 0
    while (found := re.compile(rb'(?:^|[,;|\t])"').search(line, at)) is not None:
        field = re.compile(rb'"(?:[^"]|"")*+"').match(line, found.end() - 1)
        if field is None:
            return found.end() - 1
        at = field.end()
    return None


def bytes_of_slices(data: NDArray[np.uint8], begins: NDArray[np.int64], ends: NDArray[np.int64]) -> pa.Array:
    """Slices of a buffer as an Arrow column of bytes."""
    sizes = ends - begins
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    content = data[np.repeat(begins - offsets[:-1], sizes) + np.arange(offsets[-1])]
    return pa.Array.from_buffers(pa.large_binary(), len(sizes), [None, pa.py_buffer(offsets), pa.py_buffer(content)])


def _guess_separator(header: str) -> str:
    outside = re.sub(r'"[^"]*"', "", header)
    return max((",", ";", "\t", "|"), key=outside.count)
