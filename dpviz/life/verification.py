"""What anybody can find out about a release folder without the ledger: whole, agreeing with itself, signed by whom."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpviz.life.feed import state_sentence
from dpviz.releases.manifest import MANIFEST
from dpviz.releases.signing import public_key, remember_key
from dpviz.releases.status import UNVERIFIED
from dpviz.releases.store import read_folder


@dataclass(frozen=True, kw_only=True)
class Verification:
    """What was found. `trusted`: signed by a key that was given, or that this machine knows."""

    id: str
    dataset: str | None
    status: str
    signature: str
    key: str
    trusted: bool
    guarantee: str
    files: int
    state: str = ""  # what a feed beside the folder says of it, if the same key signed it


def verify_release(folder: str | Path, *, key: str = "", remember: str = "") -> Verification:
    """Check a release folder: every file, its hashes, the schema, the parts against each other, and the signature.

    `key` is the publisher's public key (digits, or the file signing-key.pub); `remember` keeps it under that name.
    """
    place = Path(folder)
    trusted = public_key(key) if key else ""
    if remember:
        remember_key(trusted, remember)
    found = read_folder(place, trusted=trusted)
    signed_by_given = not trusted or found.signature.key == trusted
    return Verification(
        id=found.id,
        dataset=found.dataset,
        status=found.status if signed_by_given else UNVERIFIED,
        signature=str(found.signature),
        key=found.signature.key,
        trusted=found.signature.known and signed_by_given,
        guarantee=str(found.guarantee),
        files=len([name for name in (found.loaded_files or {}) if name != MANIFEST]) - bool(found.signature.key),
        state=state_sentence(found, place.absolute().parent),
    )
