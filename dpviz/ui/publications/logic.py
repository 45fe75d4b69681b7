"""What the page *Publications* shows, as plain values: data sets with their budgets, releases with their states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd

from dpviz.language.speaking import figures, told
from dpviz.privacy import LEVELS
from dpviz.releases import Ledger, Publication, publications
from dpviz.releases import methods as catalogue_rows
from dpviz.releases.populations import remaining_in_window
from dpviz.ui import words
from dpviz.ui.publications import words as say

SHOWN = 12  # releases of a data set that are listed at once; the older ones lie in a drawer
STANDING = "published"


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
        return parts_of_100(self.total - self.left, self.total)

    @property
    def left_parts(self) -> str:
        """What is left, of 100 parts."""
        return parts_of_100(self.left, self.total)

    @property
    def suffices(self) -> str:
        """The most detailed level that the rest of the budget pays for, in words."""
        level = next((level for level in LEVELS if level.epsilon <= self.left + 1e-12), None)
        return say.SUFFICES_NOT if level is None else say.SUFFICES.format(level=words.level_name(level))


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


def parts_of_100(value: float, total: float) -> str:
    """A part of a budget as a number of 100, with one digit after the point where it is small."""
    share = 100 * value / total if total else 0.0
    return figures(f"{share:.0f}" if share >= 9.95 or share < 0.05 else f"{share:.1f}")


def meter(account: Account, *, window: str = "") -> str:
    """The budget as a bar that a screen reader can read, as HTML; `window` is the year that it is for, if it is."""
    share = 0.0 if account.total <= 0 else min(1.0, max(0.0, 1 - account.left / account.total))
    when = say.SERIES_WINDOW.format(window=window) if window.isdigit() else ""
    parts = {"spent": account.spent_parts, "left": account.left_parts, "dataset": account.dataset, "window": when}
    meter_told = (say.SERIES_METER if when else say.METER).format(**parts)
    rest = (say.SERIES_METER_LEFT if when else say.METER_LEFT).format(**parts, total=figures(f"{account.total:g}"))
    return (
        f"<div class='dpv-meter'><div class='dpv-meter-bar' role='meter' aria-valuemin='0' aria-valuemax='100' "
        f"aria-valuenow='{100 * share:.0f}' aria-label='{escape(meter_told, quote=True)}'>"
        f"<i style='width:{100 * share:.2f}%'></i></div>"
        f"<p><strong>{escape(say.METER_SPENT.format(spent=account.spent_parts))}</strong> · {escape(rest)}</p></div>"
    )


def opened(account: Account) -> str:
    """When, by whom and why it was opened."""
    return say.OPENED.format(
        day=day_of(account.created),
        who=words.as_text(account.who or say.NOBODY),
        why=words.as_text(account.why or say.NO_REASON),
    )


def day_of(moment: str) -> str:
    """The day of a moment in the ledger."""
    return moment[:10] or "–"


def title_of(publication: Publication) -> str:
    """A release by its title; by what was asked for, where it has none."""
    given = str(publication.about.get("title", "")).strip()
    if given:
        return given
    titles = {str(row["name"]): told(str(row["title"])) for row in catalogue_rows()} | {"auto": say.AUTOMATIC}
    bare = publication.method.removeprefix("regional:").removeprefix("subsampled:").removeprefix("ends:")
    return say.UNTITLED.format(
        clusters=words.counted(publication.k, "center"), method=titles.get(bare, publication.method)
    )


def name_of(publication: Publication) -> str:
    """A release in one line: title, level, day, and its version where it is not the first."""
    parts = [title_of(publication), words.level_in_words(publication.epsilon), day_of(publication.created)]
    if publication.version > 1:
        parts.append(say.VERSION.format(number=publication.version))
    return " · ".join(parts)


def state_in_words(publication: Publication, all_of_them: Sequence[Publication]) -> str:
    """The state, with the name of what came after it."""
    heir = next((one for one in all_of_them if one.id == publication.by), None)
    if heir is not None:
        state = say.SUPERSEDED_BY.format(name=f"{title_of(heir)}, {day_of(heir.created)}")
    else:
        state = say.STATES.get(publication.state, publication.state)
    return f"{state}: {publication.notice}" if publication.notice else state


def table(releases: Sequence[Publication], all_of_them: Sequence[Publication]) -> pd.DataFrame:
    """The releases as a table, newest first."""
    rows = [
        (
            title_of(one),
            str(one.about.get("published", "")) or day_of(one.created),
            words.level_in_words(one.epsilon),
            str(one.version),
            one.who or say.NOBODY,
            one.why or say.NO_REASON,
            state_in_words(one, all_of_them),
        )
        for one in releases
    ]
    return pd.DataFrame(rows, columns=list(say.COLUMNS))


def heirs(publication: Publication, all_of_them: Sequence[Publication]) -> list[Publication]:
    """What may take its place: other releases of the same data that stand as published."""
    return [one for one in all_of_them if one.id != publication.id and one.state == STANDING]


CSS = """
<style>
.dpv-meter { margin:.1rem 0 .4rem 0; }
.dpv-meter p { margin:.25rem 0 0 0; font-size:.95rem; }
.dpv-meter-bar { height:14px; border-radius:7px; background:rgba(128,140,150,.28); overflow:hidden;
  border:1px solid rgba(128,140,150,.55); }
.dpv-meter-bar i { display:block; height:100%; background:#0072B2; }
@media (forced-colors: active) { .dpv-meter-bar i { background:Highlight; } }
</style>
"""
