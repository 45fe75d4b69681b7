"""A release folder is believed by its signature, never by its own word."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dpviz.domain import ExactCounts
from dpviz.errors import InputError, StoreError
from dpviz.life.feed import verify_release
from dpviz.privacy import Budget
from dpviz.publishing.datasets import Dataset
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import release
from dpviz.releases import load
from dpviz.releases.about import About
from dpviz.releases.document import schema
from dpviz.releases.release import UNVERIFIED, Release
from dpviz.releases.request import ReleaseRequest
from dpviz.releases.schema_check import find_breach
from dpviz.releases.signing import fingerprint, own_key_file, own_public_key, public_key, remember_key

REQUEST = ReleaseRequest(k=3, budget=Budget(epsilon=0.5), method="uniform_grid")


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def folder(dataset: Dataset, tmp_path: Path) -> Path:
    return publish(dataset, REQUEST).save(tmp_path / "out")


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[], None]:
    """Another person's machine, which knows no keys."""
    return lambda: monkeypatch.setenv("DPVIZ_DATA", str(tmp_path / "somebody else"))


def refitted(folder: Path, name: str, content: bytes) -> None:
    """Change a file and every checksum that stands beside it, as somebody who edits a folder does."""
    (folder / name).write_bytes(content)
    facts = json.loads((folder / "release.json").read_bytes())
    if name != "release.json":
        facts["files"][name] = hashlib.sha256(content).hexdigest()
        (folder / "release.json").write_text(json.dumps(facts))
    if (folder / "manifest.json").exists():
        listed = json.loads((folder / "manifest.json").read_bytes())
        for other in listed["files"]:
            held = (folder / other).read_bytes()
            listed["files"][other] = {"sha256": hashlib.sha256(held).hexdigest(), "bytes": len(held)}
        (folder / "manifest.json").write_text(json.dumps(listed))


def changed_document(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    facts = json.loads((folder / "release.json").read_bytes())
    change(facts)
    refitted(folder, "release.json", json.dumps(facts).encode())


def unsigned(folder: Path) -> None:
    (folder / "manifest.json").unlink()
    (folder / "manifest.sig").unlink()


def test_the_key_is_made_once_and_only_its_owner_can_read_it(own_folder: Path) -> None:
    first = own_public_key()
    assert own_public_key() == first and len(first) == 64
    if os.name == "posix":
        assert stat.S_IMODE(own_key_file().stat().st_mode) == 0o600
    assert public_key(str(own_folder / "signing-key.pub")) == first == public_key(first)
    assert len(fingerprint(first)) == 19


def test_a_published_release_is_signed_by_its_publisher(folder: Path) -> None:
    found = load(folder)
    assert found.status == "published"
    assert str(found.signature) == f"signed by you ({fingerprint(own_public_key())})"


def test_on_another_machine_the_same_folder_is_not_called_published(
    folder: Path, elsewhere: Callable[[], None]
) -> None:
    theirs = own_public_key()
    elsewhere()
    found = load(folder)
    assert found.status == UNVERIFIED and str(found.signature) == f"signature unknown ({fingerprint(theirs)})"
    assert not verify_release(folder).trusted
    assert verify_release(folder, key=theirs).trusted
    assert not verify_release(folder, key=own_public_key()).trusted
    assert verify_release(folder, key=theirs, remember="City of Turin").trusted
    assert str(load(folder).signature) == f"signed by City of Turin ({fingerprint(theirs)})"
    assert load(folder).status == "published"


def test_saving_an_unverified_release_again_keeps_its_bytes(
    folder: Path, elsewhere: Callable[[], None], tmp_path: Path
) -> None:
    elsewhere()
    copy = load(folder).save(tmp_path / "copy")
    assert {path.name: path.read_bytes() for path in copy.iterdir()} == {
        path.name: path.read_bytes() for path in folder.iterdir()
    }


def moved_center(folder: Path) -> None:
    for name in ("centers.csv", "centers.geojson"):
        refitted(folder, name, (folder / name).read_bytes().replace(b"-73.9", b"-73.8"))


def cheaper(folder: Path) -> None:
    def change(facts: dict[str, Any]) -> None:
        facts["request"]["epsilon"] = facts["guarantee"]["epsilon"] = 0.05
        for charge in facts["charges"]:
            charge["epsilon"] /= 10

    changed_document(folder, change)


def relabelled(folder: Path) -> None:
    def change(facts: dict[str, Any]) -> None:
        facts["status"], facts["noise"] = "published", {"kind": "secure", "seed": None}
        facts["dataset"] = "trips"

    changed_document(folder, change)


@pytest.mark.parametrize("forge", [moved_center, cheaper])
def test_a_forged_folder_is_refused_with_its_signature_and_unbelieved_without(
    folder: Path, forge: Callable[[Path], None]
) -> None:
    forge(folder)
    with pytest.raises(StoreError, match="signature does not fit"):
        load(folder)
    unsigned(folder)
    found = load(folder)
    assert (found.status, str(found.signature)) == (UNVERIFIED, "no signature")


def test_seeded_noise_relabelled_as_secure_is_never_published(counts: ExactCounts, tmp_path: Path) -> None:
    seeded = release(counts, 3, Budget(epsilon=0.5), "uniform_grid", seed=3).save(tmp_path / "seeded")
    relabelled(seeded)
    assert load(seeded).status == UNVERIFIED


def test_a_signature_of_another_release_fits_no_folder(dataset: Dataset, folder: Path, tmp_path: Path) -> None:
    other = publish(dataset, ReleaseRequest(k=4, budget=Budget(epsilon=0.5), method="uniform_grid"))
    for name in ("manifest.json", "manifest.sig"):
        (folder / name).write_bytes(other.files()[name])
    with pytest.raises(StoreError, match="changed after it was signed"):
        load(folder)


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sig"])
def test_half_a_signature_is_refused(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(StoreError, match="half a signature"):
        load(folder)


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"null", b"\xff", b'{"algorithm": "none"}'])
def test_a_damaged_signature_is_refused_in_one_sentence(folder: Path, content: bytes) -> None:
    (folder / "manifest.sig").write_bytes(content)
    with pytest.raises(StoreError, match="signature does not fit"):
        load(folder)


def test_a_file_that_no_release_has_is_refused(folder: Path) -> None:
    (folder / "notes.html").write_text("<script>")
    with pytest.raises(StoreError, match=r"notes\.html"):
        load(folder)
    (folder / "notes.html").unlink()
    (folder / ".DS_Store").write_bytes(b"what a system leaves")
    assert load(folder).status == "published"


def test_a_known_file_that_nobody_listed_is_refused(tmp_path: Path, counts: ExactCounts, silent_method: object) -> None:
    place = release(counts, 3, Budget(epsilon=0.5), "made_silent", seed=3).save(tmp_path / "silent")
    (place / "map.html").write_text("<script>")
    with pytest.raises(StoreError, match=r"map\.html"):
        load(place)


@pytest.mark.parametrize("what", ["link", "folder", "pipe", "huge"])
@pytest.mark.parametrize("name", ["centers.csv", "release.json", "manifest.sig"])
def test_what_is_no_ordinary_file_is_refused_before_it_is_read(
    folder: Path, name: str, what: str, tmp_path: Path
) -> None:
    kept = (folder / name).read_bytes()
    (folder / name).unlink()
    if what == "link":
        (tmp_path / "target").write_bytes(kept)
        (folder / name).symlink_to(tmp_path / "target")
    elif what == "folder":
        (folder / name).mkdir()
    elif what == "pipe":
        os.mkfifo(folder / name)
    else:
        with open(folder / name, "wb") as sparse:
            sparse.truncate(2**40)
    with pytest.raises(StoreError, match=r"no ordinary file|larger than"):
        load(folder)


def contradiction(change: Callable[[dict[str, Any]], None]) -> Callable[[Path], None]:
    return lambda folder: changed_document(folder, change)


CONTRADICTIONS = {
    "guarantee below the request": contradiction(lambda facts: facts["guarantee"].update(epsilon=0.05)),
    "request below the guarantee": contradiction(lambda facts: facts["request"].update(epsilon=0.05)),
    "charges above the guarantee": contradiction(lambda facts: facts["charges"][0].update(epsilon=3.0)),
    "charges below the guarantee": contradiction(lambda facts: facts["charges"][1].update(epsilon=0.1)),
    "delta from nowhere": contradiction(lambda facts: facts["guarantee"].update(delta=1e-6)),
    "another map": lambda folder: refitted(
        folder, "coreset.geojson", (folder / "coreset.geojson").read_bytes().replace(b"-73.9", b"-73.8")
    ),
    "other centers on the map": lambda folder: refitted(
        folder, "centers.geojson", (folder / "centers.geojson").read_bytes().replace(b"-73.9", b"-73.8")
    ),
    "another table": lambda folder: refitted(
        folder, "coreset.csv", (folder / "coreset.csv").read_bytes().replace(b"-73.9", b"-73.8")
    ),
    "no parquet": lambda folder: refitted(folder, "coreset.parquet", b"PAR1 and nothing"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_folder_that_contradicts_itself_is_refused(folder: Path, name: str) -> None:
    unsigned(folder)
    CONTRADICTIONS[name](folder)
    with pytest.raises(StoreError, match="contradicts itself"):
        load(folder)


def test_more_points_than_a_release_has_are_refused(folder: Path) -> None:
    unsigned(folder)
    rows = (folder / "coreset.csv").read_bytes().splitlines(keepends=True)
    refitted(folder, "coreset.csv", rows[0] + rows[1] * 5000)
    changed_document(folder, lambda facts: facts["coreset"].update(points=5000))
    with pytest.raises(StoreError, match=r"4096|schema"):
        load(folder)


def test_a_document_outside_the_schema_is_refused_at_its_place(folder: Path) -> None:
    unsigned(folder)
    changed_document(folder, lambda facts: facts["request"].update(k="many"))
    with pytest.raises(StoreError, match=r"schema at 'request\.k'"):
        load(folder)


def variants(value: Any) -> Iterator[Any]:
    """Documents with one thing changed, left out or put in, everywhere."""
    if isinstance(value, dict):
        yield {**value, "surprise": 1}
        for name, part in value.items():
            yield {other: kept for other, kept in value.items() if other != name}
            for changed in (None, True, -1, 0, 1.5, "", "x", [], {}):
                yield {**value, name: changed}
            for inner in variants(part):
                yield {**value, name: inner}
    elif isinstance(value, list) and value:
        yield []
        yield value * 3
        for inner in variants(value[0]):
            yield [inner, *value[1:]]


def test_our_look_at_the_schema_says_what_a_full_validator_says(folder: Path) -> None:
    full = jsonschema.Draft202012Validator(schema())
    documents = list(variants(json.loads((folder / "release.json").read_bytes())))
    wrong = [document for document in documents if (find_breach(document, schema()) is None) != full.is_valid(document)]
    assert wrong == [] and len(documents) > 500


def test_words_about_a_release_stand_in_it_and_in_its_label(dataset: Dataset, tmp_path: Path) -> None:
    about = About(title="Taxi  drop-offs", period_start="2026-01-01", period_end="2026-01-31", licence="CC-BY-4.0")
    found = publish(dataset, REQUEST, about=about)
    assert found.about["title"] == "Taxi drop-offs" and found.about["version"] == 1
    assert len(found.about["published"]) == 10
    label = found.files()["PRIVACY.md"].decode()
    assert "2026-01-01 to 2026-01-31" in label and "Taxi drop-offs" in label
    jsonschema.validate(json.loads(found.files()["release.json"]), schema())
    assert isinstance(found, Release) and found.ledger == dataset.ledger.id


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"title": "x" * 301}, "at most 300"),
        ({"title": 5}, "give a text"),
        ({"contact": "a\u202eb"}, "printable"),
        ({"period_start": "yesterday"}, "2026-01-31"),
        ({"period_start": "2026-02-01", "period_end": "2026-01-01"}, "turn the two round"),
    ],
)
def test_words_that_cannot_be_published_are_refused(words: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        About(**words)


@pytest.mark.parametrize("what", ["garbage", "folder", "link", "pipe", "open to all", "another kind"])
def test_a_key_that_cannot_be_used_is_told_before_the_charge(
    dataset: Dataset, own_folder: Path, what: str, tmp_path: Path
) -> None:
    own_public_key()
    file = own_key_file()
    kept = file.read_bytes()
    file.unlink()
    if what == "garbage":
        file.write_bytes(b"no key")
        file.chmod(0o600)
    elif what == "folder":
        file.mkdir()
    elif what == "link":
        (tmp_path / "key").write_bytes(kept)
        file.symlink_to(tmp_path / "key")
    elif what == "pipe":
        os.mkfifo(file)
    elif what == "open to all":
        file.write_bytes(kept)
        file.chmod(0o644)
    else:
        from cryptography.hazmat.primitives import serialization as form
        from cryptography.hazmat.primitives.asymmetric import x25519

        other = x25519.X25519PrivateKey.generate()
        file.write_bytes(other.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()))
        file.chmod(0o600)
    with pytest.raises(StoreError, match="signing key"):
        publish(dataset, REQUEST)
    assert dataset.charges == []


def test_a_key_gets_a_name_that_can_be_read(own_folder: Path) -> None:
    for name in ("", "you", "x" * 101, "a\nb\x00"):
        with pytest.raises(InputError, match="cannot name a key"):
            remember_key(own_public_key(), name)
    for given in ("", "ab", "no file", "g" * 64, "/dev/null"):
        with pytest.raises(InputError, match="public key"):
            public_key(given)
