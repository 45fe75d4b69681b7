"""What the tests of the door share: small exact data, a ledger in a folder of its own, and methods made for a test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import Centers, Coreset, ExactCounts, GeoBox, Grid
from dpviz.domain.box import plain_frame
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, Reason, check_request
from dpviz.noise import NoiseSource
from dpviz.privacy import Adjacency, Budget, Charge
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.registration import register

BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)


class MadeMethod:
    """A method whose answer the test chooses; it charges everything and draws one number."""

    def __init__(self, name: str, answer: Callable[[Public, Plan], Answer | NoAnswer], **info: object) -> None:
        self.answer = answer
        self.runs = 0
        self.info = replace(
            MethodInfo(
                name=name,
                title="Made for a test",
                summary="Gives what a test wants.",
                paper="none",
                adjacencies=frozenset(Adjacency),
                needs_delta=False,
                dims=(1, 12),
                takes="both",
                gives_coreset=True,
                proof="uniform_grid",
                person_cap=True,
            ),
            **info,  # type: ignore[arg-type]
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        return Plan(
            method=self.info.name,
            k=k,
            budget=budget,
            charges=(Charge(name="everything", epsilon=budget.epsilon),),
            constants={"rounds": 3},
        )

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        self.runs += 1
        noise.laplace(1.0, 1)
        return self.answer(Public.of(data), plan)


def some_coreset(public: Public, points: int = 40) -> Coreset:
    grid = np.linspace(0.05, 0.95, points)
    positions = np.column_stack([grid ** (axis + 1) for axis in range(public.frame.dims)]) * public.frame.extent
    return Coreset(frame=public.frame, positions=positions, weights=np.linspace(1.0, 9.0, points))


@pytest.fixture
def counts() -> ExactCounts:
    rng = np.random.default_rng(7)
    return ExactCounts.from_array(Grid(BOX, 32), rng.poisson(4.0, size=(32, 32)))


@pytest.fixture
def other_counts() -> ExactCounts:
    rng = np.random.default_rng(8)
    return ExactCounts.from_array(Grid(BOX, 32), rng.poisson(4.0, size=(32, 32)))


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "ledger.sqlite3")


@pytest.fixture
def dataset(counts: ExactCounts, ledger: Ledger) -> Dataset:
    return register("trips", counts, total=Budget(epsilon=2.0, delta=1e-6), ledger=ledger, who="Ada", why="a test")


@pytest.fixture
def add_method(monkeypatch: pytest.MonkeyPatch) -> Callable[..., MadeMethod]:
    """Put a method of the test's own into the catalogue."""

    def add(name: str, answer: Callable[[Public, Plan], Answer | NoAnswer], **info: object) -> MadeMethod:
        method = MadeMethod(name, answer, **info)
        monkeypatch.setattr(catalogue, "METHODS", (*catalogue.METHODS, method))
        return method

    return add


@pytest.fixture
def coreset_method(add_method: Callable[..., MadeMethod]) -> MadeMethod:
    return add_method("made_coreset", lambda public, plan: Answer(coreset=some_coreset(public)))


@pytest.fixture
def centers_method(add_method: Callable[..., MadeMethod]) -> MadeMethod:
    def answer(public: Public, plan: Plan) -> Answer:
        positions = np.outer(np.linspace(0.2, 0.8, plan.k), public.frame.extent)
        return Answer(
            coreset=None, centers=Centers(frame=public.frame, positions=positions, weights=np.arange(1.0, plan.k + 1))
        )

    return add_method("made_centers", answer, gives_coreset=False)


@pytest.fixture
def silent_method(add_method: Callable[..., MadeMethod]) -> MadeMethod:
    return add_method("made_silent", lambda public, plan: NoAnswer(reason=Reason.TOO_FEW_RECORDS))


@pytest.fixture
def plain_points_frame() -> object:
    return plain_frame((0.0, 0.0, 0.0), (1.0, 2.0, 3.0))
