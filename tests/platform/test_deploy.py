"""The files in deploy/: what they name exists, what they start starts, and nothing runs with needless rights."""

from __future__ import annotations

import configparser
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from dpviz.cli.servers import PARTS


@pytest.fixture(scope="module")
def compose(project_root: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((project_root / "deploy" / "compose.yaml").read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def steps(project_root: Path) -> list[tuple[str, str]]:
    """The instructions of the image, lines joined."""
    text = (project_root / "deploy" / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def test_the_image_copies_what_exists_and_all_that_the_apps_need(
    steps: list[tuple[str, str]], project_root: Path
) -> None:
    copied = [name for kind, rest in steps if kind == "COPY" and "--from" not in rest for name in rest.split()[:-1]]
    assert all((project_root / name).exists() for name in copied)
    assert {"app.py", "city_app.py", "analyst_app.py", "pages", "static", "data", "dpviz", ".streamlit"} <= set(copied)


def test_the_image_installs_by_hashes_and_runs_without_rights(steps: list[tuple[str, str]]) -> None:
    runs = " ".join(rest for kind, rest in steps if kind == "RUN")
    assert "--require-hashes" in runs and "curl" not in runs and "sudo" not in runs
    assert [rest for kind, rest in steps if kind == "USER"] == ["10001:10001"]
    assert all(re.fullmatch(r"python:3\.1\d-slim( AS \w+)?", rest) for kind, rest in steps if kind == "FROM")


def test_the_start_command_of_the_image_is_one(
    steps: list[tuple[str, str]], project_root: Path, tmp_path: Path
) -> None:
    entry = json.loads(next(rest for kind, rest in steps if kind == "ENTRYPOINT"))
    usual = json.loads(next(rest for kind, rest in steps if kind == "CMD"))
    example = project_root / "dpviz" / "hosting" / "example.toml"
    (tmp_path / "city.toml").write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    command = [str(tmp_path / "city.toml") if word == "/etc/dpviz/city.toml" else word for word in [*entry, *usual]]
    command[0] = sys.executable
    environment = {**os.environ, "PYTHONPATH": str(project_root), "DPVIZ_OIDC_SECRET": "x"}
    done = subprocess.run(
        [*command, "--check"], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0 and "is in order" in done.stdout, done.stderr


def test_every_container_is_hardened_and_the_analysts_see_neither_ledger_nor_records(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert "healthcheck" in service or name == "backup", name
    for part in ("curators", "analysts"):
        assert services[part]["command"] == ["--part", part] and part in PARTS
    assert services["analysts"]["user"] == "10002:10002"
    assert [volume.split(":")[0] for volume in services["analysts"]["volumes"]] == ["./city.toml", "published"]
    assert "curators" not in services["analysts"]["networks"] and services["curators"]["memswap_limit"] == "8g"
    named = {volume.split(":")[0] for service in services.values() for volume in service["volumes"]}
    assert {name for name in named if not name.startswith(".")} == set(compose["volumes"])


def test_the_unit_starts_the_command_and_gives_it_no_rights(project_root: Path) -> None:
    unit = configparser.RawConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(project_root / "deploy" / "dpviz@.service", encoding="utf-8")
    service = unit["Service"]
    words = shlex.split(service["ExecStart"])
    assert words[1:] == ["serve", "--config", "/etc/dpviz/city.toml", "--part", "%i"]
    assert service["User"] == "dpviz-%i" and service["NoNewPrivileges"] == "yes" and service["LimitCORE"] == "0"
    assert service["CapabilityBoundingSet"] == "" and service["ProtectSystem"] == "strict"
    assert service["MemorySwapMax"] == "0"
