"""The stage's scripts: known to Streamlit from a bare checkout, held to their source, without a way out."""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpviz.ui.stage import Heard, component_files, stage_component
from dpviz_research.deck import build

pytestmark = pytest.mark.filterwarnings("default")


def test_a_checkout_counts_as_installed_for_who_looks_for_components() -> None:
    found = list(metadata.distributions(name="dpviz"))
    assert found and found[0].metadata["Name"] == "dpviz"
    assert any("streamlit" in one for one in found[0].requires or [])
    assert not [one for one in metadata.distributions(name="somebody-else") if one.metadata["Name"] == "dpviz"]


def a_place() -> None:
    from dpviz.ui import stage

    stage.place("trial", "picture")


def test_the_stage_is_served_from_this_server_and_never_as_text_of_the_page() -> None:
    """Text would become a `blob:` address, which the content policy refuses."""
    app = AppTest.from_function(a_place, default_timeout=60).run()
    assert not app.exception, [error.message for error in app.exception]
    (mounted,) = app.get("bidi_component")
    assert mounted.proto.js_source_path.endswith("stage.js") and not mounted.proto.js_content
    assert mounted.proto.css_source_path.endswith("stage.css") and not mounted.proto.isolate_styles


def test_the_shipped_deck_is_the_one_that_was_built_from_its_source() -> None:
    record = json.loads(build.RECORD.read_text(encoding="utf-8"))
    assert build.record_of(record["packages"]) == record, "type: python research/dpviz_research/deck/build.py"
    stated = json.loads((build.HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    assert {name: record["packages"][name] for name in stated} == stated
    licences = build.LICENCES.read_text(encoding="utf-8")
    assert all(f"\n{name} {version}\n" in licences for name, version in record["packages"].items())


def test_a_changed_script_would_be_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted case."""
    changed = tmp_path / "deck.js"
    changed.write_bytes(build.SCRIPT.read_bytes() + b"//")
    record = json.loads(build.RECORD.read_text(encoding="utf-8"))
    monkeypatch.setattr(build, "SCRIPT", changed)
    assert build.record_of(record["packages"]) != record


def test_the_deck_exports_what_its_source_names() -> None:
    entry = (build.HERE / "entry.js").read_text(encoding="utf-8")
    wanted = {name.strip() for names in re.findall(r"export \{([^}]*)\}", entry) for name in names.split(",")}
    shipped = build.SCRIPT.read_text(encoding="utf-8")
    exported = {name.split(" as ")[-1].strip() for name in re.findall(r"export\{([^}]*)\}", shipped)[-1].split(",")}
    assert exported == wanted


def test_our_scripts_speak_to_nobody_but_this_server() -> None:
    for path in component_files.SCRIPTS.glob("*.js"):
        if path.name == "deck.js":
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"https?:(?!//www\.w3\.org)", text), path.name
        assert not re.search(r"\beval\b|new Function|innerHTML|insertAdjacentHTML", text), path.name


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ({}, Heard()),
        (
            {"state": {"turn": 2, "level": 5, "shown": ["exact"], "center": 3, "open": ["table"]}},
            Heard(turn=2, level=5, shown=frozenset({"exact"}), center=3, open=frozenset({"table"})),
        ),
        ({"state": {"turn": "2", "level": "x", "shown": "exact", "center": None}}, Heard()),
        ({"wish": {"method": "auto"}}, Heard(wish={"method": "auto"})),
    ],
)
def test_what_the_browser_says_is_taken_in_the_stated_form_only(answer: dict[str, Any], wanted: Heard) -> None:
    assert stage_component.heard(answer) == wanted
