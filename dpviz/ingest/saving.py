"""Exact counts in a file of the curator's own, by an explicit command, and back. Never a release."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from dpviz.domain import ExactCounts, GeoBox, Grid, PlainBox, Unit
from dpviz.errors import FileError, StoreError
from dpviz.ingest.sources import show_name

_NOTICE = "EXACT counts, for the curator only: do not publish this file."


def save_counts(counts: ExactCounts, path: str | os.PathLike[str]) -> Path:
    """Write exact counts to an .npz file that only its owner may read; whole or not at all."""
    target = Path(path)
    box = counts.grid.box
    facts = {
        "notice": _NOTICE,
        "kind": "degrees" if isinstance(box, GeoBox) else "plane",
        "low": list(counts.grid.frame.low),
        "high": list(counts.grid.frame.high),
        "relation": counts.relation.value,
        "person_column": counts.unit.person_column,
        "cap": counts.unit.cap,
        "public_rows": counts.public_rows,
    }
    try:
        handle, part = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as stream:
                np.savez_compressed(stream, counts=counts.exact_cells, facts=np.array(json.dumps(facts)))
            os.replace(part, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(part)
            raise
    except OSError as error:
        raise StoreError(
            f"{show_name(str(target))} cannot be written ({error.strerror}). Choose another place."
        ) from None
    return target


def load_saved_counts(path: str | os.PathLike[str]) -> ExactCounts:
    """The counts that `save_counts` wrote."""
    label = show_name(str(path))
    try:
        with np.load(path, allow_pickle=False) as stored:
            cells, facts = stored["counts"], json.loads(str(stored["facts"]))
        return _counts_of(cells, facts)
    except FileNotFoundError:
        raise FileError(f"there is no file {label}. Check the spelling and the folder.", file=label) from None
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        raise FileError(f"{label} is no file of counts that dpviz wrote, or is damaged.", file=label) from None


def _counts_of(cells: Any, facts: dict[str, Any]) -> ExactCounts:
    low, high = facts["low"], facts["high"]
    box: GeoBox | PlainBox = PlainBox((low[0], low[1]), (high[0], high[1]))
    if facts["kind"] == "degrees":
        box = GeoBox(low[0], low[1], high[0], high[1])
    return ExactCounts.from_array(
        Grid(box, len(cells)),
        cells,
        relation=facts["relation"],
        unit=Unit(person_column=facts["person_column"], cap=facts["cap"]),
        public_rows=facts["public_rows"],
    )
