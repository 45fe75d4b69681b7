"""A DuckDB database by table or query, through the package duckdb. Opened so that it cannot be changed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from dpviz.errors import FileError, show_name
from dpviz.ingest.batches import Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.formats.memory_table import texts_of
from dpviz.ingest.sources import Place

_ROWS = 50_000


class DuckTable:
    """One table, view or query of a DuckDB file."""

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
