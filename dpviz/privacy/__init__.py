"""HOW MUCH: relations, budgets, guarantees, composition, levels, odds. No arrays of data."""

from dpviz.domain.relation import Adjacency, Unit
from dpviz.privacy.budget import DEFAULT_DELTA, Budget, Split
from dpviz.privacy.guarantee import Charge, Guarantee
from dpviz.privacy.levels import LEVELS, Level
from dpviz.privacy.sensitivity import histogram_l1, histogram_l2, noise_scale

__all__ = [
    "DEFAULT_DELTA",
    "LEVELS",
    "Adjacency",
    "Budget",
    "Charge",
    "Guarantee",
    "Level",
    "Split",
    "Unit",
    "histogram_l1",
    "histogram_l2",
    "noise_scale",
]
