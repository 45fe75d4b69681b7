"""The door: request, release, ledger, store, publish, export, privacy label.

Names are loaded when first used: a process that only reads published releases loads no mechanism and no ledger.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.releases.amounts import Amount
    from dpviz.releases.datasets import (
        DEFAULT_TOTAL_DELTA,
        Dataset,
        SameContentWarning,
        demonstration_dataset,
        looked_at_through_standin,
        open_dataset,
        refuse_if_empty,
        register,
        register_or_open,
    )
    from dpviz.releases.document import CODE_VERSION, SCHEMA_VERSION, schema
    from dpviz.releases.forecasting import forecast_from_standin
    from dpviz.releases.label import CHOICES_SENTENCE, privacy_label
    from dpviz.releases.ledger import Ledger
    from dpviz.releases.ledger_rows import ChargeRow, DatasetRow
    from dpviz.releases.making import preview, release
    from dpviz.releases.outcomes import PREVIEW, PUBLISHED, UNLEDGERED, NoAnswer, Release
    from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path
    from dpviz.releases.publishing import Quote, publish, quote
    from dpviz.releases.request import STAND_IN, ReleaseRequest
    from dpviz.releases.simulated import SimulatedCounts
    from dpviz.releases.standin import make_standin, sample_from_standin
    from dpviz.releases.store import list_releases

_HOMES = {
    "amounts": ("Amount",),
    "datasets": (
        "DEFAULT_TOTAL_DELTA",
        "Dataset",
        "SameContentWarning",
        "demonstration_dataset",
        "looked_at_through_standin",
        "open_dataset",
        "refuse_if_empty",
        "register",
        "register_or_open",
    ),
    "document": ("CODE_VERSION", "SCHEMA_VERSION", "schema"),
    "forecasting": ("forecast_from_standin",),
    "label": ("CHOICES_SENTENCE", "privacy_label"),
    "ledger": ("Ledger",),
    "ledger_rows": ("ChargeRow", "DatasetRow"),
    "making": ("preview", "release"),
    "outcomes": ("PREVIEW", "PUBLISHED", "UNLEDGERED", "NoAnswer", "Release"),
    "paths": ("default_ledger_path", "demonstration_ledger_path"),
    "publishing": ("Quote", "publish", "quote"),
    "request": ("STAND_IN", "ReleaseRequest"),
    "simulated": ("SimulatedCounts",),
    "standin": ("make_standin", "sample_from_standin"),
    "store": ("list_releases",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "CHOICES_SENTENCE",
    "CODE_VERSION",
    "DEFAULT_TOTAL_DELTA",
    "PREVIEW",
    "PUBLISHED",
    "SCHEMA_VERSION",
    "STAND_IN",
    "UNLEDGERED",
    "Amount",
    "ChargeRow",
    "Dataset",
    "DatasetRow",
    "Ledger",
    "NoAnswer",
    "Quote",
    "Release",
    "ReleaseRequest",
    "SameContentWarning",
    "SimulatedCounts",
    "default_ledger_path",
    "demonstration_dataset",
    "demonstration_ledger_path",
    "forecast_from_standin",
    "list_releases",
    "load",
    "looked_at_through_standin",
    "make_standin",
    "methods",
    "open_dataset",
    "preview",
    "privacy_label",
    "publish",
    "quote",
    "refuse_if_empty",
    "register",
    "register_or_open",
    "release",
    "sample_from_standin",
    "schema",
]


def methods() -> list[dict[str, Any]]:
    """The catalogue as plain rows."""
    from dpviz.mechanisms import catalogue

    return catalogue.rows()


def load(folder: str | Path) -> Release | NoAnswer:
    """What a release folder holds, an answer or none."""
    from dpviz.releases.store import read_folder

    return read_folder(Path(folder))


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
