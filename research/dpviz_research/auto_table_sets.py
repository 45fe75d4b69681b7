"""Made-up data from which `auto` learns: cities, and beyond two dimensions chains, groups, registers and components.

Records vary along the axes of their box or along others, and fill their box or little of it: what one method gains on
is what another loses on, so a table made of one kind would recommend one method for everything.
"""

from __future__ import annotations

import numpy as np

from dpviz.domain import ExactCounts, ExactPoints, Grid
from dpviz.domain.box import plain_frame
from dpviz_research.synthetic import SYNTHETIC_BOX, synthetic_city

GROUPS = 6
# From axis to axis: as the main components of a table fall, and nearly alike, turned.
FALLS = ((0.75, False), (0.9, True))
APART = 5  # groups that lie apart
CUT = 0.01  # of each end of a column, where a box is laid tightly


def made(dims: int, n: int) -> list[ExactCounts | ExactPoints]:
    """All sets of so many dimensions."""
    found = cities(dims, n)
    if dims == 2:
        return found
    found += [groups(dims, n, fall, turned) for fall, turned in FALLS]
    found += [apart(dims, n, inner, turned) for inner, turned in ((dims, False), (dims, True), (2, True))]
    wide = components(dims, n)
    return [*found, register(dims, n), wide, within_quantiles(wide)]


def made_loosely(dims: int, n: int) -> list[ExactCounts | ExactPoints]:
    """Sets for many dimensions, half of them in boxes that are far too wide; one has many groups."""
    tight = [apart(dims, n, dims, False), groups(dims, n, *FALLS[1]), register(dims, n), components(dims, n)]
    many = apart(dims, n, dims, False, parts=30)
    return [*tight, many, loose(tight[0], 50.0), loose(tight[3], 5.0), loose(many, 5.0)]


def loose(data: ExactPoints, wider: float) -> ExactPoints:
    """The same records in a corner of a box so many times as wide."""
    dims = data.frame.dims
    return ExactPoints.from_array(plain_frame([0.0] * dims, [wider] * dims), data.exact_cube + 0.1 * wider)


def cities(dims: int, n: int) -> list[ExactCounts | ExactPoints]:
    """Two synthetic cities; in more dimensions a record is a chain of places, each near or far from the one before."""
    made: list[ExactCounts | ExactPoints] = []
    for kind in ("peer", "suburbs"):
        places = [synthetic_city(n, seed, kind) for seed in range(1, dims // 2 + 1)]
        box = SYNTHETIC_BOX.frame
        if dims == 2:
            grid = Grid(SYNTHETIC_BOX, 256)
            flat = grid.cells(places[0][:, 0], places[0][:, 1])
            cells = np.bincount(flat[flat >= 0], minlength=grid.side**2).reshape(grid.side, grid.side)
            made.append(ExactCounts.from_array(grid, cells))
            continue
        generator = np.random.default_rng(7)
        for place, before in zip(places[1:], places[:-1], strict=True):
            near = generator.random(n) < 0.5
            place[near] = before[near] + generator.normal(0.0, 0.01, (int(near.sum()), 2))
        frame = plain_frame(box.low * (dims // 2), box.high * (dims // 2))
        made.append(ExactPoints.from_array(frame, np.hstack(places), outside="clip"))
    return made


def apart(dims: int, n: int, inner: int, turned: bool, parts: int = APART) -> ExactPoints:
    """Long groups that lie apart along some directions, of the box's axes or turned against them."""
    generator = np.random.default_rng([11, dims, inner])
    middles = np.zeros((parts, dims))
    middles[:, :inner] = generator.uniform(-0.25, 0.25, (parts, inner))
    part = generator.choice(parts, n, p=generator.dirichlet(np.full(parts, 4.0)))
    raw = middles[part] + generator.normal(0.0, 1.0, (n, dims)) * generator.uniform(0.03, 0.08, (parts, dims))[part]
    if turned:
        raw = raw @ np.linalg.qr(generator.normal(0.0, 1.0, (dims, dims)))[0]
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), raw + 0.5, outside="clip")


def groups(dims: int, n: int, fall: float, turned: bool) -> ExactPoints:
    """Overlapping groups around the middle of the box, along its axes or turned against them.

    Along each direction they are `fall` times as wide as along the one before.
    """
    generator = np.random.default_rng([7, dims])
    wide = 0.25 * fall ** np.arange(dims)
    middles = generator.normal(0.0, 0.7, (GROUPS, dims)) * wide
    spread = generator.uniform(0.2, 0.5, (GROUPS, 1)) * wide
    part = generator.choice(GROUPS, n, p=generator.dirichlet(np.full(GROUPS, 3.0)))
    raw = middles[part] + generator.normal(0.0, 1.0, (n, dims)) * spread[part]
    if turned:
        raw = raw @ np.linalg.qr(generator.normal(0.0, 1.0, (dims, dims)))[0]
    raw += 0.5
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), raw, outside="clip")


def register(dims: int, n: int) -> ExactPoints:
    """Columns of a register: years, sums that are mostly 0, hours that are mostly the usual ones, long tails, levels.

    Four hidden kinds of records shift some columns.
    """
    generator = np.random.default_rng([21, dims])
    part = generator.choice(4, n, p=generator.dirichlet(np.full(4, 4.0)))
    columns = []
    for column in range(dims):
        shifts = generator.normal(0.0, 1.0, 4) * (generator.random(4) < 0.25)
        own = generator.normal(size=n) + 1.2 * shifts[part]
        rare = generator.random(n)
        drawn, low, high = (
            (np.round(38.0 + 13.0 * own), 0.0, 100.0),
            (np.where(rare < 0.92, 0.0, np.exp(7.0 + own)), 0.0, 1e5),
            (np.where(rare < 0.45, 40.0, np.round(40.0 + 12.0 * own)), 0.0, 100.0),
            (np.exp(11.5 + 0.5 * own), 0.0, 1.5e6),
            (np.round(9.5 + 2.6 * own), 1.0, 16.0),
        )[column % 5]
        columns.append((np.clip(drawn, low, high) - low) / (high - low))
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), np.column_stack(columns), outside="clip")


def components(dims: int, n: int) -> ExactPoints:
    """Skewed groups along their own main components, in a box as wide as the farthest record."""
    generator = np.random.default_rng([22, dims])
    parts = int(generator.integers(3, 8))
    wide = np.exp(-np.arange(dims) * generator.uniform(0.08, 0.3))
    middles = 1.2 * generator.normal(size=(parts, dims)) * wide
    part = generator.choice(parts, n, p=generator.dirichlet(np.full(parts, 1.5)))
    spread = wide * generator.uniform(0.1, 0.6, (parts, dims))
    raw = middles[part] + generator.gamma(2.0, 1.0, (n, dims)) * spread[part]
    raw -= raw.mean(axis=0)
    raw = raw @ np.linalg.eigh(np.cov(raw.T))[1]
    return ExactPoints.from_array(plain_frame([-1.0] * dims, [1.0] * dims), raw / np.abs(raw).max(), outside="clip")


def within_quantiles(data: ExactPoints) -> ExactPoints:
    """The same records in a box that cuts a little off both ends of each column."""
    cube, dims = data.exact_cube, data.frame.dims
    low, high = np.quantile(cube, (CUT, 1.0 - CUT), axis=0)
    return ExactPoints.from_array(plain_frame([0.0] * dims, [1.0] * dims), (cube - low) / (high - low), outside="clip")
