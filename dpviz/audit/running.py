"""Attack a method: lower bounds on the ε that it really gives, beside the exact maximum of each pair of files.

A result above the claim proves a defect. A result below the claim proves nothing by itself: the pair may not be able
to lose more. So each row has the *exact maximum* beside it: the most that this pair can lose along the paths that were
seen, computed from the declared noise, without sampling.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.audit import likelihoods
from dpviz.audit.attacks import CONFIDENCE, lower_bound, statistics
from dpviz.audit.pairs import Pair, all_pairs, crowd_for, records_of
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Mechanism, Public
from dpviz.noise import Sampler, replayable_source
from dpviz.privacy import Budget

SLACK = 1e-9
LEAST_TRIALS = 100
MOST_TOLD = 4_000  # runs on each file for the likelihood, which says all there is with fewer runs
LEAST_TOLD = 5  # for the exact maximum alone, where forcing a run takes long
ENOUGH_TOLD = 500  # below it no bound of use comes out, and none is reported

Sources = Callable[[int], Sampler]


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How many runs on each of the two files; `patience` in CPU seconds a pair cuts them down for slow methods.

    At least `least` runs are made however long they take.
    """

    trials: int
    least: int = LEAST_TRIALS
    told: int = MOST_TOLD
    patience: float | None = None


def sample(
    method: Mechanism,
    pair: Pair,
    *,
    k: int,
    budget: Budget,
    trials: int,
    source: Sources = replayable_source,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows of statistics of `trials` runs on each of the two inputs."""
    rows: list[list[NDArray[np.float64]]] = [[], []]
    for side, data in enumerate((pair.first, pair.second)):
        plan = method.plan(Public.of(data), k=k, budget=budget)
        noise = source(1_000_003 * side + 17)
        for _ in range(trials):
            rows[side].append(statistics(method.run(data, plan, noise), pair.place))
    return np.array(rows[0]), np.array(rows[1])


def told_likelihoods(
    method: Mechanism, pair: Pair, *, k: int, budget: Budget, trials: int, source: Sources = replayable_source
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Exact log-likelihood ratios of `trials` transcripts on each file, (trials, 1), and the most that any can be."""
    rows: list[list[float]] = [[], []]
    most = 0.0
    plan = likelihoods.public_plan(method, pair.first, k=k, budget=budget)
    for side in (0, 1):
        noise = source(1_000_003 * side + 29)
        for _ in range(trials):
            told = likelihoods.told_run(method, pair, plan, budget, noise, on_second=bool(side))
            rows[side].append(told.likelihood)
            most = max(most, told.most)
    return np.array(rows[0])[:, None], np.array(rows[1])[:, None], most


def audit_pair(
    method: Mechanism,
    pair: Pair,
    *,
    k: int,
    budget: Budget,
    effort: Effort,
    source: Sources = replayable_source,
    confidence: float = CONFIDENCE,
) -> dict[str, Any]:
    """One row: the claim, the exact maximum of this pair, and the bounds that two kinds of attackers reach."""
    started = time.perf_counter()
    chosen = pair.k or k
    spent = Budget(epsilon=budget.epsilon, delta=max(budget.delta, pair.delta))
    trials, told = _affordable(method, pair, chosen, spent, effort)
    first, second = sample(method, pair, k=chosen, budget=spent, trials=trials, source=source)
    published = lower_bound(first, second, delta=spent.delta, confidence=confidence)
    row: dict[str, Any] = {
        "method": method.info.name,
        "relation": pair.relation.value,
        "pair": pair.name,
        "claim": spent.epsilon,
        "delta": spent.delta,
        "exact_maximum": None,
        "lower_bound": round(published, 4),
        "bound_from_all_numbers": None,
        "confidence": confidence,
        "k": chosen,
        "records": records_of(pair.first),
        "answered": round(1.0 - float(np.concatenate([first[:, 0], second[:, 0]]).mean()), 3),
        "trials": trials,
        "trials_of_all_numbers": 0,
    }
    worst = published
    if likelihoods.offered(method):
        ours, theirs, most = told_likelihoods(method, pair, k=chosen, budget=spent, trials=told, source=source)
        row |= {"exact_maximum": round(most, 4), "trials_of_all_numbers": told}
        if told >= ENOUGH_TOLD:
            bound = lower_bound(ours, theirs, delta=spent.delta, confidence=confidence)
            row["bound_from_all_numbers"] = round(bound, 4)
            worst = max(worst, bound)
    row["seconds"] = round(time.perf_counter() - started, 2)
    row["violated"] = bool(worst > spent.epsilon + SLACK)
    return row


def _affordable(method: Mechanism, pair: Pair, k: int, budget: Budget, effort: Effort) -> tuple[int, int]:
    """How many runs of either kind fit into the patience, half of it each; with few runs only a few are forced."""
    patience = effort.patience

    def fitting(run: Callable[[int], object], most: int, least: int) -> int:
        if patience is None:
            return most
        run(1)  # the first run may compile
        started = time.process_time()
        run(2)
        each = max(1e-6, (time.process_time() - started) / 4)
        return int(min(most, max(least, patience / 4 / each)))

    trials = fitting(lambda times: sample(method, pair, k=k, budget=budget, trials=times), effort.trials, effort.least)
    if not likelihoods.offered(method):
        return trials, 0
    told = fitting(
        lambda times: told_likelihoods(method, pair, k=k, budget=budget, trials=times),
        min(effort.trials, effort.told),
        LEAST_TOLD,
    )
    return trials, told if told >= ENOUGH_TOLD else LEAST_TOLD


def audit_method(
    method: str | Mechanism,
    *,
    epsilon: float = 1.0,
    delta: float = 1e-9,
    trials: int = 2000,
    k: int = 2,
    confidence: float = CONFIDENCE,
    patience: float | None = None,
) -> list[dict[str, Any]]:
    """One row per relation and pair: claim, exact maximum, bounds, records, how often it answered, trials, verdict."""
    found = catalogue.get(method) if isinstance(method, str) else method
    if isinstance(trials, bool) or trials < LEAST_TRIALS:
        raise InputError(f"trials={trials}: give at least {LEAST_TRIALS}; a bound near the claim needs thousands.")
    budget = Budget(epsilon=epsilon, delta=delta if found.info.needs_delta else 0.0)
    effort = Effort(trials=trials, patience=patience)
    rows = []
    for relation in sorted(found.info.adjacencies):
        crowded = crowd_for(found, relation, k=k, budget=budget)
        for pair in all_pairs(found, relation, crowded=crowded):
            rows.append(audit_pair(found, pair, k=k, budget=budget, effort=effort, confidence=confidence))
    return rows
