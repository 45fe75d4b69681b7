"""Own levels beside three other ways to serve people who allow different things: how much centers lose.

python -m dpviz_research.own_levels --data DIR --out docs/evidence

Curator only: costs are exact. Everybody has one of four levels, 9, 37, 44 and 10 of 100 with ε = 1, .5, .2 and .05.
Where levels depend on the place, odds for stricter ones grow from south to north at the middle of the box. DIR holds
bench_s1.parquet; without it two data sets are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import GridTable
from dpviz.domain import ExactCounts, Grid, PlainBox, Unit
from dpviz.domain.counts import LevelCounts
from dpviz.ingest.cities import load_counts
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE
from dpviz.mechanisms.interface import Answer, Public
from dpviz.mechanisms.own_levels import OWN_LEVELS, Stretch, stretched
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release
from dpviz_research.papers.records import read_options, write_record
from dpviz_research.synthetic import SYNTHETIC_BOX, subsample, synthetic_city

LEVELS = (1.0, 0.5, 0.2, 0.05)
SHARES = np.array([0.09, 0.37, 0.44, 0.10])
# How the log odds of neighbouring levels differ between north and south: no constant was chosen on suburbs and S1.
DEPENDENCE = {"not": 0.0, "somewhat": 0.4, "much": 1.2, "very much": 3.0}
RECORDS, SIDE, CLUSTERS = 100_000, 256, (5, 10)
AREAS = 40
_SEED = 20_261_120
Integers = NDArray[np.int64]


def data_sets(folder: Path | None) -> Iterator[tuple[str, ExactCounts]]:
    """Drop-offs, a made city with suburbs, and S1 where it is there."""
    yield "nyc-taxi", subsample(load_counts("nyc-taxi"), RECORDS, _SEED)
    grid, points = Grid(SYNTHETIC_BOX, SIDE), synthetic_city(RECORDS, _SEED, "suburbs")
    yield "suburbs", _counted(grid, grid.cells(points[:, 0], points[:, 1]))
    if folder is not None and (folder / "bench_s1.parquet").exists():
        rows = pd.read_parquet(folder / "bench_s1.parquet")
        grid = Grid(PlainBox((0.0, 0.0), (1e6, 1e6)), SIDE)
        yield "S1", _counted(grid, grid.cells(rows["x"].to_numpy(float), rows["y"].to_numpy(float)))


def _counted(grid: Grid, flat: Integers) -> ExactCounts:
    cells = np.bincount(flat[flat >= 0], minlength=grid.side**2).reshape(grid.side, grid.side)
    return ExactCounts.from_array(grid, cells)


def with_levels(counts: ExactCounts, dependence: float) -> LevelCounts:
    """Give every record a level by chance; in the north stricter ones are likelier."""
    draw, cells = np.random.default_rng(_SEED), counts.to_numpy()
    sheets = np.zeros((len(LEVELS), *cells.shape), np.int64)
    steps = np.arange(len(LEVELS)) - (len(LEVELS) - 1) / 2
    half = np.arange(counts.grid.side)[:, None] < counts.grid.side // 2
    for where, sign in ((half, 0.5), (~half, -0.5)):
        odds = SHARES * np.exp(sign * dependence * steps)
        left = np.where(where, cells, 0)
        for place in range(len(LEVELS)):
            sheets[place] += (chosen := draw.binomial(left, odds[place] / odds[place:].sum()))
            left = left - chosen
    return LevelCounts(counts.grid, sheets, unit=Unit(level_column="choice", levels=LEVELS))


def ways(data: LevelCounts) -> dict[str, Callable[[int, int], Answer]]:
    """The strictest level for all; a sample that keeps each promise; stretching alone; and the method."""
    everybody = ExactCounts(data.grid, data.exact_by_level.sum(axis=0))
    units = stretched(data, Stretch.of(LEVELS, LEVELS[0]))
    kept = np.expm1(LEVELS) / np.expm1(LEVELS[0])

    def tree(counts: ExactCounts, epsilon: float, k: int, seed: int) -> Answer:
        plan = ADAPTIVE_TREE.plan(Public.of(counts), k=k, budget=Budget(epsilon=epsilon))
        return ADAPTIVE_TREE.run(counts, plan, replayable_source(seed))

    def sampled(seed: int) -> ExactCounts:
        chosen = np.random.default_rng(seed).binomial(data.exact_by_level, kept[:, None, None])
        return ExactCounts(data.grid, chosen.sum(axis=0))

    def own(k: int, seed: int) -> Answer:
        plan = OWN_LEVELS.plan(Public.of(data), k=k, budget=Budget(epsilon=LEVELS[0]))
        return OWN_LEVELS.run(data, plan, replayable_source(seed))

    return {
        "all at the strictest": lambda k, seed: tree(everybody, LEVELS[-1], k, seed),
        "sampled": lambda k, seed: tree(sampled(seed), LEVELS[0], k, seed),
        "stretched alone": lambda k, seed: tree(units, LEVELS[0], k, seed),
        "own levels": own,
    }


def rows(folder: Path | None, draws: int) -> Iterator[dict[str, Any]]:
    """Median and mean added cost of each way, in per cent of the best known cost."""
    for name, counts in data_sets(folder):
        table = GridTable.of(counts.exact_cells, cell_width=counts.grid.cell_width, cell_height=counts.grid.cell_height)
        for kind, dependence in DEPENDENCE.items():
            data = with_levels(counts, dependence)
            for k in CLUSTERS:
                best = table.summarise(table.solve(k, seed=0, starts=80).centers)[0]
                found: dict[str, Any] = {"data": name, "levels depend on the place": kind, "k": k}
                for way, draw in ways(data).items():
                    answers = [draw(k, _SEED + seed) for seed in range(draws)]
                    costs = [table.summarise(one.centers.positions)[0] for one in answers if one.centers is not None]
                    errors = 100 * (np.array(costs) / best - 1.0)
                    found[f"{way}, median"] = float(f"{np.median(errors):.3g}")
                    found[f"{way}, mean"] = float(f"{errors.mean():.3g}")
                print(found, flush=True)
                yield found


def coverage(folder: Path | None, draws: int) -> Iterator[dict[str, Any]]:
    """How many of 100 true numbers of records in areas lie inside the range that is told with them."""
    for name, counts in data_sets(folder):
        frame, areas = counts.grid.frame, np.random.default_rng(_SEED)
        for kind, dependence in DEPENDENCE.items():
            data, inside, tried = with_levels(counts, dependence), 0, 0
            for draw in range(draws):
                made = release(data, 5, Budget(epsilon=LEVELS[0]), seed=_SEED + draw, purpose="any question")
                for _ in range(AREAS):
                    size = 2 ** int(areas.integers(3, 7))
                    row, column = areas.integers(0, SIDE - size, 2)
                    exact = int(data.exact_cells[row : row + size, column : column + size].sum())
                    step = (np.asarray(frame.high) - frame.low) / SIDE
                    low = np.asarray(frame.low) + (column, SIDE - row - size) * step
                    told = made.count((*low, *(low + size * step)))
                    inside, tried = inside + (told.low <= exact <= told.high), tried + 1
            yield {"data": name, "levels depend on the place": kind, "inside of 100": round(100 * inside / tried, 1)}


def main() -> None:
    """Measure and write the record."""
    given = read_options(__doc__, draws=24, data=None)
    write_record(
        given.out / "own-levels.json",
        title="Everybody's own level",
        what=(
            "Added cost of the centers against the best known, in per cent, median and mean: everybody protected as "
            "the strictest ask; a sample that keeps each promise; records that count as much as they allow; and the "
            "method own_levels. 100,000 records (S1: 5,000). Constants were chosen on nyc-taxi."
        ),
        kind="table",
        rows=list(rows(given.data, given.draws)),
        command=f"python -m dpviz_research.own_levels --data DIR --draws {given.draws} --out docs/evidence",
        seed=f"draws 0 to {given.draws - 1} from {_SEED}, replayable noise; levels with seed {_SEED}",
        data="100,000 drop-offs drawn from the embedded city, 100,000 of a made city with suburbs, S1; grids of 256",
    )


if __name__ == "__main__":
    main()
