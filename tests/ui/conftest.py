"""A checkout is known to Streamlit as an installed package, as the app's own server makes it known."""

import sys
from collections.abc import Iterator

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
