"""Tables and queries of SQLite, DuckDB and PostgreSQL databases; never written to."""

from __future__ import annotations

import importlib
import sqlite3
from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

from dpviz.errors import FileError, show_name
from dpviz.ingest.batches import Batch, FileTable, Part, Wanted
from dpviz.ingest.sources import Place

_ROWS = 50_000
_SECONDS = 20  # to reach a PostgreSQL server
_SELECT = "SELECT {columns} FROM ({query}) AS chosen"

Run = Callable[[str], Any]  # a query to a cursor


class DatabaseTable(FileTable):
    """One table, view or query of a database."""

    listing = ""  # the query for the names of all tables and views

    def __init__(self, place: Place, kind: str) -> None:
        super().__init__(place, kind)
        with self.connected() as run:
            self.query = (place.query or "").strip().rstrip(";") or f"SELECT * FROM {_quoted(self._chosen(run))}"
            cursor = run(_SELECT.format(columns="*", query=self.query) + " LIMIT 0")
            cursor.fetchall()  # a cursor on a server knows its columns only then
            self.names = tuple(str(column[0]) for column in cursor.description)

    @abstractmethod
    def connected(self) -> AbstractContextManager[Run]:
        """Connect so that nothing can be changed; what the library says may hold rows and is not passed on."""

    def read(self, wanted: Wanted, part: Part | None) -> Iterator[Batch]:
        with self.connected() as run:
            cursor = run(_SELECT.format(columns=", ".join(map(_quoted, wanted.all)), query=self.query))
            while rows := cursor.fetchmany(_ROWS):
                yield self.batch_of_rows(rows, wanted)

    def _chosen(self, run: Run) -> str:
        tables = sorted(str(name) for (name,) in run(self.listing).fetchall())
        wanted = self.place.layer
        if wanted is None and len(tables) == 1:
            return tables[0]
        if wanted not in tables:
            shown = ", ".join(repr(show_name(name)) for name in tables[:20]) or "none"
            raise FileError(
                f"{self.label} is a database with the tables {shown}. Say which (layer, --layer), or give a query "
                "(query, --query).",
                file=self.label,
            )
        return wanted

    def refusal(self, text: str) -> FileError:
        """An error about this database."""
        return FileError(f"{self.label}{text}", file=self.label)


class SqliteTable(DatabaseTable):
    """An SQLite file, opened so that it cannot be changed."""

    listing = r"SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\'"

    @contextmanager
    def connected(self) -> Iterator[Run]:
        try:
            with closing(self._connection()) as connection:
                connection.execute("PRAGMA query_only = ON")
                yield connection.execute
        except sqlite3.Error as error:
            what = "the query cannot be run" if self.place.query is not None else "it is damaged or no SQLite database"
            raise self.refusal(f": {what} ({type(error).__name__}).") from None

    def _connection(self) -> sqlite3.Connection:
        if self.place.path is not None:
            return sqlite3.connect(f"{Path(self.place.path).as_uri()}?mode=ro", uri=True)
        connection = sqlite3.connect(":memory:")
        with self.place.open() as stream:
            connection.deserialize(stream.read())
        return connection


class DuckTable(DatabaseTable):
    """A DuckDB file, read through the package duckdb."""

    listing = "SELECT table_name FROM information_schema.tables"

    @contextmanager
    def connected(self) -> Iterator[Run]:
        try:
            library: Any = importlib.import_module("duckdb")
        except ImportError:
            raise self.refusal(
                " is a DuckDB database; reading it needs duckdb: python -m pip install duckdb. "
                "Or export the points: COPY … TO 'trips.parquet'."
            ) from None
        if self.place.path is None:
            raise self.refusal(": a DuckDB database is read from a file on this computer.")
        try:  # a query may read this file and no other, and load nothing
            connection = library.connect(self.place.path, read_only=True, config={"enable_external_access": "false"})
        except library.Error as error:
            raise self.refusal(f" cannot be opened by DuckDB ({type(error).__name__}).") from None
        try:
            with closing(connection):
                yield connection.execute
        except library.Error as error:
            raise self.refusal(f": the query cannot be run ({type(error).__name__}).") from None


class PostgresTable(DatabaseTable):
    """The rows of one query, through the package psycopg, in a read-only transaction.

    The query is run with the rights of the user that the address names.
    """

    @contextmanager
    def connected(self) -> Iterator[Run]:
        if not (self.place.query or "").strip():
            raise self.refusal(
                " is a database; give a query (query, --query) such as "
                '"SELECT ST_X(ST_Transform(geom, 4326)) AS lon, ST_Y(ST_Transform(geom, 4326)) AS lat FROM trips".'
            )
        try:
            library: Any = importlib.import_module("psycopg")
        except ImportError:
            raise self.refusal(
                " is a PostgreSQL database; reading it needs psycopg: python -m pip install 'psycopg[binary]'. "
                "Or export the points: COPY (SELECT …) TO STDOUT WITH CSV HEADER."
            ) from None
        try:
            with library.connect(self.place.url, connect_timeout=_SECONDS) as connection:
                connection.read_only = True
                with connection.cursor(name="dpviz") as cursor:
                    yield cursor.execute  # which returns the cursor, as those of the other libraries do
        except library.Error as error:
            away = isinstance(error, library.OperationalError)
            away = away and getattr(error, "sqlstate", None) in (None, "28P01", "28000")
            what = "cannot be reached, or refuses this user" if away else "cannot run the query"
            raise self.refusal(f" {what} ({type(error).__name__}).") from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
