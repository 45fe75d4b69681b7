"""What error simulations expect of a request, told before anything is spent. It reads public facts and one number.

That number of records is what the caller may know: public, guessed, bought, or, on the curator's terminal, exact. What
is expected of every part is exact, and the curator's alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dpviz.domain import ExactCounts
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import choose
from dpviz.mechanisms.forecast import Forecast, choose_by_forecast, forecast, methods, most_dimensions, percent
from dpviz.mechanisms.interface import Public, Purpose
from dpviz.publishing.mechanism_run import preview
from dpviz.releases.request import ReleaseRequest

if TYPE_CHECKING:
    import pandas as pd

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


def expected_parts(data: ExactCounts, request: ReleaseRequest) -> pd.DataFrame:
    """What to expect of every part before anything is spent: exact, for the curator alone.

    Columns: part, exact_records, reach (its total is told with this error in 90 of 100 draws), error (of its centers,
    relative to the best, as simulated for that many records) and weak: the reach is as large as the number. The reach
    is that of one draw that is thrown away.
    """
    import pandas as pd

    parts, k = request.parts, request.k
    if parts is None:
        raise InputError("this request is not divided into parts; there is one error to expect, not several.")
    draw = preview(data, k, request.budget, purpose=request.purpose, parts=parts)
    totals = draw.parts.table()
    side, across = parts.side, parts.across
    tiles = data.exact_cells.reshape(across, side, across, side).sum(axis=(1, 3))
    records = tiles[parts.tile(np.arange(len(parts.names)))]
    reach = totals["reach"].to_numpy().round(1)
    errors = [
        forecast("adaptive_tree", records=float(many), k=k, budget=request.budget, unit=data.unit).expected
        for many in records.tolist()
    ]
    told = {"part": list(parts.names), "exact_records": records, "reach": reach, "error": errors}
    return pd.DataFrame({**told, "weak": reach >= records})


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
