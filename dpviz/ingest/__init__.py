"""Files to exact data: local engine, Dask engine, column guessing, built-in cities."""

from dpviz.ingest.cities import BUILTIN_CITIES, CITY_BOXES, builtin, parse_box
from dpviz.ingest.columns import Guess, Pair, guess_columns
from dpviz.ingest.readers import count_records, gather_points, read_counts, read_parts, read_points
from dpviz.ingest.reading import Reading
from dpviz.ingest.saving import is_saved_counts, load_saved_counts, save_counts

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
