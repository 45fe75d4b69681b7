"""Every page runs, says its mode, and sends nothing exact where it must not."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ui.demo import words as demo_words
from dpviz.ui.page_parts import words
from dpviz.ui.session import sources
from tests.ui import stages

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
PATIENCE = 120
# Readers, the ledger and the door, and the secure source: an analyst's process needs none of them.
NOT_FOR_ANALYSTS = (
    "dpviz.ingest",
    "dpviz_research",
    "dpviz.publishing.door",
    "dpviz.publishing.mechanism_run",
    "dpviz.ledger.ledger",
    "dpviz.publishing.datasets",
    "dpviz.publishing.standin",
    "dpviz.series.series",
    "dpviz.life.publications",
    "dpviz.noise.secure",
)


def run(root: Path, page: str | None = None, **query: str) -> AppTest:
    app = AppTest.from_file(str(root / "app.py"), default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if page is not None:
        app.switch_page(page).run()
    assert not app.exception, [error.message for error in app.exception]
    return app


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


@pytest.mark.parametrize("address", ["", "1", str(len(demo_words.SCENES)), "99", "nonsense"])
def test_the_demo_opens_on_any_scene_and_falls_on_none(project_root: Path, address: str) -> None:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=PATIENCE)
    app.query_params["scene"] = address
    app.run()
    app.switch_page("pages/demo.py").run()
    assert not app.exception


def test_evidence_lists_every_method(project_root: Path) -> None:
    app = run(project_root, "pages/evidence.py")
    assert all(row["title"] in html(app) for row in dpviz.methods())


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 32), cells)
    for number, epsilon in enumerate((2.0, 0.2)):
        made = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=number)
        made.save(folder / f"r{number}")
    return folder


@pytest.fixture
def analyst(project_root: Path, releases: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("DPVIZ_RELEASES", str(releases))
    app = AppTest.from_file(str(project_root / "analyst_app.py"), default_timeout=PATIENCE).run()
    assert not app.exception, [error.message for error in app.exception]
    return app


def test_the_analysts_page_shows_two_releases_and_nothing_exact(analyst: AppTest) -> None:
    sent = b"".join(one.proto.bytes + one.proto.json.encode() for one in analyst.get("bidi_component"))
    assert b"exact" not in sent and b"coreset" in sent
    assert words.MODE_ANALYST[0] in html(analyst)


def test_another_question_of_the_analyst_is_answered(analyst: AppTest) -> None:
    analyst.number_input[0].set_value(4).run()
    assert not analyst.exception
    centers = next(layer for layer in stages.layers(stages.scenes(analyst)[0]) if layer["id"] == "centers")
    assert len(centers["data"]) == 4


def test_an_empty_shelf_says_so(project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPVIZ_RELEASES", str(tmp_path))
    app = AppTest.from_file(str(project_root / "analyst_app.py"), default_timeout=PATIENCE).run()
    assert not app.exception and app.header[0].value == "Nothing has been published yet"


def test_the_analysts_process_has_no_path_to_exact_data(project_root: Path, releases: Path) -> None:
    """A process of its own: nothing that reads records or publishes is even imported; the city's files stay closed."""
    script = f"""
import builtins, io, os, sys
sys.path.insert(0, {str(project_root)!r})
opened = []
real = io.open
def noting(file, *rest, **more):
    opened.append(str(file))
    return real(file, *rest, **more)
io.open = builtins.open = noting
os.environ["DPVIZ_RELEASES"] = {str(releases)!r}
from streamlit.testing.v1 import AppTest
from dpviz.ui.stage import component_files as installed
installed.announce()
app = AppTest.from_file({str(project_root / "analyst_app.py")!r}, default_timeout={PATIENCE}).run()
assert not app.exception, app.exception
assert any(one.proto.bytes for one in app.get("bidi_component")), "no map was drawn"
rooms = [name for name in sys.modules if name.startswith({NOT_FOR_ANALYSTS})]
files = [name for name in opened if "nyc-t" in name]
print(rooms, files)
sys.exit(1 if rooms or files else 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_what_analysts_do_not_load_is_there() -> None:
    for name in NOT_FOR_ANALYSTS:
        assert find_spec(name) is not None, name


def test_a_demonstration_with_fewer_days_is_a_data_set_of_its_own() -> None:
    whole, night = sources.city(4), sources.city(4, 1)
    assert {sources.city().id, whole.id, night.id} == {"nyc-taxi", "nyc-taxi, 04 h", "nyc-taxi, 04 h, 1 of 31 days"}
    assert abs(night.exact_data.exact_total - whole.exact_data.exact_total / 31) < 50


def test_one_trip_more_in_the_file_is_at_most_one_more_in_a_day_of_it() -> None:
    grid = Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 8)
    cells = np.random.default_rng(2).integers(0, 90, (8, 8))
    before = sources.fewer_days(ExactCounts.from_array(grid, cells), 7).exact_cells.astype(int)
    for row, column in ((0, 0), (3, 5), (7, 7)):
        more = cells.copy()
        more[row, column] += 1
        change = sources.fewer_days(ExactCounts.from_array(grid, more), 7).exact_cells.astype(int) - before
        assert change.sum() in (0, 1) and np.abs(change).sum() == change.sum()
