"""Spherical noise: radii are drawn from exact weights, and no step of a length costs more than it is charged."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz.noise import replayable_source, secure_source
from dpviz.noise.spherical import (
    NODES,
    STEEPNESS,
    _node_bounds,
    first_node,
    radius_within,
    scale_near,
    spherical_laplace,
)

WIDTHS = (1, 2, 6, 17, 101, 1001)


@pytest.mark.parametrize("width", WIDTHS)
def test_bounds_enclose_the_weights_of_nodes(width: int) -> None:
    start, lower, upper, total = _node_bounds(width, 160)
    _, finer, _, all_finer = _node_bounds(width, 320)
    assert all(low <= high <= low + 1 for low, high in zip(lower, upper, strict=True)) and total == upper[-1] + 1
    nodes = np.arange(start, start + len(lower) - 1) / NODES
    logs = width * np.log(nodes) - nodes**2 / 2.0
    chances = np.exp(logs - logs.max())
    told = np.diff(np.array([low / total for low in lower]))
    assert np.abs(told - chances / chances.sum()).max() < 1e-12
    assert len(finer) > len(lower) and all_finer > total


@pytest.mark.parametrize("width", WIDTHS)
def test_a_length_costs_no_more_than_it_is_charged(width: int) -> None:
    nodes = np.arange(first_node(width), first_node(width) + 200 * NODES) / NODES
    lengths = np.concatenate([np.geomspace(1e-3, 1.0, 200), np.linspace(1.0, 4.0 * width + 40.0, 800)])
    logs = -(nodes**2) / 2.0 - lengths[:, None] ** 2 / (2.0 * nodes**2)
    chances = np.exp(logs - logs.max(axis=1, keepdims=True))
    falls = lengths * (chances / nodes**2).sum(axis=1) / chances.sum(axis=1)
    assert 0.99 < falls.max() < float(STEEPNESS) - 0.003


@pytest.mark.parametrize("source", [replayable_source(3), secure_source()], ids=["replayable", "secure"])
def test_rows_are_as_long_as_the_law_says_and_point_anywhere(source: object) -> None:
    width, scale = 9, 2.0**20
    drawn = spherical_laplace(source, scale=scale, width=width, size=600) / scale  # type: ignore[arg-type]
    squares = (drawn**2).sum(axis=1)
    assert squares.mean() == pytest.approx(width * (width + 1), rel=0.15)
    assert np.abs(drawn.mean(axis=0)).max() < 6.0 * math.sqrt(10.0 / 600)
    assert np.abs(np.corrcoef(drawn.T) - np.eye(width)).max() < 6.0 / math.sqrt(600)


@pytest.mark.parametrize("spend", [Fraction(1, 10**9), Fraction(1, 7), Fraction(3), Fraction(100)])
def test_a_radius_costs_at_most_its_price_and_uses_the_lattice(spend: Fraction) -> None:
    scale = scale_near(spend, 1 << 20)
    radius = radius_within(spend, scale)
    assert STEEPNESS * radius <= spend * Fraction(scale) and math.frexp(scale)[0] == 0.5
    assert 1 <= radius <= 1 << 20 and (radius > 1 << 18 or scale == 2.0**40)


def test_bad_scales_and_widths_are_refused() -> None:
    noise = replayable_source(1)
    for scale, width in ((3e5, 4), (2.0**11, 4), (2.0**41, 4), (2.0**20, 0), (2.0**20, 5000)):
        with pytest.raises(InputError, match="spherical noise"):
            spherical_laplace(noise, scale=scale, width=width, size=1)
