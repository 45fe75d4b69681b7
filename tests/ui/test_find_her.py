"""Find Her: she is found where the story says so, the limits are right, the draws can be made again."""

from __future__ import annotations

import gc
import itertools
import json
import math
import re
import threading
import time
import urllib.error
import urllib.request
import weakref
from http.cookiejar import CookieJar
from ipaddress import ip_address, ip_network

import numpy as np
import pytest

from dpviz.errors import InputError
from dpviz.language import languages
from dpviz.noise import replayable_source
from dpviz.privacy import LEVELS
from dpviz.ui.demo import ballot_box, offline, square_code, story, voting
from dpviz.ui.demo import words as say
from dpviz.ui.demo.page_theatre import obey
from dpviz.ui.demo.voting import Ballots
from dpviz_research.find_her import finding, limits, playing, record, week

FOUND = story.played()["found"]


def test_what_is_recorded_of_her_is_found_again() -> None:
    assert record._her() == story.played()["her"] and record._found() == FOUND
    assert np.abs(finding.with_hers(story.ends()[: -len(week.WEEK)]) - story.ends()).max() < 1e-7


def test_two_facts_find_her_and_nobody_else_in_the_map_without_names() -> None:
    names, trips = FOUND["names"], len(story.ends())
    assert names["codes_fit_home"] > names["codes_fit_both"] == 1
    assert names["fit_both"] == list(range(trips - len(week.WEEK), trips))


def test_rounding_leaves_her_and_one_who_went_there_only_once() -> None:
    assert FOUND["rounded"]["codes_fit_both"] == 2 and FOUND["other_mornings"] == 1
    assert sum(trip.start == week.HOME and trip.end == week.WORK for trip in week.WEEK) >= finding.AT_LEAST


def test_all_trips_on_the_lines_at_her_square_are_her_own() -> None:
    """The words say so; five others would make them untrue."""
    start, end = finding.squares(week.ends(), story.city_box())
    for origin, target, trips, _ in story.her_lines():
        assert trips == int(((start == origin) & (end == target)).sum()) == finding.AT_LEAST


def test_without_her_no_line_touches_her_square() -> None:
    """The planted case: the map knows of her square only through her."""
    lines = finding.connections(story.ends()[: -len(week.WEEK)], story.city_box())
    assert len(lines) and not finding.lines_at_home(lines, story.city_box()).any()


@pytest.mark.parametrize("moved", [[(1, 2.0)], [(3, 2.0), (2, 5.0)], [(2, 1.0), (1, 1.0), (4, 9.0)]])
def test_the_best_score_is_that_of_the_two_distributions_term_by_term(moved: list[tuple[int, float]]) -> None:
    def law(scale: float, at: int) -> float:
        ratio = math.exp(-1 / scale)
        return (1 - ratio) / (1 + ratio) * ratio ** abs(at)

    wide = [range(-math.ceil(14 * scale), math.ceil(14 * scale) + shift) for shift, scale in moved]
    if len(moved) == 3:
        wide[2] = range(-80, 80)
    apart = 0.0
    for point in itertools.product(*wide):
        without = math.prod(law(scale, at) for (_, scale), at in zip(moved, point, strict=True))
        with_her = math.prod(law(scale, at - shift) for (shift, scale), at in zip(moved, point, strict=True))
        apart += abs(with_her - without) / 2
    assert limits.best_score(moved) == pytest.approx(0.5 + apart / 2, abs=3e-4)


@pytest.mark.parametrize("level", LEVELS, ids=lambda level: level.name)
def test_a_thousand_players_end_at_the_reachable_limit_and_below_the_promise(level: object) -> None:
    epsilon = level.epsilon  # type: ignore[attr-defined]
    right = playing.players(epsilon, limits.PER_PERSON, 1000, 20, seed=7) / 20
    reachable = limits.reachable(epsilon, limits.PER_PERSON)
    assert abs(right.mean() - reachable) < 6 * 0.5 / math.sqrt(20_000)
    stop = story.played()["stops"][level.number - 1]  # type: ignore[attr-defined]
    assert 50 < stop["reachable"] < stop["promised"] and stop["reachable"] == round(100 * reachable, 2)
    assert abs(stop["right"].count("1") / len(stop["right"]) - reachable) < 6 * 0.5 / math.sqrt(len(stop["right"]))


def test_a_twentieth_of_the_noise_would_break_the_promise() -> None:
    """The planted bug: noise for one trip where the promise is for a person with twenty."""
    promised = story.played()["stops"][story.DEFAULT]["promised"]
    assert 100 * limits.reachable(0.5, limits.PER_TRIP) > promised + 30


@pytest.mark.parametrize("number", [1, 4])
def test_the_recorded_rounds_can_be_drawn_again(number: int) -> None:
    level, stop = LEVELS[number - 1], story.played()["stops"][number - 1]
    both = playing.worlds(playing.city(), limits.PER_PERSON)
    again = playing.rounds(
        both, level.epsilon, len(stop["right"]), replayable_source(record.SEED + level.number + 1000)
    )
    for one, kept in zip(itertools.islice(again, 2), stop["rounds"], strict=False):
        assert [int(value) for value in one.published.seen[1:]] == list(kept["seen"].values())
        assert (one.inside, one.said) == (kept["inside"], kept["said"])


@pytest.mark.parametrize("language", languages())
def test_every_number_in_the_words_is_filled_in(language: str) -> None:
    spoken = json.dumps(story.document()["words"][language]["scenes"], ensure_ascii=False)
    assert set(re.findall(r"\{(\w+)\}", spoken)) <= {"reachable", "promised", "shift", "level"}, "the stage fills these"


def test_the_file_asks_for_nothing_and_holds_every_scene() -> None:
    page = offline.page()
    assert not re.findall(r"(?:src|href)=|https?://(?!www\.w3\.org)", page)
    assert "import " not in offline.script() and all(scene.name in page for scene in say.SCENES)


def test_names_are_given_once_in_the_joined_script() -> None:
    names = re.findall(r"^(?:const|let|function|class) (\w+)", offline.script(), re.MULTILINE)
    assert len(names) == len(set(names))


def test_a_square_code_can_be_read_back() -> None:
    text = "http://192.168.100.200:41233/7351"
    rows = square_code.square_code(text)
    _, taken = square_code._frame()
    bits = "".join(str(int(rows[row][column]) ^ ((row + column) % 2 == 0)) for row, column in square_code._path(taken))
    words = [int(bits[at : at + 8], 2) for at in range(0, 560, 8)]
    length = (words[0] & 15) << 4 | words[1] >> 4
    held = bytes((words[at + 1] & 15) << 4 | words[at + 2] >> 4 for at in range(length))
    assert (words[0] >> 4, held.decode()) == (4, text)
    with pytest.raises(InputError, match="holds 53"):
        square_code.square_code("x" * 54)


def test_phones_vote_once_each_while_the_page_is_open() -> None:
    ballots = Ballots("127.0.0.1")
    ballots.open(3)
    try:
        told = ballots.told()
        assert told is not None
        address = told["address"]
        phones = [urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())) for _ in range(3)]
        for side, phone in enumerate(phones):
            assert b"She is in it" in phone.open(address).read()
            for said in (0, side % 2):  # the last one counts
                phone.open(f"{address}/vote", data=f"round=3&in={said}".encode())
        assert _until(ballots, [2, 1])
        for path, body in ((address + "/vote", b"round=2&in=1"), (address + "/vote", b"x" * 65), (address + "s", None)):
            with pytest.raises(urllib.error.HTTPError):
                phones[0].open(path, data=body)
        with pytest.raises(urllib.error.HTTPError, match="409"):  # a telephone that never saw the page
            urllib.request.urlopen(f"{address}/vote", data=b"round=3&in=1")
        asked = urllib.request.Request(address, headers={"Host": "elsewhere.example"})
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(asked)
        ballots.open(4)
        assert _until(ballots, [0, 0])
    finally:
        ballots.close()
    assert ballots.told() is None
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=2)


def test_votes_outlive_a_reload_of_the_presenters_page_and_end_when_nobody_looks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, after, stranger = (Ballots("127.0.0.1") for _ in range(3))
    before.open(5)
    try:
        told = before.told()
        assert told is not None
        address, key = told["address"], told["key"]
        phone = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        phone.open(address).read()
        phone.open(f"{address}/vote", data=b"round=5&in=1")
        assert _until(before, [0, 1])
        obey({"key": "another", "round": 5}, stranger)
        assert stranger.told() is None
        del before  # as Streamlit drops the session of the page that was left
        gc.collect()
        obey({"key": key, "round": 5}, after)
        assert _until(after, [0, 1])
        phone.open(f"{address}/vote", data=b"round=5&in=0")
        assert _until(after, [1, 0])
        room = voting._rooms[key]
        monkeypatch.setattr(voting, "UNSEEN", 0.2)
        threading.Thread(target=voting._watch, args=(weakref.ref(room), room.process), daemon=True).start()
        room.process.wait(timeout=10)
        assert after.told() is None and key not in voting._rooms
    finally:
        after.close()


def test_the_own_address_is_asked_of_the_link_alone() -> None:
    """The block 224.0.0.0/24 is never passed on by a router, whatever somebody's network looks like."""
    assert ip_address(ballot_box._THIS_NETWORK[0]) in ip_network("224.0.0.0/24")


def _until(ballots: Ballots, votes: list[int]) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        told = ballots.told()
        if told is not None and told["votes"] == votes:
            return True
    return False
