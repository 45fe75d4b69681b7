"""The 90 % radii of adaptive_tree hold what they say, and a planted wrong radius does not."""

from __future__ import annotations

import numpy as np
import pytest

from dpviz.domain import PlainBox
from dpviz.mechanisms.adaptive_tree.inference import center_variances, radii
from dpviz_research.coverage import CASES, misses

DRAWS = 25


@pytest.mark.statistical
@pytest.mark.slow
def test_ninety_percent_radii_cover_about_ninety_percent() -> None:
    cases = {case: misses(case, DRAWS) for case in CASES[:5]}
    ratios = np.concatenate(list(cases.values()))
    assert 0.85 <= (ratios <= 1.0).mean() <= 0.95
    assert (2.0 * ratios <= 1.0).mean() < 0.85, "radii half as long must fail"


@pytest.mark.statistical
@pytest.mark.slow
def test_ninety_percent_radii_cover_about_ninety_percent_for_twenty_centers_too() -> None:
    """One case of 200 centers is less sure than all together: 80 to 97 %."""
    for case in (("peer", 20, 0.2), ("suburbs", 20, 1.0)):
        assert case in CASES
        ratios = misses(case, 10)  # type: ignore[arg-type]
        assert 0.80 <= (ratios <= 1.0).mean() <= 0.97
        assert (2.0 * ratios <= 1.0).mean() < 0.80, "radii half as long must fail"


def test_a_center_without_weight_is_as_uncertain_as_the_box_is_wide() -> None:
    frame = PlainBox((0.0, 0.0), (3.0, 4.0)).frame
    centers = np.array([[0.4, 0.4], [2.9, 3.9]])
    near, far = radii(center_variances(np.full((3, 2), 0.5), np.ones(3), np.ones(3), centers), frame)
    assert far == pytest.approx(5.0)
    assert near < 5.0
