"""What comes out of the door: a release, or the protected statement that there is no answer at this budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import KMeansResult, cost, solve_kmeans, solve_kmedian
from dpviz.domain import CellTree, Centers, Coreset, Frame
from dpviz.domain.frames import is_pandas_frame
from dpviz.domain.trip_ends import end_frame, end_names, place_of, told_ends
from dpviz.errors import InputError, NoAnswerError, NotOffered
from dpviz.mechanisms.interface import Reason
from dpviz.privacy import Charge, Guarantee
from dpviz.releases.questions.answers import Asked, Estimate, single, whole_box
from dpviz.releases.questions.areas import Zone, united_zone, zones_of
from dpviz.releases.questions.points import cell_points, ground_of
from dpviz.releases.request import ReleaseRequest, checked_k
from dpviz.releases.searching import seed_from, to_raw_inside, weighted_table
from dpviz.releases.signing import Signature
from dpviz.releases.states import Kinds

if TYPE_CHECKING:
    import geopandas
    import pandas as pd
    import polars
    import xarray

    from dpviz.releases.by_time import ByTime
    from dpviz.releases.notebook import ReleaseMap

MANY, SEARCHES_FOR_MANY = 15, 3  # centers, and how often they are searched for
OBJECTIVES = {"k-means": 2, "k-median": 1}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Outcome:
    """What a release and a no-answer share; public and protected values only."""

    is_answer: ClassVar[bool] = True

    id: str
    request: ReleaseRequest
    method: str
    guarantee: Guarantee
    charges: tuple[Charge, ...]
    constants: Mapping[str, Any]
    frame: Frame
    side: int | None
    noise: str
    seed: int | None
    status: str
    dataset: str | None
    demonstration: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)  # public words: title, period, licence, date, version …
    ledger: str | None = None  # the id of the ledger that it was charged in
    signature: Signature = field(default_factory=Signature)  # of the folder it was loaded from
    # The files of the folder it was loaded from: saving again gives the same bytes, also with later code.
    loaded_files: Mapping[str, bytes] | None = field(default=None, repr=False)

    def save(self, folder: str | Path, *, basemap: Mapping[str, Any] | None = None) -> Path:
        """Write the release folder, whole or not at all. Previews refuse: they are for the curator's eyes."""
        from dpviz.releases.store import write_folder

        return write_folder(Path(folder), self.files(basemap=basemap))

    def files(self, *, basemap: Mapping[str, Any] | None = None) -> dict[str, bytes]:
        """Every file of the release folder, by name."""
        from dpviz.releases.export import folder_files

        assert isinstance(self, Release | NoAnswer)
        return folder_files(self, basemap=basemap)

    def zip_bytes(self, *, basemap: Mapping[str, Any] | None = None) -> bytes:
        """The release folder as one zip file, the same bytes every time."""
        from dpviz.releases.export import zipped

        return zipped(self.files(basemap=basemap))


@dataclass(frozen=True, kw_only=True, eq=False)
class Release(_Outcome):
    """A protected coreset and centers, with the guarantee they carry. Holds no exact number.

    Coordinates are kept raw (degrees on maps), as they are written to files, so that a loaded release is the saved one.
    """

    raw_centers: NDArray[np.float64] = field(repr=False)  # (k, d), heaviest first
    center_weights: NDArray[np.float64] = field(repr=False)
    raw_coreset: NDArray[np.float64] | None = field(default=None, repr=False)  # (m, d)
    coreset_weights: NDArray[np.float64] | None = field(default=None, repr=False)
    coreset_variances: NDArray[np.float64] | None = field(default=None, repr=False)
    protected_cells: CellTree | None = field(default=None, repr=False)
    protected_ends: tuple[CellTree, CellTree] | None = field(default=None, repr=False)  # of trips: a map of each end
    when: str = ""  # which hours, weekdays … of a release by time this is; made from it by ByTime.at, and never stored
    stacked: bool = False  # several parts lie on the same ground
    whole: str = ""  # the id of the release that it is of
    _answers: dict[tuple[int, str], tuple[NDArray[np.float64], NDArray[np.float64]]] = field(
        default_factory=dict, repr=False
    )
    _kept: dict[str, Asked] = field(default_factory=dict, repr=False)

    @property
    def centers(self) -> pd.DataFrame:
        """The centers of this release, heaviest first: raw coordinates and weight."""
        return weighted_table(self.frame, self.raw_centers, self.center_weights)

    @property
    def coreset(self) -> pd.DataFrame | None:
        """The weighted points of this release, or None where the method gives centers only."""
        if self.raw_coreset is None or self.coreset_weights is None:
            return None
        return weighted_table(self.frame, self.raw_coreset, self.coreset_weights)

    @property
    def cells(self) -> pd.DataFrame | None:
        """The boxes that the method counted, with consistent counts and the variance of their noise; or None."""
        return None if self.protected_cells is None else self.protected_cells.cells_table()

    @property
    def measurements(self) -> pd.DataFrame | None:
        """Every noisy number as it was drawn: its box, what it counts, its variance, what paid; or None."""
        return None if self.protected_cells is None else self.protected_cells.measurements_table()

    def end_cells(self, end: str) -> pd.DataFrame | None:
        """Of trips: the boxes of the map of one end, such as "pickup", as in `cells`; or None where none was bought."""
        at = place_of(self.frame, end)
        return None if self.protected_ends is None else self.protected_ends[at].cells_table()

    @property
    def protected_centers(self) -> Centers:
        """The centers in local coordinates."""
        return Centers(frame=self.frame, positions=self.frame.to_local(self.raw_centers), weights=self.center_weights)

    @property
    def protected_coreset(self) -> Coreset | None:
        """The coreset in local coordinates."""
        if self.raw_coreset is None or self.coreset_weights is None:
            return None
        return Coreset(
            frame=self.frame,
            positions=self.frame.to_local(self.raw_coreset),
            weights=self.coreset_weights,
            variances=self.coreset_variances,
        )

    @property
    def noisy_total(self) -> float | None:
        """The protected number of records, where the method bought one; under replace the public number of rows.

        Else the total weight; else None.
        """
        bought = self.constants.get("noisy_total", self.constants.get("public_rows"))
        if isinstance(bought, int | float):
            return float(bought)
        return None if self.coreset_weights is None else float(self.coreset_weights.sum())

    def centers_for(self, k: int, objective: str = "k-means") -> pd.DataFrame:
        """The best k centers of the cells, any k and any number of times: post-processing costs no privacy.

        Where the method counts no cells, of the coreset.

        The same release and arguments give the same centers everywhere.
        """
        raw, weights = self._solved(checked_k(k), checked_objective(objective))
        return weighted_table(self.frame, raw, weights)

    @cached_property
    def by_time(self) -> ByTime:
        """The parts of a release of all hours, weekdays …; one without a layout is refused."""
        from dpviz.releases.by_time import ByTime

        if self.request.parts is None:
            raise NotOffered("this release is not divided by time; publish one with parts (read_by_time, --by hour).")
        return ByTime(self, self.request.parts)

    def cost(self, centers: pd.DataFrame | ArrayLike, objective: str = "k-means") -> float:
        """Estimated cost of any centers (raw coordinates): Σ weight · distance² (k-median: distance), local units.

        Estimated from the cells, or from the coreset where the method counts none.
        """
        positions, weights = self._points("estimate costs")
        sites = self.frame.to_local(raw_sites(self.frame, centers))
        return cost(positions, weights, sites, power=OBJECTIVES[checked_objective(objective)])

    def count(self, area: Any, *, end: str | None = None) -> Estimate:
        """How many records lie in an area, with the range that is to hold the truth in 90 of 100 draws.

        An area is a box (west, south, east, north), a Circle, a polygon (GeoJSON, or anything with
        `__geo_interface__`), the name of a neighbourhood of the built-in map, or a list of polygons that count as one.
        Trips have two ends: `end` names one, such as "pickup".
        """
        asked = self._asked(end)
        return single(asked.counts([_one_zone(area, asked)]))

    def share(self, area: Any, *, end: str | None = None) -> Estimate:
        """The share of all records that lies in an area, 0 to 1, with its range."""
        asked = self._asked(end)
        return single(asked.shares([_one_zone(area, asked)]), is_share=True)

    def distance_to(self, sites: pd.DataFrame | ArrayLike, *, end: str | None = None) -> Estimate:
        """How far records are from the nearest of some sites on average, in metres (local units), with its range.

        Sites are rows of longitude and latitude (a table with the columns lon and lat, or one row a site). Trips have
        two ends: `end` names one.
        """
        from dpviz.releases.questions.distances import average_distance

        asked = self._asked(end)
        return average_distance(asked, _sites_in(asked.tree.frame, sites))

    def served_by(self, sites: pd.DataFrame | ArrayLike, *, end: str | None = None) -> pd.DataFrame:
        """How many records each site is the nearest one of: columns site, estimate, low, high and note."""
        from dpviz.releases.questions.distances import served

        asked = self._asked(end)
        return served(asked, _sites_in(asked.tree.frame, sites))

    def flows(self, areas: Any) -> pd.DataFrame:
        """Trips between areas: a row for each pair, with origin, destination, estimate, low, high and note."""
        from dpviz.releases.questions.ends import flows

        asked = self._asked()
        return flows(asked, zones_of(areas, end_frame(self.frame, end_names(self.frame)[0])))

    def total(self) -> Estimate:
        """How many records there are in the public box, with its range."""
        low, high = self.frame.low, self.frame.high
        if self.frame.dims != 2:
            return whole_box(self._asked())
        found = self.count((low[0], low[1], high[0], high[1]))
        return replace(found, area="the public box")

    def table(self, areas: Any, *, shares: bool = False, end: str | None = None) -> pd.DataFrame:
        """Many areas at once: a list, a GeoJSON FeatureCollection or file, 'neighbourhoods', or dpviz.Tiles.

        Columns: area, estimate, low, high (90 of 100 draws), note; with `shares` numbers are shares of all records.
        """
        asked = self._asked(end)
        zones = zones_of(areas, asked.tree.frame)
        return asked.shares(zones) if shares else asked.counts(zones)

    def redraw(self, n: int, *, k: int | None = None) -> list[Release]:
        """n synthetic releases around this one: what other draws of the noise would have shown. Post-processing.

        Ask all of them the same question to see whether a ranking or a plan survives the noise. They cannot be saved.
        """
        from dpviz.releases.questions.redrawing import redrawn

        found: list[Release] = redrawn(self, n, self.request.k if k is None else checked_k(k))
        return found

    def center_table(self, redraws: int = 20) -> pd.DataFrame:
        """The centers with their 90 % radii, and how often each stayed where it is when the noise was drawn again."""
        from dpviz.releases.questions.basins import center_table

        found: pd.DataFrame = center_table(self, redraws)
        return found

    def map(self, *, basemap: Mapping[str, Any] | None = None) -> ReleaseMap:
        """The map with everything that is promised, for a notebook; it asks no other machine for anything."""
        from dpviz.releases.map_page import map_page
        from dpviz.releases.notebook import ReleaseMap

        return ReleaseMap(html=map_page(self, basemap=basemap))

    def to_geodataframe(self, what: str = "centers") -> geopandas.GeoDataFrame:
        """The "centers", "coreset", "cells" or "measurements" with a geometry, in degrees (extra `geo`)."""
        from dpviz.releases.frames_out import as_geodataframe

        return as_geodataframe(self, what)

    def to_polars(self, what: str = "centers") -> polars.DataFrame:
        """The "centers", "coreset", "cells" or "measurements" as a polars frame."""
        from dpviz.releases.frames_out import as_polars

        found: polars.DataFrame = as_polars(self, what)
        return found

    def to_xarray(self, side: int = 64) -> xarray.Dataset:
        """Counts on a grid of side × side squares: estimate, low, high (90 of 100 draws); north is up (extra `geo`)."""
        from dpviz.releases.frames_out import as_grid

        found: xarray.Dataset = as_grid(self, side)
        return found

    def _repr_html_(self) -> str:
        from dpviz.releases.notebook import release_html

        return release_html(self)

    def _asked(self, end: str | None = None) -> Asked:
        """The cells that a question is put to: those of one end's own map where one was bought."""
        if end is not None and self.protected_ends is not None:
            if end not in self._kept:
                self._kept[end] = Asked(tree=self.protected_ends[place_of(self.frame, end)])
            return self._kept[end]
        if self.protected_cells is None:
            raise NotOffered(
                f"this release was made by {self.method} and holds no counted cells, so it has no error to give for a "
                "count. Publish for purpose='balanced' or 'any question', or with a method that counts cells "
                "(adaptive_tree, uniform_grid).",
                method=self.method,
            )
        kept = end or ""
        if kept not in self._kept:
            tree = self.protected_cells
            if end is not None:
                from dpviz.releases.questions.ends import seen_from

                tree = seen_from(tree, end)
            self._kept[kept] = Asked(tree=tree, stacked=self.stacked or end is not None)
        return self._kept[kept]

    def _points(self, purpose: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """What searches and costs work on: the cells where there are some, else the coreset."""
        if self.protected_cells is not None:
            return cell_points(self.protected_cells)
        coreset = self._needed_coreset(purpose)
        return coreset.positions, coreset.weights

    def _needed_coreset(self, purpose: str) -> Coreset:
        coreset = self.protected_coreset
        if coreset is None:
            raise NotOffered(
                f"this release was made by {self.method}, which gives centers and no coreset, and cannot {purpose}. "
                "Use release.centers, or publish with a method that gives a coreset (dpviz.methods()).",
                method=self.method,
            )
        return coreset

    def _solved(self, k: int, objective: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        if (k, objective) not in self._answers:
            solve = solve_kmeans if objective == "k-means" else solve_kmedian
            low, high = np.zeros(self.frame.dims), self.frame.extent
            seed = seed_from(f"centers of {self.id}", k, objective)
            positions, weights = self._points("answer for other numbers of centers")
            # Many centers have many good places, and one search misses the best more often than the noise does.
            repeats = SEARCHES_FOR_MANY if k >= MANY else 1

            def searched(believed: NDArray[np.float64]) -> KMeansResult:
                return solve(positions, believed, k, seed=seed, low=low, high=high, repeats=repeats)

            cells = self.protected_cells
            if cells is not None and "adaptive_tree" in self.method:  # others search what they released, whatever it is
                _, found = ground_of(cells, len(weights)).search(weights, searched)
            else:
                found = searched(weights)
            self._answers[k, objective] = (to_raw_inside(self.frame, found.centers), found.weights)
        return self._answers[k, objective]

    @classmethod
    def load(cls, folder: str | Path) -> Release:
        """Read a release folder. Its files are checked against their checksums."""
        from dpviz.releases.store import outcome_in

        found = outcome_in(Path(folder), KINDS)
        if isinstance(found, NoAnswer):
            raise NoAnswerError(
                f"the folder {Path(folder).name!r} holds no answer: {found.reason.value}. "
                "Use dpviz.releases.load(folder) to read it.",
                reason=found.reason.value,
            )
        return found

    def __repr__(self) -> str:
        points = "no coreset" if self.raw_coreset is None else f"{len(self.raw_coreset)} points"
        centers = f"{len(self.raw_centers)} centers"
        return f"<Release {self.id[:8]} ({self.status}): {self.method}, {centers}, {points}. {self.guarantee}>"


@dataclass(frozen=True, kw_only=True, eq=False)
class NoAnswer(_Outcome):
    """No answer at this budget: a protected statement, charged and stored like an answer."""

    is_answer: ClassVar[bool] = False

    reason: Reason

    def _repr_html_(self) -> str:
        from dpviz.releases.notebook import no_answer_html

        return no_answer_html(self)

    def __repr__(self) -> str:
        return f"<NoAnswer {self.id[:8]} ({self.status}): {self.method}, {self.reason.value}. {self.guarantee}>"


KINDS = Kinds(answer=Release, none=NoAnswer)


def refuse_much(release: Release, zones: Sequence[Zone], end: str | None = None) -> None:
    """Refuse areas that would take long to count, before it is begun: for programs that several people share."""
    release._asked(end).refuse_much(zones)


def _sites_in(frame: Frame, sites: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
    """Sites in local units; a plane is needed."""
    if frame.dims != 2:
        raise NotOffered(
            f"distances are told in a plane, and this release has {frame.dims} dimensions; name one end of its trips "
            f"({told_ends(frame)})."
        )
    return frame.to_local(raw_sites(frame, sites))


def _one_zone(area: Any, asked: Asked) -> Zone:
    zones = zones_of(area, asked.tree.frame)
    return zones[0] if len(zones) == 1 else united_zone(zones)


def checked_objective(objective: str) -> str:
    """One of the two costs a coreset is asked about."""
    if objective not in OBJECTIVES:
        raise InputError(f"objective={objective!r}; use 'k-means' or 'k-median'.", objective=objective)
    return objective


def raw_sites(frame: Frame, centers: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
    """Centers as the user gives them: a table with the frame's columns, or one row of coordinates per center."""
    if is_pandas_frame(centers):
        missing = [name for name in frame.names if name not in centers.columns]
        if missing:
            raise InputError(f"the table of centers lacks the columns {missing}; it needs {list(frame.names)}.")
        values = centers[list(frame.names)].to_numpy(dtype=np.float64)
    else:
        try:
            values = np.atleast_2d(np.asarray(centers, dtype=np.float64))
        except (TypeError, ValueError):
            raise InputError(f"centers must be numbers, one row of {frame.dims} coordinates per center.") from None
    if values.ndim != 2 or values.shape[1] != frame.dims or not len(values):
        raise InputError(f"centers have shape {values.shape}; give one row of {frame.dims} coordinates per center.")
    if not np.isfinite(values).all():
        raise InputError("centers hold NaN or infinity; give finite coordinates.")
    return values
