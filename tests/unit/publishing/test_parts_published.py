"""Parts of time through the door: the layout in release.json, the folder read back, parts as releases, the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain.parts import Division, Parts
from dpviz.drawing.picture import picture
from dpviz.errors import InputError, NotOffered, UnledgeredRelease
from dpviz.ingest import read_parts
from dpviz.ingest.formats.memory_table import pandas_column
from dpviz.ingest.parts import part_of
from dpviz.ledger.ledger import Ledger
from dpviz.publishing import approvals as second
from dpviz.releases.request import ReleaseRequest

BOX = dpviz.GeoBox(11.20, 43.74, 11.30, 43.81)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    draws = np.random.default_rng(3)
    day = draws.integers(0, 7, 8_000)
    return pd.DataFrame(
        {
            "lon": draws.normal(np.where(day < 5, 11.23, 11.27), 0.006),
            "lat": draws.normal(43.775, 0.006, len(day)),
            "when": [f"2026-03-{2 + number:02d} 08:30" for number in day],
        }
    )


@pytest.fixture(scope="module")
def published(table: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dpviz.Release]]:
    home = tmp_path_factory.mktemp("time")
    counts, parts = read_parts(table, box=BOX, side=32, time="when", by="weekday", zone="Europe/Rome")
    dataset = dpviz.register("rides", counts, total=dpviz.Budget(epsilon=2.0), ledger=home / "ledger.db")
    request = ReleaseRequest(k=3, budget=dpviz.Budget(epsilon=2.0), parts=parts)
    first = dpviz.publish(dataset, request)
    again = dpviz.publish(dataset, request)
    assert isinstance(first, dpviz.Release) and first.id == again.id
    yield first.save(home / "out"), first


def test_parts_of_time_are_approved_by_a_second_person_and_published(table: pd.DataFrame, tmp_path: Path) -> None:
    counts, parts = read_parts(table, box=BOX, side=32, time="when", by="weekday", zone="Europe/Rome")
    ledger = Ledger(tmp_path / "ledger.db")
    dataset = dpviz.register("rides", counts, total=dpviz.Budget(epsilon=2.0), ledger=ledger)
    second.require_second_person("rides", ledger=ledger, who="anna", why="rule of the house")
    request = ReleaseRequest(k=2, budget=dpviz.Budget(epsilon=1.0), parts=parts)
    asked = second.ask_for_approval(
        ledger, dataset="rides", key=dataset.key_of(request), request=request, who="piet", why="mornings"
    )
    assert asked.request == request
    second.approve(ledger, asked.id, who="anna")
    made = dpviz.publish(dataset, asked.request, who="piet")
    assert isinstance(made, dpviz.Release) and made.by_time.parts == parts


def test_the_layout_stands_in_the_folder_and_is_read_back(published: tuple[Path, dpviz.Release]) -> None:
    folder, first = published
    said = json.loads((folder / "release.json").read_text())["request"]["parts"]
    assert said == {"by": "weekday", "zone": "Europe/Rome", "box": list(BOX.as_tuple()), "side": 32}
    back = dpviz.Release.load(folder)
    assert back.request == first.request and back.by_time.parts.names[0] == "Monday"
    centers = pd.read_csv(folder / "centers-by-time.csv")
    assert list(centers.columns) == ["part", "center", "lon", "lat", "weight"] and len(centers) == 7 * 3
    assert centers["lon"].between(11.2, 11.3).all()
    page = (folder / "map.html").read_text()
    assert "Europe/Rome" in page and page.count('data-part="6"') == 2
    assert picture(first)[:400].count(b"<svg") == 1, "a poster shows all parts together"
    assert "7 weekdays are one release" in (folder / "PRIVACY.md").read_text()


def test_parts_are_releases_of_the_box_and_are_never_stored(published: tuple[Path, dpviz.Release]) -> None:
    whole = published[1].by_time
    weekend, monday = whole.at("Saturday", "Sunday", called="the weekend"), whole.at(0)
    assert weekend.when == "the weekend" and weekend.frame == BOX.frame and monday.when == "Monday"
    together = sum(whole.at(day, k=1).total().estimate for day in ("saturday", 6))
    assert weekend.total().estimate == pytest.approx(together)
    assert weekend.centers["lon"].mean() > monday.centers["lon"].mean()
    with pytest.raises(InputError, match="no weekday 'noon'"):
        whole.at("noon")
    fresh = dpviz.release(
        dpviz.ExactCounts.from_array(whole.parts.sheet, np.full((128, 128), 40)),
        2,
        dpviz.Budget(epsilon=1.0),
        seed=1,
        parts=whole.parts,
    )
    assert isinstance(fresh, dpviz.Release)
    with pytest.raises(UnledgeredRelease, match="part of a release"):
        fresh.by_time.at(0).files()


def test_another_sheet_another_method_or_no_layout_is_refused(table: pd.DataFrame) -> None:
    counts, parts = read_parts(table, box=BOX, side=32, time="when", by="weekday", zone="Europe/Rome")
    budget = dpviz.Budget(epsilon=1.0)
    other = Parts(box=BOX, side=16, divisions=(Division(by="weekday", zone="Europe/Rome"),))
    with pytest.raises(InputError, match="do not lie on the sheet"):
        dpviz.release(counts, 3, budget, seed=1, parts=other)
    with pytest.raises(InputError, match="leave the method out"):
        dpviz.release(counts, 3, budget, "peeled_balls", seed=1, parts=parts)
    plain = dpviz.release(counts, 3, budget, seed=1)
    with pytest.raises(NotOffered, match="not divided into parts"):
        _ = plain.by_time


def test_p1_days_and_weeks_of_a_stated_period_and_no_others() -> None:
    days = Division(by="day", zone="Europe/Rome", first="2026-02-27", last="2026-03-02")
    assert days.names == ("Fri 2026-02-27", "Sat 2026-02-28", "Sun 2026-03-01", "Mon 2026-03-02")
    times = pd.Series(["2026-02-26 23:59", "2026-02-27", "2026-02-28T23:30:00Z", "2026-03-02 08:00", "2026-03-03", "x"])
    assert part_of(pandas_column(times), days).tolist() == [-1, 0, 2, 3, -1, -1]
    weeks = Division(by="week", first="2026-02-27", last="2026-03-02")
    assert weeks.names == ("week of 2026-02-23", "week of 2026-03-02")
    assert part_of(pandas_column(times), weeks).tolist() == [-1, 0, 0, 1, -1, -1]
    for wrong in ({}, {"first": "2026-03-02", "last": "2026-02-01"}, {"first": "2020-01-01", "last": "2026-01-01"}):
        with pytest.raises(InputError):
            Parts(box=BOX, side=4, divisions=(Division(by="day", **wrong),))
    with pytest.raises(InputError, match="for day and week alone"):
        Division(by="hour", first="2026-01-01", last="2026-01-02")
