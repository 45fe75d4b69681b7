"""A PostgreSQL database by a query: rows as they come, nothing written, no password told. SQLite stands in for it."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest

from dpviz.cli.parameters.options import dataset_name
from dpviz.errors import FileError
from dpviz.ingest import read_counts
from dpviz.ingest.sources import find_places

ADDRESS = "postgresql://anna:hunter2@db.example.org:5432/city?sslpassword=hunter2"


class Connection:
    """As much of psycopg's as is used; a query of sleeping tables is refused as a server refuses it."""

    read_only = False

    def __init__(self) -> None:
        self._base = sqlite3.connect(":memory:")
        self._base.execute("CREATE TABLE trips (lon REAL, lat TEXT, rider TEXT)")
        rows = [(11.5, "43.5", f"r{number % 3}") for number in range(60_000)]
        self._base.executemany("INSERT INTO trips VALUES (?, ?, ?)", [*rows, (99.0, "43.5", "r9"), (None, "x", "r9")])

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    @contextmanager
    def cursor(self, name: str) -> Iterator[sqlite3.Cursor]:
        assert self.read_only and name, "a cursor on the server, in a transaction that cannot write"
        yield self._base.cursor()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def connect(address: str, **_: Any) -> Connection:
        asked.append(address)
        if "gone" in address:
            raise sqlite3.OperationalError("no route to 43.5, 11.5")
        return Connection()

    library = ModuleType("psycopg")
    library.__dict__.update(connect=connect, Error=sqlite3.Error, OperationalError=sqlite3.OperationalError)
    monkeypatch.setitem(sys.modules, "psycopg", library)
    return asked


def _total(address: str = ADDRESS, **stated: Any) -> int:
    return read_counts(address, box=(11.0, 43.0, 12.0, 44.0), side=16, **stated).exact_total


@pytest.mark.usefixtures("server")
def test_the_rows_of_a_query_are_counted_with_their_persons() -> None:
    assert _total(query="SELECT lon, lat FROM trips;", protect="record") == 60_000
    assert _total(query="SELECT * FROM trips", person="rider", cap=2) == 6


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("query", [None, " ", "SELECT nothing FROM trips", "not a query"])
def test_what_cannot_be_asked_is_one_sentence_without_password_or_row(query: str | None) -> None:
    with pytest.raises(FileError) as refused:
        _total(query=query, protect="record")
    assert "db.example.org" in refused.value.message and "hunter2" not in refused.value.message
    with pytest.raises(FileError, match="cannot be reached") as away:
        _total(ADDRESS.replace("db.", "gone."), query="SELECT 1", protect="record")
    assert "43.5" not in away.value.message


def test_without_the_package_the_sentence_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(FileError, match=r"psycopg\[binary\]"):
        _total(query="SELECT 1")


def test_an_address_gives_its_password_to_no_name() -> None:
    assert dataset_name([ADDRESS]) == "city"
    assert dataset_name(["postgresql://anna:hunter2@db.example.org"]) == "db.example.org"
    assert dataset_name(["https://example.org/trips.csv?signature=hunter2"]) == "trips.csv"
    assert "hunter2" not in repr(find_places(ADDRESS))
