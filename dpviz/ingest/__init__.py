"""Files to exact data: local engine, Dask engine, column guessing, built-in cities."""

from __future__ import annotations

from typing import Any, Literal, overload

from dpviz.domain import ExactCounts, ExactPoints
from dpviz.ingest.boxes import parse_box
from dpviz.ingest.cities import BUILTIN_CITIES, CITY_BOXES
from dpviz.ingest.columns import Guess, Pair, guess_columns
from dpviz.ingest.readers import count_records, gather_points, read_counts, read_parts, read_points
from dpviz.ingest.reading import Reading
from dpviz.ingest.saving import is_saved_counts, load_saved_counts, save_counts


@overload
def builtin(name: Literal["nyc-taxi"]) -> ExactCounts: ...


@overload
def builtin(name: Literal["nyc-trips"]) -> ExactPoints: ...


@overload
def builtin(name: str) -> Any: ...


def builtin(name: str) -> Any:
    """The exact data of an embedded city: counts ("nyc-taxi"), or trips in four dimensions ("nyc-trips")."""
    from dpviz.ingest.cities import load_city

    return load_city(name)


__all__ = [
    "BUILTIN_CITIES",
    "CITY_BOXES",
    "Guess",
    "Pair",
    "Reading",
    "builtin",
    "count_records",
    "gather_points",
    "guess_columns",
    "is_saved_counts",
    "load_saved_counts",
    "parse_box",
    "read_counts",
    "read_parts",
    "read_points",
    "save_counts",
]
