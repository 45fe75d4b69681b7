"""The door: request, release, ledger, store, publish, export, privacy label.

Names are loaded when first used: a process that only reads published releases loads no mechanism and no ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dpviz.releases.about import About, period_of
    from dpviz.releases.amounts import Amount
    from dpviz.releases.changes import Changes, changes_between
    from dpviz.releases.datasets import (
        DEFAULT_TOTAL_DELTA,
        Dataset,
        SameContentWarning,
        check_registration,
        demonstration_dataset,
        looked_at_through_standin,
        open_dataset,
        refuse_if_empty,
    )
    from dpviz.releases.document import CODE_VERSION, SCHEMA_VERSION, schema
    from dpviz.releases.expecting import expected_error
    from dpviz.releases.feed import read_feed, state_sentence
    from dpviz.releases.forecasting import forecast_from_standin
    from dpviz.releases.label import CHOICES_SENTENCE, privacy_label
    from dpviz.releases.ledger import Ledger
    from dpviz.releases.ledger_rows import ChargeRow, DatasetRow
    from dpviz.releases.life import (
        Publication,
        correct,
        publication,
        publications,
        refresh_feed,
        stored_release,
        supersede,
        withdraw,
    )
    from dpviz.releases.likeness import LikelySamePeople
    from dpviz.releases.making import preview, release
    from dpviz.releases.members import register_member
    from dpviz.releases.outcomes import NoAnswer, Release
    from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path
    from dpviz.releases.populations import Population, begin_population, spent_in_window
    from dpviz.releases.publishing import AnsweredAlreadyWarning, Quote, StoredAnswer, find_answer, publish, quote
    from dpviz.releases.questions.answers import Estimate
    from dpviz.releases.questions.areas import Circle, Tiles
    from dpviz.releases.registering import register, register_or_open
    from dpviz.releases.request import STAND_IN, ReleaseRequest
    from dpviz.releases.series import Series, begin_series, open_series, publish_period
    from dpviz.releases.simulated import SimulatedCounts
    from dpviz.releases.standin import make_standin, sample_from_standin
    from dpviz.releases.states import PREVIEW, PUBLISHED, UNLEDGERED, UNVERIFIED
    from dpviz.releases.store import list_releases
    from dpviz.releases.verification import Verification, verify_release

_HOMES = {
    "about": ("About", "period_of"),
    "amounts": ("Amount",),
    "changes": ("Changes", "changes_between"),
    "datasets": (
        "DEFAULT_TOTAL_DELTA",
        "Dataset",
        "SameContentWarning",
        "check_registration",
        "demonstration_dataset",
        "looked_at_through_standin",
        "open_dataset",
        "refuse_if_empty",
    ),
    "document": ("CODE_VERSION", "SCHEMA_VERSION", "schema"),
    "feed": ("read_feed", "state_sentence"),
    "expecting": ("expected_error",),
    "forecasting": ("forecast_from_standin",),
    "label": ("CHOICES_SENTENCE", "privacy_label"),
    "ledger": ("Ledger",),
    "ledger_rows": ("ChargeRow", "DatasetRow"),
    "likeness": ("LikelySamePeople",),
    "life": (
        "Publication",
        "correct",
        "publication",
        "publications",
        "refresh_feed",
        "stored_release",
        "supersede",
        "withdraw",
    ),
    "members": ("register_member",),
    "registering": ("register", "register_or_open"),
    "states": ("PREVIEW", "PUBLISHED", "UNLEDGERED", "UNVERIFIED"),
    "making": ("preview", "release"),
    "outcomes": ("NoAnswer", "Release"),
    "paths": ("default_ledger_path", "demonstration_ledger_path"),
    "populations": ("Population", "begin_population", "spent_in_window"),
    "publishing": ("AnsweredAlreadyWarning", "Quote", "StoredAnswer", "find_answer", "publish", "quote"),
    "questions.answers": ("Estimate",),
    "questions.areas": ("Circle", "Tiles"),
    "request": ("STAND_IN", "ReleaseRequest"),
    "series": ("Series", "begin_series", "open_series", "publish_period"),
    "simulated": ("SimulatedCounts",),
    "standin": ("make_standin", "sample_from_standin"),
    "store": ("list_releases",),
    "verification": ("Verification", "verify_release"),
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
    "UNVERIFIED",
    "About",
    "Amount",
    "AnsweredAlreadyWarning",
    "Changes",
    "ChargeRow",
    "Circle",
    "Dataset",
    "DatasetRow",
    "Estimate",
    "Ledger",
    "LikelySamePeople",
    "NoAnswer",
    "Population",
    "Publication",
    "Quote",
    "Release",
    "ReleaseRequest",
    "SameContentWarning",
    "Series",
    "SimulatedCounts",
    "StoredAnswer",
    "Tiles",
    "Verification",
    "begin_population",
    "begin_series",
    "changes_between",
    "check_registration",
    "correct",
    "default_ledger_path",
    "demonstration_dataset",
    "demonstration_ledger_path",
    "expected_error",
    "find_answer",
    "forecast_from_standin",
    "list_releases",
    "load",
    "load_files",
    "looked_at_through_standin",
    "make_standin",
    "methods",
    "open_dataset",
    "open_series",
    "period_of",
    "preview",
    "privacy_label",
    "publication",
    "publications",
    "publish",
    "publish_period",
    "quote",
    "read_feed",
    "refresh_feed",
    "refuse_if_empty",
    "register",
    "register_member",
    "register_or_open",
    "release",
    "sample_from_standin",
    "schema",
    "spent_in_window",
    "state_sentence",
    "stored_release",
    "supersede",
    "verify_release",
    "withdraw",
]


def methods() -> list[dict[str, Any]]:
    """The catalogue as plain rows."""
    from dpviz.mechanisms import catalogue

    return catalogue.rows()


def method_title(name: str) -> str:
    """What a method is called, one that wraps another included; its name where the catalogue does not know it."""
    from dpviz.errors import InputError
    from dpviz.mechanisms import catalogue

    try:
        return catalogue.get(name).info.title
    except InputError:
        return name


def load(folder: str | Path) -> Release | NoAnswer:
    """What a release folder holds, an answer or none."""
    from dpviz.releases.store import read_folder

    return read_folder(Path(folder))


def load_files(files: Mapping[str, bytes], called: str) -> Release | NoAnswer:
    """The same of a release whose files lie in memory."""
    from dpviz.releases.store import read_files

    return read_files(files, called)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
