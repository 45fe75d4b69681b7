"""Whether the parts of a release folder agree: what was asked with what is promised and charged, and file with file."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from dpviz.domain.protected import MAX_PUBLISHED_POINTS
from dpviz.errors import DpvizError, StoreError
from dpviz.privacy import Budget, verify
from dpviz.releases.release import NoAnswer, Release
from dpviz.releases.tables import Columns, columns_of

_SLACK = 1e-9  # of the promise: the arithmetic of another machine


def refuse_contradictions(outcome: Release | NoAnswer, files: Mapping[str, bytes]) -> None:
    """Raise a sentence that names the first two parts that do not agree."""
    _refuse_another_promise(outcome)
    if outcome.noise == "secure" and outcome.seed is not None:
        raise _contradiction("noise of the secure source has no seed")
    if isinstance(outcome, NoAnswer):
        return
    if outcome.raw_coreset is not None and len(outcome.raw_coreset) > MAX_PUBLISHED_POINTS:
        raise _contradiction(f"the coreset has more than {MAX_PUBLISHED_POINTS} points, which no release has")
    tables = {"centers": columns_of(outcome.frame, outcome.raw_centers, outcome.center_weights)}
    if outcome.raw_coreset is not None and outcome.coreset_weights is not None:
        tables["coreset"] = columns_of(
            outcome.frame, outcome.raw_coreset, outcome.coreset_weights, outcome.coreset_variances
        )
    for name, columns in tables.items():
        if f"{name}.geojson" in files and not _same_places(files[f"{name}.geojson"], columns, outcome.frame.dims):
            raise _contradiction(f"{name}.csv and {name}.geojson hold other points")
        if f"{name}.parquet" in files and not _same_table(files[f"{name}.parquet"], columns):
            raise _contradiction(f"{name}.csv and {name}.parquet hold other points")


def _refuse_another_promise(outcome: Release | NoAnswer) -> None:
    """Guarantee = request, and the charges come to it; δ is promised only where the charges need it."""
    promised, asked = outcome.guarantee, outcome.request.budget
    if promised.epsilon != asked.epsilon or promised.delta not in (0.0, asked.delta):
        raise _contradiction("the guarantee is not the one that was asked for")
    try:
        verify(outcome.charges, Budget(epsilon=promised.epsilon, delta=promised.delta))
    except DpvizError:
        raise _contradiction("the charges come to more than the guarantee") from None
    pure = all(charge.delta == 0 and charge.rho is None for charge in outcome.charges)
    if pure and sum(charge.epsilon for charge in outcome.charges) < promised.epsilon * (1 - _SLACK):
        raise _contradiction("the charges come to less than the guarantee")


def _same_table(content: bytes, columns: Columns) -> bool:
    rows = len(next(iter(columns.values())))
    try:
        file = pq.ParquetFile(io.BytesIO(content))
        if file.metadata.num_rows != rows or file.metadata.num_columns > len(columns) + 1:
            return False
        table = file.read()
        return all(np.array_equal(table[name].to_numpy(), values) for name, values in columns.items())
    except Exception:  # whatever a damaged file makes the reader say
        return False


def _same_places(content: bytes, columns: Columns, dims: int) -> bool:
    names = list(columns)
    try:
        features: list[dict[str, Any]] = json.loads(content)["features"]
        places = np.array([feature["geometry"]["coordinates"] for feature in features], dtype=np.float64)
        rows = np.column_stack([columns[name] for name in names])
        if len(features) != len(rows) or not np.array_equal(places.reshape(len(rows), dims), rows[:, :dims]):
            return False
        kept = [[float(feature["properties"][name]) for name in names[dims:]] for feature in features]
        return np.array_equal(np.array(kept, dtype=np.float64).reshape(len(rows), len(names) - dims), rows[:, dims:])
    except (KeyError, TypeError, ValueError, IndexError, RecursionError):
        return False


def _contradiction(what: str) -> StoreError:
    return StoreError(f"the folder contradicts itself: {what}. It was damaged or edited; copy it again.")
