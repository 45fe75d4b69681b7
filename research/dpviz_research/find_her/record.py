"""Writes what the Demo shows of protected maps: `python -m dpviz_research.find_her.record`.

Every number comes from draws with noise that can be replayed from the seeds named in the file; the data are public.
"""

from __future__ import annotations

import argparse
import json
from base64 import b64encode
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dpviz.domain import GeoBox
from dpviz.domain.relation import Unit
from dpviz.evaluation import evaluate
from dpviz.noise import replayable_source
from dpviz.privacy import LEVELS, Budget, out_of_100
from dpviz.publishing.mechanism_run import release as drawn_once
from dpviz.releases.release import Release
from dpviz_research import PROJECT
from dpviz_research.find_her import finding, limits, playing, week
from dpviz_research.find_her.neighbourhoods import neighbourhoods
from dpviz_research.find_her.playing import Worlds
from dpviz_research.papers.records import commit, write_record

OUT: Final = PROJECT / "dpviz" / "ui" / "demo" / "played.json"
EVIDENCE: Final = PROJECT / "docs" / "evidence" / "find-her.json"
METHOD: Final = "uniform_grid"
SEED: Final = 19
ROUNDS: Final = 1000
SHOWN: Final = 60  # rounds that the Demo shows with their numbers
PLAYERS: Final = 1000
EACH: Final = 20  # rounds of a player
STATIONS: Final = 5
MORNING: Final = frozenset({7, 8, 9})
NIGHT: Final = frozenset({0, 1, 2, 3})
MERGED: Final = 3  # squares of the map of some hours that are shown as one, per side
SHADES: Final = 8  # steps of a shade for each doubling of a count
TURNING_POINT: Final = 0.5  # ε at which a trip and a person are compared


def document(rounds: int = ROUNDS) -> dict[str, Any]:
    """Everything: the stops of the dial, the turning point per trip, mornings and nights."""
    person = playing.worlds(playing.city(), limits.PER_PERSON)
    trip = playing.worlds(playing.city(), limits.PER_TRIP)
    return {
        "made": {
            "command": "python -m dpviz_research.find_her.record",
            "commit": commit(),
            "seed": SEED,
            "method": METHOD,
            "data": f"nyc-taxi, {person.without.exact_total:,} drop-offs of a month, and the week of a made-up person",
        },
        "trips": person.without.exact_total,
        "cap": week.CAP,
        "her": _her(),
        "found": _found(),
        "exact": {"shades": _shades(_exact_grid(person)), "per_axis": person.without.grid.side, **_exact_her(person)},
        "stops": [_stop(person, level.epsilon, level.name, SEED + level.number, rounds) for level in LEVELS],
        "per_trip": _stop(trip, TURNING_POINT, "per trip", SEED, rounds),
        "hours": {
            "epsilon": TURNING_POINT / 2,
            "morning": _hours(MORNING, SEED + 101),
            "night": _hours(NIGHT, SEED + 102),
        },
    }


def _her() -> dict[str, Any]:
    """Her doors, her week, and her trips as a receiver has them."""
    return {
        "places": [{"name": place.name, "lon": place.lon, "lat": place.lat} for place in week.PLACES],
        "week": [{"start": trip.start, "end": trip.end} for trip in week.WEEK],
        "ends": np.round(week.ends(), 7).tolist(),
    }


def _found() -> dict[str, Any]:
    """What the two facts leave over in each of the three maps; trips are numbered as in the public file, hers last."""
    from dpviz.ingest.cities import BUILTIN_BOX, load_points

    ends = finding.with_hers(load_points("nyc-trips").to_numpy())
    codes = finding.codes_of_riders(ends)
    lines = finding.connections(ends, BUILTIN_BOX)
    hers = finding.lines_at_home(lines, BUILTIN_BOX)
    rounded = finding.search_rounded(ends, codes, BUILTIN_BOX)
    return {
        "squares": finding.SQUARES,
        "names": _search(finding.search_without_names(ends, codes)),
        "rounded": _search(rounded),
        "other_mornings": finding.other_mornings(ends, codes, rounded, BUILTIN_BOX),
        "lines": np.column_stack([lines, hers]).tolist(),
    }


def _search(found: finding.Search) -> dict[str, Any]:
    return {
        "codes": found.codes,
        "codes_fit_home": found.codes_fit_home,
        "codes_fit_both": found.codes_fit_both,
        "fit_home": found.fit_home.tolist(),
        "fit_both": found.fit_both.tolist(),
    }


def _stop(both: Worlds, epsilon: float, name: str, seed: int, rounds: int) -> dict[str, Any]:
    """One stop of the dial: a published map with her, the limits, and rounds of the game."""
    release = drawn_once(both.with_her, k=STATIONS, budget=Budget(epsilon=epsilon), method=METHOD, seed=seed)
    assert isinstance(release, Release) and release.cells is not None
    found = evaluate(both.with_her, release)
    cells = release.cells["count"].to_numpy()
    per_axis = round(len(cells) ** 0.5)
    return {
        "name": name,
        "epsilon": epsilon,
        "promised": _promised(epsilon, both.unit),
        "reachable": round(100 * limits.reachable(epsilon, both.unit), 2),
        "seed": seed,
        "per_axis": per_axis,
        "shades": _shades(cells),
        "asked": _asked(release, per_axis),
        "stations": np.round(release.raw_centers, 5).tolist(),
        "exact_stations": found.exact_centers[["lon", "lat"]].round(5).to_numpy().tolist(),
        "shift_m": round(float(found.shift_m), 1),
        "worse": float(f"{found.relative_error:.3g}"),
        **_game(both, epsilon, seed, rounds),
    }


def _promised(epsilon: float, unit: Unit) -> int:
    """Of 100 guesses about her whole week, at most so many are right: her trips add up where a trip is the unit."""
    return out_of_100(epsilon * (1 if unit.cap else len(week.WEEK)))


def _asked(release: Release, per_axis: int) -> dict[str, list[int]]:
    """What the release answers about the published square of each of her doors: estimate, low, high."""
    found = {}
    box = playing.city().grid.box
    assert isinstance(box, GeoBox)
    for place, square in zip(week.PLACES, playing.squares_of_hers(playing.city(), per_axis), strict=True):
        column, row = divmod(square, per_axis)
        wide, high = (box.east - box.west) / per_axis, (box.north - box.south) / per_axis
        west, south = box.west + column * wide, box.south + row * high
        answer = release.count(GeoBox(west, south, west + wide, south + high))
        found[place.name] = [round(answer.estimate), round(answer.low), round(answer.high)]
    return found


def _game(both: Worlds, epsilon: float, seed: int, rounds: int) -> dict[str, Any]:
    """Rounds with the best guesser: the first ones with their numbers, of all of them whether the guess was right."""
    played = list(playing.rounds(both, epsilon, rounds, replayable_source(seed + 1000)))
    right = "".join("1" if one.said == one.inside else "0" for one in played)
    names = [place.name for place in week.PLACES]
    return {
        "right": right,
        "rounds": [
            {
                "inside": one.inside,
                "said": one.said,
                "seen": dict(zip(names, map(int, one.published.seen[1:]), strict=True)),
                "without": dict(zip(names, map(int, one.published.without[1:]), strict=True)),
            }
            for one in played[:SHOWN]
        ],
    }


def _hours(hours: frozenset[int], seed: int) -> dict[str, Any]:
    """A map of some hours, at half of the budget each, so that both together cost one."""
    from dpviz.ingest.cities import load_counts

    both = playing.worlds(load_counts("nyc-taxi", hours), limits.PER_PERSON, hours)
    budget = Budget(epsilon=TURNING_POINT / 2)
    release = drawn_once(both.with_her, k=STATIONS, budget=budget, method=METHOD, seed=seed)
    assert isinstance(release, Release) and release.cells is not None
    found = evaluate(both.with_her, release)
    merged = _merged(release.cells["count"].to_numpy())
    return {
        "seed": seed,
        "per_axis": round(len(merged) ** 0.5),
        "shades": _shades(merged),
        "total": round(release.total().estimate),
        "shares": _shares(release),
        "stations": np.round(release.raw_centers, 5).tolist(),
        "shift_m": round(float(found.shift_m), 1),
    }


def _merged(cells: NDArray[np.float64]) -> NDArray[np.float64]:
    """Published squares added up to larger ones; what is left over at the east and north edge goes to the last ones."""
    side = round(len(cells) ** 0.5)
    starts = np.arange(side // MERGED) * MERGED
    rows = np.add.reduceat(cells.reshape(side, side), starts, axis=0)
    return np.add.reduceat(rows, starts, axis=1).ravel()


def _shares(release: Release) -> dict[str, float]:
    """What part of all published trips ended in each neighbourhood, in percent."""
    cells = release.cells
    assert cells is not None
    names = neighbourhoods((cells["west"] + cells["east"]) / 2, (cells["south"] + cells["north"]) / 2)
    sums: dict[str, float] = {}
    for name, count in zip(names, cells["count"].tolist(), strict=True):
        if name:
            sums[name] = sums.get(name, 0.0) + count
    whole = float(cells["count"].sum())
    return {name: round(100 * count / whole, 2) for name, count in sorted(sums.items(), key=lambda item: -item[1])[:40]}


def _exact_grid(both: Worlds) -> NDArray[np.int64]:
    """Without protection, in the order of published squares: west to east first, each from the south."""
    return both.with_her.exact_cells[::-1].T.ravel()


def _exact_her(both: Worlds) -> dict[str, Any]:
    without = playing.exact_of_hers(both.without, both.without.grid.side)
    names = [place.name for place in week.PLACES]
    return {"without": dict(zip(names, map(int, without[1:]), strict=True)), "moved": week.drop_offs()}


def _shades(cells: NDArray[Any]) -> str:
    """Counts as shades, one signed byte each, for drawing only: eight steps for every doubling."""
    values = np.sign(cells) * np.round(np.log2(1 + np.abs(cells)) * SHADES)
    return b64encode(np.clip(values, -127, 127).astype(np.int8).tobytes()).decode()


def evidence(found: dict[str, Any], out: Path) -> Path:
    """The scores of simulated players beside both limits, for the page Evidence."""
    rows = [
        _players(limits.PER_PERSON, "her whole week", stop["epsilon"], stop, SEED + 2000 + at)
        for at, stop in enumerate(found["stops"])
    ]
    rows.append(_players(limits.PER_TRIP, "one trip", found["per_trip"]["epsilon"], found["per_trip"], SEED + 3000))
    return write_record(
        out,
        title="Find Her: 1,000 simulated players at every level",
        what=(
            f"Players who know every trip but those of one made-up person guess {EACH} times whether her week is in a "
            "published map of the uniform grid; each guesses as well as anybody can. Beside their scores stand the "
            "promise and the best score that can be reached at all, computed from the noise."
        ),
        kind="find-her",
        rows=rows,
        command="python -m dpviz_research.find_her.record",
        seed=SEED,
        data=found["made"]["data"],
    )


def _players(unit: Unit, protected: str, epsilon: float, stop: dict[str, Any], seed: int) -> dict[str, Any]:
    right = playing.players(epsilon, unit, PLAYERS, EACH, seed) * (100 / EACH)
    return {
        "protected": protected,
        "epsilon": epsilon,
        "players": PLAYERS,
        "rounds_each": EACH,
        "score_mean": float(right.mean()),
        "score_low": float(np.quantile(right, 0.05)),
        "score_high": float(np.quantile(right, 0.95)),
        "whole_maps": 100 * stop["right"].count("1") / len(stop["right"]),
        "reachable": stop["reachable"],
        "promised": stop["promised"],
    }


def main() -> None:
    """Make both files again."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--evidence", type=Path, default=EVIDENCE)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    found = document(given.rounds)
    given.out.write_text(json.dumps(found, separators=(",", ":"), ensure_ascii=False) + "\n", encoding="utf-8")
    evidence(found, given.evidence)


if __name__ == "__main__":
    main()
