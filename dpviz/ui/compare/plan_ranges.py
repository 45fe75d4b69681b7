"""What a release's cells say of a plan of sites, each number with its range, and a refusal where cells are too coarse.

Middles of wide cells are no addresses: shares within 500 m are read off the cells' ground. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import dpviz
from dpviz.errors import NotOffered
from dpviz.language.speaking import told
from dpviz.questions.answers import Estimate
from dpviz.questions.counts import count_served, distance_to_sites, share_of_area
from dpviz.ui.compare import words as say
from dpviz.ui.compare.siting import WITHIN_M, Demand, Site


@dataclass(frozen=True, kw_only=True)
class PlanRanges:
    """How far records are from a plan's sites, how many are near, and how many each site serves."""

    average: Estimate
    within: Mapping[int, Estimate]  # by metres
    serves: tuple[Estimate, ...]  # by site


def ranges_of(demand: Demand, sites: Sequence[Site]) -> PlanRanges | None:
    """None without sites, and where a release holds no counted cells."""
    if not sites:
        return None
    release, places = demand.release, [(site.lon, site.lat) for site in sites]
    try:
        average = distance_to_sites(release, places, end=demand.end)
        within = {
            metres: share_of_area(
                release, [dpviz.Circle(lon=lon, lat=lat, radius_m=metres) for lon, lat in places], end=demand.end
            )
            for metres in WITHIN_M
        }
        table = count_served(release, places, end=demand.end)
    except NotOffered:
        return None
    serves = tuple(
        Estimate(area=str(row["site"]), estimate=row["estimate"], low=row["low"], high=row["high"], note=row["note"])
        for row in table.to_dict(orient="records")
    )
    return PlanRanges(average=average, within=within, serves=serves)


def ranged(name: str, found: Estimate, of: Callable[..., str], note: str = "") -> tuple[str, str, str]:
    """A number and its range; the range alone where cells are too coarse for the number.

    `of` tells a number, with so many digits more where it is given `finer`.
    """
    tell: Callable[..., str] = of
    for finer in (1, 2):  # one more digit, or two, where both ends read the same
        if found.low < found.high and tell(found.low) == tell(found.high):
            tell = partial(of, finer=finer)
    spread = say.RANGE.format(low=tell(found.low), high=tell(found.high))
    if found.note:
        return name, "–", f"{told(found.note)}: {spread}"
    return name, tell(found.estimate), f"{spread}; {note}" if note else spread


def too_small(sites: Sequence[Site], found: PlanRanges) -> list[tuple[int, Estimate, float]]:
    """Sites whose capacity is surely below what they serve: number, what they serve, capacity."""
    return [
        (number, serves, site.capacity)
        for number, (site, serves) in enumerate(zip(sites, found.serves, strict=True), start=1)
        if site.capacity is not None and serves.low > site.capacity
    ]
