"""Three holders on networks of their own: a machine of Linux in three namespaces, joined by a bridge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.test_joint_command_line import NAMES, READING, House, content

BRIDGE, PORT, TRIAL = "dpvbr0", 7101, "dpv-trial"


def ip(*words: str) -> int:
    return subprocess.run(["ip", *words], capture_output=True, check=False).returncode


def networks_are_allowed() -> bool:
    """Whether this process may make networks: it tries."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    made = ip("netns", "add", TRIAL) == 0 and ip("link", "add", BRIDGE, "type", "bridge") == 0
    ip("netns", "del", TRIAL)
    ip("link", "del", BRIDGE)
    return made


pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not networks_are_allowed(), reason="networks of its own need Linux and its administrator"),
]


def address(place: int) -> str:
    return f"10.77.31.{place + 1}"


@pytest.fixture
def networks() -> Iterator[None]:
    def leave() -> None:
        for name in NAMES:
            ip("netns", "del", f"dpv-{name}")
        ip("link", "del", BRIDGE)

    leave()
    try:
        done = [ip("link", "add", BRIDGE, "type", "bridge"), ip("link", "set", BRIDGE, "up")]
        for place, name in enumerate(NAMES):
            space, here, there = f"dpv-{name}", f"dpv{name}0", f"dpv{name}1"
            done += [
                ip("netns", "add", space),
                ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", space),
                ip("link", "set", here, "master", BRIDGE, "up"),
                ip("-n", space, "addr", "add", f"{address(place)}/24", "dev", there),
                ip("-n", space, "link", "set", there, "up"),
            ]
        assert not any(done)
        yield
    finally:
        leave()


@pytest.mark.usefixtures("networks")
def test_holders_on_three_networks_publish_one_folder(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.before = {name: ("ip", "netns", "exec", f"dpv-{name}") for name in NAMES}
    holders = [word for at, name in enumerate(NAMES) for word in ("--holder", f"{name}={address(at)}:{PORT}")]
    box = ("--box", "-74.05,40.70,-73.90,40.80")
    assert house.call("a", "joint", "plan", *holders, *box, *READING, "--out", "joint.toml")[0] == 0
    for name in NAMES:
        assert house.call(name, "joint", "key", "joint.toml", "--as", name)[0] == 0
    ran = house.run("out")
    assert [code for code, _, _ in ran] == [0, 0, 0], ran
    folders = [content(house.root / name / "out") for name in NAMES]
    assert folders[0] == folders[1] == folders[2]
