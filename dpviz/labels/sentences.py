"""Every sentence of the label and of the map page of a release, and how both tell levels, units and odds.

Plain words; terms of art stand behind "In experts' words". English is the language of all other files of a release:
these come out in that of `speaking.spoken_in`. The sentences stand in sentences.json, one name each; tables stand here.
"""

from __future__ import annotations

import json
from pathlib import Path

from dpviz.domain.relation import UNIT_WORDS, WEIGHT_WORDS, Unit
from dpviz.language import marked, speaking
from dpviz.language.speaking import figures, told
from dpviz.mechanisms import proof_pages
from dpviz.privacy import Guarantee, levels, limits_sentence, odds_sentence, out_of_100
from dpviz.privacy.guarantee import GUARANTEE_WORDS
from dpviz.releases import period as periods

globals().update(json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8")))


def __getattr__(name: str) -> str:  # tells type checkers what sentences.json holds
    raise AttributeError(f"sentences.json holds no {name}")


TOLD_BELOW = (  # sentences of rooms below, which speak no language but English
    UNIT_WORDS,
    WEIGHT_WORDS,
    GUARANTEE_WORDS,
    (levels.LIMIT_PERSON, levels.LIMIT_RECORD, levels.ODDS_ASKS, levels.ODDS_LEVELS, levels.ODDS_OTHERS),
    (levels.ODDS_RIGHT, levels.ODDS_SENTENCE),
)
PARTS = {
    "hour": ("hour", "hours"),
    "weekday": ("weekday", "weekdays"),
    "month": ("month", "months"),
    "day": ("day", "days"),
    "week": ("week", "weeks"),
    "part": ("part", "parts"),
}
REGIONS_COLUMNS = ("where", "epsilon of a record’s presence", "of a move inside", "of a move from or to elsewhere")
SPENT_COLUMNS = ("what", "in the proof", "steps", "epsilon")
CHARGES_IN_WORDS = {  # where the name of a charge is a term of art
    "total": "the number of all records",
    "noisy number of records": "the number of all records",
    "number of records": "the number of all records",
    "counts": "counts of squares",
    "coarse counts by level": "how many chose which level, in large squares",
    "tree and counts by level": "counts of squares, of all records and by level, and better places for the centers",
    "tree and residual rounds": (
        "counts of squares (small squares where many records lie), and better places for the centers"
    ),
    "synopsis and step": "counts of squares and one step",
    "mean, cells and steps": "where the records lie, means of small groups of them, and better places for the centers",
    "cells of the period": "counts of squares of the period",
}
marked(*(name for charges in proof_pages.SYMBOLS.values() for name in charges if name not in CHARGES_IN_WORDS))
RECIPE = {  # constants of a run that say how its budget was divided, and what they are called
    "purpose": "purpose",
    "ends_share": "share of the maps of both ends",
    "share_of_blocks": "share of the counts by level",
    "tree_share": "share of the counts of squares",
    "pick_share": "share of a choice of centers",
    "residual_shares": "shares of the places of centers",
    "accounting": "way of adding up",
    "rounds": "rounds",
    "constants": "set of constants",
    "blocks": "blocks",
    "rate": "rate of the sample",
    "base_epsilon": "epsilon inside the sample",
}
REASONS = {
    "too few records for this budget": "there are too few records for so much privacy",
    "the budget is too small for this method": "this much privacy leaves the method too little to work with",
    "the private selection found nothing that it may publish": "the method found nothing that it may publish",
    "the method failed inside": "the method failed, which is a fault of this program",
}
SIZES = {0.001: "a thousandth", 0.01: "a hundredth", 0.1: "a tenth"}
LIMITS = (
    "That many people gather at a place stays visible. It may say something about a person who is known to belong "
    "to them.",
    "Where single records are protected, people with several are protected less. Where persons are protected, their "
    "records beyond the limit are left out. People whose records tell of each other, such as a family that travels "
    "together, are always protected less.",
    "How long the computation took is not protected, nor are the computer, the ledger and the original file of "
    "whoever holds the records.",
    "That there is a release at all usually says that the file had at least one record in the area: a file without "
    "any is turned away.",
    "The number of a small group is changed at random as much as that of a large one, so it says little. The "
    "changes make numbers larger as often as smaller; but where a number below zero is shown as zero, or a point "
    "is moved into the area, this no longer evens out.",
)
ONE = {"record": "one record", "person": "one person"}
PERIOD = {
    "record": "Period {label} of the series “{series}”. Each record is in one period only, that of its own time. So "
    "what all periods together give away about it stays limited (in experts’ words: epsilon at most {size}).",
    "person": "Period {label} of the series “{series}”. There is a limit to what all releases about the same people, "
    "“{population}”, give away about one of them together (in experts’ words: epsilon at most {size}).",
    "delta": " and delta {delta}",
    "window": " in {window}",
    "always": " for all time",
    "first": "Each person is counted in the first {most} periods in which they appear, and in no other.",
    "renewed": "Every calendar year this limit starts anew: over the years, what is given away adds up.",
}
# How much of a row's weight counts, in plain words instead of those in which a unit prints.
COUNTS = {
    "bound": "a row’s number in the column of weights counts up to {most} only",
    "steps": "a row’s number in the column of weights counts up to {most} only, in steps of {step}",
    "one": "each {step} of a row’s number in the column of weights, not the whole row",
}


def odds_right(guarantee: Guarantee) -> str:
    """The part of the sentence of odds that counts."""
    return told(levels.ODDS_RIGHT).format(right=out_of_100(guarantee.epsilon, guarantee.delta))


def odds_told(guarantee: Guarantee, record: str = "record") -> str:
    """What a guarantee means for a guesser in one sentence."""
    return odds_sentence(guarantee, record=record, told=told)


def unit_told(unit: Unit) -> str:
    """The unit of protection in plain words."""
    return unit.in_words(told, figures, COUNTS)


def guarantee_told(guarantee: Guarantee) -> str:
    """The guarantee in experts' words, in English as it prints."""
    return guarantee.in_words(told, figures)


def one_told(unit: Unit) -> str:
    """One record, or one person."""
    return told(ONE["record" if unit.person_column is None else "person"])


def limits_told(guarantee: Guarantee, record: str = "record") -> str:
    """What the odds do not cover, in one sentence."""
    return limits_sentence(guarantee, record=record, told=told)


def period_told(period: periods.Period) -> str:
    """What the promise is over all periods of a series."""
    size = figures(f"{float(period.whole_epsilon):g}")
    if float(period.whole_delta):
        size += told(PERIOD["delta"]).format(delta=figures(f"{float(period.whole_delta):g}"))
    size += told(PERIOD["always" if period.window == periods.ALWAYS else "window"]).format(window=period.window)
    first = told(PERIOD["record" if period.disjoint else "person"])
    said = [first.format(label=period.label, series=period.series, population=period.population, size=size)]
    if not period.disjoint and period.at_most is not None:
        said.append(told(PERIOD["first"]).format(most=period.at_most))
    if not period.disjoint and period.window != periods.ALWAYS:
        said.append(told(PERIOD["renewed"]))
    return " ".join(said)


speaking.answers(__name__)
