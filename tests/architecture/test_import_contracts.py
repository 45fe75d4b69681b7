"""The rooms' import rules hold, and a planted violation of each of them is caught."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import grimp
import pytest

import run


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the package in a folder, as `run.py check` does."""
    return subprocess.run(
        [sys.executable, "-c", run.IMPORT_RULES],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(folder), str(folder / "research")]),
            "PYTHONIOENCODING": "utf-8",
        },
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.fixture
def copied(tmp_path: Path, project_root: Path) -> Path:
    """A copy of both packages and their contracts that a test may spoil."""
    ignored = shutil.ignore_patterns("__pycache__")
    for package in ("dpviz", "research/dpviz_research"):
        shutil.copytree(project_root / package, tmp_path / package, ignore=ignored)
    shutil.copy(project_root / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_rooms_keep_their_contracts(project_root: Path) -> None:
    result = lint_imports(project_root)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(
    ("room", "line", "broken"),
    [
        ("domain", "import dpviz.releases", "Imports run down only"),
        ("noise", "import dpviz.clustering", "Imports run down only"),
        ("ingest", "from dpviz import mechanisms", "Imports run down only"),
        ("audit", "import dpviz.ui", "Imports run down only"),
        ("releases", "import dpviz.questions.counts", "Imports run down only"),
        ("questions", "import dpviz.labels.privacy_label", "Imports run down only"),
        ("labels", "import dpviz.drawing.picture", "Imports run down only"),
        ("drawing", "import dpviz.ledger.ledger", "Imports run down only"),
        ("ledger", "import dpviz.life.feed", "Imports run down only"),
        ("life", "import dpviz.publishing.door", "Imports run down only"),
        ("publishing", "import dpviz.series.series", "Imports run down only"),
        ("series", "import dpviz.hosting.config", "Imports run down only"),
        ("hosting", "import dpviz.ui.session.state", "Imports run down only"),
        ("ui/choose", "import dpviz.ui.compare.logic", "No screen imports another, and shared parts import no screen"),
        (
            "ui/house",
            "import dpviz.ui.publications.logic",
            "No screen imports another, and shared parts import no screen",
        ),
        ("ui/session", "import dpviz.ui.choose.words", "No screen imports another, and shared parts import no screen"),
        ("ui/map", "import dpviz.ui.stage.wire", "No screen imports another, and shared parts import no screen"),
        ("ui/another", "import dpviz.ui.map.view", "No screen imports another, and shared parts import no screen"),
        ("publishing", "import streamlit", "Only the screens know Streamlit and pydeck"),
        ("hosting", "import streamlit", "Only the screens know Streamlit and pydeck"),
        ("mechanisms", "import pydeck", "Only the screens know Streamlit and pydeck"),
        ("ui", "import dpviz.mechanisms", "Screens and the hosted house reach no mechanism themselves"),
        (
            "hosting",
            "from dpviz.mechanisms import catalogue",
            "Screens and the hosted house reach no mechanism themselves",
        ),
        ("ui/planted", "import streamlit", "In a screen's folder only page, dialog and stage modules draw"),
        ("ask_server", "import dpviz.ledger.ledger", "Assistants reach no records, no ledger and no door"),
        ("ask_server", "from dpviz import evaluate", "Assistants reach no records, no ledger and no door"),
        ("questions/areas", "import dpviz.ingest", "Assistants reach no records, no ledger and no door"),
        ("ui/demo", "from dpviz_research.find_her import week", "Research stands outside the product"),
        ("cli", "def f():\n    import dpviz_research.bench", "Research stands outside the product"),
    ],
)
def test_a_planted_import_breaks_its_contract(copied: Path, room: str, line: str, broken: str) -> None:
    place = copied / "dpviz" / room / "planted.py"
    said = '"""Planted."""\n'
    if (module := place.parent.with_suffix(".py")).exists():  # one that a contract names, or that it reaches
        place, said = module, module.read_text(encoding="utf-8")
    elif not place.parent.exists():  # a new screen's room
        place = place.parent / "logic.py"
        place.parent.mkdir()
        (place.parent / "__init__.py").write_text('"""Planted."""\n', encoding="utf-8")
    place.write_text(f"{said}\n{line}\n", encoding="utf-8")
    result = lint_imports(copied)
    assert result.returncode == 1, result.stdout + result.stderr
    assert f"{broken} BROKEN" in result.stdout


def in_circles(imports: Mapping[str, set[str]]) -> set[str]:
    """The modules that import each other, and those that need one of them: what is left when all others are loaded."""
    left = {module: set(needed) for module, needed in imports.items()}
    while loaded := {module for module, needed in left.items() if not needed & left.keys()}:
        left = {module: needed for module, needed in left.items() if module not in loaded}
    return set(left)


def test_no_module_imports_itself_by_way_of_others_not_even_inside_a_function() -> None:
    graph = grimp.build_graph("dpviz", exclude_type_checking_imports=True, cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    assert len(imports) > 200 and in_circles(imports) == set()
    low, high = "dpviz.mechanisms.catalogue", "dpviz.releases.document"
    assert low in imports[high], "an import inside a function counts"
    assert in_circles({**imports, low: imports[low] | {high}}) >= {low, high}


def test_the_product_never_imports_the_library_that_draws_figures_of_research() -> None:
    graph = grimp.build_graph("dpviz", "dpviz_research", include_external_packages=True, cache_dir=None)
    drawing = graph.find_modules_that_directly_import("matplotlib")
    assert {name.split(".")[0] for name in drawing} == {"dpviz_research"}
