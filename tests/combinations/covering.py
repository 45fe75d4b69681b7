"""Few rows of a table of choices in which every pair of values of two columns occurs at least once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations, product

Row = dict[str, str]
Pair = frozenset[tuple[str, str]]


def pairs_of(row: Mapping[str, str]) -> set[Pair]:
    """All pairs of values that a row holds."""
    return {frozenset(pair) for pair in combinations(row.items(), 2)}


def covering(table: Mapping[str, Sequence[str]], allowed: Callable[[Row], bool] = lambda row: True) -> list[Row]:
    """Rows that hold each pair that an allowed row can hold. Greedy, and the same at every call."""
    rows = [row for values in product(*table.values()) if allowed(row := dict(zip(table, values, strict=True)))]
    missing: set[Pair] = set().union(*map(pairs_of, rows))
    found: list[Row] = []
    while missing:
        best = max(rows, key=lambda row: len(pairs_of(row) & missing))
        found.append(best)
        missing -= pairs_of(best)
    return found
