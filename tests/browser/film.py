"""The demonstration as a film: a picture of every step, and sheets of six, for eyes that look at them.

    python -m tests.browser.film FOLDER [--language de] [--sizes 1920x1080,390x844]

Pictures belong to a folder of one's own; none is kept in the project.
"""

from __future__ import annotations

import argparse
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from dpviz.ui.demo import story, words as say
from tests.browser.conftest import FLAGS
from tests.conftest import _chromium as chromium

SIZES = "1920x1080,390x844"
ON_A_SHEET = 6
SETTLED_MS = 400  # of a stage whose reader asked for less motion


def main() -> None:
    """All pictures of all sizes into a folder."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--language", default="en")
    asked.add_argument("--sizes", default=SIZES)
    found = asked.parse_args()
    found.folder.mkdir(parents=True, exist_ok=True)
    file = found.folder / "demo.html"
    file.write_text(story.offline_page(found.language), encoding="utf-8")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=FLAGS)
        for size in found.sizes.split(","):
            taken = list(_pictures(browser, file, size))
            _sheets(browser, taken, found.folder, size)
        browser.close()


def _pictures(browser: Browser, file: Path, size: str) -> Iterator[Path]:
    """One size: every step, the game played, and the dial at its ends."""
    width, height = (int(side) for side in size.split("x"))
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.goto(file.as_uri())
    page.locator(".her h1").wait_for()
    for at, scene in enumerate(say.SCENES):
        for beat in range(len(scene.beats)):
            page.evaluate("([scene, beat]) => theatre.go(scene, beat)", [at, beat])
            yield _shot(page, file.parent / f"{size}-{at + 1:02d}-{scene.name}-{beat + 1}.png")
            if (scene.name, beat) == ("game", 0):
                page.locator(".her-guess").first.click()
                yield _shot(page, file.parent / f"{size}-{at + 1:02d}-{scene.name}-{beat + 1}-played.png")
            for stop in (0, 7, 4) if scene.name == "dial" else ():
                page.locator(".her-dial button").nth(stop).click()
                yield _shot(page, file.parent / f"{size}-{at + 1:02d}-{scene.name}-stop-{stop}.png")
    page.keyboard.press("q")
    yield _shot(page, file.parent / f"{size}-99-questions.png")
    page.close()


def _shot(page: Page, path: Path) -> Path:
    page.wait_for_timeout(SETTLED_MS)
    page.screenshot(path=path)
    return path


def _sheets(browser: Browser, pictures: Sequence[Path], folder: Path, size: str) -> None:
    """Six pictures on one, each with its name."""
    upright = int(size.split("x")[0]) < 1000
    page = browser.new_page(viewport={"width": 1800, "height": 680 if upright else 720})
    for number, first in enumerate(range(0, len(pictures), ON_A_SHEET), start=1):
        shown = "".join(
            f'<figure><img src="data:image/png;base64,{b64encode(path.read_bytes()).decode()}">'
            f"<figcaption>{path.stem}</figcaption></figure>"
            for path in pictures[first : first + ON_A_SHEET]
        )
        columns = ON_A_SHEET if upright else ON_A_SHEET // 2
        page.set_content(
            f"<style>body{{margin:0;display:grid;grid-template-columns:repeat({columns},1fr);gap:6px;"
            "font:13px sans-serif}figure{margin:0}img{width:100%;display:block}</style>" + shown
        )
        page.screenshot(path=folder / f"sheet-{size}-{number}.png")
    page.close()


if __name__ == "__main__":
    main()
