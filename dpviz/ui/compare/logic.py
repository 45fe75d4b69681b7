"""The page *Compare* below its controls. Reads published releases and nothing else; no exact type is imported here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz.clustering import match_centers
from dpviz.errors import NotOffered
from dpviz.labels.catalogue_rows import method_title
from dpviz.labels.center_names import names_by_records
from dpviz.language.speaking import told, told as _
from dpviz.questions.centers import centers_for, cost_of
from dpviz.questions.redrawing import redrawn_centers
from dpviz.releases.release import UNVERIFIED, NoAnswer, Release
from dpviz.ui.compare import words as say
from dpviz.ui.map import city_map, surroundings
from dpviz.ui.map.view import Box, Dots, MapView, Marker, Namer, Pair, make_arcs, make_markers
from dpviz.ui.page_parts import words
from dpviz.ui.session.regions import shapes

MAP = "m"  # the metric of records that are places


def level_name(release: Release | NoAnswer) -> str:
    """The level of a release in words."""
    return words.level_in_words(release.guarantee.epsilon)


def method_name(release: Release | NoAnswer) -> str:
    """The method's title in the reader's language."""
    return told(method_title(release.method.removeprefix("regional:")))


def dataset_name(release: Release | NoAnswer) -> str:
    """The data set's name on one line, not longer than a line can take. It is somebody's free text."""
    return _on_one_line(release.dataset or _("no name"))


def data_title(release: Release) -> str:
    """What the publisher calls it; the name of its data where it has no title."""
    called = _on_one_line(str(release.about.get("title", ""))) or dataset_name(release)
    return f"{called}: {release.when}" if release.when else called


def _on_one_line(text: str) -> str:
    name = "".join(letter if letter.isprintable() else " " for letter in text)
    return name if len(name) <= say.LONGEST_NAME else name[: say.LONGEST_NAME - 1] + "…"


def day_of(release: Release) -> str:
    """The day of its publication, where it tells one."""
    return str(release.about.get("published", ""))


def title(release: Release) -> str:
    """A release in one line, what tells it from others first."""
    return f"{data_title(release)} · {level_name(release)} · {words.CENTERS.of(len(release.raw_centers))}"


def title_of_none(outcome: NoAnswer) -> str:
    """A request without an answer in one line."""
    reason = str(outcome.reason.value)
    return (
        f"{level_name(outcome)} · {method_name(outcome)} · {dataset_name(outcome)}: {words.REASONS.get(reason, reason)}"
    )


def warnings_about(release: Release) -> list[str]:
    """What an analyst must know before trusting a release; `{which}` stands for its letter."""
    if release.noise != "secure":
        return [
            _(
                "{which}: made with a known seed, for tests. Whoever knows the seed can take the noise away, so this "
                "is not protected."
            )
        ]
    if release.status == UNVERIFIED:
        return [
            _(
                "{which}: nobody has signed it. That it was published through a ledger is its "
                "own word. Ask for the signed folder."
            )
            if not release.signature.key
            else _(
                "{which}: this computer does not know who signed it. Ask the publisher for the key in another way, and "
                "check the release with the command “dpviz verify”."
            )
        ]
    return (
        []
        if release.status == "published"
        else [_("{which}: made outside any ledger. Nobody has added up what else was made from the same records.")]
    )


# ---- on a map --------------------------------------------------------------------------------------------------


def on_a_map(release: Release) -> bool:
    """Whether the records are places (or trips between places)."""
    return release.frame.metric == MAP and release.frame.dims in (2, 4)


def are_trips(release: Release) -> bool:
    """Whether each record has a pick-up and a drop-off."""
    return on_a_map(release) and release.frame.dims == 4


def box_of(release: Release) -> Box:
    """The public box in degrees; for trips the one of the drop-offs."""
    frame = release.frame
    return Box(west=frame.low[-2], south=frame.low[-1], east=frame.high[-2], north=frame.high[-1])


def asked_k(a: Release, b: Release) -> int | None:
    """How many centers both must be shown with, where one of them cannot be asked; None where both can."""
    fixed = [len(release.raw_centers) for release in (a, b) if release.raw_coreset is None]
    return min(fixed) if fixed else None


def centers_of(release: Release, k: int, objective: str) -> pd.DataFrame:
    """The release's own centers, or those of any other k and objective asked of its coreset: free."""
    if release.raw_coreset is None or (k == len(release.raw_centers) and objective == "k-means"):
        return release.centers
    return centers_for(release, k, objective)


def markers_of(
    release: Release, centers: pd.DataFrame, what: str, numbers: Sequence[int] | None = None
) -> tuple[Marker, ...]:
    """Centers of a release as map markers (trips: their drop-off ends). No map: markers without a place."""
    named = on_a_map(release)
    lon, lat = release.frame.names[-2:] if release.frame.dims > 1 else release.frame.names * 2
    return make_markers(
        centers[lon].to_numpy(),
        centers[lat].to_numpy(),
        centers["weight"].to_numpy(),
        name_places=_named_by_records(release, centers) if named else city_map.nameless,
        what=what,
        numbers=numbers,
    )


def _named_by_records(release: Release, centers: pd.DataFrame) -> Namer:
    """A center is called after where its records are; what it stands on may be water."""
    namer, raw = surroundings.namer_of(box_of(release)), centers[list(release.frame.names)].to_numpy(np.float64)
    return lambda lon, lat: names_by_records(release, raw, namer)


def view_of(release: Release, centers: pd.DataFrame, what: str) -> MapView:
    """One release on a map."""
    box = box_of(release)
    view = MapView(box=box, place=title(release))
    if release.raw_coreset is not None and release.coreset_weights is not None:
        view = demand_view(release, release.raw_coreset[:, -2:], release.coreset_weights, box)
    return replace(view, centers=markers_of(release, centers, what), arcs=make_arcs(release.frame, centers))


def demand_view(release: Release, raw: NDArray[np.float64], weights: NDArray[np.float64], box: Box) -> MapView:
    """Points of a release on a map. Those of negative weight correct their neighbours and are not drawn."""
    there = weights > 0
    unit = "trip" if are_trips(release) else "record"
    lon, lat = raw[there, 0], raw[there, 1]
    dots = Dots(lon=lon, lat=lat, weight=weights[there], places=surroundings.namer_of(box)(lon, lat), unit=unit)
    return MapView(box=box, place=title(release), dots=dots, regions=shapes(release.request.regions))


def negative_points(release: Release) -> int:
    """How many coreset points stand for fewer than no records."""
    return 0 if release.coreset_weights is None else int((release.coreset_weights < 0).sum())


# ---- pairs -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Matched:
    """Centers of A and B in pairs. Trips are paired by both ends; `pairs` then lie between the drop-offs."""

    first: tuple[Marker, ...]
    second: tuple[Marker, ...]
    pairs: tuple[Pair, ...]
    starts_m: tuple[float, ...] = ()  # trips: how far apart the pick-ups of each pair are
    first_from: tuple[str, ...] = ()  # trips: where each center's pick-ups are
    second_from: tuple[str, ...] = ()

    @property
    def average_m(self) -> float | None:
        """The average distance of a pair."""
        return sum(pair.metres for pair in self.pairs) / len(self.pairs) if self.pairs else None

    @property
    def farthest(self) -> Pair | None:
        """The pair farthest apart."""
        return max(self.pairs, key=lambda pair: pair.metres, default=None)


def comparable(a: Release, b: Release) -> bool:
    """Whether two releases live in the same box and dimensions."""
    return a.frame == b.frame


def match_pairs(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame) -> Matched:
    """Pair the centers; B takes A's numbers. Those of different boxes stay without partners."""
    if not comparable(a, b):
        return Matched(first=markers_of(a, first, say.CENTER_A), second=markers_of(b, second, say.CENTER_B), pairs=())
    names = list(a.frame.names)
    left = a.frame.to_local(first[names].to_numpy())
    right = a.frame.to_local(second[names].to_numpy())
    pairs = match_centers(left, right)
    numbers = {j: i + 1 for i, j in pairs}
    spare = iter(range(len(first) + 1, len(first) + len(second) + 1))
    markers_a = markers_of(a, first, say.CENTER_A)
    markers_b = markers_of(b, second, say.CENTER_B, [numbers.get(j) or next(spare) for j in range(len(second))])
    trips = are_trips(a)
    ends = slice(2, 4) if trips else slice(None)
    return Matched(
        first=markers_a,
        second=markers_b,
        pairs=tuple(_line(markers_a[i], markers_b[j], left[i, ends], right[j, ends]) for i, j in pairs),
        starts_m=tuple(float(np.linalg.norm(left[i, :2] - right[j, :2])) for i, j in pairs) if trips else (),
        first_from=_pick_ups(a, first) if trips else (),
        second_from=_pick_ups(b, second) if trips else (),
    )


def _pick_ups(release: Release, centers: pd.DataFrame) -> tuple[str, ...]:
    lon, lat = (centers[name].to_numpy() for name in release.frame.names[:2])
    places = surroundings.namer_of(box_of(release))(lon, lat)
    return tuple(place or f"{y:.4f}, {x:.4f}" for place, x, y in zip(places, lon, lat, strict=True))


def _line(one: Marker, other: Marker, left: NDArray[np.float64], right: NDArray[np.float64]) -> Pair:
    metres = float(np.linalg.norm(left - right))
    return Pair(
        number=one.number,
        start=(one.lon, one.lat),
        end=(other.lon, other.lat),
        metres=metres,
        tip=words.tip_pair(one.number, metres),
    )


def lay_over(a: Release, match: Matched) -> MapView:
    """One map: A hollow, B filled, lines between the pairs."""
    return MapView(
        box=box_of(a),
        place=title(a),
        centers=match.first,
        other_centers=match.second,
        other_pairs=match.pairs,
        regions=shapes(a.request.regions),
    )


def map_alt(view: MapView) -> str:
    """The map in words."""
    shown = []
    if view.dots is not None and len(view.dots):
        shown.append(_("{count} protected points").format(count=words.count(len(view.dots))))
    if view.centers:
        shown.append(_("{count} centers of A").format(count=len(view.centers)))
    if view.other_centers:
        shown.append(_("{count} centers of B").format(count=len(view.other_centers)))
    return _(
        "Map of {box} with {shown}. The same centers follow in the table “{table}”; a "
        "row that is ticked there is ringed here."
    ).format(box=view.place, shown=", ".join(shown) or _("no points"), table=say.PAIRS)


# ---- whether A and B say the same --------------------------------------------------------------------------------


Floats = NDArray[np.float64]
REDRAWS = 10  # of each release; every one of A meets every one of B
OFTEN = 0.9  # of the pairs of synthetic releases; of 36 pairs of releases of made-up cities 34 lay within
Moves = Floats  # from each center to its partner in every synthetic release, (redraws, k, d), in local metres


def extra_cost(release: Release, strange: pd.DataFrame, own: pd.DataFrame, objective: str) -> float | None:
    """How much more it costs to serve a release's records from another one's centers than from its own, as a share.

    None where it has no points to ask, or none that tell (weights that sum to nothing).
    """
    try:
        mine, theirs = cost_of(release, own, objective), cost_of(release, strange, objective)
    except NotOffered:
        return None
    return theirs / mine - 1.0 if mine > 0.0 else None


def measure_moves(release: Release, centers: pd.DataFrame) -> Moves | None:
    """How far each center lies from its partner in every synthetic release.

    Of one release alone, so that whoever compares it with another one finds this half done; None where a release
    holds no counted cells.
    """
    places = release.frame.to_local(centers[list(release.frame.names)].to_numpy())
    found = []
    try:
        drawn = redrawn_centers(release, REDRAWS, len(places))
    except NotOffered:
        return None
    for again in drawn:
        others = release.frame.to_local(again)
        moved = np.zeros_like(places)
        for mine, theirs in match_centers(places, others):
            moved[mine] = others[theirs] - places[mine]
        found.append(moved)
    return np.array(found)


def expect_from_noise(
    a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame, left: Moves | None, right: Moves | None
) -> tuple[float, float] | None:
    """How far apart the centers are on average if only noise differs, and what they seldom exceed then, in metres.

    From synthetic releases around A (`left`, its moves) and around B (`right`), which cost nothing.
    How the centers of a redrawn A differ from A's is what A's noise does, other basins included; the same of B. If A
    and B are of the same records, their centers lie as far apart as these two differences do.
    """
    if left is None or right is None:
        return None
    names = list(a.frame.names)
    pairs = match_centers(a.frame.to_local(first[names].to_numpy()), a.frame.to_local(second[names].to_numpy()))
    if not pairs:
        return None
    of_a, of_b = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    ends = slice(2, 4) if len(names) == 4 else slice(None)  # of trips, what is told is between the drop-offs
    averages = np.sqrt(((left[:, None, of_a, ends] - right[None, :, of_b, ends]) ** 2).sum(axis=3)).mean(axis=2).ravel()
    return float(averages.mean()), float(np.quantile(averages, OFTEN))
