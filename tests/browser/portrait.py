"""The moving picture of the start page in README.md, made anew from the program as it is.

    python -m tests.browser.portrait [FILE]

The thumb goes from the middle to the most detailed level, to the strictest, and back: one night of the built-in
city, on a machine of its own. Nothing is published, and the ledger goes with its folder. It plays once and stops.
"""

from __future__ import annotations

import argparse
import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import FLAGS, NOTING, PATIENCE_MS, serving, settled
from tests.browser.steps import choose, move
from tests.conftest import _chromium as chromium

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 1440, 900
SHOWN_WIDTH = 1080
STEPS = ("ArrowLeft",) * 3 + ("ArrowRight",) * 6 + ("ArrowLeft",) * 3
STEP_MS, TURN_MS = 450, 1400  # a level on the way, and one where the thumb rests
MOST_BYTES = 1_500_000
TRIES_MS = 600_000
TRIED = "() => !/trying again|tries …/i.test(document.body.innerText)"


def main() -> None:
    """Open the page, wait until all tries are counted, move the thumb, and keep a picture of every level."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("file", type=Path, nargs="?", default=ROOT / "docs" / "screenshot.webp")
    file = asked.parse_args().file
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(ROOT, "app.py", Path(folder)) as server,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, reduced_motion="reduce")
        page.add_init_script(NOTING)
        page.set_default_timeout(PATIENCE_MS)
        page.goto(server.address())
        settled(page)
        choose(page, "Time of day", "04:00–05:00")  # so few trips that every step can be seen
        page.get_by_text("day", exact=True).first.click()
        settled(page)
        page.wait_for_function(TRIED, timeout=TRIES_MS)
        frames = [_taken(page)]
        for key in STEPS:
            move(page, key, 1)
            frames.append(_taken(page))
        browser.close()
    turns = (0, STEPS.count("ArrowLeft") // 2, len(STEPS) - STEPS.count("ArrowLeft") // 2, len(STEPS))
    times = [TURN_MS if number in turns else STEP_MS for number in range(len(frames))]
    frames[0].save(file, save_all=True, append_images=frames[1:], duration=times, loop=1, quality=75, method=6)
    print(f"{file}: {len(frames)} pictures, {file.stat().st_size:,} bytes of {MOST_BYTES:,}")
    assert file.stat().st_size <= MOST_BYTES, "too large for a README"


def _taken(page: Page) -> Image.Image:
    """The window as it is now, as large as README shows it."""
    settled(page)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return shot.resize((SHOWN_WIDTH, SHOWN_WIDTH * HEIGHT // WIDTH), Image.Resampling.LANCZOS)


if __name__ == "__main__":
    main()
