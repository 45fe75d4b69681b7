"""The stops of the slider, most leakage first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Level:
    """One stop of the slider. `number` counts from 1, as on the command line."""

    number: int
    name: str
    epsilon: float


LEVELS: tuple[Level, ...] = tuple(
    Level(number=number, name=name, epsilon=epsilon)
    for number, (name, epsilon) in enumerate(
        [
            ("Sharpest", 4.0),
            ("Very detailed", 2.0),
            ("Detailed", 1.0),
            ("Balanced", 0.5),
            ("Careful", 0.2),
            ("Strict", 0.1),
            ("Strictest", 0.05),
        ],
        start=1,
    )
)
