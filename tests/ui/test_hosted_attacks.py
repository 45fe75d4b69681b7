"""Ways around the door of a hosted house that somebody may try: each one ends where it began."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import weakref
from pathlib import Path
from typing import Any

import pytest

from dpviz.hosting import request_guard, signing_in
from dpviz.hosting.config import Limits, Provider, read_city
from dpviz.hosting.reading_process import Given, RunningReading, Wish
from dpviz.hosting.signing_in import Refused, Visits, person_of
from dpviz.ledger.persons import Person, Role
from tests.ui.loops import run_alone
from tests.ui.test_hosted_door import FILE, SECRET, House, by_proxy, written
from tests.ui.test_hosted_reading import BOX

HOST = (b"host", b"maps.city.example")
PROVIDER = """kind = "oidc"
metadata = "https://login.city.example/.well-known/openid-configuration"
client_id = "dpviz"
client_secret_variable = "PROXY_SECRET"
"""


@pytest.fixture
def known(tmp_path: Path) -> House:
    """A house with a provider of identities; nobody is asked in these tests."""
    (tmp_path / "taxi").mkdir()
    text = FILE.replace('kind = "proxy"\nsecret_variable = "PROXY_SECRET"\n', PROVIDER)
    (tmp_path / "city.toml").write_text(text, encoding="utf-8")
    environment = {"PROXY_SECRET": SECRET, "SCOOTER_USER": "dpviz", "SCOOTER_KEY": "k3y"}
    return House(read_city(tmp_path / "city.toml", environment))


async def nothing(*_: Any) -> Any:
    """A browser that says nothing more."""
    return {"type": "http.disconnect"}


def signed_in(known: House, name: str = "anna@city.example", role: str = "steward") -> str:
    assert known.door._visits is not None
    return known.door._visits.begin(Person(name=name, roles=frozenset({Role(role)})))


# ---- cookies ----


@pytest.mark.parametrize(
    "beside", ['j={"a":1}', "a b=1", 'x="q\\"', "p[]=1", "=1", "alone", "__Host-dpviz=of-somebody-else", ";;"]
)
def test_a_cookie_of_another_program_locks_nobody_out(known: House, beside: str) -> None:
    own = f"__Host-dpviz={signed_in(known)}"
    for cookie in (f"{beside}; {own}", f"{own}; {beside}"):
        assert known.ask(cookie=cookie) == 200, cookie


def test_a_secret_that_somebody_chose_beforehand_becomes_no_sign_in(known: House) -> None:
    for planted in ("", "planted", "x" * 43):
        assert known.ask(cookie=f"__Host-dpviz={planted}") == 303 and not known.reached
    assert known.ask(cookie=f"__host-dpviz={signed_in(known)}") == 303 and not known.reached  # another name


def test_of_two_sign_ins_shown_at_once_none_is_taken(known: House) -> None:
    anna, eve = signed_in(known), signed_in(known, "eve@city.example", "approver")
    assert known.ask(cookie=f"__Host-dpviz={eve}; __Host-dpviz={anna}") == 303 and not known.reached


def test_very_many_cookies_are_looked_through_and_no_more(known: House) -> None:
    many = "; ".join(f"__Host-dpviz={number}" for number in range(5000))
    assert known.ask(cookie=many) == 303 and known.ask(cookie=f"{many}; __Host-dpviz={signed_in(known)}") == 200


# ---- signing in and out ----


def test_a_page_elsewhere_signs_nobody_out(known: House) -> None:
    cookie = f"__Host-dpviz={signed_in(known)}"
    follows = {"sec_fetch_mode": "navigate", "sec_fetch_dest": "document"}
    for site in ("cross-site", "same-site"):
        assert known.ask("/sign-out", cookie=cookie, sec_fetch_site=site, **follows) == 403
        assert known.ask(cookie=cookie) == 200
    assert known.ask("/sign-out", cookie=cookie, sec_fetch_site="same-origin", **follows) == 200
    assert known.ask(cookie=cookie) == 303


def test_who_signs_in_again_and_again_signs_nobody_else_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing_in, "MOST_VISITS", 200)
    here = Visits(1.0)
    anna = here.begin(Person(name="anna"))
    last = [here.begin(Person(name="eve")) for _ in range(300)][-1]
    assert here.find(anna) is not None and here.find(last) is not None
    assert len(here._visits) == signing_in.MOST_VISITS_OF_ONE + 1


@pytest.mark.parametrize("said", [False, None, "false", "False", "no", 0, 1, [], "TRUE "])
def test_an_address_that_the_provider_does_not_vouch_for_names_nobody(said: Any) -> None:
    provider = Provider(metadata="", client_id="", client_secret="")
    with pytest.raises(Refused):
        person_of({"email": "anna@city.example", "email_verified": said}, provider)
    for good in (True, "true"):
        assert person_of({"email": "a@b", "email_verified": good}, provider)[0] == "a@b"


def test_an_address_of_which_nothing_is_said_names_nobody_unless_the_house_says_so(tmp_path: Path) -> None:
    claims = {"sub": "17", "email": "anna@city.example", "groups": ["data-office"]}
    (tmp_path / "taxi").mkdir()
    environment = {"PROXY_SECRET": SECRET, "SCOOTER_USER": "dpviz", "SCOOTER_KEY": "k3y"}

    def provider(more: str = "") -> Provider:
        text = FILE.replace('kind = "proxy"\nsecret_variable = "PROXY_SECRET"\n', PROVIDER + more)
        (tmp_path / "city.toml").write_text(text, encoding="utf-8")
        found = read_city(tmp_path / "city.toml", environment).sign_in
        assert isinstance(found, Provider)
        return found

    for silent in (provider(), provider("verified_by_provider = false\n")):
        with pytest.raises(Refused, match=r"no email_verified.* verified_by_provider = true in .sign_in."):
            person_of(claims, silent)
        assert person_of(claims | {"email_verified": True}, silent)[0] == "anna@city.example"
    trusted = provider("verified_by_provider = true\n")
    assert person_of(claims, trusted) == ("anna@city.example", ["data-office"])
    for said in (False, None, "false"):  # what the provider denies, no file says
        with pytest.raises(Refused, match="has not verified"):
            person_of(claims | {"email_verified": said}, trusted)
    assert person_of(claims, provider('person = "sub"\n'))[0] == "17"


# ---- identities in headers ----


@pytest.mark.parametrize("name", ["x-dpviz-person", "X-Dpviz-Person", "X-DPVIZ-PERSON", "x-DPVIZ-Roles"])
def test_no_spelling_of_the_trusted_headers_comes_through_from_outside(tmp_path: Path, name: str) -> None:
    behind = House(written(tmp_path))
    scope = {
        "type": "websocket",
        "path": "/_stcore/stream",
        "query_string": b"",
        "headers": [
            HOST,
            *((key.replace("_", "-").encode(), value.encode()) for key, value in by_proxy("piet@city.example").items()),
            (name.encode(), b"steward"),
            (name.encode(), b"steward"),
        ],
    }
    heard: list[tuple[bytes, bytes]] = []

    async def app(inner: Any, receive: Any, send: Any) -> None:
        heard.extend(inner["headers"])

    behind.door.app = app
    run_alone(behind.door(scope, nothing, nothing))
    ours = [(key, value) for key, value in heard if key.lower().startswith(b"x-dpviz")]
    assert ours == [(b"x-dpviz-person", b"piet@city.example"), (b"x-dpviz-roles", b"publisher")]


def test_an_identity_that_is_said_twice_is_none(tmp_path: Path) -> None:
    behind = House(written(tmp_path))

    def asked(*more: tuple[bytes, bytes]) -> bool:
        pairs = [HOST, (b"x-dpviz-key", SECRET.encode()), *more]
        scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": pairs}
        behind.reached.clear()

        run_alone(behind.door(scope, nothing, nothing))
        return bool(behind.reached)

    anna, group = (b"x-forwarded-email", b"anna@city.example"), (b"x-forwarded-groups", b"data-office")
    assert asked(anna, group)
    assert not asked(anna, (b"X-Forwarded-Email", b"eve@city.example"), group)
    assert not asked(anna, group, (b"X-FORWARDED-GROUPS", b"analysis"))
    assert not asked(anna, group, (b"x-dpviz-key", SECRET.encode()))
    assert not asked(anna, (b"x_forwarded_groups", b"data-office"))  # another name


# ---- sockets ----


def test_what_a_closed_socket_left_behind_is_let_go_of_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's library leaves an unfinished frame in a ring of objects; nothing else is made that counts."""
    behind = House(written(tmp_path))
    monkeypatch.setattr(request_guard, "_CLEARED_AFTER", 0.0)
    left: list[weakref.ref[Any]] = []

    class Line:
        def __init__(self) -> None:
            self.itself, self.frame = self, bytes(1 << 20)

    async def waits(receive: Any) -> None:
        left.append(weakref.ref(Line()))

    behind.waits = waits
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in by_proxy("piet@city.example").items()]
    scope = {"type": "websocket", "path": "/_stcore/stream", "query_string": b"", "headers": [HOST, *pairs]}

    async def story() -> None:
        for _ in range(3):
            await behind.door(dict(scope), nothing, nothing)
        await asyncio.sleep(0.05)

    gc.disable()
    try:
        run_alone(story())
        assert len(left) == 3 and [one() for one in left] == [None] * 3
    finally:
        gc.enable()


# ---- files ----


def test_an_upload_that_says_less_than_it_sends_is_cut_off_at_what_it_said(tmp_path: Path) -> None:
    """Counted is what was said: a body in pieces (transfer-encoding) that goes on would lie here uncounted."""
    behind = House(written(tmp_path))
    who = by_proxy("anna@city.example", "data-office")
    behind.ask("/_stcore/upload_file/s/f", method="PUT", content_length=str(1 << 20), **who)
    assert behind.body <= 1 << 20


def columns_of(folder: Path) -> Any:
    reading = RunningReading(Given(name="Taxi", place=str(folder)), None, Limits(seconds=60))
    return reading.columns()


@pytest.mark.parametrize("target", ["outside", "pipe", "device", "folder"])
def test_a_link_in_a_named_folder_gives_nothing_that_lies_elsewhere(tmp_path: Path, target: str) -> None:
    """Whoever may put files into a folder of records would otherwise have the curators' program read its own."""
    named, other = tmp_path / "taxi", tmp_path / "secret"
    named.mkdir()
    other.mkdir()
    (other / "ledger.csv").write_text("the-secret-of-the-house,b\n1,2\n")
    os.mkfifo(other / "pipe.csv")
    (named / "march.csv").write_text("lon,lat\n-73.9,40.7\n")
    leads = {"outside": other / "ledger.csv", "pipe": other / "pipe.csv", "device": Path("/dev/zero"), "folder": other}
    (named / ("april" if target == "folder" else "april.csv")).symlink_to(leads[target])
    if target == "outside":
        with pytest.raises(Exception, match="leads out of its folder") as refused:
            columns_of(named)
        assert "secret" not in str(refused.value)
        with pytest.raises(Exception, match="leads out of its folder"):
            RunningReading(
                Given(name="Taxi", place=str(named)), Wish(box=BOX, lon="lon", lat="lat", side=16), Limits(seconds=60)
            ).counts()
        return
    told = columns_of(named)  # neither waited for nor read
    assert "secret" not in json.dumps(told) and "lon" in json.dumps(told)
