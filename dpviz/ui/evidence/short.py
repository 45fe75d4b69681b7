"""The three answers that Evidence begins with: safe, good, who says so. All from records; no number is typed here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from math import log10
from typing import Any

import pandas as pd

from dpviz.labels.catalogue_rows import methods
from dpviz.language.speaking import figures, told, told as _
from dpviz.privacy import LEVELS
from dpviz.ui.evidence import words as say
from dpviz.ui.evidence.logic import Record, method_title, read_records
from dpviz.ui.page_parts import icons, words
from dpviz.ui.page_parts.theme import ADDED, PROTECTED, Theme
from dpviz.ui.session import state

BEST = "best private reference"
HELD_BACK = "held back"
ONE_TRIP = "one trip"  # as the record of the story calls it
_SCORES = ("score_mean", "reachable", "promised")
COUNTERS = ("uniform grid", "adaptive grid", "privtree")  # of other programs, in the record of counts


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A question, its answer in a sentence, its picture and what stands behind it."""

    question: str
    sentence: str
    picture: str  # as HTML
    caption: str
    tables: tuple[tuple[str, pd.DataFrame], ...]  # each with its caption


def answers(theme: Theme) -> list[Answer]:
    """All three."""
    found = read_records()
    return [
        _safe(found["find-her"], theme),
        _good(found["accuracy-summary"], found["questions"], found["elsewhere-verdicts"], theme),
        _who(found["planted"], theme),
    ]


def _safe(record: Record, theme: Theme) -> Answer:
    rows = [row for row in record.rows if row["protected"] != ONE_TRIP]
    (trip,) = (row for row in record.rows if row["protected"] == ONE_TRIP)
    middle = next(row for row in rows if row["epsilon"] == state.DEFAULT_LEVEL.epsilon)
    bars = [(_level(row), *(row[name] for name in _SCORES)) for row in rows]
    in_words = "; ".join(
        _(
            "{level}: players were right {score} times, the best possible is {reachable}, the promise is at most "
            "{promised}"
        ).format(level=name, score=f"{score:.0f}", reachable=f"{reachable:.0f}", promised=promised)
        for name, score, reachable, promised in bars
    )
    cells = [(told(row["protected"]), _level(row), *map(row.get, _SCORES)) for row in record.rows]
    table = pd.DataFrame(cells, columns=list(say.SAFE_COLUMNS))
    return Answer(
        question=_("Is this safe?"),
        sentence=_(
            "**Yes, as far as the chosen level goes.** At “{level}”, {players} simulated players who knew everything "
            "but one person’s week guessed right **{score} of 100** times. Nobody can do better than {reachable}, the "
            "promise is at most {promised}, and a coin has 50. Where only single trips are protected, the same week is "
            "guessed {trip} of 100 times."
        ).format(
            level=words.level_name(state.DEFAULT_LEVEL),
            score=f"{middle['score_mean']:.0f}",
            reachable=f"{middle['reachable']:.0f}",
            promised=middle["promised"],
            players=words.whole(middle["players"]),
            trip=f"{trip['reachable']:.0f}",
        ),
        picture=_both_sizes(
            partial(draw_scores, bars, theme), _("Right guesses of 100 at every level of the dial. ") + in_words
        ),
        caption=_("Right guesses of 100, from the 50 of a coin to all 100."),
        tables=((record.called, table),),
    )


def _good(summary: Record, questions: Record, verdicts: Record, theme: Theme) -> Answer:
    rivals = [row for row in summary.rows if row["rival"]]
    best = next(row for row in rivals if row["method"] == BEST)
    losses = _lost(questions)
    held = Counter(row["cell"] for row in verdicts.rows if row["kind"] == HELD_BACK)
    bars = [
        (say.RIVALS.get(str(row["method"]), _("The best of them, each time")), float(row["times_our_error"]))
        for row in rivals
    ]
    return Answer(
        question=_("Is it any good?"),
        sentence=_(
            "**On maps, yes.** In {cells} comparisons on New York the best other method was {times} times as far off "
            "as ours, and was clearly better in {clearly}. But our method was adjusted on that city, and the others "
            "searched less there. Of {held} comparisons on data that it was never adjusted on, ours clearly won {won} "
            "and clearly lost {beaten}; {open} are too close to tell. For counts of areas others still win {lost} of "
            "{compared} comparisons. Tables behind the picture list each one that another method wins."
        ).format(
            cells=best["cells"],
            times=f"{best['times_our_error']:.0f}",
            clearly=best["cells_significantly_lower_than_ours"],
            held=held.total(),
            won=held["won"],
            beaten=held["lost"],
            open=held["open"],
            lost=len(losses),
            compared=len(_compared(questions)),
        ),
        picture=_both_sizes(
            partial(draw_times, bars, theme),
            _("How many times as far off as ours other methods are on New York. ")
            + "; ".join(f"{name}: {words.whole(times)}" for name, times in bars),
        ),
        caption=_(
            "How many times as far off as ours other methods are: 10 times is one step of the bar, 100 times two, "
            "1,000 times three."
        ),
        tables=(
            (_("Where another method places centers better than ours, or too close to tell"), _beaten(verdicts)),
            (_("Where another method counts areas better"), losses),
        ),
    )


def _compared(questions: Record) -> list[dict[str, Any]]:
    return [row for row in questions.rows if not str(row["city"]).startswith("all") and row["area"] != "all"]


def _lost(questions: Record) -> pd.DataFrame:
    """Where a rival counts areas better than the purpose that is made for it: the data, and both errors."""
    rows = [row for row in _compared(questions) if float(row["any question / best rival"]) > 1]
    rows.sort(key=lambda row: -float(row["any question / best rival"]))
    shown = []
    for row in rows:
        best = min(COUNTERS, key=lambda name: float(row[name]))
        errors = (figures(f"{float(row[name]):,.1f}") for name in (best, "any question"))
        size = figures(_called(say.DATA, row["area"]))
        shown.append((_called(say.DATA, row["city"]), _level(row), size, _called(say.RIVALS, best), *errors))
    return pd.DataFrame(shown, columns=list(say.LOST_COLUMNS))


def _called(names: Mapping[str, str], value: object) -> str:
    return names.get(str(value), str(value))


def _level(row: Mapping[str, Any]) -> str:
    """The level by its name; a budget that is none as it is."""
    known = {level.epsilon: words.level_name(level) for level in LEVELS}
    return known.get(float(row["epsilon"]), f"{float(row['epsilon']):g}")


def _beaten(verdicts: Record) -> pd.DataFrame:
    """Where another method's centers are better, clearly or not: the data, and both errors."""
    rows = [row for row in verdicts.rows if row["cell"] != "won"]
    rows.sort(key=lambda row: float(row["times ours"]))
    shown = [
        (
            _called(say.DATA, row["data"]),
            _called(say.KINDS, row["kind"]),
            words.whole(row["k"]),
            _level(row),
            method_title(str(row["best rival"])),
            words.percent(float(row["its error"])),
            words.percent(float(row["ours"])),
            _called(say.VERDICTS, row["cell"]),
        )
        for row in rows
    ]
    return pd.DataFrame(shown, columns=list(say.BEATEN_COLUMNS))


def _who(planted: Record, theme: Theme) -> Answer:
    bugs = [row for row in planted.rows if row["bug"] != "none"]
    found = [bool(row["found"]) for row in bugs]
    rows = [(told(row["title"]), row["reading"], say.YES if row["vetted"] else _("not yet")) for row in methods()]
    return Answer(
        question=_("Who says so?"),
        sentence=_(
            "**Read it yourself, or trust who did.** For {read} of {proofs} methods a second reader went through the "
            "mathematical proof that it protects, line by line with the program as it is now. To try out our checks, "
            "{bugs} faults were put into it on purpose, one at a time: the checks found **{found}**."
        ).format(proofs=len(rows), read=sum(last == say.YES for *_row, last in rows), bugs=len(bugs), found=sum(found)),
        picture=_both_sizes(
            partial(draw_marks, found, theme),
            _("{found} of {bugs} faults put in on purpose were found.").format(found=sum(found), bugs=len(bugs)),
        ),
        caption=_("One dot for each fault put in on purpose; it is filled where the checks found it."),
        tables=((_("Who read which proof"), pd.DataFrame(rows, columns=list(say.WHO_COLUMNS))),),
    )


# ---- the three pictures, each for a screen and for a telephone ---------------------------------------------------


WIDE, NARROW = 860, 400  # of the drawing, which is as wide as its screen: 16 are 15 pixels on a telephone
Bar = tuple[str, float, float, int]  # level, reached, reachable, promised


def draw_scores(bars: Sequence[Bar], theme: Theme, *, narrow: bool = False) -> str:
    """A bar from 50 to what players reached; a line at the best that can be reached, a line at the promise."""
    width, step, left = (NARROW, 62, 6) if narrow else (WIDE, 44, 150)
    right = width - 30
    first = 100 if narrow else 48

    def across(score: float) -> float:
        return left + (score - 50) / 50 * (right - left)

    best = f'stroke="{theme.text}" stroke-width="3"'
    most = f'stroke="{ADDED}" stroke-width="4" stroke-dasharray="6 4"'
    parts = _key(theme, narrow=narrow)
    for at, (name, score, reachable, promised) in enumerate(bars):
        top = first + at * step
        parts += [
            _name(name, left, top, theme, narrow=narrow),
            f'<rect x="{left}" y="{top}" width="{right - left}" height="30" fill="{theme.grid}" fill-opacity="0.35"/>',
            f'<rect x="{left}" y="{top}" width="{max(2.0, across(score) - left):.1f}" height="30" fill="{PROTECTED}"/>',
            *(
                f'<line x1="{across(score):.1f}" x2="{across(score):.1f}" y1="{top - 4}" y2="{top + 34}" {look}/>'
                for score, look in ((reachable, best), (promised, most))
            ),
        ]
    high = first + step * len(bars) + (6 if narrow else 18)
    for share in (50, 60, 70, 80, 90, 100):
        parts.append(_text(across(share), high - 2, str(share), theme, "start" if narrow and share == 50 else "middle"))
    return _svg(width, high, parts)


def draw_times(bars: Sequence[tuple[str, float]], theme: Theme, *, narrow: bool = False) -> str:
    """How many times our error the others have; each step across is ten times as much."""
    width, step, left = (NARROW, 66, 6) if narrow else (WIDE, 48, 260)
    right = width - 110
    most = _tens(max(many for _, many in bars))
    parts = []
    for at, (name, many) in enumerate(bars):
        top = (30 if narrow else 10) + at * step
        wide = (right - left) * _tens(many) / most
        parts += [
            _name(name, left, top + 2, theme, narrow=narrow),
            f'<rect x="{left}" y="{top}" width="{wide:.1f}" height="34" fill="{ADDED}"/>',
            _text(left + wide + 10, top + 23, f"{words.whole(many)}×", theme, weight=700),
        ]
    return _svg(width, step * len(bars) + 10, parts)


def draw_marks(found: Sequence[bool], theme: Theme, *, narrow: bool = False) -> str:
    """One mark for every planted fault, filled where it was found."""
    width, row, step = (NARROW, 17, 23) if narrow else (WIDE, 36, 23)
    parts = [
        f'<circle cx="{at % row * step + 14}" cy="{at // row * step + 14}" r="8" '
        + (f'fill="{PROTECTED}"/>' if caught else f'fill="none" stroke="{theme.text}" stroke-width="2"/>')
        for at, caught in enumerate(found)
    ]
    return _svg(width, (len(found) + row - 1) // row * step + 8, parts)


def _both_sizes(draw: Callable[..., str], alt: str) -> str:
    """The picture for a screen and that for a telephone as HTML; a screen shows the one that fits it."""
    shown = (icons.picture(draw(narrow=narrow), alt, max_width=f"{WIDE}px") for narrow in (False, True))
    return "".join(f"<div class='dpv-{size}'>{one}</div>" for size, one in zip(("wide", "narrow"), shown, strict=True))


def _tens(many: float) -> float:
    return max(0.05, log10(many))


def _key(theme: Theme, *, narrow: bool) -> list[str]:
    parts, x, y = [], 4, 6
    for colour, text in (
        (PROTECTED, _("reached by players")),
        (theme.text, _("best that can be reached")),
        (ADDED, _("promised: at most")),
    ):
        parts.append(f'<rect x="{x}" y="{y}" width="16" height="16" fill="{colour}"/>')
        parts.append(_text(x + 24, y + 14, text, theme))
        x, y = (x, y + 24) if narrow else (x + 60 + 9 * len(text), y)
    return parts


def _name(name: str, left: int, top: int, theme: Theme, *, narrow: bool) -> str:
    """Beside its bar, on a telephone over it."""
    return _text(left, top - 9, name, theme) if narrow else _text(left - 12, top + 21, name, theme, "end")


def _text(x: float, y: float, text: str, theme: Theme, anchor: str = "start", weight: int = 400) -> str:
    look = f'text-anchor="{anchor}" font-size="16" font-weight="{weight}" fill="{theme.text}"'
    return f'<text x="{x:.1f}" y="{y:.1f}" {look}>{escape(text)}</text>'


def _svg(width: int, high: int, parts: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width} {high}" xmlns="http://www.w3.org/2000/svg">{"".join(parts)}</svg>'
