"""A joint release through every holder's own door: charged before the first share, the same folder everywhere."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dpviz
import dpviz.joint
from dpviz.domain import ExactCounts, Unit
from dpviz.errors import CHARGED, InputError, JointError, LedgerRefusal, StoreError
from dpviz.joint.circle import Circle
from dpviz.joint.run import checked_counts, run_registered
from dpviz.labels.privacy_label import privacy_label
from dpviz.life.feed import verify_release
from dpviz.life.publications import correct, publications, withdraw
from dpviz.privacy import Budget
from dpviz.publishing import approvals as second, joint_door
from dpviz.publishing.approvals import ask_approval
from dpviz.publishing.joint_door import permit_of_run
from dpviz.releases import signing
from dpviz.releases.release import UNVERIFIED, Release
from dpviz.releases.signing import MANIFEST, SIGNATURE
from tests.unit.joint.holders import Holders, at, who_is_here


def published(holders: Holders, **more: Any) -> list[Any]:
    def act(name: str, place: int) -> Release:
        found = dpviz.joint.run(
            holders.plan, holder=name, data=holders.counts(place), ledger=holders.ledger(name), wait=20.0, **more
        )
        assert isinstance(found, Release)
        return found

    return holders.each(act)


def charges(holders: Holders) -> list[int]:
    return [len(holders.ledger(one.name).charges()) for one in holders.plan.holders]


def folders(holders: Holders, name: str) -> list[Path]:
    return sorted(holders.ledger(name).store.glob("*"))


def test_all_holders_get_the_same_release_and_each_is_charged_all_of_it(three: Holders, tmp_path: Path) -> None:
    found = published(three)
    assert len({json.dumps({n: hashlib.sha256(c).hexdigest() for n, c in one.files().items()}) for one in found}) == 1
    assert len({(one.id, one.about["published"]) for one in found}) == 1
    for place, name in enumerate("abc"):
        book = three.ledger(name)
        (charge,) = book.charges()
        assert (charge.dataset, float(charge.amount.epsilon), charge.stored) == (name, 1.0, True)
        assert book.remaining(name).as_numbers()["epsilon"] == 0.0
        assert found[place].request == charge.request
    assert abs(found[0].noisy_total - 2400) < 1000
    saved = found[1].save(tmp_path / "out")
    for name in "abc":
        with at(name):
            again = verify_release(saved)
            assert again.trusted and len(again.holders) == 3
            assert [line.split(":")[0] for line in again.holders] == ["a", "b", "c"]
            assert again.holders["abc".index(name)].startswith(f"{name}: signed by you")
    with at("stranger"):
        assert verify_release(saved).status == UNVERIFIED
        known = found[0].request.joint.holders[2][1]
        assert verify_release(saved, key=known, remember="fleet c").trusted
        assert "c: signed by fleet c" in verify_release(saved).holders[2]
        assert Release.load(saved).status == "published"


def test_the_label_says_who_held_what_and_who_would_have_to_pool(three: Holders) -> None:
    found = published(three)[0]
    label = privacy_label(found)
    (paragraph,) = [part for part in label.split("\n\n") if part.startswith("The records were held by a, b, c")]
    assert "at least 2 of them would have to pool" in paragraph and "counts as two" in paragraph
    assert "You have to trust" not in label
    assert "held by a, b, c" in found.files()["map.html"].decode()
    assert "at least 2 of them" in found.files()["PRIVACY.md"].decode()
    assert "ledger of each holder" in label and "Asking again" not in label


def test_a_folder_that_not_all_have_signed_is_refused(three: Holders, tmp_path: Path) -> None:
    saved = published(three)[0].save(tmp_path / "out")
    signed = json.loads((saved / SIGNATURE).read_text())
    for changed in (signed["signatures"][:2], [], [*signed["signatures"][:2], signed["signatures"][0]]):
        (saved / SIGNATURE).write_text(json.dumps({"signatures": changed}))
        with pytest.raises(StoreError):
            verify_release(saved)
    with at("stranger"):
        mine = signing.sign_manifest((saved / MANIFEST).read_bytes())
    for whole in (mine, json.dumps({"signatures": [*signed["signatures"][:2], json.loads(mine)]}).encode()):
        (saved / SIGNATURE).write_bytes(whole)
        with pytest.raises(StoreError, match="not exactly the holders"):
            verify_release(saved)


def test_a_second_run_of_the_plan_draws_and_charges_anew(three: Holders) -> None:
    first = published(three, total=Budget(epsilon=2.0))[0]
    second_one = published(three)[0]
    assert first.id != second_one.id and first.noisy_total != second_one.noisy_total
    assert charges(three) == [2, 2, 2]
    assert all(isinstance(one, LedgerRefusal) or "Nothing was charged" in str(one) for one in published(three))
    assert charges(three) == [2, 2, 2]


def test_a_ledger_that_cannot_pay_ends_the_run_before_anybody_is_charged(three: Holders) -> None:
    def act(name: str, place: int) -> Any:
        total = Budget(epsilon=0.5 if name == "b" else 1.0)
        book = three.ledger(name)
        opened = dpviz.register(name, three.counts(place), total=total, ledger=book)
        return run_registered(Circle(three.plan, name, wait=20.0), opened)

    found = three.each(act)
    assert isinstance(found[1], LedgerRefusal)
    assert all("b ended the run" in str(found[at]) and "Nothing was charged" in str(found[at]) for at in (0, 2))
    assert charges(three) == [0, 0, 0]


def test_two_holders_cannot_share_a_ledger(three: Holders) -> None:
    def act(name: str, place: int) -> Any:
        book = three.ledger("a" if name == "b" else name)
        return dpviz.joint.run(three.plan, holder=name, data=three.counts(place), ledger=book, wait=20.0)

    found = three.each(act)
    assert any("has one of its own" in str(one) or "in use" in str(one) for one in found[:2])
    assert all(isinstance(one, Exception) for one in found)


def test_the_variance_that_is_stated_is_that_of_all_shares(three: Holders) -> None:
    found = published(three)[0]
    whole = three.counts(0) + three.counts(1) + three.counts(2)
    central = dpviz.release(whole, 3, Budget(epsilon=1.0), method="adaptive_tree")

    def total(release: Release) -> float:
        return float(release.measurements["variance"].iloc[0])

    assert total(found) == pytest.approx(1.5 * total(central))
    assert isinstance(found.coreset_variances, np.ndarray)


def test_the_other_ways_know_a_joint_release(three: Holders) -> None:
    found = published(three)[0]
    with at("a"):
        book = three.ledger("a")
        opened = dpviz.open_dataset("a", three.counts(0), ledger=book)
        with pytest.raises(InputError, match="dpviz joint run"):
            dpviz.publish(opened, found.request)
        plain = replace(found.request, joint=None)
        with pytest.raises(LedgerRefusal):
            dpviz.publish(opened, plain)  # the joint release is no answer to it, and the budget is spent
        (listed,) = publications(book)
        assert (listed.state, listed.holders) == ("published", ("a", "b", "c"))
        with pytest.raises(InputError, match="signed by all"):
            correct(found.id, dpviz.About(title="Mine"), ledger=book, why="words")
        withdraw(found.id, ledger=book, why="an error")
        assert publications(book)[0].state == "withdrawn"
        told = verify_release(book.folder_of(found.id))
        assert "withdrawn" in told.state


def test_a_second_person_approves_one_run(three: Holders) -> None:
    with at("a"):
        book = three.ledger("a")
        opened = dpviz.register("a", three.counts(0), total=Budget(epsilon=9.0), ledger=book)
        second.require_second_person("a", ledger=book, who="root")
        request = three.plan.request_of_run("0")
        with pytest.raises(LedgerRefusal, match="dpviz joint run … --ask"):
            run_registered(Circle(three.plan, "a", wait=1.0), opened, who="piet")
        asked = ask_approval("piet", permit_of_run(opened, request), "plan")
        second.approve(book, asked.id, who="ada")
    found = published(three, who="piet")
    assert all(isinstance(one, Release) for one in found)
    with at("a"), pytest.raises(LedgerRefusal, match="second person"):
        run_registered(Circle(three.plan, "a", wait=1.0), opened, who="piet")
    assert charges(three) == [1, 1, 1]


def test_records_on_another_grid_are_refused(three: Holders) -> None:
    with pytest.raises(InputError, match="grid of the plan"):
        dpviz.joint.run(three.plan, holder="a", data=dpviz.builtin("nyc-taxi"))


@pytest.mark.parametrize(
    "more",
    [
        {"unit": Unit(person_column="rider", cap=2)},
        {"unit": Unit(weight_column="n", weight_bound=3)},
        {"relation": "replace"},
    ],
    ids=("persons", "weights", "replace"),
)
def test_what_protects_more_than_a_record_is_refused_before_anybody_is_called(three: Holders, more: Any) -> None:
    data = ExactCounts.from_array(three.counts(0).grid, three.counts(0).to_numpy(), **more)
    with pytest.raises(InputError, match="not counts of single records"):
        dpviz.joint.run(three.plan, holder="a", data=data, ledger=three.ledger("a"))
    assert three.ledger("a").datasets() == []


@pytest.mark.parametrize("cells", [(2**42,), (2**62,) * 4, (2**63 - 1, 1)], ids=("many", "wraps to 0", "wraps below 0"))
def test_more_records_than_can_be_added_are_refused_before_anybody_is_called(
    three: Holders, cells: tuple[int, ...]
) -> None:
    found = np.zeros_like(three.counts(0).to_numpy())
    found[0, : len(cells)] = cells
    data = ExactCounts.from_array(three.counts(0).grid, found)
    with pytest.raises(InputError, match="more records than a joint run can add"):
        dpviz.joint.run(three.plan, holder="a", data=data, ledger=three.ledger("a"))
    assert three.ledger("a").datasets() == []
    found[0, : len(cells)] = (2**42 - 1, *[0] * (len(cells) - 1))
    most = ExactCounts.from_array(three.counts(0).grid, found)
    assert checked_counts(three.plan, most) is most


def test_an_empty_file_stays_away_unless_it_is_strict(three: Holders) -> None:
    def act(name: str, place: int) -> Any:
        records = 0 if name == "b" else 800
        return dpviz.joint.run(
            three.plan,
            holder=name,
            data=three.counts(place, records),
            ledger=three.ledger(name),
            wait=20.0,
            strict=True,
        )

    with pytest.raises(InputError, match="no valid row"):
        dpviz.joint.run(three.plan, holder="b", data=three.counts(1, 0), ledger=three.ledger("b"))
    assert three.ledger("b").datasets() == []
    assert all(isinstance(one, Release) for one in three.each(act))


def test_people_who_share_a_budget_pay_for_a_joint_run_together(three: Holders) -> None:
    def act(name: str, place: int) -> Any:
        book, data = three.ledger(name), three.counts(place)
        if name == "a":
            first = dpviz.register("last year", three.counts(4), total=Budget(epsilon=1.5), ledger=book)
            dpviz.register(name, data, total=Budget(epsilon=1.5), same_people=first.name, ledger=book)
        return dpviz.joint.run(three.plan, holder=name, data=data, ledger=book, wait=20.0)

    assert all(isinstance(one, Release) for one in three.each(act))
    with at("a"):
        last_year = dpviz.open_dataset("last year", three.counts(4), ledger=three.ledger("a"))
        assert last_year.remaining.as_numbers()["epsilon"] == 0.5
        with pytest.raises(LedgerRefusal):
            dpviz.publish(last_year, replace(three.plan.request, method="uniform_grid"))


# ---- faults ----------------------------------------------------------------------------------------------------------


def broken_at(monkeypatch: pytest.MonkeyPatch, step: str, act: Callable[[Circle], None], number: int = 1) -> None:
    """Holder b does something else in one of its steps."""
    honest, seen = Circle.exchange, []

    def exchange(self: Circle, kind: str, facts: Any, numbers: Any = b"") -> Any:
        if who_is_here() == "b" and kind == step:
            seen.append(kind)
            if len(seen) == number:
                act(self)
        return honest(self, kind, facts, numbers)

    monkeypatch.setattr(Circle, "exchange", exchange)


def drops(circle: Circle) -> None:
    """The connections end without a word, as those of a killed process."""
    for _, writer in circle._ends.values():
        circle._loop.call_soon_threadsafe(writer.transport.abort)
    raise RuntimeError("killed")


def nothing_half_written(holders: Holders) -> bool:
    places = [holders.ledger(one.name) for one in holders.plan.holders]
    left = [path for book in places for path in (*book.store.glob("*"), *book.workshop.glob("*"))]
    return [path.suffix for path in left if path.suffix != ".lock"] == []


def run_to_the_end(holders: Holders) -> list[Any]:
    def act(name: str, place: int) -> Any:
        try:
            return dpviz.joint.run(
                holders.plan, holder=name, data=holders.counts(place), ledger=holders.ledger(name), wait=20.0
            )
        except RuntimeError as error:
            return error

    return holders.each(act)


@pytest.mark.parametrize(
    ("step", "number", "charged"),
    [
        pytest.param("rehearsal", 1, [0, 0, 0], id="before the charge"),
        pytest.param("charged", 1, [1, 1, 1], id="before the first share"),
        pytest.param("shares", 2, [1, 1, 1], id="midway"),
        pytest.param("release", 1, [1, 1, 1], id="before it signs"),
    ],
)
def test_a_holder_that_dies_leaves_nothing_and_everybody_knows_what_it_cost(
    three: Holders, monkeypatch: pytest.MonkeyPatch, step: str, number: int, charged: list[int]
) -> None:
    broken_at(monkeypatch, step, drops, number)
    found = run_to_the_end(three)
    assert charges(three) == charged and nothing_half_written(three)
    for place in (0, 2):
        assert isinstance(found[place], JointError) and "b went away" in str(found[place])
        assert ("This holder was charged" if charged[0] else "Nothing was charged") in str(found[place])
        assert found[place].exit_code == (CHARGED if charged[0] else 2)
    if charged[0]:
        assert [one.state for one in publications(three.ledger("a"))] == ["ended"]


def test_a_full_disk_is_found_before_anybody_signs(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = joint_door.write_folder

    def write(folder: Path, files: Any, **more: Any) -> Path:
        if who_is_here() == "b":
            raise StoreError(f"cannot write the folder {folder.name!r}: No space left on device.")
        return honest(folder, files, **more)

    monkeypatch.setattr(joint_door, "write_folder", write)
    found = run_to_the_end(three)
    assert "No space left" in str(found[1]) and "This holder was charged" in str(found[1])
    assert all("b ended the run" in str(found[at]) and "No space" not in str(found[at]) for at in (0, 2))
    assert charges(three) == [1, 1, 1] and nothing_half_written(three)


def test_a_failure_after_the_signatures_sends_to_the_others(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    honest, calls = joint_door.write_folder, []

    def write(folder: Path, files: Any, **more: Any) -> Path:
        if who_is_here() == "b" and calls.append(folder) is None and len(calls) == 2:
            raise StoreError("cannot write the folder: No space left on device.")
        return honest(folder, files, **more)

    monkeypatch.setattr(joint_door, "write_folder", write)
    found = run_to_the_end(three)
    assert "Copy its folder from one of them" in str(found[1])
    assert isinstance(found[0], Release) and isinstance(found[2], Release)


def test_an_error_inside_tells_the_others_nothing_of_any_record(
    three: Holders, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(circle: Circle) -> None:
        raise ValueError("cell 17 holds 4711 records")

    broken_at(monkeypatch, "sums", fail)
    found = run_to_the_end(three)
    assert isinstance(found[1], JointError) and "ValueError" in str(found[1])
    assert not any("4711" in str(one) for one in found)


def test_machines_whose_results_differ_find_out_before_the_charge(
    three: Holders, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = joint_door.folder_files

    def files(outcome: Any) -> Any:
        return {**honest(outcome), **({"map.html": b"another"} if who_is_here() == "c" else {})}

    monkeypatch.setattr(joint_door, "folder_files", files)
    found = run_to_the_end(three)
    assert all("Nothing was charged" in str(one) for one in found) and charges(three) == [0, 0, 0]
    assert any("rehearsal of" in str(one) for one in found)


def test_interruption_after_the_charge_says_that_it_cost(three: Holders, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(circle: Circle) -> None:
        raise KeyboardInterrupt

    broken_at(monkeypatch, "shares", interrupt, 3)
    found = run_to_the_end(three)
    assert isinstance(found[1], JointError) and found[1].exit_code == CHARGED
    assert all("b ended the run" in str(found[at]) for at in (0, 2))
