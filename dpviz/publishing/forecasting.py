"""What error to expect on data like one's own, in strict mode: simulated on the stand-in, so looking costs nothing.

The table behind `mechanisms.forecast` knows synthetic cities only; the stand-in knows this one, as far as it was paid
for. What the stand-in smooths away is missing here too: the forecast is a preview, no promise.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import GridTable, improve_kmeans, solve_kmeans
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import choose
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.mechanisms.forecast import Forecast
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz.publishing.simulated import SimulatedCounts
from dpviz.publishing.standin import sample_from_standin
from dpviz.questions.noise_model import NoiseModel
from dpviz.questions.redrawing import redrawn_cells
from dpviz.releases.center_tables import seed_from
from dpviz.releases.release import Release

Floats = NDArray[np.float64]
DRAWS = 20
CITIES = 5  # that the stand-in may stand for
SEARCHES = 4
BAND = (0.05, 0.95)
# What the stand-in smooths away makes real errors differ more than simulated ones. Chosen on one half of the data sets
# of dpviz_research/forecast_coverage.py: without it the band holds 83 % there.
WIDER = 1.2


def forecast_from_standin(
    standin: Release, *, k: int, budget: Budget, method: str = "auto", draws: int = DRAWS, side: int | None = None
) -> Forecast | None:
    """The error that a method has on simulated records, and the band of 90 of 100 draws; the same for the same request.

    None: on simulated records the method gave no answer in most draws.
    """
    if isinstance(draws, bool) or not isinstance(draws, int | np.integer) or draws < 1:
        raise InputError(f"draws={draws!r}: give a whole number of draws, 1 or more.", draws=draws)
    errors: list[float] = []
    for at, likely in enumerate(_likely_cities(standin, min(CITIES, int(draws)))):
        data = sample_from_standin(likely, side=side)
        public = Public.of(data)
        mechanism = choose(method, public, k=k, budget=budget)
        plan = mechanism.plan(public, k=k, budget=budget)
        found: list[Floats] = []
        for draw in range(at, int(draws), CITIES):
            answer = mechanism.run(data, plan, replayable_source(seed_from("forecast", standin.id, str(draw))))
            if isinstance(answer, Answer):
                found.append(_centers(answer, k))
        if found:
            errors += _errors(data, k, found)
    if 2 * len(errors) <= draws:
        return None
    # Positions p·(n + 1): the quantiles of a few draws, taken as they lie, hold less than they say.
    few, many = (float(value) for value in np.quantile(errors, BAND, method="weibull"))
    few, many = few / WIDER, many * WIDER
    # The mean: where draws end in one of two good clusterings, the middle one of a few draws is in either by chance.
    mean = float(np.mean(errors))
    return Forecast(method=mechanism.info.name, low=min(few, mean), expected=mean, high=max(many, mean))


def _likely_cities(standin: Release, several: int) -> list[Release]:
    """The stand-in and others that its noise might have made of the same city: which clustering of several good ones is
    the best is often within the stand-in's own noise.
    """
    tree = standin.protected_cells
    if tree is None:
        return [standin] * several
    model = NoiseModel.of(tree)
    again = [redrawn_cells(model, seed_from("likely city", standin.id, at)) for at in range(1, several)]
    return [
        standin,
        *(replace(standin, id=f"{standin.id}~{at}", protected_cells=cells) for at, cells in enumerate(again)),
    ]


def _centers(answer: Answer, k: int) -> Floats:
    if answer.centers is not None:
        return answer.centers.positions
    coreset = answer.coreset
    assert coreset is not None  # an answer has centers or a coreset
    extent = coreset.frame.extent
    return solve_kmeans(coreset.positions, coreset.weights, k, seed=0, low=np.zeros_like(extent), high=extent).centers


def _errors(data: SimulatedCounts, k: int, answers: list[Floats]) -> list[float]:
    """Errors against the best that searches on the simulated records and the answers themselves come to."""
    grid = data.grid
    table = GridTable.of(data.exact_cells, cell_width=grid.cell_width, cell_height=grid.cell_height)
    costs = np.array([table.summarise(centers)[0] for centers in answers])
    positions, weights = weighted_local(data)
    mass, low, high = weights.astype(np.float64), np.zeros(2), grid.frame.extent
    begun = [table.solve(k, seed=seed).centers for seed in range(SEARCHES)] + [answers[int(costs.argmin())]]
    found = [improve_kmeans(positions, mass, centers, low=low, high=high) for centers in begun]
    best = min(table.summarise(centers)[0] for centers in found)
    best = min(best, float(costs.min()))
    errors = costs / best - 1.0 if best > 0.0 else np.zeros(len(costs))
    return [float(error) for error in errors]
