"""The check in front of a hosted house, on requests made by hand, and the file that describes the house."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from dpviz.errors import InputError
from dpviz.hosting import hosted_city, request_guard, signing_in
from dpviz.hosting.config import CURATORS, City, Provider, Proxy, person, read_city
from dpviz.hosting.request_guard import MOST_SOCKETS, HostedDoor
from dpviz.hosting.signing_in import Refused, Visits, own_place, person_of
from dpviz.ledger.persons import Person, Role
from dpviz.ui.choose import dialog_own_data
from tests.ui.loops import run_alone

SECRET = "p" * 43
FILE = """
name = "City of Testville"
ledger = "store/ledger.sqlite3"
[curators]
address = "https://maps.city.example"
port = 8501
[analysts]
address = "https://releases.city.example"
port = 8502
[sign_in]
kind = "proxy"
secret_variable = "PROXY_SECRET"
[roles]
steward = { groups = ["data-office"] }
publisher = { people = ["piet@city.example"] }
approver = { groups = ["checking"] }
analyst = { groups = ["analysis"] }
reader = { groups = ["everybody"] }
[[sources]]
name = "Taxi"
path = "taxi"
[[sources]]
name = "Scooters"
url = "https://${SCOOTER_USER}:${SCOOTER_KEY}@files.city.example/march.parquet"
[limits]
upload_mb = { steward = 3, analyst = 1 }
"""
ENVIRONMENT = {"PROXY_SECRET": SECRET, "SCOOTER_USER": "dpviz", "SCOOTER_KEY": "k3y"}


def written(folder: Path, text: str = FILE) -> City:
    (folder / "taxi").mkdir(exist_ok=True)
    (folder / "city.toml").write_text(text, encoding="utf-8")
    return read_city(folder / "city.toml", ENVIRONMENT)


class House:
    """The door with an app behind it that notes what it is told."""

    def __init__(self, city: City, admitted: frozenset[Role] = CURATORS) -> None:
        self.reached: list[dict[str, str]] = []
        self.body = 0
        self.status = 200
        self.waits: Any = None  # what a page behind the door does with its socket
        self.visits: list[Person] = []
        self.door = HostedDoor(
            self.app, city=city, address=city.curators, admitted=admitted, on_visit=self.visits.append
        )

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append({name.decode(): value.decode() for name, value in scope["headers"]})
        if scope["type"] == "http" and scope["method"] == "PUT":
            while (heard := await receive())["type"] == "http.request" and heard.get("more_body"):
                self.body += len(heard["body"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": self.status, "headers": []})
        elif self.waits is not None:
            await self.waits(receive)

    def ask(self, path: str = "/", kind: str = "http", method: str = "GET", parts: int = 0, **headers: str) -> Any:
        self.reached.clear()
        named = {"host": "maps.city.example"} | {name.replace("_", "-"): value for name, value in headers.items()}
        scope = {
            "type": kind,
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
        }
        sent: list[Any] = []

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b"x" * 2**20, "more_body": True}

        run_alone(self.door(scope, receive, send))  # type: ignore[arg-type]
        return sent[0].get("status", sent[0]["type"]) if sent else None


@pytest.fixture
def known(tmp_path: Path) -> House:
    return House(written(tmp_path))


def by_proxy(name: str, groups: str = "", key: str = SECRET) -> dict[str, str]:
    return {"x_dpviz_key": key, "x_forwarded_email": name, "x_forwarded_groups": groups}


def test_nobody_is_believed_without_the_proxys_secret(known: House) -> None:
    for headers in (by_proxy("anna@city.example", "data-office", "guess"), {"x_forwarded_email": "anna@city.example"}):
        assert known.ask(**headers) == 401 and known.ask("/_stcore/stream", "websocket", **headers) == "websocket.close"
    assert not known.reached and known.ask(**by_proxy("", "data-office")) == 401
    assert known.ask(**by_proxy("anna@city.example", "data-office")) == 200


def test_names_and_roles_from_outside_are_not_believed(known: House) -> None:
    said = by_proxy("piet@city.example") | {"x_dpviz_person": "anna", "x_dpviz_roles": "steward"}
    for kind in ("http", "websocket"):
        known.ask(kind=kind, **said)
        (heard,) = known.reached
        assert heard["x-dpviz-person"] == "piet@city.example" and heard["x-dpviz-roles"] == "publisher"
        assert SECRET not in heard.values()


def test_who_has_no_role_here_reaches_nothing(known: House) -> None:
    for groups in ("", "analysis", "everybody", "DATA-OFFICE", "data-office-guests"):
        for kind in ("http", "websocket"):
            known.ask(kind=kind, **by_proxy("eve@city.example", groups))
            assert not known.reached


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("host", "127.0.0.1:8501"),
        ("host", "maps.city.example.evil"),
        ("origin", "http://maps.city.example"),
        ("origin", "https://maps.city.example:444"),
        ("origin", "https://releases.city.example"),
        ("origin", "null"),
        ("sec_fetch_site", "same-site"),
    ],
)
def test_another_host_or_origin_is_refused(known: House, name: str, value: str) -> None:
    for kind in ("http", "websocket"):
        known.ask("/_stcore/stream", kind, **(by_proxy("anna@city.example", "data-office") | {name: value}))
        assert not known.reached


def test_metrics_and_other_sign_ins_are_closed_and_health_says_ok(known: House) -> None:
    for path in ("/_stcore/metrics", "/_stcore/agent/x", "/auth/login", "/oauth2callback"):
        assert known.ask(path, **by_proxy("anna@city.example", "data-office")) == 404
    assert known.ask("/_stcore/health", host="127.0.0.1:8501") == 200


def test_an_upload_is_refused_by_role_before_it_is_read_and_cut_off_where_it_lies(known: House) -> None:
    to, piet, anna = "/_stcore/upload_file/s/f", "piet@city.example", "anna@city.example"
    for length in ("600000000", "", "-1", "many", "²", "9" * 5000):
        assert known.ask(to, method="PUT", content_length=length, **by_proxy(piet)) == 413
    assert not known.reached
    assert known.ask(to, method="PUT", content_length=str(4 << 20), **by_proxy(anna, "data-office")) == 413
    assert known.ask(to, method="PUT", content_length="1000", **by_proxy(anna, "data-office")) == 200
    assert known.body <= 3 << 20  # it said a thousand bytes and went on for ever


def test_one_person_has_so_much_lying_here_and_no_more(known: House, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(request_guard.time, "monotonic", lambda: clock[0])
    anna, other = by_proxy("anna@city.example", "data-office"), by_proxy("ben@city.example", "data-office")

    def sends(at: str, **who: str) -> int:
        return int(known.ask(f"/_stcore/upload_file/s/{at}", method="PUT", content_length=str(3 << 20), **who))

    known.status = 400  # no such session: nothing stays
    assert sends("0", **anna) == 400
    known.status = 204
    assert [sends(str(at), **anna) for at in range(request_guard.AT_ONCE + 1)] == [204] * request_guard.AT_ONCE + [413]
    assert sends("0", **other) == 204
    known.status = 403  # a taking back that was refused takes nothing back
    known.ask("/_stcore/upload_file/s/1", method="DELETE", **anna)
    assert sends("9", **anna) == 413
    known.status = 204
    known.ask("/_stcore/upload_file/s/1", method="DELETE", **anna)
    assert sends("9", **anna) == 204 and sends("10", **anna) == 413
    known.ask("/_stcore/stream", "websocket", **anna)  # opened and closed: Streamlit may still hold its files
    known.ask("/_stcore/stream", "websocket", **anna)
    assert sends("11", **anna) == 413
    clock[0] += request_guard.GRACE + 1
    known.ask("/_stcore/stream", "websocket", **anna)
    assert sends("12", **anna) == 204


def test_a_page_behind_a_web_server_ends_so_that_a_role_that_was_taken_away_ends(
    known: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, heard = [0.0], []
    monkeypatch.setattr(signing_in.time, "monotonic", lambda: clock[0])

    async def waits(receive: Any) -> None:
        heard.append((await receive())["type"])
        clock[0] += 8 * 3600 + 1
        heard.append((await receive())["type"])

    known.waits = waits
    known.ask("/_stcore/stream", "websocket", **by_proxy("anna@city.example", "data-office"))
    assert heard == ["http.request", "websocket.disconnect"]
    known.waits = None
    known.ask("/_stcore/stream", "websocket", **by_proxy("anna@city.example", "checking"))
    assert known.reached[0]["x-dpviz-roles"] == "approver"


def test_one_person_holds_so_many_sockets_and_no_more(tmp_path: Path) -> None:
    known = House(written(tmp_path))
    known.door._sockets["piet@city.example"] = MOST_SOCKETS
    assert known.ask("/_stcore/stream", "websocket", **by_proxy("piet@city.example")) == "websocket.close"
    known.ask("/_stcore/stream", "websocket", **by_proxy("anna@city.example", "data-office"))
    assert known.reached


def test_roles_are_by_group_or_by_name_and_nobodys_by_default(tmp_path: Path) -> None:
    roles = written(tmp_path).roles
    assert person("PIET@city.example", ["checking"], roles).roles == {Role.PUBLISHER, Role.APPROVER}
    assert not person("eve@city.example", [], roles).roles


@pytest.mark.parametrize(
    ("listed", "stranger"),
    [
        ("name@strasse.example", "name@straße.example"),
        ("name@strasse.example", "name@ſtraſſe.example"),
        ("kate@city.example", "\N{KELVIN SIGN}ate@city.example"),  # becomes K in NFC and k in lower()
        ("fin@office.example", "fin@o\N{LATIN SMALL LIGATURE FFI}ce.example"),
        ("name@strasse.example", "name@\N{FULLWIDTH LATIN SMALL LETTER S}trasse.example"),
        ("ida@city.example", "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}da@city.example"),
        ("anna@city.example", "\N{CYRILLIC SMALL LETTER A}nna@city.example"),
        ("anna@city.example", "an\N{SOFT HYPHEN}na@city.example"),
    ],
)
def test_another_letter_is_another_person_and_gets_no_role_of_a_list(
    tmp_path: Path, listed: str, stranger: str
) -> None:
    city = written(tmp_path, FILE.replace("piet@city.example", listed))
    assert person(listed, [], city.roles).roles == person(listed.upper(), [], city.roles).roles == {Role.PUBLISHER}
    assert not person(stranger, [], city.roles).roles
    by_group = person(stranger, ["checking"], city.roles)
    assert by_group.roles == {Role.APPROVER} and by_group.name == stranger
    with pytest.raises(InputError, match=r"\[roles.publisher\] people = .* printable ASCII; .* by a group"):
        written(tmp_path, FILE.replace("piet@city.example", stranger))


def test_a_role_by_group_takes_no_other_spelling_of_the_group(tmp_path: Path) -> None:
    roles = written(tmp_path).roles
    for group in ("Checking", "checking ", "chec\N{KELVIN SIGN}ing", "CHECKING"):
        assert not person("eve@city.example", [group], roles).roles


@pytest.mark.parametrize("name", ["anna ", " anna", "anna\u3000", "\u00a0anna"])
def test_a_name_with_space_around_it_is_not_cut_to_somebody_elses(name: str) -> None:
    with pytest.raises(Refused):
        person_of({"sub": name}, Provider(metadata="", client_id="", client_secret="", person="sub"))


def test_a_visit_ends_by_signing_out_and_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    visits, clock = Visits(1.0), [1000.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[0])
    first, second = visits.begin(Person(name="a")), visits.begin(Person(name="b"))
    found = visits.find(first)
    assert found is not None and visits.find(first[:-1]) is None
    visits.end(first)
    assert visits.find(first) is None and found.over.is_set() and visits.find(second) is not None
    clock[0] += 3601
    assert visits.find(second) is None


def test_an_open_socket_is_closed_when_its_visit_ends() -> None:
    async def story() -> Any:
        visits = Visits(1.0)
        key = visits.begin(Person(name="a"))
        visit = visits.find(key)
        assert visit is not None

        async def silence() -> Any:
            await asyncio.Event().wait()

        waiting = asyncio.ensure_future(visit.listening(silence)())
        await asyncio.sleep(0)
        visits.end(key)
        return await asyncio.wait_for(waiting, 5)

    assert run_alone(story())["type"] == "websocket.disconnect"


@pytest.mark.parametrize(
    "place", ["//evil.example", "/\\evil.example", "https://evil.example", "/sign-out", "/a\nb", ""]
)
def test_a_sign_in_leads_to_no_other_host(place: str) -> None:
    assert own_place(place) == "/" and own_place("/data?x=1") == "/data?x=1"


def test_claims_that_name_nobody_are_refused() -> None:
    provider = Provider(metadata="", client_id="", client_secret="")
    for claims in ({}, {"email": ""}, {"email": ["a"]}, {"email": "a\nb"}, {"email": "a" * 201}):
        with pytest.raises(Refused, match="names nobody"):
            person_of(claims | {"email_verified": True}, provider)
    assert person_of({"email": "a@b", "email_verified": True, "groups": "one"}, provider) == ("a@b", ["one"])


def test_the_file_gives_names_and_the_environment_secrets(tmp_path: Path) -> None:
    city = written(tmp_path)
    assert isinstance(city.sign_in, Proxy) and city.source("Scooters").place.startswith("https://dpviz:k3y@")
    assert city.ledger == tmp_path / "store" / "ledger.sqlite3"
    assert SECRET not in repr(city) and "k3y" not in repr(city)
    with pytest.raises(InputError, match="no data are named"):
        city.source("/etc/hosts")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('kind = "proxy"', 'kind = "none"', "without a sign-in nothing is served"),
        ("https://maps", "http://maps", "https"),
        ("PROXY_SECRET", "MISSING", "holds 0"),
        ("[roles]", "[rules]", "rules"),
        ('groups = ["data-office"]', "groups = 7", "list of texts"),
        ('path = "taxi"', 'path = "//host/share"', "no share"),
        ('path = "taxi"', 'path = "/dev/zero"', "no device"),
        ('path = "taxi"', 'path = "pipe"', "no pipe"),
        ("${SCOOTER_KEY}", "${NOT_SET}", "NOT_SET"),
        (
            'kind = "proxy"\nsecret_variable',
            'kind = "oidc"\nmetadata = "https://a.b"\nclient_id = "c"\nverified_by_provider = "yes"\n'
            "client_secret_variable",
            "verified_by_provider = 'yes'; give true or false",
        ),
        ("port = 8502", "port = 8501", "share one"),
        ("https://releases.city", "https://maps.city", "share one"),
        ("https://releases.city.example", "https://maps.city.example:8443", "share the name"),
        ("steward = 3", "steward = true", "whole number"),
        ("name = ", "nmae = ", "nmae"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, before: str, after: str, said: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert before in FILE
    with pytest.raises(InputError, match=said.replace("[", r"\[")):
        written(tmp_path, FILE.replace(before, after, 1))


@pytest.mark.parametrize(
    "path", [r"\\\\host\\share\\a.csv", "//host/share/a.csv", r"\\\\.\\pipe\\x", r" \\/host/a.csv"]
)
def test_a_share_of_another_machine_is_not_opened_from_the_page(path: str) -> None:
    with pytest.raises(InputError, match="none of other computers"):
        dialog_own_data._checked_path(path)
    assert dialog_own_data._checked_path("/home/me/a.csv") == "/home/me/a.csv"


def test_secrets_leave_the_environment_and_analysts_know_no_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path)
    for name, value in (
        ENVIRONMENT | {"DPVIZ_CITY": str(tmp_path / "city.toml"), hosted_city.PART: "analysts"}
    ).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv(hosted_city.SECRETS, "PROXY_SECRET")
    hosted_city.city.cache_clear()
    try:
        found = hosted_city.city()
        assert found is not None and found.sources == () and "PROXY_SECRET" not in os.environ
    finally:
        hosted_city.city.cache_clear()
