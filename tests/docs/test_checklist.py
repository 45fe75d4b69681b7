"""docs/CHECKLIST.md is what its table says, and every piece of evidence in it is there."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.labels.privacy_label import privacy_label
from dpviz.privacy import Budget
from dpviz.publishing.mechanism_run import release

ROOT = Path(__file__).resolve().parents[2]
BUILT: dict[str, Any] = runpy.run_path(str(ROOT / "docs" / "build_checklist.py"))
HAZARDS = [hazard for group in BUILT["HAZARDS"].values() for hazard in group]


@pytest.fixture(scope="module")
def label() -> str:
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, 0.08, 0.08), 8), np.full((8, 8), 3, np.int64))
    return privacy_label(release(counts, 1, Budget(epsilon=0.5), "uniform_grid", seed=1))


def test_the_page_is_the_one_that_its_table_makes() -> None:
    written = (ROOT / "docs" / "CHECKLIST.md").read_text(encoding="utf-8")
    assert written == BUILT["page"](), "docs/CHECKLIST.md is old; type: python docs/build_checklist.py"


@pytest.mark.parametrize("hazard", HAZARDS, ids=[hazard.question for hazard in HAZARDS])
def test_every_hazard_has_evidence_that_is_there(hazard: Any, label: str) -> None:
    assert hazard.answered in ("yes", "partly", "no") and hazard.how and hazard.evidence
    for evidence in hazard.evidence:
        text = label if evidence.path == "PRIVACY.md" else (ROOT / evidence.path).read_text(encoding="utf-8")
        assert evidence.phrase in text, f"{evidence.path} does not say {evidence.phrase!r}"
