from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.joint.holders import Holders, keys_of_their_own


@pytest.fixture
def three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Holders:
    """Three holders of one plan."""
    keys_of_their_own(monkeypatch, tmp_path)
    return Holders(tmp_path)
