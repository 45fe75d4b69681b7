"""One run of a joint plan by one of its holders, and the check that charges nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts
from dpviz.errors import DpvizError, InputError, JointError
from dpviz.joint.circle import CHECK, Circle
from dpviz.joint.plan import JointPlan, read_plan
from dpviz.joint.source import JointSource, SumsOnly, secret_sharing
from dpviz.ledger.ledger import LedgerLike
from dpviz.ledger.persons import Who
from dpviz.mechanisms.interface import ExactData, Public
from dpviz.privacy import Budget
from dpviz.publishing.approvals import permit
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.joint_door import permit_of_run, publish_jointly
from dpviz.publishing.registration import register_or_open
from dpviz.releases.about import About
from dpviz.releases.release import NoAnswer, Release

_MOST_RECORDS = 2**42  # of one holder: 2^20 each, so that no sum reaches 2^62 (docs/proofs/joint.md, precondition)


def run(
    plan: JointPlan | str | Path,
    *,
    holder: str,
    data: ExactCounts,
    ledger: LedgerLike = None,
    dataset: str = "",
    total: Budget | None = None,
    strict: bool = False,
    who: Who = "",
    why: str = "",
    **connection: Any,
) -> Release | NoAnswer:
    """Publish with the other holders of this plan, who run the same at the same time.

    The records are registered in this holder's own ledger as `dataset` (default: its name in the plan), with `total` or
    just the plan's epsilon. The whole epsilon is charged there before the first share leaves; every run is a new draw
    and a new charge. Without `strict`, data with no record inside the box are refused before the others are called,
    who see that this holder stays away. `connection`: the options `wait`, `listen` and `tell` of Circle.
    """
    agreed = plan if isinstance(plan, JointPlan) else read_plan(plan)
    opened = register_or_open(
        dataset or holder,
        checked_counts(agreed, data),
        request=agreed.request,
        total=total,
        ledger=ledger,
        strict=strict,
        who=who,
        why=why,
    )
    return run_registered(Circle(agreed, holder, **connection), opened, who=who, why=why)


def run_registered(circle: Circle, dataset: Dataset, *, who: Who = "", why: str = "") -> Release | NoAnswer:
    """The same for records that are registered."""
    plan = circle.plan
    secret_sharing()  # a missing library is found before anybody is called
    permit(who, permit_of_run(dataset, plan.request_of_run("0")))
    with circle:
        noise = JointSource(circle)
        try:
            return publish_jointly(
                dataset,
                plan.request_of_run(circle.run_id),
                circle,
                noise,
                SumsOnly(),
                about=About(title=plan.title),
                published=datetime.fromtimestamp(circle.clock, UTC).date().isoformat(),
                who=who,
                why=why,
            )
        except BaseException as error:  # its text may hold exact data, unless it is one of ours
            if isinstance(error, JointError) or not circle.charged:
                raise
            told = error.message if isinstance(error, DpvizError) else f"the run was stopped ({type(error).__name__})."
            raise circle.trouble(told) from None


def check(plan: JointPlan, holder: str, **connection: Any) -> None:
    """Reach all holders and compare plans, versions, fingerprints and clocks with them. Nothing is read or charged."""
    with Circle(plan, holder, purpose=CHECK, **connection) as circle:
        circle.compare("check", b"")  # all have come as far as this


def checked_counts(plan: JointPlan, data: ExactData) -> ExactCounts:
    """These records; refused where they lie on another grid than the plan's, protect more than one, or are too many."""
    if not isinstance(data, ExactCounts) or Public.of(data) != plan.public or data.cap_is_stated:
        raise InputError(
            f"the records are not counts of single records on the grid of the plan (box {plan.box.as_tuple()}, side "
            f"{plan.side}, add-remove). Read them with that box and side, and without persons, weights or levels."
        )
    if data.exact_cells.sum(dtype=np.float64) >= _MOST_RECORDS:  # whole numbers of 64 bits might wrap here
        raise InputError("these are more records than a joint run can add, 2^42 or more. Nothing was charged.")
    return data
