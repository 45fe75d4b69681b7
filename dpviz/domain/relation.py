"""Which two files count as neighbours, and what one unit of protection is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dpviz.errors import InputError


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
    """What the guarantee protects: one record, or one person with at most `cap` records kept."""

    person_column: str | None = None
    cap: int | None = None

    def __post_init__(self) -> None:
        if (self.person_column is None) != (self.cap is None):
            raise InputError(
                "a person column and a cap belong together: give both (person='rider_id', cap=3) or neither.",
                person=self.person_column,
                cap=self.cap,
            )
        if self.cap is not None and (isinstance(self.cap, bool) or int(self.cap) != self.cap or self.cap < 1):
            raise InputError(f"cap={self.cap!r} must be a whole number of records per person, 1 or more.", cap=self.cap)

    @property
    def records(self) -> int:
        """How many records one unit may hold: 1, or the cap."""
        return 1 if self.cap is None else int(self.cap)

    def __str__(self) -> str:
        if self.cap is None:
            return "one record"
        return f"one person (at most {self.cap} record{'s' if self.cap > 1 else ''} each)"


ONE_RECORD = Unit()
