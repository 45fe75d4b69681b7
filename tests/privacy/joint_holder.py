"""One holder of a joint run as a process that stops where a test wants to look into its memory.

    joint_holder.py FOLDER NAME LISTEN

It notes its own exact numbers, and those with its noise, in FOLDER/secrets for the test; no other holder reads there.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

FOLDER, NAME, LISTEN = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
os.environ["DPVIZ_DATA"] = str(FOLDER / NAME)

import dpviz  # noqa: E402  (the data folder is stated first)
from dpviz.joint.circle import Circle  # noqa: E402
from dpviz.joint.plan import read_plan  # noqa: E402
from dpviz.joint.source import JointSource  # noqa: E402

ROUND = 3  # in which it stops


def stop(where: str) -> None:
    """Wait until the test has looked."""
    (FOLDER / f"at-{where}-{NAME}").touch()
    while not (FOLDER / f"go-{where}").exists():
        time.sleep(0.05)


class Noted(JointSource):
    """The joint source, which notes what nobody else may know."""

    def _opened(self, values: list[int], scale: float) -> Any:
        np.save(FOLDER / "secrets" / f"{NAME}-noisy-{self.rounds}.npy", np.array(values, np.int64))
        return super()._opened(values, scale)

    def add_laplace(self, exact: Any, scale: float, *, sensitivity: float | None = None) -> Any:
        np.save(FOLDER / "secrets" / f"{NAME}-exact-{self.rounds}.npy", np.asarray(exact))
        return super().add_laplace(exact, scale, sensitivity=sensitivity)


honest = Circle.exchange
kinds: list[str] = []


def exchange(self: Circle, kind: str, facts: Any, numbers: Any = b"") -> Any:
    """The messages of all others are in memory when it stops."""
    found = honest(self, kind, facts, numbers)
    kinds.append(kind)
    if kind in ("shares", "sums") and kinds.count(kind) == ROUND:
        stop(kind)
    return found


Circle.exchange = exchange  # type: ignore[method-assign]
sys.modules["dpviz.joint.run"].JointSource = Noted  # type: ignore[attr-defined]
plan = read_plan(FOLDER / "joint.toml")
counts = dpviz.ExactCounts.from_array(dpviz.Grid(plan.box, plan.side), np.load(FOLDER / "secrets" / f"{NAME}.npy"))
book = FOLDER / NAME / "ledger.sqlite3"
found = dpviz.joint.run(plan, holder=NAME, data=counts, ledger=book, listen=LISTEN, tell=print)
found.save(FOLDER / NAME / "out")
stop("end")
