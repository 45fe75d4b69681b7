"""Every page runs, says its mode, and sends nothing exact where it must not."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.ui import choose_parts, compare_words, sources, words

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
PATIENCE = 120


def run(root: Path, page: str | None = None, **query: str) -> AppTest:
    app = AppTest.from_file(str(root / "app.py"), default_timeout=PATIENCE)
    for name, value in query.items():
        app.query_params[name] = value
    app.run()
    if page is not None:
        app.switch_page(page).run()
    assert not app.exception, [error.message for error in app.exception]
    return app


def charts(app: AppTest) -> list[dict[str, Any]]:
    return [json.loads(chart.proto.json) for chart in app.get("deck_gl_json_chart")]


def layers(app: AppTest) -> list[str]:
    return [layer["id"] for chart in charts(app) for layer in chart["layers"]]


@contextlib.contextmanager
def asked_of(part: str, app: AppTest) -> Iterator[None]:
    """Requests are sent for one part of the page, as a browser does it, and not for the whole of it."""
    (identity,) = app._fragment_storage.resolve_target(part)

    def request(runner: LocalScriptRunner, wanted: Any) -> bool:
        runner._requests = ScriptRequests()  # without the whole page that every run of AppTest asks for first
        return runner._requests.request_rerun(replace(wanted, fragment_id=identity))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalScriptRunner, "request_rerun", request)
        yield


def step(app: AppTest, level: str) -> None:
    """A step of the slider."""
    with asked_of(choose_parts.SLIDER, app):
        app.select_slider(key="level").set_value(level).run()


def move(app: AppTest, level: str) -> None:
    """A step of the slider draws only the parts that it changes; then the whole page, which AppTest needs to go on."""
    step(app, level)
    assert not app.exception, [error.message for error in app.exception]
    assert charts(app) and not app.get("select_slider"), "the map is drawn again, the slider is not"
    app.run()


def html(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


@pytest.fixture(scope="module")
def chosen(project_root: Path) -> Iterator[AppTest]:
    yield run(project_root)


def test_choose_opens_on_the_city_with_slider_odds_and_map(chosen: AppTest) -> None:
    assert chosen.select_slider(key="level").value == "Balanced"
    assert "63 times in 100" in html(chosen)
    assert words.MODE_DEMO[0] in html(chosen)
    assert {"coreset", "centers", "exact-centers"} <= set(layers(chosen))


def test_the_level_comes_from_the_address(project_root: Path) -> None:
    app = run(project_root, level="Strict")
    assert app.select_slider(key="level").value == "Strict"
    assert "53 times in 100" in html(app)


def test_an_address_with_nonsense_opens_the_default(project_root: Path) -> None:
    app = run(project_root, level="Nonsense", k="999")
    assert app.select_slider(key="level").value == "Balanced"


def test_switched_off_layers_leave_the_page(project_root: Path) -> None:
    app = run(project_root)
    app.checkbox(key="show_exact").uncheck()
    app.checkbox(key="show_coreset").uncheck().run()
    assert not app.exception
    found = layers(app)
    assert "centers" in found
    assert not [name for name in found if name.startswith("exact") or name == "coreset"]


def test_a_level_change_keeps_the_view_of_the_map(project_root: Path) -> None:
    app = run(project_root)
    before = charts(app)[0]["initialViewState"]
    move(app, "Strictest")
    assert not app.exception and charts(app)[0]["initialViewState"] == before


def test_going_back_to_a_level_shows_the_same_preview(project_root: Path) -> None:
    app = run(project_root)
    before = [layer for layer in charts(app)[0]["layers"] if layer["id"] == "centers"]
    move(app, "Strict")
    move(app, "Balanced")
    assert [layer for layer in charts(app)[0]["layers"] if layer["id"] == "centers"] == before


def test_a_step_of_the_slider_changes_odds_map_figures_curves_tables_and_details_at_once(project_root: Path) -> None:
    app = run(project_root)
    for drawer in ("table_open", "levels_open", "details_open"):
        app.session_state[drawer] = True
    app.run()
    before = charts(app), html(app)
    step(app, "Strict")
    assert not app.exception and charts(app) != before[0] and not app.get("select_slider")
    parts = html(app)
    assert "<strong>53 times in 100" in parts and "<strong>63 times in 100" not in parts
    assert "<b>Level</b>: Strict (6 of 7)" in parts and "Strict (chosen)" in parts
    assert parts.count("<table") == 3 and "dpv-figures" in parts


def test_a_step_to_a_level_without_an_answer_and_back_leaves_no_map_and_no_figures_behind(project_root: Path) -> None:
    app = run(project_root, level="Sharpest")
    app.selectbox(key="method").set_value("peeled_balls").run()
    assert layers(app)
    step(app, "Strictest")
    assert not app.exception and not charts(app) and "dpv-figures" not in html(app) and not app.get("checkbox")
    app.run()
    step(app, "Sharpest")
    assert not app.exception and charts(app) and "dpv-figures" in html(app) and app.get("checkbox")


def test_no_greek_letter_is_on_the_page_outside_the_details(chosen: AppTest) -> None:
    seen = html(chosen) + " ".join(element.value for element in chosen.caption)
    assert not {letter for letter in seen if "α" <= letter.lower() <= "ω"}


@pytest.mark.parametrize("scene", range(1, 6))
def test_every_scene_of_the_demo_runs(project_root: Path, scene: int) -> None:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=PATIENCE)
    app.query_params["scene"] = str(scene)
    app.run()
    app.switch_page("pages/demo.py").run()
    assert not app.exception
    assert app.title[0].value
    said = [one.value for kind in (app.title, app.header, app.markdown, app.caption) for one in kind]
    named = [one.label for kind in (app.button, app.expander, app.select_slider) for one in kind]
    seen = " ".join([html(app), *said, *named])
    assert not {letter for letter in seen if "α" <= letter.lower() <= "ω"}, "no Greek letter in the demo"


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
    text = json.dumps(charts(analyst))
    assert "exact" not in text and "coreset" in text
    assert words.MODE_ANALYST[0] in html(analyst)


def test_another_question_of_the_analyst_is_answered(analyst: AppTest) -> None:
    analyst.number_input[0].set_value(4).run()
    assert not analyst.exception
    centers = next(layer for layer in charts(analyst)[0]["layers"] if layer["id"] == "centers")
    assert len(centers["data"]) == 4


def test_an_empty_shelf_says_so(project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DPVIZ_RELEASES", str(tmp_path))
    app = AppTest.from_file(str(project_root / "analyst_app.py"), default_timeout=PATIENCE).run()
    assert not app.exception and app.header[0].value == compare_words.EMPTY


def test_the_analysts_process_has_no_path_to_exact_data(project_root: Path, releases: Path) -> None:
    """A process of its own: nothing that reads records is even imported, and the city's files are not opened."""
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
app = AppTest.from_file({str(project_root / "analyst_app.py")!r}, default_timeout={PATIENCE}).run()
assert not app.exception, app.exception
assert app.get("deck_gl_json_chart"), "no map was drawn"
rooms = [name for name in sys.modules if name.startswith(("dpviz.ingest", "dpviz.experiments"))]
files = [name for name in opened if "nyc-t" in name]
print(rooms, files)
sys.exit(1 if rooms or files else 0)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


def test_the_maps_content_can_be_read_as_tables(project_root: Path) -> None:
    app = run(project_root)
    assert "<table" not in html(app), "closed drawers are not sent"
    app.session_state["table_open"] = True
    app.session_state["levels_open"] = True
    app.run()
    assert not app.exception
    assert html(app).count("<table") == 3
    for heading in ("Non-private center near", "Neighbourhood", "Right guesses of 100, at most"):
        assert f">{heading}</th>" in html(app)
    assert "(chosen)" in html(app)


def test_a_center_shown_from_the_list_is_ringed_told_and_marked_in_the_table(project_root: Path) -> None:
    app = run(project_root)
    assert "ring" not in layers(app)
    app.session_state["table_open"] = True
    app.selectbox(key="zoom_to").set_value(2).run()
    assert not app.exception
    assert "ring" in layers(app) and "<th scope='row'>→ 2</th>" in html(app)
    assert "Center 2, near" in html(app) and "from its non-private partner" in html(app)
    app.run()
    move(app, "Strict")
    assert not app.exception and "ring" not in layers(app), "another map starts without a picked center"


def test_more_trips_and_the_whole_day_are_one_choice_away(project_root: Path) -> None:
    app = run(project_root)
    assert "one day, 04:00–05:00" in html(app)
    app.session_state["days"] = 31
    app.selectbox(key="hour").set_value(-1).run()
    assert not app.exception and "one month, all day: 10,229,193 trips" in html(app)


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
