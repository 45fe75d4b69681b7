"""What releases are called, which two stand side by side, and what one's centers cost the other."""

from __future__ import annotations

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.life.feed import find_releases
from dpviz.releases import load
from dpviz.releases.release import Release, own_id
from dpviz.ui.compare import logic, pair_tables, release_list
from dpviz.ui.compare.page_choice import MOST_OPENED, Opened
from tests.ui.test_compare_page import analyst, checked, told

pytestmark = pytest.mark.filterwarnings("default")  # Streamlit's own warnings are its own affair


def a_release(
    *, dataset: str | None = "january", epsilon: float = 1.0, k: int = 2, seed: int = 1, east: float = 0.1
) -> Release:
    cells = np.zeros((32, 32), np.int64)
    cells[4:8, 4:8], cells[20:24, 22:26] = 400, 250
    counts = ExactCounts.from_array(Grid(GeoBox(0.0, 0.0, east, 0.1), 32), cells)
    made = dpviz.release(counts, k=k, budget=dpviz.Budget(epsilon=epsilon), method="uniform_grid", seed=seed)
    assert isinstance(made, Release)
    told = repr((dataset, epsilon, k, seed, east)).encode()
    return replace(made, dataset=dataset, id=hashlib.sha256(told).hexdigest()[:32])


def test_a_release_is_named_by_its_data_and_level_and_never_by_its_id() -> None:
    found = [a_release(), a_release(epsilon=0.1), a_release(dataset="february")]
    names = release_list.name_releases(found)
    assert list(names.values()) == ["january · Detailed", "january · Strict", "february · Detailed"]
    assert not any(release.id[:6] in names[release.id] + logic.title(release) for release in found)


def test_what_two_names_share_is_told_apart_by_number_of_centers_then_by_order() -> None:
    found = [a_release(seed=3), a_release(seed=2), a_release(k=5)]
    names = list(release_list.name_releases(found).values())
    assert names[2] == "january · Detailed · 5 centers"
    assert names[0].endswith("Uniform grid · no. 2") and names[1].endswith("no. 1"), "the oldest is the first"
    assert len(set(names)) == 3


def test_b_is_never_a_and_is_of_the_same_data_as_long_as_nobody_asks_for_others() -> None:
    first, second, other = a_release(), a_release(epsilon=0.1), a_release(dataset="february", seed=4)
    listed = [other, first, second]
    assert release_list.find_partner(listed, first) is second and release_list.find_partner(listed, second) is first
    assert release_list.find_partner(listed, other) is None, "nothing else is of these data"
    assert release_list.find_partner(listed, first, wanted=first.id) is second
    assert release_list.find_partner(listed, first, wanted=other.id) is other
    third = a_release(epsilon=0.5, seed=7)
    assert release_list.find_partner([third, *listed], first, fallen={third.id}) is second, (
        "what was withdrawn comes last"
    )
    assert (
        release_list.find_newest(listed, {other.id}) is first and release_list.find_newest([other], {other.id}) is other
    )
    assert release_list.list_others(listed, first) == [second, other]
    assert not release_list.are_of_same_data(first, a_release(east=0.2)), "another box is other data"


def test_every_new_visitor_finds_the_older_of_two_releases_as_a() -> None:
    newer, older, other = a_release(), a_release(epsilon=0.1), a_release(dataset="february", seed=4)
    assert release_list.choose_first_pair([newer, older, other]) == (older, newer)
    assert release_list.choose_first_pair([other, newer, older]) == (other, None)
    assert release_list.choose_first_pair([newer, older], {older.id}) == (newer, older), "what was withdrawn is never A"
    assert release_list.choose_first_pair([newer, older], {newer.id}) == (older, newer)
    assert release_list.choose_first_pair([newer, older], {newer.id, older.id}) == (older, newer)


def test_a_folder_that_was_touched_later_and_another_order_on_the_disk_move_no_release(tmp_path: Path) -> None:
    for at, release in enumerate((a_release(), a_release(epsilon=0.1), a_release(epsilon=0.5))):
        replace(release, id=own_id(release)).save(tmp_path / f"r-{at}")
        os.utime(tmp_path / f"r-{at}" / "release.json", (1_700_000_000 + max(at, 1),) * 2)
    before = [release.id for release in find_releases([tmp_path]).releases]
    os.utime(tmp_path / "r-0", (1_800_000_000,) * 2)
    assert [release.id for release in find_releases([tmp_path]).releases] == before
    assert before == [load(tmp_path / f"r-{at}").id for at in (2, 0, 1)]


def test_a_s_centers_serve_b_worse_than_b_s_own_and_better_with_more_of_them() -> None:
    a, b = a_release(epsilon=0.05, seed=8), a_release(seed=9)
    found = logic.extra_cost(b, a.centers, b.centers, "k-means")
    assert found is not None and found >= 0.0
    assert logic.extra_cost(b, b.centers, b.centers, "k-means") == 0.0
    more = logic.extra_cost(b, b.centers_for(9), b.centers, "k-means")
    assert more is not None and more < 0.0
    assert pair_tables.worse(more).endswith("better") and pair_tables.worse(0.0) == "as good"


def test_without_points_there_is_no_cost() -> None:
    a, b = a_release(), a_release(seed=2)
    bare = replace(b, raw_coreset=None, coreset_weights=None, coreset_variances=None, protected_cells=None)
    assert logic.extra_cost(bare, a.centers, bare.centers, "k-means") is None
    assert logic.extra_cost(a, bare.centers, a.centers, "k-means") is not None


def test_the_page_opens_with_two_releases_of_one_data_set_and_follows_another_choice_of_a(
    project_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {
        "january": (a_release(), a_release(epsilon=0.1)),
        "february": (a_release(dataset="february", seed=5), a_release(dataset="february", epsilon=0.1, seed=6)),
    }
    for name, releases in kept.items():
        for at, release in enumerate(releases):
            replace(release, id=own_id(release)).save(tmp_path / f"{name}-{at}")
    app = analyst(project_root, tmp_path, monkeypatch)

    def chosen() -> tuple[str, str]:
        return tuple(str(box.value) for box in app.selectbox[:2])  # type: ignore[return-value]

    def data_of(release: str) -> str:
        return next(name for name, found in kept.items() if release in [own_id(one) for one in found])

    a, b = chosen()
    assert a != b and data_of(a) == data_of(b)
    for name in kept:
        app.selectbox[0].set_value(own_id(kept[name][0])).run()
        checked(app)
        a, b = chosen()
        assert (a, b) == (
            own_id(kept[name][0]),
            own_id(kept[name][1]),
        ) and "A and B are about different data." not in told(app)
    app.button(key="swap").click().run()
    assert chosen() == (b, a)
    app.selectbox[1].set_value(own_id(kept["january"][0])).run()
    assert "A and B are about different data." in told(checked(app))


def noise_alone(a: Release, first: pd.DataFrame, b: Release, second: pd.DataFrame) -> tuple[float, float] | None:
    return logic.expect_from_noise(a, first, b, second, logic.measure_moves(a, first), logic.measure_moves(b, second))


def test_the_same_records_are_within_noise_and_others_are_not() -> None:
    a, b = a_release(seed=21), a_release(epsilon=0.5, seed=22)
    alone = noise_alone(a, a.centers, b, b.centers)
    assert alone is not None and 0.0 < alone[0] <= alone[1]
    match = logic.match_pairs(a, a.centers, b, b.centers)
    assert match.average_m is not None and match.average_m <= alone[1]
    moved = b.centers.assign(lon=b.centers["lon"] + 0.02)
    far = logic.match_pairs(a, a.centers, b, moved).average_m
    assert far is not None and far > alone[1]
    assert noise_alone(a, a.centers, b, b.centers) == alone, "asked again, the same"


def test_a_release_without_counted_cells_tells_nothing_of_its_noise() -> None:
    a, b = a_release(), replace(a_release(seed=2), protected_cells=None)
    assert noise_alone(a, a.centers, b, b.centers) is None


def test_one_page_keeps_so_many_opened_releases_and_lets_the_oldest_go() -> None:
    opened = Opened()
    releases = [a_release(seed=seed) for seed in range(3)]
    for at in range(MOST_OPENED + 3):
        opened.add(releases[at % 3])
    assert len(opened.outcomes) == MOST_OPENED and opened.outcomes[-1] is releases[(MOST_OPENED + 2) % 3]
