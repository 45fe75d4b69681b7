"""Answers of a benchmark kept beside it, method by method, so that a run that was broken off goes on where it stood.

A kept answer belongs to one cell, one draw and the code that made it: where that code has changed, the draw is made
again. Exact work is never kept. Curator only.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz_research import PROJECT

Floats = NDArray[np.float64]
_HERE = "research/dpviz_research"
OF_RIVALS = (
    "dpviz/clustering",
    f"{_HERE}/references",
    f"{_HERE}/elsewhere/rivals.py",
    f"{_HERE}/elsewhere/used_sets.py",
    f"{_HERE}/elsewhere/held_back_sets.py",
    f"{_HERE}/elsewhere/yard.py",
    f"{_HERE}/synthetic.py",
)
OF_OURS = (
    *OF_RIVALS,
    "dpviz/domain",
    "dpviz/mechanisms/adaptive_tree/mechanism.py",
    "dpviz/mechanisms/adaptive_tree",
    "dpviz/noise",
)


@dataclass(frozen=True, kw_only=True)
class Kept:
    """Where answers are kept; nowhere if there is no folder."""

    folder: Path | None = None

    def answers(
        self, name: str, sources: Sequence[str], run: Callable[[int], Floats], seeds: Sequence[int]
    ) -> tuple[list[Floats], float]:
        """Centers for each seed and CPU seconds a draw; what is known is read, the rest is run and kept."""
        path = None if self.folder is None else self.folder / f"{name}.{code(tuple(sources))}.npz"
        known: dict[int, Floats] = {}
        spent = 0.0
        if path is not None and path.exists():
            with np.load(path) as stored:
                known = dict(zip(stored["seeds"].tolist(), stored["centers"], strict=True))
                spent = float(stored["seconds"]) * len(known)
        fresh = [seed for seed in seeds if seed not in known]
        started = time.process_time()
        known |= {seed: run(seed) for seed in fresh}
        seconds = (spent + time.process_time() - started) / max(len(known), 1)
        if path is not None and fresh:
            path.parent.mkdir(parents=True, exist_ok=True)
            half_written = path.with_suffix(".part.npz")
            order = sorted(known)
            np.savez(half_written, seeds=order, centers=np.array([known[seed] for seed in order]), seconds=seconds)
            half_written.replace(path)
        return [known[seed] for seed in seeds], seconds


@cache
def code(sources: tuple[str, ...]) -> str:
    """Twelve digits of the files that an answer comes from."""
    digest = hashlib.sha256()
    for source in sources:
        place = PROJECT / source
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(path.relative_to(PROJECT).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
