"""How long a person waits for the screen, measured in Chromium: python tests/browser/timing.py [--rounds N] [--json]

Not a test: times depend on the machine and on what else runs on it, so every line says the load. Software drawing, as
on a server without a graphics card, is slower than a desk computer's.

* start: from the command to the server's first answer, and to the first map
* second visit: another browser session on the same server, to its first map
* step: a key on the slider until the whole page has come and two frames were drawn; for new answers, and known ones;
  on the night hour with which the page opens, and on the whole month (10.2 million trips)
* four sessions: the same step while a fourth session computes another number of clusters
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from conftest import FLAGS, serving
from playwright.sync_api import Browser, Page, sync_playwright

import run

FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
ODDS = "() => { const m = document.body.innerText.match(/(\\d+) times in\\s+100/); return m ? m[1] : '' }"
AT_REST = "() => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning'"
CHANGED = "(old) => { const m = document.body.innerText.match(/(\\d+) times in\\s+100/); return m && m[1] !== old }"


class Screen:
    """One browser session on the page Choose."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.page: Page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        started = time.perf_counter()
        self.page.goto(url)
        self.page.wait_for_selector("canvas", timeout=120_000)
        self.page.evaluate(FRAMES)
        self.first_map = time.perf_counter() - started
        self.page.wait_for_function("() => document.body.innerText.match(/times in\\s+100/)", timeout=60_000)

    def step(self, key: str) -> float:
        """Seconds from the key to the new page, its map drawn."""
        self.page.bring_to_front()
        self.page.locator("input[type=range]").first.focus()
        old = self.page.evaluate(ODDS)
        started = time.perf_counter()
        self.page.keyboard.press(key)
        self.page.wait_for_function(CHANGED, arg=old, timeout=60_000, polling=8)
        self.page.wait_for_function(AT_REST, timeout=60_000, polling=8)
        self.page.evaluate(FRAMES)
        return time.perf_counter() - started

    def whole_month(self) -> None:
        """All trips of the embedded city."""
        self.page.get_by_role("button", name="Look at a whole month").first.click()
        self.page.wait_for_timeout(3_000)

    def compute(self) -> None:
        """One cluster more: all levels are drawn anew in the background."""
        self.page.locator("[data-testid=stNumberInputStepUp]").first.click()


def summary(seconds: list[float]) -> dict[str, float]:
    return {
        "median_ms": round(1000 * statistics.median(seconds)),
        "largest_ms": round(1000 * max(seconds)),
        "steps": len(seconds),
    }


def resident_mb(process: int) -> float | None:
    """The server's memory, where the system tells."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS"))
    return round(int(line.split()[1]) / 1024)


def measure(browser: Browser, folder: Path) -> dict[str, Any]:
    root = Path(__file__).parents[2]
    started = time.perf_counter()
    with serving(root, "app.py", folder) as server:
        up = time.perf_counter() - started
        first = Screen(browser, server.url)
        found: dict[str, Any] = {"start_to_server_s": up, "start_to_map_s": time.perf_counter() - started}
        first.page.wait_for_timeout(2_000)
        second = Screen(browser, server.url)
        found["second_visit_s"] = second.first_map
        for data in ("night", "month"):
            if data == "month":
                second.whole_month()
            second.compute()
            second.page.wait_for_timeout(1_500)
            found[f"step_not_computed_{data}"] = summary(pace(["ArrowRight"] * 3, second.step, second.page))
            second.page.wait_for_timeout(25_000)
            there_and_back = (["ArrowLeft"] * 3 + ["ArrowRight"] * 3) * 4
            found[f"step_known_{data}"] = summary(pace(there_and_back, second.step, second.page))
            for _ in range(3):
                second.step("ArrowLeft")
        others = [first, second, Screen(browser, server.url)]  # the second still looks at the whole month
        computing = Screen(browser, server.url)
        computing.page.wait_for_timeout(10_000)
        computing.compute()
        found["step_while_another_session_computes"] = summary(
            [screen.step(key) for _ in range(3) for screen in others for key in ("ArrowLeft", "ArrowRight")]
        )
        for screen in (*others, computing):
            screen.page.context.close()
        found["server_mb_after"] = resident_mb(server.process)
    found["load"] = os.getloadavg()[0]
    return {key: round(value, 2) if isinstance(value, float) else value for key, value in found.items()}


def pace(keys: list[str], step: Callable[[str], float], page: Page) -> list[float]:
    """The steps of somebody who looks at each map for a moment."""
    times = []
    for key in keys:
        times.append(step(key))
        page.wait_for_timeout(400)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="servers started one after the other")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    chosen = parser.parse_args()
    rounds = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=run.find_chromium(), args=FLAGS)
        for _ in range(chosen.rounds):
            rounds.append(measure(browser, Path(folder)))
            if not chosen.json:
                print("\n".join(f"{name:40} {value}" for name, value in rounds[-1].items()), end="\n\n", flush=True)
        browser.close()
    if chosen.json:
        print(json.dumps(rounds, indent=1))


if __name__ == "__main__":
    main()
