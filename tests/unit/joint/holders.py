"""Several holders in one process: a thread for each, with a signing key and a ledger of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import DpvizError
from dpviz.joint.circle import Circle
from dpviz.joint.plan import JointPlan, make_certificate, make_plan
from dpviz.joint.source import JointSource
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import Budget
from dpviz.releases import signing
from dpviz.releases.request import ReleaseRequest

BOX = GeoBox(-74.05, 40.7, -73.9, 40.8)
SIDE = 64
REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=1.0))
NAMES = ("a", "b", "c", "d", "e")
_here = threading.local()
Step = Callable[[JointSource, int], Any]


def who_is_here() -> str:
    """The holder whose thread this is."""
    return str(getattr(_here, "name", ""))


@contextmanager
def at(name: str) -> Iterator[None]:
    """On the machine of this holder."""
    _here.name = name
    try:
        yield
    finally:
        _here.name = ""


class Holders:
    """A plan that all holders have pinned, and what they need to run it."""

    def __init__(self, root: Path, number: int = 3, **asked: Any) -> None:
        self.root = root
        self.plan = self.pinned(
            make_plan(
                [f"{name}=127.0.0.1:{port}" for name, port in zip(NAMES, free_ports(number), strict=False)],
                **{"request": REQUEST, "box": BOX, "side": SIDE, "title": "Fleets", **asked},
            )
        )

    def pinned(self, plan: JointPlan) -> JointPlan:
        for holder in plan.holders:
            with at(holder.name):
                plan = plan.with_certificate(holder.name, make_certificate())
        return plan

    def ledger(self, name: str) -> Ledger:
        return Ledger(self.root / f"{name}.sqlite3")

    def counts(self, place: int, records: int = 800) -> ExactCounts:
        cells = np.random.default_rng(place).binomial(SIDE - 1, 0.3 + 0.1 * place, (records, 2))
        found = np.zeros((SIDE, SIDE), np.int64)
        np.add.at(found, (cells[:, 0], cells[:, 1]), 1)
        return ExactCounts.from_array(Grid(BOX, SIDE), found)

    def each(self, act: Callable[[str, int], Any], only: Sequence[int] | None = None) -> list[Any]:
        """What each holder's act gave, or the error that ended it."""

        def one(place: int) -> Any:
            name = self.plan.holders[place].name
            with at(name):
                try:
                    return act(name, place)
                except DpvizError as error:
                    return error

        places = range(len(self.plan.holders)) if only is None else only
        with ThreadPoolExecutor(len(places)) as pool:
            return list(pool.map(one, places))

    def sums(self, step: Step, *, wait: float = 20.0, plans: Sequence[JointPlan] | None = None) -> list[Any]:
        """What each holder's step with the joint source gave."""

        def act(name: str, place: int) -> Any:
            plan = self.plan if plans is None else plans[place]
            with Circle(plan, name, wait=wait) as circle:
                return step(JointSource(circle), place)

        return self.each(act, None if plans is None else range(len(plans)))


def free_ports(number: int) -> list[int]:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    found = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return found


def keys_of_their_own(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """Every holder's thread has a data folder of its own."""
    monkeypatch.setattr(signing, "user_data_folder", lambda: root / (who_is_here() or "nobody"))
