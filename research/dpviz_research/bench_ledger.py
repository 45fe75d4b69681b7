"""Throughput of the ledger beside the plain tables of its first format, in one run: charges, and opening."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ledger.file import LedgerFile
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.rows import Amount, ChargeRow, canonical, now
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.registration import register

Rows = list[dict[str, Any]]
_FACTS = {"k": 5, "epsilon": "0.001", "delta": "0.0", "method": "uniform_grid", "purpose": "release"}
# The first format: two plain tables, the same two transactions, no chain, no claim, no notes outside.
_PLAIN = """
CREATE TABLE charges (number INTEGER PRIMARY KEY AUTOINCREMENT, dataset TEXT NOT NULL, key TEXT NOT NULL UNIQUE,
    purpose TEXT NOT NULL, epsilon TEXT NOT NULL, delta TEXT NOT NULL, request TEXT NOT NULL, who TEXT NOT NULL,
    why TEXT NOT NULL, created TEXT NOT NULL);
CREATE TABLE names (asked TEXT PRIMARY KEY, key TEXT NOT NULL);
CREATE TABLE stored (key TEXT PRIMARY KEY, outcome TEXT NOT NULL, created TEXT NOT NULL);
"""


def ledger(*, quick: bool = False) -> Rows:
    """Seconds for a charge with its two transactions, old and new in turns, on ledgers of several lengths; opening."""
    rows, step = [], 20 if quick else 50
    with tempfile.TemporaryDirectory() as folder, _own_data(Path(folder) / "data"):
        dataset, plain = _dataset(Path(folder)), _plain(Path(folder) / "plain.sqlite3")
        number = 0
        for length in (0, 100) if quick else (0, 500, 1500):
            while number < length:
                number = _both(dataset, plain, number, 1)[0]
            number, new, old = _both(dataset, plain, number, step)
            rows.append(
                {
                    "charges_before": length,
                    "seconds_a_charge": round(new, 5),
                    "first_format_seconds": round(old, 5),
                    "times_as_long": round(new / old, 2),
                    "open_seconds_first_time": round(_timed(lambda: _opened(dataset.ledger, forget=True)), 4),
                    "open_seconds_again": round(_timed(lambda: _opened(dataset.ledger, forget=False)), 4),
                }
            )
    return rows


def _both(dataset: Dataset, plain: Path, number: int, step: int) -> tuple[int, float, float]:
    """A step of charges into each, in turns, so that both see the same load; seconds a charge, new and old."""
    new = old = 0.0
    for _ in range(step):
        number += 1
        key = f"{number:032x}"
        new += _timed(lambda key=key: _charge(dataset, key))  # type: ignore[misc]
        old += _timed(lambda key=key: _plain_charge(plain, key))  # type: ignore[misc]
    return number, new / step, old / step


def _charge(dataset: Dataset, key: str) -> None:
    row = ChargeRow(
        number=0,
        dataset=dataset.name,
        key=key,
        purpose="release",
        amount=Amount.of(Budget(epsilon=0.001)),
        request_facts=_FACTS,
        who="",
        why="",
        created=now(),
        stored=False,
    )
    dataset.ledger.reserve(row, key, key)
    dataset.ledger.mark_stored(key, "answer", "0" * 64)


def _plain_charge(path: Path, key: str) -> None:
    for part in ("charge", "stored"):
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("BEGIN IMMEDIATE")
            if part == "charge":
                spent = [
                    Amount.parse(epsilon, delta)
                    for epsilon, delta in connection.execute(
                        "SELECT epsilon, delta FROM charges WHERE dataset = 'trips'"
                    )
                ]
                assert Amount.of(Budget(epsilon=90.0)).covers(Amount.total(spent))
                values = ("trips", key, "release", "0.001", "0.0", canonical(_FACTS), "", "", now())
                connection.execute(
                    "INSERT INTO charges (dataset, key, purpose, epsilon, delta, request, who, why, created) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    values,
                )
                connection.execute("INSERT OR IGNORE INTO names VALUES (?, ?)", (key, key))
            else:
                connection.execute("INSERT OR IGNORE INTO stored VALUES (?, ?, ?)", (key, "answer", now()))
            connection.execute("COMMIT")


def _dataset(folder: Path) -> Dataset:
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16), [[1] * 16] * 16)
    return register("trips", counts, total=Budget(epsilon=90.0), ledger=folder / "ledger.sqlite3")


def _plain(path: Path) -> Path:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(_PLAIN)
    return path


def _opened(book: Ledger, *, forget: bool) -> None:
    if forget:  # as another process opens it
        LedgerFile.forget()
    Ledger(book.path)


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


@contextlib.contextmanager
def _own_data(folder: Path) -> Any:
    """Notes on the benchmark's ledger do not stay in the user's data folder."""
    before = os.environ.get("DPVIZ_DATA")
    os.environ["DPVIZ_DATA"] = str(folder)
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("DPVIZ_DATA", None)
        else:
            os.environ["DPVIZ_DATA"] = before
