"""The plan of a joint release: a public TOML file that every holder has, the same to the letter of its digest."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
import secrets
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dpviz import __version__
from dpviz.domain import GeoBox
from dpviz.errors import InputError
from dpviz.privacy import Budget
from dpviz.releases.request import ReleaseRequest

FORMAT = 1
FEWEST, MOST = 3, 50  # holders
METHOD = "adaptive_tree"  # every protected number of it is a sum over records with noise
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,30}")


@dataclass(frozen=True, kw_only=True)
class Holder:
    """One of those who hold records: a short name, where it listens, and the certificate that is pinned."""

    name: str
    host: str
    port: int
    certificate: str = ""  # base64 of DER; empty until `make_certificate` was called

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
                f"holder {self.name!r} has no certificate in this plan yet: it calls make_certificate and sends its "
                "line 'certificate = …' to all others, who put it into their copies."
            )
        try:
            return base64.b64decode(self.certificate, validate=True)
        except (binascii.Error, ValueError):
            raise InputError(f"the certificate of holder {self.name!r} is damaged; copy its line again.") from None

    @property
    def fingerprint(self) -> str:
        """A short name of the certificate, to be compared by voice: six groups of four hexadecimal digits."""
        digits = hashlib.sha256(self.der).hexdigest()[:24]
        return " ".join(digits[start : start + 4] for start in range(0, 24, 4))


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
    version: str = __version__

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
                f"pooling={self.pooling}: with {len(names)} holders at most {self.degree} may pool what they see "
                "(--pooling); more would need an honest majority that is not there."
            )
        request = self.request
        if request.method != METHOD or request.regions or request.period is not None or request.parts is not None:
            raise InputError(
                f"a joint release is made by {METHOD}, without regions, parts or periods: only its numbers are sums "
                "over records."
            )
        if request.budget.delta:
            raise InputError("a joint release spends a pure epsilon; leave delta out.")

    @property
    def degree(self) -> int:
        """The degree of the polynomials that share a number: so many holders learn nothing from their shares."""
        return (len(self.holders) - 1) // 2

    @property
    def parts(self) -> int:
        """Shares of noise that add up to one central draw; the others are what bears the pooling."""
        return len(self.holders) - self.pooling

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
            "box": [self.box.west, self.box.south, self.box.east, self.box.north],
            "side": self.side,
            "pooling": self.pooling,
            "holder": [
                {"name": one.name, "address": f"{one.host}:{one.port}", "certificate": one.certificate}
                for one in self.holders
            ],
        }

    @property
    def digest(self) -> str:
        """What holders compare: it covers every value of the plan, certificates included."""
        text = json.dumps(self.facts(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def to_toml(self) -> str:
        """The file."""
        facts = self.facts()
        holders = facts.pop("holder")
        lines = [
            "# The public plan of a joint release. Every holder keeps the same copy.",
            "",
        ]
        lines += [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items()]
        for holder in holders:
            lines += ["", "[[holder]]", *(f"{name} = {json.dumps(value)}" for name, value in holder.items())]
        return "\n".join(lines) + "\n"


def make_plan(
    holders: Sequence[str],
    *,
    box: GeoBox,
    k: int,
    epsilon: float,
    side: int = 1024,
    pooling: int | None = None,
    purpose: str = "centers",
    title: str = "",
) -> JointPlan:
    """A fresh plan; `holders` are given as NAME=HOST:PORT. Without `pooling`, as many may pool as can be borne."""
    found = tuple(map(_holder_of, holders))
    return JointPlan(
        id=secrets.token_hex(8),
        title=title,
        request=ReleaseRequest(k=k, budget=Budget(epsilon=epsilon), method=METHOD, purpose=purpose),
        box=box,
        side=side,
        holders=found,
        pooling=max((len(found) - 1) // 2, 0) if pooling is None else pooling,
    )


def read_plan(path: str | Path) -> JointPlan:
    """The plan in this file."""
    try:
        table = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        return _plan_of(table)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"cannot read the plan {str(path)!r}: {getattr(error, 'strerror', None) or error}.") from None
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{str(path)!r} is not the plan of a joint release; make one with make_plan.") from None


def _plan_of(table: Mapping[str, Any]) -> JointPlan:
    if table["dpviz_joint_plan"] != FORMAT:
        raise InputError(f"the plan has format {table['dpviz_joint_plan']!r}; this version of dpviz reads {FORMAT}.")
    if table["version"] != __version__:
        raise InputError(
            f"the plan is for dpviz {table['version']}, and this is {__version__}: all holders run the same version."
        )
    holders = [
        replace(_holder_of(f"{one['name']}={one['address']}"), certificate=str(one["certificate"]))
        for one in table["holder"]
    ]
    return JointPlan(
        id=str(table["id"]),
        title=str(table["title"]),
        request=ReleaseRequest(
            k=table["k"],
            budget=Budget(epsilon=float(table["epsilon"])),
            method=str(table["method"]),
            purpose=str(table["purpose"]),
        ),
        box=GeoBox(*map(float, table["box"])),
        side=int(table["side"]),
        holders=tuple(holders),
        pooling=int(table["pooling"]),
        version=str(table["version"]),
    )


def _holder_of(text: str) -> Holder:
    name, _, address = text.partition("=")
    host, _, port = address.rpartition(":")
    if not port.isascii() or not port.isdigit():
        raise InputError(f"{text[:80]!a}: give each holder as NAME=HOST:PORT (--holder north=metro.example:7101).")
    return Holder(name=name.strip(), host=host.strip().strip("[]"), port=int(port))
