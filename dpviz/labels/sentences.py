"""Every sentence of the label and of the map page of a release, and how both tell levels, units and odds.

Plain words; terms of art stand behind "In experts' words". English is the language of all other files of a release:
these come out in that of `speaking.spoken_in`. They stand in sentences.json, one name each; a
name that is a table is told here to type checkers.
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

_held = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
globals().update(_held)


def __getattr__(name: str) -> str:  # tells type checkers what sentences.json holds
    raise AttributeError(f"sentences.json holds no {name}")


TOLD_BELOW = (  # sentences of rooms below, which speak no language but English
    UNIT_WORDS,
    WEIGHT_WORDS,
    GUARANTEE_WORDS,
    (levels.LIMIT_PERSON, levels.LIMIT_RECORD, levels.ODDS_ASKS, levels.ODDS_LEVELS, levels.ODDS_OTHERS),
    (levels.ODDS_RIGHT, levels.ODDS_SENTENCE),
)
PARTS: dict[str, list[str]]
REGIONS_COLUMNS: list[str]
SPENT_COLUMNS: list[str]
CHARGES_IN_WORDS: dict[str, str] = _held["CHARGES_IN_WORDS"]  # where the name of a charge is a term of art
marked(*(name for charges in proof_pages.SYMBOLS.values() for name in charges if name not in CHARGES_IN_WORDS))
RECIPE: dict[str, str]  # what constants of a run are called that say how its budget was divided
REASONS: dict[str, str]
SIZES = {0.001: "a thousandth", 0.01: "a hundredth", 0.1: "a tenth"}
LIMITS: list[str]
ONE = {"record": "one record", "person": "one person"}
PERIOD: dict[str, str] = _held["PERIOD"]
# How much of a row's weight counts, in plain words instead of those in which a unit prints.
COUNTS: dict[str, str] = _held["COUNTS"]


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
