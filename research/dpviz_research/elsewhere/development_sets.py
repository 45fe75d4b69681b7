"""Data sets made to show where answers go wrong. Constants may be chosen on them. Places in the unit square.

`cores_and_corridors` and `satellites`: clusterings of nearly equal cost. `few_places`: check-ins, so that cells are
empty or full. `rounded`: coordinates with few decimals, three to four cells of a grid of 1,024 apart.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Maker = Callable[[int, int], Floats]
CORES, SATELLITES, PLACES = 7, 9, 900
STEP = 1.0 / 290.0
HARD = 9  # a layout whose two best clusterings into five parts differ by 0.2 %; 6 is one for three parts, 11 for seven
OFF = 0.00017  # lattices of rounded coordinates seldom begin at the edge of a box


def cores_and_corridors(n: int, seed: int, layout: int = 0) -> Floats:
    """Dense cores of similar weight, joined by corridors, above thin ground."""
    plan, draw = np.random.default_rng([71, 1, layout]), np.random.default_rng([seed, 21])
    middles = plan.uniform(0.12, 0.88, (CORES, 2))
    sizes, spreads = plan.dirichlet(np.full(CORES, 40.0)), plan.uniform(0.006, 0.03, CORES)
    part = draw.choice(CORES, n, p=sizes)
    places = middles[part] + draw.normal(0.0, 1.0, (n, 2)) * spreads[part, None]
    on_the_way = draw.random(n) < 0.25
    other = draw.integers(0, CORES, n)
    along = draw.random((n, 1))
    way = middles[part] * along + middles[other] * (1.0 - along) + draw.normal(0.0, 0.004, (n, 2))
    places[on_the_way] = way[on_the_way]
    anywhere = draw.random(n) < 0.04
    places[anywhere] = draw.random((int(anywhere.sum()), 2))
    return _inside(places)


def satellites(n: int, seed: int, layout: int = HARD) -> Floats:
    """A core, and satellites around it at distances and sizes that make several clusterings cost nearly the same."""
    plan, draw = np.random.default_rng([71, 2, layout]), np.random.default_rng([seed, 22])
    angles = np.arange(SATELLITES) * (2.0 * np.pi / SATELLITES) + plan.normal(0.0, 0.15, SATELLITES)
    away = plan.uniform(0.26, 0.4, SATELLITES)
    middles = 0.5 + away[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    sizes = (0.3 / away) ** 2 * np.exp(plan.normal(0.0, 0.06, SATELLITES))
    spreads = plan.uniform(0.004, 0.025, SATELLITES)
    part = draw.choice(SATELLITES, n, p=sizes / sizes.sum())
    places = middles[part] + draw.normal(0.0, 1.0, (n, 2)) * spreads[part, None]
    core = draw.random(n) < 0.45
    places[core] = 0.5 + draw.normal(0.0, 1.0, (int(core.sum()), 2)) * plan.uniform(0.02, 0.07, 2)
    return _inside(places)


def few_places(n: int, seed: int, layout: int = 0) -> Floats:
    """Check-ins: each record exactly at one of 900 places, some far more popular than others."""
    plan, draw = np.random.default_rng([71, 3, layout]), np.random.default_rng([seed, 23])
    quarters = plan.uniform(0.1, 0.9, (8, 2))
    places = quarters[plan.integers(0, 8, PLACES)] + plan.normal(0.0, 1.0, (PLACES, 2)) * plan.uniform(
        0.01, 0.09, (PLACES, 1)
    )
    popular = plan.pareto(0.9, PLACES) + 0.05
    return _inside(places)[draw.choice(PLACES, n, p=popular / popular.sum())]


def rounded(n: int, seed: int, layout: int = 0) -> Floats:
    """Uneven blobs and even ground on the points of a lattice."""
    plan, draw = np.random.default_rng([71, 4, layout]), np.random.default_rng([seed, 24])
    middles, sizes = plan.uniform(0.1, 0.9, (12, 2)), plan.dirichlet(np.full(12, 1.5))
    spreads = np.exp(plan.uniform(np.log(0.01), np.log(0.12), (12, 1)))
    part = draw.choice(12, n, p=sizes)
    places = middles[part] + draw.normal(0.0, 1.0, (n, 2)) * spreads[part]
    anywhere = draw.random(n) < 0.08
    places[anywhere] = draw.random((int(anywhere.sum()), 2))
    return _inside(np.round(_inside(places) / STEP) * STEP + OFF)


def _inside(places: Floats) -> Floats:
    """Reflect at the edges, so that none of them gathers records."""
    return np.clip(1.0 - np.abs(1.0 - np.abs(places)), 0.0, np.nextafter(1.0, 0.0))


DEVELOPMENT: dict[str, Maker] = {
    "cores and corridors": cores_and_corridors,
    "satellites": satellites,
    "few places": few_places,
    "rounded": rounded,
}
