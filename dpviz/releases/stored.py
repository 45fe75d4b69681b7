"""Outcomes read back from their folders: those of the store against the ledger's seal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from dpviz.errors import StoreError
from dpviz.releases.outcomes import KINDS, NoAnswer, Release
from dpviz.releases.store import outcome_in, outcome_of, seal_of


def read_folder(folder: Path, *, ledger_knows: bool = False, trusted: str = "") -> Release | NoAnswer:
    """The outcome in this folder (see `store.outcome_in`)."""
    return outcome_in(folder, KINDS, ledger_knows=ledger_knows, trusted=trusted)


def read_files(files: Mapping[str, bytes], called: str) -> Release | NoAnswer:
    """The outcome of files that lie in memory (see `store.outcome_of`)."""
    return outcome_of(files, KINDS, called)


def read_sealed(folder: Path, seal: str) -> Release | NoAnswer:
    """The outcome in a folder of the store; no byte of it is handed out where they are not those of the ledger's seal.

    An empty seal is that of a release that could not be read when its ledger was upgraded.
    """
    outcome = read_folder(folder, ledger_knows=True)
    if seal and seal_of(outcome.files()) != seal:
        raise StoreError(
            f"the files in {str(folder)!r} are not those that were published: their SHA-256 differs from the one in "
            "the ledger. Restore the folder from a copy (dpviz ledger restore); no byte of it was handed out.",
            folder=str(folder),
        )
    return outcome


def folder_seal(folder: Path) -> str:
    """The seal of the release in this folder; refused where it cannot be read."""
    return seal_of(read_folder(folder, ledger_knows=True).files())
