"""Every kind of release beside every other, on each tab and in each language: nothing breaks or stays English."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dpviz
from dpviz.domain import GeoBox
from dpviz.domain.regions import Outline
from dpviz.language import ENGLISH, languages
from dpviz.ui.compare import words as say
from dpviz.ui.session.state import Pair
from dpviz_research import translating
from tests.combinations.covering import Row, covering

pytestmark = [
    pytest.mark.filterwarnings("default"),  # Streamlit's own warnings are its own affair
    pytest.mark.filterwarnings("ignore:the records of"),  # the datasets are alike on purpose
]
PATIENCE = 120
BOX = GeoBox(-74.05, 40.70, -73.90, 40.80)
BUDGET = dpviz.Budget(epsilon=1.0)
CORNERS = ((-74.01, 40.72), (-73.99, 40.72), (-73.99, 40.74))
REGION = dpviz.Region(outline=Outline(name="Hospital", polygons=((CORNERS,),)), epsilon=0.1)


def rides() -> pd.DataFrame:
    """Rides of 100 riders between two places."""
    rng = np.random.default_rng(4)
    found = pd.DataFrame({"rider": rng.integers(0, 100, 900), "n": rng.integers(1, 6, 900)})
    for name in ("lon", "end_lon"):
        found[name] = rng.choice([-74.0, -73.94], 900) + rng.normal(0, 0.005, 900)
    for name in ("lat", "end_lat"):
        found[name] = rng.choice([40.73, 40.77], 900) + rng.normal(0, 0.005, 900)
    found["when"] = pd.Timestamp("2026-03-02") + pd.to_timedelta(rng.integers(0, 28 * 24 * 60, 900), unit="min")
    found["plan"] = rng.choice(["member", "guest"], 900)
    found["choice"] = rng.choice([1, 4, 7], 900)
    return found


def read(**options: object) -> dpviz.ExactCounts:
    """Counts of the rides, without the column of riders where no person is asked for."""
    table = rides() if "person" in options else rides().drop(columns="rider")
    return dpviz.read_counts(table, box=BOX, side=64, lon="lon", lat="lat", **options)  # type: ignore[arg-type]


def parts() -> tuple[dpviz.ExactCounts, dict[str, object]]:
    counts, layout = dpviz.read_parts(
        rides().drop(columns="rider"), box=BOX, side=64, lon="lon", lat="lat", by="plan", values=["member", "guest"]
    )
    return counts, {"parts": layout}


def trips() -> dpviz.ExactPoints:
    names = ("lon", "lat", "end_lon", "end_lat")
    return dpviz.read_points(rides(), columns=names, box=BOX)


KINDS: dict[str, Callable[[], tuple[object, dict[str, object]]]] = {
    "records": lambda: (read(), {}),
    "persons": lambda: (read(person="rider", cap=3), {}),
    "weights": lambda: (read(weight="n", weight_bound=4), {}),
    "regions": lambda: (read(), {"regions": (REGION,)}),
    "any question": lambda: (read(), {"purpose": "any question"}),
    "centers alone": lambda: (read(), {"method": "sample_aggregate"}),
    "parts": parts,
    "own levels": lambda: (read(level="choice"), {}),
    "trips": lambda: (trips(), {}),
}
TABLE = {
    "first": tuple(KINDS),
    "second": ("records", "regions", "parts", "own levels", "trips"),
    "tab": tuple(say.TABS),
    "language": tuple(languages()),
    "page": ("compare", "analysts"),
}


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """One release of each kind in one ledger; its store, and their ids."""
    ledger = dpviz.Ledger(tmp_path_factory.mktemp("ledger") / "ledger.sqlite")
    ids = {}
    for name, make in KINDS.items():
        data, stated = make()
        request = dpviz.ReleaseRequest(k=3, budget=BUDGET, **stated)  # type: ignore[arg-type]
        dataset = dpviz.register_or_open(
            name,
            data,
            request=request,
            total=BUDGET,
            ledger=ledger,
            other_people="made up anew",  # type: ignore[arg-type]
        )
        made = dpviz.publish(dataset, request, even_if_answered=True)
        assert isinstance(made, dpviz.Release)
        ids[name] = made.id
    return ledger.path, ids


def fragments() -> list[str]:
    """What the sentences of screens say in English between their blanks, where that is long enough to be told apart."""
    found = set()
    for _, one, more in translating.messages():
        for text in (one, more):
            found |= {part.strip() for part in re.split(r"\{[^}]*\}|\n|\*\*", text or "") if len(part.split()) > 3}
    return sorted(found)


def shown(app: AppTest) -> str:
    kinds = (app.markdown, app.caption, app.warning, app.info, app.header, app.error, app.button, app.radio, app.toggle)
    words = [f"{getattr(one, 'value', '')} {getattr(one, 'label', '')}" for kind in kinds for one in kind]
    return " ".join([*words, *(element.proto.body for element in app.get("html"))])


def check(app: AppTest, language: str, english: list[str]) -> None:
    assert not app.exception, [error.message for error in app.exception]
    if language != ENGLISH:
        text = shown(app)
        assert not [part for part in english if part in text]


@pytest.fixture(scope="module")
def english() -> list[str]:
    return fragments()


def opened(root: Path, page: str, ledger: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> AppTest:
    monkeypatch.setenv("DPVIZ_LEDGER", str(ledger))
    monkeypatch.setenv("DPVIZ_RELEASES", str(ledger.with_name(f"{ledger.name}.releases")))
    script = "analyst_app.py" if page == "analysts" else "app.py"
    app = AppTest.from_file(str(root / script), default_timeout=PATIENCE)
    app.query_params["lang"] = language
    app.run()
    return app if page == "analysts" else app.switch_page(f"pages/{page}.py").run()


@pytest.mark.parametrize("row", covering(TABLE), ids=lambda row: " ".join(row.values()))
def test_every_two_kinds_of_release_are_compared_on_every_tab_in_every_language(
    row: Row,
    published: tuple[Path, dict[str, str]],
    english: list[str],
    project_root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ledger, ids = published
    app = opened(project_root, row["page"], ledger, monkeypatch, row["language"])
    app.session_state["dpviz"].parts[Pair] = Pair(a=ids[row["first"]], b=ids[row["second"]])
    app.session_state["compare_tabs"] = say.TABS[row["tab"]]
    check(app.run(), row["language"], english)


@pytest.mark.parametrize("language", languages())
def test_the_publications_of_every_kind_are_listed_and_looked_after(
    language: str,
    published: tuple[Path, dict[str, str]],
    english: list[str],
    project_root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened(project_root, "publications", published[0], monkeypatch, language)
    check(app, language, english)
    keys = [button.key for button in app.button if button.key and not button.disabled]
    for key in keys:
        found = [button for button in app.button if button.key == key]
        if found:
            check(found[0].click().run(), language, english)
