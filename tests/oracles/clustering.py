"""Plain numpy twins of the compiled loops: slow, short, written from the definitions; `TWINS` pairs them up.

A twin takes the same arguments and writes into the same arrays. Sums may be added in another order, so results agree
to rounding, not to the bit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import _grid_kernels, _kernels, _plane_kernels, guided_search

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
State = NDArray[np.uint64]

_MASK = 2**64 - 1


def draw_uniform(state: State) -> float:
    """splitmix64 in whole numbers of any size."""
    z = (int(state[0]) + 0x9E3779B97F4A7C15) & _MASK
    state[0] = z
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    z ^= z >> 31
    return (z >> 11) / 2.0**53


def squared_to(points: Floats, center: Floats, out: Floats) -> None:
    """Σ over axes of (x − c)²."""
    out[:] = ((points - center[:, None]) ** 2).sum(axis=0)


def _squared_table(points: Floats, centers: Floats) -> Floats:
    table = np.zeros((centers.shape[0], points.shape[1]))
    for c, center in enumerate(centers):
        squared_to(points, center, table[c])
    return table


def nearest(points: Floats, centers: Floats, labels: Integers, squared: Floats) -> None:
    """The whole table of distances and its smallest row."""
    table = _squared_table(points, centers)
    labels[:] = table.argmin(axis=0)
    squared[:] = table.min(axis=0)


def nearest_two(points: Floats, centers: Floats, labels: Integers, first: Floats, second: Floats) -> None:
    """The whole table of distances, sorted."""
    table = _squared_table(points, centers)
    labels[:] = table.argmin(axis=0)
    ordered = np.sort(table, axis=0)
    first[:] = ordered[0]
    second[:] = ordered[1] if centers.shape[0] > 1 else np.inf


def signed_cost(weights: Floats, squared: Floats, power: int) -> float:
    """Σ w·dist^power."""
    return float((weights * (squared if power == 2 else np.sqrt(squared))).sum())


def move_to_means(
    points: Floats, weights: Floats, labels: Integers, centers: Floats, low: Floats, high: Floats
) -> float:
    """One part at a time: its weighted mean, clamped, if its weight is positive."""
    before = centers.copy()
    for c in range(centers.shape[0]):
        mine = labels == c
        mass = weights[mine].sum()
        if mass > 0.0:
            centers[c] = np.clip((points[:, mine] * weights[mine]).sum(axis=1) / mass, low, high)
    return float(((centers - before) ** 2).sum(axis=1).max())


def move_to_medians(
    points: Floats, weights: Floats, labels: Integers, squared: Floats, centers: Floats, low: Floats, high: Floats
) -> float:
    """One Weiszfeld step a part; a point under the center holds it back by its weight (Vardi and Zhang 2000)."""
    before = centers.copy()
    for c in range(centers.shape[0]):
        mine = (labels == c) & (weights > 0.0)
        away = mine & (squared > 0.0)
        strength = weights[away] / np.sqrt(squared[away])
        if strength.size == 0 or not np.isfinite(strength.sum()):
            continue
        direction = ((points[:, away] - centers[c][:, None]) * strength).sum(axis=1)
        resting = weights[mine & (squared == 0.0)].sum()
        force = np.sqrt((direction**2).sum())
        share = 0.0 if force <= resting else 1.0 - resting / force
        centers[c] = np.clip(centers[c] + share * direction / strength.sum(), low, high)
    return float(((centers - before) ** 2).sum(axis=1).max())


def descend_in_space(
    points: Floats,
    weights: Floats,
    centers: Floats,
    steps: int,
    tolerance: float,
    power: int,
    low: Floats,
    high: Floats,
    incumbent: float,
) -> float:
    """Step; after a rise go half-way back to the best seen; give up when too slow to beat the incumbent."""
    labels, squared = np.zeros(points.shape[1], dtype=np.int64), np.empty(points.shape[1])
    best, best_centers, before, halvings = np.inf, centers.copy(), np.inf, 0
    for step in range(steps + 1):
        nearest(points, centers, labels, squared)
        value = signed_cost(weights, squared, power)
        if value < best:
            best, best_centers, halvings = value, centers.copy(), 0
        elif value > best:
            halvings += 1
            if step < steps and halvings <= _kernels.HALVINGS:
                centers[:] = (centers + best_centers) / 2.0
                continue
        hopeless = step > 1 and value - _kernels.PATIENCE * abs(before - value) > incumbent
        if step == steps or halvings > _kernels.HALVINGS or hopeless:
            break
        before = value
        if power == 2:
            moved = move_to_means(points, weights, labels, centers, low, high)
        else:
            moved = move_to_medians(points, weights, labels, squared, centers, low, high)
        if moved <= tolerance**2:
            break
    centers[:] = best_centers
    return float(best)


def descend(*arguments: Any) -> float:
    """The same in the plane."""
    return descend_in_space(*arguments)


def nearest_in_plane(x: Floats, y: Floats, centers: Floats, label: Integers, best: Floats) -> None:
    """`nearest`, the axes apart."""
    nearest(np.stack([x, y]), centers, label, best)


def nearest_two_in_plane(x: Floats, y: Floats, centers: Floats, label: Integers, best: Floats, other: Floats) -> None:
    """`nearest_two`, the axes apart."""
    nearest_two(np.stack([x, y]), centers, label, best, other)


def two_nearest(points: Floats, centers: Floats, labels: Integers, first: Floats, second: Floats) -> None:
    """`nearest_two`."""
    nearest_two(points, centers, labels, first, second)


def weighted_sum(weights: Floats, values: Floats) -> float:
    """Σ w·v."""
    return float((weights * values).sum())


def losses(weights: Floats, labels: Integers, first: Floats, second: Floats, loss: Floats) -> float:
    """A part without its center goes to the runners-up."""
    for c in range(loss.size):
        mine = labels == c
        loss[c] = (weights[mine] * second[mine]).sum() - (weights[mine] * first[mine]).sum()
    return weighted_sum(weights, first)


def inserted(
    points: Floats, weights: Floats, chosen: int, labels: Integers, first: Floats, second: Floats, loss: Floats
) -> float:
    """Costs and losses with the further center less those without it."""
    distance = _distance(points, points[:, chosen], 2)
    near, far = np.minimum(first, distance), np.minimum(second, distance)
    for c in range(loss.size):
        mine = labels == c
        loss[c] += (weights[mine] * (far - near)[mine]).sum() - (weights[mine] * (second - first)[mine]).sum()
    return float((weights * near).sum() - (weights * first).sum())


def descend_in_plane(
    points: Floats,
    weights: Floats,
    centers: Floats,
    steps: int,
    tolerance: float,
    low: Floats,
    high: Floats,
    incumbent: float,
    patience: float,
    most_halvings: int,
) -> float:
    """`descend` for squared distances, with its constants."""
    assert (patience, most_halvings) == (_kernels.PATIENCE, _kernels.HALVINGS)
    return descend(points, weights, centers, steps, tolerance, 2, low, high, incumbent)


def draw_index(mass: Floats, state: State) -> int:
    """Where a uniform number falls in the running sums."""
    running = np.cumsum(mass)
    if mass.size == 0 or not running[-1] > 0.0:
        return -1
    target = draw_uniform(state) * running[-1]
    above = np.flatnonzero((running > target) & (mass > 0.0))
    return int(above[0]) if above.size else int(np.flatnonzero(mass > 0.0)[-1])


def running_sums(mass: Floats, sums: Floats) -> int:
    """Sums so far, and the last point with mass."""
    sums[:] = np.cumsum(mass)
    return int(max(np.flatnonzero(mass > 0.0), default=-1))


def draw_from(sums: Floats, last: int, state: State) -> int:
    """The same draw from sums that are known."""
    return draw_index(np.diff(sums[: last + 1], prepend=0.0), state)


def _distance(points: Floats, center: Floats, power: int) -> Floats:
    squared = ((points - center[:, None]) ** 2).sum(axis=0)
    return squared if power == 2 else np.asarray(np.sqrt(squared))


def seed_plusplus(
    points: Floats, positive: Floats, k: int, trials: int, power: int, state: State, centers: Floats
) -> None:
    """The distance to the chosen so far is recomputed from scratch for every candidate."""
    mass = positive.copy()
    for c in range(k):
        candidates = []
        for _ in range(trials if c > 0 else 1):
            i = draw_index(mass, state)
            if i < 0:
                i = draw_index(positive, state)
            candidates.append(c % points.shape[1] if i < 0 else i)
        reaches = []
        for i in candidates:
            chosen = [*centers[:c], points[:, i]]
            reaches.append(np.min([_distance(points, center, power) for center in chosen], axis=0))
        costs = [float((positive * reach).sum()) for reach in reaches]
        winner = int(np.argmin(costs))
        centers[c] = points[:, candidates[winner]]
        mass = positive * reaches[winner]


def swap_in_space(
    points: Floats,
    weights: Floats,
    positive: Floats,
    centers: Floats,
    trials: int,
    power: int,
    state: State,
    trial_point: Floats,
) -> int:
    """Every pair of candidate and removal is priced by the cost of the resulting centers."""
    table = np.array([_distance(points, center, power) for center in centers])
    mass = positive * table.min(axis=0)
    lowest, drop = np.inf, -1
    for _ in range(trials):
        chosen = draw_index(mass, state)
        if chosen < 0:
            return drop
        costs = []
        for c in range(centers.shape[0]):
            attempt = centers.copy()
            attempt[c] = points[:, chosen]
            value = np.min([_distance(points, center, power) for center in attempt], axis=0)
            costs.append(float((weights * value).sum()))
        c = int(np.argmin(costs))
        if drop < 0 or costs[c] < lowest:
            lowest, drop = costs[c], c
            trial_point[:] = points[:, chosen]
    return drop


def best_swap(*arguments: Any) -> int:
    """The same in the plane."""
    return swap_in_space(*arguments)


def swap_in_plane(
    points: Floats, weights: Floats, positive: Floats, centers: Floats, trials: int, state: State, trial_point: Floats
) -> int:
    """Squared distances."""
    return swap_in_space(points, weights, positive, centers, trials, 2, state, trial_point)


def cross(mother: Floats, father: Floats, state: State, child: Floats) -> None:
    """Greedy pairs, a coin for each."""
    free = list(range(mother.shape[0]))
    for i, center in enumerate(mother):
        partner = min(free, key=lambda j: (float(((center - father[j]) ** 2).sum()), j))
        free.remove(partner)
        child[i] = center if draw_uniform(state) < 0.5 else father[partner]


def fitter_of_two(values: list[float], size: int, state: State) -> int:
    """Two draws, the cheaper."""
    i = min(int(draw_uniform(state) * size), size - 1)
    j = min(int(draw_uniform(state) * size), size - 1)
    return j if values[j] < values[i] else i


def admit(pool: Floats, values: list[float], centers: Floats, value: float) -> None:
    """Known costs are not taken twice; otherwise the worst goes."""
    known = np.flatnonzero(np.abs(np.array(values) - value) <= guided_search._SAME * abs(value))
    if known.size:
        if value < values[known[0]]:
            pool[known[0]], values[known[0]] = centers, value
    elif len(values) < pool.shape[0]:
        pool[len(values)] = centers
        values.append(value)
    elif value < max(values):
        worst = int(np.argmax(values))
        pool[worst], values[worst] = centers, value


def breed(
    points: Floats,
    weights: Floats,
    pool: Floats,
    values: list[float],
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Children of the pool: cross, swap, descend, admit."""
    positive = np.maximum(weights, 0.0)
    for _ in range(moves):
        mother, father = fitter_of_two(values, len(values), state), fitter_of_two(values, len(values), state)
        child = pool[mother].copy()
        if mother != father:
            cross(pool[mother], pool[father], state, child)
        point = np.zeros(points.shape[0])
        drop = best_swap(points, weights, positive, child, trials, power, state, point)
        if drop < 0:
            break
        child[drop] = point
        admit(pool, values, child, descend(points, weights, child, steps, 0.0, power, low, high, max(values)))
    ranked = np.argsort(values, kind="stable")
    return pool[ranked], np.array(values)[ranked]


def search(
    points: Floats,
    weights: Floats,
    k: int,
    starts: int,
    keep: int,
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Starts, then children of the kept: the same course, built from the twins above."""
    positive = np.maximum(weights, 0.0)
    pool, values = np.zeros((keep, k, points.shape[0])), list[float]()
    for start in range(starts):
        centers = np.zeros((k, points.shape[0]))
        seed_plusplus(points, positive, k, 1 + (start % 2) * trials, power, state, centers)
        admit(pool, values, centers, descend(points, weights, centers, steps, 0.0, power, low, high, np.inf))
    return breed(points, weights, pool, values, moves, steps, trials, power, state, low, high)


def resume(
    points: Floats,
    weights: Floats,
    found: Floats,
    moves: int,
    steps: int,
    trials: int,
    power: int,
    state: State,
    low: Floats,
    high: Floats,
) -> tuple[Floats, Floats]:
    """Descend from each, then breed."""
    pool, values = np.zeros_like(found), list[float]()
    for member in found:
        centers = member.copy()
        admit(pool, values, centers, descend(points, weights, centers, steps, 0.0, power, low, high, np.inf))
    return breed(points, weights, pool, values, moves, steps, trials, power, state, low, high)


def transfer(points: Floats, weights: Floats, centers: Floats, labels: Integers, first: Floats, second: Floats) -> int:
    """One point at a time, priced by how the means of both parts would move."""
    parts = range(len(centers))
    held = np.array([weights[labels == c].sum() for c in parts])
    sums = np.array([(weights * points)[:, labels == c].sum(axis=1) for c in parts])
    least, moved = held[held > 0.0].min(initial=np.inf), 0
    for i, w in enumerate(weights):
        a = labels[i]
        if w <= 0.0 or held[a] <= w or first[i] * held[a] * (least + w) <= second[i] * least * (held[a] - w):
            continue
        prices = {c: ((points[:, i] - sums[c] / held[c]) ** 2).sum() * held[c] for c in parts if held[c] > 0.0}
        saved = prices.pop(a) / (held[a] - w) * (1.0 - _kernels.SURE)
        prices = {c: price / (held[c] + w) for c, price in prices.items()}
        goal = min(prices, key=prices.__getitem__, default=a)
        if goal != a and prices[goal] < saved:
            held[a], held[goal] = held[a] - w, held[goal] + w
            sums[a], sums[goal] = sums[a] - w * points[:, i], sums[goal] + w * points[:, i]
            labels[i], moved = goal, moved + 1
    if moved:
        centers[held > 0.0] = sums[held > 0.0] / held[held > 0.0, None]
    return moved


def row_prefixes(counts: Integers, prefix: Integers) -> None:
    """Running sums of n, n·col, n·col² along each row, read at every STRIDE-th column."""
    columns = np.arange(counts.shape[1])
    for power in range(3):
        running = np.cumsum(counts.astype(np.int64) * columns**power, axis=1)
        running = np.hstack([np.zeros((counts.shape[0], 1), dtype=np.int64), running])
        at = np.minimum(np.arange(prefix.shape[1]) * _grid_kernels.STRIDE, counts.shape[1])
        prefix[:, :, power] = running[:, at]


def block_moments(counts: Integers, prefix: Integers, factor: int, moments: Integers) -> None:
    """Every cell adds (n, n·col, n·row) to its block. (`prefix` is what the kernel needs to be fast.)"""
    row, column = (np.asarray(place, dtype=np.int64) for place in np.indices(counts.shape))
    block = (row // factor) * -(-counts.shape[1] // factor) + column // factor
    places = (np.ones_like(row), column, row)
    for power, place in enumerate(places):
        np.add.at(moments[:, power], block.ravel(), (counts.astype(np.int64) * place).ravel())


def occupied_cells(counts: Integers, prefix: Integers, at: Integers, moments: Integers) -> int:
    """Cells that are not 0, as many as there is room for. (`prefix` is what the kernel needs to be fast.)"""
    row, column = np.nonzero(counts)
    n = counts[row, column].astype(np.int64)
    room = at.size
    at[: n.size] = (row * counts.shape[1] + column)[:room]
    moments[: n.size] = np.stack([n, n * column, n * row], axis=1)[:room]
    return min(n.size, room + 1)


def part_moments(
    counts: Integers, prefix: Integers, centers: Floats, stretch: float, moments: Integers, with_squares: bool
) -> float:
    """Brute force: every cell against every center. (`prefix` is what the kernel needs to be fast.)"""
    row, column = (np.asarray(place, dtype=np.int64) for place in np.indices(counts.shape))
    table = np.array([(column + 0.5 - x) ** 2 + stretch * (row + 0.5 - v) ** 2 for x, v in centers])
    label = table.argmin(axis=0)
    moments[:] = 0
    places = (np.ones_like(row), column, row)
    for power, place in enumerate(places):
        np.add.at(moments[:, power], label.ravel(), (counts.astype(np.int64) * place).ravel())
    return float((counts * table.min(axis=0)).sum()) if with_squares else 0.0


def descend_on_grid(
    counts: Integers, prefix: Integers, centers: Floats, stretch: float, steps: int, tolerance: float
) -> int:
    """Lloyd's algorithm on all cells."""
    moments = np.zeros((centers.shape[0], 3), dtype=np.int64)
    for step in range(steps):
        part_moments(counts, prefix, centers, stretch, moments, False)
        before = centers.copy()
        held = moments[:, 0] > 0
        centers[held] = moments[held, 1:] / moments[held, :1] + 0.5
        if (((centers - before) ** 2) @ np.array([1.0, stretch])).max() <= tolerance**2:
            return step + 1
    return steps


TWINS: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (_kernels.draw_uniform, draw_uniform),
    (_kernels.squared_to, squared_to),
    (_kernels.nearest, nearest),
    (_kernels.nearest_two, nearest_two),
    (_kernels.signed_cost, signed_cost),
    (_kernels.move_to_means, move_to_means),
    (_kernels.move_to_medians, move_to_medians),
    (_kernels.descend_in_space, descend_in_space),
    (_kernels.running_sums, running_sums),
    (_kernels.draw_from, draw_from),
    (_kernels.seed_plusplus, seed_plusplus),
    (_kernels.swap_in_space, swap_in_space),
    (_kernels.swap_in_plane, swap_in_plane),
    (_kernels.transfer, transfer),
    (_kernels.cross, cross),
    (_plane_kernels.nearest_in_plane, nearest_in_plane),
    (_plane_kernels.nearest_two_in_plane, nearest_two_in_plane),
    (_plane_kernels.two_nearest, two_nearest),
    (_plane_kernels.weighted_sum, weighted_sum),
    (_plane_kernels.losses, losses),
    (_plane_kernels.inserted, inserted),
    (_plane_kernels.descend_in_plane, descend_in_plane),
    (_grid_kernels.row_prefixes, row_prefixes),
    (_grid_kernels.block_moments, block_moments),
    (_grid_kernels.occupied_cells, occupied_cells),
    (_grid_kernels.part_moments, part_moments),
    (_grid_kernels.descend_on_grid, descend_on_grid),
)
COURSES: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (  # not compiled themselves
    (guided_search.descend, descend),
    (guided_search.best_swap, best_swap),
    (guided_search.fitter_of_two, fitter_of_two),
    (guided_search.admit, admit),
    (guided_search.breed, breed),
    (guided_search.search, search),
    (guided_search.resume, resume),
)
