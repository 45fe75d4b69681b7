"""One run: resolve the method, plan on public facts, check the charges, draw, assemble.

Also the two ways round the door, and what error simulations expect of a request before anything is spent. That reads
public facts and one number of records, which is what the caller may know: public, guessed, bought, or, on the curator's
terminal, exact. What is expected of every part is exact, and the curator's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack, cast, overload

import numpy as np

from dpviz.domain import Centers, Coreset, ExactCounts, ExactPoints
from dpviz.domain.parts import Parts
from dpviz.domain.public_map import PriorMap
from dpviz.errors import DpvizError, InputError, extra_needed
from dpviz.life.folder_files import folder_files
from dpviz.mechanisms import catalogue, interface
from dpviz.mechanisms.adaptive_tree.mechanism import RECIPES, AdaptiveTree
from dpviz.mechanisms.forecast import Forecast, choose_by_forecast, forecast, methods, most_dimensions, percent
from dpviz.mechanisms.interface import Answer, ExactData, Mechanism, Plan, Public, Purpose
from dpviz.mechanisms.mean_split.mechanism import MeanSplit
from dpviz.mechanisms.series_cells import Past, SeriesCells
from dpviz.noise import NoiseSource, preview_source, replayable_source, secure_source
from dpviz.privacy import Budget
from dpviz.privacy.regions import Region, checked_regions
from dpviz.publishing.assemble import Circumstances, assemble, check_charges, state_guarantee
from dpviz.releases.release import PREVIEW, UNLEDGERED, NoAnswer, Release
from dpviz.releases.request import STAND_IN, ReleaseRequest

if TYPE_CHECKING:
    import pandas as pd

_METHOD_OF_SHEETS = "adaptive_tree"
_SIDE_OF_LIKENESS, _FEWEST_FOR_LIKENESS = 128, 50
_LIKE = 0.3  # of the distance between two samples of the same places
GRID_SIDE_FOR_POINTS = 1024  # points in two dimensions are put on this grid for methods that take counts


@dataclass(frozen=True, kw_only=True, eq=False)
class Prepared:
    """All that is fixed before the first random number; made from public facts alone."""

    request: ReleaseRequest
    mechanism: Mechanism
    public: Public
    plan: Plan


def prepare(request: ReleaseRequest, public: Public, past: Past | None = None) -> Prepared:
    """Resolve and plan; raises for whatever a method is not proved for or cannot take.

    `past` is what the period before published, for a period of a series.
    """
    k, budget, purpose = request.k, request.budget, request.budget_for
    mechanism: Mechanism
    alone = not (request.regions or request.parts or request.period or request.joint or request.purpose == STAND_IN)
    if public.unit.levels and not alone:  # what the proof of own levels does not cover
        raise InputError(
            "records that chose their own levels are published alone: without stricter regions, parts, a series, other "
            "holders or a stand-in. Leave that out, or read the records without the column of levels."
        )
    if request.parts is not None:
        _refuse_another_sheet(request, request.parts, public)
        # The tree begins at the tiles, so that each is counted, and corrects no centers of the sheet as a whole. Both
        # are utility constants of the method, from the public layout.
        recipe = replace(RECIPES[purpose], roots=max(RECIPES[purpose].roots, request.parts.across))
        mechanism = AdaptiveTree(recipe, purpose=Purpose.ANY_QUESTION)
        request = replace(request, method=_METHOD_OF_SHEETS)
    elif request.period is not None:
        mechanism = SeriesCells(past)
    elif request.regions:
        with extra_needed():  # said now, not after a charge
            import_module("scipy")
        mechanism = catalogue.choose_with_regions(
            request.method, request.regions, public, k=k, budget=budget, purpose=purpose
        )
    else:
        asked = request.purpose != STAND_IN  # nobody asks a stand-in for one end of its trips
        mechanism = catalogue.choose(request.method, public, k=k, budget=budget, purpose=purpose, maps_of_ends=asked)
    if request.prior is not None:
        mechanism = _with_prior(mechanism, request.prior, public)
    _refuse_streamed(mechanism, public)
    seen = public_for(mechanism, public)
    plan = mechanism.plan(seen, k=k, budget=budget)
    check_charges(plan, budget)
    state_guarantee(request, plan, seen)  # a guarantee that cannot be stated is refused here
    return Prepared(request=request, mechanism=mechanism, public=seen, plan=plan)


def _with_prior(mechanism: Mechanism, prior: PriorMap, public: Public) -> Mechanism:
    """The method with a public map; refused before the charge where the map or the method does not fit."""
    if not isinstance(mechanism, AdaptiveTree) or public.frame.dims != 2:
        raise InputError(
            "a public map takes part in releases of places in a plane by adaptive_tree; leave the method out, or the "
            "map."
        )
    prior.on(public.frame, 1)
    return mechanism.with_prior(prior)


def refuse_own_records(request: ReleaseRequest, data: ExactData) -> None:
    """Refuse a public map that lies nearer to these records than other records of the same places would.

    Such a map was made from them, and would hand out what it knows. It is for the curator, before anything is charged.
    """
    if request.prior is None:
        return
    counts = data.to_counts(GRID_SIDE_FOR_POINTS) if isinstance(data, ExactPoints) else data
    side = min(counts.grid.side, _SIDE_OF_LIKENESS)
    exact = counts.coarsened(side).to_numpy().astype(np.float64)
    told = request.prior.on(counts.grid.frame, side) * exact.sum()
    both = exact + told
    apart = float(np.divide((exact - told) ** 2, both, out=np.zeros(both.shape), where=both > 0.0).sum())
    if float(exact.sum()) >= _FEWEST_FOR_LIKENESS and apart < _LIKE * float(np.minimum(0.5, both).sum()):
        raise InputError(
            f"the public map {request.prior.name!r} lies so near to the records that it was made from them, or from "
            "nearly the same. Give a map that owes nothing to them. Nothing was charged."
        )


def _refuse_another_sheet(request: ReleaseRequest, parts: Parts, public: Public) -> None:
    """Parts are told from counts on their own sheet, by the method whose cells follow the tiles."""
    if public.frame != parts.sheet.frame or public.side != parts.sheet.side:
        raise InputError(
            f"these counts do not lie on the sheet of {len(parts.names)} {parts.word}s that the request states; read "
            "them with that box, side and division (read_parts, --by)."
        )
    if request.method not in ("auto", _METHOD_OF_SHEETS):
        raise InputError(
            f"method={request.method!r} with parts: {_METHOD_OF_SHEETS} counts them, whose cells follow the "
            "parts; leave the method out."
        )


def rehearse(prepared: Prepared, where: Circumstances, basemap: Mapping[str, Any] | None) -> None:
    """Put the folder together once, with an answer made up from public facts; raises what would be refused later.

    Whatever depends on the request, the plan, the dataset's names or the basemap is found here, before the charge.
    """
    frame, k = prepared.public.frame, prepared.request.k
    middle = np.tile(frame.extent / 2, (k, 1))
    points = Coreset(frame=frame, positions=middle, weights=np.ones(k))
    answer = Answer(
        coreset=points if prepared.mechanism.info.gives_coreset else None,
        centers=Centers(frame=frame, positions=middle, weights=np.ones(k)),
        noisy_total=float(k),
    )
    try:
        folder_files(_assembled(prepared, answer, where), basemap=basemap)
    except DpvizError:
        raise
    except Exception as error:
        what = "with this basemap" if basemap is not None else "for this request"
        raise InputError(
            f"the release folder cannot be put together {what} ({type(error).__name__}). Nothing was charged."
        ) from error


def run(prepared: Prepared, data: ExactData, noise: NoiseSource, where: Circumstances) -> Release | NoAnswer:
    """Draw, and build the release from plan and answer."""
    answer = prepared.mechanism.run(as_taken(prepared.mechanism, data), prepared.plan, noise)
    return _assembled(prepared, answer, replace(where, cap_is_stated=data.cap_is_stated))


def _assembled(prepared: Prepared, answer: Answer | interface.NoAnswer, where: Circumstances) -> Release | NoAnswer:
    return assemble(
        answer,
        request=prepared.request,
        info=prepared.mechanism.info,
        plan=prepared.plan,
        public=prepared.public,
        where=where,
    )


class _Options(TypedDict, total=False):
    regions: Sequence[Region]
    purpose: str
    parts: Parts | None
    prior: PriorMap | Release | None


class _OutsideTheDoor(Protocol):
    """The type of `release` and `preview`: the method "auto" always gives an answer."""

    @overload
    def __call__(
        self,
        data: ExactData,
        k: int,
        budget: Budget,
        method: Literal["auto"] = "auto",
        seed: int | None = None,
        **options: Unpack[_Options],
    ) -> Release: ...
    @overload
    def __call__(
        self, data: ExactData, k: int, budget: Budget, method: str, seed: int | None = None, **options: Unpack[_Options]
    ) -> Release | NoAnswer: ...


def _typed_by_method(function: Callable[..., Release | NoAnswer]) -> _OutsideTheDoor:
    return cast(_OutsideTheDoor, function)


@_typed_by_method
def release(
    data: ExactData,
    k: int,
    budget: Budget,
    method: str = "auto",
    seed: int | None = None,
    *,
    regions: Sequence[Region] = (),
    purpose: str = "centers",
    parts: Parts | None = None,
    prior: PriorMap | Release | None = None,
) -> Release | NoAnswer:
    """A release outside the door: no ledger charges it, and every file of it says so.

    Without `seed` the noise is secure; with it the run can be replayed, which protects nobody who may know the seed.
    What may leave the house is made by dpviz.publish. `regions` are public and have levels of their own
    (dpviz.read_regions); `budget` is then that of everything outside them. `purpose` says what the budget is for:
    "centers", "balanced", or "any question", which spends all of it on the cells that counts of areas come from.
    `prior` is a public map (dpviz.PublicMap) or an earlier release; never a map that was made from the records.
    """
    return _outside(
        UNLEDGERED, data, seed, prior, regions, k=k, budget=budget, method=method, purpose=purpose, parts=parts
    )


@_typed_by_method
def preview(
    data: ExactData,
    k: int,
    budget: Budget,
    method: str = "auto",
    seed: int | None = None,
    *,
    regions: Sequence[Region] = (),
    purpose: str = "centers",
    parts: Parts | None = None,
    prior: PriorMap | Release | None = None,
) -> Release | NoAnswer:
    """A draw for the curator's eyes only: never stored, never exported, not what will be published.

    Without `seed` its noise is fast, of the same distributions, from a seed that the system draws (dpviz.noise).
    """
    return _outside(
        PREVIEW, data, seed, prior, regions, k=k, budget=budget, method=method, purpose=purpose, parts=parts
    )


def _outside(
    status: str,
    data: ExactData,
    seed: int | None,
    prior: PriorMap | Release | None,
    regions: Sequence[Region],
    **asked: Any,
) -> Release | NoAnswer:
    made_map = None if prior is None else PriorMap.of(prior)
    request = ReleaseRequest(regions=checked_regions(regions), prior=made_map, **asked)
    prepared = prepare(request, public_facts(data))
    refuse_own_records(request, data)
    if seed is None:
        noise = preview_source() if status == PREVIEW else secure_source()
    elif isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"seed={seed!r}: a seed is a whole number, 0 or more; leave it out for secure noise.")
    else:
        noise = replayable_source(int(seed))
    return run(prepared, data, noise, Circumstances(status=status, noise=noise.kind, seed=noise.seed))


def public_facts(data: ExactData) -> Public:
    """What a plan may know about the data."""
    if not isinstance(data, ExactCounts | ExactPoints):
        raise InputError(
            f"the data are {type(data).__name__}; give dpviz.ExactCounts or dpviz.ExactPoints (dpviz.read_counts)."
        )
    public = Public.of(data)
    names = public.frame.names  # they stand in every file of a release, beside its own columns
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
    return public


def public_for(mechanism: Mechanism, public: Public) -> Public:
    """The public facts of the data in the form that the method takes."""
    side = public.side
    if mechanism.info.takes == "points":
        side = None
    elif mechanism.info.takes == "counts" and side is None and public.frame.dims == 2:
        side = GRID_SIDE_FOR_POINTS
    return replace(public, side=side, streamed=False)


def as_taken(mechanism: Mechanism, data: ExactData) -> ExactData:
    """Counts or points, as the method takes them: points fall into cells, cells become points at their centers."""
    if mechanism.info.takes == "counts" and isinstance(data, ExactPoints):
        return data.to_counts(GRID_SIDE_FOR_POINTS)
    if mechanism.info.takes == "points" and isinstance(data, ExactCounts):
        return cell_center_points(data)
    return data


def _refuse_streamed(mechanism: Mechanism, public: Public) -> None:
    """Refuse streamed records for methods that need more than sums. Their number is secret, so it does not matter."""
    on_grid = mechanism.info.takes == "counts" and public.frame.dims == 2
    if public.streamed and not on_grid and not isinstance(mechanism, AdaptiveTree | MeanSplit):
        raise InputError(
            f"{mechanism.info.name} needs all records in one place, and these stay where they are and are asked for "
            "sums. Use method='auto' or 'adaptive_tree', or read them with stream=False."
        )


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
        cap_is_stated=counts.cap_is_stated,
    )


MUCH = 0.3  # of the cost without protection: from here on an answer is told to be weak


def expected_error(request: ReleaseRequest, public: Public, records: float) -> Forecast | None:
    """The forecast of the table of simulations; None for what it does not know."""
    k, budget, dims = request.k, request.budget, public.frame.dims
    divided = request.regions or request.period is not None or request.parts is not None
    if divided or request.budget_for is not Purpose.CENTERS or dims > most_dimensions():
        return None
    name = catalogue.choose(request.method, public, k=k, budget=budget).info.name
    if request.method == "auto" and name not in methods(dims):  # the one that buys a number and then chooses
        name = choose_by_forecast(public, k, budget, records).method
    if name not in methods(dims):
        return None
    return forecast(name, records=records, k=k, budget=budget, dims=dims, relation=public.relation, unit=public.unit)


def expected_parts(data: ExactCounts, request: ReleaseRequest) -> pd.DataFrame:
    """What to expect of every part before anything is spent: exact, for the curator alone.

    Columns: part, exact_records, reach (its total is told with this error in 90 of 100 draws), error (of its centers,
    relative to the best, as simulated for that many records) and weak: the reach is as large as the number. The reach
    is that of one draw that is thrown away.
    """
    import pandas as pd

    parts, k = request.parts, request.k
    if parts is None:
        raise InputError("this request is not divided into parts; there is one error to expect, not several.")
    draw = preview(data, k, request.budget, purpose=request.purpose, parts=parts)
    side, across = parts.side, parts.across
    tiles = data.exact_cells.reshape(across, side, across, side).sum(axis=(1, 3))
    records = tiles[parts.tile(np.arange(len(parts.names)))]
    reach = draw.parts.table()["reach"].to_numpy().round(1)
    errors = [
        forecast("adaptive_tree", records=float(many), k=k, budget=request.budget, unit=data.unit).expected
        for many in records.tolist()
    ]
    return pd.DataFrame(
        {"part": parts.names, "exact_records": records, "reach": reach, "error": errors, "weak": reach >= records}
    )


def is_much(expected: float) -> bool:
    """Whether an error is worth a warning before it is paid for."""
    return expected > MUCH


def warning(found: Forecast | None) -> str:
    """One line for a terminal where the expected error is large; empty elsewhere."""
    if found is None or not is_much(found.expected):
        return ""
    return (
        f"simulations with this many records expect an error of about {percent(found.expected)} "
        f"({percent(found.low)} to {percent(found.high)} in 9 of 10 draws). That is a lot: fewer centers, a larger "
        "epsilon or more records make it smaller."
    )
