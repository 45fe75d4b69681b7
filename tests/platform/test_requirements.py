"""The pinned files, the package's own list and the app's settings say the same thing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import run

PYTHONS = ("3.11", "3.12", "3.13", "3.14")


MACHINES = {"linux": ("linux", "x86_64"), "windows": ("win32", "AMD64"), "intel mac": ("darwin", "x86_64")}


def place(python: str, machine: str) -> dict[str, str]:
    """What environment markers see there."""
    system, processor = MACHINES[machine]
    return {
        "python_version": python,
        "python_full_version": f"{python}.1",
        "sys_platform": system,
        "platform_machine": processor,
        "platform_python_implementation": "CPython",
    }


def pins(path: Path, environment: dict[str, str]) -> dict[str, str]:
    """Name and version of every package that is installed in one place."""
    found: dict[str, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith(("#", "--hash=")):
            requirement = Requirement(line.removesuffix("\\"))
            if requirement.marker is None or requirement.marker.evaluate(environment):
                (specifier,) = requirement.specifier
                assert specifier.operator == "==", line
                name = canonicalize_name(requirement.name)
                assert name not in found, f"{name} is pinned twice"
                found[name] = specifier.version
    return found


@pytest.fixture(scope="module")
def project(project_root: Path) -> dict[str, Any]:
    return tomllib.loads((project_root / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", PYTHONS)
def test_tests_run_on_the_packages_that_users_get(python: str, machine: str, project_root: Path) -> None:
    runtime = pins(project_root / run.RUNTIME, place(python, machine))
    development = pins(project_root / run.DEVELOPMENT, place(python, machine))
    assert runtime.items() <= development.items()


def everything(project: dict[str, Any]) -> list[str]:
    """What the core and all extras declare: `run.py` brings everything."""
    extras = project["project"]["optional-dependencies"]
    assert extras["all"] == [f"dpviz[{','.join(sorted(set(extras) - {'all'}))}]"]
    return [
        *project["project"]["dependencies"],
        *(line for name in sorted(set(extras) - {"all"}) for line in extras[name]),
    ]


def test_the_core_is_small_and_its_edges_are_bounded(project: dict[str, Any]) -> None:
    core = {Requirement(line).name for line in project["project"]["dependencies"]}
    assert not core & {"streamlit", "pydeck", "dask", "distributed", "matplotlib", "polars", "pyogrio", "pyproj"}
    streamlit = next(line for line in everything(project) if line.startswith("streamlit"))
    assert "<" in streamlit, "a Streamlit that nobody tried is not taken"


@pytest.mark.parametrize("python", ["3.9", "3.10"])
def test_an_old_python_is_told_its_number_and_not_the_versions_of_others(python: str, project: dict[str, Any]) -> None:
    # OpenDP 0.16 does not exist for Python 3.9, and pip before 23.1 looks for packages before it reads requires-python
    wanted = map(Requirement, project["project"]["dependencies"])
    there = {one.name for one in wanted if one.marker is None or one.marker.evaluate(place(python, "linux"))}
    assert "opendp" not in there
    assert project["project"]["requires-python"] == ">=3.11"


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("python", PYTHONS)
def test_every_declared_dependency_is_pinned_within_its_bounds(
    python: str, machine: str, project_root: Path, project: dict[str, Any]
) -> None:
    declared = {run.RUNTIME: everything(project), run.DEVELOPMENT: project["dependency-groups"]["dev"]}
    environment = place(python, machine)
    for name, lines in declared.items():
        pinned = pins(project_root / name, environment)
        for line in lines:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate(environment):
                version = pinned[canonicalize_name(requirement.name)]
                assert requirement.specifier.contains(version, prereleases=False), f"{line}: {version}"


def test_the_pinned_files_name_no_address_and_no_path(project_root: Path) -> None:
    for name in (run.RUNTIME, run.DEVELOPMENT):
        text = (project_root / name).read_text(encoding="utf-8")
        assert "://" not in text
        assert not re.search(r"^-| @ ", text, re.MULTILINE)


def test_every_pin_comes_with_its_hashes(project_root: Path) -> None:
    """What a mirror sends is what was tried here, or it is not installed."""
    for name in (run.RUNTIME, run.DEVELOPMENT):
        lines = (project_root / name).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            if "==" in line and not line.lstrip().startswith("#"):
                assert line.endswith("\\") and re.match(r" +--hash=sha256:[0-9a-f]{64}", lines[number + 1]), line


def test_the_starter_and_the_package_want_the_same_pythons(project: dict[str, Any]) -> None:
    assert project["project"]["requires-python"] == f">={run.OLDEST[0]}.{run.OLDEST[1]}"
    listed = {line.rsplit(" ", 1)[1] for line in project["project"]["classifiers"] if "Python :: 3." in line}
    assert listed == set(PYTHONS)
    assert f"{run.OLDEST[0]}.{run.OLDEST[1]}" == PYTHONS[0]
    assert f"{run.NEWEST[0]}.{run.NEWEST[1]}" == PYTHONS[-1]


def test_the_app_speaks_to_this_machine_only_and_sends_nothing(project_root: Path) -> None:
    settings = tomllib.loads((project_root / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["server"]["address"] == "127.0.0.1"
    assert set(settings["server"]["allowedHosts"]) == {"127.0.0.1", "localhost"}
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["client"]["showErrorDetails"] == "none"
    assert settings["client"]["showErrorLinks"] is False
    assert "://" not in (project_root / ".streamlit/config.toml").read_text(encoding="utf-8")


def test_a_browser_keeps_what_the_server_may_name_instead_of_sending_it(project_root: Path) -> None:
    """Named by what the browser had when it asked; one that lets go after some runs may wait for it for ever."""
    settings = tomllib.loads((project_root / ".streamlit/config.toml").read_text(encoding="utf-8"))
    assert settings["global"]["maxCachedMessageAge"] >= 10**9
    assert settings["global"]["minCachedMessageSize"] >= 10**5, "or it keeps hundreds of small things for nothing"


def contrast(one: str, other: str) -> float:
    """Contrast of two #rrggbb colours as accessibility rules (WCAG 2) define it."""

    def luminance(colour: str) -> float:
        channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_text_links_and_controls_stand_out_in_both_themes(theme: str, ground: str, project_root: Path) -> None:
    settings = tomllib.loads((project_root / ".streamlit/config.toml").read_text(encoding="utf-8"))
    colours = settings["theme"][theme]
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    for front in ("textColor", "linkColor", "primaryColor"):
        assert contrast(colours[front], colours[ground]) >= 4.5, (front, ground)


def test_both_distributions_have_one_version(project: dict[str, Any], project_root: Path) -> None:
    second = tomllib.loads((project_root / "research" / "pyproject.toml").read_text(encoding="utf-8"))
    assert second["project"]["version"] == project["project"]["version"]
