"""The page *Compare* and the analysts' server over folders as they come: examples, odd releases, hostile names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import ExactCounts, ExactPoints, Frame, GeoBox, Grid
from dpviz.life.feed import find_releases
from dpviz.releases.release import NoAnswer, Release
from dpviz.ui import stage
from dpviz.ui.compare import words as say
from dpviz.ui.compare.page_maps import Picked
from dpviz.ui.session.state import Pair
from tests.ui import stages

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair
PATIENCE = 120
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
HOSTILE = "<script>alert(1)</script> ![x](http://evil.example/x.png) **b** $x^2$ :red[y]"


def counts() -> ExactCounts:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    return ExactCounts.from_array(Grid(BOX, 32), cells)


def trips() -> ExactPoints:
    ends = np.random.default_rng(3).normal((-74.0, 40.72, -73.95, 40.78), 0.004, (3000, 4))
    names = ("pickup_lon", "pickup_lat", "dropoff_lon", "dropoff_lat")
    low, high = (BOX.west, BOX.south) * 2, (BOX.east, BOX.north) * 2
    return ExactPoints.from_array(
        Frame(names=names, low=low, high=high, scale=(84_000.0, 111_320.0) * 2, metric="m"), ends
    )


def not_a_map() -> ExactPoints:
    frame = Frame(names=("x0", "x1", "x2"), low=(-9000.0,) * 3, high=(9000.0,) * 3, scale=(1.0,) * 3)
    return ExactPoints.from_array(frame, np.random.default_rng(1).normal(0, 900, (2000, 3)))


def made(data: ExactCounts | ExactPoints, method: str, *, epsilon: float = 1.0, seed: int = 1) -> Release | NoAnswer:
    return dpviz.release(data, k=2, budget=dpviz.Budget(epsilon=epsilon), method=method, seed=seed)


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One release of each odd kind, a request without an answer, a damaged folder."""
    folder = tmp_path_factory.mktemp("odd")
    kinds = {
        "tree": made(counts(), "adaptive_tree"),
        "negative": made(counts(), "centred_lines", seed=2),
        "centers-only": made(counts(), "sample_aggregate", seed=3),
        "genetic": made(counts(), "genetic", seed=4),
        "trips": made(trips(), "adaptive_tree", seed=5),
        "no map": made(not_a_map(), "adaptive_tree", seed=6),
        "no answer": made(counts(), "peeled_balls", epsilon=0.001),
    }
    for name, outcome in kinds.items():
        outcome.save(folder / name)
    assert isinstance(kinds["no answer"], NoAnswer)
    (folder / "**damaged** [x](evil.example)").mkdir()
    (folder / "**damaged** [x](evil.example)" / "release.json").write_text("[" * 50_000)
    return folder


def analyst(root: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setenv("DPVIZ_RELEASES", str(folder))
    return checked(AppTest.from_file(str(root / "analyst_app.py"), default_timeout=PATIENCE).run())


def checked(app: AppTest) -> AppTest:
    assert not app.exception, [error.message for error in app.exception]
    return app


def told(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.warning, app.info, app.header, app.error)
    return " ".join(str(element.value) for kind in kinds for element in kind)


def drawn(app: AppTest) -> str:
    return " ".join(element.proto.body for element in app.get("html"))


def test_every_pair_of_odd_releases_is_compared(project_root: Path, odd: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = analyst(project_root, odd, monkeypatch)

    found = find_releases([odd]).releases
    assert len(found) == 6
    for a, b in permutations(found, 2):
        app.session_state["dpviz"].parts[Pair] = Pair(a=a.id, b=b.id)
        checked(app.run())
        maps = stages.scenes(app)
        assert len(maps) == (0 if "x0" in (*a.frame.names, *b.frame.names) else 2)
        assert (
            "A and B cover different places or different kinds of records, so their centers cannot be paired."
            in told(app)
        ) == (a.frame != b.frame)
        assert bool(app.number_input[0].disabled) == (a.raw_coreset is None or b.raw_coreset is None)


@pytest.mark.parametrize("tab", [say.TABS["areas"], say.TABS["sites"], say.TABS["files"]])
def test_every_odd_release_has_its_areas_sites_and_files(
    project_root: Path, odd: Path, monkeypatch: pytest.MonkeyPatch, tab: str
) -> None:

    app = analyst(project_root, odd, monkeypatch)
    app.session_state["compare_tabs"] = tab
    for release in find_releases([odd]).releases:
        app.session_state["dpviz"].parts[Pair] = Pair(a=release.id, b=release.id)
        checked(app.run())
        if tab == say.TABS["areas"]:
            countable = release.protected_cells is not None and release.frame.metric == "m"
            assert (say.NO_MAP in told(app) or say.AREAS_NO_CELLS in told(app)) != countable
            assert bool(len(app.dataframe)) == countable
        if tab == say.TABS["sites"]:
            named = (
                "Release A is no map of places, so there is nowhere to put a site. Choose another release as A."
                if "x0" in release.frame.names
                else (
                    "Release A holds centers only, no points, so distances to sites cannot be estimated from it. "
                    "Choose another release as A."
                )
            )
            useful = release.raw_coreset is not None and release.frame.metric == "m"
            assert (named in told(app)) != useful


def test_what_has_no_answer_or_cannot_be_read_is_named(
    project_root: Path, odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = analyst(project_root, odd, monkeypatch)
    assert "\\*\\*damaged\\*\\*" in app.warning[0].value, "a folder's name is not taken for Markdown"
    app.session_state["compare_tabs"] = say.TABS["files"]
    checked(app.run())
    assert any("Published without an answer" in box.label for box in app.expander)


def test_hostile_names_are_shown_as_they_are(
    project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in (1, 2):
        release = made(counts(), "uniform_grid", seed=number)
        assert isinstance(release, Release)
        replace(release, dataset=HOSTILE).save(tmp_path / str(number))
    app = analyst(project_root, tmp_path, monkeypatch)
    assert "<script>" not in drawn(app) and "&lt;script&gt;" in drawn(app)
    assert "![" not in told(app)
    assert any("<script>" in option for option in app.selectbox[0].options), "a list shows plain text"


def test_a_single_release_stands_alone(project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(counts(), "uniform_grid").save(tmp_path / "only")
    app = analyst(project_root, tmp_path, monkeypatch)
    assert (
        "This is the only release here. Add another one to compare it with." in told(app)
        and len(stages.scenes(app)) == 1
    )


@pytest.fixture
def compare(project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The page inside the app, with an empty ledger."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite3"))
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=PATIENCE)
    app.run()
    app.switch_page("pages/compare.py").run()
    yield checked(app)


def test_one_click_shows_two_examples_side_by_side(compare: AppTest) -> None:
    assert compare.header[0].value == "Nothing has been published yet"
    compare.button(key="examples").click().run()
    checked(compare)
    assert len(stages.scenes(compare)) == 2 and len(compare.dataframe) == 1
    assert (
        "**These are examples**: releases of the demonstration city, whose records are public. Nobody’s privacy was "
        "spent."
        in told(compare)
        and "public example" in drawn(compare)
    )


def test_a_center_picked_on_one_map_is_chosen_for_both(compare: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    compare.button(key="examples").click().run()
    said = {"compare_B": stage.Heard(turn=0, center=3, picks=1)}
    monkeypatch.setattr(stage, "read_heard", lambda key: said.get(key, stage.HEARD_NOTHING))
    checked(compare.run())
    picked = compare.session_state["dpviz"].part(Picked)
    assert picked.number == 3 and picked.rows == (2,)
    maps = stages.scenes(compare)
    assert [one["picked"] for one in maps] == [3, 3] and {one["together"] for one in maps} == {"compare"}
    assert len({one["place"] for one in maps}) == 1, "both maps look at the same place"
    said["compare_A"] = stage.Heard(turn=-1, center=1, picks=1)
    checked(compare.run())
    assert picked.number == 3, "what an older map says is not heard"
    said["compare_A"] = stage.Heard(turn=0, center=None, picks=2)
    checked(compare.run())
    assert picked.number is None, "the view was reset"


def test_the_examples_came_through_the_door(compare: AppTest, tmp_path: Path) -> None:
    from dpviz.ledger.ledger import Ledger

    compare.button(key="examples").click().run()
    checked(compare)
    ledger = Ledger(tmp_path / "ledger-demonstration.sqlite3", demonstration=True)
    folders = sorted(ledger.store.glob("*/release.json"))
    assert len(folders) == 2
    kept = [path.read_bytes() for path in folders]
    assert all(json.loads(text)["demonstration"] and json.loads(text)["status"] == "published" for text in kept)
    compare.button(key="examples").click().run()
    checked(compare)
    assert [path.read_bytes() for path in sorted(ledger.store.glob("*/release.json"))] == kept, "asked again, the same"


def test_two_other_objectives_and_numbers_are_answered(compare: AppTest) -> None:
    compare.button(key="examples").click().run()
    compare.number_input[0].set_value(9).run()
    checked(compare)
    assert len(rows(compare, "centers")) == 9


def rows(app: AppTest, layer: str) -> list[dict[str, object]]:
    """The rows of a layer of the first map."""
    return [row for one in stages.layers(stages.scenes(app)[0]) if one["id"] == layer for row in one["data"]]


@pytest.fixture
def sites(compare: AppTest) -> AppTest:
    """The sites of an example release."""
    compare.button(key="examples").click().run()
    compare.session_state["compare_tabs"] = say.TABS["sites"]
    return checked(compare.run())


def test_a_forbidden_area_is_drawn_and_kept_free(sites: AppTest) -> None:
    sites.button(key="suggest").click().run()
    named = [str(row["tip"]).partition("near ")[2] for row in rows(sites, "sites")]
    assert len(named) == 5 and named[0]
    sites.selectbox(key="forbidden").set_value(named[0]).run()
    assert rows(sites, "forbidden") and len(sites.warning) == 1, "the site inside is named"
    sites.button(key="suggest").click().run()
    checked(sites)
    assert not sites.warning and len(rows(sites, "sites")) == 5
    assert named[0] not in [str(row["tip"]).partition("near ")[2] for row in rows(sites, "sites")]


def test_a_typed_rectangle_is_an_area_and_nonsense_is_refused_in_one_sentence(sites: AppTest) -> None:
    sites.selectbox(key="forbidden").set_value(say.TYPED).run()
    sites.text_input(key="forbidden_box").set_value("here and there").run()
    checked(sites)
    assert len(sites.error) == 1 and not rows(sites, "forbidden")
    sites.text_input(key="forbidden_box").set_value("-74.0, 40.74, -73.97, 40.76").run()
    checked(sites)
    assert not sites.error and len(rows(sites, "forbidden")) == 1


def test_plans_are_remembered_reopen_file_and_forgotten(sites: AppTest) -> None:
    for _ in range(2):
        sites.button(key="suggest").click().run()
        next(button for button in sites.button if button.label == "Remember this plan").click().run()
        checked(sites)
    assert drawn(sites).count("<tr><th scope='row'>Plan") == 2
    sites.button(key="clear").click().run()
    assert not rows(sites, "sites") and "No site yet. Add one to read how far the records are from it." in told(sites)
    sites.button(key="plan_open").click().run()
    assert len(rows(sites, "sites")) == 5
    sites.button(key="plan_forget").click().run()
    checked(sites)
    assert drawn(sites).count("<tr><th scope='row'>Plan") == 1
