"""mean_split: noisy means of the cells of a public random partition, and noisy steps on the records, by length alone.

Releases: a coreset (the cells' means with their counts), k centers, a noisy number of records.
Paper: none; ours. Noisy Lloyd steps are those of Blum, Dwork, McSherry, Nissim 2005; random planes as cells are known
from locality-sensitive hashing; noise by length is the K-norm mechanism (Hardt, Talwar 2010) of the Euclidean ball.
Guarantee: (ε, 0), or (ε, δ) with Gaussian noise where δ is given, under ADD_REMOVE_ONE (records, persons with a cap,
weights) and REPLACE_ONE.
Public inputs: box, k, ε, δ, relation, unit; under REPLACE_ONE the number of rows.
Exact inputs: the number of records, counts of classes of length, sums of shortened offsets, counts of cells.
Departures: a partition through the noisy mean instead of cuts at means of its cells, which measured no better.
Steps: the first also mends what cells merged. A part that holds two groups is halved across the axis along which its
cells lie; k-means on the means of all halves gives the groups a center each, and takes one from a group that has two.
Proof: docs/proofs/mean_split.md.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from dpviz.clustering import assign, solve_kmeans
from dpviz.domain import Adjacency, Centers, Coreset, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree.budget import floor_float
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.mechanisms.mean_split.partition import (
    FINE,
    STEPS_OF_PLANES,
    USUAL,
    Cloud,
    found_view,
    in_ball,
    measured_cells,
    planes,
    relative_noise,
    shrunk,
    too_few_to_see,
    whole_steps,
)
from dpviz.mechanisms.mean_split.queries import (
    FARTHEST,
    LATTICE,
    PERSON_PART,
    RUNGS,
    Floats,
    PartsAsked,
    Purse,
    ReachesAsked,
    View,
    exact_answer,
)
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge, rho_within

SHARE_OF_REACHES = Fraction(1, 20)  # privacy-bearing: of a step, for the counts of classes of reach
SEEN = 2.0  # standard deviations of noise from which a class is believed to hold records
ALIKE, ALIKE_IN_HALVES = 0.8, 1.2  # how much of what is cut off may lie in one direction
HALVING = 0.5  # of the reach: noise of the mean of half a part below which halves are asked
DOUBT, DOUBT_OF_HALVES = 0.3, 0.5  # share by which a weight that is believed may be wrong
SMALL_PART, LEAST_PART = 0.25, 0.1  # of an even share: parts are not believed smaller; no sum is divided by less
LEAST_SPREAD = 1e-9  # below it places of a part are its center
SEARCH = {"starts": 8, "refine": 2}


def searched(cloud: Cloud, k: int) -> Floats:
    """The different centers of k-means on a cloud."""
    found = solve_kmeans(cloud.places, cloud.weights, k, seed=0, **SEARCH).centers
    return np.unique(in_ball(found), axis=0)


def walked(
    data: ExactPoints, view: View, cloud: Cloud, k: int, steps: int, purse: Purse, total: float, *, mend: bool
) -> Floats:
    """[P8] Centers after some steps that spend all that is left; `mend`: the first may divide parts."""
    centers = searched(cloud, k)
    each = purse.left / steps
    for step in range(steps):
        spend = min(each, purse.left)
        purse.left -= spend
        centers, cloud = _moved(data, view, cloud, centers, k, spend, purse, total, mend=mend and step == 0)
    return centers


def _moved(
    data: ExactPoints, view: View, cloud: Cloud, centers: Floats, k: int, spend: Fraction, purse: Purse, total: float,
    *, mend: bool,
) -> tuple[Floats, Cloud]:  # fmt: skip
    """[P8] One step."""
    parts, dims = centers.shape
    for_reaches = spend * SHARE_OF_REACHES
    for_sums = spend - for_reaches
    lattice = whole_steps(centers)
    centers = lattice / LATTICE
    asked = ReachesAsked(view=view, centers=lattice)
    counted = purse.add_to_counts(exact_answer(data, asked), for_reaches)  # [P8]
    counted = np.where(counted > SEEN * purse.count_deviation(for_reaches), counted, 0.0)
    variance = purse.row_variance(for_sums, dims + 1)
    halves = mend and math.sqrt(dims * variance) * 2 * parts / total < HALVING
    fold = 2 if halves else 1
    reach = _best_reach(counted, fold * parts, dims * variance, total, ALIKE_IN_HALVES if halves else ALIKE)
    radius = purse.radius(for_sums)
    directions = _longest_axes(cloud, centers, planes(purse.noise, 1, dims)[0]) if halves else None
    sums = PartsAsked(view=view, centers=lattice, reach=reach * LATTICE, radius=radius, directions=directions)
    noisy = purse.add_to_rows(exact_answer(data, sums), for_sums)  # [P8]
    held = np.bincount(assign(cloud.places, centers), weights=cloud.weights, minlength=parts)
    held = np.repeat(held / fold, fold)
    even = total / len(held)
    doubt = variance * PERSON_PART**2
    unsure = ((DOUBT_OF_HALVES if halves else DOUBT) * np.maximum(held, SMALL_PART * even)) ** 2
    weights = (noisy[:, dims] * PERSON_PART / doubt + held / unsure) / (1.0 / doubt + 1.0 / unsure)
    weights = np.maximum(weights, LEAST_PART * even)
    shifts = shrunk(noisy[:, :dims] * reach / weights[:, None], dims * variance * (reach / weights) ** 2)
    places = in_ball(np.repeat(centers, fold, axis=0) + shifts)
    if not halves:
        return places, cloud
    cloud = Cloud(places=places, weights=weights, variances=1.0 / (1.0 / doubt + 1.0 / unsure))
    return searched(cloud, k), cloud


def _longest_axes(cloud: Cloud, centers: Floats, otherwise: Floats) -> Floats:
    """[P8] The axis along which each part's known places vary most, in whole steps; `otherwise` where none do."""
    labels = assign(cloud.places, centers)
    axes = np.repeat(otherwise[None], len(centers), axis=0)
    for part in range(len(centers)):
        offsets = (cloud.places - centers[part])[labels == part]
        spread = offsets * np.sqrt(cloud.weights[labels == part])[:, None]
        if np.abs(spread).max(initial=0.0) > LEAST_SPREAD:
            axes[part] = np.rint(np.linalg.svd(spread, full_matrices=False)[2][0] * STEPS_OF_PLANES)
    return axes


def _best_reach(counted: Floats, parts: int, variance: float, total: float, alike: float) -> float:
    """In reaches: the rung with the least expected error, noise against what shortening takes from far records."""
    if not counted.any():
        return 1.0
    rungs = FARTHEST * 0.5 ** (np.arange(RUNGS)[::-1] / 2.0)
    middles = (np.append(0.0, rungs[:-1]) + rungs) / 2.0
    shares = counted / max(float(counted.sum()), 1.0)
    cut = np.array([float((shares * np.maximum(middles - rung, 0.0)).sum()) for rung in rungs])
    return float(rungs[np.argmin(variance * (parts * rungs) ** 2 / total + total * (alike * cut) ** 2)])


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
