"""Who is protected is asked on screen wherever a column may tell persons apart; what is told is right, or nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpviz.errors import ExactDataLeak
from dpviz.hosting.desk import Terms
from dpviz.hosting.reading_process import Wish
from dpviz.privacy import Budget
from dpviz.ui.own_data import dialog_form, registration

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair


@pytest.fixture
def cabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Rides of cabs whose first column is no person, as in files that people have."""
    monkeypatch.setattr(registration, "place", lambda: tmp_path / "opened.json")
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "ledger.sqlite"))  # the same file under several names
    generator = np.random.default_rng(2)
    cab = generator.zipf(1.5, 600) % 40
    rides = pd.DataFrame(
        {
            "plon": generator.normal(13.4, 0.02, 600).round(5),
            "lon": generator.normal(13.4, 0.02, 600).round(5),
            "lat": generator.normal(52.5, 0.02, 600).round(5),
            "cab": [f"<b>{number}" for number in cab],
            "fare": generator.gamma(3, 4, 600).round(2),
        }
    )
    rides.to_csv(tmp_path / "cabs.csv", index=False)
    return tmp_path / "cabs.csv"


def asked(file: Path, *, strict: bool) -> AppTest:
    def script(path: str, strict: bool) -> None:
        import streamlit as st

        from dpviz.ui.own_data import dialog_form

        st.write(repr(dialog_form.choose_unit(path, lon="lon", lat="lat", strict=strict)))

    return AppTest.from_function(script, default_timeout=120, args=(str(file), strict)).run()


def told(app: AppTest) -> str:
    return " ".join(caption.value for caption in app.caption)


def test_no_unit_is_chosen_where_a_column_may_be_a_person(cabs: Path) -> None:
    app = asked(cabs, strict=False)
    assert app.radio[0].value is None and app.markdown[-1].value == "None"
    rows = pd.read_csv(cabs)["cab"].value_counts()
    assert f"cab: {len(rows)} different values, up to {rows.max():,} rows each" in told(app)
    app.radio[0].set_value("record").run()
    assert f"one of up to {rows.max():,} rows of a single cab" in told(app) and "('', 0)" in app.markdown[-1].value
    app.radio[0].set_value("person").run()
    assert app.selectbox[0].options == ["cab"], "neither the first column nor a measure is offered"
    assert "plon is a coordinate" in told(app) and "fare is a measure" in told(app)
    cap = int(app.number_input[0].value)
    assert f"Keeps {rows.clip(upper=cap).sum():,} of 600 rows" in told(app)
    assert app.markdown[-1].value == f"('cab', {cap})"


def test_a_strict_preview_asks_by_names_alone(cabs: Path) -> None:
    app = asked(cabs, strict=True)
    assert app.radio[0].value is None
    app.radio[0].set_value("person").run()
    assert app.selectbox[0].options[0] == "cab" and "plon" not in app.selectbox[0].options
    assert not any(letter.isdigit() for letter in told(app))


def test_a_file_without_persons_is_not_asked_about(tmp_path: Path) -> None:
    file = tmp_path / "places.csv"
    pd.DataFrame({"lon": [13.41, 13.42, 13.4], "lat": [52.5, 52.51, 52.52]}).to_csv(file, index=False)
    app = asked(file, strict=False)
    assert (
        app.radio[0].value == "record"
        and app.radio[0].disabled
        and "No column tells persons apart, so what is protected is one row." in told(app)
    )


@pytest.mark.parametrize(("person", "share"), [("", 0.0), ("cab", 0.0), ("", 0.5)])
def test_the_preview_says_what_a_record_is_and_what_a_cap_kept(cabs: Path, person: str, share: float) -> None:
    wish = Wish(box="13.1, 52.35, 13.75, 52.65", lon="lon", lat="lat", person=person, cap=2 if person else 0)
    terms = Terms(name=f"cabs {person} {share}", total=Budget(epsilon=4.0, delta=1e-6), standin_share=share)
    source = registration.open_file(str(cabs), wish, terms)
    notes = " ".join((*source.facts, *source.notes))
    rows = pd.read_csv(cabs)["cab"].value_counts()
    if share:
        assert "rows" not in notes.replace("a few rows less", ""), "a strict preview says nothing about the file"
    elif not person:
        assert f"one of up to {rows.max():,} rows of a single cab" in notes
    else:
        assert f"{rows.clip(upper=2).sum():,} of 600 rows are kept, at most 2 of each cab" in notes


def test_what_was_looked_at_stays_in_memory(cabs: Path) -> None:
    import pickle

    best = dialog_form.candidates(str(cabs))[0]
    assert "cab" not in repr(best)
    with pytest.raises(ExactDataLeak):
        pickle.dumps(best)
