"""Checks of reading, of stand-ins and of the door, on small data in a folder that is thrown away."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.errors import DpvizError, InputError, LedgerRefusal, UnledgeredRelease
from dpviz.ingest.units import person_cap
from dpviz.ingest.units.person_keys import PersonHash
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms.interface import Plan, Public
from dpviz.mechanisms.uniform_grid import UNIFORM_GRID
from dpviz.noise import replayable_source
from dpviz.privacy import Budget, Charge
from dpviz.publishing.assemble import check_charges
from dpviz.publishing.datasets import looked_at_through_standin
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import preview
from dpviz.publishing.registration import register
from dpviz.publishing.standin import make_standin, sample_from_standin
from dpviz.releases.release import Release
from dpviz.releases.request import ReleaseRequest
from dpviz_research.planting.finding import demand, refuses

GRID = Grid(GeoBox(0.0, 0.0, 0.08, 0.08), 8)


def person_taken_out() -> None:
    """Every person in turn is added: the histogram moves by the cap at most, and only in that person's cells."""
    for buckets in (person_cap._BUCKET_ROWS, 8):
        with _attribute(person_cap, "_BUCKET_ROWS", buckets):
            _one_person_more()


def _one_person_more() -> None:
    generator = np.random.default_rng(4)
    hashed = PersonHash.draw(replayable_source(5))
    people, cap = 12, 3
    owner = generator.integers(people, size=120)
    found = generator.integers(64, size=120).astype(np.int32)
    keys = np.column_stack([owner, owner * 7 + 1]).astype(np.uint64)
    whole = _counted(keys, found, cap, hashed)
    for person in range(people):
        others = owner != person
        change = whole - _counted(keys[others], found[others], cap, hashed)
        demand(int(np.abs(change).sum()) <= cap, "a person who is added moves the histogram by more than the cap")
        own = np.bincount(found[~others], minlength=64)
        demand(bool((change >= 0).all() and (change <= own).all()), "a person who is added moves records of others")
    demand(int(whole.sum()) == int(np.minimum(np.bincount(owner, minlength=people), cap).sum()), "records are lost")


def _counted(keys: NDArray[np.uint64], found: NDArray[np.int32], cap: int, hashed: PersonHash) -> NDArray[np.int64]:
    cells = np.zeros(64, np.int64)
    person_cap.count_kept(keys, found, cap, hashed, cells)
    return cells


def standin_at_the_door() -> None:
    """What a stand-in costs, that it is known as one, and that its samples are not taken for records."""
    with _ledger() as ledger:
        dataset = register("trips", _counts(1), total=Budget(epsilon=2.0), ledger=ledger, standin_share=0.2)
        standin = make_standin(dataset)
        demand(isinstance(standin, Release), "no stand-in was made")
        assert isinstance(standin, Release)
        charged = sum(float(charge.amount.epsilon) for charge in dataset.charges)
        demand(abs(charged - 0.4) < 1e-12, f"a fifth of 2 was charged as {charged:g}")
        demand(standin.guarantee.epsilon <= charged * (1 + 1e-12), "the stand-in says more than was charged for it")
        demand(dataset.has_standin, "a stand-in is not known as one")
        demand(looked_at_through_standin("trips", ledger=ledger), "nobody is told of the stand-in")
        plain = register("others", _counts(2), total=Budget(epsilon=1.0), ledger=ledger)
        publish(plain, ReleaseRequest(k=1, budget=Budget(epsilon=0.5), method="uniform_grid"))
        demand(not plain.has_standin, "a publication is taken for a stand-in")
        simulated = sample_from_standin(standin, 50, side=8)
        demand(simulated.exact_total == 50, "a sample has another size than asked")
        refuses(
            lambda: register("simulated", simulated, total=Budget(epsilon=1.0), ledger=ledger),
            InputError,
            "simulated records pass for real ones",
        )


def publishing_at_the_door() -> None:
    """Charged once and whole, secure, for the registered records, and never a preview."""
    with _ledger() as ledger:
        dataset = register("trips", _counts(1), total=Budget(epsilon=1.0, delta=1e-6), ledger=ledger)
        request = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")
        found = publish(dataset, request)
        again = publish(dataset, request)
        amounts = [float(charge.amount.epsilon) for charge in dataset.charges]
        demand(amounts == [0.5], f"a release at epsilon 0.5, asked for twice, was charged {amounts}")
        demand(found.files() == again.files(), "the same request gave two releases")
        demand(found.noise == "secure" and found.seed is None, "the door drew from a seed")
        demand(found.guarantee.epsilon == 0.5, "the release states another epsilon than was asked")
        refuses(
            lambda: publish(dataset, replace(request, budget=Budget(epsilon=0.6))),
            LedgerRefusal,
            "more was spent than the total",
        )
        refuses(lambda: dataset.with_data(_counts(3)), LedgerRefusal, "other records pass under a registered name")
        shown = preview(_counts(1), 2, Budget(epsilon=0.5), "uniform_grid", seed=1)
        refuses(shown.files, UnledgeredRelease, "a preview can be saved")
        public = Public.of(_counts(1))
        plan = UNIFORM_GRID.plan(public, k=2, budget=Budget(epsilon=0.5))
        dear: Plan = replace(plan, charges=(*plan.charges, Charge(name="more", epsilon=0.1)))
        refuses(lambda: check_charges(dear, Budget(epsilon=0.5)), DpvizError, "a plan that spends too much passes")


def _counts(seed: int) -> ExactCounts:
    return ExactCounts.from_array(GRID, np.random.default_rng(seed).poisson(20.0, (8, 8)))


class _attribute:
    """One attribute of a module has another value inside the block."""

    def __init__(self, module: object, name: str, value: object) -> None:
        self._module, self._name, self._value = module, name, value

    def __enter__(self) -> None:
        self._before = getattr(self._module, self._name)
        setattr(self._module, self._name, self._value)

    def __exit__(self, *_: object) -> None:
        setattr(self._module, self._name, self._before)


class _ledger:
    """A ledger of its own in a folder of its own, without the warnings about look-alikes."""

    def __enter__(self) -> Ledger:
        self._folder = tempfile.TemporaryDirectory()
        self._warnings = warnings.catch_warnings()
        self._warnings.__enter__()
        warnings.simplefilter("ignore")
        return Ledger(Path(self._folder.name) / "ledger.sqlite3")

    def __exit__(self, *_: object) -> None:
        self._warnings.__exit__(None, None, None)
        self._folder.cleanup()


CHECKS: dict[str, Callable[[], None]] = {
    "a person added or taken out": person_taken_out,
    "the stand-in at the door": standin_at_the_door,
    "publishing at the door": publishing_at_the_door,
}
