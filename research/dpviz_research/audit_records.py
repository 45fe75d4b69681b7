"""All pairs of all methods: a short look at each, then all runs, the cheapest pairs first, for about an hour.

The record is written anew after every row, so that a call which is ended keeps what it measured. A later call that is
given the folder of an earlier one (`--data docs/evidence`) goes on where that ended; every row names its own commit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dpviz.audit.attacks import all_pairs, crowd_for
from dpviz.audit.running import Effort, audit_pair
from dpviz.domain import Adjacency
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Mechanism
from dpviz.privacy import DEFAULT_DELTA, Budget
from dpviz_research.papers.records import Row, commit
from dpviz_research.transcripts.edges import Limited

TRIALS = 20_000  # on each of the two files
SHORT = 3.0  # CPU seconds for a first look at a pair …
FORCED = 40.0  # … and for the likelihoods beside all runs
AN_HOUR = 3600.0  # CPU seconds of one call
HIDDEN = ("confidence", "seconds")
# Centers of a grid follow from its protected numbers: whether they are searched for from 30 starts or from three
# tells an attacker nothing, and takes nine tenths of a run's time.
FEW_STARTS = {"mechanisms.uniform_grid:STARTS": 3}
OF_GRIDS = ("uniform_grid", "hybrid", "subsampled:uniform_grid")

Key = tuple[str, str, str]
Save = Callable[[list[Row]], object]


@dataclass(frozen=True, kw_only=True)
class Job:
    """One row to be measured."""

    method: Mechanism
    relation: Adjacency
    number: int  # of the pair
    key: Key

    def row(self, effort: Effort) -> Row:
        """Attack this pair."""
        name, budget = self.method.info.name, budget_of(self.method)
        pair = all_pairs(self.method, self.relation, crowded=_crowd(name, self.relation))[self.number]
        attacked = Limited(self.method, FEW_STARTS) if name in OF_GRIDS else self.method
        found = audit_pair(attacked, pair, k=2, budget=budget, effort=effort)
        return {column: value for column, value in found.items() if column not in HIDDEN} | {"commit": commit()}


def audited() -> tuple[Mechanism, ...]:
    """The catalogue, and one method on a sample."""
    return (*catalogue.METHODS, catalogue.get("subsampled:uniform_grid"))


def budget_of(method: Mechanism) -> Budget:
    """ε = 1, and δ only where it is needed."""
    return Budget(epsilon=1.0, delta=DEFAULT_DELTA if method.info.needs_delta else 0.0)


def jobs() -> Iterator[Job]:
    """Every pair of every method."""
    for method in audited():
        for relation in sorted(method.info.adjacencies):
            for number, pair in enumerate(all_pairs(method, relation, crowded=1)):
                key = (method.info.name, relation.value, pair.name)
                yield Job(method=method, relation=relation, number=number, key=key)


def recorded(folder: Path | None) -> dict[Key, Row]:
    """The rows of an earlier record, each with the commit that measured it."""
    path = None if folder is None else folder / "audit-methods.json"
    if path is None or not path.is_file():
        return {}
    document = json.loads(path.read_text(encoding="utf-8"))
    measured_at = {"commit": document["provenance"]["commit"]}
    return {(row["method"], row["relation"], row["pair"]): measured_at | row for row in document["rows"]}


def measure(save: Save, *, earlier: Mapping[Key, Row], quick: bool, patience: float = AN_HOUR) -> list[Row]:
    """All rows, in the catalogue's order; `save` sees them after each one that was measured."""
    started = time.process_time()
    wanted = list(jobs())
    found = {job.key: earlier[job.key] for job in wanted if job.key in earlier}

    def take(job: Job, effort: Effort) -> None:
        found[job.key] = job.row(effort)
        save([found[one.key] for one in wanted if one.key in found])

    for job in wanted:
        if job.key not in found:
            take(job, Effort(trials=TRIALS, patience=0.5 if quick else SHORT))
    for job in sorted(wanted, key=lambda job: -int(found[job.key]["trials"])):
        if quick or time.process_time() - started > patience:
            break
        if found[job.key]["trials"] < TRIALS:
            take(job, Effort(trials=TRIALS, least=TRIALS, patience=FORCED))
    return [found[job.key] for job in wanted]


@lru_cache(maxsize=64)
def _crowd(name: str, relation: Adjacency) -> int:
    method = next(one for one in audited() if one.info.name == name)
    return crowd_for(method, relation, k=2, budget=budget_of(method))
