"""The plan of a joint release: a public TOML file that every holder has, the same to the letter of its digest.

It pins every holder's certificate, which is made of its signing key, so that who talks is who signs.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import hashlib
import json
import re
import secrets
import ssl
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from dpviz.domain import Adjacency, GeoBox, Grid, Unit
from dpviz.errors import InputError, StoreError
from dpviz.mechanisms.interface import Public
from dpviz.privacy import Budget
from dpviz.releases.about import About
from dpviz.releases.document import CODE_VERSION
from dpviz.releases.request import JointTerms, ReleaseRequest
from dpviz.releases.signing import fingerprint, own_key, own_key_file, write_whole

FORMAT = 1
FEWEST, MOST = 3, 50  # holders
METHOD = "adaptive_tree"  # all that it asks of exact data are sums over records, with Laplace noise
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")
_DAMAGED = "the certificate of {name!r} in the plan is damaged; copy its line again ('dpviz joint key' prints it)."


@dataclass(frozen=True, kw_only=True)
class Holder:
    """One of those who hold records: a short name, where it listens, and the certificate that is pinned."""

    name: str
    host: str
    port: int
    certificate: str = ""  # base64 of DER; empty until this holder has run 'dpviz joint key'

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise InputError(
                f"{self.name[:40]!a} cannot name a holder; use 1 to 31 of a-z, 0-9 and '-', such as 'north'."
            )
        if not self.host or not self.host.isprintable() or " " in self.host or not 1 <= self.port <= 65535:
            raise InputError(f"holder {self.name!r}: give its address as HOST:PORT, such as metro.example:7101.")

    @property
    def der(self) -> bytes:
        """The pinned certificate."""
        if not self.certificate:
            raise InputError(
                f"holder {self.name!r} has no certificate in this plan yet. It runs 'dpviz joint key' with the plan "
                "and sends its copy on; all holders use the copy that has every certificate."
            )
        try:
            return base64.b64decode(self.certificate, validate=True)
        except (binascii.Error, ValueError):
            raise InputError(_DAMAGED.format(name=self.name)) from None

    @property
    def key(self) -> str:
        """The public key in the certificate, hexadecimal: it signs the release."""
        from cryptography import x509
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            key = x509.load_der_x509_certificate(self.der).public_key()
            if not isinstance(key, Ed25519PublicKey):
                raise ValueError
        except ValueError:
            raise InputError(_DAMAGED.format(name=self.name)) from None
        return key.public_bytes_raw().hex()

    @property
    def fingerprint(self) -> str:
        """A short name of the key, to be compared by voice."""
        return fingerprint(self.key)


@dataclass(frozen=True, kw_only=True)
class JointPlan:
    """What all holders agree on before the first number leaves one of them. Public."""

    id: str
    title: str
    request: ReleaseRequest
    box: GeoBox
    side: int
    holders: tuple[Holder, ...]
    pooling: int  # how many holders may pool what they see without learning more than epsilon allows
    version: str = CODE_VERSION

    def __post_init__(self) -> None:
        names = [holder.name for holder in self.holders]
        if not FEWEST <= len(names) <= MOST:
            raise InputError(
                f"{len(names)} holders: a joint release needs {FEWEST} to {MOST} (--holder NAME=HOST:PORT)."
            )
        places = [(holder.host, holder.port) for holder in self.holders]
        pinned = [holder.certificate for holder in self.holders if holder.certificate]
        for what, values in (("name", names), ("address", places), ("certificate", pinned)):
            if len(set(values)) < len(values):
                raise InputError(f"two holders have one {what}; each needs its own.")
        if not 0 <= self.pooling <= self.degree:
            raise InputError(
                f"pooling={self.pooling}: of {len(names)} holders at most {self.degree} may pool what they see "
                "(--pooling); beyond that no majority is left that does not."
            )
        request = self.request
        if request.method != METHOD or request.regions or request.period or request.parts or request.prior:
            raise InputError(
                f"a joint release is made by {METHOD}: leave out other methods, regions, parts, periods, public maps."
            )
        if request.budget.delta:
            raise InputError("a joint release spends a pure epsilon; leave delta out.")
        Grid(self.box, self.side)
        About(title=self.title)

    @property
    def degree(self) -> int:
        """The degree of the polynomials that share a number: so many holders learn nothing from their shares."""
        return (len(self.holders) - 1) // 2

    @property
    def parts(self) -> int:
        """Shares of noise that add up to one central draw; the others are what bears the pooling."""
        return len(self.holders) - self.pooling

    @property
    def noise_factor(self) -> float:
        """By how much the variance of the noise exceeds that of one holder of all records."""
        return len(self.holders) / self.parts

    @property
    def promise(self) -> str:
        """Against which holders epsilon holds, and what that costs."""
        if not self.pooling:
            return (
                "Epsilon holds against everybody but the holders. Each holder knows its own share of the noise, so "
                "against every single one of them the records of the others are protected less than epsilon says."
            )
        return (
            f"Epsilon holds against up to {self.pooling} of {len(self.holders)} holders who pool all they see. For "
            f"that the noise has {self.noise_factor:.2f} times the variance."
        )

    @property
    def public(self) -> Public:
        """What the method may know of every holder's records."""
        grid = Grid(self.box, self.side)
        return Public(
            frame=grid.frame, side=grid.side, relation=Adjacency.ADD_REMOVE_ONE, unit=Unit(), public_rows=None
        )

    def place_of(self, name: str) -> int:
        """The index of the holder of this name."""
        names = [holder.name for holder in self.holders]
        if name not in names:
            raise InputError(f"the plan has no holder {name[:40]!a}; it has {', '.join(names)} (--as).")
        return names.index(name)

    def with_certificate(self, name: str, der: bytes) -> JointPlan:
        """The plan with the certificate of one holder."""
        place = self.place_of(name)
        changed = replace(self.holders[place], certificate=base64.b64encode(der).decode("ascii"))
        return replace(self, holders=(*self.holders[:place], changed, *self.holders[place + 1 :]))

    def request_of_run(self, run: str) -> ReleaseRequest:
        """What is asked of the door in one run of this plan."""
        holders = tuple((holder.name, holder.key) for holder in self.holders)
        return replace(self.request, joint=JointTerms(plan=self.digest, run=run, pooling=self.pooling, holders=holders))

    def facts(self) -> dict[str, Any]:
        """Plain values, in the order of the file."""
        return {
            "dpviz_joint_plan": FORMAT,
            "id": self.id,
            "title": self.title,
            "version": self.version,
            "method": self.request.method,
            "k": self.request.k,
            "epsilon": self.request.budget.epsilon,
            "purpose": self.request.purpose,
            "box": list(self.box.as_tuple()),
            "side": self.side,
            "pooling": self.pooling,
            "holder": [
                {"name": one.name, "address": f"{one.host}:{one.port}", "certificate": one.certificate}
                for one in self.holders
            ],
        }

    @property
    def digest(self) -> str:
        """SHA-256 of everything in the plan: equal plans, equal digests."""
        text = json.dumps(self.facts(), sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def to_toml(self) -> str:
        """The file."""
        facts = self.facts()
        lines, holders = ["# The public plan of a joint release. All holders have the same copy."], facts.pop("holder")
        for name, values in [("", facts), *(("\n[[holder]]", holder) for holder in holders)]:
            lines += [name, *(f"{word} = {json.dumps(value, ensure_ascii=False)}" for word, value in values.items())]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> None:
        """Write the file in one step."""
        try:
            write_whole(Path(path), self.to_toml().encode("utf-8"), 0o644)
        except OSError as error:
            raise StoreError(f"cannot write {str(path)!r}: {error.strerror or type(error).__name__}.") from None


def make_plan(
    holders: Sequence[str],
    *,
    request: ReleaseRequest,
    box: GeoBox,
    side: int = 1024,
    pooling: int | None = None,
    title: str = "",
) -> JointPlan:
    """A fresh plan; `holders` are given as NAME=HOST:PORT. Without `pooling`, as many may pool as can be borne."""
    found = tuple(map(_holder_of, holders))
    return JointPlan(
        id=secrets.token_hex(8),
        title=title,
        request=replace(request, method=METHOD) if request.method == "auto" else request,
        box=box,
        side=side,
        holders=found,
        pooling=max((len(found) - 1) // 2, 0) if pooling is None else pooling,
    )


def read_plan(path: str | Path) -> JointPlan:
    """The plan in this file."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        if table["dpviz_joint_plan"] != FORMAT or table["version"] != CODE_VERSION:
            raise InputError(
                f"the plan {str(path)!r} is for dpviz {str(table['version'])[:20]!a}, and this is {CODE_VERSION}: all "
                "holders run the same version."
            )
        budget = Budget(epsilon=float(table["epsilon"]))
        return JointPlan(
            id=str(table["id"]),
            title=str(table["title"]),
            request=ReleaseRequest(k=table["k"], budget=budget, method=table["method"], purpose=table["purpose"]),
            box=GeoBox(*map(float, table["box"])),
            side=table["side"],
            holders=tuple(
                replace(_holder_of(f"{one['name']}={one['address']}"), certificate=str(one["certificate"]))
                for one in table["holder"]
            ),
            pooling=int(table["pooling"]),
        )
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read the plan {str(path)!r}: {getattr(error, 'strerror', None) or error}.") from None
    except InputError:
        raise
    except (KeyError, TypeError, ValueError):
        raise InputError(
            f"{str(path)!r} is not the plan of a joint release; make one with 'dpviz joint plan'."
        ) from None


def address_of(text: str) -> tuple[str, int]:
    """Host and port of HOST:PORT."""
    host, _, port = text.rpartition(":")
    if not port.isascii() or not port.isdigit():
        raise InputError(f"{text[:80]!a}: give an address as HOST:PORT, such as metro.example:7101.")
    return host.strip().strip("[]"), int(port)


def _holder_of(text: str) -> Holder:
    name, _, address = text.partition("=")
    host, port = address_of(address)
    return Holder(name=name.strip(), host=host, port=port)


_VALID = (dt.datetime(2020, 1, 1, tzinfo=dt.UTC), dt.datetime(2120, 1, 1, tzinfo=dt.UTC))


def make_certificate() -> bytes:
    """A certificate of this machine's signing key, signed by it, DER: the same bytes at every call.

    A signature of TLS 1.3 and one of a release begin with different words, so neither can stand for the other.
    """
    from cryptography import x509
    from cryptography.hazmat.primitives.serialization import Encoding

    key = own_key()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, key.public_key().public_bytes_raw().hex())])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_VALID[0])
        .not_valid_after(_VALID[1])
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, None)
        .public_bytes(Encoding.DER)
    )


def tls_contexts(plan: JointPlan, holder: str) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """TLS 1.3 for listening and for connecting: it shows the own certificate and accepts those of the plan alone."""
    own = make_certificate()
    if own != plan.holders[plan.place_of(holder)].der:
        raise InputError(
            f"the plan pins another certificate for {holder!r} than the one of this machine. Run 'dpviz joint key' "
            f"here and send that copy to all holders, or run where {holder!r} has its key. Nothing was charged."
        )
    contexts = []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.pem"
        file.write_text(ssl.DER_cert_to_PEM_cert(own), encoding="ascii")
        for protocol in (ssl.PROTOCOL_TLS_SERVER, ssl.PROTOCOL_TLS_CLIENT):
            context = ssl.SSLContext(protocol)
            context.minimum_version = ssl.TLSVersion.TLSv1_3
            context.check_hostname = False  # certificates are compared with the plan, to the byte (circle.py)
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata="".join(ssl.DER_cert_to_PEM_cert(one.der) for one in plan.holders))
            context.load_cert_chain(file, own_key_file())
            contexts.append(context)
    return contexts[0], contexts[1]
