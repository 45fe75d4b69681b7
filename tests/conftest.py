"""What all tests share: where the project is, where a Chromium is, and what happens where there is none."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import run  # noqa: E402  (the starter finds browsers; it is a file of the project's top folder)

# A shared machine is slow at times, so no deadline; under CI the same examples every time.
settings.register_profile("dpviz", deadline=None, print_blob=True, derandomize=run.is_ci())
settings.load_profile("dpviz")

# Browser tests come last: their event loop stays in the worker that ran them. The longest files begin, so that no
# worker is left alone with one at the end.
LONG_WALKS = (
    "test_every_state.py",
    "test_choose_states.py",
    "test_hosted_house.py",
    "test_a_killed_house.py",
    "test_compare_states.py",
)


@pytest.fixture(autouse=True, scope="session")
def nobodys_ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no process that a test starts, touches the ledger of the person who runs it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_LEDGER", str(tmp_path_factory.mktemp("ledger") / "ledger.sqlite"))
        patch.setenv("DPVIZ_DATA", str(tmp_path_factory.mktemp("data")))
        patch.setenv("MPLBACKEND", "agg")
        yield


@pytest.fixture(autouse=True, scope="module")
def own_ledger(nobodys_ledger: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the tests of a file publish or register is no business of another file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DPVIZ_LEDGER", str(tmp_path_factory.mktemp("ledger") / "ledger.sqlite"))
        yield


@pytest.fixture(autouse=True)
def nobodys_house() -> Iterator[None]:
    """A process states a house's policy for good; no test leaves one behind for the next."""
    yield
    persons = sys.modules.get("dpviz.ledger.persons")
    if persons is not None:
        persons._stated.clear()


@cache
def _chromium() -> str | None:
    """run.py hands over the one it found; a bare pytest looks for itself."""
    return os.environ.get("DPVIZ_CHROMIUM") or run.find_chromium()


@pytest.fixture(scope="session")
def project_root() -> Path:
    """The project's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """An executable Chromium or Chrome; tests that ask for it carry the marker `browser`."""
    path = _chromium()
    assert path, "a test without the marker `browser` asked for a browser"
    return path


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files in their turn. Without a Chromium, browser tests fail under CI and are left out elsewhere."""
    items.sort(key=_turn)
    for marker, there in (("node", shutil.which("node")), ("npm", (ROOT / "node_modules").is_dir())):
        if not there:
            _leave_out(config, items, marker)
    browser = [item for item in items if item.get_closest_marker("browser")]
    if not browser or _chromium():
        return
    if run.is_ci():
        raise pytest.UsageError(f"no Chromium for {len(browser)} browser tests; set CHROMIUM to one")
    _leave_out(config, items, "browser")


def _leave_out(config: pytest.Config, items: list[pytest.Item], marker: str) -> None:
    left = [item for item in items if item.get_closest_marker(marker)]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in left]


def _turn(item: pytest.Item) -> int:
    """Files with an equal number keep their order."""
    if item.path.parent.name != "browser":
        return 0
    return 1 + (LONG_WALKS.index(item.path.name) if item.path.name in LONG_WALKS else len(LONG_WALKS))
