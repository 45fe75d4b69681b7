"""Benchmarks, the papers' tables, forced transcripts, planted bugs and the makers of evidence; never imported by dpviz.

A distribution of its own (research/pyproject.toml) that works from a checkout of the project: records, documents and
plain twins of kernels lie there.
"""

import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]  # the checkout


def own_environment(**more: str) -> dict[str, str]:
    """Return the environment for a further Python that finds what this one finds."""
    known = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    return {**os.environ, "PYTHONPATH": known, **more}
