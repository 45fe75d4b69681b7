from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant, privacy_loss_distribution
from scipy import stats

from dpviz.errors import InputError, RelationNotProved
from dpviz.privacy import Adjacency, Budget, How, Sampling, base_for, group_table
from dpviz.privacy.levels import amplified_group, best_group_guarantee, group_guarantees, naive_group, sampled_group
from dpviz.privacy.sampling import amplified
from dpviz.privacy.tails import binomial_masses, binomial_tails, hypergeometric_tails

ADD, REPLACE = Adjacency.ADD_REMOVE_ONE, Adjacency.REPLACE_ONE
COINS = Sampling(how=How.POISSON, rate=0.1)
DIFFERENT = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=10, records=100)


def test_amplification_by_coins_equals_the_exact_loss_of_a_pure_base() -> None:
    """Randomised response is the worst pure base; its sampled loss is ln(1 + q(e^ε − 1)) exactly."""
    for epsilon, rate in [(0.5, 0.1), (2.0, 0.01), (4.0, 0.5)]:
        keep = math.exp(epsilon) / (1 + math.exp(epsilon))
        with_record = rate * keep + (1 - rate) * (1 - keep)
        true_loss = math.log(with_record / (1 - keep))
        ours = amplified(Budget(epsilon=epsilon), Sampling(how=How.POISSON, rate=rate), ADD).epsilon
        assert true_loss <= ours <= true_loss * (1 + 1e-9)


def test_amplification_by_coins_covers_a_second_opinion() -> None:
    accountant = pld_privacy_accountant.PLDAccountant()
    accountant.compose(dp_event.PoissonSampledDpEvent(0.1, dp_event.GaussianDpEvent(5.0)))
    base = privacy_loss_distribution.from_gaussian_mechanism(5.0)
    for delta in (1e-5, 1e-7):
        ours = amplified(Budget(epsilon=base.get_epsilon_for_delta(delta * 10), delta=delta * 10), COINS, ADD)
        assert ours.delta <= delta * (1 + 1e-9)
        # The bound is tight for a Gaussian; the second opinion rounds losses up to multiples of 1e-4.
        assert accountant.get_epsilon(delta) == pytest.approx(ours.epsilon, abs=1e-4)


def test_sampling_without_replacement_amplifies_under_replace() -> None:
    ours = amplified(Budget(epsilon=1.0, delta=1e-8), DIFFERENT, REPLACE)
    assert ours.epsilon == pytest.approx(math.log(1 + 0.1 * (math.e - 1)))
    assert ours.delta == pytest.approx(1e-9)
    assert ours.delta >= 1e-9


def loss_with_replacement(epsilon: float, drawn: int, records: int) -> float:
    """Brute force: the base answers randomly by whether the watched record is in the sample at all."""
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    inside = 1 - (1 - 1 / records) ** drawn
    return math.log((inside * keep + (1 - inside) * (1 - keep)) / (1 - keep))


def test_sampling_with_replacement_counts_copies() -> None:
    sampling = Sampling(how=How.WITH_REPLACEMENT, drawn=20, records=1000)
    once, thrice = (amplified(Budget(epsilon=1.0), sampling, REPLACE, copies=copies) for copies in (1, 3))
    assert once.delta > thrice.delta > 0
    assert once.epsilon >= loss_with_replacement(1.0, 20, 1000)
    masses = stats.binom(20, 1 / 1000)
    assert masses.sf(1) <= once.delta <= masses.sf(1) * 1.1
    assert masses.sf(3) <= thrice.delta <= masses.sf(3) * 1.1


def test_sampling_never_makes_a_guarantee_worse() -> None:
    everyone = Sampling(how=How.POISSON, rate=1.0)
    assert amplified(Budget(epsilon=1.5, delta=1e-9), everyone, ADD) == Budget(epsilon=1.5, delta=1e-9)


def test_each_way_of_sampling_is_refused_for_the_other_relation() -> None:
    with pytest.raises(RelationNotProved):
        amplified(Budget(epsilon=1.0), COINS, REPLACE)
    with pytest.raises(RelationNotProved):
        amplified(Budget(epsilon=1.0), DIFFERENT, ADD)
    with pytest.raises(RelationNotProved):
        sampled_group(Budget(epsilon=1.0), DIFFERENT, ADD, 3)
    with pytest.raises(InputError):
        amplified_group(Budget(epsilon=1.0), Sampling(how=How.WITH_REPLACEMENT, drawn=2, records=9), REPLACE, 3)


@pytest.mark.parametrize("sampling", [COINS, DIFFERENT], ids=["coins", "different"])
def test_the_inverse_gives_a_base_that_fits_and_spends_more(sampling: Sampling) -> None:
    for target in (Budget(epsilon=0.3, delta=1e-9), Budget(epsilon=4.0)):
        base = base_for(target, sampling, sampling.relation)
        assert base.epsilon > target.epsilon
        assert target.covers(amplified(base, sampling, sampling.relation))


@pytest.mark.parametrize(
    "arguments",
    [
        {"how": How.POISSON},
        {"how": How.POISSON, "rate": 0.0},
        {"how": How.POISSON, "rate": 1.1},
        {"how": How.WITHOUT_REPLACEMENT, "drawn": 5},
        {"how": How.WITHOUT_REPLACEMENT, "drawn": 6, "records": 5},
        {"how": How.WITH_REPLACEMENT, "drawn": 0, "records": 5},
    ],
)
def test_impossible_samplings_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Sampling(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(("records", "drawn", "group"), [(1000, 100, 30), (20, 15, 10), (50, 50, 4), (50, 3, 8)])
def test_hypergeometric_tails_agree_with_scipy_and_are_never_below(records: int, drawn: int, group: int) -> None:
    ours = np.array(hypergeometric_tails(records, drawn, group))
    theirs = stats.hypergeom(records, group, drawn).sf(np.arange(group + 1))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-300)
    assert ours[-1] == 0.0 and ours.max() <= 1.0


def test_hypergeometric_tails_agree_with_enumeration() -> None:
    samples = list(itertools.combinations(range(8), 3))
    for threshold, tail in enumerate(hypergeometric_tails(8, 3, 4)):
        share = sum(sum(record < 4 for record in sample) > threshold for sample in samples) / len(samples)
        assert tail == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize(("rate", "group"), [(0.01, 30), (0.5, 7), (1.0, 3)])
def test_binomial_tails_agree_with_scipy(rate: float, group: int) -> None:
    theirs = stats.binom(group, rate).sf(np.arange(group + 1))
    np.testing.assert_allclose(binomial_tails(rate, group), theirs, rtol=1e-9, atol=1e-300)


def test_binomial_masses_are_close_upper_bounds() -> None:
    for draws, rate in [(20, 0.001), (10**6, 1e-6), (10**9, 1e-10)]:
        masses = binomial_masses(draws, rate, 3)
        exact = stats.binom(draws, rate)
        for count, mass in enumerate(masses.at):
            assert exact.pmf(count) * (1 - 1e-9) <= mass <= exact.pmf(count) * 1.05
        assert exact.sf(3) * (1 - 1e-9) <= masses.beyond <= exact.sf(3) * 1.1


def test_masses_that_do_not_fit_a_float_are_bounded_by_one() -> None:
    masses = binomial_masses(10**9, 1e-3, 2_000_000)
    assert masses.beyond == 1.0 and masses.at[0] == 1.0
    assert binomial_masses(3, 1.0, 2).beyond == 1.0
    assert binomial_masses(3, 0.5, 3).beyond == 0.0


def test_naive_group_privacy_is_the_textbook_formula() -> None:
    assert naive_group(Budget(epsilon=0.5), 4).epsilon == pytest.approx(2.0)
    weak = naive_group(Budget(epsilon=0.5, delta=1e-9), 4)
    assert weak.delta == pytest.approx(1e-9 * (math.exp(2.0) - 1) / (math.exp(0.5) - 1))
    assert naive_group(Budget(epsilon=4.0, delta=1e-9), 1000).delta == 1.0


def test_the_sampled_bound_is_t_epsilon_with_the_tail_as_delta() -> None:
    rows = sampled_group(Budget(epsilon=0.5), DIFFERENT, REPLACE, 5)
    assert [row.threshold for row in rows] == list(range(6))
    for threshold, row in enumerate(rows):
        assert row.epsilon == pytest.approx(0.5 * threshold)
        assert row.delta == pytest.approx(stats.hypergeom(100, 5, 10).sf(threshold), rel=1e-9)
    approximate = sampled_group(Budget(epsilon=0.5, delta=1e-6), DIFFERENT, REPLACE, 5)
    extra = 1e-6 * (math.exp(1.5) - 1) / (math.exp(0.5) - 1)
    assert approximate[3].delta - rows[3].delta == pytest.approx(extra)


def test_every_bound_holds_for_a_noisy_count_of_a_sample() -> None:
    """The base reports the size of a sample with Laplace noise; the losses of a group of three are enumerated."""
    epsilon, rate, group = 1.0, 0.2, 3
    sampling = Sampling(how=How.POISSON, rate=rate)
    scale, reach = 1 / epsilon, 60
    outputs = np.arange(-reach, reach + group + 1)
    noise = np.tanh(1 / (2 * scale)) * np.exp(-np.abs(outputs[:, None] - np.arange(group + 1)) / scale)
    with_group = noise @ stats.binom(group, rate).pmf(np.arange(group + 1))
    without = noise[:, 0]
    for row in group_guarantees(Budget(epsilon=epsilon), group, relation=ADD, sampling=sampling):
        for first, second in ((with_group, without), (without, with_group)):
            true_delta = np.maximum(first - math.exp(row.epsilon) * second, 0).sum()
            assert true_delta <= row.delta + 1e-12, row


def test_the_best_bound_is_the_smallest_epsilon_with_an_allowed_delta() -> None:
    base = Budget(epsilon=4.0)
    sampling = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=1000, records=1_000_000)
    strict = best_group_guarantee(base, 100, relation=REPLACE, sampling=sampling)
    assert strict.delta == 0.0
    loose = best_group_guarantee(base, 100, relation=REPLACE, sampling=sampling, delta=0.2)
    assert loose.epsilon == 0.0 and loose.threshold == 0  # probably none of the group is in the sample
    assert strict.epsilon < naive_group(base, 100).epsilon


def test_where_nothing_fits_the_smallest_delta_is_said() -> None:
    weak = best_group_guarantee(Budget(epsilon=1.0, delta=1e-9), 50, relation=ADD)
    assert weak.epsilon == pytest.approx(50.0)
    assert weak.delta > 1e-9


def test_the_table_for_a_screen_has_one_row_per_group() -> None:
    rows = group_table(Budget(epsilon=0.5), [1, 5, 20], relation=REPLACE, sampling=DIFFERENT, delta=1e-9)
    assert [row["records"] for row in rows] == [1, 5, 20]
    assert all(row["epsilon"] <= row["naive_epsilon"] for row in rows)  # type: ignore[operator]


def test_a_group_of_ten_thousand_is_answered_within_seconds() -> None:
    sampling = Sampling(how=How.WITHOUT_REPLACEMENT, drawn=100_000, records=10_000_000)
    best = best_group_guarantee(Budget(epsilon=1.0), 10_000, relation=REPLACE, sampling=sampling, delta=1e-9)
    assert 150 < best.epsilon < 170
    with pytest.raises(InputError):
        hypergeometric_tails(10**6, 10, 10_001)
    with pytest.raises(InputError):
        naive_group(Budget(epsilon=1.0), 0)
