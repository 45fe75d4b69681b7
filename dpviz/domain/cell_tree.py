"""What a mechanism that counts cells has measured: noisy numbers as drawn, and the cells that they end in.

Protected, in raw coordinates. Nodes are boxes; the children of a node partition it. A node may be counted more than
once, and every count is kept. Cells are the nodes without children, with counts that agree with all measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.domain.box import Frame
from dpviz.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
MOST_NODES = 1 << 20
QUARTERS = ("share_south_west", "share_north_west", "share_south_east", "share_north_east")
TOP = -1  # the parent of a node that has none


@dataclass(frozen=True, kw_only=True, eq=False)
class CellTree:
    """Nodes, measurements and cells. Index arrays point at nodes; parents come before their children.

    `sampled` is the chance with which a record was in the secret sample that was counted; values, counts and
    variances are scaled back to the whole file, and the variances hold the noise alone.
    """

    frame: Frame
    low: Floats  # (nodes, d), raw
    high: Floats
    parent: Integers  # (nodes,)
    depth: Integers
    node: Integers  # (measurements,)
    value: Floats
    variance: Floats
    charge: Integers  # (measurements,), index of a name in `charges`
    charges: tuple[str, ...]
    cell: Integers  # (cells,), the node of each cell
    count: Floats
    spread: Floats  # the variance of each count
    mean: Floats  # (cells, d): where its records are believed to be centered
    pieces: bool = True  # False: the records of a cell share its mean
    sampled: float = 1.0
    common: float = 0.0  # one relative error of all counts together: its standard deviation
    quarters: Floats | None = None  # (cells, 4): shares of its south-west, north-west, south-east, north-east quarter

    def __post_init__(self) -> None:
        nodes, dims = len(self.parent), self.frame.dims
        shapes = (
            self.low.shape == self.high.shape == (nodes, dims)
            and self.depth.shape == (nodes,)
            and self.value.shape == self.variance.shape == self.charge.shape == self.node.shape
            and self.count.shape == self.spread.shape == self.cell.shape
            and self.mean.shape == (len(self.cell), dims)
            and (self.quarters is None or (dims == 2 and self.quarters.shape == (len(self.cell), 4)))
        )
        if not shapes or nodes > MOST_NODES or len(self.value) > 2 * MOST_NODES:
            raise InputError("the cells of this release do not fit together: their tables differ in length.")

    def __len__(self) -> int:
        return len(self.cell)

    def check(self) -> None:
        """Refuse tables that no mechanism could have produced; for tables read from a file."""
        nodes = np.arange(len(self.parent))
        low, high = np.asarray(self.frame.low), np.asarray(self.frame.high)
        slack = 1e-9 * (high - low)
        inner = np.zeros(len(nodes), dtype=np.bool_)
        inner[self.parent[(self.parent >= 0) & (self.parent < len(nodes))]] = True
        known = self.cell[(self.cell >= 0) & (self.cell < len(nodes))]
        faults = {
            "a parent comes after its child": bool((self.parent >= nodes).any() or (self.parent < TOP).any()),
            "a box lies outside the public box or is empty": bool(
                (self.low < low - slack).any() or (self.high > high + slack).any() or (self.high < self.low).any()
            ),
            "a measurement is of no node": bool(((self.node < 0) | (self.node >= len(nodes))).any()),
            "a variance is not above 0": bool(
                not (self.variance > 0.0).all() or not np.isfinite(self.variance).all() or (self.spread < 0.0).any()
            ),
            "a number is not finite": not all(
                np.isfinite(part).all()
                for part in (self.low, self.high, self.value, self.count, self.spread, self.mean, self.shares)
            ),
            "a charge has no name": bool(((self.charge < 0) | (self.charge >= len(self.charges))).any()),
            "a cell is of no node, or of one that was cut": bool(len(known) < len(self.cell) or inner[known].any()),
            "quarters do not add up to their cell": bool(
                (self.shares < 0.0).any() or (np.abs(self.shares.sum(axis=1) - 1.0) > 1e-6).any()
            ),
            "a cell is listed twice": bool(np.bincount(known).max(initial=0) > 1),
            "the sampling chance is not above 0 and at most 1": not 0.0 < self.sampled <= 1.0,
            "the common error is below 0": not 0.0 <= self.common < np.inf,
        }
        wrong = [fault for fault, found in faults.items() if found]
        if wrong:
            raise InputError(f"the cells of this release do not fit together: {wrong[0]}.")

    @property
    def shares(self) -> Floats:
        """The shares of quarters; of even cells where no map says more than their means."""
        return np.full((len(self.cell), 4), 0.25) if self.quarters is None else self.quarters

    def cells_table(self) -> pd.DataFrame:
        """One row per cell: node, box, count, variance of its noise, and where its records are centered."""
        import pandas as pd

        boxes = box_columns(self.frame, self.low[self.cell], self.high[self.cell])
        means = {f"mean_{name}": self.mean[:, axis] for axis, name in enumerate(self.frame.names)}
        return pd.DataFrame(
            {
                "node": self.cell,
                "depth": self.depth[self.cell],
                **boxes,
                "count": self.count,
                "variance": self.spread,
                **means,
                **self.quarter_columns(),
            }
        )

    def quarter_columns(self) -> dict[str, Floats]:
        """The shares of quarters by name, where there are any."""
        return {} if self.quarters is None else {name: self.quarters[:, at] for at, name in enumerate(QUARTERS)}

    def measurements_table(self) -> pd.DataFrame:
        """One row per noisy number as drawn: node, its parent, box, value, variance, charge that paid for it."""
        import pandas as pd

        boxes = box_columns(self.frame, self.low[self.node], self.high[self.node])
        return pd.DataFrame(
            {
                "node": self.node,
                "parent": self.parent[self.node],
                "depth": self.depth[self.node],
                **boxes,
                "counts": np.full(len(self.node), "records"),
                "value": self.value,
                "variance": self.variance,
                "charge": np.asarray(self.charges, dtype=object)[self.charge] if len(self.charge) else [],
            }
        )

    def paid_by(self, charge: int, of: tuple[str, ...]) -> CellTree:
        """The same cells with one charge for all measurements, for a method that runs inside another."""
        return replace(self, charges=of, charge=np.full(len(self.charge), charge, np.int64))

    def scaled(self, factor: float, chance: float) -> CellTree:
        """Scale up counts of a sample in which each record was kept with this chance."""
        return replace(
            self,
            value=self.value * factor,
            variance=self.variance * factor**2,
            count=self.count * factor,
            spread=self.spread * factor**2,
            sampled=self.sampled * chance,
        )


def box_names(frame: Frame) -> tuple[list[str], list[str]]:
    """Columns of the lower and upper ends of boxes: west, south, east, north on maps."""
    if frame.names == ("lon", "lat"):
        return ["west", "south"], ["east", "north"]
    return [f"{name}_low" for name in frame.names], [f"{name}_high" for name in frame.names]


def box_columns(frame: Frame, low: Floats, high: Floats) -> dict[str, Floats]:
    """Ends of boxes as columns."""
    lows, highs = box_names(frame)
    return dict(zip((*lows, *highs), (*low.T, *high.T), strict=True))


def joined(trees: Sequence[CellTree], frame: Frame) -> CellTree:
    """Join trees over disjoint parts."""
    offsets = np.cumsum([0, *(len(tree.parent) for tree in trees)])[:-1]
    names = tuple(dict.fromkeys(name for tree in trees for name in tree.charges))
    position = {name: at for at, name in enumerate(names)}
    charges = [np.array([position[name] for name in tree.charges], np.int64)[tree.charge] for tree in trees]

    def moved(parts: list[Integers]) -> Integers:
        shifted = [np.where(part >= 0, part + offset, TOP) for part, offset in zip(parts, offsets, strict=True)]
        return np.concatenate(shifted).astype(np.int64)

    plain = ("low", "high", "depth", "value", "variance", "count", "spread", "mean")
    tables: dict[str, Any] = {name: np.concatenate([getattr(tree, name) for tree in trees]) for name in plain}
    tables |= {name: moved([getattr(tree, name) for tree in trees]) for name in ("parent", "node", "cell")}
    return CellTree(
        frame=frame,
        **tables,
        charge=np.concatenate(charges),
        charges=names,
        pieces=all(tree.pieces for tree in trees),
        sampled=min(tree.sampled for tree in trees),
    )


def below_total(parts: CellTree, total: float, variance: float) -> CellTree:
    """Cells that were counted on their own, below one node for the whole box that was counted too.

    The first charge paid for the total. What the two sums disagree by is shared out by variance.
    """
    frame, spread = parts.frame, parts.spread
    apart = (total - float(parts.count.sum())) / (float(spread.sum()) + variance)
    return replace(
        parts,
        low=np.concatenate([[frame.low], parts.low]),
        high=np.concatenate([[frame.high], parts.high]),
        parent=np.concatenate([[TOP], parts.parent + 1]),
        depth=np.concatenate([[-1], parts.depth]),
        node=np.concatenate([[0], parts.node + 1]),
        value=np.concatenate([[total], parts.value]),
        variance=np.concatenate([[variance], parts.variance]),
        charge=np.concatenate([[0], parts.charge]),
        cell=parts.cell + 1,
        count=parts.count + spread * apart,
        spread=spread - spread**2 / (float(spread.sum()) + variance),
    )
