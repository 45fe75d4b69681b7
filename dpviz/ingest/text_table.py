"""CSV and its relatives: comma, semicolon, tab or bar; with or without a header; plain or compressed.

The rules look at one row at a time, so that a broken row never spoils its neighbours: a row that is too short or
holds no number where a coordinate should be is unusable, and still a row. Empty lines are no rows.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO

import numpy as np

from dpviz.errors import FileError
from dpviz.ingest._kernels import POWERS, scan_rows
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Wanted, check_columns
from dpviz.ingest.columns import guess_columns
from dpviz.ingest.conversions import plain_number
from dpviz.ingest.sources import HEAD, Place, reading, unpacked

CHUNK = 1 << 23
LONGEST_ROW = 1 << 26
_DOUBTS = 1 << 16
_BOM = b"\xef\xbb\xbf"
_NUMBER = re.compile(r"\s*[-+]?(\d+([.,]\d*)?|[.,]\d+)([eE][-+]?\d+)?\s*")


class TextTable:
    """A file of separated text. The header is read at once, the rows when asked for."""

    kind = "csv"
    geometry: tuple[str, str] | None = None
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with reading(self.label), unpacked(place) as (stream, _):
            head = stream.read(HEAD)
        self.first_byte, self.separator, self.names, self.has_header = _read_head(head, self.label)

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        fields = [self.names.index(column) for column in wanted.all]
        slots = np.full(max(fields) + 1, -1, dtype=np.int64)
        slots[fields] = np.arange(len(fields))
        with reading(self.label), unpacked(self._place) as (stream, raw):
            chunks = _whole_chunks(stream) if part is None else _chunks_between(stream, part, self.first_byte)
            skip = self.first_byte if part is None or part.first_byte <= self.first_byte else 0
            total = max(self.size, 1)
            for batch in self._scan(chunks, skip, slots, wanted):
                share = min(raw.tell() / total, 1.0) if part is None else 1.0
                yield Batch(axes=batch.axes, persons=batch.persons, rows=batch.rows, done=share)

    def parts(self, about_bytes: int) -> list[Part]:
        """Ranges of bytes where that is exact: in a plain file without a single quote, a line is a row."""
        whole = [Part()]
        if not self._place.movable or self.size <= about_bytes * 3 // 2:
            return whole
        with reading(self.label), unpacked(self._place) as (stream, raw):
            if stream is not raw:
                return whole
            while chunk := stream.read(CHUNK):
                if b'"' in chunk:
                    return whole
            size = stream.tell()
        edges = [*range(0, max(size - about_bytes // 2, 1), about_bytes), size]
        return [Part(first_byte=a, last_byte=b) for a, b in pairwise(edges)]

    def _scan(
        self, chunks: Iterator[tuple[bytes, bool]], skip: int, slots: np.ndarray, wanted: Wanted
    ) -> Iterator[Batch]:
        numbers = len(wanted.columns)
        with_text = wanted.person is not None
        values = np.empty((numbers, BATCH_ROWS), dtype=np.float64)
        begins = np.empty(BATCH_ROWS if with_text else 0, dtype=np.int64)
        ends = np.empty_like(begins)
        doubts = np.empty((_DOUBTS, 4), dtype=np.int64)
        rest = b""
        for chunk, final in chunks:
            buffer = rest + chunk if rest else chunk
            data = np.frombuffer(buffer, dtype=np.uint8)
            at, skip = min(skip, len(buffer)), max(skip - len(buffer), 0)
            while True:
                at, rows, doubted = scan_rows(
                    data,
                    at,
                    len(data),
                    final,
                    self.separator,
                    slots,
                    numbers,
                    True,
                    POWERS,
                    values,
                    begins,
                    ends,
                    doubts,
                )
                for slot, row, begin, end in doubts[:doubted]:
                    values[slot, row] = plain_number(buffer[begin:end])
                if rows == 0:
                    break
                keys = None
                if wanted.hashed is not None and with_text:
                    keys = wanted.hashed.keys(data, begins[:rows], ends[:rows])
                yield Batch(axes=tuple(values[:, :rows]), persons=keys, rows=rows, done=0.0)
            rest = buffer[at:]
            if len(rest) > LONGEST_ROW:
                raise FileError(
                    f"{self.label} holds a line of more than 64 MB; it is no table of records.", file=self.label
                )


def _whole_chunks(stream: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """The content in pieces; the last one, which may be empty, is marked."""
    while chunk := stream.read(CHUNK):
        yield chunk, False
    yield b"", True


def _chunks_between(stream: BinaryIO, part: Part, header_end: int) -> Iterator[tuple[bytes, bool]]:
    """The lines that begin in [first_byte, last_byte): only for files without quotes, read from their plain bytes."""
    start, stop = part.first_byte, part.last_byte
    if stop is None:
        yield from _whole_chunks(stream)
        return
    if stop <= header_end:
        return
    if start <= header_end:
        start = 0
    else:  # a line belongs to the range in which its first byte lies
        stream.seek(start - 1)
        start = start - 1 + _skip_line(stream)
    stream.seek(start)
    at = start
    while at < stop:
        chunk = stream.read(min(CHUNK, stop - at))
        if not chunk:
            break
        at += len(chunk)
        yield chunk, False
    if at >= stop and start < stop:
        stream.seek(stop - 1)
        size = _skip_line(stream)
        stream.seek(stop)
        yield stream.read(size - 1), True
    else:
        yield b"", True


def _skip_line(stream: BinaryIO) -> int:
    """How many bytes lead from here to behind the next end of a line."""
    count = 0
    while chunk := stream.read(4096):
        for end in (b"\n", b"\r"):
            found = chunk.find(end)
            if found >= 0:
                ends = [place for place in (chunk.find(b"\n"), chunk.find(b"\r")) if place >= 0]
                return count + min(ends) + 1
        count += len(chunk)
    return count


def _read_head(head: bytes, label: str) -> tuple[int, int, tuple[str, ...], bool]:
    """Where the rows begin, the separator, the names of the columns, and whether they stand in the file."""
    start = len(_BOM) if head.startswith(_BOM) else 0
    chosen = None
    line, end = _first_line(head, start)
    marked = re.fullmatch(rb"sep=(.)\s*", line)
    if marked:  # how Excel says which separator follows
        chosen = marked[1].decode("latin-1")
        start = end
        line, end = _first_line(head, start)
    if not line.strip():
        raise FileError(f"{label} is empty. Give a file with a line of column names and rows of records.", file=label)
    if end == len(head) and len(head) >= HEAD:
        raise FileError(f"the first line of {label} is longer than 64 kB; it is no table of records.", file=label)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    separator = chosen or _guess_separator(text)
    try:
        names = tuple(name.strip() for name in next(csv.reader([text], delimiter=separator)))
    except (csv.Error, StopIteration, TypeError):
        raise FileError(
            f"the first line of {label} cannot be read as names of columns; it is no table of text, or is damaged. "
            "Give CSV with a line of column names.",
            file=label,
        ) from None
    numeric = sum(_NUMBER.fullmatch(name) is not None for name in names)
    if (numeric >= 2 or numeric == len(names)) and not guess_columns(names).candidates:
        return start, ord(separator), tuple(f"column_{i + 1}" for i in range(len(names))), False
    return end, ord(separator), names, True


def _first_line(head: bytes, start: int) -> tuple[bytes, int]:
    """The first line that is not empty, and where the next one begins; quotes may hold line ends."""
    while start < len(head) and head[start] in b"\r\n":
        start += 1
    quoted = False
    at = start
    while at < len(head) and (quoted or head[at] not in b"\r\n"):
        quoted ^= head[at] == 0x22
        at += 1
    if quoted:  # a quote that never closes is an ordinary character
        found = re.search(rb"[\r\n]", head[start:])
        at = start + found.start() if found else len(head)
    end = at
    if head[at : at + 2] == b"\r\n":
        end += 2
    elif at < len(head):
        end += 1
    return head[start:at], end


def _guess_separator(header: str) -> str:
    outside = re.sub(r'"[^"]*"', "", header)
    counts = {separator: outside.count(separator) for separator in (",", ";", "\t", "|")}
    return max(counts, key=lambda separator: counts[separator])
