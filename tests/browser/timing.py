"""How long a person waits for the screen, measured in Chromium: python tests/browser/timing.py [--rounds N] [--json]

Not a test: times depend on the machine and on what else runs on it, so every round says the load. Software drawing, as
on a server without a graphics card, is slower than a desk computer's. With --against DIR the rounds alternate with
those of another checkout, which tells more than two runs one after the other.

* start: from the command to the server's first answer, and to the first map
* second visit: another browser session on the same server, to its first map
* step: a key on the slider; for new answers and for known ones; on the night hour with which the page opens, and on
  the whole month (10.2 million trips). Each step is measured to both of its ends:
  - map: from the key's own time stamp to the second frame after the map was drawn with marks that it did not have
    before. The stage says which level it has drawn, right after drawing it; of a page that still has Streamlit's chart,
    deck.gl's drawing is watched, and the first one counts in which the layers of points or centers hold other rows.
    `shown` says in how many of a few further steps the picture taken at this very moment was another one than before
    the key and the same as when the page had come to rest: the watch does not speak too early.
  - page: from before the key is sent, by the clock of this script, until no script runs, the odds, the figures and the
    map have changed, two frames have passed in which nothing on the page changed any more, and this script knows it
  - frames: how many messages came or went on the page's socket between the key and that frame, over all steps
* drag: the slider moved to and fro without a pause: how often a second another level's map was drawn
* main thread: processor milliseconds of the browser's main thread for a known step; another program's load blurs it
  less than a clock
* four sessions: the same step while a fourth session computes another number of clusters
* memory: the server's, and the page's JavaScript heap after a collection; without --short before and after 200 changes
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from conftest import FLAGS, serving
from playwright.sync_api import Browser, CDPSession, Page, WebSocket, sync_playwright

import run

LEVEL_CHANGES = 200
MOST_STEP_MS = 90_000  # a step that has not ended by then never does: the error says what the page showed
MOST_SETTLING_S = 150  # a known step is one while nothing is computed; a busy machine takes long to get there
GROWING = "() => /drawing again|Trying “/.test(document.body.innerText)"
FIRST_MAP = ".dpv-map[data-drawn], [data-testid=stDeckGlJsonChart] canvas"
DRAG = """
async () => {
  const map = document.querySelector('.dpv-map'), range = document.querySelector('input[type=range]');
  const levels = Number(range.max), start = performance.now(), first = Number(range.value);
  let drawn = 0, at = first, ahead = 1;
  const watch = new MutationObserver(() => { drawn += 1; });
  watch.observe(map, { attributes: true, attributeFilter: ['data-drawn'] });
  const move = level => { range.value = level; range.dispatchEvent(new Event('input', { bubbles: true })); };
  while (performance.now() - start < 2000) {
    if (at + ahead < 1 || at + ahead > levels) ahead = -ahead;
    move(at += ahead);
    await new Promise(done => requestAnimationFrame(done));
  }
  const spent = (performance.now() - start) / 1000;
  move(first);
  watch.disconnect();
  return drawn / spent;
}
"""
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"

WATCH = """
() => {
  const deckOf = () => {  // React keeps the deck in a hook of a component above the canvas
    for (let node = document.querySelector('#deckgl-overlay'); node; node = node.parentElement) {
      const key = Object.keys(node).find(name => name.startsWith('__reactFiber'));
      for (let fiber = key && node[key], up = 0; fiber && up < 12; fiber = fiber.return, up += 1)
        for (let hook = fiber.memoizedState; hook && typeof hook === 'object'; hook = hook.next)
          for (const held of [hook.memoizedState, hook.memoizedState && hook.memoizedState.current])
            for (const deck of [held, held && held.deck])
              if (deck && deck.layerManager && deck._drawLayers) return deck;
    }
    return null;
  };
  const marks = deck => JSON.stringify(deck.layerManager.getLayers()
    .filter(layer => /^(coreset|centers)(~|$)/.test(layer.id)).map(layer => layer.props.data.map(row => row.p)));
  const mapOf = () => document.querySelector('.dpv-map');
  const isStage = mapOf() !== null;
  const words = name => [...document.querySelectorAll(name)].map(found => found.textContent).join('|');
  const isAtRest = () => document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning';

  window.dpvizStep = () => {
    const deck = isStage ? null : deckOf();
    const before = { odds: words('.dpv-odds strong'), figures: words('.dpv-figures .value') };
    before.marks = deck && marks(deck);
    const step = {};
    let pressed = 0, changed = performance.now();
    addEventListener('keydown', event => { pressed = event.timeStamp; }, { capture: true, once: true });
    const observer = new MutationObserver(() => { changed = performance.now(); });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    const since = () => performance.now() - pressed;
    const seen = resolve => requestAnimationFrame(() => requestAnimationFrame(() => resolve(since())));
    const level = mapOf()?.dataset.drawn;
    const seenNow = () => JSON.stringify({
      ...before, level, drawn: mapOf()?.dataset.drawn, pressed, atRest: isAtRest(), oddsNow: words('.dpv-odds strong'),
      figuresNow: words('.dpv-figures .value'), slider: document.querySelector('input[type=range]')?.value,
      focus: document.activeElement?.outerHTML.slice(0, 80),
    });
    const end = new Promise((resolve, reject) => setTimeout(
      () => reject(new Error(`a step without an end: ${seenNow()}`)), MOST_MS));
    const draw = deck && deck._drawLayers;
    step.map = new Promise(resolve => {
      if (isStage) {
        const drawing = new MutationObserver(() => {
          if (!pressed || !mapOf()?.dataset.drawn || mapOf().dataset.drawn === level) return;
          drawing.disconnect();
          seen(resolve);
        });
        drawing.observe(document.body, { subtree: true, attributes: true, attributeFilter: ['data-drawn'] });
        return;
      }
      deck._drawLayers = function (...given) {
        const answer = draw.apply(this, given);
        if (pressed && marks(deck) !== before.marks) {
          delete deck._drawLayers;
          seen(resolve);
        }
        return answer;
      };
    });
    let drawn = null;
    step.map.then(time => { drawn = time; });
    step.page = new Promise(resolve => {
      let quiet = 0, last = performance.now();
      const frame = () => {
        const now = performance.now();
        const done = drawn !== null && isAtRest() && words('.dpv-odds strong') !== before.odds
          && words('.dpv-figures .value') !== before.figures;
        quiet = done && changed <= last ? quiet + 1 : 0;
        last = now;
        if (quiet < 2) { requestAnimationFrame(frame); return; }
        observer.disconnect();
        resolve(now - pressed);
      };
      requestAnimationFrame(frame);
    });
    window.dpvizNow = { map: Promise.race([step.map, end]), page: Promise.race([step.page, end]) };
  };
}
""".replace("MOST_MS", str(MOST_STEP_MS))


@dataclass(frozen=True, kw_only=True)
class Step:
    """Seconds from the key to the changed map, and to the whole page at rest."""

    map: float
    page: float


class Screen:
    """One browser session on the page Choose."""

    def __init__(self, browser: Browser, url: str) -> None:
        self.page: Page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
        started = time.perf_counter()
        self.frames = 0
        self.page.on("websocket", self._listen)
        self.page.goto(url)
        self.page.wait_for_selector(FIRST_MAP, timeout=120_000)
        self.page.evaluate(FRAMES)
        self.mapped = time.perf_counter()
        self.first_map = self.mapped - started
        self.page.wait_for_function("() => document.body.innerText.match(/times in\\s+100/)", timeout=60_000)
        self.page.wait_for_timeout(1_000)
        self.page.evaluate(WATCH)
        self._inspector: CDPSession = self.page.context.new_cdp_session(self.page)
        self._inspector.send("Performance.setTimeDomain", {"timeDomain": "threadTicks"})
        self._inspector.send("Performance.enable")

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framesent", self._count)
        socket.on("framereceived", self._count)

    def _count(self, payload: bytes | str) -> None:
        self.frames += 1

    def frames_before_the_map(self, keys: Sequence[str]) -> int:
        """Messages on the socket between each key and its map."""
        found = 0
        for key in keys:
            self.page.wait_for_timeout(1_500)  # what the last step told has been told
            before = self.frames
            self.begin(key)
            self.page.evaluate("() => window.dpvizNow.map")
            found += self.frames - before
            self.page.evaluate("() => window.dpvizNow.page")
        return found

    def redraws_a_second(self) -> float:
        """The slider moved to and fro, a level every frame, for two seconds."""
        found: float = self.page.evaluate(DRAG)
        return round(found, 1)

    def begin(self, key: str) -> float:
        """Press a key on the slider; the time before it."""
        self.page.bring_to_front()
        self.page.locator("input[type=range]").first.focus()
        self.page.evaluate("() => window.dpvizStep()")
        started = time.perf_counter()
        self.page.keyboard.press(key)
        return started

    def step(self, key: str) -> Step:
        """One level further, timed."""
        started = self.begin(key)
        map_ms = self.page.evaluate("async () => { await window.dpvizNow.page; return await window.dpvizNow.map; }")
        return Step(map=map_ms / 1000, page=time.perf_counter() - started)

    def shows_new_map(self, key: str) -> bool:
        """Whether the picture at the moment at which a step's map counts as drawn is a new one, and the final one."""
        chart = self.page.locator(":is([data-testid=stDeckGlJsonChart], .dpv-map)").first
        old = chart.screenshot()
        self.begin(key)
        self.page.evaluate("() => window.dpvizNow.map")
        there = chart.screenshot()
        self.page.evaluate("() => window.dpvizNow.page")
        self.page.wait_for_timeout(700)
        return old != there and there == chart.screenshot()

    def settle(self) -> None:
        """Until the bands are full and the limit is answered, or for a while."""
        deadline = time.monotonic() + MOST_SETTLING_S
        while time.monotonic() < deadline and self.page.evaluate(GROWING):
            self.page.wait_for_timeout(500)
        self.page.wait_for_timeout(2_500)

    def whole_month(self) -> None:
        """All trips of the embedded city."""
        self.page.get_by_role("button", name="Look at a whole month").first.click()
        self.page.wait_for_timeout(3_000)

    def compute(self) -> None:
        """One cluster more: all levels are drawn anew in the background."""
        self.page.locator("[data-testid=stNumberInputStepUp]").first.click()

    def main_thread_ms(self) -> float:
        """Processor time of the browser's main thread in this page so far."""
        return 1000 * self._metric("TaskDuration")

    def heap_mb(self) -> float:
        """The page's JavaScript heap, what is no longer needed taken away."""
        self._inspector.send("HeapProfiler.collectGarbage")
        return round(float(self._inspector.send("Runtime.getHeapUsage")["usedSize"]) / 2**20, 1)

    def _metric(self, name: str) -> float:
        found = self._inspector.send("Performance.getMetrics")["metrics"]
        return next(float(metric["value"]) for metric in found if metric["name"] == name)


def summary(steps: Sequence[Step]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, seconds in (("map", [step.map for step in steps]), ("page", [step.page for step in steps])):
        found[f"{name}_median_ms"] = round(1000 * statistics.median(seconds))
        found[f"{name}_least_ms"] = round(1000 * min(seconds))
        found[f"{name}_largest_ms"] = round(1000 * max(seconds))
    return {**found, "steps": len(steps)}


def resident_mb(process: int) -> float | None:
    """The server's memory, where the system tells."""
    status = Path(f"/proc/{process}/status")
    if not status.exists():
        return None
    line = next(line for line in status.read_text(encoding="utf-8").splitlines() if line.startswith("VmRSS"))
    return round(int(line.split()[1]) / 1024)


def there_and_back(changes: int) -> list[str]:
    """Keys that walk three levels down and up again."""
    return ((["ArrowLeft"] * 3 + ["ArrowRight"] * 3) * (changes // 6 + 1))[:changes]


def visits(browser: Browser, root: Path, folder: Path) -> dict[str, Any]:
    """Start and second visit alone."""
    started = time.perf_counter()
    with serving(root, "app.py", folder) as server:
        found: dict[str, Any] = {"start_to_server_s": time.perf_counter() - started}
        first = Screen(browser, server.address())
        found["start_to_map_s"] = first.mapped - started
        first.page.wait_for_timeout(2_000)
        for name in ("second_visit_s", "third_visit_s"):
            later = Screen(browser, server.address())
            found[name] = later.first_map
            later.page.context.close()
        first.page.context.close()
        found["server_mb"] = resident_mb(server.process)
    found["load"] = os.getloadavg()[0]
    return rounded(found)


def rounded(found: dict[str, Any]) -> dict[str, Any]:
    return {key: round(value, 2) if isinstance(value, float) else value for key, value in found.items()}


def measure(browser: Browser, root: Path, folder: Path, *, steps: int, changes: int) -> dict[str, Any]:
    started = time.perf_counter()
    with serving(root, "app.py", folder) as server:
        up = time.perf_counter() - started
        first = Screen(browser, server.address())
        found: dict[str, Any] = {"start_to_server_s": up, "start_to_map_s": first.mapped - started}
        first.page.wait_for_timeout(2_000)
        second = Screen(browser, server.address())
        found["second_visit_s"] = second.first_map
        for data in ("night", "month"):
            if data == "month":
                second.whole_month()
            second.compute()
            second.page.wait_for_timeout(1_500)
            found[f"step_not_computed_{data}"] = summary(pace(["ArrowRight"] * 3, second.step, second.page))
            second.settle()
            before = second.main_thread_ms()
            keys = there_and_back(steps)
            found[f"step_known_{data}"] = summary(pace(keys, second.step, second.page))
            found[f"main_thread_per_known_step_{data}_ms"] = round((second.main_thread_ms() - before) / len(keys))
            shown = [second.shows_new_map(key) for key in there_and_back(6)]
            found[f"shown_{data}"] = f"{sum(shown)} of {len(shown)}"
            if second.page.locator(".dpv-map").count():
                found[f"frames_before_the_map_{data}"] = second.frames_before_the_map(there_and_back(6))
                found[f"drag_redraws_a_second_{data}"] = second.redraws_a_second()
            for _ in range(3):
                second.step("ArrowLeft")
        others = [first, second, Screen(browser, server.address())]  # the second still looks at the whole month
        computing = Screen(browser, server.address())
        computing.page.wait_for_timeout(10_000)
        computing.compute()
        found["step_while_another_session_computes"] = summary(
            [screen.step(key) for _ in range(3) for screen in others for key in ("ArrowLeft", "ArrowRight")]
        )
        for screen in (first, others[2], computing):
            screen.page.context.close()
        found["server_mb"], found["heap_mb"] = resident_mb(server.process), second.heap_mb()
        if changes:
            for key in there_and_back(changes):
                second.step(key)
            found["server_mb_after"], found["heap_mb_after"] = resident_mb(server.process), second.heap_mb()
        second.page.context.close()
    found["load"] = os.getloadavg()[0]
    return rounded(found)


def pace(keys: Iterable[str], step: Callable[[str], Step], page: Page) -> list[Step]:
    """The steps of somebody who looks at each map for a moment."""
    times = []
    for key in keys:
        times.append(step(key))
        page.wait_for_timeout(400)
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3, help="servers started one after the other")
    parser.add_argument("--against", type=Path, help="the folder of another checkout, measured in turn")
    parser.add_argument("--short", action="store_true", help="12 steps instead of 24, no 200 level changes")
    parser.add_argument("--visits", action="store_true", help="start and second visit alone: half a minute a round")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    chosen = parser.parse_args()
    roots = [Path(__file__).parents[2], *([chosen.against] if chosen.against else [])]
    rounds = []
    steps, changes = (12, 0) if chosen.short else (24, LEVEL_CHANGES)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=run.find_chromium(), args=FLAGS)
        for _ in range(chosen.rounds):
            for root in roots:
                if chosen.visits:
                    found = visits(browser, root, Path(folder))
                else:
                    found = measure(browser, root, Path(folder), steps=steps, changes=changes)
                rounds.append({"checkout": root.name, **found})
                if not chosen.json:
                    print("\n".join(f"{name:40} {value}" for name, value in rounds[-1].items()), end="\n\n", flush=True)
        browser.close()
    if chosen.json:
        print(json.dumps(rounds, indent=1))


if __name__ == "__main__":
    main()
