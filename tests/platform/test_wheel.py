"""What `pip install .` would install: built from the project as it is, without the network."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def build_wheel(project: Path, folder: Path) -> Path:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=project,
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def run_installed(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the Python of the tests on a folder of unpacked wheels, away from the checkout."""
    return subprocess.run(
        [sys.executable, "-P", *words],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site), "NUMBA_CACHE_DIR": str(site.parent / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(project_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(project_root, tmp_path_factory.mktemp("wheel"))


def test_the_wheel_carries_library_cities_and_app(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"dpviz/__init__.py", "dpviz/py.typed", "dpviz/language/de.po", "dpviz/_app/app.py"} <= names
    assert "dpviz/_app/.streamlit/config.toml" in names
    assert any(name.startswith("dpviz/_data/") and name.endswith(".md") for name in names)
    assert any(name.startswith("dpviz/_app/pages/") for name in names)
    assert any(name.startswith("dpviz/_app/static/") for name in names)


def test_the_wheel_carries_what_the_page_evidence_shows(wheel: Path, project_root: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    records = {f"dpviz/_data/evidence/{path.name}" for path in (project_root / "docs" / "evidence").glob("*.json")}
    assert records and records | {"dpviz/_data/PROMISE.md", "dpviz/_data/LIMITS.md"} <= names


def test_every_page_that_the_starter_serves_is_in_the_wheel(wheel: Path, project_root: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for script in project_root.glob("*app.py"):
        assert f"dpviz/_app/{script.name}" in names


def test_the_wheel_carries_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    strays = [name for name in names if not name.startswith(("dpviz/", "dpviz-"))]
    assert strays == []
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".nbc", ".nbi"))]


def test_the_installed_package_imports_and_finds_its_city(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import dpviz; assert 'site' in dpviz.__file__; print(dpviz.builtin('nyc-taxi').to_numpy().sum())"
    result = run_installed(tmp_path / "site", "-c", code)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) == 10_229_193


def test_bench_and_reproduce_come_with_the_second_distribution(wheel: Path, project_root: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    assert not (site / "dpviz_research").exists()
    for words in (["bench"], ["reproduce", "list"], ["reproduce", "evidence", "--quick", "--out", "figures"]):
        alone = run_installed(site, "-m", "dpviz", *words)
        assert alone.returncode == 2 and "pip install ./research" in alone.stderr, alone.stderr
        assert len(alone.stderr.splitlines()) <= 2 and not alone.stdout
    zipfile.ZipFile(build_wheel(project_root / "research", tmp_path / "second")).extractall(site)
    for words, told in (
        (["bench"], "kmeans"),
        (["reproduce", "list"], "ipsn17-table2"),
        (["audit", "--help"], "trials"),
    ):
        both = run_installed(site, "-m", "dpviz", *words)
        assert both.returncode == 0 and told in both.stdout, both.stderr
