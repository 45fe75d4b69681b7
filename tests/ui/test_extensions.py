"""A package of the how-to page is installed: listed, unvetted, refused, published when named; broken ones are named."""

from __future__ import annotations

import json
import logging
import re
import sqlite3
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest
import streamlit
from streamlit.testing.v1 import AppTest
from typer.testing import CliRunner

import dpviz
from dpviz.__main__ import app
from dpviz.cli.terminal.printing import guarded
from dpviz.drawing.picture import foreign_exports, picture
from dpviz.errors import DpvizError, FileError, InputError, LedgerRefusal
from dpviz.hosting.config import read_city
from dpviz.labels.privacy_label import privacy_label
from dpviz.ledger import persons
from dpviz.mechanisms import catalogue, forecast
from dpviz.publishing.door import publish, quote
from dpviz.publishing.mechanism_run import preview
from dpviz.publishing.registration import register
from dpviz.releases.document import schema
from dpviz.ui.session import methods
from tests.ui.parts import confirm_publishing

BOX = dpviz.GeoBox(west=0, south=0, east=1, north=1)
BUDGET = dpviz.Budget(epsilon=1.0)
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project_root: Path) -> Install:
    """Install the package of the how-to page, or one with another module or other entry points."""
    blocks = dict(
        re.findall(r"```(toml|python)\n(.*?)```", (project_root / "docs/how-to/extend-dpviz.md").read_text(), re.S)
    )
    declared = tomllib.loads(blocks["toml"])["project"]

    def installed(name: str = "four-cells", code: str = blocks["python"], entries: object = None) -> None:
        site, module = tmp_path / f"site-{name}", name.replace("-", "_")
        info = site / f"{module}-{declared['version']}.dist-info"
        info.mkdir(parents=True)
        (site / f"{module}.py").write_text(code)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {declared['version']}\n")
        groups = dict(entries or declared["entry-points"])  # type: ignore[call-overload]
        lines = [
            f"[{group}]\n" + "".join(f"{key} = {place}\n" for key, place in listed.items())
            for group, listed in groups.items()
        ]
        (info / "entry_points.txt").write_text("".join(lines))
        sys.modules.pop(module, None)
        monkeypatch.syspath_prepend(str(site))

    return installed


@pytest.fixture
def records(tmp_path: Path) -> Path:
    file = tmp_path / "trips.xyz"
    file.write_text("".join(f"{0.2 + at % 7 / 100} {0.7 + at % 5 / 100}\n" for at in range(200)))
    return file


def run(*words: str) -> tuple[int, str]:
    """Exit code and standard output."""
    outputs: list[str] = []

    def inside() -> None:
        found = CliRunner().invoke(app, list(words))
        outputs.append(found.output)
        if found.exception is not None:
            raise found.exception

    return guarded(inside), outputs[0]


def test_all_four_come_from_one_package_and_are_used(
    install: Install, records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install()
    (row,) = [row for row in dpviz.methods() if row["package"]]
    assert (row["name"], row["vetted"], row["package"]) == ("four_cells", False, "four-cells 0.1")
    code, listed = run("methods")
    assert code == 0 and re.search(r"four_cells .* no +four-cells 0\.1", listed)

    ledger, out = tmp_path / "ledger.sqlite3", tmp_path / "out"
    asked = [
        "release",
        str(records),
        "--box",
        "0,0,1,1",
        "--side",
        "64",
        "--k",
        "2",
        "--epsilon",
        "1",
        "--out",
        str(out),
    ]
    asked += ["--ledger", str(ledger), "--method", "four_cells"]
    code, _ = run(*asked)
    told = capsys.readouterr().err
    assert code == 3 and "'four_cells' comes from four-cells 0.1" in told and "--unvetted" in told
    assert not ledger.exists() and not out.exists()

    assert run(*asked, "--unvetted")[0] == 0
    document = json.loads((out / "release.json").read_text())
    jsonschema.validate(document, schema(), cls=jsonschema.Draft202012Validator)
    assert document["method"]["package"] == "four-cells 0.1" and not document["method"]["vetted"]
    assert document["request"]["unvetted"] is True
    label = (out / "PRIVACY.md").read_text()
    assert "it comes from four-cells 0.1." in label
    assert "No independent reader has checked" in label
    assert "Nobody has checked its proof" in (out / "PROOF.md").read_text()
    assert run(*asked, "--unvetted")[0] == 0  # the same request: nothing more is spent
    with sqlite3.connect(ledger) as book:
        assert book.execute("SELECT count(*) FROM charges").fetchone() == (1,)

    text, card = tmp_path / "centers.txt", tmp_path / "card.md"
    assert run("picture", str(out), "--out", str(text))[0] == 0
    assert text.read_text().startswith("lon lat weight\n")
    assert run("describe", str(out), "--as", "card", "--out", str(card), "--ledger", str(ledger))[0] == 0
    assert card.read_text().startswith("trips")


def test_a_release_is_read_and_labelled_where_the_package_is_not_installed(
    install: Install, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    counts = dpviz.read_counts(records, box=BOX, side=64)
    made = dpviz.release(counts, k=2, budget=BUDGET, method="four_cells")
    assert isinstance(made, dpviz.Release)
    folder = made.save(tmp_path / "out")
    monkeypatch.undo()
    again = dpviz.Release.load(folder)
    assert "a package that is not installed here" in privacy_label(again)
    assert len(again.centers_for(3)) == 3
    with pytest.raises(InputError, match="not known"):
        dpviz.release(counts, k=2, budget=BUDGET, method="four_cells")


def test_auto_never_takes_it_and_it_runs_alone(install: Install, records: Path) -> None:
    install()
    counts = dpviz.read_counts(records, box=BOX, side=64)
    assert (
        preview(counts, 2, BUDGET).method != "four_cells"
        and preview(counts, 2, BUDGET, "four_cells").method == "four_cells"
    )
    assert "four_cells" not in forecast.always_answer(2) and "four_cells" not in catalogue.BY_SIZE.info.title
    for wrapped in ("subsampled:four_cells", "regional:four_cells", "ends:four_cells"):
        with pytest.raises(InputError, match="it runs alone"):
            dpviz.release(counts, 2, BUDGET, wrapped)
    with pytest.raises(InputError, match="purpose"):
        dpviz.release(counts, 2, BUDGET, "four_cells", purpose="any question")


def test_a_house_refuses_it_unless_its_file_allows_it(
    install: Install, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, project_root: Path
) -> None:
    install()
    monkeypatch.setattr(persons, "_stated", [])
    dataset = register(
        "trips", dpviz.read_counts(records, box=BOX, side=64), total=BUDGET, ledger=tmp_path / "l.sqlite3"
    )
    named = dpviz.ReleaseRequest(k=2, budget=BUDGET, method="four_cells", unvetted=True)
    steward = persons.Person(name="ada", roles=frozenset(persons.Role))
    persons.host(persons.HousePolicy())
    for step in (lambda: quote(dataset, named), lambda: publish(dataset, named, who=steward)):
        with pytest.raises(LedgerRefusal, match=r"\[publishing\] foreign_methods"):
            step()
    assert not dataset.charges
    persons.host(persons.HousePolicy(foreign_methods=True))  # a later policy cannot loosen an earlier one
    assert not persons.foreign_methods_allowed()
    persons._stated.clear()
    persons.host(persons.HousePolicy(foreign_methods=True))
    assert publish(dataset, named, who=steward).method == "four_cells"

    example = (project_root / "dpviz/hosting/example.toml").read_text()
    for text, allowed in ((example, False), (example.replace("# foreign_methods", "foreign_methods"), True)):
        (file := tmp_path / "city.toml").write_text(text)
        assert read_city(file, {"DPVIZ_OIDC_SECRET": "x" * 40}).foreign_methods is allowed


def test_the_screen_offers_it_as_unvetted_and_not_where_a_house_does_not_allow_it(
    install: Install, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    counts = dpviz.read_counts(records, box=BOX, side=64)
    assert "four_cells" in methods.offered(counts)
    assert methods.title("four_cells") == "Four cells (unvetted, from four-cells 0.1)"
    monkeypatch.setattr(persons, "_stated", [persons.HousePolicy()])
    assert "four_cells" not in methods.offered(counts) and "uniform_grid" in methods.offered(counts)


def test_the_dialog_publishes_with_it_once_a_box_is_ticked(
    install: Install, project_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    monkeypatch.setattr(streamlit, "rerun", lambda **_: None)  # of a fragment, which this kind of test has none of
    app = AppTest.from_file(f"{project_root}/app.py", default_timeout=120)
    app.query_params["method"] = "four_cells"
    app.run()
    next(button for button in app.button if button.label == "Publish this level …").click().run()
    assert "four-cells 0.1" in app.checkbox(key="publish_unvetted").label.replace("\\", "")
    assert not [one for one in app.button if one.key == "publish_next"]
    app.checkbox(key="publish_unvetted").check().run()
    confirm_publishing(app).text_input(key="publish_word").input("Balanced").run()
    app.button(key="publish_go").click().run()
    next(button for button in app.button if button.label == "Publish this level …").click().run()
    app.button(key="publish_next").click().run()
    assert not app.exception and not app.error
    assert [one.value for one in app.info] == [
        "This was published before: the stored release is shown, and nothing more is given away."
    ]  # the dialog, opened again, finds it stored


def test_an_own_method_is_never_called_unvetted_by_the_request(records: Path, tmp_path: Path, install: Install) -> None:
    install()
    dataset = register(
        "trips", dpviz.read_counts(records, box=BOX, side=64), total=BUDGET, ledger=tmp_path / "l.sqlite3"
    )
    with pytest.raises(InputError, match="no method of another package"):
        publish(dataset, dpviz.ReleaseRequest(k=2, budget=BUDGET, method="uniform_grid", unvetted=True))
    assert not dataset.charges


BROKEN = {
    "raises when it is imported": ("raise RuntimeError('secret')", "dpviz.methods", "loading it raises RuntimeError"),
    "is not there": ("", "dpviz.exports", "loading it raises AttributeError"),
    "stops the interpreter": ("raise SystemExit", "dpviz.formats", "loading it raises SystemExit"),
    "is of another type": ("thing = 5", "dpviz.formats", "does not have the form"),
    "is no method": ("thing = print", "dpviz.methods", "loading it raises AttributeError"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_package_is_one_sentence_and_everything_else_works(
    case: str, install: Install, records: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code, group, why = BROKEN[case]
    install()
    install("broken", code, {group: {"thing": "broken:thing"}})
    with caplog.at_level(logging.WARNING, "dpviz"):
        assert run("methods")[0] == 0
        counts = dpviz.read_counts(records, box=BOX, side=64)
        made = dpviz.release(counts, 2, BUDGET, "four_cells")
        assert picture(made, "txt").startswith(b"lon")  # type: ignore[arg-type]
    (said,) = {record.getMessage() for record in caplog.records if "dpviz" in record.getMessage()}  # of any thread
    assert "'thing' of the package broken 0.1 is not used" in said and why in said and "secret" not in said


@pytest.mark.parametrize(
    ("group", "name"),
    [("dpviz.methods", "uniform_grid"), ("dpviz.methods", "auto"), ("dpviz.formats", "csv"), ("dpviz.exports", "png")],
)
def test_a_name_of_ours_is_not_taken(
    group: str, name: str, install: Install, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    install("thief", "def thing(*_): raise AssertionError", {group: {name: "thief:thing"}})
    (file := tmp_path / "a.csv").write_text("lon,lat\n0.5,0.5\n")
    with caplog.at_level(logging.WARNING, "dpviz"):
        made = dpviz.release(dpviz.read_counts(file, box=BOX, side=64), 1, BUDGET, "uniform_grid")
        assert picture(made, "png" if name == "png" else "svg")  # type: ignore[arg-type]
        assert not [row for row in dpviz.methods() if row["package"]]
        foreign_exports()
    assert any("thief 0.1 is not used: its name is taken" in record.getMessage() for record in caplog.records)


def test_a_failure_inside_names_the_package_and_tells_nothing_of_the_records(
    install: Install, records: Path, tmp_path: Path, project_root: Path
) -> None:
    page = (project_root / "docs/how-to/extend-dpviz.md").read_text()
    code = re.search(r"```python\n(.*?)```", page, re.S).group(1)  # type: ignore[union-attr]
    install(code=code.replace("    halves = ", "    raise ValueError(f'{data.to_numpy()}')\n        halves = "))
    counts = dpviz.read_counts(records, box=BOX, side=64)
    with pytest.raises(
        InputError, match=r"four_cells.* of the package four-cells 0\.1 failed \(ValueError\)"
    ) as caught:
        preview(counts, 2, BUDGET, "four_cells")
    assert "[" not in str(caught.value)
    dataset = register("trips", counts, total=BUDGET, ledger=tmp_path / "l.sqlite3")
    named = dpviz.ReleaseRequest(k=2, budget=BUDGET, method="four_cells", unvetted=True)
    with pytest.raises(DpvizError, match=r"a defect of four-cells 0\.1"):
        publish(dataset, named)
    (bad := tmp_path / "bad.xyz").write_text("0.1 0.2\nseventeen\n")
    with pytest.raises(FileError, match=r"bad\.xyz: 'xyz' of the package four-cells 0\.1 failed \(ValueError\)"):
        dpviz.read_counts(bad, box=BOX, side=64)
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "more.xyz").write_bytes(records.read_bytes())
    assert dpviz.read_counts(tmp_path / "folder", box=BOX, side=64).to_numpy().sum() == 200
