"""What is worked out ahead: numbers of centers near the one that was asked, never before somebody who waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

import dpviz
from dpviz.domain import ExactCounts, GeoBox, Grid
from dpviz.language import speaking
from dpviz.releases.release import Release
from dpviz.ui.compare import logic, page, precomputed
from dpviz.ui.session import shared_results


def made(seed: int) -> Release:
    cells = np.zeros((16, 16), np.int64)
    cells[4:8, 4:8], cells[10:12, 2:6] = 400, 300
    counts = ExactCounts.from_array(Grid(GeoBox(-74.05, 40.70, -73.90, 40.80), 16), cells)
    found = dpviz.release(counts, k=2, budget=dpviz.Budget(epsilon=1.0), method="adaptive_tree", seed=seed)
    assert isinstance(found, Release)
    return found


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if a thread worked; the tests work themselves."""
    monkeypatch.setattr(precomputed, "_begun", [threading.current_thread()])
    precomputed._wishes.clear()
    yield
    precomputed._wishes.clear()


def test_the_nearest_numbers_come_first_and_none_that_no_page_offers() -> None:
    assert precomputed.list_near(5)[:4] == [6, 4, 7, 3]
    assert min(precomputed.list_near(2)) == 1 and max(precomputed.list_near(256)) == 255


@pytest.mark.usefixtures("begun")
def test_who_asks_for_a_near_number_finds_it_made(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = made(1), made(2)
    page._look_ahead(a, b, (5, "k-means"))
    precomputed._newest_ahead()
    monkeypatch.setattr(logic, "measure_moves", lambda *given: pytest.fail("worked out again"))
    monkeypatch.setattr(logic, "expect_from_noise", lambda *given: pytest.fail("worked out again"))
    for k in (6, 4, 11):
        page._pair_ready(a, b, k, "k-means")


@pytest.mark.usefixtures("begun")
def test_a_pair_that_is_looked_at_now_goes_before_the_rest_of_an_older_one() -> None:
    a, b = made(1), made(2)
    asked: list[tuple[int, str, str]] = []

    def make(first: Release, second: Release, k: int, objective: str) -> None:
        asked.append((k, objective, speaking.language()))
        if len(asked) == 2:
            with speaking.spoken_in("de"):
                precomputed.queue_pair(b, a, 9, "k-median", make)

    precomputed.queue_pair(a, b, 5, "k-means", make)
    precomputed._newest_ahead()
    precomputed._newest_ahead()
    assert asked[:4] == [(6, "k-means", "en"), (4, "k-means", "en"), (10, "k-median", "de"), (8, "k-median", "de")]
    precomputed._newest_ahead()
    assert asked.count((7, "k-means", "en")) == 1 and not precomputed._wishes
    assert sum(spoken == "de" for _, _, spoken in asked) == len(precomputed.list_near(9))


@pytest.mark.usefixtures("begun")
def test_a_release_that_is_gone_or_very_large_is_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = made(1), made(2)
    precomputed.queue_pair(a, b, 5, "k-means", lambda *given: pytest.fail("nobody can look at it any more"))
    del b
    precomputed._newest_ahead()
    monkeypatch.setattr(precomputed, "MOST_CELLS", 3)
    precomputed.queue_pair(a, made(3), 5, "k-means", lambda *given: None)
    assert not precomputed._wishes


def test_what_is_made_ahead_waits_while_a_page_makes_a_piece_of_its_own() -> None:
    a, b = made(1), made(2)
    page_is_at_it, page_may_end, order = threading.Event(), threading.Event(), []

    def of_the_page() -> str:
        page_is_at_it.set()
        assert page_may_end.wait(20)
        order.append("page")
        return "made"

    def worker() -> None:
        shared_results.stand_back()
        shared_results.get_or_make("ahead", [b], 1, lambda: order.append("ahead") or "")  # type: ignore[func-returns-value]

    visitor = threading.Thread(target=lambda: shared_results.get_or_make("kind", [a], 1, of_the_page))
    visitor.start()
    assert page_is_at_it.wait(20)
    behind = threading.Thread(target=worker)
    behind.start()
    behind.join(0.2)
    assert behind.is_alive() and not order
    page_may_end.set()
    for one in (visitor, behind):
        one.join(20)
    assert order == ["page", "ahead"]


def test_a_program_that_did_not_begin_works_nothing_out() -> None:
    precomputed.queue_pair(made(1), made(2), 5, "k-means", lambda *given: pytest.fail("nobody asked"))
    assert not precomputed._wishes
