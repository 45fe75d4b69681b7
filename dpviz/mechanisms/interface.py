"""The interface of mechanisms: public facts, a public plan, and one run on exact data with a noise source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from dpviz.domain import Adjacency, CellTree, Centers, Coreset, ExactCounts, ExactPoints, Frame, StreamedPoints, Unit
from dpviz.domain.protected import MAX_PUBLISHED_POINTS
from dpviz.errors import InputError, RelationNotProved
from dpviz.mechanisms import proof_pages
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

ExactData = ExactCounts | ExactPoints
Constant = str | int | float | bool | None | tuple["Constant", ...] | Mapping[str, "Constant"]


class Reason(StrEnum):
    """Reasons for no answer: a fixed public list, independent of exact data."""

    TOO_FEW_RECORDS = "too few records for this budget"
    BUDGET_TOO_SMALL = "the budget is too small for this method"
    SELECTION_FAILED = "the private selection found nothing that it may publish"


class Purpose(StrEnum):
    """The purpose of a budget: a public choice, made before any noise is sampled."""

    CENTERS = "centers"  # the centers of the request: a large share corrects them
    BALANCED = "balanced"  # counts of areas first, with a small correction of the centers
    ANY_QUESTION = "any question"  # counts of areas: everything for the cells


@dataclass(frozen=True, kw_only=True)
class MethodInfo:
    """A catalogue row: what is public about a method."""

    name: str
    title: str
    summary: str  # one plain sentence for the screen
    paper: str
    adjacencies: frozenset[Adjacency]
    needs_delta: bool  # True: refuses delta = 0; a pure method ignores delta
    dims: tuple[int, int]  # smallest and largest number of dimensions
    takes: str = "both"  # or "counts" (2-D grid), or "points"
    gives_coreset: bool = True
    proof: str  # docs/proofs/<proof>.md
    vetted: bool = False  # a second reader has read proof and code; false again once either has changed
    person_cap: bool = False  # proved for persons with a cap
    own_levels: bool = False  # for records that each chose a level, and for no others
    objective: str = "k-means"
    package: str = ""  # of a method that is not dpviz's: the name and version of its distribution

    def __post_init__(self) -> None:
        object.__setattr__(self, "vetted", self.vetted and proof_pages.is_up_to_date(self.proof))

    @property
    def page(self) -> str:
        """Where the proof can be read; of a foreign method as its package says."""
        return self.proof if self.package else f"docs/proofs/{self.proof}.md"


@dataclass(frozen=True, kw_only=True)
class Public:
    """Everything a plan may read. Nothing here depends on the data."""

    frame: Frame
    side: int | None  # the grid's side for counts
    relation: Adjacency
    unit: Unit
    public_rows: int | None
    streamed: bool = False  # whether the records are read again for each question

    @classmethod
    def of(cls, data: ExactData) -> Public:
        return cls(
            frame=data.grid.frame if isinstance(data, ExactCounts) else data.frame,
            side=data.grid.side if isinstance(data, ExactCounts) else None,
            relation=data.relation,
            unit=data.unit,
            public_rows=data.public_rows,
            streamed=isinstance(data, StreamedPoints),
        )


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run will spend, on what, and its public constants; fixed before the first random number."""

    method: str
    k: int
    budget: Budget
    charges: tuple[Charge, ...]
    constants: Mapping[str, Constant] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """The result of a run: protected values only. Without `centers`, the caller solves them on the coreset."""

    coreset: Coreset | None
    centers: Centers | None = None
    noisy_total: float | None = None
    cells: CellTree | None = None  # where the method counts boxes: what it measured, and the boxes with their counts
    ends: tuple[CellTree, CellTree] | None = None  # of trips: the same of each end for itself
    constants: Mapping[str, Constant] = field(default_factory=dict)  # public or protected values fixed during the run


@dataclass(frozen=True, kw_only=True)
class NoAnswer:
    """A run without an answer; protected and charged like an answer."""

    reason: Reason
    constants: Mapping[str, Constant] = field(default_factory=dict)


class Mechanism(Protocol):
    """A method. `plan` looks at public things only; `run` spends exactly what the plan charges."""

    info: MethodInfo

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan: ...

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer: ...


def check_request(info: MethodInfo, public: Public, *, k: int, budget: Budget) -> None:
    """Refuse what the method is not proved for or cannot take, before anything is spent."""
    if isinstance(k, bool) or not isinstance(k, int) or not 1 <= k <= MAX_CLUSTERS:
        raise InputError(f"k={k!r}: the number of clusters is a whole number from 1 to {MAX_CLUSTERS}.", k=k)
    if public.relation not in info.adjacencies:
        proved = " and ".join(sorted(relation.value for relation in info.adjacencies))
        raise RelationNotProved(
            f"{info.name} is proved for the relation {proved}, not for {public.relation.value!r}; "
            "register the dataset with that relation or choose another method (dpviz.methods()).",
            relation=public.relation.value,
        )
    if not info.dims[0] <= public.frame.dims <= info.dims[1]:
        raise InputError(
            f"{info.name} takes {info.dims[0]} to {info.dims[1]} dimensions; these data have {public.frame.dims}.",
            dims=public.frame.dims,
        )
    if public.unit.holds_several and not info.person_cap:
        raise RelationNotProved(
            f"{info.name} is not proved for persons with a cap or records with a weight; choose another method "
            "(dpviz.methods()).",
            unit=str(public.unit),
        )
    if public.unit.levels and not info.own_levels:
        raise RelationNotProved(
            f"{info.name} is not proved for records that chose their own levels; use method='auto', or read them "
            "without the column of levels.",
            unit=str(public.unit),
        )
    least = least_epsilon(public)
    if budget.epsilon < least:
        raise InputError(
            f"epsilon={budget.epsilon:g} asks for more noise than a number can carry; for {public.unit} give at least "
            f"epsilon {least:g} (sensible levels are 0.05 to 4).",
            epsilon=budget.epsilon,
            least=least,
        )
    if info.needs_delta and budget.delta == 0:
        raise InputError(f"{info.name} needs delta above 0, such as 1e-9 (--delta 1e-9).", delta=budget.delta)


def least_epsilon(public: Public) -> float:
    """The smallest ε for which the noise of every method has a finite scale, for one unit of protection.

    A sum in the finest steps in use needs a scale of some 2^20 over the share of ε that pays for it; scales end at
    2^50 (dpviz.noise.checks), so that no sum can overflow. Far below any level that says something about the data.
    """
    return LEAST_EPSILON * public.unit.records


MAX_CLUSTERS = MAX_PUBLISHED_POINTS  # as many as a published coreset has points
LEAST_EPSILON = 1e-6
