from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from dpviz.errors import InputError
from dpviz.noise import replayable_source, secure_source
from dpviz.noise.joint import _below, _inside, falling_coefficients, joint_laplace


@given(st.integers(1, 10**6), st.integers(1, 6), st.integers(0, 300))
def test_the_number_of_points_of_a_box_is_a_sum_of_binomials_with_whole_weights(radius: int, dims: int, t: int) -> None:
    weights = falling_coefficients(radius, dims)
    assert min(weights) >= 0 and len(weights) == dims + 2
    points = (2 * t + 1) * (2 * t * radius + 1) ** dims
    assert sum(weight * math.comb(t, index) for index, weight in enumerate(weights)) == points


@pytest.mark.parametrize("size", [0, 1, 500])
def test_noise_has_one_row_per_draw(size: int) -> None:
    for noise in (secure_source(), replayable_source(2)):
        drawn = joint_laplace(noise, epsilon=0.2, radius=64, dims=2, size=size)
        assert drawn.shape == (size, 3) and drawn.dtype == np.int64


def test_the_same_seed_gives_the_same_noise() -> None:
    one, two = (joint_laplace(replayable_source(5), epsilon=0.1, radius=9, dims=3, size=40) for _ in range(2))
    assert (one == two).all()


def test_a_large_epsilon_gives_nearly_no_noise() -> None:
    assert not joint_laplace(replayable_source(1), epsilon=60.0, radius=1000, dims=2, size=300).any()


def test_the_border_of_the_cylinder_is_decided_in_whole_numbers() -> None:
    radius = 5 * 10**8
    radii = np.array([2, 2, 2, 0])
    sums = np.array([[6 * 10**8, 8 * 10**8], [6 * 10**8, 8 * 10**8 + 1], [6 * 10**8, 8 * 10**8 - 1], [0, 0]])
    assert _inside(sums, radii, radius).tolist() == [True, False, True, True]


def test_uniform_numbers_stay_below_each_bound_and_reach_it() -> None:
    highs = np.array([1, 2, 3, 1000, 2**61])
    drawn = np.array([_below(replayable_source(seed), highs) for seed in range(300)])
    assert (drawn >= 0).all() and (drawn < highs).all()
    assert drawn[:, 1].max() == 1 and drawn[:, 2].max() == 2 and drawn[:, 4].max() > 2**60


def test_bad_lattices_are_refused() -> None:
    noise = replayable_source(1)
    for arguments in (
        {"epsilon": 0.0, "radius": 5, "dims": 2},
        {"epsilon": 1.0, "radius": 0, "dims": 2},
        {"epsilon": 1.0, "radius": 1.5, "dims": 2},
        {"epsilon": 0.001, "radius": 2**50, "dims": 2},
        {"epsilon": 1.0, "radius": 5, "dims": 0},
        {"epsilon": 1.0, "radius": 5, "dims": 9},
    ):
        with pytest.raises(InputError):
            joint_laplace(noise, size=1, **arguments)  # type: ignore[arg-type]
