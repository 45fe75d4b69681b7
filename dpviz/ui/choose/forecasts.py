"""What error to expect before anything is spent: strict mode tries the level out on the stand-in."""

from __future__ import annotations

from dpviz.errors import DpvizError
from dpviz.publishing.expected_error import is_much
from dpviz.publishing.forecasting import forecast_from_standin
from dpviz.releases.release import Release
from dpviz.ui.choose import words as say
from dpviz.ui.page_parts import words
from dpviz.ui.session import methods
from dpviz.ui.session.repeated_draws import Band
from dpviz.ui.session.session import Session
from dpviz.ui.session.sources import Source
from dpviz.ui.session.state import ChooseState


def told(session: Session, source: Source, chosen: ChooseState) -> str:
    """The forecast in a sentence; empty without a stand-in to try it out on, and for stricter places, not simulated."""
    standin = source.standin
    if standin is None or chosen.regions:
        return ""
    key = (source.id, chosen.method, chosen.k, chosen.level.number)
    found = session.recent("forecast", key, lambda: simulated(standin, chosen))
    return sentence(found)


def simulated(standin: Release, chosen: ChooseState) -> Band | None:
    """The error on simulated records. Draws on the stand-in spend nothing: they are post-processing."""
    budget = methods.budget_of(chosen.level, chosen.method)
    try:
        found = forecast_from_standin(standin, k=chosen.k, budget=budget, method=chosen.method)
    except DpvizError:  # the method is not offered for such records; the page says so where the map would be
        return None
    return None if found is None else Band(low=found.low, middle=found.expected, high=found.high)


def sentence(found: Band | None) -> str:
    """A forecast in plain words."""
    if found is None:
        return say.FORECAST_NONE
    low, middle, high = (words.percent(value) for value in (found.low, found.middle, found.high))
    told = say.FORECAST.format(expected=middle, low=low, high=high)
    return f"{told} {say.FORECAST_MUCH}" if is_much(found.middle) else told
