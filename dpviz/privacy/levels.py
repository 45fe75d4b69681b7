"""The stops of the slider, most leakage first."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Level:
    """One stop of the slider. `number` counts from 1, as on the command line."""

    number: int
    name: str
    epsilon: float


class Levels(tuple[Level, ...]):
    """All stops, in order; a notebook shows them as a table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from dpviz.privacy.odds import out_of_100

        head = "<th>level</th><th>name</th><th>ε</th><th>a guess about one record is right at most</th>"
        rows = (
            f"<tr><td>{level.number}</td><td>{level.name}</td><td>{level.epsilon:g}</td>"
            f"<td>{out_of_100(level.epsilon)} of 100 times</td></tr>"
            for level in self
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


LEVELS: Levels = Levels(
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


def level_by_name(name: str) -> Level:
    """The level of this name, such as "Balanced"; code that means one stop names it, so that others may come and go."""
    return next(level for level in LEVELS if level.name == name)


def level_numbers() -> str:
    """The numbers a level can have, for messages: "1 to 7" of seven levels."""
    return f"{LEVELS[0].number} to {LEVELS[-1].number}"
