"""`auto`: the method with the smallest expected error, chosen from public numbers by a table made by simulation.

The choice never looks at data: it reads k, the budget, the frame, the relation and a number of records that is public,
already noisy, or unknown. Where the number is secret the method with the smallest average error (in ratios, over all
sizes of the table) is taken. Only methods that always answer are compared; others are there for their forecast.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpviz.mechanisms.forecast import always_answer, average, percent, strength_of, strengths
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget


@dataclass(frozen=True, kw_only=True)
class Choice:
    """The chosen method and one sentence that says why."""

    method: str
    reason: str


def choose(public: Public, k: int, budget: Budget, noisy_n: float | None = None) -> Choice:
    """The method of the smallest expected error. It always answers."""
    dims = public.frame.dims
    records = noisy_n if public.public_rows is None else float(public.public_rows)
    if records is None:
        return _without_size(k, dims)
    strength = strength_of(records, budget, public.relation, public.unit)
    expected = {name: average(name, strength, k, dims) for name in always_answer(dims)}
    best, second = sorted(expected, key=lambda name: expected[name])[:2]
    about = "about that many records" if public.public_rows is None else "that many records"
    return Choice(
        method=best,
        reason=(
            f"Chosen because in simulations its error was on average the smallest, {percent(expected[best])} "
            f"(next: {second}, {percent(expected[second])}) at this level and {about}."
        ),
    )


def _without_size(k: int, dims: int) -> Choice:
    """The number of records is secret: compare over all strengths of the table."""
    over_sizes = {
        name: float(np.mean([np.log(average(name, strength, k, dims)) for strength in strengths(dims)]))
        for name in always_answer(dims)
    }
    ranked = sorted(over_sizes, key=lambda name: over_sizes[name])
    ratio = float(np.exp(over_sizes[ranked[1]] - over_sizes[ranked[0]]))
    return Choice(
        method=ranked[0],
        reason=(
            "Chosen because in simulations of all sizes its error was the smallest for this number of centers, "
            f"on average {ratio:.2g} times below the next ({ranked[1]}); the secret number of records was not used."
        ),
    )
