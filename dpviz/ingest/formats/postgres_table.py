"""A PostgreSQL (PostGIS) database by a query, through the package psycopg, in one transaction that cannot write."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dpviz.errors import FileError
from dpviz.ingest.batches import Batch, Part, Wanted, check_columns
from dpviz.ingest.conversions import numbers_of, person_keys
from dpviz.ingest.formats.memory_table import texts_of
from dpviz.ingest.sources import Place

_ROWS = 50_000
_SECONDS = 20  # to reach the database


class PostgresTable:
    """The rows of one query. Its text is run as it stands, by the rights of the user whom the address names."""

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
