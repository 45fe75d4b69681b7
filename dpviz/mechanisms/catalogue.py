"""The catalogue: an explicit tuple of methods, in teaching order."""

from __future__ import annotations

from typing import Any

from dpviz.domain.trip_ends import are_trips
from dpviz.errors import InputError
from dpviz.mechanisms import auto, readings
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, AdaptiveTree
from dpviz.mechanisms.baselines.balcan import BALCAN
from dpviz.mechanisms.baselines.centred_lines import CENTRED_LINES
from dpviz.mechanisms.baselines.genetic import GENETIC
from dpviz.mechanisms.baselines.grid_cover import GRID_COVER
from dpviz.mechanisms.baselines.hybrid import HYBRID, HYBRID_PAPER
from dpviz.mechanisms.baselines.noisy_lloyd import NOISY_LLOYD
from dpviz.mechanisms.baselines.sample_aggregate import SAMPLE_AGGREGATE, SAMPLE_AGGREGATE_3K
from dpviz.mechanisms.by_size import BySize
from dpviz.mechanisms.interface import Mechanism, Public, Purpose
from dpviz.mechanisms.peeled_balls.mechanism import PEELED_BALLS
from dpviz.mechanisms.peeled_balls.paper_mechanism import PEELED_BALLS_PAPER
from dpviz.mechanisms.regional import Regional
from dpviz.mechanisms.series_cells import SERIES_CELLS
from dpviz.mechanisms.subsampled import Subsampled
from dpviz.mechanisms.trip_ends import PREFIX as ENDS
from dpviz.mechanisms.trip_ends import TripEnds
from dpviz.mechanisms.turned_tree import TURNED_TREE
from dpviz.mechanisms.uniform_grid import UNIFORM_GRID, UNIFORM_GRID_PAPER, UniformGrid
from dpviz.privacy import Budget
from dpviz.privacy.regions import Region

METHODS: tuple[Mechanism, ...] = (
    PEELED_BALLS,
    PEELED_BALLS_PAPER,
    ADAPTIVE_TREE,
    UNIFORM_GRID,
    NOISY_LLOYD,
    HYBRID,
    SAMPLE_AGGREGATE,
    SAMPLE_AGGREGATE_3K,
    GENETIC,
    CENTRED_LINES,
    GRID_COVER,
    BALCAN,
    SERIES_CELLS,
)

BY_SIZE = BySize(
    {method.info.name: method for method in (ADAPTIVE_TREE, TURNED_TREE, UNIFORM_GRID, NOISY_LLOYD, HYBRID)}
)  # what `auto` is where a choice needs the number of records and that is secret

# The same noise, with the search that the paper prints: for its tables. Ours search as `adaptive_tree` does.
AS_PRINTED: tuple[Mechanism, ...] = (UNIFORM_GRID_PAPER, HYBRID_PAPER)

SAMPLED = "subsampled:"
REGIONAL = "regional:"


def get(name: str) -> Mechanism:
    """The method of this name; `subsampled:<method>` and `regional:<method>` wrap any of them, `ends:<method>` some."""
    if isinstance(name, str) and name.startswith(SAMPLED + ENDS):
        raise InputError(f"method {name!r}: maps of both ends are not bought on a sample; use one alone.", method=name)
    if isinstance(name, str) and name.startswith(SAMPLED):
        return Subsampled(get(name[len(SAMPLED) :]))
    if isinstance(name, str) and name.startswith(REGIONAL):
        return Regional(get(name[len(REGIONAL) :]))
    if isinstance(name, str) and name.startswith(ENDS):
        return TripEnds(get(name[len(ENDS) :]))
    for method in (*METHODS, TURNED_TREE, BY_SIZE, *AS_PRINTED):
        if method.info.name == name:
            return method
    wrapped = (f"{prefix}<method>" for prefix in (SAMPLED, REGIONAL, ENDS))
    known = ", ".join(["auto", *(method.info.name for method in (*METHODS, TURNED_TREE, *AS_PRINTED)), *wrapped])
    raise InputError(f"method {name!r} is not known; use one of {known}.", method=name)


def choose(
    name: str,
    public: Public,
    *,
    k: int,
    budget: Budget,
    purpose: Purpose = Purpose.CENTERS,
    maps_of_ends: bool = True,
) -> Mechanism:
    """The method that a request means: itself, or, for `auto`, the one expected to be best from public numbers.

    Where trips are to answer questions, `auto` buys a map of each end beside them, unless nobody will ask them.
    """
    if name == "auto" and public.streamed:
        name = ADAPTIVE_TREE.info.name  # the one that asks records where they are
    elif name == "auto" and purpose is Purpose.CENTERS:
        name = _automatic(public, k, budget)
    elif name == "auto":
        name = (ENDS if maps_of_ends and are_trips(public.frame) else "") + ADAPTIVE_TREE.info.name
    return made_for(get(name), purpose)


def _automatic(public: Public, k: int, budget: Budget) -> str:
    """On maps one method is the best at every size; elsewhere a secret number of records is bought first."""
    few, many = BY_SIZE.info.dims
    if few <= public.frame.dims <= many and public.relation in BY_SIZE.info.adjacencies:
        return BY_SIZE.info.name
    return auto.choose(public, k, budget).method


def made_for(method: Mechanism, purpose: Purpose) -> Mechanism:
    """A method with its budget divided for a purpose; refused where a method has no cells to spend it on."""
    if purpose is Purpose.CENTERS:
        return method
    if isinstance(method, Subsampled):
        return Subsampled(made_for(method.base, purpose))
    if isinstance(method, Regional):
        return Regional(made_for(method.base, purpose), method.regions)
    if isinstance(method, TripEnds):
        return TripEnds(made_for(method.base, purpose))
    if isinstance(method, AdaptiveTree):
        return method.made_for(purpose)
    if isinstance(method, UniformGrid):
        return method  # all that it buys are counts, whatever for
    raise InputError(
        f"{method.info.name} cannot be made for purpose={purpose.value!r}: it has no cells to spend the budget on. Use "
        "method='auto', 'adaptive_tree' or 'uniform_grid', or purpose='centers'.",
        method=method.info.name,
    )


def choose_with_regions(
    name: str,
    regions: tuple[Region, ...],
    public: Public,
    *,
    k: int,
    budget: Budget,
    purpose: Purpose = Purpose.CENTERS,
) -> Mechanism:
    """The same, run in every region with the region's own level."""
    found: Mechanism = ADAPTIVE_TREE
    if name != "auto":
        found = choose(name, public, k=k, budget=budget, purpose=purpose)
    elif purpose is not Purpose.CENTERS:
        found = made_for(found, purpose)
    return Regional(found.base if isinstance(found, Regional) else found, regions)


def rows() -> list[dict[str, Any]]:
    """The catalogue as plain rows, for `dpviz.methods()`, the command line and the screen."""
    return [
        {
            "name": info.name,
            "title": info.title,
            "summary": info.summary,
            "paper": info.paper,
            "adjacencies": sorted(relation.value for relation in info.adjacencies),
            "guarantee": "approximate" if info.needs_delta else "pure",
            "dims": list(info.dims),
            "gives_coreset": info.gives_coreset,
            "person_cap": info.person_cap,
            "objective": info.objective,
            "vetted": info.vetted,
            "proof": f"docs/proofs/{info.proof}.md",
            "reading": readings.told(info.proof),
        }
        for info in (method.info for method in METHODS)
    ]
