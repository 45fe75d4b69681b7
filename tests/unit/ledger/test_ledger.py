from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dpviz.domain import ExactCounts
from dpviz.errors import DpvizError, InputError, LedgerRefusal, StoreError
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.tables import append
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish, quote
from dpviz.publishing.registration import register
from dpviz.releases.paths import default_ledger_path, demonstration_ledger_path, user_data_folder
from dpviz.releases.request import ReleaseRequest

FILES_OF_A_LEDGER = {"ledger.sqlite3", "ledger.sqlite3.lock", "ledger.sqlite3.head"}


def request(epsilon: float = 0.5, k: int = 3) -> ReleaseRequest:
    return ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method="uniform_grid")


def test_a_refusal_names_requested_remaining_and_difference(dataset: Dataset) -> None:
    publish(dataset, request(1.8))
    with pytest.raises(LedgerRefusal) as refused:
        publish(dataset, request(0.5))
    values = refused.value.values
    assert (values["requested"], values["remaining"]) == (0.5, 0.2)
    assert values["difference"] == pytest.approx(0.3)
    for number in ("0.5", "0.2", "0.3"):
        assert number in str(refused.value)
    assert refused.value.exit_code == 3


def test_a_refused_request_charges_nothing_and_leaves_nothing(dataset: Dataset) -> None:
    with pytest.raises(LedgerRefusal):
        publish(dataset, request(2.5))
    assert dataset.charges == []
    assert dataset.remaining == dataset.total
    assert list(dataset.ledger.store.iterdir()) == []


def test_delta_is_refused_in_its_own_words(
    dataset: Dataset, add_method: Callable[..., object], monkeypatch: pytest.MonkeyPatch
) -> None:
    from dpviz.publishing import datasets

    monkeypatch.setattr(datasets, "budget_spent", lambda budget, plan: budget)
    with pytest.raises(LedgerRefusal, match=r"delta 0\.0001 was requested"):
        publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5, delta=1e-4), method="uniform_grid"))


def test_ten_releases_of_a_tenth_fit_into_one(counts: ExactCounts, ledger: Ledger) -> None:
    dataset = register("tenths", counts, total=Budget(epsilon=1.0), ledger=ledger)
    for k in range(1, 11):
        publish(dataset, request(0.1, k))
    assert dataset.remaining.epsilon == 0
    with pytest.raises(LedgerRefusal):
        publish(dataset, request(0.1, 11))


def test_a_pure_method_charges_no_delta(dataset: Dataset) -> None:
    release = publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5, delta=1e-9), method="uniform_grid"))
    assert release.guarantee.delta == 0
    assert dataset.charges[0].amount.delta == 0


@pytest.mark.parametrize("table", ["settings", "datasets", "charges", "names", "claims", "stored", "notes", "chain"])
def test_no_row_can_be_changed_or_deleted(dataset: Dataset, table: str) -> None:
    publish(dataset, request())
    with sqlite3.connect(dataset.ledger.path) as connection:
        column = connection.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()[0]
        for statement in (f"UPDATE {table} SET {column} = {column}", f"DELETE FROM {table}"):
            with pytest.raises(sqlite3.DatabaseError, match="append-only"):
                connection.execute(statement)
    connection.close()


def test_the_ledger_says_who_published_what_and_why(dataset: Dataset) -> None:
    publish(dataset, request(), who="Grace", why="the mayor asked")
    (charge,) = dataset.charges
    assert (charge.who, charge.why, charge.stored) == ("Grace", "the mayor asked", True)
    assert charge.request.budget.epsilon == 0.5
    (row,) = dataset.ledger.datasets()
    assert (row.name, row.who, row.why) == ("trips", "Ada", "a test")


if os.name == "posix":

    def test_only_the_owner_can_read_ledger_and_store(dataset: Dataset) -> None:
        publish(dataset, request())
        assert dataset.ledger.path.stat().st_mode & 0o777 == 0o600
        roots = (dataset.ledger.store, dataset.ledger.workshop)
        inside = [path for root in roots for path in (root, *root.rglob("*"))]
        assert {path.stat().st_mode & 0o777 for path in inside if path.is_dir()} == {0o700}
        assert {path.stat().st_mode & 0o777 for path in inside if path.is_file()} == {0o600}


def test_the_store_lies_beside_the_ledger(dataset: Dataset) -> None:
    release = publish(dataset, request())
    assert dataset.ledger.store == dataset.ledger.path.with_name("ledger.sqlite3.releases")
    assert (dataset.ledger.store / release.id / "release.json").is_file()


def test_a_file_that_is_no_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but long enough to be looked at as one " * 20)
    with pytest.raises(StoreError, match="ledger"):
        Ledger(path)
    assert path.read_text().startswith("not a database")


def test_another_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE settings (name TEXT, value TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="not a ledger"):
        Ledger(path)


def test_reading_a_missing_ledger_makes_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no ledger"):
        Ledger(tmp_path / "missing.sqlite3", create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_ledger_in_a_place_that_is_no_folder_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="--ledger"):
        Ledger(tmp_path / "file" / "ledger.sqlite3").make()


def test_a_ledger_that_vanishes_is_not_made_anew_by_a_charge(dataset: Dataset) -> None:
    dataset.ledger.path.unlink()
    with pytest.raises(StoreError, match="cannot use the ledger"):
        publish(dataset, request())
    assert not dataset.ledger.path.exists()


def test_a_store_without_its_ledger_is_refused(dataset: Dataset, counts: ExactCounts) -> None:
    publish(dataset, request())
    dataset.ledger.path.unlink()
    with pytest.raises(StoreError, match="would forget what was spent"):
        register("trips", counts, total=Budget(epsilon=2.0, delta=1e-6), ledger=dataset.ledger.path)
    assert not dataset.ledger.path.exists()


def test_a_charge_for_an_unknown_dataset_is_refused(dataset: Dataset) -> None:
    with pytest.raises(LedgerRefusal, match="not registered"):
        dataset.ledger.remaining("nobody")


def test_the_environment_names_the_ledger(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DPVIZ_LEDGER", str(tmp_path / "mine.db"))
    assert default_ledger_path() == tmp_path / "mine.db"
    assert demonstration_ledger_path() == tmp_path / "mine-demonstration.db"


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/dpviz"),
        ("linux", {"XDG_DATA_HOME": "relative"}, "/home/ada/.local/share/dpviz"),
        ("linux", {}, "/home/ada/.local/share/dpviz"),
        ("darwin", {}, "/home/ada/Library/Application Support/dpviz"),
        ("win32", {"APPDATA": "/roaming"}, "/roaming/dpviz"),
        ("win32", {}, "/home/ada/AppData/Roaming/dpviz"),
    ],
)
def test_the_users_data_folder_follows_each_system(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("DPVIZ_DATA", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ada"))
    assert user_data_folder() == Path(expected)


def test_a_plan_that_spends_more_than_its_budget_is_stopped_before_the_ledger(
    dataset: Dataset, coreset_method: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from dpviz.privacy import Charge

    honest = type(coreset_method).plan

    def greedy(self: object, public: object, **asked: object) -> object:
        plan = honest(self, public, **asked)  # type: ignore[arg-type]
        return replace(plan, charges=(*plan.charges, Charge(name="more", epsilon=0.01)))

    monkeypatch.setattr(type(coreset_method), "plan", greedy)
    with pytest.raises(DpvizError, match="charges"):
        publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="made_coreset"))
    assert dataset.charges == []


def test_an_unknown_method_is_refused_before_the_ledger(dataset: Dataset) -> None:
    with pytest.raises(InputError, match="not known"):
        publish(dataset, ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="magic"))
    assert dataset.charges == []


def test_a_quote_tells_the_price_and_charges_nothing(dataset: Dataset) -> None:
    before = quote(dataset, request(0.5))
    assert (float(before.cost.epsilon), float(before.after.epsilon), before.stored) == (0.5, 1.5, False)
    assert before.allowed and before.method == "uniform_grid" and dataset.charges == []
    assert before.expected is None  # the number of records is secret: nothing is told that follows from it
    publish(dataset, request(0.5))
    after = quote(dataset, request(0.5))
    assert (float(after.cost.epsilon), after.before, after.stored, after.allowed) == (0, after.after, True, True)
    assert not quote(dataset, request(1.6)).allowed


def test_a_dataset_is_found_without_reading_the_rows_of_others(dataset: Dataset, ledger: Ledger) -> None:
    with ledger.transaction() as connection:
        append(connection, "datasets", ("other", "no JSON", "c", "no number", "0", "", "", "", ""))
    found = ledger.dataset(dataset.name)
    assert found is not None and found.name == dataset.name and ledger.dataset("nobody's") is None
    assert ledger.dataset(f" {dataset.name.upper()} ") == found


def test_the_overview_is_json_and_holds_no_content_hash(dataset: Dataset) -> None:
    publish(dataset, request())
    (row,) = json.loads(json.dumps(dataset.ledger.overview()))
    assert row["dataset"] == "trips" and row["remaining"] == {"epsilon": 1.5, "delta": 1e-6}
    assert row["charges"][0]["charged"] == {"epsilon": 0.5, "delta": 0.0}
    assert dataset.row.content not in json.dumps(row)


def at_once(work: Callable[[], object], times: int = 8) -> list[object]:
    gate, found = threading.Barrier(times), []

    def one() -> None:
        gate.wait()
        found.append(work())

    threads = [threading.Thread(target=one) for _ in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_eight_threads_that_make_one_ledger_make_one(tmp_path: Path) -> None:
    def made() -> bytes:
        ledger = Ledger(tmp_path / "new" / "ledger.sqlite3")
        ledger.make()
        return ledger.content_key

    keys = at_once(made)
    assert len(keys) == 8 and len(set(keys)) == 1
    assert {path.name for path in (tmp_path / "new").iterdir()} == FILES_OF_A_LEDGER


def test_eight_registrations_at_once_are_one_with_one_stand_in(counts: ExactCounts, ledger: Ledger) -> None:
    found = at_once(
        lambda: register("trips", counts, total=Budget(epsilon=2.0), ledger=ledger, standin_share=0.25).name
    )
    assert found == ["trips"] * 8
    assert len(ledger.datasets()) == 1 and len(ledger.charges()) == 1


def test_reading_releases_loads_no_mechanism_no_reader_and_no_ledger(project_root: Path) -> None:
    code = (
        "import sys; from dpviz.releases.release import Release; from dpviz.releases.store import read_folder; "
        "from dpviz.releases import load; "
        "print([name for name in sys.modules if name.startswith(('dpviz.ingest', 'dpviz.mechanisms.catalogue', "
        "'dpviz.ledger.ledger', 'dpviz.publishing.door', 'opendp'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project_root, capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout.strip() == "[]"


def test_an_empty_file_becomes_a_ledger_and_a_folder_does_not(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert Ledger(tmp_path / "empty").datasets() == []
    with pytest.raises(StoreError, match="is a folder"):
        Ledger(tmp_path)


def test_what_a_killed_process_left_of_a_new_ledger_is_cleared(tmp_path: Path) -> None:
    (tmp_path / ".ledger.sqlite3.00ff.new").write_bytes(b"half")
    Ledger(tmp_path / "ledger.sqlite3").make()
    assert {path.name for path in tmp_path.iterdir()} == FILES_OF_A_LEDGER


def test_notes_that_are_no_text_are_kept_as_far_as_they_are(dataset: Dataset) -> None:
    publish(dataset, request(), who="Gr\udcffce", why="be\udc00cause \U0001f642")
    (charge,) = dataset.charges
    assert (charge.who, charge.why) == ("Gr?ce", "be?cause \U0001f642")
