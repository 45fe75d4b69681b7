"""A release as a value, and its folder: what is in it, how it is read, checked and signed.

Questions, labels and pictures are rooms above this one; `late_methods` lists which of them a release offers as methods.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpviz.releases.release import NoAnswer, Release


def load(folder: str | Path) -> Release | NoAnswer:
    """What a release folder holds, an answer or none."""
    from dpviz.releases.store import read_folder

    return read_folder(Path(folder))


def load_files(files: Mapping[str, bytes], called: str) -> Release | NoAnswer:
    """The same of a release whose files lie in memory."""
    from dpviz.releases.store import read_files

    return read_files(files, called)
