"""The file that describes a house (city.toml), read once and checked whole. Secrets stand in the environment only.

It also says who may do what: roles come from groups of the sign-in or from lists of persons; nobody has one by default.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from dpviz.errors import InputError
from dpviz.hosting.identity import LOOPBACK_ADDRESSES, SHORTEST_KEY
from dpviz.ledger.persons import Person, Role

CURATORS = frozenset({Role.STEWARD, Role.PUBLISHER, Role.APPROVER})
LOOKS_AT_RECORDS = frozenset({Role.STEWARD, Role.PUBLISHER})


@dataclass(frozen=True, kw_only=True)
class Members:
    """Who has a role: groups of the sign-in, persons by name."""

    groups: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()


def person(name: str, groups: Iterable[str], roles: Mapping[Role, Members]) -> Person:
    """Return the person with every role that the lists give.

    A role is granted by name only where both names are printable ASCII and differ at most in the case of A to Z. Any
    other letter matches nobody: Unicode case folding and compatibility forms make one name of two persons' addresses
    (ß and ss, the Kelvin sign and k, ſ and s). On ASCII, NFC changes nothing, so that no normalization is needed.
    Who asked and who approves are compared the other way round, by `same_person`: there a match refuses.
    """
    held = set(groups)
    found = {
        role
        for role, members in roles.items()
        if members.groups & held or any(is_listed_as(name, listed) for listed in members.people)
    }
    return Person(name=name, roles=frozenset(found))


def is_listed_as(name: str, listed: str) -> bool:
    """Whether the entry of a list of people names this person."""
    return is_plain(name) and is_plain(listed) and name.lower() == listed.lower()  # ASCII: lowers A to Z only


def is_plain(name: str) -> bool:
    """Whether a name is printable ASCII, the only names that a list of people can hold."""
    return bool(name) and name.isascii() and name.isprintable()


CONFIG: Final = "DPVIZ_CITY"  # where the file lies, for the programs that `dpviz serve` starts
MEGABYTE: Final = 2**20
UPLOADS_MB: Final = {Role.STEWARD: 500, Role.PUBLISHER: 500, Role.ANALYST: 64}


@dataclass(frozen=True, kw_only=True)
class Address:
    """What people type, and where the program listens for it."""

    public: str  # https://maps.city.example
    port: int
    listen: str = "127.0.0.1"

    @property
    def host(self) -> str:
        """Name and port as browsers send them."""
        return urlsplit(self.public).netloc.lower()

    @property
    def name(self) -> str:
        """The name alone: cookies know no port."""
        return urlsplit(self.public).hostname or ""

    @property
    def is_encrypted(self) -> bool:
        """Whether cookies may say that they travel encrypted only."""
        return self.public.startswith("https://")


@dataclass(frozen=True, kw_only=True)
class Provider:
    """An OpenID Connect provider. `person` and `groups` are claims of its identity token.

    `verified_by_provider` states that it hands out verified e-mail addresses only, without a claim that says so.
    """

    metadata: str
    client_id: str
    client_secret: str = field(repr=False)
    person: str = "email"
    groups: str = "groups"
    scope: str = "openid email profile"
    verified_by_provider: bool = False
    hours: float = 8.0


@dataclass(frozen=True, kw_only=True)
class Proxy:
    """A web server in front that signs people in: it shows a secret, and names the person in headers."""

    secret: str = field(repr=False)
    person_header: str = "x-forwarded-email"
    groups_header: str = "x-forwarded-groups"
    hours: float = 8.0  # that a page stays open before the web server is asked again


@dataclass(frozen=True, kw_only=True)
class NamedSource:
    """Data that the administrator named: a file, a folder or a URL of this server's side."""

    name: str
    place: str = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one reading and one upload may take."""

    upload_mb: Mapping[Role, int] = field(default_factory=lambda: dict(UPLOADS_MB))
    file_mb: int = 4000
    rows: int = 500_000_000
    memory_mb: int = 3000
    seconds: int = 900
    readings_at_once: int = 2

    def upload_bytes(self, roles: frozenset[Role]) -> int:
        """The largest upload that somebody with these roles may send."""
        return max((self.upload_mb.get(role, 0) for role in roles), default=0) * MEGABYTE


@dataclass(frozen=True, kw_only=True)
class City:
    """Everything that the file says."""

    name: str
    ledger: Path
    curators: Address
    analysts: Address
    sign_in: Provider | Proxy
    roles: Mapping[Role, Members]
    sources: tuple[NamedSource, ...] = ()
    limits: Limits = field(default_factory=Limits)
    always_second_person: bool = False
    foreign_methods: bool = False
    published: Path = Path("published")  # the folder that the analysts' program reads

    def source(self, name: str) -> NamedSource:
        """The data of this name."""
        found = next((one for one in self.sources if one.name == name), None)
        if found is None:
            raise InputError(
                f"no data are named {name[:80]!a} here; ask the administrator to name them in the city's file."
            )
        return found


def read_city(path: Path, environment: Mapping[str, str] | None = None, *, with_sources: bool = True) -> City:
    """The house of this file; an error names the entry and says what it accepts.

    Without its sources nothing is known of where records lie, as on the analysts' server.
    """
    given = os.environ if environment is None else environment
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"there is no file {str(path)!r}; --config takes the city's file; --example writes one."
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path.name} cannot be read as TOML: {error}.") from None
    entries = _Table(table, path.name, "")
    entries.only(
        "name", "ledger", "published", "curators", "analysts", "sign_in", "roles", "sources", "limits", "publishing"
    )
    publishing = entries.table("publishing")
    publishing.only("second_person", "foreign_methods")
    second = publishing.text("second_person", "where asked")
    if second not in ("where asked", "always"):
        raise publishing.wrong("second_person", second, '"where asked" or "always"')
    curators, analysts = _address(entries.table("curators"), 8501), _address(entries.table("analysts"), 8502)
    if curators.port == analysts.port or curators.host == analysts.host:
        raise InputError(f"{path.name}: [curators] and [analysts] need an address and a port each; they share one.")
    if curators.name == analysts.name and curators.name not in LOOPBACK_ADDRESSES:
        raise InputError(
            f"{path.name}: [curators] and [analysts] share the name {curators.name!a}; give each its own. Browsers "
            "send the cookie of a name to all its ports: the analysts' program would be shown the curators' sign-ins."
        )
    home = path.resolve().parent
    ledger = home / entries.text("ledger")  # an absolute one stays as it is
    return City(
        name=entries.text("name", "dpviz"),
        ledger=ledger,
        published=home / entries.text("published", str(ledger.with_name("published"))),
        curators=curators,
        analysts=analysts,
        sign_in=_sign_in(entries.table("sign_in"), given),
        roles=_roles(entries.table("roles")),
        sources=_sources(entries, home, given) if with_sources else (),
        limits=_limits(entries.table("limits")),
        always_second_person=second == "always",
        foreign_methods=publishing.flag("foreign_methods"),
    )


class _Table:
    """One table of the file: every wrong entry is named with its place."""

    def __init__(self, values: Any, file: str, place: str) -> None:
        if not isinstance(values, dict):
            raise InputError(f"{file}: {place or 'the file'} is no table; write it as [{place}].")
        self.values: dict[str, Any] = values
        self.file, self.place = file, place

    def wrong(self, name: str, given: Any, accepted: str) -> InputError:
        where = f"[{self.place}] {name}" if self.place else name
        return InputError(f"{self.file}: {where} = {str(given)[:60]!a}; give {accepted}.")

    def only(self, *names: str) -> None:
        for name in self.values:
            if name not in names:
                raise self.wrong(name, self.values[name], f"one of these entries: {', '.join(names)}")

    def table(self, name: str) -> _Table:
        return _Table(self.values.get(name, {}), self.file, f"{self.place}.{name}" if self.place else name)

    def text(self, name: str, default: str | None = None) -> str:
        found = self.values.get(name, default)
        if not isinstance(found, str) or not found.strip():
            raise self.wrong(name, found, "a text")
        return found.strip()

    def number(self, name: str, default: int, least: int = 1, most: int = 10**12) -> int:
        found = self.values.get(name, default)
        if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
            raise self.wrong(name, found, f"a whole number from {least:,} to {most:,}")
        return found

    def flag(self, name: str) -> bool:
        found = self.values.get(name, False)
        if not isinstance(found, bool):
            raise self.wrong(name, found, "true or false")
        return found

    def texts(self, name: str) -> frozenset[str]:
        found = self.values.get(name, [])
        if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
            raise self.wrong(name, found, 'a list of texts, as in ["data-office"]')
        return frozenset(one.strip() for one in found)

    def secret(self, name: str, environment: Mapping[str, str], least: int = 1) -> str:
        variable = self.text(name)
        found = environment.get(variable, "")
        if len(found) < least:
            raise InputError(
                f"{self.file}: [{self.place}] {name} names the variable {variable!a}, which holds {len(found)} "
                f"characters in this environment; set it to {least} or more. Secrets do not stand in the file."
            )
        return found


def _address(table: _Table, port: int) -> Address:
    table.only("address", "port", "listen")
    public = table.text("address").rstrip("/").lower()
    parts = urlsplit(public)
    loopback = (parts.hostname or "") in LOOPBACK_ADDRESSES
    if parts.scheme not in ("https", "http") or not parts.hostname or parts.path or parts.query or "@" in parts.netloc:
        raise table.wrong("address", public, "what people type, as in https://maps.city.example")
    if parts.scheme == "http" and not loopback:
        raise table.wrong("address", public, "an address with https; only this machine's own may do without")
    return Address(public=public, port=table.number("port", port, 1, 65535), listen=table.text("listen", "127.0.0.1"))


def _sign_in(table: _Table, environment: Mapping[str, str]) -> Provider | Proxy:
    kind = str(table.values.get("kind", ""))
    if kind == "proxy":
        table.only("kind", "secret_variable", "person_header", "groups_header", "hours")
        return Proxy(
            secret=table.secret("secret_variable", environment, SHORTEST_KEY),
            person_header=table.text("person_header", "x-forwarded-email").lower(),
            groups_header=table.text("groups_header", "x-forwarded-groups").lower(),
            hours=table.number("hours", 8, 1, 24),
        )
    if kind != "oidc":
        raise table.wrong("kind", kind, '"oidc" or "proxy": without a sign-in nothing is served to others')
    own = ("client_id", "client_secret_variable", "person", "groups", "scope", "verified_by_provider", "hours")
    table.only("kind", "metadata", *own)
    metadata = table.text("metadata")
    parts = urlsplit(metadata)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK_ADDRESSES):
        raise table.wrong("metadata", metadata, "the https address that ends in /.well-known/openid-configuration")
    return Provider(
        metadata=metadata,
        client_id=table.text("client_id"),
        client_secret=table.secret("client_secret_variable", environment),
        person=table.text("person", "email"),
        groups=table.text("groups", "groups"),
        scope=table.text("scope", "openid email profile"),
        verified_by_provider=table.flag("verified_by_provider"),
        hours=table.number("hours", 8, 1, 24),
    )


def _roles(table: _Table) -> dict[Role, Members]:
    table.only(*Role)
    found = {}
    for role in Role:
        members = table.table(role)
        members.only("groups", "people")
        people = members.texts("people")
        for name in sorted(people):
            if not is_plain(name):
                raise members.wrong(
                    "people", name, "names in printable ASCII; list anybody whose name has other letters by a group"
                )
        found[role] = Members(groups=members.texts("groups"), people=people)
    if not any(members.groups or members.people for members in found.values()):
        raise InputError(f"{table.file}: [roles] gives nobody a role; name groups or people.")
    return found


def _sources(entries: _Table, home: Path, environment: Mapping[str, str]) -> tuple[NamedSource, ...]:
    listed = entries.values.get("sources", [])
    if not isinstance(listed, list):
        raise entries.wrong("sources", listed, "tables, each written as [[sources]]")
    found: dict[str, NamedSource] = {}
    for values in listed:
        table = _Table(values, entries.file, "sources")
        table.only("name", "path", "url")
        name = table.text("name")
        if ("path" in table.values) == ("url" in table.values):
            raise InputError(f"{entries.file}: the source {name!a} needs either a path or a url.")
        if name in found:
            raise InputError(f"{entries.file}: two sources are called {name!a}.")
        if "url" in table.values:
            place = _with_credentials(table.text("url"), name, environment)
        else:
            place = _checked_path(table, home)
        found[name] = NamedSource(name=name, place=place)
    return tuple(found.values())


def _checked_path(table: _Table, home: Path) -> str:
    """A file or folder of this machine: no device, no pipe, no share of another machine."""
    text = table.text("path")
    path = home / text  # an absolute one stays as it is
    if names_another_machine(text) or (path.exists() and not path.is_file() and not path.is_dir()):
        raise table.wrong("path", text, "a file or a folder of this machine (no share, no device, no pipe)")
    return str(path)


def names_another_machine(text: str) -> bool:
    """Whether a path is a share (two slashes and a host) or a device of Windows (two backslashes and a dot)."""
    return text.strip().replace("\\", "/").startswith("//")


def _with_credentials(url: str, name: str, environment: Mapping[str, str]) -> str:
    """`${NAME}` in a URL is taken from the environment, so that no password stands in the file."""

    def held(found: re.Match[str]) -> str:
        if not found[2] or found[1] not in environment:
            raise InputError(f"the source {name!a} needs the variable {found[1][:40]!a} in the environment.")
        return environment[found[1]]

    return re.sub(r"\$\{([^}]*)(\}?)", held, url)


def _limits(table: _Table) -> Limits:
    numbers = [one.name for one in fields(Limits) if one.name != "upload_mb"]
    table.only("upload_mb", *numbers)
    uploads = table.table("upload_mb")
    uploads.only(*Role)
    by_role = {role: uploads.number(role, UPLOADS_MB.get(role, 0), 0, 100_000) for role in Role}
    return Limits(upload_mb=by_role, **{name: table.number(name, getattr(Limits(), name)) for name in numbers})
