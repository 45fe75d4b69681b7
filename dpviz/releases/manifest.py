"""manifest.json and manifest.sig: names, sizes and hashes of all files of a release folder, and who signed them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from dpviz.errors import StoreError
from dpviz.releases.signing import Signature, checked_signature, sign

MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
SIGNED = (MANIFEST, SIGNATURE)
_KIND = "release manifest"


def with_signature(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files, a list of them, and a signature of the list by the user's own key."""
    facts = {"dpviz_manifest": 1, "files": {name: _facts(content) for name, content in sorted(files.items())}}
    manifest = (json.dumps(facts, indent=2, ensure_ascii=True) + "\n").encode("ascii")
    return {**files, MANIFEST: manifest, SIGNATURE: sign(_KIND, manifest)}


def signature_of(files: Mapping[str, bytes], *, trusted: str = "") -> Signature:
    """Who signed these files; raises where they are not exactly those of the list, or the signature does not fit."""
    present = [name for name in SIGNED if name in files]
    if not present:
        return Signature()
    if len(present) == 1:
        raise StoreError(f"the folder holds {present[0]} without its twin: half a signature. Copy the folder again.")
    found = checked_signature(_KIND, files[MANIFEST], files[SIGNATURE], trusted=trusted)
    try:
        listed: dict[str, Any] = json.loads(files[MANIFEST])["files"]
        others = {name: _facts(content) for name, content in files.items() if name not in SIGNED}
    except (KeyError, TypeError, ValueError):
        raise StoreError("manifest.json is no list of files; copy the folder again.") from None
    for name in sorted({*listed, *others}):
        if listed.get(name) != others.get(name):
            what = "is missing" if name not in others else "is not in the signed list" if name not in listed else None
            raise StoreError(f"{name!a} {what or 'was changed after it was signed'}; copy the folder again.")
    return found


def _facts(content: bytes) -> dict[str, Any]:
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
