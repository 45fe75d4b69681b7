"""turned_tree: noisy principal axes of the records, `adaptive_tree` in a box along them, then steps on the records.

Releases: a coreset and centers, turned back into the public box, and noisy numbers of records. Where the box found lies
along the same axes and is hardly smaller, `adaptive_tree` runs in the public one instead; its cells are released too.
Paper: none; ours. Principal axes from a noisy sum of products are private PCA (Blum, Dwork, McSherry, Nissim 2005).
They also take noisy Lloyd steps; here offsets are clipped near each center. Guarantee: (ε, 0) under ADD_REMOVE_ONE
(records, persons with a cap, weights) and REPLACE_ONE. Public inputs: box, k, ε, relation, unit; under REPLACE_ONE the
number of rows. Exact inputs: five sums over records (adaptive_tree/turning.py); those of `adaptive_tree`; per step
counts of classes of reach, and clipped sums of offsets and counts per part. Departures: Laplace noise on products
shortened to a noisy length; axes stay where noise hides the main ones, or where little lies slanted. Proof:
docs/proofs/turned_tree.md.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.clustering import assign
from dpviz.domain import Adjacency, Centers, Coreset, ExactPoints
from dpviz.errors import InputError
from dpviz.mechanisms.adaptive_tree import _kernels
from dpviz.mechanisms.adaptive_tree.budget import floor_float, per_record, scale_for, units_touched
from dpviz.mechanisms.adaptive_tree.growth import laplace_variance
from dpviz.mechanisms.adaptive_tree.mechanism import ADAPTIVE_TREE, POINTS, AdaptiveTree
from dpviz.mechanisms.adaptive_tree.turning import Spends, Turning, exact_classes, measure_turning
from dpviz.mechanisms.interface import Answer, ExactData, MethodInfo, Plan, Public, check_request
from dpviz.mechanisms.uncertainty import radii, round_to_4_digits
from dpviz.noise import NoiseSource
from dpviz.privacy import Budget, Charge

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
LATTICE = 1 << 20  # integer steps per radius
PERSON = LATTICE >> 3  # steps that a record's being there counts for, beside its offset
REACHES = 40  # classes of reach, each 1.41 times the one before
REACHES_SHARE = Fraction(1, 10)  # privacy-bearing: share of a step for the counts of classes
SEEN = 2.0  # standard deviations of noise from which a class is believed to hold records
ALIKE = 0.8  # how much of what is cut off may lie in one direction
DOUBT = 0.3  # share by which a weight that is believed may be wrong
SMALL_PART = 0.25  # of an even share of records: parts are not believed to be known better than one so large
LEAST_PART = 0.1  # of an even share: no sum is divided by less


@dataclass(frozen=True, kw_only=True, eq=False)
class Step:
    """Current centers, and the expected squared error of each from noise."""

    centers: Floats  # (k, d)
    error: Floats  # (k,)


def step_on_records(
    places: Floats, centers: Floats, held: Floats, total: float, widest: float, spend: Fraction, noise: NoiseSource
) -> Step:
    """[P12] [P13] Move each center to the noisy mean of its part, as far as the noise allows.

    `held`: believed number of records of each part; `total`: of all parts; `widest`: the longest reach in the query.
    """
    k, dims = centers.shape
    for_reaches = spend * REACHES_SHARE
    for_sums = spend - for_reaches
    ladder = widest * 0.5 ** (np.arange(REACHES)[::-1] / 2.0)
    seen = noise.add_laplace(exact_reaches(places, centers, ladder), scale_for(for_reaches))  # [P12]
    scale = scale_for(for_sums, LATTICE + PERSON)
    believed = np.where(seen > SEEN * np.sqrt(laplace_variance(scale_for(for_reaches))), seen, 0)
    radius = best_radius(believed, ladder, total, k, dims, scale / LATTICE)
    noisy = noise.add_laplace(exact_parts(places, centers, radius), scale)  # [P13]
    counted, doubt = noisy[:, dims] / PERSON, 2.0 * (scale / PERSON) ** 2
    unsure = (DOUBT * np.maximum(held, SMALL_PART * total / k)) ** 2
    weight = np.maximum((counted / doubt + held / unsure) / (1.0 / doubt + 1.0 / unsure), LEAST_PART * total / k)
    shifts = noisy[:, :dims] * (radius / LATTICE) / weight[:, None]
    variance = dims * 2.0 * (scale * radius / LATTICE) ** 2 / weight**2
    told = np.maximum(0.0, 1.0 - variance / np.maximum((shifts**2).sum(axis=1), 1e-300))
    # A mean of clipped offsets is never longer than the clip; what is longer is noise over a tiny weight.
    told *= np.minimum(1.0, radius / np.maximum(np.abs(shifts).sum(axis=1) * told, 1e-300))
    return Step(centers=centers + told[:, None] * shifts, error=variance)


def exact_reaches(places: Floats, centers: Floats, ladder: Floats) -> Integers:
    """Count records by their L1 distance to the nearest center: the first rung that is not below it, or the last."""
    nearest = assign(places, centers)
    reach = np.zeros(len(places))
    for column, of_centers in zip(places.T, centers.T, strict=True):
        reach += np.abs(column - of_centers[nearest])
    return exact_classes(reach, ladder)


def exact_parts(places: Floats, centers: Floats, radius: float) -> Integers:
    """Per part: Σ of offsets in whole steps, each shortened to LATTICE in all, and PERSON for each record, (k, d+1)."""
    k = len(centers)
    sums = _kernels.clipped_point_sums(places, np.ascontiguousarray(centers), np.full(k, radius), LATTICE)
    return np.column_stack([sums, np.bincount(assign(places, centers), minlength=k).astype(np.int64) * PERSON])


def best_radius(seen: Integers, ladder: Floats, total: float, k: int, dims: int, scale: float) -> float:
    """The clipping radius with the least expected error of all means: noise against the error of clipping."""
    middles = (np.append(0.0, ladder[:-1]) + ladder) / 2.0
    shares = seen / max(float(seen.sum()), 1.0)
    cut = np.array([float((shares * np.maximum(middles - reach, 0.0)).sum()) for reach in ladder])
    noise = 2.0 * dims * (scale * k * ladder) ** 2 / total
    return float(ladder[np.argmin(noise + total * (ALIKE * cut) ** 2 / dims)])


AXES_SHARE = Fraction(14, 100)  # privacy-bearing: share of ε for the axes and the box
TREE_SHARE = Fraction(2, 5)  # privacy-bearing: of what is left; the steps have the rest
STEPS = 3  # privacy-bearing: they share evenly
WEAK = 1500.0  # n·ε per center; below it the tree in many dimensions keeps its budget for itself
ROOMY = 0.8  # of the public box's sides, in the geometric mean: so large a box along the same axes gains nothing
FEW_AXES = 10  # along more of them steps on the records are worth more than the tree's own rounds in any box
# Of a center's squared error: times what noise makes of it, and times how far the last step moved it. Chosen on one
# half of made sets in 5 and 6 dimensions (docs/decisions/0070-accuracy-elsewhere.md).
OF_NOISE, OF_MOVING = 2.3, 0.6
AXES, CENTERS = "axes and box", "centers"
MOST_DIMENSIONS = 24  # a record gives d·(d+1)/2 products; in more dimensions noise hides them all


class TurnedTree:
    """The tree for records that vary along other directions than the box or fill little of it."""

    info = MethodInfo(
        name="turned_tree",
        title="Turned tree",
        summary="Finds along which directions records vary, lays a box along these, and runs the adaptive tree in it.",
        paper="dpviz",
        adjacencies=frozenset({Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE}),
        needs_delta=False,
        dims=(3, MOST_DIMENSIONS),
        proof="turned_tree",
        takes="points",
        vetted=ADAPTIVE_TREE.info.vetted,  # its page must have been read, too
        person_cap=True,
    )

    def __init__(self, tree: AdaptiveTree | None = None) -> None:
        self.plain = tree or ADAPTIVE_TREE
        self.weak = tree or AdaptiveTree(points_recipe=replace(POINTS, rounds_along_many_axes=()))
        self.strong = tree or AdaptiveTree(points_recipe=replace(POINTS, rounds_along_many_axes=(Fraction(2, 5),)))

    def plan(self, public: Public, *, k: int, budget: Budget) -> Plan:
        check_request(self.info, public, k=k, budget=budget)
        axes = Charge(name=AXES, epsilon=floor_float(Fraction(budget.epsilon) * AXES_SHARE))  # [P1]
        centers = Charge(name=CENTERS, epsilon=floor_float(Fraction(budget.epsilon) - Fraction(axes.epsilon)))
        tree, _ = divide_rest(centers)
        for inside, charge in ((self.plain, centers), (self.weak, tree)):  # what they refuse is refused before any draw
            inside.plan(public, k=k, budget=Budget(epsilon=charge.epsilon))
        return Plan(method=self.info.name, k=k, budget=budget, charges=(axes, centers))

    def run(self, data: ExactData, plan: Plan, noise: NoiseSource) -> Answer:
        if not isinstance(data, ExactPoints):
            raise InputError(f"{self.info.name} takes points, not counts of cells.")
        public = Public.of(data)
        axes, main = plan.charges
        spends = Spends.of(per_record(axes, public), number=public.public_rows is None)  # [P1]
        turning = measure_turning(data, spends, noise)
        strong = turning.total * plan.budget.epsilon / units_touched(public) >= WEAK * plan.k
        if strong and is_no_smaller(turning):  # [P8]
            answer = self.plain.run(  # [P9]
                data, self.plain.plan(public, k=plan.k, budget=Budget(epsilon=main.epsilon)), noise
            )
            assert answer.cells is not None
            told = {**answer.constants, "axes_turned": False, "own_box": False}
            return replace(answer, constants=told, cells=answer.cells.paid_by(1, of=(AXES, CENTERS)))
        tree, walk = divide_rest(main)
        turned = turning.turned_records(data)  # [P10]
        inside = self.strong if strong else self.weak
        answer = inside.run(  # [P11]
            turned, inside.plan(Public.of(turned), k=plan.k, budget=Budget(epsilon=tree.epsilon)), noise
        )
        coreset, centers = answer.coreset, answer.centers
        assert coreset is not None and centers is not None
        points = coreset.positions / turning.unit
        step = Step(centers=centers.positions / turning.unit, error=np.zeros(plan.k))
        places, widest = turning.places(data), 2.0 * float((turning.high - turning.low).sum())
        spend = per_record(walk, public) / STEPS  # [P1]
        before = step
        for _ in range(STEPS):
            held, before = held_by(points, coreset.weights, step.centers), step
            step = step_on_records(places, step.centers, held, turning.total, widest, spend, noise)  # [P12] [P13]
        still = ((step.centers - before.centers) ** 2).sum(axis=1)
        known = replace(step, error=OF_NOISE * step.error + OF_MOVING * still)
        return self._answer(answer, turning, points, known)  # [P14]

    def _answer(self, answer: Answer, turning: Turning, points: Floats, step: Step) -> Answer:
        """[P14] Turn centers and points back into the public box; points of each part move with their center."""
        coreset, frame = answer.coreset, turning.frame
        assert coreset is not None
        labels = assign(points, step.centers)
        held = held_by(points, coreset.weights, step.centers)
        sums = np.zeros_like(step.centers)
        np.add.at(sums, labels, points * coreset.weights[:, None])
        shifts = np.where(held[:, None] > 0.0, step.centers - sums / np.maximum(held, 1e-300)[:, None], 0.0)
        order = np.argsort(-held, kind="stable")
        spread = step.error[order] * turning.unit**2
        told = {name: value for name, value in answer.constants.items() if not name.startswith("center_error_")}
        return Answer(
            coreset=Coreset(
                frame=frame,
                positions=turning.back((points + shifts[labels]) * turning.unit),
                weights=coreset.weights,
                variances=coreset.variances,
            ),
            centers=Centers(
                frame=frame, positions=turning.back(step.centers[order] * turning.unit), weights=held[order]
            ),
            noisy_total=answer.noisy_total,
            constants={
                **told,
                "center_radii_90": round_to_4_digits(radii(spread, frame)),
                "axes_turned": turning.turned,
                "own_box": True,
            },
        )


def is_no_smaller(turning: Turning) -> bool:
    """[P8] Whether the box found lies along the axes of the public box and is about as large."""
    return not turning.turned and turning.roominess >= ROOMY and turning.frame.dims <= FEW_AXES


def divide_rest(main: Charge) -> tuple[Charge, Charge]:
    """[P1] Divide what is left after the axes: for the tree along them and for the steps."""
    tree = Charge(name="tree along them", epsilon=floor_float(Fraction(main.epsilon) * TREE_SHARE))
    return tree, Charge(name="steps on records", epsilon=floor_float(Fraction(main.epsilon) - Fraction(tree.epsilon)))


def held_by(points: Floats, weights: Floats, centers: Floats) -> Floats:
    """Sum the weights nearest to each center, (k,)."""
    return np.bincount(assign(points, centers), weights=weights, minlength=len(centers)).astype(np.float64)


TURNED_TREE = TurnedTree()
