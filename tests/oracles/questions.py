"""Plain twins of the passes over the tree, and the one table of pairs that tests and benchmarks share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.questions import _kernels

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def design(parent: Integers) -> Floats:
    """Every node as a sum of leaves, (nodes, leaves)."""
    nodes = len(parent)
    inner = np.zeros(nodes, bool)
    inner[parent[parent >= 0]] = True
    leaves = np.flatnonzero(~inner)
    rows = np.zeros((nodes, len(leaves)))
    rows[leaves, np.arange(len(leaves))] = 1.0
    for v in range(nodes - 1, -1, -1):
        if parent[v] >= 0:
            rows[parent[v]] += rows[v]
    return rows


def least_squares(parent: Integers, value: Floats, precision: Floats) -> tuple[Floats, Floats]:
    """Counts of all nodes by weighted least squares, and the covariance of the leaves."""
    rows = design(parent)
    covariance: Floats = np.asarray(np.linalg.inv(rows.T @ (rows * precision[:, None])), np.float64)
    return rows @ (covariance @ (rows.T @ (value * precision))), covariance


def agreed(
    parent: Integers, best: Floats, spread: Floats, children: Floats, first: Integers, order: Integers, floor: bool
) -> Floats:
    """Family by family, with the projection of the mechanism."""
    from dpviz.mechanisms.adaptive_tree.inference import project

    found = np.where(parent < 0, np.maximum(best, 0.0) if floor else best, 0.0)
    for v in range(len(parent)):
        family = order[first[v] : first[v + 1]]
        if len(family):
            values = best[family] + spread[family] / children[v] * (found[v] - best[family].sum())
            found[family] = project(values[None, :], found[v : v + 1])[0] if floor else values
    return found


TWINS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {"agreed": (_kernels.agreed, agreed)}
