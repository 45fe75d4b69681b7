"""From what a mechanism gives to a release: at most 4,096 points, centers inside the box, heaviest first."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import merge_points, merge_with_variances, solve_kmeans, solve_kmedian
from dpviz.domain import Adjacency, Centers, Coreset
from dpviz.domain.protected import MAX_PUBLISHED_POINTS
from dpviz.errors import DpvizError
from dpviz.mechanisms import interface
from dpviz.mechanisms.interface import Answer, MethodInfo, Plan, Public
from dpviz.privacy import Guarantee, RegionLevel
from dpviz.publishing.charge_check import spent
from dpviz.questions.answers import Asked
from dpviz.questions.center_radii import center_radii
from dpviz.releases.center_tables import seed_from, sorted_centers, to_raw_inside
from dpviz.releases.content_ids import digest_of, own_id
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.request import ReleaseRequest

Floats = NDArray[np.float64]
CAP_IS_STATED = "cap_is_stated"


@dataclass(frozen=True, kw_only=True)
class Circumstances:
    """Where a run took place: which of the three kinds of release it may become."""

    status: str
    noise: str
    seed: int | None
    dataset: str | None = None
    key: str | None = None  # the release's id, when a dataset and a request name it
    demonstration: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)
    ledger: str | None = None
    cap_is_stated: bool = False  # of records that were handed in finished (dpviz.ExactCounts)


def assemble(
    answer: Answer | interface.NoAnswer,
    *,
    request: ReleaseRequest,
    info: MethodInfo,
    plan: Plan,
    public: Public,
    where: Circumstances,
) -> Release | NoAnswer:
    """Build what is handed out, from the plan and the protected answer alone."""
    constants = plain({**plan.constants, **answer.constants})
    if where.cap_is_stated:
        constants[CAP_IS_STATED] = True
    if isinstance(answer, Answer) and answer.noisy_total is not None:
        constants["noisy_total"] = float(answer.noisy_total)
    if public.relation is Adjacency.REPLACE_ONE and "noisy_total" in constants:
        constants["public_rows"] = constants.pop("noisy_total")  # no noise is in it: the number of rows is public
    shared: dict[str, Any] = {
        "id": where.key or "",
        "request": request,
        "method": info.name,
        "guarantee": promised(request, plan, public),
        "charges": plan.charges,
        "frame": public.frame,
        "side": public.side,
        "noise": where.noise,
        "seed": where.seed,
        "status": where.status,
        "dataset": where.dataset,
        "demonstration": where.demonstration,
        "about": where.about,
        "ledger": where.ledger,
    }
    if isinstance(answer, interface.NoAnswer):
        refused = NoAnswer(**shared, constants=constants, reason=answer.reason)
        return refused if where.key else replace(refused, id=own_id(refused))
    coreset = None if answer.coreset is None else published_coreset(answer.coreset)
    given = answer.centers if answer.centers is not None else solved_centers(answer.coreset, info, request)
    centers = sorted_centers(given)
    if answer.cells is not None:
        left = np.asarray(constants.pop("center_error_left", [1.0] * len(centers)), np.float64)
        found = center_radii(Asked(tree=answer.cells), centers.positions, left)
        constants["center_radii_90"] = [float(f"{value:.4g}") for value in found]
    release = Release(
        **shared,
        constants=constants,
        raw_centers=frozen(to_raw_inside(public.frame, centers.positions)),
        center_weights=frozen(centers.weights),
        raw_coreset=None if coreset is None else frozen(to_raw_inside(public.frame, coreset.positions)),
        coreset_weights=None if coreset is None else frozen(coreset.weights),
        coreset_variances=None if coreset is None or coreset.variances is None else frozen(coreset.variances),
        protected_cells=answer.cells,
        protected_ends=answer.ends,
    )
    _check_finite(release)
    return release if where.key else replace(release, id=own_id(release))


def promised(request: ReleaseRequest, plan: Plan, public: Public) -> Guarantee:
    """What the release guarantees, the regions of the request included."""
    uniform = Guarantee.of(spent(request.budget, plan), public.relation, public.unit)
    levels = tuple(RegionLevel(name=region.name, epsilon=region.epsilon) for region in request.regions)
    return replace(uniform, regions=levels)


def published_coreset(coreset: Coreset) -> Coreset:
    """At most 4,096 points, so that a map can draw them; the total weight stays."""
    if len(coreset) <= MAX_PUBLISHED_POINTS:
        return coreset
    if coreset.variances is None:
        positions, weights = merge_points(coreset.positions, coreset.weights, limit=MAX_PUBLISHED_POINTS)
        return Coreset(frame=coreset.frame, positions=positions, weights=weights)
    positions, weights, variances = merge_with_variances(
        coreset.positions, coreset.weights, coreset.variances, limit=MAX_PUBLISHED_POINTS
    )
    return Coreset(frame=coreset.frame, positions=positions, weights=weights, variances=variances)


def solved_centers(coreset: Coreset | None, info: MethodInfo, request: ReleaseRequest) -> Centers:
    """Centers of the whole coreset, before it is merged, for methods that leave this to the caller."""
    if coreset is None:
        raise DpvizError(f"{info.name} gave neither a coreset nor centers; this is a defect of the method.")
    solve = solve_kmedian if info.objective == "k-median" else solve_kmeans
    seed = seed_from("centers", digest_of(coreset.positions, coreset.weights), request.k)
    found = solve(
        coreset.positions,
        coreset.weights,
        request.k,
        seed=seed,
        low=np.zeros(coreset.frame.dims),
        high=coreset.frame.extent,
    )
    return Centers(frame=coreset.frame, positions=found.centers, weights=found.weights)


def plain(value: Any) -> Any:
    """Constants as JSON values: no numpy numbers, no NaN, mappings and lists only."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def frozen(values: Floats) -> Floats:
    """A read-only copy."""
    copy = np.array(values, dtype=np.float64)
    copy.flags.writeable = False
    return copy


def _check_finite(release: Release) -> None:
    arrays = [release.raw_centers, release.center_weights, release.raw_coreset, release.coreset_weights]
    for cells in (release.protected_cells, *(release.protected_ends or ())):
        if cells is not None:
            cells.check()
    if not all(np.isfinite(array).all() for array in arrays if array is not None):
        raise DpvizError(f"{release.method} gave a coordinate or weight that is not a number; this is a defect of it.")
