"""What the page shows of a series, as plain values: its budget, its next period, and what changed between two."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import date

import pandas as pd

from dpviz.errors import DpvizError
from dpviz.language.speaking import figures, told
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import Publication, publications, stored_release
from dpviz.publishing.populations import spent_in_window
from dpviz.releases.release import Release
from dpviz.series.changes import Changes, changes_between
from dpviz.series.series import Series, all_series, budget_of_next
from dpviz.ui.map import surroundings
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import words
from dpviz.ui.publications import words as say
from dpviz.ui.publications.logic import STANDING
from dpviz.ui.session.accounts import Account

MOST_CHANGES = 8  # rows of the table; the file has all


@dataclass(frozen=True, kw_only=True, eq=False)
class Card:
    """One series: its releases with the meter of the window, and what can be published next."""

    series: Series
    account: Account
    window: str
    next_label: str | None  # None before the first period
    next_parts: str  # of 100 parts of the window's budget; "" where the window has no period left

    @property
    def told(self) -> str:
        """What the series keeps, and what the next period costs."""
        series, unit = self.series, self.account.unit
        kept = say.SERIES_KEEPS.format(
            centers=words.CENTERS.of(series.k),
            every=told(series.every),
            unit=words.as_text(unit),
            people=words.as_text(series.people.name),
        )
        if self.next_label is None:
            return f"{kept} {say.SERIES_FIRST}"
        if not self.next_parts:
            return f"{kept} {say.SERIES_FULL.format(window=self.window)}"
        return f"{kept} " + say.SERIES_NEXT.format(period=words.period(self.next_label), parts=self.next_parts)


def cards(ledger: Ledger) -> list[Card]:
    """Every series of a ledger, the one that was begun last first."""
    return [_card(series, ledger) for series in reversed(all_series(ledger=ledger))]


def members(ledger: Ledger) -> set[str]:
    """The data sets that are periods of a series: shown with it, not by themselves."""
    return {one.dataset for series in all_series(ledger=ledger) for one in series.published()}


def _card(series: Series, ledger: Ledger) -> Card:
    published = series.published()
    names = {one.dataset for one in published}
    label = series.next_label()
    window = published[-1].period.window if published else ""
    whole = series.people.whole.epsilon
    spent = spent_in_window(series.people, window, ledger=ledger).epsilon if window else 0.0
    noted = ledger.notes("series", series.name)[0]
    account = Account(
        dataset=series.name,
        unit=words.unit_told(series.people.unit),
        total=whole,
        left=max(whole - spent, 0.0),
        stand_in=False,
        who=noted.who,
        why=noted.why,
        created=noted.created,
        releases=tuple(one for one in reversed(publications(ledger)) if one.dataset in names),
    )
    parts = ""
    if label is not None:
        with suppress(DpvizError):  # the window has all its periods
            parts = words.parts_of_100(budget_of_next(series, label).epsilon, whole)
    return Card(series=series, account=account, window=window, next_label=label, next_parts=parts)


def label_of(publication: Publication, series: Series) -> str:
    """The period of a release of this series."""
    return next(one.period.label for one in series.published() if one.dataset == publication.dataset)


def first_label(every: str, day: date) -> str:
    """The period in which this day lies: what is suggested for the first one."""
    if every == "week":
        year, week, _ = day.isocalendar()
        return f"{year:04d}-W{week:02d}"
    return day.isoformat() if every == "day" else f"{day:%Y-%m}"


def comparable(card: Card) -> list[Publication]:
    """The periods that stand as published, the latest first."""
    return [one for one in card.account.releases if one.state == STANDING and one.folder is not None]


def changes_of(before: Publication, after: Publication) -> Changes:
    """What changed between two published periods, from their releases alone."""
    first, second = stored_release(before), stored_release(after)
    assert isinstance(first, Release) and isinstance(second, Release)
    return changes_between(first, second)


def summary(changes: Changes) -> str:
    """How many areas changed, and how many would seem to by chance alone."""
    clear, total = len(changes.clear), len(changes.table)
    return say.CHANGES_TOLD.format(
        before=words.period(changes.before),
        after=words.period(changes.after),
        clear=words.whole(clear),
        total=words.AREAS.of(total),
        chance=f"{0.1 * total:.0f}",
    )


def table(changes: Changes, box: Box) -> pd.DataFrame:
    """The largest changes that are more than chance, with the place that each is near."""
    largest = changes.clear.head(MOST_CHANGES)
    lon = ((largest["west"] + largest["east"]) / 2).to_numpy()
    lat = ((largest["south"] + largest["north"]) / 2).to_numpy()
    named = surroundings.namer_of(box)(lon, lat) if len(largest) else []
    rows = [
        (
            near or say.CHANGES_NOWHERE.format(lat=f"{y:.3f}", lon=f"{x:.3f}"),
            words.count(max(float(row["before"]), 0.0)),
            words.count(max(float(row["after"]), 0.0)),
            say.CHANGES_RANGE.format(
                **{name: figures(f"{float(row[name]):+,.0f}") for name in ("change", "low", "high")}
            ),
        )
        for near, x, y, row in zip(named, lon, lat, largest.to_dict(orient="records"), strict=True)
    ]
    return pd.DataFrame(rows, columns=list(say.CHANGES_COLUMNS))


def box_of(series: Series) -> Box:
    """The series' box for a map."""
    return Box(west=series.box.west, south=series.box.south, east=series.box.east, north=series.box.north)
