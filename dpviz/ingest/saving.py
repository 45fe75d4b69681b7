"""Exact counts in a file of the curator's own, by an explicit command, and back. Never a release."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid, PlainBox, Unit
from dpviz.domain.counts import LevelCounts, TracedCounts
from dpviz.domain.traces import Traces
from dpviz.errors import FileError, StoreError, show_name

_NOTICE = "EXACT counts, for the curator only: do not publish this file."


def save_counts(counts: ExactCounts, path: str | os.PathLike[str], *, overwrite: bool = False) -> Path:
    """Write exact counts to an .npz file that only its owner may read; whole or not at all.

    A file that is there already stays as it is, unless `overwrite` is given and it holds saved counts too.
    """
    target, traces = Path(path), None if counts.report is None else counts.report.traces
    sheets = counts.exact_by_level if isinstance(counts, LevelCounts) else counts.exact_cells
    facts = {
        "notice": _NOTICE,
        "kind": "degrees" if isinstance(counts.grid.box, GeoBox) else "plane",
        "low": list(counts.grid.frame.low),
        "high": list(counts.grid.frame.high),
        "relation": counts.relation.value,
        **counts.unit.facts(),
        "public_rows": counts.public_rows,
    }
    try:
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                tables = {} if traces is None else {"places": traces.places, "persons": traces.persons}
                stored: Any = {name: table for name, table in tables.items() if table is not None}
                np.savez_compressed(stream, counts=sheets, facts=np.array(json.dumps(facts)), **stored)
            _put(part, target, overwrite)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
    except OSError as error:
        raise StoreError(
            f"{show_name(str(target))} cannot be written ({error.strerror}). Choose another place."
        ) from None
    return target


def is_saved_counts(path: str | os.PathLike[str]) -> bool:
    """Whether a file is one that `save_counts` wrote; only its facts are read."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            return "counts" in stored and json.loads(str(stored["facts"])).get("notice") == _NOTICE
    except (OSError, ValueError, KeyError, TypeError, AttributeError, EOFError, zipfile.BadZipFile, zlib.error):
        return False


def _put(part: str, target: Path, overwrite: bool) -> None:
    """Give the finished file its name: over an earlier one where that is wanted, else only where nothing is."""
    if target.exists() and overwrite and is_saved_counts(target):
        os.replace(part, target)
        return
    try:
        os.link(part, target)  # unlike a rename, it never replaces what appeared in the meantime
    except FileExistsError:
        raise StoreError(
            f"{show_name(str(target))} is there already and stays as it is. Choose another place."
        ) from None
    except OSError:  # a filesystem without hard links
        if target.exists():
            raise
        os.replace(part, target)
    else:
        os.unlink(part)


def load_saved_counts(path: str | os.PathLike[str]) -> ExactCounts:
    """The counts that `save_counts` wrote."""
    label = show_name(str(path))
    try:
        with np.load(path, allow_pickle=False) as stored:
            cells, facts = stored["counts"], json.loads(str(stored["facts"]))
            traces = Traces.of_arrays(stored["places"], stored.get("persons")) if "places" in stored else None
        counts = _counts_of(cells, facts)
        return counts if traces is None else TracedCounts.of(counts, traces)
    except FileNotFoundError:
        raise FileError(f"there is no file {label}. Check the spelling and the folder.", file=label) from None
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        raise FileError(f"{label} is no file of counts that dpviz wrote, or is damaged.", file=label) from None


def _counts_of(cells: Any, facts: dict[str, Any]) -> ExactCounts:
    (west, south), (east, north) = facts["low"], facts["high"]
    is_map = facts["kind"] == "degrees"
    box = GeoBox(west, south, east, north) if is_map else PlainBox((west, south), (east, north))
    grid, unit = Grid(box, cells.shape[-1]), Unit.from_facts(facts)
    if unit.levels:
        return LevelCounts(grid, cells.astype(np.int64), unit=unit, cap_is_stated=unit.holds_several)
    return ExactCounts.from_array(grid, cells, relation=facts["relation"], unit=unit, public_rows=facts["public_rows"])
