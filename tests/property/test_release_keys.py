from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import given, strategies as st

from dpviz.domain.box import plain_frame
from dpviz.labels.privacy_label import harmless_markdown
from dpviz.ledger.rows import Amount
from dpviz.privacy import Budget
from dpviz.releases.request import ReleaseRequest, digest
from dpviz.releases.spreadsheets import harmless
from dpviz.releases.tables import columns_of, csv_bytes, parse_csv

budgets = st.builds(
    Budget,
    epsilon=st.floats(min_value=1e-6, max_value=100.0, exclude_min=True),
    delta=st.floats(min_value=0.0, max_value=9e-4),
)
requests = st.builds(
    ReleaseRequest,
    k=st.integers(1, 4096),
    budget=budgets,
    method=st.sampled_from(["auto", "uniform_grid", "adaptive_tree", "subsampled:uniform_grid"]),
)
names = st.text(min_size=1, max_size=40)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(requests, requests, names, names)
def test_keys_are_equal_exactly_when_dataset_and_request_are(
    first: ReleaseRequest, second: ReleaseRequest, here: str, there: str
) -> None:
    assert (first.key(here) == second.key(there)) == (first == second and here == there)


@given(requests, names)
def test_a_key_is_32_hexadecimal_digits_whatever_the_name(request: ReleaseRequest, name: str) -> None:
    key = request.key(name)
    assert len(key) == 32 and set(key) <= set("0123456789abcdef")


@given(st.dictionaries(st.text(max_size=5), json_values, min_size=1, max_size=5))
def test_a_digest_does_not_depend_on_the_order_of_its_facts(facts: dict[str, Any]) -> None:
    assert digest(facts) == digest(dict(reversed(facts.items())))


@given(budgets)
def test_an_amount_survives_the_ledger(budget: Budget) -> None:
    amount = Amount.of(budget)
    assert Amount.parse(*amount.text()) == amount
    assert (float(amount.epsilon), float(amount.delta)) == (budget.epsilon, budget.delta)


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=40))
def test_decimals_add_up_to_their_sum_exactly(millionths: list[int]) -> None:
    parts = [Amount.of(Budget(epsilon=float(Decimal(number) / 10**6))) for number in millionths]
    assert Amount.total(parts).epsilon == Fraction(sum(millionths), 10**6)


finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(st.lists(st.tuples(finite, finite, finite), max_size=12))
def test_points_come_back_from_csv_bit_by_bit(rows: list[tuple[float, float, float]]) -> None:
    values = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    written = csv_bytes(columns_of(plain_frame((0.0, 0.0), (1.0, 1.0)), values[:, :2], values[:, 2]))
    assert parse_csv(written, 3, what="points").tobytes() == values.tobytes()


@given(st.text(max_size=30))
def test_no_name_starts_a_formula_or_leaves_its_line(text: str) -> None:
    assert not harmless(text).lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert harmless_markdown(text).isprintable()
