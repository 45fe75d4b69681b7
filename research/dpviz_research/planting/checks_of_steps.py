"""Checks of single steps, where a whole transcript has room to spare: what one step costs against its own share."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import replace

import numpy as np

from dpviz.audit.transcripts import RecordingSource, Step
from dpviz.domain import ExactCounts
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.baselines.covering import Image, lloyd_step, noisy_averages
from dpviz.mechanisms.baselines.grid_cover import CoverRound, CoverTable, Ladder, select_candidates
from dpviz.mechanisms.interface import Public
from dpviz.mechanisms.peeled_balls.engine import Peeler
from dpviz.mechanisms.peeled_balls.mechanism import CenterChoice, LargestCounts, RadiusChoice
from dpviz.mechanisms.peeled_balls.small_ball import noisy_middle
from dpviz.mechanisms.subsampled import RATE
from dpviz.noise import replayable_source
from dpviz.noise.checks import rounded_up
from dpviz.noise.source import Decision, ExponentialLaw
from dpviz.privacy import Budget, rho_within, scale_of_gaussian
from dpviz_research.planting.checks_of_methods import DELTA, replaced, run_cases, town
from dpviz_research.planting.checks_of_noise import agree
from dpviz_research.planting.finding import demand
from dpviz_research.transcripts.data import counts, with_one_more

DRAWS = 3_000
SLACK = 1 + 1e-9


def draws_of_decisions() -> None:
    """Decisions that methods draw by rejection or by groups come out as the exponential mechanism says."""
    cells = town(200)
    state = Peeler(counts(cells).grid, cells)
    weight = 40
    fine = town(2_000, side=64)
    finer = Peeler(counts(fine).grid, fine)
    decisions: list[Callable[[], Decision[int]]] = [
        lambda: RadiusChoice(counts=LargestCounts(finer), weight=200, epsilon=0.02),
        lambda: CenterChoice(state=state, rung=0, weight=weight, epsilon=0.4, monotone=True),
        lambda: CoverRound(table=_table(cells), exponent=0.1),
    ]
    source = replayable_source(13)
    for decision in decisions:
        law = decision().exact_law()
        found = Counter(decision().sample(source) for _ in range(DRAWS))
        likely: dict[Hashable, float] = {one: math.exp(law.log_probability(one)) for one in found}
        often = {one: chance for one, chance in likely.items() if chance > 0.01}
        often_found = {one: found[int(str(one))] for one in often}
        agree(
            {**often_found, "rest": DRAWS - sum(often_found.values())},
            {**often, "rest": 1 - sum(often.values())},
            DRAWS,
            decision().question.kind,
        )


def _table(cells: np.ndarray) -> CoverTable:
    image = _image(counts(cells))
    return CoverTable(image.exact_image, image.exact_multiplicity, Ladder.of(image.reach, 200).grids[-1])


def _image(data: ExactCounts) -> Image:
    return Image.of(data, 2, replayable_source(1))


def cover_leaves() -> None:
    """Records that a place covers are gone for all later rounds and radii: each round offers what is left, no more."""
    data = counts(town(300))
    image = _image(data)
    ladder = Ladder.of(image.reach, 300)
    telling = RecordingSource(replayable_source(3))
    select_candidates(image, ladder, 3, 0.5, telling)
    left = np.ones(len(image.exact_image), np.bool_)
    for number, step in enumerate(telling.steps):
        grid = ladder.grids[number // 3]
        law = step.exact
        assert isinstance(law, ExponentialLaw)
        held = int(image.exact_multiplicity[left].sum())
        demand(int(law.scores.max(initial=0)) <= held, "a round counts records that were covered before")
        vertex = grid.vertex(int(step.answer)) * grid.unit
        reached = ((image.exact_image - vertex) ** 2).sum(axis=1) <= (grid.radius * 0.999) ** 2
        left &= ~reached


def steps_of_covering() -> None:
    """One record more costs no more in the averages, and in the last step, than their own budgets."""
    cells = np.zeros((16, 16), np.int64)
    cells[4, 4], cells[12, 12] = 3, 400
    images = [_image(counts(one)) for one in (cells, *with_one_more(cells, ((0, 0), (15, 15), (0, 15))))]
    budget = Budget(epsilon=1.0, delta=DELTA)
    proxies = np.array([[-0.25, 0.25], [0.25, -0.25]]) * images[0].reach
    for number in range(20):
        runs = [RecordingSource(replayable_source(number)) for _ in images]
        for image, run in zip(images, runs, strict=True):
            lloyd_step(
                image, image.box.limits / 2 + np.array([[-9.0, -9.0], [9.0, 9.0]]), budget, run, largest_move=1.0
            )
        for run in runs[1:]:
            demand(
                _gaussian_cost(runs[0].steps, run.steps) <= rho_within(budget) * SLACK, "the last step costs too much"
            )
    share = rho_within(Budget(epsilon=0.8, delta=DELTA / 2))
    for number in range(20):
        first = RecordingSource(replayable_source(number))
        noisy_averages(images[0], proxies, budget, first, largest_move=1.0)
        for image in images[1:]:
            other = RecordingSource(replayable_source(number))
            noisy_averages(image, proxies, budget, other, largest_move=1.0)
            same = [one.asked for one in first.steps] == [two.asked for two in other.steps]
            if same:  # both runs had the same noisy counts, so the same scales
                demand(
                    _gaussian_cost(first.steps, other.steps) <= share * SLACK, "an average costs more than its share"
                )
    for held in (5, 400):
        cells[4, 4] = cells[12, 12] = held
        image = _image(counts(cells))
        least = scale_of_gaussian(image.diameter / held + math.sqrt(2), share)
        for number in range(10):
            first = RecordingSource(replayable_source(number))
            noisy_averages(image, proxies, budget, first, largest_move=1.0)
            scales = [float(str(step.asked[0])) for step in first.steps if step.kind == "gaussian"]
            demand(all(scale >= least for scale in scales), "the noise of an average is that of a larger part")


def _gaussian_cost(first: list[Step], other: list[Step]) -> float:
    total = 0.0
    for before, after in zip(first, other, strict=True):
        if before.kind == "gaussian":
            moved = np.asarray(after.exact, np.float64) - np.asarray(before.exact, np.float64)
            total += float((moved**2).sum()) / (2 * rounded_up(float(str(before.asked[0]))) ** 2)
    return total


def paper_rounds() -> None:
    """A round of the printed algorithm costs 3ε/(8k ln n), radius and center together, whatever rounds are left out."""
    rows, epsilon, k = 60_000, 8.0, 1
    case = replaced(rows - 5, budget=Budget(epsilon=epsilon, delta=1e-5), k=k)
    method = catalogue.get("peeled_balls_paper")
    plan = method.plan(Public.of(case.data), k=k, budget=case.budget)
    rounds = int(str(method.run(case.data, plan, replayable_source(case.seed)).constants["rounds"]))
    demand(rounds >= 1, "the printed algorithm ran no round")
    spent = rounds * 3 * epsilon / (8 * k * math.log(rows))
    claims = (Budget(epsilon=min(spent * SLACK, 100.0), delta=1e-5),) * len(case.neighbours)
    run_cases(method, iter([replace(case, claims=claims, others=())]))


def average_of_a_box() -> None:
    """The noisy average of a box costs the ε that it is given, by what it states that a moved record may change."""
    positions, held = np.array([[3, 4], [5, 6]], np.int64), np.array([40, 2], np.int64)
    telling = RecordingSource(replayable_source(5))
    index, shift = np.zeros(2, np.int64), np.zeros(2, np.int64)
    noisy_middle(positions, held, index, shift, 8, 0.3, telling)
    (step,) = telling.steps
    moved = 2 * 2 * 7  # a record that leaves one corner for the other: the count and two sums, each by the reach twice
    demand(step.sensitivity is not None and step.sensitivity >= moved, "an average states too small a sensitivity")
    demand(moved / rounded_up(float(str(step.asked[0]))) <= 0.3, "an average of a box costs more than its share")


def secret_samples() -> None:
    """The base sees the sample and nothing else; the sample is drawn by coins or by a random order."""
    method = catalogue.get("subsampled:uniform_grid")
    budget = Budget(epsilon=1.0)
    for relation, kind in (("add-remove", "coins for records"), ("replace", "order of rows")):
        data = counts(town(2_000), relation, rows=2_005)
        telling = RecordingSource(replayable_source(4))
        method.run(data, method.plan(Public.of(data), k=2, budget=budget), telling)
        drawn = [step for step in telling.steps if step.kind == kind]
        demand(len(drawn) == 1, "the sample is not drawn")
        told = np.asarray(drawn[0].answer)
        if relation == "add-remove":
            demand(float(str(drawn[0].asked[0])) <= RATE, "coins fall oftener than the amplification counts with")
            kept = int(told.sum())
        else:
            kept = int((told[:2_000] < int(RATE * 2_005)).sum())  # rows in the box whose place is in the sample
        counted = next(step for step in telling.steps if step.kind == "laplace" and np.asarray(step.exact).size > 1)
        demand(int(np.asarray(counted.exact).sum()) == kept, "the base counts records that are not in the sample")


CHECKS: dict[str, Callable[[], None]] = {
    "draws of the methods' own decisions": draws_of_decisions,
    "coverage by rounds": cover_leaves,
    "the steps of covering": steps_of_covering,
    "the rounds of the printed algorithm": paper_rounds,
    "the average of a box": average_of_a_box,
    "what the base of a sample sees": secret_samples,
}
