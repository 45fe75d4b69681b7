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
from dpviz.domain.protected import MAX_PUBLISHED_POINTS, seed_from, sorted_centers, to_raw_inside
from dpviz.errors import DpvizError
from dpviz.mechanisms import interface
from dpviz.mechanisms.interface import Answer, MethodInfo, Plan, Public
from dpviz.privacy import Budget, Guarantee, RegionLevel, verify
from dpviz.questions.answers import Asked
from dpviz.questions.centers import center_radii
from dpviz.releases.release import NoAnswer, Release, digest_of, own_id
from dpviz.releases.request import ReleaseRequest

Floats = NDArray[np.float64]
CAP_IS_STATED = "cap_is_stated"
_OF_THE_RUN = ("noise", "seed", "status", "dataset", "demonstration", "about", "ledger")  # as in Circumstances


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
    noise_factor: float = 1.0  # by how much the variance of the noise exceeds what the method was told


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
    constants = to_plain_values({**plan.constants, **answer.constants})
    if where.cap_is_stated:
        constants[CAP_IS_STATED] = True
    if isinstance(answer, Answer) and answer.noisy_total is not None:
        constants["noisy_total"] = float(answer.noisy_total)
    if public.relation is Adjacency.REPLACE_ONE and "noisy_total" in constants:
        constants["public_rows"] = constants.pop("noisy_total")  # no noise is in it: the number of rows is public
    if where.noise_factor != 1.0 and isinstance(answer, Answer):
        answer = _noisier(answer, where.noise_factor)
    shared: dict[str, Any] = {
        "id": where.key or "",
        "request": request,
        "method": info.name,
        "guarantee": state_guarantee(request, plan, public),
        "charges": plan.charges,
        "frame": public.frame,
        "side": public.side,
        "constants": constants,
    }
    of_the_run: dict[str, Any] = {name: getattr(where, name) for name in _OF_THE_RUN}
    if isinstance(answer, interface.NoAnswer):
        refused = NoAnswer(**shared, **of_the_run, reason=answer.reason)
        return refused if where.key else replace(refused, id=own_id(refused))
    coreset = None if answer.coreset is None else _limit_coreset(answer.coreset)
    given = answer.centers if answer.centers is not None else _solve_centers(answer.coreset, info, request)
    centers = sorted_centers(given)
    if answer.cells is not None:
        left = np.asarray(constants.pop("center_error_left", [1.0] * len(centers)), np.float64)
        crossed = np.asarray(constants.pop("center_error_crossed", [0.0] * len(centers)), np.float64)
        found = center_radii(Asked(tree=answer.cells), centers.positions, left, crossed)
        constants["center_radii_90"] = [float(f"{value:.4g}") for value in found]
    release = Release(
        **shared,
        **of_the_run,
        raw_centers=freeze_array(to_raw_inside(public.frame, centers.positions)),
        center_weights=freeze_array(centers.weights),
        raw_coreset=None if coreset is None else freeze_array(to_raw_inside(public.frame, coreset.positions)),
        coreset_weights=None if coreset is None else freeze_array(coreset.weights),
        coreset_variances=None if coreset is None or coreset.variances is None else freeze_array(coreset.variances),
        protected_cells=answer.cells,
        protected_ends=answer.ends,
    )
    _check_finite(release)
    return release if where.key else replace(release, id=own_id(release))


def state_guarantee(request: ReleaseRequest, plan: Plan, public: Public) -> Guarantee:
    """What the release guarantees, the regions of the request included."""
    uniform = Guarantee.of(budget_spent(request.budget, plan), public.relation, public.unit)
    levels = tuple(RegionLevel(name=region.name, epsilon=region.epsilon) for region in request.regions)
    return replace(uniform, regions=levels)


def _noisier(answer: Answer, factor: float) -> Answer:
    """The answer with the variances that its noise had."""
    coreset, cells = answer.coreset, answer.cells
    if coreset is not None and coreset.variances is not None:
        coreset = replace(coreset, variances=coreset.variances * factor)
    if cells is not None:
        cells = replace(cells, variance=cells.variance * factor, spread=cells.spread * factor)
    return replace(answer, coreset=coreset, cells=cells)


def _limit_coreset(coreset: Coreset) -> Coreset:
    """At most 4,096 points, so that a map can draw them; the total weight stays."""
    if len(coreset) <= MAX_PUBLISHED_POINTS:
        return coreset
    points, variances = (coreset.positions, coreset.weights), coreset.variances
    if variances is None:
        positions, weights = merge_points(*points, limit=MAX_PUBLISHED_POINTS)
    else:
        positions, weights, variances = merge_with_variances(*points, variances, limit=MAX_PUBLISHED_POINTS)
    return Coreset(frame=coreset.frame, positions=positions, weights=weights, variances=variances)


def _solve_centers(coreset: Coreset | None, info: MethodInfo, request: ReleaseRequest) -> Centers:
    """Centers of the whole coreset, before it is merged, for methods that leave this to the caller."""
    if coreset is None:
        raise DpvizError(f"{info.name} gave neither a coreset nor centers; this is a defect of the method.")
    solve = solve_kmedian if info.objective == "k-median" else solve_kmeans
    found = solve(
        coreset.positions,
        coreset.weights,
        request.k,
        seed=seed_from("centers", digest_of(coreset.positions, coreset.weights), request.k),
        low=np.zeros(coreset.frame.dims),
        high=coreset.frame.extent,
    )
    return Centers(frame=coreset.frame, positions=found.centers, weights=found.weights)


def to_plain_values(value: Any) -> Any:
    """Constants as JSON values: no numpy numbers, no NaN, mappings and lists only."""
    if isinstance(value, Mapping):
        return {str(key): to_plain_values(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain_values(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return to_plain_values(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def freeze_array(values: Floats) -> Floats:
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


def check_charges(plan: Plan, budget: Budget) -> None:
    """Refuse a plan that spends more than it was given: a defect of the method, found before it can do harm."""
    verify(plan.charges, budget)


def budget_spent(budget: Budget, plan: Plan) -> Budget:
    """What a plan costs, and guarantees: the whole ε that was asked for; δ only where the charges need it."""
    pure = Budget(epsilon=budget.epsilon, delta=0.0)
    if budget.delta == 0:
        return pure
    try:
        verify(plan.charges, pure)
    except DpvizError:
        return budget
    return pure
