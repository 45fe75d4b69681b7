"""The configuration of the hosted house that this process serves, and a log of its visits."""

from __future__ import annotations

import os
import sys
import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import Final

from dpviz.errors import DpvizError
from dpviz.hosting.config import CONFIG, City, read_city
from dpviz.ledger.persons import HousePolicy, Person, host

SECRETS: Final = "DPVIZ_CITY_SECRETS"  # names of the variables that programs started later need not see
PART: Final = "DPVIZ_CITY_PART"
CURATORS, ANALYSTS = "curators", "analysts"


@lru_cache(maxsize=1)
def city() -> City | None:
    """Read the house's file once; None when dpviz runs on one's own computer.

    Removes the house's secrets from the environment. Afterwards only signed-in persons can be charged (`persons.host`).
    """
    named = os.environ.get(CONFIG)
    if not named:
        return None
    found = read_city(Path(named), with_sources=os.environ.get(PART) != ANALYSTS)
    host(HousePolicy(always_second_person=found.always_second_person, foreign_methods=found.foreign_methods))
    for variable in os.environ.get(SECRETS, "").split():
        os.environ.pop(variable, None)
    return found


_seen: set[tuple[str, str]] = set()
_lock = threading.Lock()


def note_visit(visitor: Person) -> None:
    """Note a person's first visit of the day in the ledger, in a thread: no request waits for the ledger."""
    if _is_new(visitor):
        threading.Thread(target=_write_visit, args=(visitor,), name="visit", daemon=True).start()


def tell_visit(visitor: Person) -> None:
    """Print a person's first visit of the day; for the analysts' server, which has no ledger."""
    if _is_new(visitor):
        roles = ", ".join(sorted(visitor.roles)) or "nobody with a role"
        print(f"dpviz: visit by {visitor.name!a} as {roles}", file=sys.stderr, flush=True)


def _is_new(visitor: Person) -> bool:
    today = time.strftime("%Y-%m-%d", time.gmtime())
    with _lock:
        known = {pair for pair in _seen if pair[1] == today}
        _seen.clear()
        _seen.update(known | {(visitor.name, today)})
        return (visitor.name, today) not in known


def _write_visit(visitor: Person) -> None:
    from dpviz.ledger.ledger import Ledger
    from dpviz.publishing.audit_log import VISIT

    try:
        Ledger().note(VISIT, visitor.name, {"roles": sorted(visitor.roles)}, who=visitor.name)
    except DpvizError as error:
        print(f"dpviz: a visit could not be noted: {error}", file=sys.stderr, flush=True)
