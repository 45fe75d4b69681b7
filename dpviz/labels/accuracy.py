"""How good a release is, in plain words: counts by size of area, centers in metres, what was cut, merged or is weak.

Everything is computed from the release itself. The sizes are of areas that lie anywhere in the box.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from dpviz.domain import CellTree, Frame
from dpviz.domain.protected import MAX_PUBLISHED_POINTS
from dpviz.domain.trip_ends import are_trips, end_names
from dpviz.errors import NotOffered
from dpviz.labels import sentences as say
from dpviz.language.speaking import figures
from dpviz.privacy import Adjacency, Budget, group_table, out_of_100
from dpviz.questions.answers import Asked
from dpviz.questions.areas import Zone
from dpviz.questions.counts import seen_from, view_parts
from dpviz.questions.noise_model import NINETY
from dpviz.releases.release import NoAnswer, Release

ACROSS = 7  # squares are tried at so many places a side
TRIPS = 30
_ENDS: WeakKeyDictionary[CellTree, tuple[Asked, Asked]] = WeakKeyDictionary()
_KNOWN: WeakKeyDictionary[CellTree, dict[float, tuple[float, float]]] = WeakKeyDictionary()


def accuracy_sentences(release: Release) -> list[str]:
    """What to expect of counts and centers, and who loses."""
    if release.request.parts is not None:
        return _of_the_busiest(release)
    said = []
    if release.constants.get("told_apart") is False:
        said.append(say.NOT_TOLD_APART.format(k=_whole(release.request.k)))
    tree = release.protected_cells
    if tree is None:
        said.append(say.NO_ERROR)
    else:
        asked = Asked(tree=tree)
        if release.frame.dims == 2:
            said += _count_sentences(asked, release.frame)
        elif are_trips(release.frame):
            said += _trip_sentences(release)
        said += _center_sentences(release)
        weak = int((tree.count < NINETY * np.sqrt(tree.spread)).sum())
        sparse = say.SPARSE_TRIPS if are_trips(release.frame) else say.SPARSE
        said += [sparse.format(weak=_whole(weak), all=_whole(len(tree))), say.OF_FILE]
    if release.raw_coreset is not None:
        merged = tree is not None and len(tree) > MAX_PUBLISHED_POINTS
        cells = _whole(0 if tree is None else len(tree))
        points = say.POINTS_MERGED if merged else say.POINTS
        said.append(points.format(points=_whole(len(release.raw_coreset)), cells=cells))
    return said


def _of_the_busiest(release: Release) -> list[str]:
    """Of a release by parts: which say little, and what holds for the part with the most records."""
    try:
        view = view_parts(release)
    except NotOffered as problem:
        return [problem.message]
    busy = max(range(len(view.parts.names)), key=lambda part: float(view.cells(part).count.sum()))
    word, words = say.PARTS[view.parts.word]
    totals = view.table()
    weak = [str(name) for name in totals["part"][totals["weak"]]]
    few, many = _whole(len(weak)), _whole(len(totals))
    return [
        *([say.PARTS_WEAK.format(few=few, many=many, parts=words, names=", ".join(weak[:6]))] if weak else []),
        say.BUSIEST.format(part=word, name=view.parts.names[busy]),
        *accuracy_sentences(view.at(busy))[:-1],
    ]


def _count_sentences(asked: Asked, frame: Frame) -> list[str]:
    said = []
    for share, part in say.SIZES.items():
        reach, typical = map(_rounded, _usual(asked, frame, share))
        said.append(say.COUNT.format(part=part, size=_size(frame, share), reach=reach, typical=typical))
    return said


def _trip_sentences(release: Release) -> list[str]:
    """The same of either end of trips."""
    first, second = _both_ends(release)
    names, said = ("reach", "typical", "end_reach", "end_typical"), []
    for share, part in say.SIZES.items():
        usual = (*_usual(first, first.tree.frame, share), *_usual(second, second.tree.frame, share))
        numbers = dict(zip(names, map(_rounded, usual), strict=True))
        said.append(say.COUNT_TRIPS.format(part=part, size=_size(first.tree.frame, share), **numbers))
    return said


def _both_ends(release: Release) -> tuple[Asked, Asked]:
    """Either end on its own map where one was bought, else as the cells of trips see it; made once."""
    tree = release.protected_cells
    assert tree is not None
    if tree not in _ENDS:
        own = release.protected_ends
        ends = own or [seen_from(tree, end) for end in end_names(release.frame)]
        first, second = (Asked(tree=end, stacked=own is None) for end in ends)
        _ENDS[tree] = first, second
    return _ENDS[tree]


def _size(frame: Frame, share: float) -> str:
    size = figures(f"{float(np.prod(frame.extent)) * share / 1e6:,.2g}")
    return say.SQUARE_KM.format(size=size) if frame.metric == "m" else ""


def _usual(asked: Asked, frame: Frame, share: float) -> tuple[float, float]:
    """The usual reach of a count, and the usual count; worked out once, however many languages tell them."""
    kept = _KNOWN.setdefault(asked.tree, {})
    if share not in kept:
        found = asked.spreads(_squares(frame, share))
        reach, estimate = NINETY * found.deviation, np.maximum(found.estimate, 0.0)
        kept[share] = float(np.median(reach)), float(np.median(estimate))
    return kept[share]


def _squares(frame: Frame, share: float) -> list[Zone]:
    low, high = np.asarray(frame.low), np.asarray(frame.high)
    side = float(np.sqrt(share))
    corners = np.array([[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]])
    starts = np.linspace(0.0, 1.0 - side, ACROSS)
    return [
        Zone(name="", rings=((low + (corners + np.array([x, y])) * (high - low), 1.0),)) for x in starts for y in starts
    ]


def _center_sentences(release: Release) -> list[str]:
    found = release.constants.get("center_radii_90")
    if not isinstance(found, list | tuple) or len(found) != len(release.raw_centers):
        return []
    radii = np.array(found, np.float64)
    unit = say.METRES if release.frame.metric == "m" else say.UNITS
    typical, most = _rounded(float(np.median(radii))), _rounded(float(radii.max()))
    return [say.CENTER_AWAY.format(typical=typical, most=most, unit=unit)]


def trust_sentences(outcome: Release | NoAnswer) -> list[str]:
    """Who has to be trusted, and what the promise says of somebody with many records."""
    guarantee = outcome.guarantee
    who = outcome.about.get("publisher") or outcome.about.get("contact")
    keeper = say.KEEPER_NAMED.format(who=" ".join(str(who).split())) if who else say.KEEPER
    joint = outcome.request.joint
    said = [say.TRUST.format(keeper=keeper)]
    if joint is not None:
        told = say.JOINT_POOLING if joint.pooling else say.JOINT_NO_POOLING
        pooling = told.format(pooling=joint.pooling, more=joint.pooling + 1)
        said = [say.JOINT_TRUST.format(holders=", ".join(joint.names), pooling=pooling)]
    if guarantee.unit.person_column is None:
        budget = Budget(epsilon=guarantee.epsilon, delta=guarantee.delta)
        (row,) = group_table(budget, [TRIPS], relation=guarantee.adjacency)
        right = out_of_100(float(str(row["epsilon"])), min(float(str(row["delta"])), 1.0))
        is_added = guarantee.adjacency is Adjacency.ADD_REMOVE_ONE
        said.append((say.MANY_TRIPS_IN if is_added else say.MANY_TRIPS_WHERE).format(trips=TRIPS, right=right))
    if outcome.constants.get("cap_is_stated"):
        said.append(say.CAP_IS_STATED)
    return said


def _whole(number: int) -> str:
    return figures(f"{number:,}")


def _rounded(value: float) -> str:
    """Two leading digits, without a fraction from ten on."""
    if value < 10.0:
        return figures(f"{value:.2g}")
    return figures(f"{round(value, 1 - int(np.floor(np.log10(value)))):,.0f}")
