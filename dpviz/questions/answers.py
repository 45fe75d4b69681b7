"""Counts and shares of areas, each with the range that is to hold the truth in 90 of 100 draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree
from dpviz.domain.overlap import Overlaps, Rectangles, Rings, signed_areas
from dpviz.errors import InputError
from dpviz.questions.areas import Zone, are_within
from dpviz.questions.noise_model import (
    NINETY,
    Floats,
    NoiseModel,
    added,
    border_variance,
    cut_variance,
    model_factor,
    scatter,
    tilted,
    togetherness,
    unevenness,
)

if TYPE_CHECKING:
    import pandas as pd

RANGES = "Each range is to hold the true number in 90 of 100 draws of the noise."
# Places near several sites, asked of cells of whole trips: sites stand where records crowd, also inside a cell, and all
# cells err in the same direction. Chosen on the embedded trips and made-up ones.
CROWDED = 0.3
_LOOKS = 16  # places per axis in a rectangle that several overlapping parts cut
COARSE = 64  # tiles along the box, for an estimate of the work
PAIRS_AT_ONCE = 1_000_000  # of an area and a cell, some 80 bytes each
MOST_PAIRS = 5_000_000  # some five seconds of a core
TOO_COARSE = "too coarse to say"
OUTSIDE = "outside the public box"
PARTLY_OUTSIDE = "partly outside the public box: only what lies inside is counted"


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """One number about people, the range that is to hold it in 90 of 100 draws, and what must be said about it."""

    area: str
    estimate: float
    low: float
    high: float
    note: str = ""
    is_share: bool = False  # of all records, 0 to 1

    def __str__(self) -> str:
        form = "{:.1%}" if self.is_share else "{:,.0f}"
        said = f"{self.area}: about {form.format(self.estimate)} ({form.format(self.low)} to {form.format(self.high)})"
        return f"{said}; {self.note}." if self.note else f"{said}."


@dataclass(frozen=True, kw_only=True, eq=False)
class Spreads:
    """Per zone: the estimate, the variance of the noise in it, its covariance with the total, what cut cells add."""

    estimate: Floats
    noise: Floats
    with_total: Floats
    inside: Floats
    reached: Floats  # the share of the zone's area that lies in the public box

    @property
    def deviation(self) -> Floats:
        """One standard deviation of everything."""
        return np.sqrt(self.noise + self.inside)


@dataclass(frozen=True, kw_only=True, eq=False)
class Asked:
    """A release's cells, ready to be asked.

    `stacked`: several cells lie on the same ground (trips seen from one end); what is unknown of the ground is then the
    same for all of them.
    """

    tree: CellTree
    stacked: bool = False

    @cached_property
    def model(self) -> NoiseModel:
        """The passes that no question changes."""
        return NoiseModel.of(self.tree)

    @cached_property
    def rectangles(self) -> Rectangles:
        """The cells in buckets."""
        frame, cell = self.tree.frame, self.tree.cell
        return Rectangles.of(self.tree.low[cell], self.tree.high[cell], (*frame.low, *frame.high))  # type: ignore[arg-type]

    @cached_property
    def rho(self) -> Floats:
        """How unevenly records lie inside each cell."""
        return unevenness(self.model, self.tree.cell)

    @cached_property
    def model_factor(self) -> float:
        """What this release's own cells say of its model of their inside; 1 where cells lie on each other."""
        return 1.0 if self.stacked or self.tree.frame.dims != 2 else model_factor(self.model, self.rho, self.lean)

    @cached_property
    def together(self) -> Floats:
        """How far the halves of each cell err with those of its column; 0 where cells lie on each other."""
        if self.stacked or self.tree.frame.dims != 2:
            return np.zeros(len(self.tree))
        return togetherness(self.model, self.tree.cell, self.rho)

    @cached_property
    def lean(self) -> Floats:
        """Where the records of each cell are, −1 to 1 across it."""
        low, high = self.tree.low[self.tree.cell], self.tree.high[self.tree.cell]
        return (2.0 * self.tree.mean - low - high) / np.maximum(high - low, 1e-300)

    @property
    def total(self) -> float:
        """The count of everything."""
        return float(self.tree.count.sum())

    @property
    def total_variance(self) -> float:
        """Of the noise of it, and of the secret sample where there was one."""
        sampling = float(self._sampling(np.array([self.total]))[0])
        return self.model.total_variance + sampling + (self.tree.common * self.total) ** 2

    @cached_property
    def _middles(self) -> NDArray[np.int64]:
        """How many cells have their middle south-west of each corner of a coarse grid over the box."""
        cell, frame = self.tree.cell, self.tree.frame
        middle = (self.tree.low[cell] + self.tree.high[cell]) / 2.0
        box = [(low, high) for low, high in zip(frame.low, frame.high, strict=True)]
        held = np.histogram2d(middle[:, 0], middle[:, 1], bins=COARSE, range=box)[0]
        summed = np.zeros((COARSE + 1, COARSE + 1), np.int64)
        summed[1:, 1:] = held.cumsum(axis=0).cumsum(axis=1)
        return summed

    def pairs(self, zones: Sequence[Zone]) -> NDArray[np.int64]:
        """About how many cells each zone has to be laid upon: those near the box around it. Quick to know."""
        if not zones:
            return np.zeros(0, np.int64)
        low, high = np.asarray(self.tree.frame.low), np.asarray(self.tree.frame.high)
        corners = [np.concatenate([ring for ring, _ in zone.rings]) for zone in zones]
        first = np.array([found.min(axis=0) for found in corners])
        last = np.array([found.max(axis=0) for found in corners])
        begin = np.clip(np.floor((first - low) / (high - low) * COARSE) - 1, 0, COARSE).astype(np.int64)
        end = np.clip(np.floor((last - low) / (high - low) * COARSE) + 2, begin, COARSE).astype(np.int64)
        held = self._middles
        (west, south), (east, north) = begin.T, end.T
        found: NDArray[np.int64] = held[east, north] - held[west, north] - held[east, south] + held[west, south] + 1
        return found

    def refuse_much(self, zones: Sequence[Zone], most: int = MOST_PAIRS) -> None:
        """For a program that several people share: what would take long is refused before it is begun."""
        asked = int(self.pairs(zones).sum())
        if asked > most:
            raise InputError(
                f"these {len(zones):,} areas lie upon each other: together they cover the {len(self.tree):,} cells "
                f"of this release {asked / max(1, len(self.tree)):,.0f} times, and {most:,} pairs of an area and a "
                "cell are counted at most here. Give fewer areas, or smaller ones."
            )

    def spreads(self, zones: Sequence[Zone]) -> Spreads:
        """All that the answers need; a part of the zones at a time, so that memory does not grow with them."""
        part = np.cumsum(self.pairs(zones)) // PAIRS_AT_ONCE
        cuts = [0, *(np.flatnonzero(np.diff(part)) + 1), len(zones)]
        found = [self._spreads(zones[begin:end]) for begin, end in pairwise(cuts)]
        return Spreads(
            **{one.name: np.concatenate([getattr(each, one.name) for each in found]) for one in fields(Spreads)}
        )

    def _spreads(self, zones: Sequence[Zone]) -> Spreads:
        rings = [zone.rings for zone in zones]
        met = self.rectangles.met_by(rings)
        if any(zone.parts for zone in zones):
            met = _join_overlaps(self.rectangles, [zone.parts or (zone.rings,) for zone in zones])
        starts = met.starts(len(zones))
        share = tilted(met.share, met.middle, self.lean[met.cell])
        if self.tree.quarters is not None and not any(zone.parts for zone in zones):
            share = np.where(met.share < 1.0, self._by_quarters(rings, met), share)
        estimate = self._summed(met, share * self.tree.count[met.cell], len(zones))
        noise, with_total = self.model.variances(starts, met.cell, share)
        zone, cut = self.cut_ground(met.zone, met.cell, share)
        inside = self.model_factor * border_variance(zone, cut, len(zones), self.stacked)
        inside += self.on_lines(met, share, len(zones))
        if self.stacked:
            several = np.array([len(one.parts) > 1 for one in zones])
            inside += several * (CROWDED * np.bincount(zone, weights=np.sqrt(cut), minlength=len(zones))) ** 2
        sampled = self._sampling(np.maximum(estimate, 0.0))
        common = self.tree.common**2 * np.maximum(estimate, 0.0)
        whole = signed_areas(rings)
        (west, south), (east, north) = self.tree.frame.low, self.tree.frame.high
        box = Rectangles.of(np.array([[west, south]]), np.array([[east, north]]), (west, south, east, north)).met_by(
            rings
        )
        reached = self._summed(box, box.share * (east - west) * (north - south), len(zones)) / whole
        return Spreads(
            estimate=estimate,
            noise=noise + sampled + common * np.maximum(estimate, 0.0),
            with_total=with_total + sampled + common * self.total,
            inside=inside,
            reached=reached,
        )

    @cached_property
    def _quarters(self) -> Rectangles:
        """The quarters of all cells in buckets, in the order of `CellTree.quarters`."""
        frame, cell = self.tree.frame, self.tree.cell
        low, high = self.tree.low[cell][:, None], self.tree.high[cell][:, None]
        half = np.array([[0.0, 0.0], [0.0, 0.5], [0.5, 0.0], [0.5, 0.5]])
        first = low + half * (high - low)
        last = np.where(half > 0.0, high, (low + high) / 2.0)
        return Rectangles.of(first.reshape(-1, 2), last.reshape(-1, 2), (*frame.low, *frame.high))  # type: ignore[arg-type]

    def _by_quarters(self, rings: Sequence[Rings], met: Overlaps) -> Floats:
        """The share of each pair's cell that lies in its zone, as the shares of the cell's quarters say."""
        fine, cells = self._quarters.met_by(rings), len(self.tree)
        keys = met.zone * cells + met.cell
        order = np.argsort(keys, kind="stable")
        wanted = fine.zone * cells + fine.cell // 4
        at = order[np.minimum(np.searchsorted(keys[order], wanted), max(len(keys) - 1, 0))]
        same = keys[at] == wanted
        part = fine.share * self.tree.shares.ravel()[fine.cell]
        return np.minimum(np.bincount(at[same], weights=part[same], minlength=len(keys)), 1.0)

    @cached_property
    def ground(self) -> NDArray[np.int64]:
        """A number for each cell, the same for cells on the same ground."""
        if not self.stacked:
            return np.arange(len(self.tree))
        corners = np.column_stack([self.tree.low[self.tree.cell], self.tree.high[self.tree.cell]])
        return np.unique(corners, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def cut_ground(
        self, zone: NDArray[np.int64], cell: NDArray[np.int64], share: Floats
    ) -> tuple[NDArray[np.int64], Floats]:
        """The variance that cut ground adds, with its zone: uneven ground, and whole records."""
        rho, count = self.rho[cell], self.tree.count[cell]
        if self.stacked:
            width = int(self.ground.max(initial=0)) + 1
            keys, at, times = np.unique(zone * width + self.ground[cell], return_inverse=True, return_counts=True)
            share = np.bincount(at, weights=share) / times
            rho = np.bincount(at, weights=rho) / times
            count = np.bincount(at, weights=count).astype(np.float64)
            zone = (keys // width).astype(np.int64)
        return zone, cut_variance(share, rho, np.maximum(count, 0.0))

    def on_lines(self, met: Overlaps, share: Floats, zones: int) -> Floats:
        """What records on lines add to the variance of each zone."""
        if not self.together.any():
            return np.zeros(zones)
        held = np.maximum(self.tree.count[met.cell], 0.0)
        return added(met, zones, self.together[met.cell] * scatter(share, self.rho[met.cell]) * held**2)

    def _sampling(self, estimate: Floats) -> Floats:
        """The variance of a count of a secret sample of the records, scaled back."""
        chance = self.tree.sampled
        return estimate * (1.0 - chance) / chance

    def _summed(self, met: Overlaps, values: Floats, zones: int) -> Floats:
        return np.bincount(met.zone, weights=values, minlength=zones).astype(np.float64)

    def counts(self, zones: Sequence[Zone]) -> pd.DataFrame:
        """One row per zone: area, estimate, low, high, note."""
        found = self.spreads(zones)
        return _area_table(zones, found, found.estimate, NINETY * found.deviation)

    def shares(self, zones: Sequence[Zone]) -> pd.DataFrame:
        """The same as shares of everything, 0 to 1."""
        found = self.spreads(zones)
        total = max(self.total, 1e-9)
        share = found.estimate / total
        spread = found.noise + found.inside - 2.0 * share * found.with_total + share**2 * self.total_variance
        return _area_table(zones, found, share, NINETY * np.sqrt(np.maximum(spread, 0.0)) / total, ceiling=1.0)


def _area_table(
    zones: Sequence[Zone], found: Spreads, estimate: Floats, reach: Floats, ceiling: float = np.inf
) -> pd.DataFrame:
    names = {"area": [zone.name for zone in zones]}
    coarse = is_coarse(found.estimate, found.inside)
    return range_table(names, estimate, reach, coarse, reached=found.reached, ceiling=ceiling)


def range_table(
    names: dict[str, Any],
    estimate: Floats,
    reach: Floats,
    coarse: NDArray[np.bool_],
    *,
    reached: Floats | None = None,
    ceiling: float = np.inf,
) -> pd.DataFrame:
    """The named columns, estimate, low, high, note. `reached`: shares of areas that lie in the public box."""
    import pandas as pd

    reached = np.ones(len(estimate)) if reached is None else reached
    estimate = np.clip(estimate, 0.0, ceiling)
    low, high = np.clip(estimate - reach, 0.0, ceiling), np.clip(estimate + reach, 0.0, ceiling)
    note = np.where(reached < 1.0 - 1e-9, PARTLY_OUTSIDE, "").astype(object)
    note[coarse] = TOO_COARSE
    note[reached <= 0.0] = OUTSIDE
    for values in (estimate, low, high):
        values[reached <= 0.0] = np.nan
    return pd.DataFrame({**names, "estimate": estimate, "low": low, "high": high, "note": note})


def is_coarse(held: Floats, inside: Floats) -> NDArray[np.bool_]:
    """Where what is unknown inside of cells is more than the number itself."""
    return (NINETY * np.sqrt(inside) > np.maximum(held, 0.0)) & (inside > 0.0)


def single(table: pd.DataFrame, *, is_share: bool = False) -> Estimate:
    """The only row of a table."""
    (row,) = table.to_dict(orient="records")
    about, low, high = (float(row[name]) for name in ("estimate", "low", "high"))
    area, note = str(row["area"]), str(row["note"])
    return Estimate(area=area, estimate=about, low=low, high=high, note=note, is_share=is_share)


def whole_box(asked: Asked) -> Estimate:
    """Everything, in any number of dimensions."""
    reach = NINETY * float(np.sqrt(asked.total_variance))
    total = max(asked.total, 0.0)
    return Estimate(area="the public box", estimate=total, low=max(total - reach, 0.0), high=total + reach)


def _join_overlaps(rectangles: Rectangles, zones: Sequence[Sequence[Rings]]) -> Overlaps:
    """The overlap of every zone with every rectangle: exact where one part meets it, else from 16 × 16 places in it."""
    owner = np.repeat(np.arange(len(zones)), [len(parts) for parts in zones])
    parts = [rings for zone in zones for rings in zone]
    met = rectangles.met_by(parts)
    keys = owner[met.zone] * len(rectangles.low) + met.cell
    pairs, first, at, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    share, middle = met.share[first], met.middle[first].copy()
    largest = np.zeros(len(pairs))
    np.maximum.at(largest, at, met.share)
    for pair in np.flatnonzero(times > 1):
        if largest[pair] >= 1.0:
            share[pair], middle[pair] = 1.0, 0.0
            continue
        cell = int(met.cell[first[pair]])
        rows = np.flatnonzero(at == pair) if len(at) < 4096 else first[pair] + np.flatnonzero(at[first[pair] :] == pair)
        share[pair], middle[pair] = _look_inside(rectangles, cell, [parts[int(met.zone[row])] for row in rows])
    zone, cell_of = np.divmod(pairs, len(rectangles.low))
    kept = share > 0.0
    return Overlaps(zone=zone[kept], cell=cell_of[kept], share=share[kept], middle=middle[kept])


def _look_inside(rectangles: Rectangles, cell: int, parts: Sequence[Rings]) -> tuple[float, Floats]:
    """The share of a rectangle in any of the parts, and where it is centered, −1 to 1."""
    across = (np.arange(_LOOKS) + 0.5) / _LOOKS
    inside = np.stack(np.meshgrid(across, across, indexing="ij"), axis=-1).reshape(-1, 2)
    low, high = rectangles.low[cell], rectangles.high[cell]
    places = low + inside * (high - low)
    found = np.zeros(len(places), dtype=np.bool_)
    for rings in parts:
        odd = np.zeros(len(places), dtype=np.bool_)
        for ring, _ in rings:
            odd ^= are_within(ring, places)
        found |= odd
    if not found.any():
        return 0.0, np.zeros(2)
    return float(found.mean()), 2.0 * inside[found].mean(axis=0) - 1.0
