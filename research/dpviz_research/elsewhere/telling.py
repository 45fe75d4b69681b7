"""What the cells say: ratios of errors with intervals, both with a floor under errors and without, cell by cell."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz_research.elsewhere.measuring import OURS, Measured, Place

Floats = NDArray[np.float64]
BEST_RIVAL = "best rival"
FLOOR = 1e-5  # errors below this count as this, where a floor is stated
LEAST = 1e-9  # what a descent on raw records leaves open: smaller errors count as this everywhere
RESAMPLES = 400
WEAK = 2500.0  # n·ε/k below which data are weak


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A rival or a limit beside ours, in one cell."""

    theirs: Measured
    ours: Measured


@dataclass(frozen=True, kw_only=True)
class Way:
    """How errors of a cell become one number."""

    name: str
    errors: Callable[[Measured], Floats]
    middle: Callable[..., Any] = np.median
    least: float = LEAST

    def logs(self, pair: Pair, samples: NDArray[np.int64] | None = None) -> Floats:
        """log(theirs / ours), for all draws or for resampled ones."""
        two = []
        for measured in (pair.theirs, pair.ours):
            errors = self.errors(measured)
            drawn = errors[None, :] if samples is None else errors[samples]
            two.append(np.log(np.maximum(self.middle(drawn, axis=1), self.least)))
        difference: Floats = two[0] - two[1]
        return difference


def _raw(measured: Measured) -> Floats:
    return measured.raw


def _gridded(measured: Measured) -> Floats:
    return measured.gridded


WAYS = (
    Way(name="raw records, errors below 1e-5 as 1e-5", errors=_raw, least=FLOOR),
    Way(name="raw records", errors=_raw),
    Way(name="on the grid", errors=_gridded),
    Way(name="raw records, means", errors=_raw, middle=np.mean, least=FLOOR),
)
HONEST, PLAIN = WAYS[0], WAYS[1]
PARTS: tuple[tuple[str, Callable[[Place], bool]], ...] = (
    ("all", lambda place: True),
    ("held back", lambda place: place.held_back),
    ("used for constants", lambda place: not place.held_back),
    ("weak (n·ε/k < 2,500)", lambda place: place.n * place.epsilon / place.k < WEAK),
    ("strong", lambda place: place.n * place.epsilon / place.k >= WEAK),
)


def cell_rows(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Every method in every cell."""
    return [
        _where(one.place)
        | {
            "method": one.method,
            "rival": one.rival,
            "median": float(np.median(one.raw)),
            "mean": float(np.mean(one.raw)),
            "median on the grid": float(np.median(one.gridded)),
            "the grid's own floor": one.floor,
            "other basin": one.other_basin,
            "seconds": one.seconds,
            "draws": len(one.raw),
        }
        for one in measured
    ]


def verdicts(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Every cell: the rival with the lowest median there, how many times our error it has, won, lost or open."""
    rows = []
    for pair in best_rivals(measured):
        logs = PLAIN.logs(pair, _samples(pair))
        low, high = np.exp(np.quantile(logs, [0.025, 0.975]))
        place = pair.ours.place
        rows.append(
            _where(place)
            | {
                "best rival": pair.theirs.method,
                "its error": float(np.median(pair.theirs.raw)),
                "ours": float(np.median(pair.ours.raw)),
                "times ours": float(np.exp(PLAIN.logs(pair)[0])),
                "low": float(low),
                "high": float(high),
                "with the floor": float(np.exp(HONEST.logs(pair)[0])),
                "cell": "won" if low > 1.0 else "lost" if high < 1.0 else "open",
            }
        )
    return rows


def summary_rows(measured: Sequence[Measured]) -> list[dict[str, Any]]:
    """Per method and part of the cells: geometric means of ratios with intervals, and how many cells are lost."""
    rows = []
    for method in [*dict.fromkeys(one.method for one in measured if one.method != OURS), BEST_RIVAL]:
        pairs = best_rivals(measured) if method == BEST_RIVAL else _pairs(measured, method)
        for name, belongs in [*PARTS, *_each_set(measured)]:
            chosen = [pair for pair in pairs if belongs(pair.ours.place)]
            if chosen:
                rows.append({"method": method, "rival": pairs[0].theirs.rival, "cells of": name} | _means(chosen))
    return rows


def _each_set(measured: Sequence[Measured]) -> list[tuple[str, Callable[[Place], bool]]]:
    names = dict.fromkeys(one.place.data for one in measured)
    return [(name, lambda place, name=name: place.data == name) for name in names]  # type: ignore[misc]


def best_rivals(measured: Sequence[Measured]) -> list[Pair]:
    """In every cell the rival with the lowest median, picked after the fact, in its favour."""
    best: dict[Place, Measured] = {}
    for one in measured:
        if one.rival and one.method != OURS:
            known = best.get(one.place)
            if known is None or np.median(one.raw) < np.median(known.raw):
                best[one.place] = one
    return [Pair(theirs=best[one.place], ours=one) for one in measured if one.method == OURS and one.place in best]


def _pairs(measured: Sequence[Measured], method: str) -> list[Pair]:
    ours = {one.place: one for one in measured if one.method == OURS}
    return [Pair(theirs=one, ours=ours[one.place]) for one in measured if one.method == method]


def _samples(pair: Pair) -> NDArray[np.int64]:
    size = len(pair.ours.raw)
    return np.random.default_rng(0).integers(0, size, (RESAMPLES, size))


def _means(pairs: Sequence[Pair]) -> dict[str, Any]:
    found: dict[str, Any] = {"cells": len(pairs)}
    for way in WAYS:
        plain = np.array([way.logs(pair)[0] for pair in pairs])
        resampled = np.array([way.logs(pair, _samples(pair)) for pair in pairs])
        low, high = np.exp(np.quantile(resampled.mean(axis=0), [0.025, 0.975]))
        found[way.name] = float(f"{math.exp(float(plain.mean())):.3g}")
        found[f"{way.name}, interval"] = f"{low:.3g} to {high:.3g}"
        if way is PLAIN:
            found["cells significantly lower than ours"] = int((np.quantile(resampled, 0.975, axis=1) < 0.0).sum())
            found["cells significantly higher than ours"] = int((np.quantile(resampled, 0.025, axis=1) > 0.0).sum())
    return found


def _where(place: Place) -> dict[str, Any]:
    kind = "held back" if place.held_back else "used for constants"
    return {"data": place.data, "kind": kind, "n": place.n, "k": place.k, "epsilon": place.epsilon}
