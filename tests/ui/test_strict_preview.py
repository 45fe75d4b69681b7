"""Strict preview: every word is true of a stand-in, and the error to expect is told before anything is spent."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.domain import ExactCounts
from dpviz.domain.regions import Outline
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.ledger.ledger import Ledger
from dpviz.privacy import LEVELS, Budget, Region
from dpviz.publishing.datasets import DEFAULT_TOTAL_DELTA, SimulatedCounts
from dpviz.publishing.standin import forecast_from_standin
from dpviz.ui.choose import figures, scene as choose
from dpviz.ui.own_data import registration
from dpviz.ui.page_parts import words
from dpviz.ui.session.preview import Drawn, Previews, Setting
from dpviz.ui.session.session import Session
from dpviz.ui.session.sources import Mode, Source
from dpviz.ui.session.state import ChooseState
from tests.browser.steps import rides
from tests.ui.stages import Browser, handed, news, places

pytestmark = pytest.mark.filterwarnings("default")
WISH = Wish(box="13.1, 52.35, 13.75, 52.65", lon="lon", lat="lat")


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Source:
    file = tmp_path_factory.mktemp("rides") / "rides.csv"
    file.write_bytes(rides(5000))
    total = Budget(epsilon=2.0, delta=DEFAULT_TOTAL_DELTA)
    source = registration.open_file(str(file), WISH, Terms(name="strict rides", total=total, standin_share=0.2))
    assert source.mode is Mode.STRICT
    return source


@pytest.fixture
def page(strict: Source, project_root: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    app = AppTest.from_file(str(project_root / "app.py"), default_timeout=120)
    session = Session(address={})
    session.open_own(strict)
    app.session_state["dpviz"] = session
    browser = Browser(monkeypatch)
    browser.says(turn=session.turn, open=frozenset({"table", "chance"}))
    app.run()
    assert not app.exception, [error.message for error in app.exception]
    return app


def seen(app: AppTest) -> str:
    """All words of the page, those of the map included."""
    html = [element.proto.body for element in app.get("html")]
    staged = [json.dumps({**one, "column": None}, ensure_ascii=False) for one in handed(app)]
    placed = [json.dumps(one, ensure_ascii=False) for one in places(app).values()]
    plain = [one.value for kind in (app.title, app.header, app.subheader, app.markdown, app.caption) for one in kind]
    named = [one.label for kind in (app.button, app.checkbox, app.selectbox) for one in kind]
    return " ".join([*html, *staged, *placed, *plain, *named])


def test_no_word_of_a_strict_preview_calls_anything_exact_or_unprotected(page: AppTest) -> None:
    text = seen(page)
    assert words.MODE_STRICT[0] in text and words.CENTER_STRICT in text
    for claim in ("Exact", "never published", "on-private", "not protected", "without any protection"):
        assert claim not in text, claim


def test_the_error_to_expect_is_told_with_its_band_and_spends_nothing(page: AppTest, strict: Source) -> None:
    found = forecast_from_standin(strict.standin, k=5, budget=Budget(epsilon=LEVELS[3].epsilon))
    assert found is not None and found.low <= found.expected <= found.high
    wanted = figures.describe_forecast(figures.simulate_forecast(strict.standin, ChooseState()))
    told = [one for aside in news(page)["accept"]["asides"] for one in aside["levels"] or ()]
    assert told.count(wanted) == 1
    assert all(words.percent(value) in wanted for value in (found.low, found.expected, found.high))
    assert len(Ledger().charges("strict rides")) == 1, "the stand-in and nothing else"


def test_a_forecast_without_answers_says_so_and_other_modes_have_none(strict: Source) -> None:
    assert figures.describe_forecast(None) == (
        "**Before you publish:** tried out on the made-up data, this gives no map, or hardly ever one."
    )
    hopeless = ChooseState(level=LEVELS[6], k=20, method="peeled_balls")
    assert figures.simulate_forecast(strict.standin, hopeless) is None


def test_a_data_set_with_a_stand_in_gives_no_hints_about_its_file_however_it_is_opened(tmp_path: Path) -> None:
    """Its file has most rows outside the box, which the other preview says, and which the strict one must not."""
    file = tmp_path / "far.csv"
    file.write_bytes(rides(2000) + b"\n1.0,1.0" * 3000)
    total = Budget(epsilon=2.0, delta=DEFAULT_TOTAL_DELTA)

    def opened(name: str, share: float) -> Source:
        terms = Terms(name=name, total=total, standin_share=share, other_people="tests")
        return registration.open_file(str(file), WISH, terms)

    plain = opened("far rides, plain", 0.0)
    assert any("half of the rows" in hint for hint in plain.notes)
    opened("far rides, strict", 0.5)
    again = opened("far rides, strict", 0.0)
    assert (
        again.mode is Mode.STRICT
        and "This data set was opened before. It keeps the privacy budget that it got then." in again.notes
    )
    assert not again.facts and not any("rows" in hint for hint in again.notes)


def test_stricter_places_have_no_forecast_since_none_is_simulated(strict: Source) -> None:
    ring = ((13.3, 52.4), (13.4, 52.4), (13.4, 52.5))
    place = Region(outline=Outline(name="a place", polygons=((ring,),)), epsilon=0.05)
    assert figures.forecast(Session(), strict, ChooseState(regions=(place,))) == ""


def test_pairs_and_tables_speak_of_the_stand_in(strict: Source) -> None:
    previews = Previews(strict.exact_data, budget_of=lambda level, method: Budget(epsilon=level.epsilon))
    drawn = previews.main(Setting(method="auto", k=3, level=1))
    assert isinstance(drawn, Drawn)
    view = choose.map_view(strict, drawn)
    table = choose.centers_table(view)
    assert f"{words.CENTER_STRICT} near" in table.columns and f"{words.CENTER_EXACT} near" not in table.columns
    assert ["", " from its partner in the made-up data"][1] in view.told(1)
    assert "centers of the made-up data" in view.alt and "non-private" not in view.alt
    assert json.dumps([marker.tip for marker in view.exact_centers]).count(words.CENTER_STRICT) == 3


def test_what_a_strict_preview_simulates_hangs_on_the_stand_in_alone(strict: Source) -> None:
    """The records are another number in other places; what is shown of them is the same to the cell."""
    dataset, standin = strict.dataset, strict.standin
    assert dataset is not None and standin is not None and dataset.data is not None
    others = ExactCounts.from_array(dataset.data.grid, np.roll(dataset.data.to_numpy(), 37) * 3)
    assert others.exact_total != dataset.data.exact_total
    shown = [registration.source_of(dataset, counts) for counts in (dataset.data, others)]
    for source in (strict, *shown):
        assert source.mode is Mode.STRICT and source.standin is not None and source.standin.id == standin.id
        assert isinstance(source.exact_data, SimulatedCounts)
        assert (source.exact_data.to_numpy() == strict.exact_data.to_numpy()).all()
        assert source.exact_data.exact_total == round(standin.noisy_total)
        assert (source.facts, source.exact_data.report) == ((), None)
