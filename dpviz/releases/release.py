"""What comes out of the door: a release, or the protected statement that there is no answer at this budget.

Both are plain values. Questions, files and pictures are functions of other modules, which `late_methods` offers as
methods; nothing of them is imported here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import CellTree, Centers, Coreset, Frame
from dpviz.domain.protected import weighted_table
from dpviz.domain.trip_ends import place_of
from dpviz.mechanisms.interface import Reason
from dpviz.privacy import Charge, Guarantee
from dpviz.releases.late_methods import NoAnswerMethods, OutcomeMethods, ReleaseMethods
from dpviz.releases.request import ReleaseRequest, digest
from dpviz.releases.signing import Signature

if TYPE_CHECKING:
    import pandas as pd


PUBLISHED = "published"  # came through the door: charged, secure, stored
UNVERIFIED = "unverified"  # a folder says so of itself, and nobody whose key is known here has signed it
UNLEDGERED = "unledgered"  # made outside the door; no ledger knows of it
PREVIEW = "preview"  # for the curator's eyes; never stored
REDRAWN = "redrawn"  # synthetic, around a release; never stored


@dataclass(frozen=True, kw_only=True, eq=False)
class _Outcome(OutcomeMethods):
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
    about: Mapping[str, Any] = field(default_factory=dict)  # public words: title, period, licence, date, version …
    ledger: str | None = None  # the id of the ledger that it was charged in
    signature: Signature = field(default_factory=Signature)  # of the folder it was loaded from
    # The files of the folder it was loaded from: saving again gives the same bytes, also with later code.
    loaded_files: Mapping[str, bytes] | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Release(_Outcome, ReleaseMethods):
    """A protected coreset and centers, with the guarantee they carry. Holds no exact number.

    Coordinates are kept raw (degrees on maps), as they are written to files, so that a loaded release is the saved one.
    """

    is_answer: ClassVar[bool] = True

    raw_centers: NDArray[np.float64] = field(repr=False)  # (k, d), heaviest first
    center_weights: NDArray[np.float64] = field(repr=False)
    raw_coreset: NDArray[np.float64] | None = field(default=None, repr=False)  # (m, d)
    coreset_weights: NDArray[np.float64] | None = field(default=None, repr=False)
    coreset_variances: NDArray[np.float64] | None = field(default=None, repr=False)
    protected_cells: CellTree | None = field(default=None, repr=False)
    protected_ends: tuple[CellTree, CellTree] | None = field(default=None, repr=False)  # of trips: a map of each end
    when: str = (
        ""  # which hours, weekdays … of a release by time this is; made from it by PartsView.at, and never stored
    )
    stacked: bool = False  # several parts lie on the same ground
    whole: str = ""  # the id of the release that it is of
    _answers: dict[Any, Any] = field(default_factory=dict, repr=False)  # caches that `questions` fills
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False)

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

    def __repr__(self) -> str:
        points = "no coreset" if self.raw_coreset is None else f"{len(self.raw_coreset)} points"
        centers = f"{len(self.raw_centers)} centers"
        return f"<Release {self.id[:8]} ({self.status}): {self.method}, {centers}, {points}. {self.guarantee}>"


@dataclass(frozen=True, kw_only=True, eq=False)
class NoAnswer(_Outcome, NoAnswerMethods):
    """No answer at this budget: a protected statement, charged and stored like an answer."""

    is_answer: ClassVar[bool] = False

    reason: Reason

    def __repr__(self) -> str:
        return f"<NoAnswer {self.id[:8]} ({self.status}): {self.method}, {self.reason.value}. {self.guarantee}>"


def own_id(outcome: Release | NoAnswer) -> str:
    """The id of a release outside the door, which no ledger named."""
    named = {  # the request and what came out; nothing exact, no clock
        "request": outcome.request.facts(),
        "status": outcome.status,
        "method": outcome.method,
        "seed": outcome.seed,
        "frame": [list(outcome.frame.names), list(outcome.frame.low), list(outcome.frame.high)],
        "relation": outcome.guarantee.adjacency.value,
        "unit": str(outcome.guarantee.unit),
        "constants": outcome.constants,
    }
    if isinstance(outcome, NoAnswer):
        return digest({**named, "reason": outcome.reason})
    arrays = [outcome.raw_centers, outcome.center_weights, outcome.raw_coreset, outcome.coreset_weights]
    return digest({**named, "content": digest_of(*(array for array in arrays if array is not None))})


def digest_of(*arrays: NDArray[np.float64]) -> str:
    """A name of what arrays hold."""
    content = hashlib.sha256()
    for array in arrays:
        content.update(repr(array.shape).encode())
        content.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return content.hexdigest()
