"""From the words of a command to values: records, budgets, regions, and a look at the output before any work."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dpviz.cli.output import reading_progress, say
from dpviz.errors import InputError, StoreError

if TYPE_CHECKING:
    from dpviz.domain import ExactCounts, ExactPoints
    from dpviz.noise import NoiseSource
    from dpviz.privacy import Budget, Region

LARGEST_REGIONS = 16 * 2**20  # bytes that are looked at; the reader of regions accepts fewer


def read_records(
    files: list[str],
    *,
    box: str | None,
    side: int,
    lon: str | None,
    lat: str | None,
    relation: str,
    engine: str,
    scheduler: str | None,
    person: str | None = None,
    cap: int | None = None,
    strict: bool,
    hints: bool = True,
    noise: NoiseSource | None = None,
) -> ExactCounts | ExactPoints:
    """Exact data of the files, or of a built-in city; hints for the curator go to standard error."""
    from dpviz.ingest import builtin, load_saved_counts, read_counts_with_report

    if is_builtin(files):
        if box is not None and sys.stderr.isatty():
            say(f"{files[0]} is built in and brings its own box and grid; --box and --side are not used.")
        found: ExactCounts | ExactPoints = builtin(files[0])
        return found
    if any(file.lower().endswith(".npz") for file in files):
        given = {"--box": box, "--lon": lon, "--lat": lat, "--person": person, "--cap": cap, "--scheduler": scheduler}
        named = ", ".join(option for option, value in given.items() if value is not None)
        if len(files) > 1 or named:
            raise InputError(
                "a file of 'dpviz count' holds counts that are ready, with their box and grid: give it alone"
                + (f" and without {named}." if named else ".")
            )
        return load_saved_counts(files[0])
    if box is None:
        raise InputError(
            "give the public box: --box west,south,east,north (such as -74.05,40.70,-73.90,40.80) or --box 'New York'. "
            "It is never taken from the data."
        )
    with reading_progress() as progress:
        counts, report = read_counts_with_report(
            files if len(files) > 1 else files[0],
            box=box,
            side=side,
            lon=lon,
            lat=lat,
            relation=relation,
            engine=engine,
            scheduler=scheduler,
            person=person,
            cap=cap,
            strict=strict,
            noise=noise,
            progress=progress,
        )
    if hints and sys.stderr.isatty():
        for hint in report.hints:
            say(hint)
    return counts


def is_builtin(files: list[str]) -> bool:
    """Whether a built-in city is asked for, and no file of that name is here."""
    from dpviz.ingest import BUILTIN_CITIES

    return len(files) == 1 and files[0] in BUILTIN_CITIES and not Path(files[0]).exists()


def chosen_budget(level: int | None, epsilon: float | None, delta: float | None, method: str) -> Budget:
    """The budget of a level or of numbers. δ is 0 unless given, or 1e-9 for a method that cannot do without."""
    from dpviz.privacy import DEFAULT_DELTA, LEVELS, Budget
    from dpviz.releases import methods as catalogue_rows

    if (level is None) == (epsilon is None):
        raise InputError("give either --level (1 to 7) or --epsilon, such as --level 4 or --epsilon 0.5.")
    if level is not None:
        if not 1 <= level <= len(LEVELS):
            raise InputError(f"--level {level}: levels go from 1 (most detail) to {len(LEVELS)} (most privacy).")
        epsilon = LEVELS[level - 1].epsilon
    needs_delta = {row["name"] for row in catalogue_rows() if row["guarantee"] == "approximate"}
    if delta is None:
        delta = DEFAULT_DELTA if method in needs_delta else 0.0
    assert epsilon is not None
    return Budget(epsilon=epsilon, delta=delta)


def total_budget(epsilon: float, request_delta: float = 0.0) -> Budget:
    """All that a new dataset may ever spend. A little δ leaves room for methods that need it, as on the screen."""
    from dpviz.privacy import Budget
    from dpviz.releases import DEFAULT_TOTAL_DELTA

    return Budget(epsilon=epsilon, delta=max(DEFAULT_TOTAL_DELTA, request_delta))


def dataset_name(files: list[str]) -> str:
    """What a dataset is called where nobody gave it a name: as its first file."""
    return Path(files[0].rstrip("/")).name or "data"


def read_region_file(file: Path | None) -> tuple[Region, ...]:
    """The regions of a GeoJSON file; none without a file."""
    from dpviz.privacy import read_regions

    if file is None:
        return ()
    try:
        with open(file, "rb") as handle:
            content = handle.read(LARGEST_REGIONS + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {str(file)!r}: {error.strerror or type(error).__name__}; give a GeoJSON file (--regions)."
        ) from None
    return read_regions(content)


def refuse_bad_output(out: Path, *, folder: bool) -> None:
    """Notice before anything is read or charged that the output cannot be written."""
    try:
        os.stat(out)
        exists = True
    except (FileNotFoundError, NotADirectoryError):
        exists = False
    except OSError as error:
        raise StoreError(f"{_shown(out)} cannot be written ({error.strerror}). Choose another place (--out).") from None
    if folder and exists and not out.is_dir():
        raise StoreError(f"{_shown(out)} is a file; give a folder for the release (--out).")
    if folder and exists and any(out.iterdir()) and not (out / "release.json").is_file():
        raise StoreError(f"the folder {_shown(out)} already holds something else. Give a new or empty one (--out).")
    if not folder and exists and out.is_dir():
        raise StoreError(f"{_shown(out)} is a folder; give the name of a file, such as counts.npz (--out).")
    parent = out if exists and folder else out.absolute().parent
    while folder and not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise StoreError(
            f"{_shown(out)} cannot be written: {_shown(parent)} is no folder. Choose another place (--out)."
        )
    if not os.access(parent, os.W_OK):
        raise StoreError(f"{_shown(out)} cannot be written; choose a place that you may write to (--out).")


def _shown(path: Path) -> str:
    from dpviz.ingest.sources import show_name

    return show_name(str(path))


def user_name() -> str:
    """Who is at work, for the ledger."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
