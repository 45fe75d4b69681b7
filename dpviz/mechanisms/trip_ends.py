"""Trips: a method for records with two ends, and a separate map of each end.

Releases: what the base releases about the trips, and the cells of two maps: of the first ends and of the second ends.
Paper: none; ours.
Guarantee: (ε, 0), for the relations and units that both the base and the tree of the maps are proved for.
Public inputs: frame, k, ε, unit, relation. Exact inputs: those of the base; those of the tree, for each end.
Departures: none.
Proof: docs/proofs/trip_ends.md.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from dpviz.domain import CellTree, ExactPoints
from dpviz.domain.trip_ends import AXES, are_trips, both_frames
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.budget import floor_float
from dpviz.mechanisms.adaptive_tree.mechanism import AdaptiveTree
from dpviz.mechanisms.interface import (
    Answer,
    ExactData,
    Mechanism,
    MethodInfo,
    NoAnswer,
    Plan,
    Public,
    Purpose,
    check_request,
)
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, verify

PREFIX = "ends:"
ENDS_SHARE = Fraction(4, 10)  # privacy-bearing: share of ε that buys the two maps, half of it each
TRIPS, FIRST_ENDS, SECOND_ENDS = "trips", "map of the first ends", "map of the second ends"
FARTHEST_TOTALS = 2.0  # utility only: totals farther apart than this factor are left as they are
CENTERS_OF_A_MAP = 1  # utility only: nothing is asked of the centers of an end's map
MAP = AdaptiveTree(purpose=Purpose.ANY_QUESTION)


class TripEnds:
    """A wrapper with the catalogue's interface; named `ends:<method>`."""

    def __init__(self, base: Mechanism) -> None:
        info = base.info
        if ":" in info.name or info.needs_delta or not info.dims[0] <= 4 <= info.dims[1] or info.takes == "counts":
            raise InputError(
                f"{info.name} takes no trips with pure guarantees, or is a wrapper; maps of both ends are bought "
                f"beside adaptive_tree: {PREFIX}adaptive_tree.",
                method=info.name,
            )
        self.base = base
        self.info: MethodInfo = replace(
            info,
            name=f"{PREFIX}{info.name}",
            title=f"{info.title}, with a map of each end",
            summary=f"Buys a map of each end of the trips beside the trips: {info.summary}",
            adjacencies=info.adjacencies & MAP.info.adjacencies,
            dims=(4, 4),
            takes="points",
            proof="trip_ends",
            vetted=info.vetted and MAP.info.vetted,  # this page and theirs: all must have been read
            person_cap=info.person_cap and MAP.info.person_cap,
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        if not are_trips(public.frame):
            raise InputError(
                f"{self.info.name} takes trips, two places on the map a record; these data have the columns "
                f"{', '.join(public.frame.names)}. Use {self.base.info.name}.",
                method=self.info.name,
            )
        if public.streamed:
            raise InputError(
                f"{self.info.name} takes trips that are read into memory; these are asked where they are, file by "
                f"file. Use {self.base.info.name}.",
                method=self.info.name,
            )
        whole = Fraction(budget.epsilon)
        each = floor_float(whole * ENDS_SHARE / 2)  # [P1]
        trips = Charge(name=TRIPS, epsilon=floor_float(whole - 2 * Fraction(each)))
        ends = tuple(Charge(name=name, epsilon=each) for name in (FIRST_ENDS, SECOND_ENDS))
        share = Budget(epsilon=trips.epsilon)
        verify(self.base.plan(public, k=k, budget=share).charges, share)  # what would be refused is refused now
        for frame, charge in zip(both_frames(public.frame), ends, strict=True):
            share = Budget(epsilon=charge.epsilon)
            verify(MAP.plan(replace(public, frame=frame), k=CENTERS_OF_A_MAP, budget=share).charges, share)
        return Plan(
            method=self.info.name,
            k=k,
            budget=budget,
            charges=(trips, *ends),
            constants={"ends_share": float(ENDS_SHARE)},
        )

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        assert isinstance(data, ExactPoints)
        trips, *ends = plan.charges
        share = Budget(epsilon=trips.epsilon)
        answer = self.base.run(data, self.base.plan(Public.of(data), k=plan.k, budget=share), noise)  # [P2]
        if isinstance(answer, NoAnswer):
            return answer
        maps = []
        for at, charge in enumerate(ends):
            seen = see_from_end(data, at)  # [P3]
            share = Budget(epsilon=charge.epsilon)
            found = MAP.run(seen, MAP.plan(Public.of(seen), k=CENTERS_OF_A_MAP, budget=share), noise)  # [P4]
            assert found.cells is not None  # the tree always counts cells
            maps.append(found.cells)
        return add_maps(answer, maps, tuple(charge.name for charge in plan.charges))  # [P5]


def see_from_end(data: ExactPoints, at: int) -> ExactPoints:
    """[P3] Reduce every trip to its first or second end, with the same relation, unit and number of rows."""
    return ExactPoints(
        both_frames(data.frame)[at],
        np.ascontiguousarray(data.exact_cube[:, AXES[at]]),
        relation=data.relation,
        unit=data.unit,
        public_rows=data.public_rows,
    )


def add_maps(answer: Answer, maps: list[CellTree], names: tuple[str, ...]) -> Answer:
    """[P5] Add the maps to the answer, scaled to the total of the trips; mark every measurement with its charge."""
    cells = None if answer.cells is None else _mark_paid(answer.cells, names, 0)
    if cells is not None:
        maps = [_bring_to_total(float(cells.count.sum()), one) for one in maps]
    first, second = (_mark_paid(one, names, place) for place, one in enumerate(maps, start=1))
    return replace(answer, cells=cells, ends=(first, second))


def _bring_to_total(total: float, cells: CellTree) -> CellTree:
    """Scale counts to add up to the total, unless nearly all of both is noise."""
    own = float(cells.count.sum())
    near = own > 0.0 and own / FARTHEST_TOTALS <= total <= own * FARTHEST_TOTALS
    return replace(cells, count=cells.count * (total / own)) if near else cells


def _mark_paid(cells: CellTree, names: tuple[str, ...], place: int) -> CellTree:
    return replace(cells, charges=names, charge=np.full(len(cells.charge), place, np.int64))
