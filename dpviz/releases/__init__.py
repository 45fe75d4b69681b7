"""The door: request, release, ledger, store, publish, export, privacy label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dpviz.mechanisms import catalogue
from dpviz.releases.amounts import Amount
from dpviz.releases.datasets import (
    Dataset,
    SameContentWarning,
    demonstration_dataset,
    open_dataset,
    refuse_if_empty,
    register,
    register_or_open,
)
from dpviz.releases.document import CODE_VERSION, SCHEMA_VERSION, schema
from dpviz.releases.label import CHOICES_SENTENCE, privacy_label
from dpviz.releases.ledger import ChargeRow, DatasetRow, Ledger
from dpviz.releases.making import preview, release
from dpviz.releases.outcomes import PREVIEW, PUBLISHED, UNLEDGERED, NoAnswer, Release
from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path
from dpviz.releases.publishing import publish
from dpviz.releases.request import STAND_IN, ReleaseRequest
from dpviz.releases.simulated import SimulatedCounts
from dpviz.releases.standin import make_standin, sample_from_standin
from dpviz.releases.store import list_releases, read_folder

__all__ = [
    "CHOICES_SENTENCE",
    "CODE_VERSION",
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
    "Release",
    "ReleaseRequest",
    "SameContentWarning",
    "SimulatedCounts",
    "default_ledger_path",
    "demonstration_dataset",
    "demonstration_ledger_path",
    "list_releases",
    "load",
    "make_standin",
    "methods",
    "open_dataset",
    "preview",
    "privacy_label",
    "publish",
    "refuse_if_empty",
    "register",
    "register_or_open",
    "release",
    "sample_from_standin",
    "schema",
]


def methods() -> list[dict[str, Any]]:
    """The catalogue as plain rows."""
    return catalogue.rows()


def load(folder: str | Path) -> Release | NoAnswer:
    """What a release folder holds, an answer or none."""
    return read_folder(Path(folder))
