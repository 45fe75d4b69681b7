"""One release of all parts, by time or by a column ([P3]), read part by part ([P4]): docs/proofs/parts.md.

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
from dpviz.domain.parts import Parts
from dpviz.domain.protected import MAX_PUBLISHED_POINTS, seed_from, sorted_centers, to_raw_inside, weighted_table
from dpviz.errors import InputError, NotOffered
from dpviz.questions.answers import Asked, is_coarse, range_table
from dpviz.questions.areas import Zone, zones_of
from dpviz.questions.centers import cell_points, center_radii
from dpviz.questions.noise_model import NINETY
from dpviz.releases.request import digest

if TYPE_CHECKING:
    import pandas as pd

    from dpviz.releases.release import Release


class PartsView:
    """The parts of a release of a sheet."""

    def __init__(self, release: Release, parts: Parts) -> None:
        if release.frame != parts.sheet.frame:
            raise InputError("this release is not of that box, side and division; give the layout it was made with.")
        if release.protected_cells is None:
            raise NotOffered(
                f"this release was made by {release.method} and holds no counted cells; publish with a method that "
                "counts cells (auto, adaptive_tree)."
            )
        if _across_tiles(release.protected_cells, parts):
            raise NotOffered(
                f"cells of this release by {release.method} lie across several {parts.word}s, so that none can be "
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

    def at(self, *parts: str | int, k: int | None = None, called: str = "") -> Release:
        """Some parts together as a release of the box: map, centers, counts and sites of them. Post-processing.

        It cannot be stored: what is published is the whole.
        """
        numbers = sorted({number for part in parts for number in self.parts.named(part)})
        if not numbers:
            raise InputError(f"name at least one {self.parts.word}.")
        trees = [self.cells(number) for number in numbers]
        tree = trees[0] if len(trees) == 1 else joined(trees, self.parts.box.frame)
        asked_for = parts if len(numbers) > len(parts) else [self.parts.names[number] for number in numbers]
        when = called or " + ".join(map(str, asked_for))
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
        zones = zones_of(area, self.parts.box.frame)
        if len(zones) != 1:
            raise InputError("a curve is of one area; give one box, circle, polygon or name.")
        return self._counted(zones)[["part", "estimate", "low", "high"]]

    def table(self, areas: Any = None) -> pd.DataFrame:
        """Every area in every part, with the part's share of the area's records.

        Columns: area, part, estimate, low, high, note, share, share_low, share_high (90 of 100 draws), reach: the error
        to either side, and weak: that is as large as the number, which then says little. Without areas, the whole box.
        """
        frame = self.parts.box.frame
        zones = [replace(_squares(frame, 1)[0], name="the public box")] if areas is None else zones_of(areas, frame)
        return self._counted(zones)

    def _counted(self, zones: list[Zone]) -> pd.DataFrame:
        """Counts of areas in parts, area by area, and shares: their ranges follow from the counts' ranges."""
        import pandas as pd

        found = [Asked(tree=self.cells(number)).spreads(zones) for number in range(len(self.parts.names))]
        about = np.stack([one.estimate for one in found])  # part, area
        variance = np.stack([one.deviation**2 for one in found])
        whole, reach = np.maximum(about.sum(axis=0), 1.0), NINETY * np.sqrt(variance)
        share = np.clip(about / whole, 0.0, 1.0)
        of_share = np.sqrt((1 - 2 * share) * variance + share**2 * variance.sum(axis=0))  # own part and the others
        tables = []
        for at, (name, one) in enumerate(zip(self.parts.names, found, strict=True)):
            coarse = is_coarse(one.estimate, one.inside)
            names = {"area": [zone.name for zone in zones], "part": name}
            table = range_table(names, one.estimate, reach[at], coarse, reached=one.reached)
            ranged = range_table({}, share[at], NINETY * of_share[at] / whole, coarse, ceiling=1.0)
            for column, value in (("share", "estimate"), ("share_low", "low"), ("share_high", "high")):
                table[column] = ranged[value]
            tables.append(table.assign(reach=reach[at], weak=reach[at] >= about[at]))
        return pd.concat(tables).sort_index(kind="stable").reset_index(drop=True)

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


def _across_tiles(tree: CellTree, parts: Parts) -> bool:
    """Whether a cell with a count lies in the tile of a part and beyond it: nothing could then be said of that part."""
    extent, slack, across = parts.box.frame.extent, 1e-6, parts.across
    west, south = np.floor(tree.low[tree.cell] / extent + slack).astype(np.int64).T
    east, north = np.ceil(tree.high[tree.cell] / extent - slack).astype(np.int64).T
    held = np.zeros((across + 1, across + 1), np.int64)  # tiles of parts north-west of each corner
    row, column = parts.tile(np.arange(len(parts.names)))
    held[row + 1, column + 1] = 1
    held = held.cumsum(axis=0).cumsum(axis=1)
    top, foot = across - north, across - south
    inside = held[foot, east] - held[top, east] - held[foot, west] + held[top, west]
    return bool((((east - west > 1) | (north - south > 1)) & (inside > 0)).any())
