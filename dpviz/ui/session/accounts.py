"""What a dataset has spent and may spend, for the screens that list datasets."""

from __future__ import annotations

from dataclasses import dataclass

from dpviz.language.speaking import told as _
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import Publication, publications
from dpviz.privacy import LEVELS
from dpviz.publishing.populations import remaining_in_window
from dpviz.ui.page_parts import words


@dataclass(frozen=True, kw_only=True)
class Account:
    """One data set of the ledger."""

    dataset: str
    unit: str
    total: float
    left: float
    stand_in: bool
    who: str
    why: str
    created: str
    releases: tuple[Publication, ...]  # newest first

    @property
    def spent_parts(self) -> str:
        """What is spent, of 100 parts."""
        return words.parts_of_100(self.total - self.left, self.total)

    @property
    def left_parts(self) -> str:
        """What is left, of 100 parts."""
        return words.parts_of_100(self.left, self.total)

    @property
    def suffices(self) -> str:
        """The most detailed level that the rest of the budget pays for, in words."""
        level = next((level for level in LEVELS if level.epsilon <= self.left + 1e-12), None)
        if level is None:
            return words.SUFFICES_NOT
        said = _("What is left suffices for a release at “{level}” or stricter.")
        return said.format(level=words.level_name(level))


def accounts(ledger: Ledger) -> list[Account]:
    """Every data set of a ledger, the one that was opened last first."""
    found: dict[str, list[Publication]] = {}
    for one in publications(ledger):
        found.setdefault(one.dataset, []).append(one)
    return [
        Account(
            dataset=row.name,
            unit=words.unit_told(row.unit),
            total=float(row.total.epsilon),
            left=_left(ledger, row.name, float(row.total.epsilon)),
            stand_in=float(row.standin_share) > 0,
            who=row.who,
            why=row.why,
            created=row.created,
            releases=tuple(reversed(found.get(row.name, []))),
        )
        for row in reversed(ledger.datasets())
    ]


def _left(ledger: Ledger, dataset: str, total: float) -> float:
    """What a data set may still spend: of its own total, or of its population's window where that is less."""
    own = float(ledger.remaining(dataset).epsilon)
    shared = remaining_in_window(ledger, dataset)
    return own if shared is None else min(own, float(shared.epsilon), total)
