"""Holders at one table: the messages of a joint run in memory, without connections, and what each of them has seen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from dpviz.domain import GeoBox
from dpviz.errors import JointError
from dpviz.joint.circle import Circle
from dpviz.joint.plan import Holder, JointPlan
from dpviz.joint.source import JointSource
from dpviz.privacy import Budget
from dpviz.releases.request import ReleaseRequest

BOX = GeoBox(-74.05, 40.7, -73.9, 40.8)


def plan_of(holders: int, pooling: int, *, side: int = 16, k: int = 3, epsilon: float = 1.0) -> JointPlan:
    """A plan that no run over a network needs to accept."""
    return JointPlan(
        id="0" * 16,
        title="",
        request=ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method="adaptive_tree"),
        box=BOX,
        side=side,
        holders=tuple(Holder(name=f"h{at}", host="127.0.0.1", port=7000 + at) for at in range(holders)),
        pooling=pooling,
    )


class Seat:
    """What a source needs of its circle; keeps every message that came."""

    def __init__(self, table: Table, place: int) -> None:
        self.plan, self.place, self._table = table.plan, place, table
        self.others = [other for other in range(len(table.plan.holders)) if other != place]
        self.seen: list[tuple[int, str, Any, bytes]] = []

    def exchange(
        self, kind: str, facts: Mapping[str, Any], numbers: Mapping[int, bytes] | bytes = b""
    ) -> dict[int, tuple[dict[str, Any], bytes]]:
        found = self._table.pass_round(self.place, kind, dict(facts), numbers)
        self.seen += [(place, kind, facts, content) for place, (facts, content) in sorted(found.items())]
        return found

    def tell(self, _: str) -> None:
        pass

    def name(self, place: int) -> str:
        return self.plan.holders[place].name

    def trouble(self, text: str, public_reason: str = "") -> JointError:
        return JointError(text)


class Table:
    """All holders of a plan in threads of this process, in step."""

    def __init__(self, plan: JointPlan, patience: float = 60.0) -> None:
        self.plan = plan
        self.seats = [Seat(self, place) for place in range(len(plan.holders))]
        self._barrier = threading.Barrier(len(self.seats), timeout=patience)
        self._said: dict[int, tuple[str, dict[str, Any], Mapping[int, bytes] | bytes]] = {}

    def pass_round(
        self, place: int, kind: str, facts: dict[str, Any], numbers: Mapping[int, bytes] | bytes
    ) -> dict[int, tuple[dict[str, Any], bytes]]:
        self._said[place] = kind, facts, numbers
        self._barrier.wait()
        found = {}
        for other, (step, told, content) in self._said.items():
            assert step == kind
            if other != place:
                found[other] = dict(told), content if isinstance(content, bytes) else content[place]
        self._barrier.wait()
        return found

    def sources(self) -> list[JointSource]:
        return [JointSource(cast(Circle, seat)) for seat in self.seats]

    def each(self, act: Callable[[int], Any]) -> list[Any]:
        """What each holder's act gave, or the error that ended it."""

        def one(place: int) -> Any:
            try:
                return act(place)
            except JointError as error:
                return error
            except BaseException:
                self._barrier.abort()
                raise

        with ThreadPoolExecutor(len(self.seats)) as pool:
            return list(pool.map(one, range(len(self.seats))))

    def sums(self, vectors: Sequence[Any], scale: float, rounds: int = 1) -> list[list[Any]]:
        """What each holder opened in each of these rounds of the same question."""
        sources = self.sources()
        return self.each(lambda at: [sources[at].add_laplace(vectors[at], scale) for _ in range(rounds)])
