"""Peers in an environment of their own, run side by side where an interpreter is named; absent otherwise.

diffprivlib 0.6.6 does not import beside the scikit-learn of this project. Its KMeans declares ε but adds no noise to
empty clusters and swaps shares of its budget: an audit bounds it at 0.63 from below where it declares 0.1. It is shown
as measured and takes no part as a private reference.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError
from dpviz_research.references import Problem, Reference

Floats = NDArray[np.float64]
VARIABLE = "DPVIZ_PEER_PYTHON"
_SCRIPT = """
import sys
import warnings
import numpy as np
from diffprivlib.models import KMeans
warnings.simplefilter("ignore")
given = np.load(sys.argv[1])
points = np.repeat(given["positions"], given["weights"], axis=0)
model = KMeans(int(given["k"]), epsilon=float(given["epsilon"]), bounds=(np.zeros(2), given["extent"]),
               random_state=int(given["seed"]))
np.save(sys.argv[2], model.fit(points).cluster_centers_)
"""


def peers(interpreter: str | None = None) -> tuple[Reference, ...]:
    """The peers that an interpreter (an argument, or the environment variable) can run."""
    python = interpreter or os.environ.get(VARIABLE)
    if not python:
        return ()
    _check(python)

    def run(problem: Problem, epsilon: float, generator: np.random.Generator) -> Floats:
        return _diffprivlib(python, problem, epsilon, int(generator.integers(2**31)))

    # Not private as declared, so no rival.
    return (Reference(name="diffprivlib", title="diffprivlib 0.6.6 (not ε-private as declared)", run=run, rival=False),)


def _check(python: str) -> None:
    try:
        subprocess.run([python, "-c", "from diffprivlib.models import KMeans"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as problem:
        raise InputError(
            f"{python!r} was given as the peers' interpreter, but it cannot import diffprivlib; make an environment "
            'with "diffprivlib==0.6.6" "scikit-learn<1.7" and name its python.',
            interpreter=python,
        ) from problem


def _diffprivlib(python: str, problem: Problem, epsilon: float, seed: int) -> Floats:
    with tempfile.TemporaryDirectory() as folder:
        given, answer = Path(folder) / "given.npz", Path(folder) / "answer.npy"
        np.savez(
            given,
            positions=problem.exact_positions,
            weights=problem.exact_weights.astype(np.int64),
            extent=problem.extent,
            k=problem.k,
            epsilon=epsilon,
            seed=seed,
        )
        subprocess.run([python, "-c", _SCRIPT, str(given), str(answer)], check=True, capture_output=True)
        found: Floats = np.load(answer)
    return found
