"""One release of all hours, weekdays or months ([P3]), read part by part ([P4]): docs/proofs/by_time.md.

Everything here is made from the release and the public layout, so it costs nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import merge_points, solve_kmeans
from dpviz.domain import CellTree, Centers, Frame
from dpviz.domain.cell_tree import TOP, joined
from dpviz.domain.protected import MAX_PUBLISHED_POINTS, seed_from, sorted_centers, to_raw_inside, weighted_table
from dpviz.domain.time_parts import TimeParts
from dpviz.errors import InputError, NotOffered
from dpviz.questions.answers import Asked
from dpviz.questions.areas import Zone, zones_of
from dpviz.questions.center_radii import center_radii
from dpviz.questions.centers import cell_points
from dpviz.releases.request import digest

if TYPE_CHECKING:
    from dpviz.releases.release import Release

if TYPE_CHECKING:
    import pandas as pd


class ByTime:
    """The parts of a release of a sheet."""

    def __init__(self, release: Release, parts: TimeParts) -> None:
        if release.frame != parts.sheet.frame:
            raise InputError(
                "this release is not of that box, side and division of time; give the layout it was made with."
            )
        if release.protected_cells is None:
            raise NotOffered(
                f"this release was made by {release.method} and holds no counted cells; publish with a method that "
                "counts cells (auto, adaptive_tree)."
            )
        if _across_tiles(release.protected_cells, parts):
            raise NotOffered(
                f"cells of this release by {release.method} lie across several {parts.by}s, so that none can be "
                "told from it. Publish with auto or adaptive_tree, whose cells follow the parts, or, for few records, "
                "with a larger epsilon or fewer parts."
            )
        self.release, self.parts = release, parts

    @lru_cache(maxsize=64)  # noqa: B019 - a view lives as long as what it shows
    def cells(self, part: int) -> CellTree:
        """[P4] The cells of a part on the map: those nodes of the sheet that lie in its tile."""
        if not 0 <= part < len(self.parts.names):
            raise InputError(f"part={part!r}: give 0 to {len(self.parts.names) - 1}.", part=part)
        tree, frame = self.release.protected_cells, self.parts.box.frame
        assert tree is not None
        low, extent = self.parts.low(part), frame.extent
        slack = 1e-6 * extent
        fits = (tree.low >= low - slack) & (tree.high <= low + extent + slack)
        inside: NDArray[np.bool_] = np.asarray(fits.all(axis=1), dtype=np.bool_)
        number = np.cumsum(inside) - 1
        parent = np.where(tree.parent >= 0, np.where(inside[tree.parent], number[tree.parent], TOP), TOP)[inside]
        measured, leaves = inside[tree.node], inside[tree.cell]

        def moved(places: Any) -> Any:
            return np.clip(frame.to_raw(places - low), np.asarray(frame.low), np.asarray(frame.high))

        return CellTree(
            frame=frame,
            low=moved(tree.low[inside]),
            high=moved(tree.high[inside]),
            parent=parent,
            depth=tree.depth[inside],
            node=number[tree.node[measured]],
            value=tree.value[measured],
            variance=tree.variance[measured],
            charge=tree.charge[measured],
            charges=tree.charges,
            cell=number[tree.cell[leaves]],
            count=tree.count[leaves],
            spread=tree.spread[leaves],
            mean=moved(tree.mean[leaves]),
            pieces=tree.pieces,
            sampled=tree.sampled,
        )

    def centers(self, part: int, k: int) -> pd.DataFrame:
        """The best k centers of a part's cells: lon, lat, weight."""
        return self._solved(part, k).copy()

    @lru_cache(maxsize=512)  # noqa: B019 - a view lives as long as what it shows
    def _solved(self, part: int, k: int) -> pd.DataFrame:
        tree = self.cells(part)
        positions, weights = cell_points(tree)
        seed = seed_from(f"centers of {self.release.id}", part, k)
        found = solve_kmeans(positions, weights, k, seed=seed, low=np.zeros(2), high=tree.frame.extent)
        return weighted_table(tree.frame, to_raw_inside(tree.frame, found.centers), found.weights)

    def part(self, name: str | int) -> int:
        """The number of a part that is named: "08 h", "Monday", "2026-03-14", 8."""
        names = self.parts.names
        wanted = str(name).strip().casefold()
        for at, known in enumerate(names):
            if wanted in (known.casefold(), known.casefold().split(" ")[0], known.casefold().split(" ")[-1], str(at)):
                return at
        raise InputError(f"there is no {self.parts.by} {str(name)[:40]!r}; give one of {', '.join(names[:12])} …")

    def at(self, *parts: str | int, k: int | None = None, called: str = "") -> Release:
        """Some parts together as a release of the box: map, centers, counts and sites of them. Post-processing.

        It cannot be stored: what is published is the whole.
        """
        numbers = sorted({self.part(part) for part in parts})
        if not numbers:
            raise InputError(f"name at least one {self.parts.by}.")
        trees = [self.cells(number) for number in numbers]
        tree = trees[0] if len(trees) == 1 else joined(trees, self.parts.box.frame)
        when = called or " + ".join(self.parts.names[number] for number in numbers)
        whole, frame = self.release, self.parts.box.frame
        positions, weights = cell_points(tree)
        wanted = whole.request.k if k is None else k
        seed = seed_from(f"centers of {whole.id}", *numbers, wanted)
        found = solve_kmeans(positions, weights, wanted, seed=seed, low=np.zeros(2), high=frame.extent)
        centers = sorted_centers(Centers(frame=frame, positions=found.centers, weights=found.weights))
        if len(positions) > MAX_PUBLISHED_POINTS:
            positions, weights = merge_points(positions, weights, limit=MAX_PUBLISHED_POINTS)
        asked = Asked(tree=tree, stacked=len(trees) > 1)
        radii = center_radii(asked, centers.positions, np.ones(len(centers.positions)))
        return replace(
            whole,
            id=digest({"whole": whole.id, "parts": numbers, "k": wanted}),
            request=replace(whole.request, parts=None),
            frame=frame,
            side=self.parts.side,
            constants={"center_radii_90": [float(f"{value:.4g}") for value in radii]},
            raw_centers=to_raw_inside(frame, centers.positions),
            center_weights=centers.weights,
            raw_coreset=to_raw_inside(frame, positions),
            coreset_weights=weights,
            coreset_variances=None,
            protected_cells=tree,
            when=when,
            stacked=len(trees) > 1,
            whole=whole.id,
            _answers={},
            _kept={},
        )

    def curve(self, area: Any) -> pd.DataFrame:
        """How many records an area has in every part: part, estimate, low, high (90 of 100 draws)."""
        import pandas as pd

        rows: list[dict[str, str | float]] = []
        for number, name in enumerate(self.parts.names):
            tree = self.cells(number)
            table = Asked(tree=tree).counts(zones_of(area, tree.frame))
            if len(table) != 1:
                raise InputError("a curve is of one area; give one box, circle, polygon or name.")
            values = {key: float(table[key].iloc[0]) for key in ("estimate", "low", "high")}
            rows.append({"part": name, **values})
        return pd.DataFrame(rows)

    def curves(self, across: int) -> list[list[list[float]]]:
        """About, low and high in every part: of the whole box, and of across × across squares from the north-west."""
        found = []
        for number in range(len(self.parts.names)):
            tree = self.cells(number)
            table = Asked(tree=tree).counts(_squares(tree.frame, across))
            found.append(table[["estimate", "low", "high"]].to_numpy(dtype=np.float64))
        turned = np.round(np.stack(found, axis=1), 1)  # area, part, number
        curves: list[list[list[float]]] = turned.tolist()
        return curves


def _squares(frame: Frame, across: int) -> list[Zone]:
    """The whole box, then its squares in rows from the north-west."""
    (west, south), (east, north) = frame.low, frame.high
    xs, ys = np.linspace(west, east, across + 1), np.linspace(north, south, across + 1)
    boxes = [(west, south, east, north)]
    boxes += [(xs[i], ys[j + 1], xs[i + 1], ys[j]) for j in range(across) for i in range(across)]
    return [
        Zone(name="", rings=((np.array([[a, b], [c, b], [c, d], [a, d]], dtype=np.float64), 1.0),))
        for a, b, c, d in boxes
    ]


def _across_tiles(tree: CellTree, parts: TimeParts) -> bool:
    """Whether a cell with a count lies in the tile of a part and beyond it: nothing could then be said of that part."""
    extent, slack = parts.box.frame.extent, 1e-6
    first = np.floor(tree.low[tree.cell] / extent + slack)
    last = np.ceil(tree.high[tree.cell] / extent - slack) - 1
    rows = -(-len(parts.names) // parts.across)  # tiles with a part, from the north
    return bool(((first < last).any(axis=1) & (last[:, 1] >= parts.across - rows)).any())
