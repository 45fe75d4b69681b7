"""Attack a method: lower bounds on the ε that it really gives, beside the exact maximum of each pair of files.

A result above the claim proves a defect. A result below the claim proves nothing by itself: the pair may not be able
to lose more. So each row has the *exact maximum* beside it: the most that this pair can lose along the paths that were
seen, computed from the declared noise, without sampling.

The strongest attacker sees every protected number of a run and knows both files. Each run is recorded and forced on
the other file (docs/proofs/noise.md, *Forced transcripts*), which gives its log-likelihood ratio exactly. By the
Neyman–Pearson lemma no test of the two files is better than a threshold on it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz.audit.attacks import CONFIDENCE, Floats, Pair, all_pairs, compute_statistics, crowd_for, lower_bound
from dpviz.audit.losses import measure_loss
from dpviz.audit.transcripts import RecordingSource, Step, digest_output, force_run
from dpviz.domain import Adjacency
from dpviz.errors import InputError
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Mechanism, Plan, Public
from dpviz.mechanisms.subsampled import Subsampled
from dpviz.noise import Sampler, replayable_source
from dpviz.noise.checks import rounded_up
from dpviz.privacy import Budget

LEAST_FORCED = 5  # for the exact maximum alone, where forcing a run takes long
_SLACK = 1e-9
_LEAST_TRIALS = 100
_MOST_FORCED = 4_000  # runs on each file for the likelihood, which says all there is with fewer runs
_ENOUGH_FORCED = 500  # below it no bound of use comes out, and none is reported

Sources = Callable[[int], Sampler]


@dataclass(frozen=True, kw_only=True)
class Effort:
    """How many runs on each of the two files; `patience` in CPU seconds a pair cuts them down for slow methods.

    At least `least` runs are made however long they take.
    """

    trials: int
    least: int = _LEAST_TRIALS
    forced: int = _MOST_FORCED
    patience: float | None = None


def sample(
    method: Mechanism, pair: Pair, *, k: int, budget: Budget, trials: int, source: Sources = replayable_source
) -> tuple[Floats, Floats]:
    """Rows of statistics of `trials` runs on each of the two inputs."""
    rows: list[list[Floats]] = [[], []]
    for side, data in enumerate((pair.first, pair.second)):
        plan = method.plan(Public.of(data), k=k, budget=budget)
        noise = source(1_000_003 * side + 17)
        for _ in range(trials):
            rows[side].append(compute_statistics(method.run(data, plan, noise), pair.place))
    return np.array(rows[0]), np.array(rows[1])


def likelihood_ratios(
    method: Mechanism, pair: Pair, *, k: int, budget: Budget, trials: int, source: Sources = replayable_source
) -> tuple[Floats, Floats, float]:
    """Exact log-likelihood ratios of `trials` transcripts on each file, (trials, 1), and the most that any can be."""
    rows: list[list[float]] = [[], []]
    largest = 0.0
    plan = method.plan(Public.of(pair.first), k=k, budget=budget)
    for side in (0, 1):
        noise = source(1_000_003 * side + 29)
        for _ in range(trials):
            ratio, most = _force_on_other(method, pair, plan, budget, noise, on_second=bool(side))
            rows[side].append(ratio)
            largest = max(largest, most)
    return np.array(rows[0])[:, None], np.array(rows[1])[:, None], largest


def _force_on_other(
    method: Mechanism, pair: Pair, plan: Plan, budget: Budget, source: Sampler, *, on_second: bool
) -> tuple[float, float]:
    """Run on one file and force the run on the other: ln P(transcript | first) − ln P(transcript | second), and its
    largest possible value along this path.

    Methods that are private under add-remove, and through it under replace, state what half of a replaced record
    costs: they are forced on the file without the record first.
    """
    own, other = (pair.second, pair.first) if on_second else (pair.first, pair.second)
    recorded = RecordingSource(source)
    output = digest_output(method.run(own, plan, recorded))
    halves = pair.middle is not None and Adjacency.ADD_REMOVE_ONE in method.info.adjacencies and method.info.needs_delta
    before, ratio, most = recorded.steps, 0.0, 0.0
    for file in (pair.middle, other) if halves and pair.middle is not None else (other,):
        after = force_run(method, own, file, plan, recorded, output)
        loss = measure_loss(before, after, budget)
        ratio += loss.realised + _gaussian_ratio(before, after)
        most += loss.epsilon
        before = after
    return -ratio if on_second else ratio, most


def _gaussian_ratio(first: list[Step], other: list[Step]) -> float:
    """The part of the likelihood that Gaussian steps have, which the account of losses leaves out."""
    total = 0.0
    for before, after in zip(first, other, strict=True):
        if before.kind == "gaussian":
            answer, one, two = (np.asarray(part, np.float64) for part in (before.answer, before.exact, after.exact))
            scale = rounded_up(float(str(before.asked[0])))
            total += float(((answer - two) ** 2 - (answer - one) ** 2).sum()) / (2 * scale * scale)
    return total


def _has_likelihood(method: Mechanism) -> bool:
    """A run on a secret sample has no likelihood without summing over all samples."""
    return not any(isinstance(one, Subsampled) for one in (method, getattr(method, "base", None)))


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
    trials, forced = _affordable(method, pair, chosen, spent, effort)
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
        "records": pair.first.exact_total,
        "answered": round(1.0 - float(np.concatenate([first[:, 0], second[:, 0]]).mean()), 3),
        "trials": trials,
        "trials_of_all_numbers": 0,
    }
    worst = published
    if _has_likelihood(method):
        ours, theirs, most = likelihood_ratios(method, pair, k=chosen, budget=spent, trials=forced, source=source)
        row |= {"exact_maximum": round(most, 4), "trials_of_all_numbers": forced}
        if forced >= _ENOUGH_FORCED:
            bound = lower_bound(ours, theirs, delta=spent.delta, confidence=confidence)
            row["bound_from_all_numbers"] = round(bound, 4)
            worst = max(worst, bound)
    row["seconds"] = round(time.perf_counter() - started, 2)
    row["violated"] = bool(worst > spent.epsilon + _SLACK)
    return row


def _affordable(method: Mechanism, pair: Pair, k: int, budget: Budget, effort: Effort) -> tuple[int, int]:
    """How many runs of either kind fit into the patience, half of it each; with few runs only a few are forced."""
    patience = effort.patience

    def count_runs(run: Callable[..., object], most: int, least: int) -> int:
        if patience is None:
            return most
        run(method, pair, k=k, budget=budget, trials=1)  # the first run may compile
        started = time.process_time()
        run(method, pair, k=k, budget=budget, trials=2)
        each = max(1e-6, (time.process_time() - started) / 4)
        return int(min(most, max(least, patience / 4 / each)))

    trials = count_runs(sample, effort.trials, effort.least)
    if not _has_likelihood(method):
        return trials, 0
    forced = count_runs(likelihood_ratios, min(effort.trials, effort.forced), LEAST_FORCED)
    return trials, forced if forced >= _ENOUGH_FORCED else LEAST_FORCED


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
    if isinstance(trials, bool) or trials < _LEAST_TRIALS:
        raise InputError(f"trials={trials}: give at least {_LEAST_TRIALS}; a bound near the claim needs thousands.")
    budget = Budget(epsilon=epsilon, delta=delta if found.info.needs_delta else 0.0)
    effort = Effort(trials=trials, patience=patience)
    rows = []
    for relation in sorted(found.info.adjacencies):
        for pair in all_pairs(found, relation, crowded=crowd_for(found, relation, k=k, budget=budget)):
            rows.append(audit_pair(found, pair, k=k, budget=budget, effort=effort, confidence=confidence))
    return rows
