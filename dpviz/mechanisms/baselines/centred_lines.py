"""Noisy counts along lines through private centers.

Releases: a coreset with signed weights, for k-median (and k-means) queries of any k centers.
Paper: Feldman, Fiat, Kaplan, Nissim 2009 (Private Coresets), sections 4 and 5.
Guarantee: (ε, 0) for add-remove and replace, records or capped persons.
Public inputs: frame, relation, unit, k, ε; n under replace. Exact inputs: the records.
Departures: private slab borders; independently noisy line sizes; sizes of everything follow from the noisy total.
Proof: docs/proofs/centred_lines.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import Adjacency, Coreset
from dpviz.mechanisms.baselines._kernels import line_counts, nearest_squared
from dpviz.mechanisms.exact_view import LatticeBox, LatticeRecords
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, NoAnswer, Plan, Public, Reason
from dpviz.mechanisms.shares import BudgetSplit, FixedShares
from dpviz.noise import NoiseSource
from dpviz.privacy import histogram_l1, noise_scale

PLACES = 256  # utility only: a box is cut at one of its 255 inner places
FINE = 2**14  # privacy-bearing: steps of half a box's side in the sums
LEAST_JOINT = 1e-6  # the smallest parameter of joint noise
RECORDS_PER_COUNT = 4.0  # utility only: counts are few enough to hold about this much n·ε each
MOST_COUNTS = 2**14  # utility only: bounds time and memory
MOST_ROUNDS = 3  # utility only
SPREAD = 32.0  # utility only: the radius of a part over its first interval, at most
SAMPLES = 4096  # utility only: public points that measure the radius of each part


class CentredLines(FixedShares):
    """The private coreset for k-median."""

    info = MethodInfo(
        name="centred_lines",
        title="Lines through centers",
        summary="Counts, with noise, along lines through rough private centers; weights may be negative.",
        paper="Feldman, Fiat, Kaplan, Nissim 2009",
        adjacencies=frozenset(Adjacency),
        needs_delta=False,
        dims=(2, 4),
        proof="centred_lines",
        vetted=True,
        person_cap=True,
        objective="k-median",
    )

    split = BudgetSplit(shares={"quantiles": 0.14, "means": 0.16, "sizes": 0.28, "intervals": 0.42})  # privacy-bearing

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer | NoAnswer:
        """Centers in rounds, then counts along lines through them."""
        public = Public.of(data)
        parts, noisy_total = self.buy_total(data, plan, noise)  # [P1]
        epsilon = {name: part.epsilon for name, part in parts.items()}
        touched = histogram_l1(public.relation, public.unit)
        layout = Layout.of(noisy_total, epsilon["intervals"] / touched, plan.k, public.frame.dims)  # [P2]
        if epsilon["means"] / (layout.rounds * touched) < LEAST_JOINT:
            return NoAnswer(reason=Reason.BUDGET_TOO_SMALL)
        box = LatticeBox.of(public.frame)
        records = LatticeRecords.of(data)
        centers = rough_centers(records, box, layout, noisy_total, epsilon, touched, noise)
        edges, middles = intervals(centers, box, layout)
        lines = line_directions(public.frame.dims, layout.lines)
        exact = line_counts(records.exact_positions, records.exact_multiplicity, centers, lines, edges)  # [P6]
        size_scale = noise_scale(touched, epsilon["sizes"])
        count_scale = noise_scale(touched, epsilon["intervals"])
        exact_sizes = exact.sum(axis=(2, 3))
        noisy_sizes = noise.add_laplace(exact_sizes, size_scale, sensitivity=touched)  # [P7]
        noisy_counts = noise.add_laplace(exact, count_scale, sensitivity=touched)  # [P8]
        coreset = assemble_coreset(
            centers, lines, middles, noisy_sizes, noisy_counts, box, (size_scale, count_scale)
        )  # [P9]
        return Answer(coreset=coreset, noisy_total=float(noisy_total), constants=layout.constants())


@dataclass(frozen=True, kw_only=True)
class Layout:
    """[P2] Sizes of the construction, from public and protected numbers alone."""

    rounds: int
    cuts: int  # per round: 2^cuts basic boxes
    lines: int
    intervals: int  # per half-line

    @classmethod
    def of(cls, noisy_total: int, epsilon: float, k: int, dims: int) -> Layout:
        """Centers and intervals per center in balance, together about ñε/4 counts."""
        counts = min(MOST_COUNTS, max(16.0, noisy_total * epsilon / RECORDS_PER_COUNT))
        centers = max(4.0, min(counts / 8, max(math.sqrt(counts), 4.0 * k)))
        rounds = max(1, min(MOST_ROUNDS, int(math.log2(centers)) - 1, int(math.log2(noisy_total + 1))))
        cuts = max(1, int(math.log2(centers / rounds)))
        per_center = counts / (rounds * 2**cuts) / 2
        steps = max(2, min(12, round(per_center ** (1 / dims))))
        lines = max(dims, min(12 if dims == 2 else 40, round(per_center / steps)))
        return cls(rounds=rounds, cuts=cuts, lines=lines, intervals=steps)

    def constants(self) -> Mapping[str, int]:
        return {"rounds": self.rounds, "boxes": 2**self.cuts, "lines": self.lines, "intervals": 2 * self.intervals}


def rough_centers(
    records: LatticeRecords,
    box: LatticeBox,
    layout: Layout,
    noisy_total: int,
    epsilon: Mapping[str, float],
    touched: int,
    noise: NoiseSource,
) -> NDArray[np.int64]:
    """[P3] [P4] [P5] Private centers, (rounds · 2^cuts, d), in lattice steps."""
    found = []
    left = noisy_total
    for number in range(layout.rounds):
        each = epsilon["quantiles"] / (layout.rounds * layout.cuts)
        boxes = basic_boxes(records, box, layout.cuts, each, touched, noise)  # [P3]
        means = noisy_means(records, boxes, epsilon["means"] / (layout.rounds * touched), noise)  # [P4]
        found.append(means)
        if number + 1 < layout.rounds:
            records = records.without_nearest(nearest_squared(records.exact_positions, means), left // 2)  # [P5]
            left -= left // 2
    return np.vstack(found)


@dataclass(frozen=True, kw_only=True, eq=False)
class BasicBox:
    """A box with private borders, and the rows of the exact records inside it."""

    low: NDArray[np.int64]
    high: NDArray[np.int64]  # outside, but for the border of the whole box
    exact_rows: NDArray[np.int64]


def basic_boxes(
    records: LatticeRecords, box: LatticeBox, cuts: int, epsilon: float, touched: int, noise: NoiseSource
) -> list[BasicBox]:
    """[P3] 2^cuts boxes by private medians: slabs along the first axis, then along the next inside each, …"""
    dims = len(box.limits)
    parts = [
        BasicBox(low=np.zeros(dims, np.int64), high=box.limits + 1, exact_rows=np.arange(len(records.exact_positions)))
    ]
    for axis in sorted(cut % dims for cut in range(cuts)):
        parts = [half for part in parts for half in halve_box(records, part, axis, epsilon, touched, noise)]
    return parts


def halve_box(
    records: LatticeRecords, part: BasicBox, axis: int, epsilon: float, touched: int, noise: NoiseSource
) -> tuple[BasicBox, BasicBox]:
    """[P3] Cut a box at a private median of its own records."""
    low, high = int(part.low[axis]), int(part.high[axis])
    places = np.unique(low + (high - low) * np.arange(1, PLACES) // PLACES)
    along = records.exact_positions[part.exact_rows, axis]
    held = records.exact_multiplicity[part.exact_rows]
    slot = np.searchsorted(places, along, side="right")
    filled = np.zeros(len(places) + 1, np.int64)
    np.add.at(filled, slot, held)
    scores = -np.abs(2 * np.cumsum(filled)[:-1] - filled.sum())
    cut = int(places[noise.select(scores, epsilon=epsilon, sensitivity=float(touched))])
    left = along < cut
    ends = part.high.copy(), part.low.copy()
    ends[0][axis] = ends[1][axis] = cut
    return (
        BasicBox(low=part.low, high=ends[0], exact_rows=part.exact_rows[left]),
        BasicBox(low=ends[1], high=part.high, exact_rows=part.exact_rows[~left]),
    )


def noisy_means(
    records: LatticeRecords, boxes: list[BasicBox], epsilon: float, noise: NoiseSource
) -> NDArray[np.int64]:
    """[P4] Noisy sum over noisy count in every box, empty or not, clamped into the box."""
    dims = len(boxes[0].low)
    low = np.array([part.low for part in boxes])
    high = np.array([part.high for part in boxes])
    middle, half = (low + high) / 2, (high - low) / 2
    exact = np.zeros((len(boxes), 1 + dims), np.int64)
    for index, part in enumerate(boxes):
        offset = (records.exact_positions[part.exact_rows] - middle[index]) / half[index]
        fine = np.clip(np.rint(offset * FINE), -FINE, FINE).astype(np.int64)
        held = records.exact_multiplicity[part.exact_rows]
        exact[index, 0] = held.sum()
        exact[index, 1:] = (fine * held[:, None]).sum(axis=0)
    radius = math.isqrt(FINE * FINE * dims - 1) + 1  # at least 2^14·√d
    noisy = noise.add_joint_laplace(exact, epsilon=epsilon, radius=radius)
    usable = noisy[:, :1] >= 1
    moved = np.clip(noisy[:, 1:] / (FINE * np.maximum(noisy[:, :1], 1)), -1, 1)
    means = middle + np.where(usable, moved, 0.0) * half
    inside: NDArray[np.int64] = np.clip(np.rint(means).astype(np.int64), low, np.maximum(low, high - 1))
    return inside


def intervals(
    centers: NDArray[np.int64], box: LatticeBox, layout: Layout
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Borders between the intervals of each center, (b, t − 1), and the middles of the intervals, (b, t)."""
    radius = public_radii(centers, box)
    growth = min(2.0, SPREAD ** (1 / max(1, layout.intervals - 1)))
    ends = radius[:, None] * growth ** np.arange(1 - layout.intervals, 1, dtype=np.float64)
    starts = np.concatenate([np.zeros((len(centers), 1)), ends[:, :-1]], axis=1)
    return np.ascontiguousarray(ends[:, :-1]), (starts + ends) / 2


def public_radii(centers: NDArray[np.int64], box: LatticeBox) -> NDArray[np.float64]:
    """Radius of each center's part of the box, on public points; public, because the centers are released."""
    dims = len(box.limits)
    per_axis = round(SAMPLES ** (1 / dims))
    digits = np.indices((per_axis,) * dims).reshape(dims, -1).T
    points = (digits * (box.limits / (per_axis - 1))).astype(np.int64)
    squared = ((points[:, None] - centers[None]) ** 2).sum(axis=2)
    part = squared.argmin(axis=1)
    reach = np.zeros(len(centers), np.int64)
    np.maximum.at(reach, part, squared[np.arange(len(points)), part])
    floor = float(box.limits.min()) / per_axis / 2
    radii: NDArray[np.float64] = np.maximum(np.sqrt(reach.astype(np.float64)), floor)
    return radii


@lru_cache(maxsize=64)
def line_directions(dims: int, amount: int) -> NDArray[np.float64]:
    """Unit vectors of well spread lines, (amount, d): equal angles in the plane, greedily from small integers above."""
    if dims == 2:
        angles = math.pi * np.arange(amount) / amount
        lines = np.column_stack([np.cos(angles), np.sin(angles)])
    else:
        pool = [
            vector
            for vector in itertools.product((0, 1, -1, 2, -2), repeat=dims)
            if any(vector) and next(value for value in vector if value) > 0
        ]
        units = np.unique(np.round([np.array(v) / math.sqrt(sum(x * x for x in v)) for v in pool], 12), axis=0)[::-1]
        chosen = [0]
        nearness = np.abs(units @ units[0])
        while len(chosen) < amount:
            chosen.append(int(nearness.argmin()))
            nearness = np.maximum(nearness, np.abs(units @ units[chosen[-1]]))
        lines = units[chosen]
    lines.flags.writeable = False
    return lines


def assemble_coreset(
    centers: NDArray[np.int64],
    lines: NDArray[np.float64],
    middles: NDArray[np.float64],
    noisy_sizes: NDArray[np.int64],
    noisy_counts: NDArray[np.int64],
    box: LatticeBox,
    scales: tuple[float, float],
) -> Coreset:
    """[P9] Each interval's middle with its count; each center with the rest of its lines' sizes."""
    sides = np.array([-1.0, 1.0])
    offsets = middles[:, None, None, :, None] * sides[None, None, :, None, None] * lines[None, :, None, None, :]
    places = (centers[:, None, None, None, :] + offsets).reshape(-1, centers.shape[1])
    at_centers = noisy_sizes.sum(axis=1) - noisy_counts.sum(axis=(1, 2, 3))
    per_center = noisy_counts[0].size
    variances = np.full(noisy_counts.size + len(centers), 2 * scales[1] ** 2)
    variances[: len(centers)] = 2 * (len(lines) * scales[0] ** 2 + per_center * scales[1] ** 2)
    return Coreset(
        frame=box.frame,
        positions=box.to_local(np.vstack([centers.astype(np.float64), places])),
        weights=np.concatenate([at_centers, noisy_counts.ravel()]).astype(np.float64),
        variances=variances,
    )


CENTRED_LINES = CentredLines()
