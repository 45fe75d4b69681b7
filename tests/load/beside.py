"""How long one person's page takes while another one's long job runs: python tests/load/beside.py

A house with a file of ten million rows. Its page *Choose* is asked for again and again by a publisher: first alone,
then while an approver's click has the file read and the release drawn and stored. Prints a table.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import websockets
from streamlit.proto.WidgetStates_pb2 import WidgetStates

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from dpviz.hosting.config import read_city  # noqa: E402
from dpviz.hosting.desk import Desk, Terms  # noqa: E402
from dpviz.hosting.reading_process import Wish  # noqa: E402
from dpviz.ledger.ledger import Ledger  # noqa: E402
from dpviz.ledger.persons import Person as Named, Role  # noqa: E402
from dpviz.privacy import Budget  # noqa: E402
from dpviz.publishing.approvals import ask_for_approval, require_second_person  # noqa: E402
from dpviz.releases.request import ReleaseRequest  # noqa: E402
from tests.browser import houses  # noqa: E402
from tests.load.people import PATIENCE, Heard, Person, heard_until_rest, line_of, question, sign_in  # noqa: E402

ALONE = 20  # pages asked for before the job begins
BOX = "-74.05, 40.70, -73.90, 40.80"


@contextmanager
def house(rows: int) -> Iterator[houses.House]:
    """A running house in which the release of a large file waits for its approver."""
    with tempfile.TemporaryDirectory() as place, houses.provider(ROOT, Path(place), houses.PEOPLE) as port:
        built = houses.build(Path(place), port)
        lines = b"".join(
            b"-73.9%05d,40.7%05d\n" % (number * 7919 % 90_000, number * 104_729 % 99_000) for number in range(10_000)
        )
        with open(built.folder / "bicycles.csv", "wb") as file:
            file.write(b"lon,lat\n")
            for _ in range(rows // 10_000):
                file.write(lines)
        _asked_for(built)
        with houses.running(ROOT, built, "curators"):
            yield built


def _asked_for(built: houses.House) -> None:
    city = read_city(built.folder / "city.toml", {"HOUSE_SECRET": "of-the-house"})
    ledger = Ledger(built.folder / "store" / "ledger.sqlite3")
    anna = Desk(city, Named(name="anna@city.example", roles=frozenset({Role.STEWARD})), ledger)
    given, wish = anna.given(source="Bicycles, a year"), Wish(box=BOX, lon="lon", lat="lat")
    terms = Terms(name="bicycles", total=Budget(epsilon=2.0), why="lanes")
    dataset, _ = anna.register(given, wish, anna.reading(given, wish), terms)
    require_second_person("bicycles", ledger=ledger, who="anna@city.example", why="decision")
    request = ReleaseRequest(k=5, budget=Budget(epsilon=1.0))
    ask_for_approval(
        ledger, dataset="bicycles", key=dataset.key_of(request), request=request, who="piet@city.example", why="lanes"
    )


async def timed(line: websockets.ClientConnection, sent: bytes) -> tuple[float, Heard]:
    """Seconds until the page is at rest, and what it says."""
    begun = time.monotonic()
    await line.send(sent)
    heard = await asyncio.wait_for(heard_until_rest(line), PATIENCE)
    return time.monotonic() - begun, heard


async def run(built: houses.House) -> dict[str, list[float]]:
    """Seconds of the publisher's page, alone and meanwhile."""
    piet, ada = Person("piet", built.curators), Person("ada", built.curators)
    for person in (piet, ada):
        await sign_in(person)
    alone: list[float] = []
    meanwhile: list[float] = []
    async with line_of(piet) as his, line_of(ada) as hers:
        await timed(his, question())
        await asyncio.sleep(5)  # previews that are drawn in the background come to their end
        for _ in range(ALONE):
            alone.append((await timed(his, question()))[0])
        _, page = await timed(hers, question())
        click = WidgetStates()
        button = click.widgets.add()
        button.id, button.trigger_value = page.controls["Approve and publish"], True

        async def job() -> None:
            _, page = await timed(hers, question(click))
            while not _says(page, "Approved and published"):
                await asyncio.sleep(0.2)
                _, page = await timed(hers, question())

        working = asyncio.create_task(job())
        while not working.done():
            meanwhile.append((await timed(his, question()))[0])
        await working
    return {"alone": alone, "while a file is read and its release is made": meanwhile}


def _says(page: Heard, text: str) -> bool:
    return any(text.encode() in content for content in page.content)


def main() -> None:
    """Measure, and say it as a table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rows", type=int, default=10_000_000)
    given = asked.parse_args()
    load = os.getloadavg()[0]
    with house(given.rows) as built:
        found = asyncio.run(run(built))
    after = os.getloadavg()[0]
    print(f"{given.rows:,} rows; {os.cpu_count()} cores, load of the machine {load:.1f} before, {after:.1f} after\n")
    print("| another one's page | median | longest | pages |\n|---|---|---|---|")
    for when, seconds in found.items():
        if seconds:
            print(f"| {when} | {statistics.median(seconds):.2f} s | {max(seconds):.2f} s | {len(seconds)} |")


if __name__ == "__main__":
    main()
