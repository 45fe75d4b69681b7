"""The neighbouring relation and the unit of protection."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from dpviz.errors import InputError

# The unit as it prints; `dpviz.labels.sentences` says it in other languages too.
UNIT_WORDS = {
    "record": "one record",
    "record, weighed": "one record ({weight})",
    "record, own level": "one record (with the epsilon it chose, where that is less)",
    "person": "one person (at most 1 record each)",
    "person, weighed": "one person (at most 1 record each, {weight})",
    "person, own level": "one person (at most 1 record each, with the epsilon they chose, where that is less)",
    "person of several": "one person (at most {cap} records each)",
    "person of several, weighed": "one person (at most {cap} records each, {weight})",
    "person of several, own level": "one person (at most {cap} records each, with the epsilon they chose, where that "
    "is less)",
}
WEIGHT_WORDS = {
    "bound": "of weight at most {most}",
    "steps": "of weight at most {most}, counted in steps of {step}",
    "one": "a weight of {step}",
}


class Adjacency(StrEnum):
    """The neighbouring relation. ADD_REMOVE_ONE keeps the number of records secret; REPLACE_ONE makes it public."""

    ADD_REMOVE_ONE = "add-remove"
    REPLACE_ONE = "replace"

    @classmethod
    def parse(cls, value: str | Adjacency) -> Adjacency:
        try:
            return cls(value)
        except ValueError:
            accepted = ", ".join(repr(member.value) for member in cls)
            raise InputError(f"relation {value!r} is not known; use one of {accepted}.", relation=value) from None


@dataclass(frozen=True, kw_only=True)
class Unit:
    """What the guarantee protects: one record, or one person with at most `cap` records kept.

    With a weight column counts are whole multiples of `weight_step`. Given `weight_bound` (in steps), a record is
    protected with all its weight, of which at most the bound is counted; without it, every step of weight is a record
    of its own, as in a table that counts records (docs/proofs/weights.md).

    With a level column every record (or person) chose one of `levels`, each an ε, the largest first
    (docs/proofs/own_levels.md).
    """

    person_column: str | None = None
    cap: int | None = None
    weight_column: str | None = None
    weight_bound: int | None = None
    weight_step: float = 1.0
    level_column: str | None = None
    levels: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if (self.person_column is None) != (self.cap is None):
            raise InputError(
                "a person column and a cap belong together: give both (person='rider_id', cap=3) or neither.",
                person=self.person_column,
                cap=self.cap,
            )
        if self.cap is not None and not _is_count(self.cap):
            raise InputError(f"cap={self.cap!r} must be a whole number of records per person, 1 or more.", cap=self.cap)
        if self.weight_bound is not None and not _is_count(self.weight_bound):
            raise InputError(f"a weight bound of {self.weight_bound!r} steps must be a whole number, 1 or more.")
        step = self.weight_step
        if isinstance(step, bool) or not isinstance(step, int | float) or not (math.isfinite(step) and step > 0):
            raise InputError(f"weight_step={step!r}: give a number above 0, such as 1 or 0.5.", weight_step=step)
        if self.weight_column is None and (self.weight_bound is not None or step != 1):
            raise InputError("a bound or a step of weights is given without a weight column (weight='count').")
        if self.weight_column is not None and self.weight_bound is None and self.cap is not None:
            raise InputError(
                "a table whose weights count records has no persons; leave out person and cap, or say with "
                "weight_bound how much one row may weigh."
            )
        falling = all(isinstance(one, float) and 0 < one < math.inf for one in self.levels) and all(
            first > second for first, second in pairwise(self.levels)
        )
        if not falling or bool(self.levels) != (self.level_column is not None):
            raise InputError("a column of levels has a list of epsilons, the largest first, and a list has a column.")
        if self.levels and self.weight_column is not None:
            raise InputError("a column of levels and one of weights cannot be used together; leave one out.")

    @property
    def records(self) -> int:
        """How many counted records one unit may hold: 1, the cap, the bound of a weight, or both multiplied."""
        return (1 if self.cap is None else int(self.cap)) * (1 if self.weight_bound is None else int(self.weight_bound))

    @property
    def holds_several(self) -> bool:
        """Whether one unit may be several counted records that belong together."""
        return self.cap is not None or self.weight_bound is not None

    def facts(self) -> dict[str, Any]:
        """JSON values. Weights are included only where there are any, as in older files."""
        found: dict[str, Any] = {"person_column": self.person_column, "cap": self.cap}
        if self.weight_column is not None:
            found["weight"] = {
                "column": self.weight_column,
                "bound": self.weight_bound,
                "step": float(self.weight_step),
            }
        if self.level_column is not None:
            found["level"] = {"column": self.level_column, "epsilons": list(self.levels)}
        return found

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> Unit:
        """The unit that `facts` wrote."""
        weight, level = facts.get("weight"), facts.get("level")
        if weight is None:
            return cls(
                person_column=facts.get("person_column"),
                cap=facts.get("cap"),
                level_column=None if level is None else str(level["column"]),
                levels=() if level is None else tuple(float(one) for one in level["epsilons"]),
            )
        return cls(
            person_column=facts.get("person_column"),
            cap=facts.get("cap"),
            weight_column=str(weight["column"]),
            weight_bound=weight["bound"],
            weight_step=float(weight["step"]),
        )

    def in_words(
        self,
        told: Callable[[str], str] = str,
        figures: Callable[[str], str] = str,
        weights: Mapping[str, str] = WEIGHT_WORDS,
    ) -> str:
        """In words: English as it prints, unless `told` and `figures` translate; `weights` words those otherwise."""
        step, weight = figures(f"{self.weight_step:g}"), ""
        if self.weight_bound is not None:
            most = figures(f"{self.weight_bound * self.weight_step:g}")
            weight = told(weights["bound" if self.weight_step == 1 else "steps"]).format(most=most, step=step)
        elif self.weight_column is not None:
            weight = told(weights["one"]).format(step=step)
        who = "record" if self.cap is None else "person" if self.cap == 1 else "person of several"
        kind = ", weighed" if weight else ", own level" if self.levels else ""
        return told(UNIT_WORDS[who + kind]).format(cap=self.cap, weight=weight)

    def __str__(self) -> str:
        return self.in_words()


def _is_count(value: Any) -> bool:
    return not isinstance(value, bool) and isinstance(value, int | float) and int(value) == value and value >= 1


ONE_RECORD = Unit()
