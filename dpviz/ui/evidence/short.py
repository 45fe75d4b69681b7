"""The three answers that Evidence begins with: safe, good, who says so. All from records; no number is typed here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz.labels.catalogue_rows import methods
from dpviz.language.speaking import figures, told
from dpviz.privacy import LEVELS
from dpviz.ui.evidence import pictures
from dpviz.ui.evidence import words as say
from dpviz.ui.evidence.logic import Record, level_names, method_title, records
from dpviz.ui.page_parts import words
from dpviz.ui.page_parts.theme import Theme
from dpviz.ui.session import state

BEST = "best private reference"
HELD_BACK = "held back"
ONE_TRIP = "one trip"  # as the record of the story calls it
COUNTERS = ("uniform grid", "adaptive grid", "privtree")  # of other programs, in the record of counts


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A question, its answer in a sentence, its picture and what stands behind it."""

    question: str
    sentence: str
    drawing: str
    narrow: str  # the same for a telephone
    caption: str
    alt: str
    tables: tuple[tuple[str, pd.DataFrame], ...]  # each with its caption


def answers(theme: Theme) -> list[Answer]:
    """Those of the three whose records are in this copy."""
    found = {record.name: record for record in records()}
    made: list[Answer] = []
    if "find-her" in found:
        made.append(_safe(found["find-her"], theme))
    if {"accuracy-summary", "questions", "elsewhere-verdicts"} <= found.keys():
        made.append(_good(found["accuracy-summary"], found["questions"], found["elsewhere-verdicts"], theme))
    if "planted" in found:
        made.append(_who(found["planted"], theme))
    return made


# ---- is it safe? ----------------------------------------------------------------------------------------------


def _safe(record: Record, theme: Theme) -> Answer:
    names = {level.epsilon: words.level_name(level) for level in LEVELS}
    rows = [row for row in record.rows if row["protected"] != ONE_TRIP]
    (trip,) = (row for row in record.rows if row["protected"] == ONE_TRIP)
    middle = next(row for row in rows if row["epsilon"] == state.DEFAULT_LEVEL.epsilon)
    values = {
        "level": words.level_name(state.DEFAULT_LEVEL),
        "score": f"{middle['score_mean']:.0f}",
        "reachable": f"{middle['reachable']:.0f}",
        "promised": str(middle["promised"]),
        "players": words.whole(middle["players"]),
        "trip": f"{trip['reachable']:.0f}",
    }
    bars = [(names.get(row["epsilon"], ""), row["score_mean"], row["reachable"], row["promised"]) for row in rows]
    in_words = "; ".join(
        say.SAFE_ROW.format(level=name, score=f"{score:.0f}", reachable=f"{reachable:.0f}", promised=promised)
        for name, score, reachable, promised in bars
    )
    table = pd.DataFrame(
        [(told(row["protected"]), names.get(row["epsilon"], ""), row["score_mean"], row["reachable"], row["promised"])
         for row in record.rows],
        columns=list(say.SAFE_COLUMNS),
    )  # fmt: skip
    sentence = say.SAFE.format(**values)
    return Answer(
        question=say.SAFE_QUESTION,
        sentence=sentence,
        drawing=pictures.scores(bars, theme),
        narrow=pictures.scores(bars, theme, narrow=True),
        caption=say.SAFE_PICTURE,
        alt=say.SAFE_ALT + in_words,
        tables=((record.called, table),),
    )


# ---- is it any good? ------------------------------------------------------------------------------------------


def _good(summary: Record, questions: Record, verdicts: Record, theme: Theme) -> Answer:
    rivals = [row for row in summary.rows if row["rival"]]
    best = next(row for row in rivals if row["method"] == BEST)
    losses = _lost(questions)
    held = Counter(row["cell"] for row in verdicts.rows if row["kind"] == HELD_BACK)
    bars = [(say.RIVALS.get(str(row["method"]), say.BEST_OF_ALL), float(row["times_our_error"])) for row in rivals]
    return Answer(
        question=say.GOOD_QUESTION,
        sentence=say.GOOD.format(
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
        drawing=pictures.times(bars, theme),
        narrow=pictures.times(bars, theme, narrow=True),
        caption=say.GOOD_PICTURE,
        alt=say.GOOD_ALT + "; ".join(f"{name}: {words.whole(times)}" for name, times in bars),
        tables=((say.BEATEN_CAPTION, _beaten(verdicts)), (say.LOST_CAPTION, losses)),
    )


def _compared(questions: Record) -> list[dict[str, Any]]:
    return [row for row in questions.rows if not str(row["city"]).startswith("all") and row["area"] != "all"]


def _lost(questions: Record) -> pd.DataFrame:
    """Where a rival counts areas better than the purpose that is made for it: the data, and both errors."""
    rows = [row for row in _compared(questions) if float(row["any question / best rival"]) > 1]
    rows.sort(key=lambda row: -float(row["any question / best rival"]))
    return pd.DataFrame([_loss(row) for row in rows], columns=list(say.LOST_COLUMNS))


def _loss(row: Mapping[str, Any]) -> tuple[str, ...]:
    best = min(COUNTERS, key=lambda name: float(row[name]))
    area = str(row["area"])
    return (
        say.DATA.get(str(row["city"]), str(row["city"])),
        *level_names([float(row["epsilon"])]),
        figures(say.DATA.get(area, area)),
        say.RIVALS.get(best, best),
        figures(f"{float(row[best]):,.1f}"),
        figures(f"{float(row['any question']):,.1f}"),
    )


def _beaten(verdicts: Record) -> pd.DataFrame:
    """Where another method's centers are better, clearly or not: the data, and both errors."""
    rows = [row for row in verdicts.rows if row["cell"] != "won"]
    rows.sort(key=lambda row: float(row["times ours"]))
    shown = [
        (
            say.DATA.get(str(row["data"]), str(row["data"])),
            say.KINDS.get(str(row["kind"]), str(row["kind"])),
            words.whole(row["k"]),
            *level_names([float(row["epsilon"])]),
            method_title(str(row["best rival"])),
            words.percent(float(row["its error"])),
            words.percent(float(row["ours"])),
            say.VERDICTS.get(str(row["cell"]), str(row["cell"])),
        )
        for row in rows
    ]
    return pd.DataFrame(shown, columns=list(say.BEATEN_COLUMNS))


# ---- who says so? ---------------------------------------------------------------------------------------------


def _who(planted: Record, theme: Theme) -> Answer:
    bugs = [row for row in planted.rows if row["bug"] != "none"]
    found = [bool(row["found"]) for row in bugs]
    rows = [(told(row["title"]), row["reading"], say.YES if row["vetted"] else say.NOT_YET) for row in methods()]
    return Answer(
        question=say.WHO_QUESTION,
        sentence=say.WHO.format(
            proofs=len(rows), read=sum(last == say.YES for *_, last in rows), bugs=len(bugs), found=sum(found)
        ),
        drawing=pictures.marks(found, theme),
        narrow=pictures.marks(found, theme, narrow=True),
        caption=say.WHO_PICTURE,
        alt=say.WHO_ALT.format(found=sum(found), bugs=len(bugs)),
        tables=((say.WHO_CAPTION, pd.DataFrame(rows, columns=list(say.WHO_COLUMNS))),),
    )
