"""Previews of one data set in one session: main samples, repeated samples, exact comparisons. For the curator only.

A main preview is sampled once and kept, so that moving the slider cannot average the noise away. One background thread
makes repeated samples, nearest levels first. Nothing here is shared, stored or exported.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import KMeansResult
from dpviz.domain import ExactCounts, ExactPoints
from dpviz.errors import DpvizError
from dpviz.evaluation import Evaluation, evaluate, exact_reference
from dpviz.privacy import LEVELS, Budget, Level, Region
from dpviz.publishing.mechanism_run import preview
from dpviz.releases.release import NoAnswer, Release
from dpviz.ui.session.regions import at_level

MOST = 100  # draws of a level behind the answer to a limit
ENOUGH = 90  # of them have to keep it
WANTED = 20  # repeated draws per level, for the bands and the small maps
DEFECT = "the method failed inside"
KEPT_SETTINGS = 12  # (method, k) pairs whose draws keep their repeats; older ones are forgotten
IDLE_SECONDS = 8.0  # the background stops when no page has looked for so long; a page with open bands looks each second
HEAD_START_SECONDS = 2.0
_ONE_AT_A_TIME = threading.Semaphore(1)  # all sessions of this server share one background


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The parameters of a preview."""

    method: str
    k: int
    level: int  # Level.number


@dataclass(frozen=True, kw_only=True, eq=False)
class Drawn:
    """A main preview beside the exact answer."""

    release: Release
    exact_evaluation: Evaluation


@dataclass(frozen=True, kw_only=True)
class Refused:
    """A level without an answer, with its public reason."""

    reason: str


@dataclass(frozen=True, kw_only=True, eq=False)
class Brief:
    """The part of a repeated sample that is kept."""

    exact_error: float
    exact_shift_m: float
    size: int
    coreset: NDArray[np.float32] | None  # (m, d + 1) raw coordinates and weight; None for draws made to be counted
    centers: NDArray[np.float64]  # (k, d) raw


class Band(NamedTuple):
    """The middle of a number over repeated draws, and where 9 of 10 draws lie."""

    low: float
    middle: float
    high: float


def band(values: Iterable[float]) -> Band | None:
    """5th, 50th and 95th percentile; None for fewer than three draws."""
    found = np.array([*values], dtype=np.float64)
    return Band(*np.quantile(found, [0.05, 0.5, 0.95]).tolist()) if len(found) >= 3 else None


@dataclass(frozen=True, kw_only=True)
class Limit:
    """What a curator can accept: a share of added error, or metres of shift."""

    measure: str  # "error" or "shift"
    value: float

    def kept_by(self, draw: Brief | None) -> bool:
        """Whether a draw stays within it; a draw without an answer does not."""
        return draw is not None and (draw.exact_error if self.measure == "error" else draw.exact_shift_m) <= self.value


@dataclass(frozen=True, kw_only=True)
class Acceptable:
    """The answer to a limit from the samples made so far."""

    level: Level | None = None  # the most private level that keeps the limit
    undecided: Level | None = None  # where more draws are needed; None: the answer stands
    done: int = 0  # draws of the undecided level


def keeps(draws: Sequence[Brief | None], limit: Limit) -> bool | None:
    """Whether at least 90 of 100 draws keep a limit, as soon as the draws made so far settle it; None before."""
    kept = sum(limit.kept_by(draw) for draw in draws[:MOST])
    lost = min(len(draws), MOST) - kept
    return True if kept >= ENOUGH else False if lost > MOST - ENOUGH else None


def acceptable(draws_of: Callable[[Level], Sequence[Brief | None]], limit: Limit) -> Acceptable:
    """The most private level of which at least 90 of 100 draws keep the limit.

    A level is decided early: eleven samples beyond the limit are too many, ninety within are enough. So levels far from
    the limit need few samples, and the answer equals that of a hundred.
    """
    for level in reversed(LEVELS):
        draws = draws_of(level)
        kept = keeps(draws, limit)
        if kept is None:
            return Acceptable(undecided=level, done=len(draws))
        if kept:
            return Acceptable(level=level)
    return Acceptable()


Outcome = Drawn | Refused


class Previews:
    """The previews of one data set. Safe to use from the page and the background thread at once."""

    def __init__(
        self,
        data: ExactCounts | ExactPoints,
        *,
        budget_of: Callable[[Level, str], Budget],
        purpose_of: Callable[[str], str] = lambda method: "centers",
        wanted: int | None = None,
        regions: tuple[Region, ...] = (),
    ) -> None:
        self._data = data
        self._budget_of = budget_of
        self._purpose_of = purpose_of
        self._regions = regions
        self.wanted = WANTED if wanted is None else wanted
        self._lock = threading.RLock()
        self._busy: dict[Setting, threading.Lock] = {}
        # Main previews are never forgotten: drawing one again would let a curator average the noise away by accident.
        self._mains: dict[Setting, Outcome] = {}
        self._repeats: OrderedDict[tuple[str, int], dict[int, list[Brief | None]]] = OrderedDict()
        self._references: dict[int, KMeansResult] = {}
        self._thread: threading.Thread | None = None
        self._head_start = 0.0
        self._looked = time.monotonic()
        self._asked: tuple[Setting | None, Limit | None] = None, None
        self.version = 0  # grows with every result, so that a page knows whether to redraw

    def reference(self, k: int) -> KMeansResult:
        """The non-private centers: exact."""
        if k not in self._references:
            self._references[k] = exact_reference(self._data, k)
        return self._references[k]

    def begin_with(self, reference: KMeansResult, setting: Setting, outcome: Outcome) -> None:
        """Start with results that were computed from public data before this session began.

        The browser is then busy with its first map, so the background thread starts a moment later.
        """
        self._head_start = HEAD_START_SECONDS
        self._references.setdefault(setting.k, reference)
        self._mains.setdefault(setting, outcome)

    def main(self, setting: Setting) -> Outcome:
        """The one main preview of a setting, drawn now unless it exists."""
        self._looked = time.monotonic()
        return self._main(setting)

    def _main(self, setting: Setting) -> Outcome:
        if setting not in self._mains:
            with self._lock:
                gate = self._busy.setdefault(setting, threading.Lock())
            with gate:
                if setting not in self._mains:
                    self._mains[setting] = self._draw(setting)
                    self.version += 1
        return self._mains[setting]

    def known(self, method: str, k: int) -> dict[int, Outcome]:
        """The main previews that exist, by level number."""
        found = {level.number: Setting(method=method, k=k, level=level.number) for level in LEVELS}
        return {number: self._mains[setting] for number, setting in found.items() if setting in self._mains}

    def repeats(self, setting: Setting) -> list[Brief | None]:
        """All repeated draws made so far; None stands for a draw without an answer."""
        self._looked = time.monotonic()
        return list(self._repeats_of(setting.method, setting.k).get(setting.level, ()))

    def done(self, method: str, k: int) -> int:
        """How many repeated draws exist over all levels."""
        return sum(min(len(draws), self.wanted) for draws in self._repeats_of(method, k).values())

    def complete(self, method: str, k: int) -> bool:
        """Whether all levels and all their repeated draws exist."""
        return self.done(method, k) >= self.wanted * len(LEVELS) and len(self.known(method, k)) == len(LEVELS)

    def prepare(self, method: str, k: int, level: Level, limit: Limit | None = None) -> None:
        """Draw the rest in the background: main previews of all levels, this level's repeats, the other repeats.

        With a limit, or with that of the last call, it is settled first which level keeps it.
        """
        self._looked = time.monotonic()
        with self._lock:
            self._asked = Setting(method=method, k=k, level=level.number), limit or self._asked[1]
            is_at_work = self._thread is not None and self._thread.is_alive()
            if not is_at_work and self._next() is not None:
                self._thread = threading.Thread(target=self._work, name="previews", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        step_back()
        time.sleep(self._head_start)
        self._head_start = 0.0
        while True:
            with self._lock:
                task = None if time.monotonic() - self._looked > IDLE_SECONDS else self._next()
                if task is None:
                    self._thread = None
                    return
            setting, is_main = task
            with _ONE_AT_A_TIME:
                if is_main:
                    self._main(setting)
                else:
                    self._repeat(setting)

    def _next(self) -> tuple[Setting, bool] | None:
        """Main previews and this level's repeats, then what the limit needs, then the repeats of the other levels."""
        setting, limit = self._asked
        if setting is None:
            return None
        numbers = sorted((level.number for level in LEVELS), key=lambda number: (abs(number - setting.level), number))
        near = [replace(setting, level=number) for number in numbers]
        made = self._repeats_of(setting.method, setting.k)
        waiting = [one for one in near if len(made.get(one.level, ())) < self.wanted]
        for one in near:
            if one not in self._mains:
                return one, True
        if setting not in waiting and limit is not None:
            undecided = self._accepted(setting.method, setting.k, limit).undecided
            if undecided is not None:
                return replace(setting, level=undecided.number), False
        return (waiting[0], False) if waiting else None

    def accepted(self, method: str, k: int, limit: Limit) -> Acceptable:
        """Which level keeps the limit, as far as the draws made so far tell."""
        self._looked = time.monotonic()
        return self._accepted(method, k, limit)

    def _accepted(self, method: str, k: int, limit: Limit) -> Acceptable:
        made = self._repeats_of(method, k)
        return acceptable(lambda level: made.get(level.number, ()), limit)

    def _repeat(self, setting: Setting) -> None:
        made = self._repeats_of(setting.method, setting.k).setdefault(setting.level, [])
        if isinstance(self._mains.get(setting), Refused):
            made.extend([None] * max(1, self.wanted - len(made)))
        else:
            drawn = self._draw(setting, seed=secrets.randbits(62))
            made.append(brief(drawn, with_points=len(made) < self.wanted) if isinstance(drawn, Drawn) else None)
        self.version += 1

    def _draw(self, setting: Setting, seed: int | None = None) -> Outcome:
        level = LEVELS[setting.level - 1]
        try:
            answer = preview(
                self._data,
                setting.k,
                self._budget_of(level, setting.method),
                method=setting.method,
                seed=seed,
                regions=at_level(self._regions, level),
                purpose=self._purpose_of(setting.method),
            )
        except DpvizError as problem:  # public: relation, dimensions, budget
            return Refused(reason=problem.message)
        except Exception:  # a defect of a method; its text may hold exact data and is neither shown nor logged
            return Refused(reason=DEFECT)
        if isinstance(answer, NoAnswer):
            return Refused(reason=str(answer.reason))
        return Drawn(release=answer, exact_evaluation=evaluate(self._data, answer, reference=self.reference(setting.k)))

    def _repeats_of(self, method: str, k: int) -> dict[int, list[Brief | None]]:
        with self._lock:
            found = self._repeats.setdefault((method, k), {})
            self._repeats.move_to_end((method, k))
            while len(self._repeats) > KEPT_SETTINGS:
                self._repeats.popitem(last=False)
            return found


def step_back() -> None:
    """Lower the priority of this thread, where the system has one per thread (Linux)."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


def brief(drawn: Drawn, *, with_points: bool = True) -> Brief:
    """Reduce a preview to what bands and small maps need."""
    release, exact = drawn.release, drawn.exact_evaluation
    coreset = np.empty((0, release.frame.dims + 1), np.float32) if with_points else None
    if with_points and release.raw_coreset is not None and release.coreset_weights is not None:
        coreset = np.column_stack([release.raw_coreset, release.coreset_weights]).astype(np.float32)
    return Brief(
        exact_error=exact.relative_error,
        exact_shift_m=exact.shift_m,
        size=exact.coreset_size,
        coreset=coreset,
        centers=release.raw_centers,
    )
