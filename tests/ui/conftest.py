"""A checkout is known to Streamlit as an installed package, as the app's own server makes it known."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpviz.ui.session import preview
from dpviz.ui.stage import component_files

component_files.announce()


@pytest.fixture(autouse=True, scope="module")
def few_tries() -> Iterator[None]:
    """Every page that is opened draws repeats beside it; how many there really are is the matter of test_previews."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(preview, "WANTED", 4)
        patch.setattr(preview, "MOST", 10)
        patch.setattr(preview, "ENOUGH", 9)
        yield


@pytest.fixture(autouse=True)
def own_main() -> Iterator[None]:
    """A page under test leaves its script behind as the main program, which every new process would begin with."""
    before = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = before


@pytest.fixture
def rides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, list[str]], Path]:
    """3,000 rides with one more column of these values, and a ledger of their own."""
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite"))

    def written(column: str, values: list[str]) -> Path:
        draws, path = np.random.default_rng(2), tmp_path / "rides.csv"
        places = {"lon": draws.normal(11.25, 0.01, 3000), "lat": draws.normal(43.775, 0.006, 3000)}
        pd.DataFrame({**places, column: draws.choice(values, 3000)}).to_csv(path, index=False)
        return path

    return written
