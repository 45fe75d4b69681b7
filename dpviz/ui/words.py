"""The sentences that several screens share, and how numbers are told; each page has a list of its own beside it.

All lists are meant for a translator or a lawyer to read. Plain words for a reader of about 13 years; every share has a
base ("63 of 100"). Epsilon and delta appear only in the texts of the *Details* popover and of the page Evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from dpviz.privacy.odds import out_of_100

# ---- the three modes -------------------------------------------------------------------------------------------

MODE_DEMO = (
    "Demonstration data",
    "This city is public and comes with the program. Look around freely: nobody can be harmed here.",
)
MODE_DEMO_DATA = "{title}: {number} trips. They are public: look around freely, nobody can be harmed here."
MODE_PREVIEW = (
    "Your own data, preview",
    "What you see here is not protected. It is for your eyes only, and nothing leaves this computer until you publish.",
)
MODE_STRICT = (
    "Your own data, strict preview",
    "All maps and numbers about your data come from a protected stand-in. Others may look over your shoulder.",
)
MODE_ANALYST = (
    "Published releases only",
    "This page holds only what was published with protection. There is no path from here to the original records.",
)
MODE_GAME = (
    "Demonstration data",
    "These scenes use the public demonstration city. No real person of your own data is involved.",
)
MODE_EVIDENCE = (
    "Recorded experiments",
    "Everything here was measured on public or made-up data and is shown as it was recorded.",
)

# ---- the slider ------------------------------------------------------------------------------------------------

LESS_PRIVATE, MORE_PRIVATE = "More detail", "More privacy"


odds_of_100 = out_of_100


def odds_alt(epsilon: float, delta: float = 0.0) -> str:
    """The array of dots in words."""
    right = out_of_100(epsilon, delta)
    return (
        f"100 dots in ten rows. 50 are grey: right guesses by tossing a coin. {right - 50} more are orange: what this "
        f"level can add at most. {100 - right} are empty."
    )


ODDS_KEY_COIN = "a coin"
ODDS_KEY_ADDED = "added at most"

# ---- map -------------------------------------------------------------------------------------------------------

MAP_COMING = "Drawing the map …"
LEGEND_HELP = "Help"
LAYER_CORESET = "Coreset points"
LAYER_PROTECTED = "Private centers"
LAYER_EXACT = "Non-private centers"
LAYER_PAIRS = "Shift"
LAYER_DENSITY = "Exact density"
LAYER_SPREAD = "Uncertainty"
LAYER_REGIONS = "Stricter places"
LAYER_REGIONS_HELP = "Outlines of the places that have a stricter level. They are public."
LAYER_CORESET_HELP = "The small weighted set of points that would be published. A bigger dot stands for more records."
LAYER_ARCS_NOTE = "Each arc runs from the pick-up to the drop-off end of a group of trips; dots are drop-offs."
LAYER_PROTECTED_HELP = "Centers found from the protected points alone."
LAYER_EXACT_HELP = "Where the centers would lie without any protection. Exact: never published."
LAYER_PAIRS_HELP = "A line from each private center to its non-private partner: how far protection moved it."
LAYER_DENSITY_HELP = "A picture of the unprotected records. Exact: never published."
LAYER_SPREAD_HELP = "How far the added noise alone may have moved a private center (19 times of 20)."
LAYERS_STRICT = {  # strict preview: the layers whose words would otherwise speak of exact things
    "exact": ("Centers of the stand-in", "Where the centers of the stand-in lie. It is protected, so they are too."),
    "pairs": (LAYER_PAIRS, "A line from each private center to its partner among the centers of the stand-in."),
    "density": ("Density of the stand-in", "A picture of the stand-in. Your records themselves are not shown."),
}
RESET_VIEW = "Reset view"
ZOOM_TO = "Zoom to"
ZOOM_CHOOSE = "Show a center …"
PICKED_APART = "{distance} from its non-private partner"
PICKED_APART_STRICT = "{distance} from its partner in the stand-in"
CENTER_PRIVATE, CENTER_EXACT, CENTER_STRICT = "Private center", "Non-private center", "Center of the stand-in"
WATERMARK = "Preview · not for publication"


def center_name(number: int, place: str | None) -> str:
    """How a center is called in lists."""
    return f"Center {number}" + (f", near {place}" if place else "")


def tip_center(number: int, place: str | None, share: float | None, what: str) -> str:
    """One line on a center."""
    served = f" · serves about {percent(share)} of the records" if share is not None else ""
    return f"{what} {number}" + (f" · near {place}" if place else "") + served


def picked(number: int, place: str | None, share: float | None, metres: float | None, *, strict: bool = False) -> str:
    """The picked center in one line."""
    parts = [center_name(number, place)]
    if share is not None:
        parts.append(f"serves about {percent(share)} of the records")
    if metres is not None:
        parts.append((PICKED_APART_STRICT if strict else PICKED_APART).format(distance=distance(metres)))
    return " · ".join(parts)


def tip_point(weight: float, place: str | None, unit: str) -> str:
    """One line on a coreset point."""
    where = f" · {place}" if place else ""
    return f"Stands for about {count(weight)} {unit}s{where}"


def tip_pair(number: int, metres: float) -> str:
    """One line on a pair."""
    return f"Pair {number}: {distance(metres)} apart"


def map_alt(points: int, protected: int, exact: int, place: str, *, strict: bool = False) -> str:
    """The map for a screen reader."""
    shown = [f"{count(points)} coreset points"] if points else []
    if protected:
        shown.append(f"{protected} private centers as blue diamonds")
    if exact:
        shown.append(f"{exact} {'centers of the stand-in' if strict else 'non-private centers'} as orange squares")
    listed = ", ".join(shown) if shown else "no layer switched on"
    return f"Map of {place} with {listed}. The same content follows under “Read the map as a table”."


# ---- figures ---------------------------------------------------------------------------------------------------

TABLE_NUMBERS = "Read as a table"
CHANCE_ALT = "Draw {number}: {points} coreset points and {k} centers, error {error}."

# ---- no answer -------------------------------------------------------------------------------------------------

NO_ANSWER = "No map at “{level}” with this method"
REASONS = {
    "too few records for this budget": "there are too few records for so much privacy",
    "the budget is too small for this method": "this much privacy leaves the method too little to work with",
    "the private selection found nothing that it may publish": "the method found nothing that it may publish",
    "the method failed inside": "the method failed, which is a fault of this program",
}
# ---- publishing ------------------------------------------------------------------------------------------------

PUBLISH = "Publish this level …"
DOWNLOAD = "Download the release"
LABEL = "Privacy label"
# ---- trips -----------------------------------------------------------------------------------------------------


def tip_arc(number: int, metres: float) -> str:
    """One line on a group of trips."""
    return f"Trips {number}: {distance(metres)} from pick-up to drop-off"


# ---- demo ------------------------------------------------------------------------------------------------------

BACK, NEXT, RESTART = "Back", "Next", "Start again"
NOTES = "Notes for the presenter"


def curve_alt(title: str, names: Sequence[str], values: Sequence[float | None], show: Callable[[float], str]) -> str:
    """A curve in words."""
    told = [
        f"{name}: {'no answer' if value is None else show(value)}" for name, value in zip(names, values, strict=True)
    ]
    return f"{title}. " + "; ".join(told) + "."


# ---- numbers ---------------------------------------------------------------------------------------------------


def sentence(message: str) -> str:
    """An error's message as it stands on a page: from a capital letter to a full stop."""
    text = message.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?", ")")) else ".")


def count(number: float) -> str:
    """A whole number a reader can take in: 1,234; 12,300; 1.2 million."""
    size = abs(number)
    if size >= 1e6:
        return f"{number / 1e6:.1f} million"
    if size >= 10_000:
        return f"{round(number, -2):,.0f}"
    return f"{number:,.0f}"


def percent(share: float | None) -> str:
    """A share as a percentage with two telling digits."""
    if share is None or math.isnan(share):
        return "–"
    value = 100 * share
    if value > 1000:
        return "more than 1,000 %"
    size = abs(value)
    if size >= 9.95:
        return f"{value:,.0f} %"
    if size >= 0.95:
        return f"{value:.1f} %"
    if size >= 0.0095:
        return f"{value:.2f} %"
    if size >= 0.00095:
        return f"{value:.3f} %"
    return "under 0.001 %"


def distance(metres: float) -> str:
    """Metres up to a kilometre, kilometres beyond."""
    if math.isnan(metres):
        return "–"
    if metres >= 9_950:
        return f"{metres / 1000:,.0f} km"
    if metres >= 995:
        return f"{metres / 1000:.1f} km"
    if metres >= 9.5:
        return f"{metres:.0f} m"
    return f"{metres:.1f} m"


def hour(number: int) -> str:
    """An hour of the day."""
    return f"{number:02d}:00–{(number + 1) % 24:02d}:00"
