"""Protected numbers come from the source alone, and only whole numbers are protected."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz.noise import NoiseSource, replayable_source, secure_source
from dpviz.noise.decisions import FirstAbove, StableChoice, StableWinner

MECHANISMS = Path(__file__).parents[3] / "dpviz" / "mechanisms"


def bare_noise(source: str) -> list[str]:
    """Calls that draw noise by itself."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    names = [call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "") for call in calls]
    return [name for name in names if name in ("laplace", "gaussian", "joint_laplace")]


def test_no_mechanism_draws_bare_noise() -> None:
    files = list(MECHANISMS.rglob("*.py"))
    assert len(files) > 30
    assert {str(path): found for path in files if (found := bare_noise(path.read_text(encoding="utf-8")))} == {}


def test_bare_noise_is_noticed() -> None:
    assert bare_noise("noisy = exact + noise.laplace(2.0, 3)") == ["laplace"]
    assert not {"laplace", "gaussian"} & set(dir(NoiseSource))


@pytest.mark.parametrize("source", [secure_source(), replayable_source(1)])
def test_protected_numbers_keep_their_shape(source: NoiseSource) -> None:
    exact = np.arange(12).reshape(3, 4)
    assert source.add_laplace(exact, 2.0).shape == source.add_gaussian(exact, 2.0).shape == exact.shape
    assert source.add_joint_laplace(exact, epsilon=1.0, radius=4).shape == exact.shape
    assert source.add_laplace(exact[:0], 2.0).shape == (0, 4)


def test_protected_numbers_are_the_exact_ones_plus_the_sources_noise() -> None:
    exact = np.array([5, 0, 7])
    assert np.array_equal(replayable_source(4).add_laplace(exact, 3.0), exact + replayable_source(4).laplace(3.0, 3))


def test_fractions_are_not_protected() -> None:
    with pytest.raises(InputError, match="whole numbers"):
        replayable_source(1).add_laplace(np.array([0.5]), 1.0)  # type: ignore[arg-type]


DRAWS = 4000
DECISIONS = [
    FirstAbove(exact_query=lambda number: 3 * number, queries=4, limit=6, limit_scale=2.0, query_scale=4.0),
    StableChoice(places=("a", "b", "c"), held=np.array([4, 6, 5]), scale=2.0, threshold=7),
    StableWinner(values=np.array([2, 9, 3]), sensitivity=1, scale=2.0, threshold=4),
]


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda decision: type(decision).__name__)
def test_a_decision_has_the_law_that_it_states(decision: FirstAbove | StableChoice | StableWinner) -> None:
    noise, law = replayable_source(8), decision.exact_law()
    drawn = [noise.decide(decision) for _ in range(DRAWS)]
    assert sum(np.exp(log) for log in law.logs.values()) == pytest.approx(1.0)
    for outcome in law.logs:
        chance = float(np.exp(law.log_probability(outcome)))
        assert abs(drawn.count(outcome) - DRAWS * chance) < 6.5 * np.sqrt(DRAWS * chance * (1 - chance)) + 1e-9
