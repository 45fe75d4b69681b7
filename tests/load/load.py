"""How a hosted house bears 50 analysts and 5 curators at once, and those who mean no good: python tests/load/load.py

Starts a house with a real provider on this machine, publishes four maps of the built-in city, signs everybody in, and
lets analysts ask for other numbers of centers and curators look at the page Choose, each every six seconds on average.
In the second half there are a thousand sockets that say nothing, readers that never read, frames and uploads that are
too large, and files that unpack to a gigabyte. Prints a table, and writes it where --out says. Bounded: --minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import platform
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import dpviz  # noqa: E402
from dpviz.hosting.public_folder import bring_up_to_date  # noqa: E402
from dpviz.ledger.ledger import Ledger  # noqa: E402
from tests.browser import houses  # noqa: E402
from tests.load.misuse import misuse  # noqa: E402
from tests.load.people import PAUSE, Person, Rest, sign_in, work  # noqa: E402

PUBLISHED_LEVELS = (1, 3, 4, 5)
_PROGRAMS = {"curators": "city_app.py", "analysts": "analyst_app.py"}


def publish_maps(folder: Path) -> None:
    """Four releases of one data set, at four levels, through the door of the house's own ledger."""
    ledger = Ledger(folder / "store" / "ledger.sqlite3")
    city = dpviz.register(
        "taxi-january", dpviz.builtin("nyc-taxi"), total=dpviz.Budget(epsilon=20.0, delta=1e-6), ledger=ledger
    )
    for number in PUBLISHED_LEVELS:  # a house that has been used for a while
        dpviz.publish(city, dpviz.ReleaseRequest(k=5, budget=dpviz.Budget(epsilon=dpviz.LEVELS[number].epsilon)))
    bring_up_to_date(ledger, ledger.path.with_name("published"))


class Programs:
    """What the two programs of the house hold and use, by and by."""

    def __init__(self, process: int) -> None:
        family = psutil.Process(process).children(recursive=True)
        self.all = {
            name: next(one for one in family if any(script in word for word in one.cmdline()))
            for name, script in _PROGRAMS.items()
        }
        self.held: dict[str, list[tuple[float, float]]] = {name: [] for name in self.all}
        self.busy: dict[str, list[tuple[float, float]]] = {name: [] for name in self.all}
        self.load: list[float] = []

    async def watch(self, until: float) -> None:
        while time.monotonic() < until:
            for name, program in self.all.items():
                now = time.monotonic()
                self.held[name].append((now, program.memory_info().rss / 2**20))
                self.busy[name].append((now, sum(program.cpu_times()[:2])))
            self.load.append(os.getloadavg()[0])
            await asyncio.sleep(2)

    def cores(self, name: str) -> float:
        """How many cores it used on average."""
        (first, before), (last, after) = self.busy[name][0], self.busy[name][-1]
        return (after - before) / max(1e-9, last - first)


async def run(house: houses.House, minutes: float, analysts: int, curators: int) -> dict[str, str]:
    """Everybody at work for so long; what was measured."""
    people = [Person(f"analyst{number}", house.analysts) for number in range(analysts)]
    people += [Person(f"curator{number}", house.curators) for number in range(curators)]
    eve = Person("eve", house.analysts)
    begun = time.monotonic()
    for person in (*people, eve):  # one after the other: the provider of the tests is a small one
        await sign_in(person)
    told = {"people signed in": f"{len(people) + 1} in {time.monotonic() - begun:.0f} s"}
    start = time.monotonic()
    until, middle = start + 60 * minutes, start + 30 * minutes
    programs = Programs(house.process)
    spread = PAUSE / max(1, len(people))
    jobs = [
        work(person, until, number * spread, clicks=person.address == house.analysts)
        for number, person in enumerate(people)
    ]
    bad: dict[str, str] = {}

    async def in_the_second_half() -> None:
        await asyncio.sleep(max(0.0, middle - time.monotonic()))
        await misuse((house.analysts, house.curators), eve, until, bad)

    await asyncio.gather(*jobs, programs.watch(until), in_the_second_half())
    for kind, address in (("an analyst", house.analysts), ("a curator", house.curators)):
        rests = [rest for person in people if person.address == address for rest in person.rests]
        told |= _times(kind, rests, middle)
    told["clicks and pages asked for, lost"] = (
        f"{sum(one.asked for one in people):,}, {sum(one.lost for one in people)}"
    )
    why = Counter(reason for one in people for reason in one.why)
    if why:
        told["why they were lost"] = ", ".join(f"{count} × {reason}" for reason, count in why.most_common(5))
    for name in programs.all:
        told[f"memory of the {name}' program"] = _memory(programs.held[name])
        told[f"cores that the {name}' program used"] = f"{programs.cores(name):.2f} on average"
    told["load of the machine meanwhile"] = f"median {statistics.median(programs.load):.1f}, on {os.cpu_count()} cores"
    return told | bad


def _times(kind: str, rests: Sequence[Rest], middle: float) -> dict[str, str]:
    told = {}
    parts: tuple[tuple[str, Callable[[Rest], bool]], ...] = (
        (f"page of {kind} at rest after a click", lambda rest: not rest.is_first and rest.when < middle),
        (f"page of {kind} opened", lambda rest: rest.is_first and rest.when < middle),
        (f"page of {kind} at rest after a click, under misuse", lambda rest: not rest.is_first and rest.when >= middle),
        (f"page of {kind} opened, under misuse", lambda rest: rest.is_first and rest.when >= middle),
    )
    for name, belongs in parts:
        seconds = sorted(rest.seconds for rest in rests if belongs(rest))
        if seconds:
            late = seconds[min(len(seconds) - 1, int(0.95 * len(seconds)))]
            median, longest = statistics.median(seconds), seconds[-1]
            told[name] = (
                f"median {median:.2f} s, 95 of 100 within {late:.2f} s, longest {longest:.2f} s ({len(seconds)})"
            )
    return told


def _memory(held: Sequence[tuple[float, float]]) -> str:
    begun, by_minute = held[0][0], dict[int, list[float]]()
    for when, amount in held:
        by_minute.setdefault(int((when - begun) // 60), []).append(amount)
    listed = ", ".join(f"{statistics.median(amounts):.0f}" for amounts in by_minute.values())
    return f"{listed} MB, a median for each minute; {max(amount for _, amount in held):.0f} MB at most"


@contextlib.contextmanager
def many_sockets() -> Iterator[None]:
    """This program opens a thousand sockets itself."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def main() -> None:
    """Measure, and say it as a table."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--minutes", type=float, default=4.0)
    asked.add_argument("--analysts", type=int, default=50)
    asked.add_argument("--curators", type=int, default=5)
    asked.add_argument("--out", type=Path)
    given = asked.parse_args()
    named = {f"analyst{number}": ["analysis"] for number in range(given.analysts)} | {"eve": ["analysis"]}
    named |= {f"curator{number}": ["publishing"] for number in range(given.curators)}
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place, many_sockets(), houses.provider(ROOT, Path(place), named) as port:
        built = houses.build(Path(place), port)
        publish_maps(built.folder)
        with houses.running(ROOT, built) as process:
            house = replace(built, process=process)
            told = asyncio.run(run(house, given.minutes, given.analysts, given.curators))
    about = f"{given.analysts} analysts and {given.curators} curators, {given.minutes:g} minutes"
    where = f"{os.cpu_count()} cores, Python {platform.python_version()}, load of the machine before {load:.1f}"
    lines = [
        f"# A house under load\n\n{about}; {where}. Made by `python tests/load/load.py`.\n",
        "| what | measured |",
        "|---|---|",
    ]
    lines += [f"| {name} | {value} |" for name, value in told.items()]
    text = "\n".join(lines) + "\n"
    print(text)
    if given.out is not None:
        given.out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
