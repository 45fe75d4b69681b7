"""What is asked of the door: number of clusters, budget and method, with one canonical spelling."""

from __future__ import annotations

import hashlib
import json
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpviz.domain.parts import Parts
from dpviz.domain.public_map import PriorMap
from dpviz.errors import InputError
from dpviz.mechanisms.interface import MAX_CLUSTERS, Purpose
from dpviz.privacy import Budget
from dpviz.privacy.regions import Region, checked_regions
from dpviz.releases.period import Period

STAND_IN = "stand-in"
PURPOSES = (*(purpose.value for purpose in Purpose), STAND_IN)
_PLAIN = re.compile(r"[a-z0-9-]{1,64}")
_SPELLED = {Purpose.CENTERS.value: "release"}  # keys were made of this word before there was a choice


@dataclass(frozen=True, kw_only=True)
class JointTerms:
    """What makes a request one of several holders, none of whom sees the records of another: public."""

    plan: str  # digest of the plan that all of them have
    run: str  # which run of it: every run draws anew, and is charged anew
    pooling: int  # how many of them may pool what they see without learning more than the guarantee says
    holders: tuple[tuple[str, str], ...]  # name and public key

    def __post_init__(self) -> None:
        if not (
            all(isinstance(text, str) and _PLAIN.fullmatch(text) for pair in self.holders for text in pair)
            and all(isinstance(text, str) and _PLAIN.fullmatch(text) for text in (self.plan, self.run))
            and isinstance(self.pooling, int)
            and len(self.holders) > 2 * self.pooling >= 0
        ):
            raise InputError("the holders of this release are not what a plan holds; it was damaged or edited.")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the holders, as the plan lists them."""
        return tuple(name for name, _ in self.holders)

    def facts(self) -> dict[str, Any]:
        """Plain values for JSON."""
        holders = [{"name": name, "key": key} for name, key in self.holders]
        return {"plan": self.plan, "run": self.run, "pooling": self.pooling, "holders": holders}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> JointTerms:
        """The terms that `facts` wrote."""
        holders = tuple((one["name"], one["key"]) for one in facts["holders"])
        return cls(plan=facts["plan"], run=facts["run"], pooling=facts["pooling"], holders=holders)


@dataclass(frozen=True, kw_only=True)
class ReleaseRequest:
    """Public choices only. Two requests with equal fields are the same request and share one release.

    `purpose` says what the budget is for: "centers", "balanced" or "any question" (counts of areas). A stand-in,
    which is paid when a dataset is registered, is told from what is published for analysts by it too.
    `regions` are public polygons, each with an ε at most the budget's; the budget is that of everything else.
    `unvetted` says that a method of another package is meant, which nobody has checked for dpviz.
    `prior` is a public map, or an earlier release, that estimates lean on as far as it agrees with the noisy counts.
    `parts` is the public layout of counts by time or by a column on one sheet (`read_parts`).
    """

    k: int
    budget: Budget
    method: str = "auto"
    purpose: str = Purpose.CENTERS.value
    regions: tuple[Region, ...] = ()
    period: Period | None = None  # its place in a series, which decides the method
    parts: Parts | None = None
    unvetted: bool = False
    joint: JointTerms | None = None  # of several holders (dpviz.joint)
    prior: PriorMap | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", checked_k(self.k))
        if not isinstance(self.budget, Budget):
            raise InputError(f"budget={self.budget!r}; give dpviz.Budget(epsilon=0.5, delta=0.0).")
        if not isinstance(self.method, str) or not self.method:
            raise InputError(f"method={self.method!r}; give the name of a method, such as 'auto' (dpviz.methods()).")
        words = {spelled: word for word, spelled in _SPELLED.items()}
        object.__setattr__(self, "purpose", words.get(self.purpose, self.purpose))
        if self.purpose not in PURPOSES:
            raise InputError(f"purpose={self.purpose!r}; it is 'centers', 'balanced' or 'any question'.")
        object.__setattr__(self, "regions", checked_regions(self.regions))
        for region in self.regions:
            if region.epsilon > self.budget.epsilon:
                raise InputError(
                    f"region {region.name!r} has epsilon {region.epsilon:g}, and everything else has "
                    f"{self.budget.epsilon:g}: a region is stricter, or as strict. Lower it, or raise the other."
                )

        if self.prior is not None:
            object.__setattr__(self, "prior", PriorMap.of(self.prior))
            if self.regions or self.period is not None or self.parts is not None or self.joint is not None:
                raise InputError("a public map takes part in releases without regions, series, parts or other holders.")
        if self.parts is not None and (self.regions or self.period is not None):
            raise InputError("parts are published without stricter regions and outside of a series.")

    @property
    def budget_for(self) -> Purpose:
        """How a method divides the budget; a stand-in is asked everything."""
        return Purpose.ANY_QUESTION if self.purpose == STAND_IN else Purpose(self.purpose)

    def facts(self) -> dict[str, Any]:
        """The request as JSON values. Budgets are spelled as the shortest decimals that mean them."""
        facts: dict[str, Any] = {
            "k": self.k,
            "epsilon": repr(self.budget.epsilon),
            "delta": repr(self.budget.delta),
            "method": self.method,
            "purpose": _SPELLED.get(self.purpose, self.purpose),
        }
        if self.unvetted:
            facts["unvetted"] = True
        if self.regions:  # a request without regions keeps the name it always had
            facts["regions"] = [{**region.facts(), "epsilon": repr(region.epsilon)} for region in self.regions]
        for name in ("period", "parts", "joint", "prior"):
            if (stated := getattr(self, name)) is not None:
                facts[name] = stated.facts()
        return facts

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> ReleaseRequest:
        """The request that `facts` wrote, or that a document states; an error where it is none."""
        regions = ({**region, "epsilon": float(region["epsilon"])} for region in facts.get("regions", ()))
        period, parts, joint, prior = (facts.get(name) for name in ("period", "parts", "joint", "prior"))
        return cls(
            k=facts["k"],
            budget=Budget(epsilon=float(facts["epsilon"]), delta=float(facts["delta"])),
            method=facts["method"],
            purpose=facts["purpose"],
            regions=tuple(Region.from_facts(region) for region in regions),
            period=None if period is None else Period.from_facts(period),
            parts=None if parts is None else Parts.from_facts(parts),
            unvetted=bool(facts.get("unvetted", False)),
            joint=None if joint is None else JointTerms.from_facts(joint),
            prior=None if prior is None else PriorMap(name=str(prior["name"]), digest=str(prior["digest"])),
        )

    def key(self, dataset: str) -> str:
        """A canonical name for this request on the dataset of this name, 32 hexadecimal digits."""
        return digest({"dataset": dataset, "request": self.facts()})


def checked_k(k: Any) -> int:
    """A whole number of clusters, or an error that says which are accepted."""
    try:
        if isinstance(k, bool):
            raise TypeError
        number = operator.index(k)
    except TypeError:
        number = 0
    if not 1 <= number <= MAX_CLUSTERS:
        raise InputError(f"k={k!r}: the number of clusters is a whole number from 1 to {MAX_CLUSTERS}.", k=k)
    return number


def digest(facts: Mapping[str, Any]) -> str:
    """SHA-256 of sorted, compact JSON, cut to 32 hexadecimal digits: the same on every machine."""
    text = json.dumps(facts, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]
