"""Boxes, grids, exact data and protected points. No randomness, no ε."""

from dpviz.domain._kernels import compiles_now
from dpviz.domain.box import Frame, GeoBox, Grid, PlainBox
from dpviz.domain.cell_tree import CellTree
from dpviz.domain.counts import ExactCounts
from dpviz.domain.points import ExactPoints, StreamedPoints
from dpviz.domain.protected import Centers, Coreset
from dpviz.domain.relation import Adjacency, Unit
from dpviz.domain.report import ReadReport

__all__ = [
    "Adjacency",
    "CellTree",
    "Centers",
    "Coreset",
    "ExactCounts",
    "ExactPoints",
    "Frame",
    "GeoBox",
    "Grid",
    "PlainBox",
    "ReadReport",
    "StreamedPoints",
    "Unit",
    "compiles_now",
]
