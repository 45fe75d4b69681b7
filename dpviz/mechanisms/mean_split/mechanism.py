"""mean_split: noisy means of the cells of a public random partition, and noisy steps on the records, by length alone.

Releases: a coreset (the cells' means with their counts), k centers, a noisy number of records.
Paper: none; ours. Noisy Lloyd steps are those of Blum, Dwork, McSherry, Nissim 2005; random planes as cells are known
from locality-sensitive hashing; noise by length is the K-norm mechanism (Hardt, Talwar 2010) of the Euclidean ball.
Guarantee: (ε, 0), or (ε, δ) with Gaussian noise where δ is given, under ADD_REMOVE_ONE (records, persons with a cap,
weights) and REPLACE_ONE.
Public inputs: box, k, ε, δ, relation, unit; under REPLACE_ONE the number of rows.
Exact inputs: the number of records, counts of classes of length, sums of shortened offsets, counts of cells.
Departures: a partition through the noisy mean instead of cuts at means of its cells, which measured no better.
Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import Adjacency, Centers, Coreset, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.budget import floor_float
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.mechanisms.mean_split.partition import (
    FINE,
    USUAL,
    Cloud,
    found_view,
    measured_cells,
    relative_noise,
    too_few_to_see,
)
from dpviz.mechanisms.mean_split.purse import Purse
from dpviz.mechanisms.mean_split.queries import View
from dpviz.mechanisms.mean_split.walk import walked
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, rho_within

Floats = NDArray[np.float64]
COUNTING_SHARE, COUNTING_AGAIN = 0.01, 0.1  # of the whole, for the number of records, and once more where unsure
SURE = 15.0  # deviations of its noise that the first number must be large
ALL = "mean, cells and steps"
# Utility only, by how large the noise of a group's mean is, in reaches, if all of the budget bought it.
MORE = 2.4  # times the records whose lengths can be seen at all must be there to look for groups
TOLD_APART = 0.4  # from here on k groups cannot be told apart: one center is looked for
WEAK, UNCLEAR = 0.2, 0.15  # where the share of the cells ends to grow; from where on a step less is taken
CLEAR = 0.003  # below it cells are cut further and more steps are taken
SHARE_OF_CELLS = (0.4, 0.6)  # of what is left after looking, on strong and on weak data


class MeanSplit:
    """The method for five dimensions and more."""

    info = MethodInfo(
        name="mean_split",
        title="Means of cells",
        summary="Cuts the records' surroundings by random planes, takes noisy means of the cells, then corrects them.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE}),
        needs_delta=False,
        dims=(5, 1000),
        takes="points",
        gives_coreset=True,
        proof="mean_split",
        vetted=True,
        person_cap=True,
    )

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        if budget.delta > 0:  # [P1]
            charge = Charge(name=ALL, epsilon=budget.epsilon, delta=budget.delta, rho=rho_within(budget))
        else:
            charge = Charge(name=ALL, epsilon=floor_float(Fraction(budget.epsilon)))
        return Plan(method=self.info.name, k=k, budget=budget, charges=(charge,))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        if not isinstance(data, ExactPoints):
            raise InputError(f"{self.info.name} takes points, not counts of cells.")
        purse = Purse.of(plan.charges[0], Public.of(data), noise)
        total = _total(data, purse)
        unclear = relative_noise(purse, data.frame.dims, total) * plan.k
        told_apart = plan.k == 1 or (unclear < TOLD_APART and not too_few_to_see(purse, total / MORE))
        clear = unclear < CLEAR
        view = found_view(data, purse, total, alone=not told_apart)
        if plan.k > 1 and told_apart:
            strong, weak = SHARE_OF_CELLS
            share = strong + (weak - strong) * min(1.0, unclear / WEAK)
            cloud = measured_cells(data, view, plan.k, purse, share, total, FINE if clear else USUAL)
        else:
            cloud = Cloud(places=np.zeros((1, data.frame.dims)), weights=np.array([total]), variances=np.zeros(1))
        steps = 4 if clear else (3 if purse.gaussian else 2) - (unclear > UNCLEAR)
        centers = walked(data, view, cloud, plan.k, steps, purse, total, mend=plan.k > 1 and told_apart)
        return _answer(data, view, cloud, centers, plan.k, total, told_apart=told_apart)


def _total(data: ExactPoints, purse: Purse) -> float:
    """[P2] The number of records: public, or noisy and at least 1."""
    if data.relation is Adjacency.REPLACE_ONE:
        return float(max(1, data.public_rows or 0))
    exact = np.array([data.exact_total])
    spend = purse.take(COUNTING_SHARE)
    total, deviation = float(purse.add_to_counts(exact, spend)[0]), purse.count_deviation(spend)
    if total < SURE * deviation:
        spend = purse.take(COUNTING_AGAIN)
        again, better = float(purse.add_to_counts(exact, spend)[0]), purse.count_deviation(spend)
        total = (total / deviation**2 + again / better**2) / (1.0 / deviation**2 + 1.0 / better**2)
    return max(1.0, total)


def _answer(
    data: ExactPoints, view: View, cloud: Cloud, centers: Floats, k: int, total: float, *, told_apart: bool
) -> Answer:
    """[P9] Back in the box; cells are moved with the last centers, so that both agree."""
    frame = data.frame
    labels = assign(cloud.places, centers)
    held = np.bincount(labels, weights=cloud.weights, minlength=len(centers)).astype(np.float64)
    sums = np.zeros_like(centers)
    np.add.at(sums, labels, cloud.places * cloud.weights[:, None])
    moves = np.where(held[:, None] > 0.0, centers - sums / np.maximum(held, 1e-300)[:, None], 0.0)
    order = np.argsort(-held, kind="stable")
    chosen = np.append(order, np.full(k - len(order), order[0]))
    weights = np.append(held[order], np.zeros(k - len(order)))

    def placed(offsets: Floats) -> Floats:
        return np.clip(view.middle + view.reach * offsets, 0.0, frame.extent)

    return Answer(
        coreset=Coreset(
            frame=frame,
            positions=placed(cloud.places + moves[labels]),
            weights=cloud.weights,
            variances=cloud.variances,
        ),
        centers=Centers(frame=frame, positions=placed(centers[chosen]), weights=weights),
        noisy_total=total,
        constants={"told_apart": told_apart, "cells": len(cloud.weights), "reach": float(f"{view.reach:.4g}")},
    )


MEAN_SPLIT = MeanSplit()
