"""The data sets of Su, Cao, Li, Bertino and Jin 2016, Table 1: a user's files, the embedded city, or named stand-ins.

As in the paper each attribute is scaled to [−1, 1] by its smallest and largest value. That is a look at the data
which a guarantee does not cover, and which nothing else in dpviz takes; here it serves to repeat a benchmark.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import polars
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans, sphere_packing_start
from dpviz.domain import ExactCounts, ExactPoints, Grid, PlainBox
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.ingest import builtin
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.interface import ExactData
from dpviz_research.papers.records import checksum
from dpviz_research.synthetic import subsample

Floats = NDArray[np.float64]
CITY_RECORDS: Final = 100_000  # about as many as Gowalla's places
CITY_CLUSTERS: Final = 5
SPREAD: Final = 1 / 8  # standard deviation of a made-up cluster over the distance of the two closest centers
_NOT_ATTRIBUTES: Final = {"label", "labels", "class", "target", "weight", "id", ""}


@dataclass(frozen=True, kw_only=True)
class Known:
    """A row of the paper's Table 1."""

    name: str
    key: str  # how a user's file is recognised
    records: int
    dims: int
    k: int
    stand_in: bool  # whether a made-up one replaces it where there is no file


TABLE_1: Final = (
    Known(name="S1", key="s1", records=5_000, dims=2, k=15, stand_in=True),
    Known(name="Gowalla", key="gowalla", records=107_091, dims=2, k=5, stand_in=False),
    Known(name="TIGER", key="tiger", records=16_281, dims=2, k=2, stand_in=False),
    Known(name="Image", key="image", records=34_112, dims=3, k=3, stand_in=False),
    Known(name="Adult-num", key="adult", records=48_841, dims=6, k=5, stand_in=True),
    Known(name="Lifesci", key="lifesci", records=26_733, dims=10, k=3, stand_in=True),
)
_TYPES: Final = (".parquet", ".csv", ".tsv", ".txt")


@dataclass(frozen=True, kw_only=True, eq=False)
class Example:
    """One data set with its k. Exact, curator only."""

    name: str
    k: int
    real: bool
    exact: ExactData = field(repr=False)
    exact_best: float = field(repr=False)  # NICV without protection

    @property
    def title(self) -> str:
        """For figures; a made-up data set is never shown under the plain name."""
        return self.name if self.real else f"stand-in for {self.name} (made up)"

    @property
    def dims(self) -> int:
        return 2 if isinstance(self.exact, ExactCounts) else self.exact.frame.dims

    def nicv(self, positions: Floats) -> float:
        """The paper's quality of centers: mean squared distance of a record to the nearest one."""
        points, weights = weighted_local(self.exact)
        return cost(points, weights.astype(np.float64), positions) / self.exact.exact_total

    def facts(self) -> dict[str, object]:
        """What every row of a table says about its data."""
        return {
            "data": self.title,
            "stand_in": not self.real,
            "n": self.exact.exact_total,
            "dims": self.dims,
            "k": self.k,
            "data_sha256": checksum(self.exact),
        }


def examples(data: Path | None, *, city: bool = True) -> list[Example]:
    """The data sets that can be had: files, stand-ins, the embedded city."""
    found = [example for known in TABLE_1 if (example := _example(known, data)) is not None]
    return [*found, embedded_city()] if city else found


def _example(known: Known, folder: Path | None) -> Example | None:
    path = find_file(known, folder)
    if path is not None:
        return make_example(known.name, read_points(path, known), known.k, real=True)
    if not known.stand_in:
        return None
    return make_example(known.name, blobs(known.records, known.dims, known.k, seed=0), known.k, real=False)


def find_file(known: Known, folder: Path | None) -> Path | None:
    """The user's file whose name holds the data set's name as a word."""
    for path in sorted(folder.iterdir()) if folder is not None else ():
        words = path.stem.lower().replace("-", "_").replace(".", "_").split("_")
        if path.suffix.lower() in _TYPES and known.key in words:
            return path
    return None


def read_points(path: Path, known: Known) -> Floats:
    """A user's table as points scaled to [−1, 1]; columns that are labels are left out."""
    if path.suffix.lower() == ".parquet":
        table = polars.read_parquet(path)
    else:
        table = polars.read_csv(path, separator="," if path.suffix.lower() == ".csv" else "\t")
    numbers = [name for name, kind in table.schema.items() if kind.is_numeric() and name.lower() not in _NOT_ATTRIBUTES]
    if len(numbers) != known.dims:
        raise InputError(
            f"{path.name} has {len(numbers)} columns of numbers; {known.name} needs {known.dims} "
            "(columns named label, class, target, weight or id do not count)."
        )
    chosen = table.select(numbers).drop_nulls()
    if known.key == "gowalla":
        chosen = chosen.unique(maintain_order=True)  # "all the unique locations"
    return scaled(chosen.to_numpy().astype(np.float64))


def scaled(rows: Floats) -> Floats:
    """Each attribute to [−1, 1]."""
    rows = rows[np.isfinite(rows).all(axis=1)]
    if not len(rows):
        raise InputError("the file holds no row of finite numbers.")
    low, high = rows.min(axis=0), rows.max(axis=0)
    span: Floats = np.where(high > low, high - low, 1.0)
    inside: Floats = 2 * (rows - low) / span - 1
    return inside


def make_example(name: str, rows: Floats, k: int, *, real: bool) -> Example:
    """Points in [−1, 1]^d with their best NICV."""
    dims = rows.shape[1]
    exact = ExactPoints.from_array(plain_frame([-1.0] * dims, [1.0] * dims), rows, outside="clip")
    return Example(name=name, k=k, real=real, exact=exact, exact_best=best_nicv(exact, k))


def best_nicv(exact: ExactData, k: int) -> float:
    """The baseline: ordinary k-means, not private."""
    points, weights = weighted_local(exact)
    return solve_kmeans(points, weights.astype(np.float64), k, seed=0).cost / exact.exact_total


def embedded_city() -> Example:
    """A sample of the embedded city, its box scaled to [−1, 1]²."""
    sample = subsample(builtin("nyc-taxi"), CITY_RECORDS, seed=0)
    grid = Grid(PlainBox((-1.0, -1.0), (1.0, 1.0)), sample.grid.side)
    exact = ExactCounts.from_array(grid, sample.exact_cells)
    return Example(
        name="nyc-taxi, 100,000 drop-offs",
        k=CITY_CLUSTERS,
        real=True,
        exact=exact,
        exact_best=best_nicv(exact, CITY_CLUSTERS),
    )


def blobs(records: int, dims: int, k: int, *, seed: int) -> Floats:
    """k well separated Gaussian clusters of equal size in [−1, 1]^d."""
    rng = np.random.default_rng([seed, dims, k])
    middles = sphere_packing_start(k, np.full(dims, -1.0), np.full(dims, 1.0), seed=int(rng.integers(2**31)))
    gaps = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    closest = float(gaps[np.triu_indices(k, 1)].min()) if k > 1 else 1.0
    rows = middles[np.arange(records) % k] + rng.normal(size=(records, dims)) * closest * SPREAD
    inside: Floats = np.clip(rows, -1.0, 1.0)
    return inside
