"""Every sentence of the label and of the map page of a release, and how both tell levels, units and odds.

Plain words; terms of art stand behind "In experts' words". English is the language of all other files of a release:
these come out in that of `speaking.spoken_in`, from the one catalogue that all screens share.
"""

from __future__ import annotations

import re

import dpviz.language as languages
from dpviz.domain import Adjacency, Unit
from dpviz.language import speaking
from dpviz.language.speaking import figures, told
from dpviz.privacy import Guarantee, out_of_100
from dpviz.privacy.levels import LIMIT_PERSON, LIMIT_RECORD, ODDS_ASKS, ODDS_OTHERS, ODDS_RIGHT, ODDS_SENTENCE
from dpviz.releases import period as periods

# ---- the label -------------------------------------------------------------------------------------------------

LABEL_TITLE = "Privacy label"
PUBLISHED_STATUS = (
    "**Published through the ledger**, the book of what was given away so far. This release was entered before any "
    "number was changed at random. The random changes come from the computer’s operating system, and nobody can "
    "work them out afterwards. Asking again gives these same files."
)
PREVIEW_STATUS = (
    "**PREVIEW: not a release.** For the eyes of those who hold the records; what is published is made anew. Do not "
    "pass this on."
)
UNLEDGERED_STATUS = (
    "**UNLEDGERED: no ledger knows of this release.** Nobody has added what it gives away to what else was published "
    "from the same data, and that adds up. Do not pass it on as a published one."
)
REPLAYABLE_STATUS = (
    "**NOT PRIVATE: the random changes can be undone.** They follow from the starting number {seed}; whoever knows "
    "or guesses that number can take them away again. For tests and experiments only."
)
DEMONSTRATION_STATUS = (
    "**Demonstration data.** The records behind this release are public; it shows how the tool works."
)
STAND_IN_STATUS = (
    "**Made-up data** that resemble the real ones and stand in for them. Making them gave something away, which the "
    "ledger counted. Trying levels and methods on them gives nothing more away."
)
ABOUT_NAMES = {
    "title": "title",
    "description": "description",
    "area": "area",
    "publisher": "publisher",
    "contact": "contact",
    "licence": "licence",
    "published": "published",
    "version": "version",
    "corrects": "corrects",
    "period": "period",
}
FROM_TO = "{start} to {end}"

PROMISE = "The promise"
EXPERTS = "In experts’ words: {guarantee}"
PREMISE = (
    "These odds are for somebody who would otherwise toss a coin. Whoever knew more before can be right more "
    "often: no map takes that knowledge away."
)
PROTECTS = "Unit of protection: {unit}."
WITH_AND_WITHOUT = (
    "The odds are those of a guess whether {one} is in the data or not. The number of records is kept secret."
)
ONE_EXCHANGED = (
    "The odds are those of a guess whether {one} is in the data, or any other in its place. The number of records "
    "is public."
)
ONE_RECORD, ONE_PERSON = "one record", "one person"
UNIT_PERSON_ONE = "one person (at most 1 record each)"
UNIT_PERSON = "one person (at most {cap} records each)"
UNIT_PERSON_WEIGHT = "one person (at most {cap} records each, {weight})"
UNIT_WEIGHT = "one record ({weight})"
COUNTS_BOUND = "a row’s number in the column of weights counts up to {most} only"
COUNTS_STEPS = "a row’s number in the column of weights counts up to {most} only, in steps of {step}"
COUNTS_ONE = "each {step} of a row’s number in the column of weights, not the whole row"
WEIGHT_BOUND = "of weight at most {most}"
WEIGHT_STEPS = "of weight at most {most}, counted in steps of {step}"
WEIGHT_ONE = "a weight of {step}"
GUARANTEE_ADDED = "Differentially private with {size} for adding or removing {unit}."
GUARANTEE_REPLACED = "Differentially private with {size} for replacing {unit}."
SIZE, SIZE_DELTA = "epsilon = {epsilon}", "epsilon = {epsilon} and delta = {delta}"
GUARANTEE_REGIONS_ADDED = (
    "Differentially private with {size} for adding or removing {unit} anywhere, and with {inside}; for {who}, with "
    "the sum of the epsilons of where from and where to, at most {most}."
)
GUARANTEE_REGIONS_REPLACED = (
    "Differentially private with {size} for replacing {unit} anywhere, and with {inside}; for {who}, with the sum of "
    "the epsilons of where from and where to, at most {most}."
)
MOVES_RECORD, MOVES_PERSON = "a record that moves", "a person whose records move"
INSIDE = "epsilon = {epsilon} in {region}"
MOST_DELTA = "{epsilon}, and with delta at most {delta}"
KEEPER, KEEPER_NAMED = "whoever holds the records", "{who}, who holds the records"
TRUST = (
    "You have to trust {keeper}: the numbers were changed at random there. The promise protects against everybody "
    "who sees these files, not against whoever holds the records."
)
MANY_TRIPS_IN = (
    "A person with {trips} trips in the file is protected less: a guess whether such a person is in it may be "
    "right up to {right} times in 100."
)
MANY_TRIPS_WHERE = (
    "A person with {trips} trips in the file is protected less: a guess whether they were at these places or at "
    "others may be right up to {right} times in 100."
)
CAP_IS_STATED = (
    "dpviz was given finished counts, not the records. The limit on what one person or one row adds to them is a "
    "statement of the publisher."
)
FREE = (
    "Whatever is worked out from these files alone, such as more or fewer centers, gives nothing more away. But "
    "what several releases about the same people give away adds up, also where other programs or other ledgers "
    "made them. Whoever publishes must know of those; this ledger does not."
)
LARGE = (
    "**Weak protection.** This protects less than every level that the tool offers: from this release alone one "
    "may tell almost for certain whether one record is in the data. (In experts’ words: epsilon is {epsilon}, that "
    "of the weakest level {weakest}.)"
)
DELTA_FAR, DELTA_NEAR = "that is far below 1, as it must be", "that is too much, for it must be far below 1"
DELTA = (
    "**A rare exception.** The promise may fail for a record, with a probability of at most {delta} for each. For all "
    "of about {records} together this makes {once}, and {verdict}. (In experts’ words: delta times their number is "
    "{once}. Delta times the square of their number is {twice}; a stricter rule asks that this, too, is far below 1.)"
)
PERIOD_RECORD = (
    "Period {label} of the series “{series}”. Each record is in one period only, that of its own time. So what all "
    "periods together give away about it stays limited (in experts’ words: epsilon at most {size})."
)
PERIOD_PERSON = (
    "Period {label} of the series “{series}”. There is a limit to what all releases about the same people, "
    "“{population}”, give away about one of them together (in experts’ words: epsilon at most {size})."
)
PERIOD_DELTA, PERIOD_WINDOW, PERIOD_ALWAYS = " and delta {delta}", " in {window}", " for all time"
PERIOD_FIRST = "Each person is counted in the first {most} periods in which they appear, and in no other."
PERIOD_RENEWED = "Every calendar year this limit starts anew: over the years, what is given away adds up."

PARTS = {
    "hour": ("hour", "hours"),
    "weekday": ("weekday", "weekdays"),
    "month": ("month", "months"),
    "day": ("day", "days"),
    "week": ("week", "weeks"),
}
BY_TIME = (
    "All {many} {parts} are one release: each record is in one of them only, so together they give away no more "
    "about it than one does. Times are those of {zone}."
)
BY_TIME_OF = (
    "All {many} {parts} of {first} to {last} are one release, and records of other days are ignored: each record "
    "is in one of them only, so together they give away no more about it than one does. Times are those of {zone}."
)
BY_TIME_FILES = (
    "For each {part}: {centers} centers, each the middle of a group of records, with their places on the earth (in "
    "centers-by-time.csv). All other tables of places (centers, points, squares) show the map of every {part} next to "
    "each other on one large sheet: places are metres on that sheet, and release.json says which part of it is which "
    "{part}."
)
BUSIEST = (
    "What follows is about the busiest {part}, {name}. In quiet ones the random changes are as large, so the "
    "numbers say less."
)

REGIONS = "Regions with their own level"
REGIONS_COLUMNS = ("where", "epsilon of a record’s presence", "of a move inside", "of a move from or to elsewhere")
ELSEWHERE = "elsewhere"
REGIONS_WHOLE = (
    "Each record lies in one part only. So a guess whether {one} is in the data is right at most {right} times in 100. "
    "Whether {one} was in one part or in another is protected less, since what both parts give away adds up: such a "
    "guess is right at most {moved} times in 100. (In experts’ words: epsilon is {epsilon} for the first guess, and at "
    "most {most} for the second.)"
)
REGIONS_DELTA = "Delta is {delta} in every part."
REGIONS_MEAN = (
    "A region’s level protects whether there was a record in it at all. If somebody knows already that a record is "
    "in the data, it is easier to guess whether it lay inside the region or elsewhere. The outlines are public; a "
    "square that a region touches has its level, or that of a stricter region that touches it too."
)
REGIONS_NONE = "No answer for {name}: {reason}. Its records are missing here."

WHAT = "What was released"
DATASET = "Dataset: {name}."
METHOD = "Method: {title} (`{name}`; {paper})."
NOT_VETTED = "No independent reader has checked yet the mathematical proof that it protects."
SPENT = "For experts: what each part of the computation gives away, with its steps in the proof of protection ({page}):"
SPENT_COLUMNS = ("what", "in the proof", "steps", "epsilon")
SPENT_DELTA = "{epsilon}, delta {delta}"
TOGETHER = "together"
CHARGES_IN_WORDS = {  # where the name of a charge is a term of art
    "total": "the number of all records",
    "noisy number of records": "the number of all records",
    "number of records": "the number of all records",
    "counts": "counts of squares",
    "tree and residual rounds": (
        "counts of squares (small squares where many records lie), and better places for the centers"
    ),
    "selections": "selections",
    "synopsis and step": "counts of squares and one step",
    "ranges": "ranges",
    "averages": "averages",
    "last step": "last step",
    "quantiles": "quantiles",
    "means": "means",
    "sizes": "sizes",
    "intervals": "intervals",
    "cover": "cover",
    "tree": "tree",
    "search": "search",
    "rounds": "rounds",
    "run on a secret sample": "run on a secret sample",
    "chosen method": "chosen method",
    "trips": "trips",
    "map of the first ends": "map of the first ends",
    "map of the second ends": "map of the second ends",
    "one record, in whichever part it lies": "one record, in whichever part it lies",
    "cells of the period": "counts of squares of the period",
}
RECIPE = {  # constants of a run that say how its budget was divided, and what they are called
    "purpose": "purpose",
    "ends_share": "share of the maps of both ends",
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
DIVIDED = "Divided by this recipe: {recipe}."
BOX = "Area of the map, stated without looking at the data: {box}. Records outside it are ignored."
BOX_AXIS = "{name} from {low} to {high}"
NO_ANSWER = "There is no answer: {reason}. Even that tells something about the data, so it counts as much as an answer."
CENTERS_ONLY = (
    "{centers} centers, each the middle of a group of records. This method gives only them, and no map of dots."
)
POINTS_AND_CENTERS = (
    "{points} points and {centers} centers. Each point stands for a number of records; a center is the middle of a "
    "group of them. The numbers were changed at random, so one may be a fraction, or even below zero: that is no "
    "mistake."
)

REASONS = {
    "too few records for this budget": "there are too few records for so much privacy",
    "the budget is too small for this method": "this much privacy leaves the method too little to work with",
    "the private selection found nothing that it may publish": "the method found nothing that it may publish",
    "the method failed inside": "the method failed, which is a fault of this program",
}

GOOD = "How good it is"
NO_ERROR = "This method cannot say how far the count of an area may be off."
SIZES = {0.001: "a thousandth", 0.01: "a hundredth", 0.1: "a tenth"}
COUNT = (
    "Count the records in {part} of the area{size}: in a usual place the count is off by at most {reach}, up or "
    "down, 9 times out of 10. Such a place holds about {typical}."
)
COUNT_TRIPS = (
    "Count the trips that begin in {part} of the area{size}: in a usual place the count is off by at most {reach}, up "
    "or down, 9 times out of 10. Such a place holds about {typical}. Of trips that end there, the count is off by at "
    "most {end_reach}, of about {end_typical}."
)
SQUARE_KM = " ({size} km²)"
CENTER_AWAY = (
    "A usual center lies within {typical} {unit} of the true middle of the records nearest to it, 9 times out of "
    "10; the least certain one within {most} {unit}, as often."
)
METRES, UNITS = "m", "units of the map"
SPARSE = (
    "Places with few records lose most: in {weak} of {all} squares the random change may be larger than the number "
    "of records, so nobody can tell from them whether anybody was there. Where numbers below zero are shown as "
    "zero, empty ground looks a little busier than it is."
)
SPARSE_TRIPS = (
    "Ways that few take lose most: in {weak} of {all} pairs of areas, one where trips begin and one where they end, "
    "the random change may be larger than the number of trips, so nobody can tell from them whether anybody went that "
    "way."
)
POINTS = "The release has {points} points. Records outside the area of the map are not in it."
POINTS_MERGED = (
    "The map shows {cells} squares; for other programs they are merged into {points} points. Records outside the area "
    "of the map are not in it."
)

NOT_COVERED = "What the promise does not cover"
CHOICES_SENTENCE = (
    "The promise is about what is published here. It is not about decisions: if somebody looked at the original data "
    "first and then chose the privacy level, the number of clusters, the method, or to publish at all, that choice "
    "itself may say something about the people in the data."
)
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
FULL_TEXT = "The full text stands in two documents of the program dpviz: docs/PROMISE.md and docs/LIMITS.md."

# ---- the map page ----------------------------------------------------------------------------------------------

MAP_TITLE = "Where people gather: {name}"
MAP_NAMELESS = "a dataset without a name"
MAP_ODDS = "The odds"
MAP_TOOLS, MAP_IN, MAP_OUT, MAP_RESET = "Map", "Zoom in", "Zoom out", "Reset view"
MAP_CENTERS = "The centers"
MAP_TABLE = "Centers"
MAP_PROMISE = "What is promised"
MAP_PERIOD = "{start} to {end}."
MAP_PUBLISHED = "Published {day}."
MAP_RECORDS = "About {count} records."
MAP_METHOD = "{centers} centers, found with protection; each is the middle of a group of records. Method: {method}."
MAP_GUESSERS = "If 100 people guess about one record or person, as this page says, at most {right} of them are right."
MAP_ALT = "Map with {centers} centers ({axes}); the table below lists them."
MAP_AND = " and "
MAP_CAPTION = (
    "The stronger the colour of a square, the more records on its ground; where there are next to none, it has no "
    "colour. Numbers mark the centers."
)
MAP_BEGIN = (
    "Where trips begin: the stronger the colour, the more of them; where few begin, there is no colour. Numbers mark "
    "the centers."
)
MAP_END = (
    "Where trips end: the stronger the colour, the more of them; where few end, there is no colour. Numbers mark the "
    "centers."
)
MAP_FLOWS = (
    "From where to where: the {count} largest flows between areas that are more than chance, from violet to magenta. "
    "Point at one to read it."
)
MAP_LARGEST_FLOWS = "The largest flows of trips"
MAP_RANGES = "Each range is to hold the true number 9 times out of 10."
MAP_CAPTION_AXES = "{axes}; numbers mark the centers."
MAP_CREDIT = "Map: {credit}."
KEY_CENTER = "Protected center"
KEY_CELLS = "Stronger colour: more records"
KEY_POINT = "Point found with protection (bigger: stands for more records)"
KEY_BELOW = "Number below zero, by a random change: this is no mistake"
KEY_REGION = "Stricter level"
COLUMN_CENTER, COLUMN_NEAR, COLUMN_ABOUT = "center", "mostly in", "about so many records"
TIP_CENTER = "Center {number}: {place}; about {count} records"
TIP_CENTER_NEAR = "Center {number}, {near}: about {count} records"
TIP_FLOW = "{origin} → {destination}: about {about} ({low} to {high})"
WAY = "{start} → {end}"
COLUMN_WAY = "mostly from → to"
COLUMN_FROM, COLUMN_TO, COLUMN_FLOW = "from where", "to where", "about so many trips"
COLUMN_LOW, COLUMN_HIGH = "at least", "at most"


def odds_right(guarantee: Guarantee) -> str:
    """The part of the sentence of odds that counts."""
    return told(ODDS_RIGHT).format(right=out_of_100(guarantee.epsilon, guarantee.delta))


def odds_told(guarantee: Guarantee, record: str = "record") -> str:
    """What a guarantee means for a guesser in one sentence, in English that of `dpviz.privacy.odds_sentence`."""
    whose = "record" if guarantee.unit.person_column is None else "person"
    asked = f"{whose} is there" if guarantee.adjacency is Adjacency.ADD_REMOVE_ONE else f"{whose}'s place"
    called = told(record)
    return told(ODDS_SENTENCE).format(
        others=told(ODDS_OTHERS)[whose].format(record=called),
        asks=told(ODDS_ASKS)[asked].format(record=called),
        times=odds_right(guarantee),
        blind=50,
    )


def unit_told(unit: Unit) -> str:
    """The unit of protection in plain words."""
    return _unit(unit, (COUNTS_BOUND, COUNTS_STEPS, COUNTS_ONE))


def _unit(unit: Unit, heavy: tuple[str, str, str]) -> str:
    """The unit, and how much of it counts in one of two manners: plain, or in experts' words as it prints."""
    bound, steps, one = heavy
    weight = ""
    if unit.weight_bound is not None:
        most, step = figures(f"{unit.weight_bound * unit.weight_step:g}"), figures(f"{unit.weight_step:g}")
        weight = told(bound if unit.weight_step == 1 else steps).format(most=most, step=step)
    if unit.cap is not None:
        if weight:
            said = told(UNIT_PERSON_WEIGHT).format(cap=unit.cap, weight=weight)
            return said if unit.cap > 1 else said.replace("1 records", "1 record")
        return told(UNIT_PERSON_ONE) if unit.cap == 1 else told(UNIT_PERSON).format(cap=unit.cap)
    if unit.weight_column is not None and not weight:
        weight = told(one).format(step=figures(f"{unit.weight_step:g}"))
    return told(UNIT_WEIGHT).format(weight=weight) if weight else told(ONE_RECORD)


def guarantee_told(guarantee: Guarantee) -> str:
    """The guarantee in experts' words, in English as it prints."""
    if speaking.language() == languages.ENGLISH:
        return str(guarantee)
    added = guarantee.adjacency is Adjacency.ADD_REMOVE_ONE
    size = _size(guarantee.epsilon, guarantee.delta)
    unit = _unit(guarantee.unit, (WEIGHT_BOUND, WEIGHT_STEPS, WEIGHT_ONE))
    if not guarantee.regions:
        return told(GUARANTEE_ADDED if added else GUARANTEE_REPLACED).format(size=size, unit=unit)
    whole = guarantee.moved(None, None)
    most = figures(f"{whole.epsilon:g}")
    if guarantee.delta:
        found = re.search(r"delta at most (\S+?)\.?$", str(guarantee))
        most = told(MOST_DELTA).format(epsilon=most, delta=figures(found[1] if found else f"{whole.delta:g}"))
    inside = [told(INSIDE).format(epsilon=figures(f"{one.epsilon:g}"), region=one.name) for one in guarantee.regions]
    who = told(MOVES_RECORD if guarantee.unit.cap is None else MOVES_PERSON)
    said = told(GUARANTEE_REGIONS_ADDED if added else GUARANTEE_REGIONS_REPLACED)
    return said.format(size=size, unit=unit, inside=", ".join(inside), who=who, most=most)


def _size(epsilon: float, delta: float) -> str:
    shown = {"epsilon": figures(f"{epsilon:g}"), "delta": figures(f"{delta:g}")}
    return told(SIZE_DELTA if delta else SIZE).format(**shown)


def one_told(unit: Unit) -> str:
    """One record, or one person."""
    return told(ONE_RECORD if unit.person_column is None else ONE_PERSON)


def limits_told(guarantee: Guarantee, record: str = "record") -> str:
    """What the odds do not cover, in one sentence."""
    if guarantee.unit.person_column is None:
        return told(LIMIT_RECORD).format(record=told(record))
    return told(LIMIT_PERSON).format(record=told(record), most=guarantee.unit.cap)


def period_told(period: periods.Period) -> str:
    """What the promise is over all periods of a series."""
    size = figures(f"{float(period.whole_epsilon):g}")
    if float(period.whole_delta):
        size += told(PERIOD_DELTA).format(delta=figures(f"{float(period.whole_delta):g}"))
    size += told(PERIOD_ALWAYS if period.window == periods.ALWAYS else PERIOD_WINDOW).format(window=period.window)
    first = told(PERIOD_RECORD if period.disjoint else PERIOD_PERSON)
    said = [first.format(label=period.label, series=period.series, population=period.population, size=size)]
    if not period.disjoint and period.at_most is not None:
        said.append(told(PERIOD_FIRST).format(most=period.at_most))
    if not period.disjoint and period.window != periods.ALWAYS:
        said.append(told(PERIOD_RENEWED))
    return " ".join(said)


speaking.answers(__name__)
