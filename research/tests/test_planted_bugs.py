"""Privacy bugs planted into the real code, one at a time: every one is found, and honest code passes every check."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dpviz.mechanisms import catalogue
from dpviz.mechanisms.adaptive_tree.budget import units_touched
from dpviz.mechanisms.interface import Public
from dpviz.privacy import noise_scale
from dpviz_research.planting.battery import BUGS, CHECKS, found
from dpviz_research.planting.patches import Bug, NoLongerThere, planted, source_of
from tests.privacy.transcripts import counts

SHARED_CODE = {"sample_aggregate_3k": "sample_aggregate"}  # two names of one class, told apart by the size of blocks
ROOMS = {"noise", "composition", "person cap", "regions", "stand-in", "amplification", "by_size", "parts", "trips"}
ROOMS |= {"joint"}


@pytest.mark.parametrize("name", CHECKS)
def test_honest_code_passes(name: str) -> None:
    CHECKS[name]()


@pytest.mark.parametrize("bug", BUGS, ids=[f"{bug.room}: {bug.name}" for bug in BUGS])
def test_a_planted_bug_is_found(bug: Bug) -> None:
    assert found(bug).said is not None, f"{bug.check} passes although {bug.where} has the bug: {bug.name}"


def test_every_method_and_every_room_has_at_least_four_bugs() -> None:
    planted_in = Counter(bug.room for bug in BUGS)
    methods = {SHARED_CODE.get(method.info.name, method.info.name) for method in catalogue.METHODS}
    assert len(BUGS) >= 60
    assert {room: planted_in[room] for room in methods | ROOMS if planted_in[room] < 4} == {}


def test_a_bug_is_in_the_code_inside_the_block_only() -> None:
    bug = next(bug for bug in BUGS if bug.where == "privacy.composition:noise_scale")
    honest, source = noise_scale(1.0, 3.0), source_of(bug.where)
    with planted(bug):
        assert noise_scale(1.0, 3.0) < honest  # also under a name that was imported before
    assert noise_scale(1.0, 3.0) == honest and source_of(bug.where) == source


def test_a_bug_of_two_pieces_is_put_in_and_taken_out_whole() -> None:
    first = next(bug for bug in BUGS if bug.where == "privacy.composition:noise_scale")
    second = next(bug for bug in BUGS if bug.where == "mechanisms.adaptive_tree.budget:units_touched")
    public = Public.of(counts(np.zeros((4, 4), np.int64), "replace", rows=3))
    honest = noise_scale(1.0, 3.0), units_touched(public)
    with planted(replace(first, also=(second,))):
        assert noise_scale(1.0, 3.0) < honest[0] and units_touched(public) < honest[1]
    assert (noise_scale(1.0, 3.0), units_touched(public)) == honest


def test_two_pieces_in_one_function_are_an_error_because_one_would_be_lost() -> None:
    with pytest.raises(NoLongerThere, match="twice"), planted(replace(BUGS[0], also=(BUGS[0],))):
        pass


@pytest.mark.parametrize(
    ("old", "where"),
    [
        ("a piece that is not there", "privacy.composition:noise_scale"),
        ("e", "privacy.composition:noise_scale"),
        ("return", "privacy.composition:a_function_that_is_gone"),
        ("return", "privacy:LEVELS"),
    ],
)
def test_a_bug_that_no_longer_applies_is_an_error_and_not_a_pass(old: str, where: str) -> None:
    with pytest.raises(NoLongerThere), planted(replace(BUGS[0], old=old, where=where)):
        pass


def test_a_bug_that_changes_nothing_is_an_error() -> None:
    with pytest.raises(NoLongerThere), planted(replace(BUGS[0], new=BUGS[0].old)):
        pass


def test_a_check_that_sees_nothing_would_be_noticed() -> None:
    harmless = Bug(
        name="a comment",
        room="noise",
        where="privacy.composition:noise_scale",
        old="return math.nextafter(sensitivity / epsilon, math.inf)",
        new="return math.nextafter(math.nextafter(sensitivity / epsilon, math.inf), math.inf)",
        check="composition against formulas written anew",
    )
    assert found(harmless).said is None
