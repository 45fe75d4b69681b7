"""What the page *Publications* shows, as plain values: data sets with their budgets, releases with their states."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from html import escape

import numpy as np
import pandas as pd

from dpviz.drawing.ground import ground_of
from dpviz.drawing.looks import LOOKS
from dpviz.drawing.map_view import Projection, boxes_around, draw_ground, write_names
from dpviz.drawing.svg_canvas import SvgCanvas, rectangle
from dpviz.errors import DpvizError
from dpviz.labels.catalogue_rows import method_title
from dpviz.language.speaking import figures, told, told as _
from dpviz.ledger.ledger import Ledger
from dpviz.life.publications import Publication, publications, stored_release
from dpviz.publishing.populations import spent_in_window
from dpviz.releases.release import Release
from dpviz.series.changes import Changes, changes_between
from dpviz.series.series import Series, all_series, budget_of_next
from dpviz.ui.map import charts, surroundings
from dpviz.ui.map.view import Box
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import ADDED, PROTECTED, Theme
from dpviz.ui.publications import words as say
from dpviz.ui.session.accounts import Account

SHOWN = 12  # releases of a data set that are listed at once; the older ones lie in a drawer
STANDING = "published"


def draw_meter(account: Account, *, window: str = "") -> str:
    """The budget as a bar that a screen reader can read, as HTML; `window` is the year that it is for, if it is."""
    share = 0.0 if account.total <= 0 else min(1.0, max(0.0, 1 - account.left / account.total))
    when = _(" in {window}").format(window=window) if window.isdigit() else ""
    parts = {"spent": account.spent_parts, "left": account.left_parts, "dataset": account.dataset, "window": when}
    spent = _("{spent} of 100 parts spent")
    meter_told = (
        _("Budget of “{dataset}”{window}: of 100 parts {spent} are spent and {left} are left.")
        if when
        else _("Budget of “{dataset}”: of 100 parts {spent} are spent and {left} are left.")
    ).format(**parts)
    rest = (
        _("{left} left, of a budget of {total}{window}") if when else _("{left} left, of a budget of {total} in all")
    ).format(**parts, total=figures(f"{account.total:g}"))
    return (
        f"<div class='dpv-meter'><div class='dpv-meter-bar' role='meter' aria-valuemin='0' aria-valuemax='100' "
        f"aria-valuenow='{100 * share:.0f}' aria-label='{escape(meter_told, quote=True)}'>"
        f"<i style='width:{100 * share:.2f}%'></i></div>"
        f"<p><strong>{escape(spent.format(**parts))}</strong> · {escape(rest)}</p></div>"
    )


def tell_opening(account: Account) -> str:
    """When, by whom and why it was opened."""
    return _("Opened {day} by {who}: {why}").format(
        day=day_of(account.created), who=words.as_text(account.who or "–"), why=words.as_text(account.why or "–")
    )


def day_of(moment: str) -> str:
    """The day of a moment in the ledger."""
    return moment[:10] or "–"


def title_of(publication: Publication) -> str:
    """A release by its title; by what was asked for, where it has none."""
    given = str(publication.about.get("title", "")).strip()
    if given:
        return given
    bare = publication.method.removeprefix("regional:").removeprefix("subsampled:").removeprefix("ends:")
    method = _("automatic method") if bare == "auto" else told(method_title(bare))
    return f"{words.CENTERS.of(publication.k)}, {method}"


def name_of(publication: Publication) -> str:
    """A release in one line: title, level, day, and its version where it is not the first."""
    parts = [title_of(publication), words.level_in_words(publication.epsilon), day_of(publication.created)]
    if publication.version > 1:
        parts.append(_("version {number}").format(number=publication.version))
    return " · ".join(parts)


def state_in_words(publication: Publication, all_of_them: Sequence[Publication]) -> str:
    """The state, with the name of what came after it."""
    heir = next((one for one in all_of_them if one.id == publication.by), None)
    if heir is not None:
        state = _("superseded by {name}").format(name=f"{title_of(heir)}, {day_of(heir.created)}")
    else:
        state = say.STATES.get(publication.state) or told(publication.state)
    return f"{state}: {publication.notice}" if publication.notice else state


def make_table(releases: Sequence[Publication], all_of_them: Sequence[Publication]) -> pd.DataFrame:
    """The releases as a table, newest first."""
    rows = [
        (
            title_of(one),
            str(one.about.get("published", "")) or day_of(one.created),
            words.level_in_words(one.epsilon),
            str(one.version),
            one.who or "–",
            one.why or "–",
            state_in_words(one, all_of_them),
        )
        for one in releases
    ]
    return pd.DataFrame(rows, columns=list(say.COLUMNS))


@dataclass(kw_only=True)
class Life:
    """The dialog that is open, who asked last, and the last picture."""

    step: str = ""  # the dialog of a release's life that is open, and the release
    release: str = ""
    series: str = ""  # the series whose next period is asked for
    who: str = ""  # the last name typed
    drawn_for: tuple[object, ...] | None = None  # what the last picture was asked for
    picture: bytes = b""


# ---- series ------------------------------------------------------------------------------------------------------


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
        kept = _(
            "{centers} every {every}, all with the same box and the same promise about {people}: it protects {unit}."
        ).format(
            centers=words.CENTERS.of(series.k),
            every=told(series.every),
            unit=words.as_text(unit),
            people=words.as_text(series.people.name),
        )
        rest = _("Nothing is published yet; the first period has the largest part of the budget.")
        if self.next_label is not None and self.next_parts:
            rest = _("The next period, {period}, costs {parts} of 100 parts.")
            rest = rest.format(period=words.period(self.next_label), parts=self.next_parts)
        elif self.next_label is not None:
            rest = _("All periods of {window} are published; the next one has a budget of its own.")
            rest = rest.format(window=self.window)
        return f"{kept} {rest}"


def cards(ledger: Ledger) -> list[Card]:
    """Every series of a ledger, the one that was begun last first."""
    return [_card(series, ledger) for series in reversed(all_series(ledger=ledger))]


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


def tell_changes(changes: Changes) -> str:
    """How many areas changed, and how many would seem to by chance alone."""
    clear, total = len(changes.clear), len(changes.table)
    return _(
        "From {before} to {after}, {clear} of {total} changed by more than chance. About {chance} would seem to have "
        "changed by chance alone."
    ).format(
        before=words.period(changes.before),
        after=words.period(changes.after),
        clear=words.whole(clear),
        total=words.AREAS.of(total),
        chance=f"{0.1 * total:.0f}",
    )


def changes_table(changes: Changes, box: Box) -> pd.DataFrame:
    """The largest changes that are more than chance, with the place that each is near."""
    largest = changes.clear.head(MOST_CHANGES)
    lon = ((largest["west"] + largest["east"]) / 2).to_numpy()
    lat = ((largest["south"] + largest["north"]) / 2).to_numpy()
    named = surroundings.namer_of(box)(lon, lat) if len(largest) else []
    rows = [
        (
            near or "{lat}, {lon}".format(lat=f"{y:.3f}", lon=f"{x:.3f}"),
            words.count(max(float(row["before"]), 0.0)),
            words.count(max(float(row["after"]), 0.0)),
            _("{change} ({low} to {high})").format(
                **{name: figures(f"{float(row[name]):+,.0f}") for name in ("change", "low", "high")}
            ),
        )
        for near, x, y, row in zip(named, lon, lat, largest.to_dict(orient="records"), strict=True)
    ]
    return pd.DataFrame(rows, columns=list(say.CHANGES_COLUMNS))


def box_of(series: Series) -> Box:
    """The series' box for a map."""
    return Box(west=series.box.west, south=series.box.south, east=series.box.east, north=series.box.north)


# ---- the map of what changed between two periods -----------------------------------------------------------------


WIDTH, HIGHEST = 640.0, 520.0
MORE, FEWER = PROTECTED, ADDED  # told apart by people who see fewer colours, and by the sign in each area
FAINTEST = 0.05  # of a wide area with a small change: a map is not to drown in it
SIGN_FROM = 22.0  # units: an area smaller than this has no room for its sign


def draw_changes(changes: Changes, box: Box, theme: Theme) -> str:
    """The box with every area that was compared; the stronger its colour, the larger the change on equal ground."""
    corners = (box.west, box.south, box.east, box.north)
    to_page = Projection(box=corners, width=WIDTH, height=charts.small_height(box, WIDTH))
    city = ground_of(corners)
    look = replace(LOOKS["light"], land=theme.land, green=theme.land, sea=theme.water, water=theme.water, streets={})
    look = replace(look, name_ink=theme.text, name_halo=theme.land)
    table = changes.table
    left, top = to_page(table[["west", "north"]].to_numpy()).T
    right, bottom = to_page(table[["east", "south"]].to_numpy()).T
    areas = [rectangle(*area) for area in zip(left, top, right - left, bottom - top, strict=True)]
    change, clear = table["change"].to_numpy(), table["clear"].to_numpy(dtype=bool)
    dense = np.abs(change) / ((right - left) * (bottom - top))
    most = float(dense[clear].max()) if clear.any() else 1.0
    canvas = SvgCanvas(WIDTH, to_page.height, "")
    draw_ground(canvas, city, look, to_page)
    quiet = [area for area, is_clear in zip(areas, clear, strict=True) if not is_clear]
    canvas.areas(quiet, theme.empty, opacity=0.12)
    canvas.lines([np.vstack([area, area[:1]]) for area in quiet], theme.grid, 0.7)
    signed = []
    for at in np.flatnonzero(clear):
        colour = MORE if change[at] > 0 else FEWER
        canvas.areas([areas[at]], colour, opacity=max(FAINTEST, 0.85 * float(np.sqrt(dense[at] / most))))
        canvas.lines([np.vstack([areas[at], areas[at][:1]])], colour, 1.0)
        if min(right[at] - left[at], bottom[at] - top[at]) >= SIGN_FROM:
            x, y = areas[at].mean(axis=0)
            canvas.words("+" if change[at] > 0 else "−", x, y + 5, 15, theme.text, bold=True, anchor="middle")
            signed.append((x, y))
    write_names(canvas, city, look, to_page, size=12.5, taken=boxes_around(np.array(signed), 8.0), most=16)
    return canvas.document()


def changes_key(theme: Theme) -> str:
    """What the colours mean, as HTML."""
    return charts.color_key(((MORE, _("clearly more")), (FEWER, _("clearly fewer")), (theme.empty, _("may be chance"))))
