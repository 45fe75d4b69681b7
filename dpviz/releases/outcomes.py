"""What comes out of the door: a release, or the protected statement that there is no answer at this budget."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpviz.clustering import cost, solve_kmeans, solve_kmedian
from dpviz.domain import Centers, Coreset, Frame
from dpviz.errors import InputError, NoAnswerError, NotOffered
from dpviz.mechanisms.interface import Reason
from dpviz.privacy import Charge, Guarantee
from dpviz.releases.request import ReleaseRequest, checked_k

PUBLISHED = "published"  # came through the door: charged, secure, stored
UNLEDGERED = "unledgered"  # made outside the door; no ledger knows of it
PREVIEW = "preview"  # for the curator's eyes; never stored
OBJECTIVES = {"k-means": 2, "k-median": 1}


@dataclass(frozen=True, kw_only=True, eq=False)
class _Outcome:
    """What a release and a no-answer share; public and protected values only."""

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
    _answers: dict[tuple[int, str], tuple[NDArray[np.float64], NDArray[np.float64]]] = field(
        default_factory=dict, repr=False
    )

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
        """The protected number of records, where the method bought one; else the total weight; else None."""
        bought = self.constants.get("noisy_total")
        if isinstance(bought, int | float):
            return float(bought)
        return None if self.coreset_weights is None else float(self.coreset_weights.sum())

    def centers_for(self, k: int, objective: str = "k-means") -> pd.DataFrame:
        """The best k centers of the coreset, any k and any number of times: post-processing costs no privacy.

        The same release and arguments give the same centers everywhere.
        """
        raw, weights = self._solved(checked_k(k), checked_objective(objective))
        return weighted_table(self.frame, raw, weights)

    def cost(self, centers: pd.DataFrame | ArrayLike, objective: str = "k-means") -> float:
        """Estimated cost of any centers (raw coordinates): Σ weight · distance² (k-median: distance), local units."""
        coreset = self._needed_coreset("estimate costs")
        sites = self.frame.to_local(raw_sites(self.frame, centers))
        return cost(coreset.positions, coreset.weights, sites, power=OBJECTIVES[checked_objective(objective)])

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
        coreset = self._needed_coreset("answer for other numbers of centers")
        if (k, objective) not in self._answers:
            solve = solve_kmeans if objective == "k-means" else solve_kmedian
            low, high = np.zeros(self.frame.dims), self.frame.extent
            seed = seed_from(f"centers of {self.id}", k, objective)
            found = solve(coreset.positions, coreset.weights, k, seed=seed, low=low, high=high)
            self._answers[k, objective] = (to_raw_inside(self.frame, found.centers), found.weights)
        return self._answers[k, objective]

    @classmethod
    def load(cls, folder: str | Path) -> Release:
        """Read a release folder. Its files are checked against their checksums."""
        from dpviz.releases.store import read_folder

        found = read_folder(Path(folder))
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

    reason: Reason

    def __repr__(self) -> str:
        return f"<NoAnswer {self.id[:8]} ({self.status}): {self.method}, {self.reason.value}. {self.guarantee}>"


def checked_objective(objective: str) -> str:
    """One of the two costs a coreset is asked about."""
    if objective not in OBJECTIVES:
        raise InputError(f"objective={objective!r}; use 'k-means' or 'k-median'.", objective=objective)
    return objective


def weighted_table(frame: Frame, raw: NDArray[np.float64], weights: NDArray[np.float64]) -> pd.DataFrame:
    """A table of raw coordinates and weight: lon, lat, weight on maps."""
    columns = {name: raw[:, axis].copy() for axis, name in enumerate(frame.names)}
    return pd.DataFrame({**columns, "weight": weights.copy()})


def raw_sites(frame: Frame, centers: pd.DataFrame | ArrayLike) -> NDArray[np.float64]:
    """Centers as the user gives them: a table with the frame's columns, or one row of coordinates per center."""
    if isinstance(centers, pd.DataFrame):
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


def to_raw_inside(frame: Frame, local: NDArray[np.float64]) -> NDArray[np.float64]:
    """Raw coordinates inside the public box; rounding on the way cannot leave it."""
    return np.clip(frame.to_raw(local), np.asarray(frame.low), np.asarray(frame.high))


def seed_from(*parts: object) -> int:
    """A seed for ordinary clustering of protected points, the same on every machine."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
