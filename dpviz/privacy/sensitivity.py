"""Sensitivities of histograms per relation (docs/NOTATION.md has the table)."""

from __future__ import annotations

import math

from dpviz.domain.relation import Adjacency, Unit


def histogram_l1(relation: Adjacency, unit: Unit) -> int:
    """Largest change of a histogram in L1: one cell by one, or two cells by one, times the cap."""
    return (1 if relation is Adjacency.ADD_REMOVE_ONE else 2) * unit.records


def histogram_l2(relation: Adjacency, unit: Unit) -> float:
    """Largest change of a histogram in L2."""
    return (1.0 if relation is Adjacency.ADD_REMOVE_ONE else math.sqrt(2.0)) * unit.records


def noise_scale(sensitivity: float, epsilon: float) -> float:
    """The Laplace scale sensitivity/ε as a float that is never below the exact quotient."""
    return math.nextafter(sensitivity / epsilon, math.inf)
