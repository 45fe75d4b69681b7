"""What the dialog says where publishing gave no answer."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

pytestmark = pytest.mark.filterwarnings("default")


def _page(demonstration: bool) -> None:
    import numpy as np

    import dpviz
    from dpviz.domain import ExactCounts, GeoBox, Grid
    from dpviz.ui.choose import dialog_publish
    from dpviz.ui.session.session import Published

    counts = ExactCounts.from_array(Grid(GeoBox(13.0, 52.0, 13.1, 52.1), 16), np.ones((16, 16), np.int64))
    outcome = dpviz.release(counts, k=5, budget=dpviz.Budget(epsilon=0.01), method="peeled_balls", seed=1)
    dialog_publish.after_publishing(Published(key=(), outcome=outcome, again=False), demonstration=demonstration)


@pytest.mark.parametrize("demonstration", [True, False])
def test_no_answer_speaks_of_a_spent_budget_only_where_one_was_spent(demonstration: bool) -> None:
    app = AppTest.from_function(_page, args=(demonstration,), default_timeout=60).run()
    assert not app.exception
    (told,) = [warning.value for warning in app.warning]
    assert told.startswith("The method gave no answer (there are too few records for so much privacy).")
    assert (
        "It counts as given away all the same: even no answer tells something about the data." in told
    ) is not demonstration
