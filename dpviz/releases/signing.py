"""Keys, signatures and manifests: who made a release folder, for anybody without the ledger (Ed25519).

The own key is made on first use and kept in the user's data folder, readable by its owner only. Keys of others become
known by name when somebody says so (`dpviz verify DIR --key FILE --remember NAME`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import stat
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpviz.errors import InputError, StoreError
from dpviz.releases.paths import exclusive, user_data_folder

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


MANIFEST = "manifest.json"
SIGNATURE = "manifest.sig"
SIGNED = (MANIFEST, SIGNATURE)
_KIND = "release manifest"
_ALGORITHM = "Ed25519"
HOUSE_KEY = "DPVIZ_HOUSE_KEY"  # where the public key of the house lies that this program belongs to
_NO_SIGNATURE = "no signature"
UNKNOWN_SIGNATURE = "signature unknown"
_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What is known about who signed: `name` is empty where this machine does not know the key."""

    key: str = ""  # public key, hexadecimal; "" where nobody signed
    name: str = ""
    others: tuple[Signature, ...] = ()  # of a joint release: those of the other holders

    @property
    def known(self) -> bool:
        """Whether somebody signed whose key this machine knows."""
        return bool(self.name)

    @property
    def keys(self) -> frozenset[str]:
        """The keys of all who signed."""
        return frozenset(one.key for one in (self, *self.others) if one.key)

    def __str__(self) -> str:
        if self.others:
            return "; ".join(str(replace(one, others=())) for one in (self, *self.others))
        if not self.key:
            return _NO_SIGNATURE
        return (
            f"signed by {self.name} ({fingerprint(self.key)})"
            if self.name
            else f"{UNKNOWN_SIGNATURE} ({fingerprint(self.key)})"
        )


def own_key_file() -> Path:
    """Where the signing key lies; its public half lies beside it with the ending .pub, to be handed out."""
    return user_data_folder() / "signing-key.pem"


def own_public_key() -> str:
    """The public key of this user, hexadecimal; made with its secret half on first use."""
    return _public(own_key())


def sign(kind: str, content: bytes) -> bytes:
    """A detached signature of this content, as the bytes of a small JSON file."""
    key = own_key()
    facts = {"algorithm": _ALGORITHM, "key": _public(key), "signature": key.sign(_message(kind, content)).hex()}
    return (json.dumps(facts, indent=2) + "\n").encode("ascii")


def sign_manifest(manifest: bytes) -> bytes:
    """The own signature of a list of files."""
    return sign(_KIND, manifest)


def check_manifest(manifest: bytes, signature: bytes, key: str) -> None:
    """Raise unless this is the signature of a list of files by this one key."""
    if checked_signature(_KIND, manifest, signature).keys != {key}:
        raise StoreError("the signature is by another key.")


def join_signatures(signatures: Sequence[bytes]) -> bytes:
    """Several signatures of one list of files as one file."""
    return (json.dumps({"signatures": [json.loads(one) for one in signatures]}, indent=2) + "\n").encode("ascii")


def checked_signature(kind: str, content: bytes, signature: bytes, *, trusted: str = "") -> Signature:
    """Who signed this content; raises where a signature is none or does not fit. `trusted` is a key just given.

    Of several signatures one by a known key stands first.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        facts, keys = json.loads(signature), []
        for one in facts.get("signatures", [facts]):
            if one["algorithm"] != _ALGORITHM:
                raise ValueError
            public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(one["key"]))
            public.verify(bytes.fromhex(one["signature"]), _message(kind, content))
            keys.append(public.public_bytes_raw().hex())
        if not keys or len(set(keys)) < len(keys):
            raise ValueError
    except (InvalidSignature, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise StoreError(
            "the signature does not fit the files: they were changed after they were signed, or it is damaged. Get the "
            "folder again from where it was published."
        ) from None
    known = known_keys() | ({trusted: "the key that you gave"} if trusted else {})
    first, *others = sorted((Signature(key=key, name=known.get(key, "")) for key in keys), key=lambda one: not one.name)
    return replace(first, others=tuple(others))


def known_keys() -> dict[str, str]:
    """The keys that this machine knows and their names: its own, and those that somebody asked to remember."""
    found: dict[str, str] = {}
    with contextlib.suppress(OSError, ValueError, AttributeError):
        found = {str(key): str(name) for key, name in json.loads(_read_ordinary(_known_file())).items()}
    with contextlib.suppress(OSError):
        if own_key_file().is_file():
            found[own_public_key()] = "you"
    with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
        facts = json.loads(_read_ordinary(Path(os.environ[HOUSE_KEY])))
        found[public_key(str(facts["key"]))] = _checked_key_name(str(facts["name"]))
    return found


def write_house_key(file: Path, name: str) -> None:
    """Hand out the own public key under the name of a house, for programs that are told of the file."""
    known = {"name": _checked_key_name(name), "key": own_public_key()}
    write_whole(file, (json.dumps(known, indent=2, ensure_ascii=False) + "\n").encode("utf-8"), 0o644)


def remember_key(key: str, name: str) -> None:
    """Know this public key under a name from now on."""
    tidy = _checked_key_name(name)
    file = _known_file()
    with exclusive(file.with_name(file.name + ".lock")):
        known = {key: name for key, name in known_keys().items() if name != "you"} | {public_key(key): tidy}
        write_whole(file, (json.dumps(known, indent=2, ensure_ascii=False) + "\n").encode("utf-8"), 0o644)


def _checked_key_name(name: str) -> str:
    tidy = " ".join(name.split())
    if not tidy or len(tidy) > 100 or not tidy.isprintable() or tidy == "you":
        raise InputError(
            f"{name[:40]!a} cannot name a key; give 1 to 100 printable characters, such as 'City of Turin'."
        )
    return tidy


def public_key(given: str) -> str:
    """A public key as 64 hexadecimal digits, from those digits or from a file that holds them or a PEM."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_public_key

    text = given.strip()
    try:
        if len(text) != 64 or not set(text.lower()) <= set("0123456789abcdef"):
            text = _read_ordinary(Path(given).expanduser()).decode("ascii").strip()
        if text.startswith("-----"):
            loaded = load_pem_public_key(text.encode("ascii"))
            if not isinstance(loaded, Ed25519PublicKey):
                raise ValueError
            return loaded.public_bytes_raw().hex()
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text)).public_bytes_raw().hex()
    except (OSError, ValueError, UnicodeError):
        raise InputError(
            f"{given[:80]!a} is no public key: give 64 hexadecimal digits, or the publisher's file signing-key.pub "
            "(--key)."
        ) from None


def fingerprint(key: str) -> str:
    """A short name of a public key, to be compared by eye: four groups of four hexadecimal digits."""
    digits = hashlib.sha256(bytes.fromhex(key)).hexdigest()[:16]
    return " ".join(digits[start : start + 4] for start in range(0, 16, 4))


def _message(kind: str, content: bytes) -> bytes:
    """A signature of one kind of document fits no other."""
    return b"dpviz " + kind.encode("ascii") + b" 1\n" + content


def own_key() -> Ed25519PrivateKey:
    """The signing key of this user; made on first use."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    file = own_key_file()
    try:
        if not file.exists() and not file.is_symlink():
            with exclusive(file.with_name(file.name + ".lock")):
                if not file.exists():
                    _make_key(file)
        loaded: Any = load_pem_private_key(_read_ordinary(file, secret=True), password=None)
    except OSError as error:
        raise _unusable(file, error.strerror or type(error).__name__) from None
    except (ValueError, TypeError):
        raise _unusable(file, "it holds no key") from None
    if not isinstance(loaded, Ed25519PrivateKey):
        raise _unusable(file, "it holds another kind of key")
    _keep_public_half(file, loaded)
    return loaded


def _keep_public_half(file: Path, key: Ed25519PrivateKey) -> None:
    """The file that is handed out belongs to the key that signs, whoever changed it."""
    written = _public_file(key)
    with contextlib.suppress(OSError):  # it may not be writable; signing goes on, and nothing wrong is handed out by us
        if not file.with_suffix(".pub").is_file() or _read_ordinary(file.with_suffix(".pub")) != written:
            write_whole(file.with_suffix(".pub"), written, 0o644)


def _public_file(key: Ed25519PrivateKey) -> bytes:
    from cryptography.hazmat.primitives import serialization as form

    return key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)


def _make_key(file: Path) -> None:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.generate()
    secret = key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    write_whole(file.with_suffix(".pub"), _public_file(key), 0o644)
    write_whole(file, secret, 0o600)


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def _known_file() -> Path:
    return user_data_folder() / "known-keys.json"


def _unusable(file: Path, why: str) -> StoreError:
    return StoreError(
        f"cannot use the signing key {str(file)!r}: {why}. Restore it from a backup, or move it away and a new one is "
        "made, which those who check your releases have to be told. Nothing was charged.",
        file=str(file),
    )


def _read_ordinary(file: Path, *, secret: bool = False) -> bytes:
    """A small ordinary file; no link, pipe or folder."""
    handle = os.open(file, _OPEN)
    with open(handle, "rb") as readable:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(0, "it is no ordinary file")
        if secret and os.name == "posix" and status.st_mode & 0o077:
            raise OSError(0, "others can read it (chmod 600, and think about a new one)")
        return readable.read(2**20)


def write_whole(file: Path, content: bytes, mode: int) -> None:
    """Write a file in one step, flushed to disk, with this mode."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{secrets.token_hex(4)}.new")
    try:
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(fresh, file)
    finally:
        fresh.unlink(missing_ok=True)


def with_signature(files: Mapping[str, bytes], sign: Callable[[bytes], bytes] = sign_manifest) -> dict[str, bytes]:
    """These files, a list of them, and a signature of the list: by the user's own key, unless `sign` is given."""
    facts = {"dpviz_manifest": 1, "files": {name: _facts(content) for name, content in sorted(files.items())}}
    manifest = (json.dumps(facts, indent=2, ensure_ascii=True) + "\n").encode("ascii")
    return {**files, MANIFEST: manifest, SIGNATURE: sign(manifest)}


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
