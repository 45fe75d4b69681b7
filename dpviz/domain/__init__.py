"""WHERE: boxes, grids, exact data, protected points. No randomness, no epsilon."""

from dpviz.domain.box import Frame, GeoBox, PlainBox
from dpviz.domain.counts import ExactCounts
from dpviz.domain.grid import Grid
from dpviz.domain.points import ExactPoints
from dpviz.domain.protected import Centers, Coreset
from dpviz.domain.relation import Adjacency, Unit

__all__ = [
    "Adjacency",
    "Centers",
    "Coreset",
    "ExactCounts",
    "ExactPoints",
    "Frame",
    "GeoBox",
    "Grid",
    "PlainBox",
    "Unit",
]
