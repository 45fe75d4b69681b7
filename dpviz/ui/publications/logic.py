"""What the page *Publications* shows, as plain values: data sets with their budgets, releases with their states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import pandas as pd

from dpviz.labels.catalogue_rows import methods as catalogue_rows
from dpviz.language.speaking import figures, told
from dpviz.language.speaking import told as _
from dpviz.life.publications import Publication
from dpviz.ui.page_parts import words
from dpviz.ui.publications import words as say
from dpviz.ui.session.accounts import Account

SHOWN = 12  # releases of a data set that are listed at once; the older ones lie in a drawer
STANDING = "published"


def draw_meter(account: Account, *, window: str = "") -> str:
    """The budget as a bar that a screen reader can read, as HTML; `window` is the year that it is for, if it is."""
    share = 0.0 if account.total <= 0 else min(1.0, max(0.0, 1 - account.left / account.total))
    when = _(" in {window}").format(window=window) if window.isdigit() else ""
    parts = {"spent": account.spent_parts, "left": account.left_parts, "dataset": account.dataset, "window": when}
    meter_told = (
        _("Budget of “{dataset}”{window}: of 100 parts {spent} are spent and {left} are left.")
        if when
        else _("Budget of “{dataset}”: of 100 parts {spent} are spent and {left} are left.")
    ).format(**parts)
    rest = (_("{left} left, of a budget of {total}{window}") if when else say.METER_LEFT).format(
        **parts, total=figures(f"{account.total:g}")
    )
    return (
        f"<div class='dpv-meter'><div class='dpv-meter-bar' role='meter' aria-valuemin='0' aria-valuemax='100' "
        f"aria-valuenow='{100 * share:.0f}' aria-label='{escape(meter_told, quote=True)}'>"
        f"<i style='width:{100 * share:.2f}%'></i></div>"
        f"<p><strong>{escape(say.METER_SPENT.format(spent=account.spent_parts))}</strong> · {escape(rest)}</p></div>"
    )


def tell_opening(account: Account) -> str:
    """When, by whom and why it was opened."""
    return _("Opened {day} by {who}: {why}").format(
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
    titles = {str(row["name"]): told(str(row["title"])) for row in catalogue_rows()} | {"auto": _("automatic method")}
    bare = publication.method.removeprefix("regional:").removeprefix("subsampled:").removeprefix("ends:")
    return say.UNTITLED.format(clusters=words.CENTERS.of(publication.k), method=titles.get(bare, publication.method))


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
            one.who or say.NOBODY,
            one.why or say.NO_REASON,
            state_in_words(one, all_of_them),
        )
        for one in releases
    ]
    return pd.DataFrame(rows, columns=list(say.COLUMNS))


def list_heirs(publication: Publication, all_of_them: Sequence[Publication]) -> list[Publication]:
    """What may take its place: other releases of the same data that stand as published."""
    return [one for one in all_of_them if one.id != publication.id and one.state == STANDING]


@dataclass(kw_only=True)
class Life:
    """The dialog that is open, who asked last, and what was done."""

    step: str = ""  # the dialog of a release's life that is open, and the release
    release: str = ""
    series: str = ""  # the series whose next period is asked for
    who: str = ""  # the last name typed
    done: str = ""  # said by the next run
    drawn_for: tuple[object, ...] | None = None  # what the last picture was asked for
    picture: bytes = b""
