"""Who acts on a ledger, how they are known, and which steps their roles allow. The policy of a process only tightens.

On one's own computer a person is the name that somebody typed. A hosted process calls `host` once at its start; from
then on every step needs a person whom the sign-in named, whichever page or helper takes it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from dpviz.errors import NotYourRole
from dpviz.language import marked
from dpviz.ledger.rows import person_at_work


class Role(StrEnum):
    """What somebody is in the house. One person may be several."""

    STEWARD = "steward"  # registers data, sets budgets, reads the audit log
    PUBLISHER = "publisher"  # looks at registered data, publishes or asks for approval
    APPROVER = "approver"  # approves or refuses what others ask for
    ANALYST = "analyst"  # compares and asks what was published
    READER = "reader"  # reads what was published


marked(*Role)


class Known(StrEnum):
    """How a person is known."""

    TYPED = "typed"  # a name given on one's own computer, or at the command line
    SIGNED_IN = "signed in"  # named by the sign-in of a hosted house


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody who acts. Only the sign-in's own modules make one that is signed in (tests/architecture)."""

    name: str
    roles: frozenset[Role] = field(default_factory=frozenset)
    known: Known = Known.SIGNED_IN

    def may(self, *roles: Role) -> bool:
        """Whether the person has one of these roles."""
        return bool(self.roles & set(roles))


Who = Person | str  # a text is a typed name; "" is the system's name of the user


class Step(StrEnum):
    """What somebody may do with a ledger."""

    REGISTER = "register data"  # with its stand-in's charge, a population, a series
    DRAW_STAND_IN = "draw a stand-in"  # under the charge of its registration
    PUBLISH = "publish"
    READ_UPLOAD = "send records"
    ASK = "ask for approval"
    DECIDE = "approve or refuse"
    MAKE_RULE = "make a rule"
    CHANGE_RELEASE = "correct, supersede or withdraw a release"


ROLES_OF_STEP: Final[Mapping[Step, tuple[Role, ...]]] = MappingProxyType(
    {
        Step.REGISTER: (Role.STEWARD,),
        Step.DRAW_STAND_IN: (Role.STEWARD, Role.PUBLISHER),
        Step.PUBLISH: (Role.PUBLISHER,),
        Step.READ_UPLOAD: (Role.STEWARD, Role.PUBLISHER),
        Step.ASK: (Role.PUBLISHER,),
        Step.DECIDE: (Role.APPROVER,),
        Step.MAKE_RULE: (Role.STEWARD,),
        Step.CHANGE_RELEASE: (Role.STEWARD, Role.PUBLISHER),
    }
)


@dataclass(frozen=True, kw_only=True)
class HousePolicy:
    """What binds every step of a hosted process."""

    always_second_person: bool = False
    foreign_methods: bool = False  # whether methods of other packages may publish


_stated: list[HousePolicy] = globals().get("_stated", [])  # empty on one's own computer; a reload forgets nothing
_lock = threading.Lock()


def host(policy: HousePolicy) -> None:
    """Bind this process to a house's policy, for good. Stating another one later can only add to it."""
    with _lock:
        always = policy.always_second_person or any(one.always_second_person for one in _stated)
        foreign = policy.foreign_methods and all(one.foreign_methods for one in _stated)
        _stated[:] = [HousePolicy(always_second_person=always, foreign_methods=foreign)]


def house_policy() -> HousePolicy | None:
    """The policy of this process; None on one's own computer."""
    return _stated[0] if _stated else None


def foreign_methods_allowed() -> bool:
    """Whether methods of other packages may publish: at home, or where the house's file allows them."""
    return all(policy.foreign_methods for policy in _stated)


def is_allowed(who: Who, step: Step) -> bool:
    """Whether this person may take the step: for pages, which show it or leave it out."""
    try:
        acting_person(who, step)
    except NotYourRole:
        return False
    return True


def acting_person(who: Who, step: Step) -> Person:
    """Return who takes this step, or refuse it: a house knows signed-in persons only, and asks for their role."""
    if isinstance(who, Person) and who.known is Known.SIGNED_IN:
        if not who.name.strip():
            raise NotYourRole(f"nobody is signed in; sign in to {step.value}. Nothing was charged or drawn.")
        if not who.may(*ROLES_OF_STEP[step]):
            listed = " or ".join(ROLES_OF_STEP[step])
            raise NotYourRole(f"this step is for a {listed}; {who.name} is none. Nothing was charged or drawn.")
        return who
    if house_policy() is not None:
        raise NotYourRole(
            f"in a hosted house only a signed-in person may {step.value}; a typed name is not enough. Nothing was "
            "charged or drawn."
        )
    return who if isinstance(who, Person) else Person(name=person_at_work(who), known=Known.TYPED)
