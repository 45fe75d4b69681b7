"""The sentences that several screens share, and how numbers are told; others stand where they are shown.

Plain words for a reader of about 13 years; every share has a base ("63 of 100"). Epsilon and delta appear only in the
texts of the *Details* popover and of the page Evidence.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from dpviz.labels import sentences as released
from dpviz.language import speaking
from dpviz.language.speaking import Plural, figures, told
from dpviz.privacy.levels import LEVELS, Level
from dpviz.questions.answers import OUTSIDE, PARTLY_OUTSIDE, TOO_COARSE

PAGE_TITLES = {
    "choose": "Choose",
    "compare": "Compare",
    "publications": "Publications",
    "demo": "Demo",
    "evidence": "Evidence",
    "data": "Data",
    "trace": "One person’s own track",
    "requests": "Requests",
    "audit": "Audit log",
    "releases": "Published releases",
}
PAGE_ANALYSTS = "dpviz for analysts"

MODE_PREVIEW = (
    "Your own data, preview",
    "What you see here is not protected. It is for your eyes only, and nothing leaves this computer until you publish.",
)
MODE_STRICT = (
    "Your own data, strict preview",
    "All maps and numbers here come from made-up data that resemble yours, made with protection. So you may let "
    "others watch.",
)
MODE_ANALYST = (
    "Published releases only",
    "This page holds only what was published with protection. There is no path from here to the original records.",
)
MODE_EVIDENCE = (
    "Recorded experiments",
    "Everything here was measured on public or made-up data and is shown as it was recorded.",
)
odds_right, odds_told, unit_told = released.odds_right, released.odds_told, released.unit_told

LAYERS = {  # the switches of the legend: label and help
    "coreset": (
        "Protected points",
        "The points that would be published in place of the records. A bigger dot stands for more records.",
    ),
    "cells": (
        "Squares",
        "The ground is coloured in place of the points: the stronger, the more records on a square kilometre. Their "
        "number was changed at random, for protection. Switch this off to see the points.",
    ),
    "protected": ("Protected centers", "Centers found from the protected points alone."),
    "exact": ("Unprotected centers", "Where the centers would lie without any protection. Exact: never published."),
    "pairs": ("Shift", "A line from each protected center to its unprotected partner: how far protection moved it."),
    "spread": (
        "Uncertainty",
        "A protected center may have been moved this far by the random changes: 19 times of 20 no further.",
    ),
    "density": ("Exact density", "A picture of the unprotected records. Exact: never published."),
    "regions": ("Stricter places", "Outlines of the places that have a stricter level. They are public."),
}
GROUND_KEY = "Stronger colour: more {record}s, from about {least} to {most} on a square kilometre."
LAYERS_STRICT = {  # strict preview: the layers whose words would otherwise speak of exact things
    "exact": (
        "Centers of the made-up data",
        "Where the centers of the made-up data lie. Those data were made with protection, so this is protected too.",
    ),
    "pairs": (
        "Shift",
        "A line from each protected center to its partner in the made-up data: how far protection moved it there.",
    ),
    "density": ("Density of the made-up data", "A picture of the made-up data. Your records themselves are not shown."),
}

CENTER_PRIVATE, CENTER_EXACT, CENTER_STRICT = "Protected center", "Unprotected center", "Center of the made-up data"
ELSEWHERE = "elsewhere"
REASONS = released.REASONS
DOWNLOAD = "Download the release"
LABEL = "Privacy label"
MILLIONS = "{number} million"
CENTERS, AREAS = Plural("1 center", "{count} centers"), Plural("1 area", "{count} areas")
# What the library says beside a number that it cannot give, and units, whose plurals stand in translated sentences.
NOTES = (TOO_COARSE, OUTSIDE, PARTLY_OUTSIDE, "trip", "record", "person", "one record")

RELATIONS = {
    "add-remove": (
        "the data with one certain record (or person) in them, and the same data without; the number of records "
        "stays secret"
    ),
    "replace": (
        "the data with one certain record in them, and the same data with any other record in its place; the "
        "number of records is public"
    ),
}
DETAILS_BOUND = (
    "Nobody who would otherwise toss a coin is right more often than the odds on screen say, however long they "
    "compute. (In experts’ words: (e^ε + δ) / (1 + e^ε), rounded up.)"
)
SUFFICES_NOT = "What is left suffices for no level any more."

STAGE_PARTS: dict[str, dict[str, str]] = {
    "dial": {
        "question": "How much privacy?",
        "less": "More detail",
        "more": "More privacy",
        "coin": "a coin",
        "added": "added at most",
    },
    "picture": {
        "coming": "Drawing the map …",
        "legend": "What the map shows",
        "layers": "Layers",
        "zoom": "Zoom to",
        "choose": "Show a center …",
        "reset": "Reset view",
        "closer": "Zoom in",
        "further": "Zoom out",
        "map": "map",
    },
    "drawers": {
        "levels": "All levels as a table",
        "chance": "What could be published",
        "table": "Read the map as a table",
        "coming": "Drawing …",
    },
    "curves": {},
    "accepted": {},
}
_ADDRESSES = re.compile(r"://|@|www(?=\.)", re.IGNORECASE)  # after which browsers' Markdown makes a link of plain text
_JOINER = "\u2060"  # has no width, and no address goes on after it


def level_name(level: Level) -> str:
    """A level as the screen calls it; addresses and files keep the English name."""
    return told(level.name)


def center_name(number: int, place: str | None) -> str:
    """How a center is called in lists."""
    return (told("Center {number}, near {place}") if place else told("Center {number}")).format(
        number=number, place=place
    )


def tip_pair(number: int, metres: float) -> str:
    """One line on a pair."""
    return told("Pair {number}: {distance} apart").format(number=number, distance=distance(metres))


def curve_alt(title: str, names: Sequence[str], values: Sequence[float | None], show: Callable[[float], str]) -> str:
    """A curve in words."""
    parts = [
        f"{name}: {told('no answer') if value is None else show(value)}"
        for name, value in zip(names, values, strict=True)
    ]
    return f"{title}. " + "; ".join(parts) + "."


def sentence(message: str) -> str:
    """An error's message as it stands on a page: from a capital letter to a full stop."""
    text = message.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ")")) else ".")


def count(number: float) -> str:
    """A whole number a reader can take in: 1,234; 12,300; 1.2 million."""
    size = abs(number)
    if size >= 1e6:
        return told(MILLIONS).format(number=figures(f"{number / 1e6:.1f}"))
    if size >= 10_000:
        return figures(f"{round(number, -2):,.0f}")
    return figures(f"{number:,.0f}")


def whole(number: float) -> str:
    """A whole number in full: 12,345."""
    return figures(f"{number:,.0f}")


def percent(share: float | None, *, finer: int = 0) -> str:
    """A share as a percentage with two telling digits, and so many more."""
    if share is None or math.isnan(share):
        return "–"
    value = 100 * share
    if value > 1000:
        return told("more than 1,000 %")
    for digits, least in enumerate((9.95, 0.95, 0.0095, 0.00095)):
        if abs(value) >= least:
            return figures(f"{value:,.{digits + finer}f} %")
    return told("under 0.001 %")


def parts_of_100(value: float, total: float) -> str:
    """A part of a budget as a number of 100, with one digit after the point where it is small."""
    share = 100 * value / total if total else 0.0
    return figures(f"{share:.0f}" if share >= 9.95 or share < 0.05 else f"{share:.1f}")


def distance(metres: float, *, finer: int = 0) -> str:
    """Metres up to a kilometre, kilometres beyond, with so many digits more."""
    if math.isnan(metres):
        return "–"
    if metres >= 995:
        return figures(f"{metres / 1000:,.{finer + (metres < 9_950)}f} km")
    return figures(f"{metres:.{finer + (metres < 9.5)}f} m")


def period(label: str) -> str:
    """2026-03 is March 2026, 2026-W11 is week 11 of 2026."""
    year, part, *day = label.split("-")
    if part.startswith("W"):
        return told("week {week} of {year}").format(week=int(part[1:]), year=year)
    months = told(
        (
            "January", "February", "March", "April", "May", "June",
            "July", "August", "September", "October", "November", "December",
        )
    )  # fmt: skip
    return " ".join([*(str(int(one)) for one in day), months[int(part) - 1], year])


def level_in_words(epsilon: float) -> str:
    """The level of a budget by its name; its place between levels where it is none of them."""
    for level in LEVELS:
        if abs(level.epsilon - epsilon) < 1e-12:
            return level_name(level)
    stricter = [level_name(level) for level in LEVELS if level.epsilon > epsilon]
    return (
        told("More private than {level}").format(level=stricter[-1])
        if stricter
        else told("Less private than all levels")
    )


def as_text(text: str, longest: int = 80) -> str:
    """Somebody's free text inside a sentence on screen: nothing in it is taken for Markdown."""
    shown = "".join(letter if letter.isprintable() else " " for letter in text)
    shown = shown if len(shown) <= longest else shown[: longest - 1] + "…"
    shown = _ADDRESSES.sub(lambda found: f"{found.group()}{_JOINER}", shown)
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+!|~<>&$:" else letter for letter in shown)


def hour(number: int) -> str:
    """An hour of the day."""
    return f"{number:02d}:00–{(number + 1) % 24:02d}:00"


speaking.answers(__name__)
