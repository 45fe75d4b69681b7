"""Who may do what. Roles come from groups of the sign-in or from lists of persons; nobody has one by default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dpviz.ledger.persons import Person, Role

__all__ = ["CURATORS", "LOOKS_AT_RECORDS", "Members", "Person", "Role", "is_listed_as", "is_plain", "person"]

CURATORS = frozenset({Role.STEWARD, Role.PUBLISHER, Role.APPROVER})
LOOKS_AT_RECORDS = frozenset({Role.STEWARD, Role.PUBLISHER})


@dataclass(frozen=True, kw_only=True)
class Members:
    """Who has a role: groups of the sign-in, persons by name."""

    groups: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


def person(name: str, groups: Iterable[str], roles: Mapping[Role, Members]) -> Person:
    """Return the person with every role that the lists give.

    A role is granted by name only where both names are printable ASCII and differ at most in the case of A to Z. Any
    other letter matches nobody: Unicode case folding and compatibility forms make one name of two persons' addresses
    (ß and ss, the Kelvin sign and k, ſ and s). On ASCII, NFC changes nothing, so that no normalization is needed.
    Who asked and who approves are compared the other way round, by `same_person`: there a match refuses.
    """
    held = set(groups)
    found = {
        role
        for role, members in roles.items()
        if members.groups & held or any(is_listed_as(name, listed) for listed in members.people)
    }
    return Person(name=name, roles=frozenset(found))


def is_listed_as(name: str, listed: str) -> bool:
    """Whether the entry of a list of people names this person."""
    return is_plain(name) and is_plain(listed) and name.lower() == listed.lower()  # ASCII: lowers A to Z only


def is_plain(name: str) -> bool:
    """Whether a name is printable ASCII, the only names that a list of people can hold."""
    return bool(name) and name.isascii() and name.isprintable()
