"""Run any method once in every part of a map whose regions have their own levels.

Releases: the union of the parts' coresets, and what the method publishes about each part.
Paper: Feldman, Xiang, Zhu, Rus 2017, sections 1 and 6.
Guarantee: (ε_j, δ) for a record in part j, the largest uniformly, the sum of two for a record that moves; add-remove.
Public inputs: the regions and their levels, and the base's. Exact inputs: the counts.
Departures: none. Persons with a cap are protected through single records, at the same price.
Proof: docs/proofs/regional.md.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, CellTree, Coreset, ExactCounts, Frame, Grid, PlainBox, Unit
from dpviz.domain.cell_tree import joined
from dpviz.domain.regions import ELSEWHERE
from dpviz.errors import InputError
from dpviz.mechanisms.interface import (
    Answer,
    Constant,
    ExactData,
    Mechanism,
    MethodInfo,
    NoAnswer,
    Plan,
    Public,
    check_request,
)
from dpviz.mechanisms.shares import needs_delta
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, Region, cell_parts, disjoint_parts

SMALLEST_WINDOW = 16  # cells; utility only: methods are made for grids, not for single cells
FINEST_WAY = 512  # utility only


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """One part of the map: its cells in a public window of the grid, and what one unit in it may cost."""

    name: str
    epsilon: float
    cells: NDArray[np.bool_]  # (size, size), row 0 = north: the window's cells that belong to the part
    row: int  # the window's north-west corner in the whole grid
    column: int
    grid: Grid  # of the window, in the whole frame's local coordinates

    @property
    def public(self) -> Public:
        """The public facts for the base: single records, whatever the unit of the whole ([P2])."""
        size = self.grid.side
        return Public(
            frame=self.grid.frame, side=size, relation=Adjacency.ADD_REMOVE_ONE, unit=Unit(), public_rows=None
        )

    @cached_property
    def way_back(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Distance to the part and the nearest place in it, for every cell of a grid of at most 512 a side."""
        from scipy.ndimage import distance_transform_edt  # here: every start would pay for what only regions need

        factor = max(1, self.grid.side // FINEST_WAY)
        size = self.grid.side // factor
        width, height = self.grid.cell_width * factor, self.grid.cell_height * factor
        empty = 1 - np.asarray(self.cells.reshape(size, factor, size, factor).any(axis=(1, 3)), np.uint8)
        distance, (rows, columns) = distance_transform_edt(empty, sampling=(height, width), return_indices=True)
        return distance, np.stack([(columns + 0.5) * width, (size - rows - 0.5) * height], axis=-1)

    def records(self, data: ExactCounts) -> ExactCounts:
        """[P3] Select the records in this part's cells."""
        size = self.grid.side
        window = data.exact_cells[self.row : self.row + size, self.column : self.column + size]
        return ExactCounts(self.grid, np.where(self.cells, window, 0))


class Regional:
    """A wrapper with the catalogue's interface; named `regional:<method>`. Without regions it can only be described."""

    def __init__(self, base: Mechanism, regions: tuple[Region, ...] = ()) -> None:
        info = base.info
        if not (info.gives_coreset and info.takes in ("counts", "both") and info.dims[0] <= 2 <= info.dims[1]):
            raise InputError(
                f"{info.name} gives no coreset of counted cells, which regions are put together from; choose another "
                "method (dpviz.methods()).",
                method=info.name,
            )
        if Adjacency.ADD_REMOVE_ONE not in info.adjacencies:
            raise InputError(f"{info.name} is not proved for add-remove, which regions need; choose another method.")
        self.base = base
        self.regions = regions
        self.info: MethodInfo = dataclasses.replace(
            info,
            name=f"regional:{info.name}",
            title=f"{info.title}, with regions of their own level",
            summary=f"Runs this method in every region with the region's level: {info.summary}",
            paper=f"Feldman, Xiang, Zhu, Rus 2017, section 6; {info.paper}",
            adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE}),
            dims=(2, 2),
            takes="counts",
            proof="regional",
            vetted=info.vetted,  # this page and the base's: both must have been read
            person_cap=not info.needs_delta,
        )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        """Plan every part with its own budget; one charge: the largest, because no record lies in two parts."""
        check_request(self.info, public, k=k, budget=budget)
        parts = self.parts(public, budget)
        spent = []
        for part in parts:
            share = self.part_budget(part, public, budget)
            planned = self.base.plan(part.public, k=k, budget=share)
            spent.append(Budget(epsilon=part.epsilon, delta=share.delta if needs_delta(planned, share) else 0.0))
        largest = disjoint_parts(spent, Adjacency.ADD_REMOVE_ONE)
        if not budget.covers(largest):
            raise InputError("a region has a larger epsilon than the rest; regions are stricter, or as strict.")
        charge = Charge(name="one record, in whichever part it lies", epsilon=budget.epsilon, delta=largest.delta)
        described: tuple[Constant, ...] = tuple(
            {"name": part.name, "epsilon": part.epsilon, "cells": int(part.cells.sum())} for part in parts
        )
        return Plan(method=self.info.name, k=k, budget=budget, charges=(charge,), constants={"parts": described})

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Run every part separately, then unite the answers."""
        assert isinstance(data, ExactCounts)
        public = Public.of(data)
        parts = self.parts(public, plan.budget)
        answers = []
        for part in parts:  # [P4]
            inner = self.base.plan(part.public, k=plan.k, budget=self.part_budget(part, public, plan.budget))
            answers.append(self.base.run(part.records(data), inner, noise))
        return unite_answers(public.frame, parts, answers)  # [P5]

    def parts(self, public: Public, budget: Budget) -> tuple[Part, ...]:
        """[P1] The parts that have a cell: elsewhere, then the regions in their order."""
        if not self.regions:
            raise InputError(
                f"{self.info.name} needs regions: give them with the request (regions=dpviz.read_regions(text), "
                "--regions FILE.geojson), or use the method's own name.",
                method=self.info.name,
            )
        assert public.side is not None
        return _parts(self.regions, public.frame, public.side, budget.epsilon)

    def part_budget(self, part: Part, public: Public, budget: Budget) -> Budget:
        """[P2] Budget of the base in a part: its level, divided by a person's records; then without δ."""
        share = Fraction(part.epsilon) / public.unit.records
        near = float(share)
        epsilon = near if Fraction(near) <= share else float(np.nextafter(near, 0.0))
        return Budget(epsilon=epsilon, delta=0.0 if public.unit.holds_several else budget.delta)


@lru_cache(maxsize=8)
def _parts(regions: tuple[Region, ...], frame: Frame, side: int, epsilon: float) -> tuple[Part, ...]:
    """[P1] Parts from public things alone; a part that is left without cells is left out."""
    owner = cell_parts(regions, frame, side)
    named = [(ELSEWHERE, epsilon, -1), *((region.name, region.epsilon, at) for at, region in enumerate(regions))]
    return tuple(_part(name, level, owner == at, frame) for name, level, at in named if bool((owner == at).any()))


def _part(name: str, epsilon: float, cells: NDArray[np.bool_], frame: Frame) -> Part:
    """The smallest square window around the cells whose side is a power of two, moved inside the grid."""
    side = len(cells)
    rows, columns = np.flatnonzero(cells.any(axis=1)), np.flatnonzero(cells.any(axis=0))
    longest = max(int(rows[-1] - rows[0]), int(columns[-1] - columns[0])) + 1
    size = min(side, max(SMALLEST_WINDOW, 1 << (longest - 1).bit_length()))
    row, column = min(int(rows[0]), side - size), min(int(columns[0]), side - size)
    width, height = (float(length) / side for length in frame.extent)
    box = PlainBox((column * width, (side - row - size) * height), ((column + size) * width, (side - row) * height))
    window = cells[row : row + size, column : column + size].copy()
    window.flags.writeable = False
    return Part(name=name, epsilon=epsilon, cells=window, row=row, column=column, grid=Grid(box, size))


def unite_answers(frame: Frame, parts: tuple[Part, ...], answers: list[Answer | NoAnswer]) -> Answer | NoAnswer:
    """[P5] Unite the answers of the parts; no answer only where no part has one."""
    described: list[Constant] = []
    coresets, totals, trees = [], [], []
    for part, answer in zip(parts, answers, strict=True):
        said: dict[str, Constant] = {"name": part.name, "epsilon": part.epsilon, "cells": int(part.cells.sum())}
        if isinstance(answer, NoAnswer) or answer.coreset is None:
            reason = answer.reason.value if isinstance(answer, NoAnswer) else "no coreset"
            described.append({**said, "answer": False, "reason": reason, "constants": answer.constants})
            continue
        coresets.append(place_points(answer.coreset, part, frame))
        trees.append(None if answer.cells is None else place_cells(answer.cells, part, frame))
        if answer.noisy_total is not None:
            totals.append(answer.noisy_total)
            said["noisy_total"] = float(answer.noisy_total)
        described.append({**said, "answer": True, "constants": answer.constants})
    constants: dict[str, Constant] = {"parts": tuple(described)}
    if not coresets:
        first = next(answer for answer in answers if isinstance(answer, NoAnswer))
        return NoAnswer(reason=first.reason, constants=constants)
    variances = [coreset.variances for coreset in coresets]
    known = [spread for spread in variances if spread is not None]
    known_trees = [tree for tree in trees if tree is not None]
    return Answer(
        coreset=Coreset(
            frame=frame,
            positions=np.concatenate([coreset.positions for coreset in coresets]),
            weights=np.concatenate([coreset.weights for coreset in coresets]),
            variances=np.concatenate(known) if len(known) == len(variances) else None,
        ),
        noisy_total=float(sum(totals)) if len(totals) == len(coresets) else None,
        cells=joined(known_trees, frame) if len(known_trees) == len(coresets) else None,
        constants=constants,
    )


def place_points(coreset: Coreset, part: Part, frame: Frame) -> Coreset:
    """[P5] Place a part's points in the whole frame, all inside the part.

    A point farther from the part than from the next point stands for cells outside the part: it is noise and is
    dropped. Any other point outside moves to the nearest cell: it stands for records on the part's border.
    """
    grid, size = part.grid, part.grid.side
    column = np.clip(coreset.positions[:, 0] / grid.cell_width, 0, size - 1).astype(np.int64)
    row = size - 1 - np.clip(coreset.positions[:, 1] / grid.cell_height, 0, size - 1).astype(np.int64)
    away, nearest = part.way_back
    factor = size // len(away)
    distance = away[row // factor, column // factor]
    inside = part.cells[row, column]
    keep = inside | (distance <= gaps(coreset.positions))
    positions = np.where(inside[:, None], coreset.positions, nearest[row // factor, column // factor])[keep]
    return Coreset(
        frame=frame,
        positions=np.clip(positions + np.asarray(grid.frame.low), 0.0, frame.extent),
        weights=coreset.weights[keep],
        variances=None if coreset.variances is None else coreset.variances[keep],
    )


def place_cells(tree: CellTree, part: Part, frame: Frame) -> CellTree:
    """[P5] Place a part's cells in the whole frame; cut cells on the border to the part's own ground.

    A cell without any is dropped: it counts nobody, and its number is noise.
    """
    grid, size = part.grid, part.grid.side
    low, high = tree.low - np.asarray(grid.frame.low), tree.high - np.asarray(grid.frame.low)
    step = np.array([grid.cell_width, grid.cell_height])
    first = np.rint(low / step).astype(np.int64)
    last = np.rint(high / step).astype(np.int64)
    ground = np.pad(np.cumsum(np.cumsum(part.cells[::-1], axis=0), axis=1), ((1, 0), (1, 0)))  # row 0 = south
    (x0, y0), (x1, y1) = first.T, last.T
    held = ground[y1, x1] - ground[y0, x1] - ground[y1, x0] + ground[y0, x0]
    for node in np.flatnonzero((held > 0) & (held < (x1 - x0) * (y1 - y0))):
        own = part.cells[size - y1[node] : size - y0[node], x0[node] : x1[node]][::-1]
        rows, columns = np.flatnonzero(own.any(axis=1)), np.flatnonzero(own.any(axis=0))
        low[node] = np.array([x0[node] + columns[0], y0[node] + rows[0]]) * step
        high[node] = np.array([x0[node] + columns[-1] + 1, y0[node] + rows[-1] + 1]) * step
    kept = held[tree.cell] > 0
    corner = np.asarray(grid.frame.low)
    low, high = (np.clip(frame.to_raw(place + corner), frame.low, frame.high) for place in (low, high))
    cell = tree.cell[kept]
    return dataclasses.replace(
        tree,
        frame=frame,
        low=low,
        high=high,
        cell=cell,
        count=tree.count[kept],
        spread=tree.spread[kept],
        mean=np.clip(frame.to_raw(tree.mean[kept]), low[cell], high[cell]),
    )


def gaps(positions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distance of every point to the next one, (m,); infinite for a single point."""
    from scipy.spatial import KDTree

    if len(positions) < 2:
        return np.full(len(positions), np.inf)
    distances, _ = KDTree(positions).query(positions, k=2)
    return np.asarray(distances, np.float64)[:, 1]
