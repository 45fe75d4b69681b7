"""Files to exact data: local engine, Dask engine, column guessing, built-in cities."""

from __future__ import annotations

from dpviz.domain import ExactCounts
from dpviz.ingest.boxes import parse_box
from dpviz.ingest.columns import Guess, Pair, guess_columns
from dpviz.ingest.counting import read_counts, read_counts_with_report
from dpviz.ingest.pointing import read_points, read_points_with_report
from dpviz.ingest.report import ReadReport


def builtin(name: str) -> ExactCounts:
    """The exact counts of an embedded city."""
    from dpviz.ingest.cities import load_counts

    return load_counts(name)


__all__ = [
    "Guess",
    "Pair",
    "ReadReport",
    "builtin",
    "guess_columns",
    "parse_box",
    "read_counts",
    "read_counts_with_report",
    "read_points",
    "read_points_with_report",
]
