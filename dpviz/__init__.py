"""dpviz: private coresets and private k-means for GPS data.

The public face. Names are loaded when first used, so that `import dpviz` is quick and a process that serves
published releases never loads code that reads exact data.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.domain import Adjacency, ExactCounts, ExactPoints, GeoBox, Grid, PlainBox, Unit
    from dpviz.estimator import PrivateKMeans
    from dpviz.experiments.evaluation import Evaluation, evaluate
    from dpviz.ingest import builtin, read_counts, read_points
    from dpviz.privacy import LEVELS, Budget, Charge, Guarantee, Region, read_regions
    from dpviz.releases import (
        Dataset,
        Ledger,
        NoAnswer,
        Release,
        ReleaseRequest,
        SimulatedCounts,
        demonstration_dataset,
        methods,
        open_dataset,
        preview,
        publish,
        quote,
        register,
        register_or_open,
        release,
    )

__version__ = "0.1.0"

_HOMES = {
    "dpviz.domain": ("Adjacency", "ExactCounts", "ExactPoints", "GeoBox", "Grid", "PlainBox", "Unit"),
    "dpviz.estimator": ("PrivateKMeans",),
    "dpviz.experiments.evaluation": ("Evaluation", "evaluate"),
    "dpviz.ingest": ("builtin", "read_counts", "read_points"),
    "dpviz.privacy": ("LEVELS", "Budget", "Charge", "Guarantee", "Region", "read_regions"),
    "dpviz.releases": (
        "Dataset",
        "Ledger",
        "NoAnswer",
        "Release",
        "ReleaseRequest",
        "methods",
        "SimulatedCounts",
        "demonstration_dataset",
        "open_dataset",
        "preview",
        "publish",
        "quote",
        "register",
        "register_or_open",
        "release",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "LEVELS",
    "Adjacency",
    "Budget",
    "Charge",
    "Dataset",
    "Evaluation",
    "ExactCounts",
    "ExactPoints",
    "GeoBox",
    "Grid",
    "Guarantee",
    "Ledger",
    "NoAnswer",
    "PlainBox",
    "PrivateKMeans",
    "Region",
    "Release",
    "ReleaseRequest",
    "SimulatedCounts",
    "Unit",
    "__version__",
    "builtin",
    "demonstration_dataset",
    "evaluate",
    "methods",
    "open_dataset",
    "preview",
    "publish",
    "quote",
    "read_counts",
    "read_points",
    "read_regions",
    "register",
    "register_or_open",
    "release",
]


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'dpviz' has no attribute {name!r}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
