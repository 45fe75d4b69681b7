"""What error simulations expect of a request, told before anything is spent. It reads public facts and one number.

That number of records is what the caller may know: public, guessed, bought, or, on the curator's terminal, exact.
"""

from __future__ import annotations

from dpviz.mechanisms.catalogue import choose
from dpviz.mechanisms.forecast import Forecast, choose_by_forecast, forecast, methods, most_dimensions, percent
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.releases.request import ReleaseRequest

MUCH = 0.3  # of the cost without protection: from here on an answer is told to be weak


def expected_error(request: ReleaseRequest, public: Public, records: float) -> Forecast | None:
    """The forecast of the table of simulations; None for what it does not know."""
    whole = not request.regions and request.period is None and request.parts is None
    simple = whole and request.budget_for is Purpose.CENTERS
    if not simple or public.frame.dims > most_dimensions():
        return None
    k, budget = request.k, request.budget
    name = choose(request.method, public, k=k, budget=budget).info.name
    if request.method == "auto" and name not in methods(
        public.frame.dims
    ):  # the one that buys a number and then chooses
        name = choose_by_forecast(public, k, budget, records).method
    if name not in methods(public.frame.dims):
        return None
    return forecast(
        name,
        records=records,
        k=k,
        budget=budget,
        dims=public.frame.dims,
        relation=public.relation,
        unit=public.unit,
    )


def is_much(expected: float) -> bool:
    """Whether an error is worth a warning before it is paid for."""
    return expected > MUCH


def warning(found: Forecast | None) -> str:
    """One line for a terminal where the expected error is large; empty elsewhere."""
    if found is None or not is_much(found.expected):
        return ""
    return (
        f"simulations with this many records expect an error of about {percent(found.expected)} "
        f"({percent(found.low)} to {percent(found.high)} in 9 of 10 draws). That is a lot: fewer centers, a larger "
        "epsilon or more records make it smaller."
    )
