"""From the words of a command to values: budgets, regions, names."""

from __future__ import annotations

from pathlib import Path

import dpviz
from dpviz.errors import InputError

LARGEST_REGIONS = 16 * 2**20  # bytes that are looked at; the reader of regions accepts fewer


def chosen_budget(level: int | None, epsilon: float | None, delta: float | None, method: str) -> dpviz.Budget:
    """The budget of a level or of numbers. δ is 0 unless given, or 1e-9 for a method that cannot do without."""
    from dpviz.privacy import DEFAULT_DELTA, level_numbers

    if (level is None) == (epsilon is None):
        raise InputError(f"give either --level ({level_numbers()}) or --epsilon, such as --level 4 or --epsilon 0.5.")
    if level is not None:
        if not 1 <= level <= len(dpviz.LEVELS):
            raise InputError(f"--level {level}: levels go from 1 (most detail) to {len(dpviz.LEVELS)} (most privacy).")
        epsilon = dpviz.LEVELS[level - 1].epsilon
    needs_delta = {row["name"] for row in dpviz.methods() if row["guarantee"] == "approximate"}
    if delta is None:
        delta = DEFAULT_DELTA if method in needs_delta else 0.0
    assert epsilon is not None
    return dpviz.Budget(epsilon=epsilon, delta=delta)


def total_budget(epsilon: float, request_delta: float = 0.0) -> dpviz.Budget:
    """All that a new dataset may ever spend. A little δ leaves room for methods that need it, as on the screen."""
    from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA

    return dpviz.Budget(epsilon=epsilon, delta=max(DEFAULT_TOTAL_DELTA, request_delta))


def dataset_name(files: list[str]) -> str:
    """What a dataset is called where nobody gave it a name: as its first file. The name is published."""
    if files == ["-"]:
        raise InputError("records from standard input have no name; give one for the ledger (--dataset NAME).")
    from dpviz.ingest.sources import show_address  # an address may hold a password or a signature

    first = show_address(files[0]) if "://" in files[0] else files[0]
    return Path(first.rstrip("/")).name or "data"


def read_region_file(file: Path | None) -> tuple[dpviz.Region, ...]:
    """The regions of a GeoJSON file; none without a file."""
    if file is None:
        return ()
    try:
        with open(file, "rb") as handle:
            content = handle.read(LARGEST_REGIONS + 1)
    except OSError as error:
        raise InputError(
            f"cannot read {str(file)!r}: {error.strerror or type(error).__name__}; give a GeoJSON file (--regions)."
        ) from None
    return dpviz.read_regions(content)


def user_name() -> str:
    """Who is at work, for the ledger."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
