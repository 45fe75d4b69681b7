"""A hundred questions with known answers, put to `dpviz ask-server` by a scripted client.

Curator only: the truths are exact.

python -m dpviz_research.asked --out docs/evidence

The questions were fixed before the first answer was seen. A number is right if its range holds the truth, or if its
estimate is within 2 % of it; both are recorded. The server runs in a process of its own that notes every file it opens.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import numpy as np
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from numpy.typing import NDArray

from dpviz.clustering import cost, solve_kmeans
from dpviz.ingest.cities import BUILTIN_BOX, BUILTIN_SIDE, load_counts, load_points
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms.exact_view import weighted_local
from dpviz.privacy import LEVELS, Budget, out_of_100
from dpviz.publishing.door import publish
from dpviz.publishing.registration import register
from dpviz.releases.request import ReleaseRequest
from dpviz_research.papers.records import read_options, write_record

SEED = 20_261_120
NEAR_ENOUGH = 0.02
NEAR_M = 500.0
NOTED = """
import os, sys
notes = os.open(os.environ["NOTES"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
sys.addaudithook(lambda event, given: os.write(notes, f"{given[0]}\\n".encode()) if event == "open" else None)
sys.argv = ["dpviz", "ask-server", "--releases", os.environ["RELEASES"]]
from dpviz.__main__ import main
main()
"""
Box = tuple[float, float, float, float]
Answer = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is put to the server, and whether its answer is right (and, of a number, whether the range holds it)."""

    kind: str
    tool: str
    given: dict[str, Any]
    check: Callable[[Answer], tuple[bool, bool | None]]


def holds(row: Answer, truth: float) -> tuple[bool, bool]:
    """Right, and held by the range."""
    held = row["low"] <= truth <= row["high"]
    return held or abs(row["estimate"] - truth) <= NEAR_ENOUGH * abs(truth), held


def in_area(truth: float) -> Callable[[Answer], tuple[bool, bool | None]]:
    """The first area holds so many, or such a share."""
    return lambda answer: holds(answer["areas"][0], truth)


def in_part(part: str, truth: float) -> Callable[[Answer], tuple[bool, bool | None]]:
    """The named number is so large."""
    return lambda answer: holds(answer[part], truth)


def promised(key: str, said: str) -> Callable[[Answer], tuple[bool, bool | None]]:
    """The promise of this release says so."""
    return lambda answer: (said in next(one["promise"] for one in answer["releases"] if one["id"] == key), None)


def refused(answer: Answer) -> tuple[bool, None]:
    """Whether there was no number, and one sentence."""
    return "refused" in answer and "\n" not in answer["refused"], None


class Truths:
    """The built-in cities, exactly, and places drawn once."""

    def __init__(self) -> None:
        self.counts = load_counts()
        self.cells = self.counts.to_numpy()
        self.trips = load_points()
        self.local = self.trips.exact_local()
        self.draw = np.random.default_rng(SEED)

    def place(self, smallest: int, largest: int) -> tuple[Box, float]:
        """A box of whole cells, and how many drop-offs it holds."""
        wide, tall = self.draw.integers(smallest, largest + 1, 2)
        row, column = int(self.draw.integers(0, BUILTIN_SIDE - tall)), int(self.draw.integers(0, BUILTIN_SIDE - wide))
        west, south, east, north = BUILTIN_BOX.as_tuple()
        x, y = (east - west) / BUILTIN_SIDE, (north - south) / BUILTIN_SIDE
        box = (west + column * x, north - (row + tall) * y, west + (column + wide) * x, north - row * y)
        return box, float(self.cells[row : row + tall, column : column + wide].sum())

    def busy(self) -> tuple[float, float]:
        """A place where trips begin."""
        lon, lat = self.trips.frame.to_raw(self.local[self.draw.integers(len(self.local))][None, :])[0, :2]
        return round(float(lon), 4), round(float(lat), 4)

    def inside(self, box: Box, end: int) -> NDArray[np.bool_]:
        """Which trips begin (0) or end (1) in a box."""
        raw = self.trips.frame.to_raw(self.local)[:, 2 * end : 2 * end + 2]
        west, south, east, north = box
        x, y = raw.T
        found: NDArray[np.bool_] = (x >= west) & (x < east) & (y >= south) & (y < north)
        return found


def questions(ids: dict[str, str], levels: dict[str, float]) -> Iterator[Question]:
    """All hundred."""
    truths = Truths()
    total = float(truths.cells.sum())
    for at in range(24):
        box, truth = truths.place(8, 64)
        which = ids[("fine", "strict")[at % 2]]
        yield Question(
            kind="count in a box", tool="count", given={"release": which, "areas": list(box)},
            check=in_area(truth),
        )  # fmt: skip
    for _ in range(12):
        box, truth = truths.place(24, 128)
        yield Question(
            kind="share in a box", tool="count", given={"release": ids["fine"], "areas": list(box), "shares": True},
            check=in_area(truth / total),
        )  # fmt: skip
    for at in range(12):
        lon, lat = truths.busy()
        box = (lon - 0.008, lat - 0.006, lon + 0.008, lat + 0.006)
        end = at % 2
        given = {"release": ids["trips"], "areas": list(box), "end": ("pickup", "dropoff")[end]}
        held = float(truths.inside(box, end).sum())
        yield Question(
            kind="trips that begin or end in a box", tool="count", given=given,
            check=in_area(held),
        )  # fmt: skip
    quarters = [(-74.02, 40.72, -73.98, 40.75), (-73.98, 40.75, -73.94, 40.78)]
    for origin in (0, 1):
        for target in (0, 1):
            both = truths.inside(quarters[origin], 0) & truths.inside(quarters[target], 1)
            names = (f"box {origin + 1}", f"box {target + 1}")

            def of_pair(answer: Answer, names: Any = names, truth: float = float(both.sum())) -> tuple[bool, bool]:
                rows = [row for row in answer["flows"] if (row["origin"], row["destination"]) == names]
                return holds(rows[0], truth)

            yield Question(
                kind="trips between boxes", tool="flows",
                given={"release": ids["trips"], "areas": [list(one) for one in quarters]}, check=of_pair,
            )  # fmt: skip
    for _ in range(4):
        sites = [truths.busy() for _ in range(5)]
        local = (np.array(sites) - np.asarray(truths.trips.frame.low[:2])) * np.asarray(truths.trips.frame.scale[:2])
        away = np.linalg.norm(truths.local[:, None, :2] - local[None, :, :], axis=2)
        nearest = away.min(axis=1)
        listed = [{"lon": lon, "lat": lat} for lon, lat in sites]
        plan: dict[str, Any] = {"release": ids["trips"], "sites": listed, "end": "pickup", "within_m": NEAR_M}
        for kind, part, truth in (
            ("average distance to sites", "average_distance_m", float(nearest.mean())),
            ("share near sites", f"share_within_{NEAR_M:g}_m", float((nearest <= NEAR_M).mean())),
        ):
            yield Question(
                kind=kind, tool="sites", given=plan,
                check=in_part(part, truth),
            )  # fmt: skip
    places, weights = weighted_local(truths.counts)
    frame = truths.counts.grid.frame
    for k in (2, 3, 4, 6, 8, 12):
        best = solve_kmeans(places, weights, k, seed=SEED, low=np.zeros(2), high=frame.extent, repeats=3).cost

        def near_best(answer: Answer, best: float = best) -> tuple[bool, None]:
            given = np.array([[one["lon"], one["lat"]] for one in answer["centers"]])
            return cost(places, weights, frame.to_local(given)) <= 1.02 * best, None

        yield Question(
            kind="centers within 2 % of the best", tool="centers", given={"release": ids["fine"], "k": k},
            check=near_best,
        )  # fmt: skip
    for _ in range(6):
        box, _held = truths.place(16, 64)
        given = {"release": ids["fine"], "other": ids["strict"], "areas": list(box)}

        def no_change(answer: Answer) -> tuple[bool, bool]:
            low, high = answer["areas"][0]["range_of_apart"]
            return low <= 0.0 <= high, low <= 0.0 <= high

        yield Question(kind="did it change (it did not)", tool="compare", given=given, check=no_change)
    for _ in range(12):
        (one, first), (two, second) = truths.place(24, 64), truths.place(24, 64)

        def order(answer: Answer, first: float = first, second: float = second) -> tuple[bool, None]:
            rows = {row["area"]: row for row in answer["areas"]}
            a, b = rows["box 1"], rows["box 2"]
            if a["low"] <= b["high"] and b["low"] <= a["high"]:  # it cannot be told
                return abs(first - second) <= 0.05 * max(first, second), None
            return (a["estimate"] > b["estimate"]) == (first > second), None

        yield Question(
            kind="which of two boxes has more", tool="count",
            given={"release": ids["fine"], "areas": [list(one), list(two)]}, check=order,
        )  # fmt: skip
    for name, epsilon in levels.items():
        said = f"at most {out_of_100(epsilon)} times in 100"
        yield Question(
            kind="what was promised", tool="list_releases", given={},
            check=promised(ids[name], said),
        )  # fmt: skip
    fine = ids["fine"]
    for tool, bad in (
        ("count", {"release": fine, "areas": [2.2, 48.8, 2.5, 48.95]}),
        ("count", {"release": fine, "areas": [40.72, -74.0, 40.76, -73.97]}),
        ("count", {"release": fine, "areas": "Montmartre"}),
        ("count", {"release": "0" * 32}),
        ("count", {"release": fine, "parts": ["Monday"]}),
        ("count", {"release": fine, "end": "pickup"}),
        ("count", {"release": fine, "areas": "/var/lib/dpviz/trips.geojson"}),
        ("flows", {"release": fine, "areas": [list(one) for one in quarters]}),
        ("centers", {"release": fine, "k": 10_000}),
        ("sites", {"release": fine, "sites": [{"lon": 0, "lat": 0}]}),
        ("records", {"release": fine}),
    ):
        yield Question(kind="no answer to give", tool=tool, given=bad, check=refused)
    west, south, east, north = BUILTIN_BOX.as_tuple()
    for which in ("fine", "strict"):
        yield Question(
            kind="count of everything", tool="count",
            given={"release": ids[which], "areas": [west, south, east, north]},
            check=in_area(total),
        )  # fmt: skip


def rows() -> Iterator[dict[str, Any]]:
    """One row a question: what was asked, what was answered, whether it is right."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        ledger = Ledger(home / "ledger.sqlite3")
        whole = Budget(epsilon=10.0)
        city = register("drop-offs", load_counts(), total=whole, ledger=ledger)
        trips = register("trips", load_points(), total=whole, ledger=ledger)
        levels = {"fine": LEVELS[3].epsilon, "strict": LEVELS[5].epsilon, "trips": LEVELS[0].epsilon}
        ids = {}
        for name, epsilon in levels.items():
            asked = ReleaseRequest(k=5, budget=Budget(epsilon=epsilon), purpose="any question")
            made = publish(trips if name == "trips" else city, asked)
            made.save(home / "published" / name)
            ids[name] = made.id
        before = (ledger.remaining("drop-offs"), ledger.remaining("trips"))
        asked_all = list(questions(ids, levels))
        assert len(asked_all) == 100, len(asked_all)
        yield from anyio.run(put, home, asked_all)
        opened = (home / "notes").read_text(encoding="utf-8").splitlines()
        exact = [name for name in opened if "nyc-t" in name or name.startswith(str(ledger.path))]
        spent = (ledger.remaining("drop-offs"), ledger.remaining("trips")) != before
        yield {"question": "files with records, or of the ledger, that the server opened", "answer": str(len(exact))}
        yield {"question": "did the ledger change", "answer": "yes" if spent else "no"}


async def put(home: Path, asked: list[Question]) -> list[dict[str, Any]]:
    """Put the questions one after the other to a server in a process of its own."""
    variables = {**os.environ, "NOTES": str(home / "notes"), "RELEASES": str(home / "published")}
    variables["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    server = StdioServerParameters(command=sys.executable, args=["-c", NOTED], env=variables)
    found = []
    async with Client(stdio_client(server)) as client:
        for question in asked:
            said = await client.call_tool(question.tool, question.given)
            text = said.content[0].text  # type: ignore[union-attr]
            answer = {"refused": text} if said.is_error else json.loads(text)
            right, held = (False, None) if said.is_error and question.check is not refused else question.check(answer)
            found.append(
                {
                    "question": question.kind,
                    "tool": question.tool,
                    "asked": json.dumps({name: part for name, part in question.given.items() if name != "release"}),
                    "answer": text[:300],
                    "right": bool(right),
                    "range_holds": held,
                }
            )
    return found


def main() -> None:
    """Ask, and write a record for the page *Evidence*."""
    given = read_options(__doc__)
    found = list(rows())
    right = sum(bool(row.get("right")) for row in found)
    numbers = [row["range_holds"] for row in found if row.get("range_holds") is not None]
    summary = f"{right} of 100 right; the range held {sum(numbers)} of {len(numbers)} numbers; {found[-2]['answer']} "
    print(summary + f"files with records opened; ledger changed: {found[-1]['answer']}")
    write_record(
        given.out / "asked.json",
        title="A hundred questions by an assistant's protocol",
        what=(
            "Questions with known answers, put to the server for assistants by a scripted client. Right: the range "
            "holds the truth, or the estimate is within 2 % of it; a question without an answer is refused in one "
            "sentence. The last two rows say what the server opened and whether anything was spent."
        ),
        kind="table",
        rows=found,
        command="python -m dpviz_research.asked --out docs/evidence",
        seed=SEED,
        data="nyc-taxi and nyc-trips; no constant was chosen on these questions; noise from the secure source",
    )


if __name__ == "__main__":
    main()
