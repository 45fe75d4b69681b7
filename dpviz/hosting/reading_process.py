"""The parent side of a reading: start the subprocess (`reader`), follow its progress, cancel it, take its counts."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid, Unit
from dpviz.domain.counts import LevelCounts, TracedCounts
from dpviz.domain.parts import Parts
from dpviz.domain.traces import Traces
from dpviz.errors import FileError, InputError
from dpviz.hosting.config import Limits
from dpviz.ingest.sources import TextForm

if TYPE_CHECKING:
    from dpviz.ingest.periods import PeriodRows

SIDE = 1024
OWN_LIMITS = Limits(file_mb=10**7, rows=10**12, memory_mb=10**7, seconds=7 * 86_400, readings_at_once=8)  # at home
_AT_ONCE: dict[int, threading.BoundedSemaphore] = {}
_BUSY = "{number} readings are under way, as many as there may be here. Try again in a while."


@dataclass(frozen=True, kw_only=True)
class Given:
    """What is read: a place, or the bytes of an upload."""

    name: str
    place: str = ""
    content: bytes | None = None
    is_own: bool = False  # at home the curator chose the place: errors name it, and links are followed


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is stated about data before they are read: all of it public."""

    box: str = ""
    lon: str = ""
    lat: str = ""
    person: str = ""
    cap: int = 0
    side: int = SIDE
    strict: bool = False
    crs: str = ""  # how coordinates are written that are no degrees
    separator: str = ""  # of rows without a line of column names, with the decimal sign
    decimal: str = ""
    time: str = ""  # the column that parts by time are told from
    window: str = ""  # of one person's own track: one fix of each hour or day is kept
    hidden: str = ""  # its hidden places, one a line
    level: str = ""  # the column in which each row says how much it may tell
    level_scale: str = ""
    period: PeriodRows | None = None  # of a series: the rows of that period alone
    parts: Parts | None = None  # apart for each of these, on their sheet

    @property
    def grid(self) -> Grid:
        """What is counted on."""
        return Grid(GeoBox.parse(self.box), self.side) if self.parts is None else self.parts.sheet

    @property
    def form(self) -> TextForm:
        """How rows are written that have no line of column names; nothing where they have one."""
        return TextForm(separator=self.separator, decimal=self.decimal, header=False) if self.separator else TextForm()

    def facts(self) -> dict[str, Any]:
        """Plain values, for the reader, the ledger and the list of own data."""
        found = {name: value for name, value in vars(self).items() if value or name not in _SELDOM}
        return found | {name: found[name].facts() for name in ("period", "parts") if name in found}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Wish:
        """How records were read, as it was noted."""
        from dpviz.ingest.periods import PeriodRows

        kinds: dict[str, type[Any]] = {"str": str, "int": int, "bool": bool}  # annotations are texts here
        plain = {one.name: kinds[str(one.type)](facts.get(one.name, one.default)) for one in fields(cls)[:-2]}
        return cls(
            **plain,
            period=PeriodRows.from_facts(facts["period"]) if "period" in facts else None,
            parts=Parts.from_facts(facts["parts"]) if "parts" in facts else None,
        )


# Fields that stand among the facts only where they are stated.
_SELDOM = {one.name for one in fields(Wish)} - {"box", "lon", "lat", "person", "cap", "side", "strict"}


@dataclass(frozen=True, kw_only=True)
class HowRead:
    """How the records of a registered dataset are read again. `source` is empty where they came as an upload."""

    wish: Wish
    source: str
    file: str

    def facts(self) -> dict[str, Any]:
        """Plain values for the ledger."""
        return {**self.wish.facts(), "source": self.source, "file": self.file}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> HowRead:
        """What `facts` wrote."""
        return cls(wish=Wish.from_facts(facts), source=str(facts["source"]), file=str(facts["file"]))


class RunningReading:
    """One reading subprocess. It ends when done, cancelled, or when no reference to this object is left."""

    def __init__(self, given: Given, wish: Wish | None, limits: Limits, coins: int = 0) -> None:
        """`coins`: the ledger's seed for a person cap (Ledger.cap_source), so that the same rows are kept each time."""
        self._limits, self._wish = limits, wish
        self._until = time.monotonic() + limits.seconds
        slots = _AT_ONCE.setdefault(limits.readings_at_once, threading.BoundedSemaphore(limits.readings_at_once))
        if not slots.acquire(blocking=False):
            raise InputError(_BUSY.format(number=limits.readings_at_once))
        try:
            self._program = subprocess.Popen(
                [sys.executable, "-m", "dpviz.hosting.reader"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # a library's own words may hold a row
            )
        except OSError:
            slots.release()
            raise
        asked = {
            "what": "columns" if wish is None else "counts",
            "name": given.name,
            "place": given.place,
            "is_own": given.is_own,
            "upload": None if given.content is None else given.name,
            "bytes": 0 if given.content is None else len(given.content),
            "wish": None if wish is None else wish.facts(),
            "coins": str(coins),
            "file_mb": limits.file_mb,
            "rows": limits.rows,
            "memory_mb": limits.memory_mb,
        }
        weakref.finalize(self, _stop, self._program)
        self._told = _Told()
        talk = (self._program, asked, given.content or b"", self._told, slots)
        threading.Thread(target=_talk, args=talk, name="reading", daemon=True).start()

    @property
    def share(self) -> float:
        """How much of the files is read."""
        return self._told.share

    @property
    def is_done(self) -> bool:
        """Whether it has ended. A reading that exceeds its time limit is ended here."""
        if time.monotonic() > self._until:
            self._end(f"the reading took longer than {self._limits.seconds:,} seconds and was ended.")
        return self._told.over.is_set()

    def wait(self, seconds: float) -> bool:
        """Whether it ends within so many seconds."""
        self._told.over.wait(seconds)
        return self.is_done

    def cancel(self) -> None:
        """End it, unless it has ended. Nothing is left of it."""
        self._end("the reading was cancelled.")

    def _end(self, problem: str) -> None:
        if not self._told.over.is_set():
            self._told.problem = problem
            _stop(self._program)
            self._told.over.wait(10)

    def columns(self) -> Mapping[str, Any]:
        """The names of the columns, and the guess."""
        self._finish()
        return cast(Mapping[str, Any], self._told.answer["columns"])

    def counts(self) -> tuple[ExactCounts, tuple[str, ...]]:
        """What was counted, and hints for the steward."""
        self._finish()
        assert self._wish is not None
        grid, unit = self._wish.grid, Unit.from_facts(self._told.answer["unit"])
        size = 8 * grid.side**2 * max(len(unit.levels), 1)
        cells, traces = self._told.cells[:size], self._told.cells[size:]
        sheets = np.frombuffer(cells, "<i8").reshape(-1, grid.side, grid.side).astype(np.int64)
        # The program that read the files held the cap, so it is not a statement.
        counts: ExactCounts
        if unit.levels:
            counts = LevelCounts(grid, sheets, unit=unit)
        else:
            counts = ExactCounts(grid, ExactCounts.from_array(grid, sheets[0]).to_numpy(), unit=unit)
        if traces:
            counts = TracedCounts.of(counts, Traces.of_bytes(traces, with_persons=unit.person_column is not None))
        return counts, tuple(self._told.answer["hints"])

    @property
    def report(self) -> Mapping[str, Any]:
        """What an open reading says about the rows, for the curator; empty for a strict one."""
        return cast(Mapping[str, Any], self._told.answer["report"])

    @property
    def clock(self) -> str:
        """By which clock the times of a period are written, once it is counted."""
        return str(self._told.answer.get("clock", ""))

    def _finish(self) -> None:
        while not self.wait(0.2):
            pass
        if self._told.problem:
            raise FileError(self._told.problem, suggested_crs=self._told.answer.get("suggested_crs"))


class _Told:
    """What the program has said so far."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.share, self.problem = 0.0, ""
        self.answer: dict[str, Any] = {}
        self.cells = b""


def _talk(
    program: subprocess.Popen[bytes], asked: Any, content: bytes, told: _Told, slots: threading.BoundedSemaphore
) -> None:
    """Send the question and read the answers, in a thread. Holds no reference to the reading: it may be collected."""
    try:
        with contextlib.suppress(OSError), cast(BinaryIO, program.stdin) as ask:
            ask.write(json.dumps(asked).encode() + b"\n")
            ask.write(content)
        with cast(BinaryIO, program.stdout) as heard:
            for said in map(json.loads, iter(lambda: heard.readline(10_000_000), b"")):
                if "total" in said:
                    told.share = min(1.0, said["done"] / max(1, said["total"]))
                elif "error" in said:
                    told.problem, told.answer = told.problem or str(said["error"]), said
                else:
                    told.answer = said
                    told.cells = heard.read(int(said.get("bytes", 0)))
    except (OSError, ValueError, KeyError):
        told.answer = {}
    finally:
        program.wait()
        slots.release()
        if not told.problem and (not told.answer or len(told.cells) != told.answer.get("bytes", 0)):
            told.problem = (
                f"“{asked['name']}” could not be read within {asked['memory_mb']:,} MB of memory. Give it in parts."
            )
        told.over.set()


def _stop(program: subprocess.Popen[bytes]) -> None:
    if program.poll() is None:
        program.kill()
