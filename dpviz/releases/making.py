"""One run: resolve the method, plan on public facts, check the charges, draw, assemble.

Also the two ways round the door.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz.domain import ExactCounts, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import ExactData, Mechanism, Plan, Public
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.privacy import Budget
from dpviz.privacy.regions import Region, checked_regions
from dpviz.releases.assemble import Circumstances, assemble
from dpviz.releases.charging import check_charges
from dpviz.releases.outcomes import PREVIEW, UNLEDGERED, NoAnswer, Release
from dpviz.releases.request import ReleaseRequest

GRID_SIDE_FOR_POINTS = 1024  # points in two dimensions are put on this grid for methods that take counts


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """All that is fixed before the first random number; made from public facts alone."""

    request: ReleaseRequest
    mechanism: Mechanism
    public: Public
    plan: Plan


def prepare(request: ReleaseRequest, public: Public) -> Prepared:
    """Resolve and plan; raises for whatever a method is not proved for or cannot take."""
    k, budget = request.k, request.budget
    if request.regions:
        mechanism = catalogue.choose_with_regions(request.method, request.regions, public, k=k, budget=budget)
    else:
        mechanism = catalogue.choose(request.method, public, k=k, budget=budget)
    seen = public_for(mechanism, public)
    plan = mechanism.plan(seen, k=k, budget=budget)
    check_charges(plan, budget)
    return Prepared(request=request, mechanism=mechanism, public=seen, plan=plan)


def run(prepared: Prepared, data: ExactData, noise: NoiseSource, where: Circumstances) -> Release | NoAnswer:
    """Draw, and build the release from plan and answer."""
    answer = prepared.mechanism.run(as_taken(prepared.mechanism, data), prepared.plan, noise)
    return assemble(
        answer,
        request=prepared.request,
        info=prepared.mechanism.info,
        plan=prepared.plan,
        public=prepared.public,
        where=where,
    )


def release(
    data: ExactData,
    k: int,
    budget: Budget,
    method: str = "auto",
    seed: int | None = None,
    *,
    regions: Sequence[Region] = (),
) -> Release | NoAnswer:
    """A release outside the door: no ledger charges it, and every file of it says so.

    Without `seed` the noise is secure; with it the run can be replayed, which protects nobody who may know the seed.
    What may leave the house is made by dpviz.publish. `regions` are public and have levels of their own
    (dpviz.read_regions); `budget` is then that of everything outside them.
    """
    return _outside(
        data, ReleaseRequest(k=k, budget=budget, method=method, regions=checked_regions(regions)), seed, UNLEDGERED
    )


def preview(
    data: ExactData,
    k: int,
    budget: Budget,
    method: str = "auto",
    seed: int | None = None,
    *,
    regions: Sequence[Region] = (),
) -> Release | NoAnswer:
    """A draw for the curator's eyes only: never stored, never exported, not what will be published."""
    return _outside(
        data, ReleaseRequest(k=k, budget=budget, method=method, regions=checked_regions(regions)), seed, PREVIEW
    )


def _outside(data: ExactData, request: ReleaseRequest, seed: int | None, status: str) -> Release | NoAnswer:
    prepared = prepare(request, public_facts(data))
    noise = secure_source() if seed is None else replayable_source(checked_seed(seed))
    return run(prepared, data, noise, Circumstances(status=status, noise=noise.kind, seed=noise.seed))


def checked_seed(seed: int) -> int:
    """A seed is a whole number of 0 or more."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed={seed!r}: a seed is a whole number, 0 or more; leave it out for secure noise.")
    return int(seed)


def public_facts(data: ExactData) -> Public:
    """What a plan may know about the data."""
    if not isinstance(data, ExactCounts | ExactPoints):
        raise InputError(
            f"the data are {type(data).__name__}; give dpviz.ExactCounts or dpviz.ExactPoints (dpviz.read_counts)."
        )
    public = Public.of(data)
    check_names(public)
    return public


def check_names(public: Public) -> None:
    """Names of columns stand in every file of a release: distinct, writable, and not those of its own columns."""
    names = public.frame.names
    if len(set(names)) < len(names) or {"weight", "variance"} & set(names):
        raise InputError(
            f"the columns are named {list(names)!a}; names must differ from each other and from 'weight' and "
            "'variance', which every release has. Rename the columns."
        )
    try:
        "".join([*names, public.unit.person_column or ""]).encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"the columns are named {list(names)!a}, which cannot be written as text; rename them."
        ) from None


def public_for(mechanism: Mechanism, public: Public) -> Public:
    """The public facts of the data in the form that the method takes."""
    side = public.side
    if mechanism.info.takes == "points":
        side = None
    elif mechanism.info.takes == "counts" and side is None and public.frame.dims == 2:
        side = GRID_SIDE_FOR_POINTS
    return Public(
        frame=public.frame,
        side=side,
        relation=public.relation,
        unit=public.unit,
        public_rows=public.public_rows,
    )


def as_taken(mechanism: Mechanism, data: ExactData) -> ExactData:
    """Counts or points, as the method takes them: points fall into cells, cells become points at their centers."""
    if mechanism.info.takes == "counts" and isinstance(data, ExactPoints):
        return data.to_counts(GRID_SIDE_FOR_POINTS)
    if mechanism.info.takes == "points" and isinstance(data, ExactCounts):
        return cell_center_points(data)
    return data


def cell_center_points(counts: ExactCounts) -> ExactPoints:
    """One point per record, at the center of its cell."""
    rows, columns = np.nonzero(counts.exact_cells)
    side = counts.grid.side
    cube = np.column_stack([(columns + 0.5) / side, (side - rows - 0.5) / side])
    return ExactPoints(
        counts.grid.frame,
        np.repeat(cube, counts.exact_cells[rows, columns], axis=0),
        relation=counts.relation,
        unit=counts.unit,
        public_rows=counts.public_rows,
    )
