"""Tables and queries of SQLite, DuckDB and PostgreSQL databases, and Arrow (Feather) files; never written to."""

from __future__ import annotations

import importlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from dpviz.errors import FileError, show_name
from dpviz.ingest.batches import BATCH_ROWS, Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.formats.memory_table import texts_of
from dpviz.ingest.formats.parquet_table import well_known_point
from dpviz.ingest.sources import Place, explain_file_errors

_ROWS = 50_000
_SECONDS = 20  # to reach a PostgreSQL server


class SqliteTable:
    """One table or query of an SQLite file, opened so that it cannot be changed."""

    kind = "sqlite"
    has_header = True
    geometry: tuple[str, str] | None = None
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with self._opened() as connection:
            self._query = self._chosen(connection)
            with closing(connection.execute(f"SELECT * FROM ({self._query}) LIMIT 0")) as cursor:
                self.names = tuple(str(column[0]) for column in cursor.description)

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        places = [self.names.index(name) for name in wanted.all]
        with self._opened() as connection, closing(connection.execute(self._query)) as cursor:
            while rows := cursor.fetchmany(_ROWS):
                columns = [texts_of([row[place] for row in rows]) for place in places]
                axes = tuple(numbers_of(columns[i], self.label, name) for i, name in enumerate(wanted.columns))
                keys = None
                if wanted.person is not None and wanted.hashed is not None:
                    keys = person_keys(columns[-1], wanted.hashed, self.label, wanted.person)
                yield Batch(axes=axes, persons=keys, rows=len(rows), done=0.0)

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    def _chosen(self, connection: sqlite3.Connection) -> str:
        if self._place.query is not None:
            return self._place.query.strip().rstrip(";")
        listed = connection.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY name")
        tables = [str(name) for (name,) in listed if not str(name).startswith("sqlite_")]
        wanted = self._place.layer
        if wanted is None and len(tables) == 1:
            wanted = tables[0]
        if wanted not in tables:
            shown = ", ".join(repr(show_name(name)) for name in tables[:20]) or "none"
            raise FileError(
                f"{self.label} is a database with the tables {shown}. Say which (layer, --layer), or give a query "
                "(query, --query).",
                file=self.label,
            )
        return 'SELECT * FROM "' + str(wanted).replace('"', '""') + '"'

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._connection()) as connection:
                connection.execute("PRAGMA query_only = ON")
                yield connection
        except sqlite3.Error as error:
            what = "the query cannot be run" if self._place.query is not None else "it is damaged or no SQLite database"
            raise FileError(f"{self.label}: {what} ({type(error).__name__}).", file=self.label) from None

    def _connection(self) -> sqlite3.Connection:
        path = self._place.path
        if path is not None:
            return sqlite3.connect(f"{Path(path).as_uri()}?mode=ro", uri=True)
        connection = sqlite3.connect(":memory:")
        with self._place.open() as stream:
            connection.deserialize(stream.read())
        return connection


class ArrowTable:
    """One Arrow IPC file, which is what Feather is today."""

    kind = "arrow"
    has_header = True
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with self._opened() as file:
            schema = file.schema
            self.pieces = int(file.num_record_batches)
        self.well_known: dict[str, tuple[str, int]] = {}
        names: list[str] = []
        for each in schema:
            names.append(each.name)
            if pa.types.is_binary(each.type) or pa.types.is_large_binary(each.type):
                self.well_known |= {f"{each.name}.x": (each.name, 0), f"{each.name}.y": (each.name, 1)}
                names += [f"{each.name}.x", f"{each.name}.y"]
        self.names = tuple(names)
        named = "geometry.x" in self.well_known
        self.geometry: tuple[str, str] | None = ("geometry.x", "geometry.y") if named else None

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        with self._opened() as file:
            for number in range(self.pieces):
                whole = file.get_batch(number)
                for start in range(0, whole.num_rows, BATCH_ROWS):
                    piece = whole.slice(start, BATCH_ROWS)
                    axes = tuple(self._numbers(piece, name) for name in wanted.columns)
                    keys = None
                    if wanted.person is not None and wanted.hashed is not None:
                        keys = person_keys(piece.column(wanted.person), wanted.hashed, self.label, wanted.person)
                    yield Batch(axes=axes, persons=keys, rows=piece.num_rows, done=(number + 1) / self.pieces)

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    def _numbers(self, piece: Any, name: str) -> NDArray[np.float64]:
        if name in self.well_known:
            stored, axis = self.well_known[name]
            return well_known_point(piece.column(stored), axis)
        return numbers_of(piece.column(name), self.label, name)

    @contextmanager
    def _opened(self) -> Iterator[Any]:
        with explain_file_errors(self.label), self._place.open() as raw:
            try:
                yield pa.ipc.open_file(pa.PythonFile(raw, mode="r"))
            except (pa.ArrowException, OSError):
                raise FileError(
                    f"{self.label} is a damaged or cut-off Arrow file. Copy or write it again.", file=self.label
                ) from None


class DuckTable:
    """One table, view or query of a DuckDB file, read through the package duckdb; never written to."""

    kind = "duckdb"
    has_header = True
    geometry: tuple[str, str] | None = None
    crs: str | None = None

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        self.size = place.size()
        with closing(self._opened()) as connection:
            self._query = self._chosen(connection)
            described = self._run(connection, f"SELECT * FROM ({self._query}) LIMIT 0").description
        self.names = tuple(str(column[0]) for column in described)

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        listed = ", ".join(_quoted(name) for name in wanted.all)
        with closing(self._opened()) as connection:
            found = self._run(connection, f"SELECT {listed} FROM ({self._query})")
            while rows := found.fetchmany(_ROWS):
                columns = [texts_of([row[at] for row in rows]) for at in range(len(wanted.all))]
                axes = tuple(numbers_of(columns[at], self.label, name) for at, name in enumerate(wanted.columns))
                keys = None
                if wanted.person is not None and wanted.hashed is not None:
                    keys = person_keys(columns[-1], wanted.hashed, self.label, wanted.person)
                yield Batch(axes=axes, persons=keys, rows=len(rows), done=0.0)

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    def _opened(self) -> Any:
        try:
            library: Any = importlib.import_module("duckdb")
        except ImportError:
            raise FileError(
                f"{self.label} is a DuckDB database; reading it needs duckdb: python -m pip install duckdb. "
                "Or export the points: COPY … TO 'trips.parquet'.",
                file=self.label,
            ) from None
        if self._place.path is None:
            raise FileError(f"{self.label}: a DuckDB database is read from a file on this computer.", file=self.label)
        try:  # a query may read this file and no other, and load nothing
            return library.connect(self._place.path, read_only=True, config={"enable_external_access": "false"})
        except library.Error as error:
            raise FileError(
                f"{self.label} cannot be opened by DuckDB ({type(error).__name__}).", file=self.label
            ) from None

    def _run(self, connection: Any, query: str) -> Any:
        library: Any = importlib.import_module("duckdb")
        try:
            return connection.execute(query)
        except library.Error as error:
            raise FileError(
                f"{self.label}: the query cannot be run ({type(error).__name__}).", file=self.label
            ) from None

    def _chosen(self, connection: Any) -> str:
        if self._place.query is not None:
            return self._place.query.strip().rstrip(";")
        tables = [
            str(name)
            for (name,) in self._run(connection, "SELECT table_name FROM information_schema.tables").fetchall()
        ]
        wanted = self._place.layer
        if wanted is None and len(tables) == 1:
            wanted = tables[0]
        if wanted not in tables:
            shown = ", ".join(repr(show_name(name)) for name in sorted(tables)[:20]) or "none"
            raise FileError(
                f"{self.label} is a database with the tables {shown}. Say which (layer, --layer), or give a query "
                "(query, --query).",
                file=self.label,
            )
        return f"SELECT * FROM {_quoted(str(wanted))}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class PostgresTable:
    """The rows of one query, through the package psycopg, in a read-only transaction.

    The query is run as it stands, with the rights of the user that the address names.
    """

    kind = "postgresql"
    has_header = True
    geometry: tuple[str, str] | None = None
    crs: str | None = None
    size = 0

    def __init__(self, place: Place) -> None:
        self.place: Place | None = place
        self._place = place
        self.label = place.label
        if not (place.query or "").strip():
            raise FileError(
                f"{self.label} is a database; give a query (query, --query) such as "
                '"SELECT ST_X(ST_Transform(geom, 4326)) AS lon, ST_Y(ST_Transform(geom, 4326)) AS lat FROM trips".',
                file=self.label,
            )
        with self._asked(f"SELECT * FROM ({self._query}) AS asked LIMIT 0") as cursor:
            cursor.fetchall()
            self.names = tuple(str(column[0]) for column in cursor.description)

    @property
    def _query(self) -> str:
        return str(self._place.query).strip().rstrip(";")

    def batches(self, wanted: Wanted, part: Part | None = None) -> Iterator[Batch]:
        check_columns(self.label, self.names, wanted.all)
        places = [self.names.index(name) for name in wanted.all]
        with self._asked(self._query) as cursor:
            while rows := cursor.fetchmany(_ROWS):
                columns = [texts_of([row[place] for row in rows]) for place in places]
                axes = tuple(numbers_of(columns[at], self.label, name) for at, name in enumerate(wanted.columns))
                keys = None
                if wanted.person is not None and wanted.hashed is not None:
                    keys = person_keys(columns[-1], wanted.hashed, self.label, wanted.person)
                yield Batch(axes=axes, persons=keys, rows=len(rows), done=0.0)

    def parts(self, about_bytes: int) -> list[Part]:
        return [Part()]

    @contextmanager
    def _asked(self, query: str) -> Iterator[Any]:
        """A cursor on the server: rows come as they are wanted. What the library says may hold rows and is not told."""
        try:
            library: Any = importlib.import_module("psycopg")
        except ImportError:
            raise FileError(
                f"{self.label} is a PostgreSQL database; reading it needs psycopg: python -m pip install "
                "'psycopg[binary]'. Or export the points: COPY (SELECT …) TO STDOUT WITH CSV HEADER.",
                file=self.label,
            ) from None
        try:
            with library.connect(self._place.url, connect_timeout=_SECONDS) as connection:
                connection.read_only = True
                with connection.cursor(name="dpviz") as cursor:
                    cursor.execute(query)
                    yield cursor
        except library.Error as error:
            what = "cannot be reached, or refuses this user" if _is_away(library, error) else "cannot run the query"
            raise FileError(f"{self.label} {what} ({type(error).__name__}).", file=self.label) from None


def _is_away(library: Any, error: Exception) -> bool:
    return isinstance(error, library.OperationalError) and getattr(error, "sqlstate", None) in (None, "28P01", "28000")
