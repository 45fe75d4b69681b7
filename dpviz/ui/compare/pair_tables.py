"""The page *Compare* as tables and files: pairs, centers, what each release is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from dpviz.language.speaking import told as _
from dpviz.privacy import out_of_100
from dpviz.releases.release import Release
from dpviz.releases.signing import fingerprint
from dpviz.ui.compare import words as say
from dpviz.ui.compare.logic import Matched, dataset_name, day_of, level_name, method_name
from dpviz.ui.map.view import Marker, write_features
from dpviz.ui.page_parts import words


def pairs_table(match: Matched) -> pd.DataFrame:
    """The pairs as a table."""
    first = {marker.number: marker for marker in match.first}
    second = {marker.number: marker for marker in match.second}
    lines = {pair.number: pair.metres for pair in match.pairs}
    pick_ups = dict(zip(lines, match.starts_m, strict=False))
    sources: dict[Marker | None, str] = dict(
        zip((*match.first, *match.second), (*match.first_from, *match.second_from), strict=False)
    )
    rows = []
    for number in sorted(set(first) | set(second)):
        one, two = first.get(number), second.get(number)
        row: dict[str, object] = {say.PAIR: number}
        if match.starts_m:
            row[_("Pick-ups apart")], row[_("Drop-offs apart")] = _metres(pick_ups, number), _metres(lines, number)
        else:
            row[say.APART] = _metres(lines, number)
        starts = (sources.get(one), sources.get(two))
        row |= {
            say.NEAR.format(letter="A"): _way(starts[0], _place(one)),
            say.NEAR.format(letter="B"): _way(starts[1], _place(two)),
            say.SERVES.format(letter="A"): _share(one),
            say.SERVES.format(letter="B"): _share(two),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def centers_table(markers: Sequence[Marker], letter: str) -> pd.DataFrame:
    """The centers of one release, where they cannot be paired."""
    near, serves = say.NEAR.format(letter=letter), say.SERVES.format(letter=letter)
    return pd.DataFrame(
        [{say.PAIR_ALONE: marker.number, near: _place(marker), serves: _share(marker)} for marker in markers]
    )


def coordinates_table(release: Release, centers: pd.DataFrame) -> pd.DataFrame:
    """The centers of a release that is no map: their coordinates."""
    total = float(np.maximum(centers["weight"], 0).sum()) or 1.0
    told = {say.PAIR_ALONE: [str(number) for number in range(1, len(centers) + 1)]}
    told |= {name: [f"{value:,.6g}" for value in centers[name]] for name in release.frame.names}
    told[_("share")] = [words.percent(max(0.0, float(weight)) / total) for weight in centers["weight"]]
    return pd.DataFrame(told)


def _metres(lines: dict[int, float], number: int) -> str:
    return words.distance(lines[number]) if number in lines else say.NO_PARTNER


def _place(marker: Marker | None) -> str:
    return say.NO_PARTNER if marker is None else marker.place or f"{marker.lat:.4f}, {marker.lon:.4f}"


def _way(start: str | None, end: str) -> str:
    """Where trips go from and to; of places just where they are."""
    return end if start is None else f"{start} → {end}"


def _share(marker: Marker | None) -> str:
    return words.percent(marker.share) if marker is not None and marker.share is not None else say.NO_PARTNER


def facts_table(a: Release, b: Release | None) -> pd.DataFrame:
    """What each release is, side by side."""
    facts: dict[str, Callable[[Release], str]] = {
        _("Data"): _data,
        _("Held by"): lambda one: "–" if one.request.joint is None else ", ".join(one.request.joint.names),
        _("Level"): level_name,
        _("Right guesses, at most"): lambda one: _("{right} of 100").format(right=guesses(one)),
        _("Protects"): lambda one: words.unit_told(one.guarantee.unit),
        _("Records"): _records,
        _("Protected points"): points,
        _("Method"): method_name,
        _("Stricter level in"): lambda one: ", ".join(region.name for region in one.guarantee.regions) or "–",
        _("Published"): lambda one: day_of(one) or "–",
        _("Made"): _made,
        _("Signature"): _signed,
    }
    sides = {"A": a} if b is None else {"A": a, "B": b}
    rows = [{_("Fact"): name} | {side: tell(one) for side, one in sides.items()} for name, tell in facts.items()]
    return pd.DataFrame(rows)


def _data(release: Release) -> str:
    name = dataset_name(release)
    return _("{dataset} (public example)").format(dataset=name) if release.demonstration else name


def points(release: Release) -> str:
    """The size of the coreset in words."""
    return _("centers only") if release.raw_coreset is None else words.whole(len(release.raw_coreset))


def _records(release: Release) -> str:
    total = release.noisy_total
    return say.NO_PARTNER if total is None else _("about {count}").format(count=words.count(max(0.0, total)))


def guesses(release: Release) -> int:
    """Right guesses of 100, at most."""
    return out_of_100(release.guarantee.epsilon, release.guarantee.delta)


def worse(share: float | None) -> str:
    """How much more the other release's centers cost."""
    if share is None:
        return say.NO_PARTNER
    if abs(share) < 5e-5:
        return _("as good")
    return (_("{share} worse") if share > 0 else _("{share} better")).format(share=words.percent(abs(share)))


def _made(release: Release) -> str:
    if release.noise != "secure":
        return say.LEDGER["replayable"]
    return say.LEDGER.get(release.status, say.LEDGER["unledgered"])


def _signed(release: Release) -> str:
    signature = release.signature
    if not signature.key:
        return _("no signature")
    return (_("signed by {name} ({key})") if signature.name else _("signature unknown ({key})")).format(
        name=signature.name, key=fingerprint(signature.key)
    )


def centers_geojson(release: Release, centers: pd.DataFrame) -> str:
    """Centers as GeoJSON points; trips as lines from pick-up to drop-off."""
    places = centers[list(release.frame.names)].to_numpy().round(6).tolist()
    return write_features(
        (
            (
                {"center": number, "weight": round(float(weight), 1)},
                "LineString" if len(place) == 4 else "Point",
                [place[:2], place[2:]] if len(place) == 4 else place,
            )
            for number, (place, weight) in enumerate(zip(places, centers["weight"], strict=True), start=1)
        ),
        indent=1,
    )
