from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from dpviz.errors import InputError
from dpviz.ledger.rows import Amount, share_of
from dpviz.privacy import Budget


def test_ten_tenths_are_one_and_eleven_are_more() -> None:
    tenths = [Amount.of(Budget(epsilon=0.1))] * 10
    whole = Amount.of(Budget(epsilon=1.0))
    assert whole.covers(Amount.total(tenths))
    assert not whole.covers(Amount.total([*tenths, Amount.of(Budget(epsilon=1e-12))]))


def test_delta_counts_as_well_as_epsilon() -> None:
    whole = Amount.of(Budget(epsilon=1.0, delta=2e-9))
    assert whole.covers(Amount.of(Budget(epsilon=0.5, delta=2e-9)))
    assert not whole.covers(Amount.of(Budget(epsilon=0.5, delta=3e-9)))


@pytest.mark.parametrize("epsilon", [0.1, 1 / 3, 4.0, 1e-300, 99.99999999999999, 0.30000000000000004])
def test_the_ledgers_spelling_means_the_same_amount(epsilon: float) -> None:
    amount = Amount.of(Budget(epsilon=epsilon, delta=1e-9))
    assert Amount.parse(*amount.text()) == amount
    assert float(amount.epsilon) == epsilon


def test_a_share_is_taken_in_decimals_and_never_more_than_asked() -> None:
    assert share_of(Budget(epsilon=0.3), 0.1) == Budget(epsilon=0.03)
    third = share_of(Budget(epsilon=1.0), 1 / 3)
    assert third is not None and Fraction(repr(third.epsilon)) <= Fraction(1, 3)
    assert share_of(Budget(epsilon=1.0), 0.0) is None


@pytest.mark.parametrize("share", [-0.1, 1.0, 2, float("nan"), True, "0.2"])
def test_a_share_that_cannot_be_is_refused(share: Any) -> None:
    with pytest.raises(InputError, match="standin_share"):
        share_of(Budget(epsilon=1.0), share)


def test_an_amount_prints_in_words() -> None:
    assert str(Amount.of(Budget(epsilon=0.5))) == "epsilon 0.5"
    assert str(Amount.of(Budget(epsilon=0.5, delta=1e-9))) == "epsilon 0.5 and delta 1e-09"
