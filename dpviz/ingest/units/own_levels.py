"""Rows that say at which level they may be told: a column of names or numbers of levels, or of epsilons.

Proof: docs/proofs/own_levels.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.ingest.parts import values_of
from dpviz.privacy.levels import LEVELS

LEVEL, EPSILON = "level", "epsilon"
LEVEL_SCALES = (LEVEL, EPSILON)
NOT_USED = -1  # a row that allows less than the strictest level tells


@dataclass(frozen=True, kw_only=True)
class OwnLevels:
    """How a column is read: `scale` says whether its values are levels, or epsilons that end at the level below."""

    column: str
    scale: str
    epsilons: tuple[float, ...] = field(default_factory=lambda: tuple(level.epsilon for level in LEVELS))

    def places(self, column: Any) -> tuple[NDArray[np.int64], int]:
        """The place of every row's level in `epsilons`, and how many rows say none: these count as the strictest."""
        values, at = values_of(column, "the table", self.column)
        # [P1] each row by its own value alone; a value that is missing or unknown is the strictest
        known = [*(self._place(value) for value in values), None]
        strictest = len(self.epsilons) - 1
        places = np.array([strictest if place is None else place for place in known], dtype=np.int64)
        return places[at], int(np.array([place is None for place in known])[at].sum())

    def _place(self, text: str) -> int | None:
        """The place of a level that a text says; None where it says none."""
        said = text.strip().casefold()
        try:
            number = float(said.replace(",", ".", 1).replace("_", "?"))  # 1_0 is no number here
        except ValueError:
            number = math.nan
        if self.scale == EPSILON:
            if not math.isfinite(number):
                return None
            return next((place for place, one in enumerate(self.epsilons) if one <= number), NOT_USED)
        names = {level.name.casefold(): level.epsilon for level in LEVELS}
        names |= {f"{level.number:g}": level.epsilon for level in LEVELS}
        found = names.get(f"{number:g}" if math.isfinite(number) else said)
        return None if found is None else self.epsilons.index(found)
