"""What visitors do on the page *Choose*, and how its map is looked at."""

from __future__ import annotations

import io
import os
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page

from tests.browser.conftest import PATIENCE_MS, settled

MAP = ".dpv-map"


def picture(page: Page, at: int = 0) -> np.ndarray:
    """A map's pixels, once it has stopped drawing."""
    settled(page)
    return np.asarray(Image.open(io.BytesIO(page.locator(MAP).nth(at).screenshot())).convert("RGB")).astype(int)


def changed(before: np.ndarray, after: np.ndarray) -> float:
    """The share of a map's pixels that differ. A screenshot of an element is cut at whole pixels, its place is not."""

    def differ(down: int, right: int) -> float:
        shifted = np.roll(after, (down, right), (0, 1))
        return float((np.abs(shifted - before)[2:-2, 2:-2].max(axis=2) > 24).mean())

    return min(differ(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1))


def open_list(page: Page, field: Locator) -> None:
    """Of a field with options. An open list closes when the page scrolls or is drawn again, so both come before."""
    field.scroll_into_view_if_needed()
    settled(page)
    field.click()


def choose(page: Page, label: str, option: str) -> None:
    open_list(page, page.get_by_role("combobox", name=label))
    page.get_by_role("option", name=option, exact=True).click()
    settled(page)


def open_details(page: Page) -> None:
    """The drawer with method, watched area and stricter places."""
    page.get_by_role("button", name="Details", exact=True).click()
    page.locator("[data-testid=stPopoverBody]").wait_for()
    settled(page)


def ask_to_publish(page: Page) -> None:
    """Open the dialog that publishes and go on to its last step."""
    page.get_by_role("button", name="Publish this level").click()
    for step in ("Step 2", "Step 3"):
        page.get_by_role("button", name="Next", exact=True).click()
        page.get_by_text(step).wait_for()
    page.get_by_label("Type the level").wait_for()


def odds(page: Page) -> str:
    return page.locator(".dpv-odds strong").inner_text()


def move(page: Page, key: str, times: int) -> None:
    """Move the slider, one answered step at a time."""
    page.locator("input[type=range]").first.focus()
    for _ in range(times):
        said = odds(page)
        page.keyboard.press(key)
        page.wait_for_function("said => document.querySelector('.dpv-odds strong').innerText !== said", arg=said)
    page.wait_for_function(
        "() => document.querySelector('.dpv-map').hidden || "
        "document.querySelector('.dpv-map').dataset.drawn === document.querySelector('input[type=range]').value"
    )
    settled(page)


def close_dialog(page: Page) -> None:
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)


def rides(records: int, heading: str = "lon,lat", seed: int = 5) -> bytes:
    """Records around two places of Berlin."""
    generator = np.random.default_rng(seed)
    middle = np.where(generator.random((records, 1)) < 0.6, [[13.4, 52.5]], [[13.3, 52.45]])
    places = generator.normal(middle, 0.01)
    lines = [f"{lon:.6f},{lat:.6f}" for lon, lat in places]
    return (heading + "\n" + "\n".join(lines)).encode()


def ask_for_own(page: Page, records: int, heading: str = "lon,lat") -> None:
    """Fill in the dialog for a file of one's own in Berlin's box, and press its button."""
    number = uuid.uuid4()  # of a file of its own: the same records under a second name would be asked about
    name = f"rides-{number.hex[:8]}.csv"
    page.get_by_role("button", name="Use your own data").click()
    dialog = page.get_by_role("dialog")
    dialog.locator("input[type=file]").first.set_input_files(
        {"name": name, "mimeType": "text/csv", "buffer": rides(records, heading, number.int)}
    )
    dialog.get_by_text("were found by the file’s heading").wait_for()
    open_list(page, dialog.get_by_role("combobox", name="Public box"))
    page.get_by_role("option", name="Berlin").click()
    settled(page)
    dialog.get_by_role("button", name="Open these data").click()


def open_own(page: Page, records: int, heading: str = "lon,lat") -> None:
    """Open a file of one's own in Berlin's box."""
    ask_for_own(page, records, heading)
    page.get_by_text("What you see here is not protected").wait_for()
    settled(page)


def holds(claim: Callable[[], bool]) -> None:
    """Wait until a claim holds that no single `expect` can make."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not claim():
        assert time.monotonic() < deadline, "what was claimed did not come"
        time.sleep(0.05)


def family(process: int) -> list[int]:
    """A process and all below it."""
    found, parents = [process], {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                parents[int(entry)] = int(Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


def readers(process: int) -> list[int]:
    """The programs below this one that read records now."""
    return [one for one in family(process) if b"hosting.reader" in command_of(one)]


def command_of(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return b""
