"""The picture of the start page in README.md, made anew from the program as it is.

    python -m tests.browser.portrait [FILE]

One month of the built-in city on a machine of its own: nothing is published, and the ledger goes with its folder.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS, NOTING, PATIENCE_MS, serving, settled
from tests.conftest import _chromium as chromium

ROOT = Path(__file__).parents[2]
WIDTH, HEIGHT = 1440, 1010
TRIES_MS = 600_000
TRIED = "() => !/trying again|tries …/i.test(document.body.innerText)"


def main() -> None:
    """Open the page, wait until all tries are counted, and take its picture."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("file", type=Path, nargs="?", default=ROOT / "docs" / "screenshot.png")
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
        page.get_by_text("month", exact=True).first.click()
        settled(page)
        page.wait_for_function(TRIED, timeout=TRIES_MS)
        settled(page)
        page.screenshot(path=file)
        browser.close()


if __name__ == "__main__":
    main()
