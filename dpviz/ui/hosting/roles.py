"""Who may do what. Roles come from groups of the sign-in or from lists of persons; nobody has one by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Role(StrEnum):
    """What somebody is in the house. One person may be several."""

    STEWARD = "steward"  # registers data, sets budgets, reads the audit log
    PUBLISHER = "publisher"  # looks at registered data, publishes or asks for approval
    APPROVER = "approver"  # approves or refuses what others ask for
    ANALYST = "analyst"  # compares and asks what was published
    READER = "reader"  # reads what was published


CURATORS = frozenset({Role.STEWARD, Role.PUBLISHER, Role.APPROVER})
LOOKS_AT_RECORDS = frozenset({Role.STEWARD, Role.PUBLISHER})


@dataclass(frozen=True, kw_only=True)
class Members:
    """Who has a role: groups of the sign-in, persons by name."""

    groups: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody whom the sign-in named."""

    name: str
    roles: frozenset[Role] = field(default_factory=frozenset)

    def may(self, *roles: Role) -> bool:
        """Whether the person has one of these roles."""
        return bool(self.roles & set(roles))


def person(name: str, groups: Iterable[str], roles: Mapping[Role, Members]) -> Person:
    """The person with all roles that the lists give."""
    held, plain = set(groups), name.casefold()
    found = {
        role
        for role, members in roles.items()
        if members.groups & held or plain in {listed.casefold() for listed in members.people}
    }
    return Person(name=name, roles=frozenset(found))
