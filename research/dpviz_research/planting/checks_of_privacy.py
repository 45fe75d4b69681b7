"""Checks of the room of privacy: what it computes, against formulas written anew and brute force."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from functools import partial

import numpy as np
from scipy.stats import binom, hypergeom, norm

from dpviz.domain import Adjacency, GeoBox, Unit
from dpviz.domain.regions import Outline
from dpviz.errors import DpvizError, InputError, RelationNotProved
from dpviz.privacy import (
    Budget,
    Charge,
    Guarantee,
    How,
    Region,
    RegionLevel,
    Sampling,
    add_remove_for_replace,
    base_for,
    disjoint_parts,
    epsilon_of_zcdp,
    histogram_l1,
    noise_scale,
    replace_from_add_remove,
    rho_within,
    scale_of_gaussian,
    verify,
)
from dpviz.privacy.composition import (
    basic,
    delta_of_zcdp,
    histogram_l2,
    moved_record,
    per_round,
    replace_rho_from_add_remove,
    rho_of_gaussian,
    rho_of_pure,
    rho_of_selection,
)
from dpviz.privacy.levels import naive_group, sampled_group
from dpviz.privacy.regions import cell_parts
from dpviz.privacy.sampling import amplified
from dpviz.privacy.windows import ADDING, Spending, Together, fits, window_account
from dpviz.releases.request import ReleaseRequest
from dpviz_research.planting.finding import demand, refuses

EPSILONS = (0.01, 0.3, 1.0, 3.0)
ADD, REPLACE = Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE


def composition() -> None:
    """Sums, zCDP, change of relation, rounding."""
    budgets = [Budget(epsilon=value, delta=1e-7) for value in EPSILONS]
    together = basic(budgets)
    demand(together.epsilon >= sum(EPSILONS) * (1 - 1e-15), "basic composition forgets an epsilon")
    demand(together.delta >= 4e-7 * (1 - 1e-15), "basic composition forgets a delta")
    for epsilon in EPSILONS:
        demand(rho_of_pure(epsilon) >= epsilon**2 / 2, "a pure step costs at least ε²/2 in zCDP")
        demand(rho_of_selection(epsilon) >= epsilon**2 / 8, "a selection costs at least ε²/8 in zCDP")
        demand(Fraction(noise_scale(2.0, epsilon)) >= 2 / Fraction(epsilon), "a scale lies below Δ/ε")
        one = Budget(epsilon=epsilon, delta=1e-8)
        for twice in (replace_from_add_remove(one), disjoint_parts([one], REPLACE), moved_record(one, one)):
            demand(twice.epsilon >= 2 * epsilon, "a replaced record costs two epsilons")
            demand(twice.delta >= 1e-8 * (1 + math.exp(epsilon)), "a replaced record costs (1 + e^ε)δ")
        back = replace_from_add_remove(add_remove_for_replace(one))
        demand(
            back.epsilon <= epsilon and back.delta <= 1e-8 * (1 + 1e-10), "half a budget doubles to more than the whole"
        )
        for rounds in (1, 7, 100):
            each = per_round(one, rounds)
            spent = rounds * each.epsilon if each.rho is None else epsilon_of_zcdp(rounds * each.rho, one.delta)
            demand(spent <= epsilon, f"{rounds} rounds cost more than their budget")
            if each.rho is not None:
                demand(each.rho >= each.epsilon**2 / 8, "a round claims too little ρ for its ε")
    large, small = Budget(epsilon=2.0, delta=1e-9), Budget(epsilon=0.1, delta=1e-6)
    demand(moved_record(large, small).delta >= 1e-9 + math.exp(2.0) * 1e-6, "the δ of a move is only added up")
    demand(moved_record(small, large).delta >= 1e-9 + math.exp(2.0) * 1e-6, "the δ of a move is only added up")
    demand(replace_rho_from_add_remove(0.1) >= 0.4, "a replaced record costs four times the ρ")
    for rho, delta in itertools.product((0.001, 0.05, 0.5), (1e-9, 1e-5)):
        converted = epsilon_of_zcdp(rho, delta)
        demand(converted >= _gaussian_epsilon(rho, delta), "the conversion of zCDP is better than the truth")
        demand(converted <= rho + 2 * math.sqrt(rho * math.log(1 / delta)), "the conversion of zCDP is a poor one")
        demand(delta_of_zcdp(rho, converted) <= delta * (1 + 1e-6), "the two conversions of zCDP disagree")
        scale = scale_of_gaussian(3.0, rho)
        demand(
            9 / (2 * scale**2) <= rho and rho_of_gaussian(3.0, scale) >= 9 / (2 * scale**2), "Gaussian noise too small"
        )
        fitting = rho_within(Budget(epsilon=converted, delta=delta))
        demand(epsilon_of_zcdp(fitting, delta) <= converted, "a budget holds more ρ than it can")


def periods_together() -> None:
    """What a window costs, against every way in which one unit can stand in its periods."""
    months = {f"2026-0{month}": Fraction(cost, 10) for month, cost in ((1, 3), (2, 7), (3, 2))}
    weeks = {f"2026-W0{week}": Fraction(cost, 10) for week, cost in ((1, 1), (2, 4))}
    alone = Fraction(1, 20)
    spendings = [
        *(Spending(epsilon=float(cost), period=label, track="month") for label, cost in months.items()),
        Spending(epsilon=0.1, period="2026-01", track="month"),
        *(Spending(epsilon=float(cost), period=label, track="week") for label, cost in weeks.items()),
        Spending(epsilon=float(alone)),
    ]
    months["2026-01"] += Fraction(1, 10)
    for together, met in ((Together(disjoint=True), 1), (Together(disjoint=False, at_most=2), 2), (ADDING, 3)):
        worst = alone + sum(
            max(sum(chosen) for chosen in itertools.combinations(track.values(), min(met, len(track))))
            for track in (months, weeks)
        )
        found = Fraction(window_account(spendings, together).epsilon)
        demand(found >= worst * (1 - Fraction(1, 10**12)), "a window is said to cost less than some record pays")
        demand(found <= worst * (1 + Fraction(1, 10**9)), "a window is said to cost more than any record can pay")
    small = [Spending(epsilon=0.05, delta=1e-6, rho=1e-4, period=str(month)) for month in range(40)]
    found = Fraction(window_account(small, ADDING, delta=1e-6).epsilon)
    demand(found >= Fraction(_gaussian_epsilon(40 * 1e-4, 1e-6)), "forty Gaussian periods are cheaper than they are")
    plain = Spending(epsilon=0.5, delta=6e-7)  # has no ρ: what it takes of δ is not there for the conversion
    mixed = Fraction(window_account([plain, *small], ADDING, delta=1e-6).epsilon)
    least = Fraction(1, 2) + Fraction(epsilon_of_zcdp(40 * 1e-4, 4e-7)) * (1 - Fraction(1, 10**9))
    demand(mixed >= least, "a window spends the same δ twice")
    whole = Budget(epsilon=1.0)
    demand(fits([Spending(epsilon=0.25)] * 4, ADDING, whole), "a window's budget cannot be spent whole")
    demand(not fits([*[Spending(epsilon=0.25)] * 4, Spending(epsilon=1e-4)], ADDING, whole), "a window is overdrawn")


def second_computation() -> None:
    """`verify` refuses what spends too much, in ε, in δ, or in words."""
    half = Charge(name="half", epsilon=0.5)
    verify((half, half), Budget(epsilon=1.0))
    with_delta = Charge(name="d", epsilon=0.1, delta=1e-6)
    liar = Charge(name="liar", epsilon=0.1, rho=1.0)
    at = epsilon_of_zcdp(0.01, 1e-6)
    gauss, rest = (
        Charge(name="gauss", epsilon=at * (1 + 1e-12), delta=1e-6, rho=0.01),
        Charge(name="rest", epsilon=0.5, delta=1e-6),
    )
    verify((gauss, rest), Budget(epsilon=(at + 0.5) * 1.001, delta=2e-6))
    for charges, budget, what in (
        ((gauss, rest), Budget(epsilon=(at + 0.5) * 0.999, delta=2e-6), "what zCDP and the rest come to together"),
        ((half, half, half), Budget(epsilon=1.0), "three halves of one"),
        ((half, half), Budget(epsilon=0.999), "one of .999"),
        ((with_delta,), Budget(epsilon=1.0), "a δ above 0 of none"),
        ((with_delta, with_delta), Budget(epsilon=1.0, delta=1.5e-6), "two δ of one and a half"),
        ((liar,), Budget(epsilon=5.0, delta=1e-6), "a ρ of 1 for an ε of .1"),
        ((), Budget(epsilon=1.0), "nothing"),
    ):
        refuses(partial(verify, charges, budget), DpvizError, f"{what} passes")


def sensitivities() -> None:
    """What one unit can change, by listing neighbours of a small histogram."""
    for relation, cap in itertools.product((ADD, REPLACE), (None, 3)):
        unit = Unit() if cap is None else Unit(person_column="rider", cap=cap)
        moves = []
        for kept in itertools.product(range((cap or 1) + 1), repeat=3):
            if sum(kept) <= (cap or 1):
                moves.append(np.array(kept))
        if relation is REPLACE:
            moves = [after - before for before in moves for after in moves]
        largest = max(int(np.abs(move).sum()) for move in moves)
        longest = max(float(np.sqrt((move**2).sum())) for move in moves)
        demand(
            histogram_l1(relation, unit) >= largest, f"{unit} under {relation.value} moves more than its ℓ₁ sensitivity"
        )
        demand(histogram_l2(relation, unit) >= longest * (1 - 1e-12), f"{unit} under {relation.value}: ℓ₂ sensitivity")


def amplification() -> None:
    """Samples against brute force: the loss of a base on its worst pair, mixed over the coins."""
    for epsilon, rate in itertools.product(EPSILONS, (0.01, 0.1, 0.5)):
        base = Budget(epsilon=epsilon, delta=1e-6)
        poisson = Sampling(how=How.POISSON, rate=rate)
        rows = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=int(1000 * rate), records=1000)
        for sampling, relation in ((poisson, ADD), (rows, REPLACE)):
            demand(sampling.chance >= rate * (1 - 1e-12), "a record is sampled more often than is said")
            # The base's worst outcome is e^ε times as likely with the record; it is in the sample with this chance.
            worst = math.log(float(1 - Fraction(rate) + Fraction(rate) * Fraction(math.exp(epsilon))))
            found = amplified(base, sampling, relation)
            demand(
                found.epsilon >= min(worst, epsilon) * (1 - 1e-12), "a sample is said to protect better than it does"
            )
            demand(found.delta >= min(1e-6, rate * 1e-6) * (1 - 1e-12), "a sample loses part of δ")
            back = amplified(base_for(Budget(epsilon=0.2, delta=1e-8), sampling, relation), sampling, relation)
            demand(
                back.epsilon <= 0.2 and back.delta <= 1e-8 * (1 + 1e-10),
                "the base of a sample spends more than was asked",
            )
            other = REPLACE if relation is ADD else ADD
            refuses(
                partial(amplified, base, sampling, other),
                RelationNotProved,
                "a sample amplifies for a relation without proof",
            )
        pure = Budget(epsilon=epsilon)
        demand(naive_group(pure, 5).epsilon >= 5 * epsilon, "a group of five costs less than five times one")
        for row in sampled_group(pure, poisson, ADD, 5):
            assert row.threshold is not None
            demand(row.epsilon >= row.threshold * epsilon * (1 - 1e-12), "a group's ε is too small")
            demand(row.delta >= float(binom.sf(row.threshold, 5, rate)) * (1 - 1e-9), "a group's δ is too small")
        for row in sampled_group(pure, rows, REPLACE, 5):
            assert row.threshold is not None
            tail = float(hypergeom.sf(row.threshold, 1000, 5, int(1000 * rate)))
            demand(row.delta >= tail * (1 - 1e-9), "a group's δ is too small without replacement")


def levels_of_regions() -> None:
    """The strictest level for a shared cell; the sum for a move; nothing looser than the rest."""
    frame = GeoBox(0.0, 0.0, 1.0, 1.0).frame
    loose, strict = _region("loose", 0.1, 0.6, 0.4), _region("strict", 0.4, 0.9, 0.1)
    for regions in ((loose, strict), (strict, loose)):
        parts = cell_parts(regions, frame, 16)
        shared = parts[8, 8]  # the middle lies in both
        demand(regions[int(shared)].name == "strict", "a cell of two regions has the looser level")
    guarantee = Guarantee(
        epsilon=1.0,
        delta=1e-9,
        adjacency=ADD,
        unit=Unit(),
        regions=(RegionLevel(name="strict", epsilon=0.1), RegionLevel(name="loose", epsilon=0.4)),
    )
    for left, entered, least in (
        (None, "strict", 1.1),
        ("loose", "strict", 0.5),
        (None, None, 2.0),
        ("loose", "loose", 0.8),
    ):
        moved = guarantee.moved(left, entered)
        demand(moved.epsilon >= least * (1 - 1e-12), f"a move from {left} to {entered} costs less than {least}")
        demand(moved.delta >= 2e-9, "a move loses a δ")
    refuses(
        lambda: ReleaseRequest(k=2, budget=Budget(epsilon=0.2), regions=(loose,)),
        InputError,
        "a region may be looser than everything else",
    )


def _region(name: str, low: float, high: float, epsilon: float) -> Region:
    ring = ((low, low), (high, low), (high, high), (low, high), (low, low))
    return Region(outline=Outline(name=name, polygons=((ring,),)), epsilon=epsilon)


def _gaussian_epsilon(rho: float, delta: float) -> float:
    """The true ε at this δ of Gaussian noise that costs exactly ρ (Balle, Wang 2018), by bisection."""
    shift = math.sqrt(2 * rho)  # sensitivity over scale

    def true_delta(epsilon: float) -> float:
        below, above = shift / 2 - epsilon / shift, -shift / 2 - epsilon / shift
        return float(norm.cdf(below) - math.exp(epsilon + float(norm.logcdf(above))))

    low, high = 0.0, 100.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if true_delta(middle) > delta else (low, middle)
    return low


CHECKS = {
    "periods of a window against every way to meet them": periods_together,
    "composition against formulas written anew": composition,
    "the second computation of charges": second_computation,
    "sensitivities of persons": sensitivities,
    "amplification against brute force": amplification,
    "levels of regions": levels_of_regions,
}
