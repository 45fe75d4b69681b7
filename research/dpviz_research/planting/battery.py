"""The whole battery: every planted bug with the check that must find it, and what was found."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from dpviz_research.papers.records import Row
from dpviz_research.planting import (
    around_methods,
    checks_around_methods,
    checks_of_joint,
    checks_of_methods,
    checks_of_noise,
    checks_of_privacy,
    checks_of_sharing,
    checks_of_steps,
    checks_of_the_door,
    checks_of_trips,
    checks_of_wholes,
    in_joint,
    in_means,
    in_methods,
    in_rooms,
    in_searches,
    in_shares,
    in_trees,
    in_trips,
    in_wholes,
)
from dpviz_research.planting.patches import Bug, NoLongerThere, planted

BUGS: tuple[Bug, ...] = (
    *in_methods.BUGS,
    *in_means.BUGS,
    *in_trees.BUGS,
    *in_searches.BUGS,
    *in_wholes.BUGS,
    *in_rooms.BUGS,
    *in_trips.BUGS,
    *in_shares.BUGS,
    *in_joint.BUGS,
    *around_methods.BUGS,
)
CHECKS: dict[str, Callable[[], None]] = {
    **checks_of_methods.CHECKS,
    **checks_of_steps.CHECKS,
    **checks_of_noise.CHECKS,
    **checks_of_privacy.CHECKS,
    **checks_of_the_door.CHECKS,
    **checks_of_trips.CHECKS,
    **checks_of_wholes.CHECKS,
    **checks_of_sharing.CHECKS,
    **checks_of_joint.CHECKS,
    **checks_around_methods.CHECKS,
}
LONGEST = 160  # characters of a finding that are kept


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What the check of a bug said: nothing means that the bug was missed."""

    bug: Bug
    said: str | None


def found(bug: Bug) -> Finding:
    """Plant the bug, run its check, take it out again."""
    said = None
    with planted(bug), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a broken method may also divide by zero
        try:
            CHECKS[bug.check]()
        except NoLongerThere:
            raise
        except Exception as error:  # a bug that ends in any error is noticed by whoever runs the method
            said = f"{type(error).__name__}: {error}"
    return Finding(bug=bug, said=said)


def rows() -> Iterator[Row]:
    """One row for each check on the honest code, which must pass, then one for each bug, which must be found."""
    for name, check in CHECKS.items():
        started = time.process_time()
        check()
        yield {
            "room": "honest code",
            "bug": "none",
            "check": name,
            "found": False,
            "as_it_must_be": True,
            "said": "",
            "cpu_seconds": round(time.process_time() - started, 3),
        }
    for bug in BUGS:
        started = time.process_time()
        finding = found(bug)
        yield {
            "room": bug.room,
            "bug": bug.name,
            "check": bug.check,
            "found": finding.said is not None,
            "as_it_must_be": finding.said is not None,
            "said": shortened(finding.said or ""),
            "cpu_seconds": round(time.process_time() - started, 3),
        }


def shortened(said: str) -> str:
    """A finding in one line, without the digits that change from machine to machine."""
    line = re.sub(r"\s+", " ", said)
    line = re.sub(r"/\S*/", "…/", line)
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
