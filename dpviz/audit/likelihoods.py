"""The strongest attack there is: somebody sees every protected number of a run and knows both files.

Each run is written down and forced on the other file (docs/proofs/noise.md, *Forced transcripts*): the logarithm of
the ratio of its probabilities under both files is then known exactly. By the Neyman–Pearson lemma no test of the two
files is better than a threshold on it, and what is published is computed from the same protected numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from dpviz.audit.forced_source import Step, TellingSource
from dpviz.audit.losses import loss
from dpviz.audit.pairs import Pair
from dpviz.audit.transcript_check import fingerprint, forced_run
from dpviz.domain import Adjacency
from dpviz.mechanisms.interface import ExactData, Mechanism, Plan, Public
from dpviz.mechanisms.subsampled import Subsampled
from dpviz.noise import Sampler
from dpviz.noise.checks import rounded_up
from dpviz.privacy import Budget


@dataclass(frozen=True, kw_only=True)
class Told:
    """One run that was forced on the other file."""

    likelihood: float  # ln P(transcript | first file) − ln P(transcript | second file)
    most: float  # what the difference of the files may cost along this path, at most


def offered(method: Mechanism) -> bool:
    """A run on a secret sample has no likelihood without summing over all samples."""
    return not any(isinstance(one, Subsampled) for one in (method, getattr(method, "base", None)))


def told_run(method: Mechanism, pair: Pair, plan: Plan, budget: Budget, source: Sampler, *, on_second: bool) -> Told:
    """A run on one of the files, forced on the other.

    Methods that are private under add-remove, and through it under replace, state what half of a replaced record
    costs: they are forced on the file without the record first.
    """
    own, other = (pair.second, pair.first) if on_second else (pair.first, pair.second)
    telling = TellingSource(source)
    handed_out = fingerprint(method.run(own, plan, telling))
    halves = pair.middle is not None and Adjacency.ADD_REMOVE_ONE in method.info.adjacencies and method.info.needs_delta
    files = (pair.middle, other) if halves and pair.middle is not None else (other,)
    before, ratio, most = telling.steps, 0.0, 0.0
    for file in files:
        forced = forced_run(method, own, file, plan, telling, handed_out)
        after = [replace(step, told=first.told) for step, first in zip(forced, telling.steps, strict=True)]
        found = loss(before, after, budget)
        ratio += found.realised + gaussian_ratio(before, after)
        most += found.epsilon
        before = after
    return Told(likelihood=-ratio if on_second else ratio, most=most)


def gaussian_ratio(first: list[Step], other: list[Step]) -> float:
    """The part of the likelihood that Gaussian steps have, which the account of losses leaves out."""
    total = 0.0
    for before, after in zip(first, other, strict=True):
        if before.kind == "gaussian":
            told, one, two = (np.asarray(values, np.float64) for values in (before.told, before.exact, after.exact))
            scale = rounded_up(float(str(before.asked[0])))
            total += float(((told - two) ** 2 - (told - one) ** 2).sum()) / (2 * scale * scale)
    return total


def laplace_variance(scale: float) -> float:
    """Variance of discrete Laplace noise of this scale."""
    decay = math.exp(-1.0 / scale)
    return 2.0 * decay / (1.0 - decay) ** 2 if decay < 1.0 else 2.0 * scale * scale


def public_plan(method: Mechanism, data: ExactData, *, k: int, budget: Budget) -> Plan:
    """The plan of a run on one of the files; the same for both, as it sees public facts alone."""
    return method.plan(Public.of(data), k=k, budget=budget)
