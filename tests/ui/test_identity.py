"""Who may ask: the check in front of the app, on requests made by hand."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import pytest
from starlette.formparsers import MultiPartParser
from starlette.requests import Request

from dpviz.errors import InputError
from dpviz.hosting import identity
from dpviz.hosting.identity import Doorkeeper, key_of_this_start, refuse_other_addresses
from dpviz.ui.serving import server
from tests.ui.loops import run_alone

KEY = "k" * 43


class Answered:
    """What came back, and whether the app behind the check was reached."""

    def __init__(self) -> None:
        self.reached = False
        self.messages: list[dict[str, Any]] = []

    @property
    def status(self) -> int | str:
        first = self.messages[0]
        return first["type"] if "status" not in first else first["status"]

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.messages[0].get("headers", [])}

    @property
    def body(self) -> str:
        return b"".join(message.get("body", b"") for message in self.messages).decode()


class House:
    """The check with an app behind it that answers everything."""

    def __init__(self, public_address: str = "") -> None:
        self.answered = Answered()
        self.door = Doorkeeper(self.app, key=KEY, public_address=public_address)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:
        self.answered.reached = True
        kind = "websocket.accept" if scope["type"] == "websocket" else "http.response.start"
        await send({"type": kind, "status": 200, "headers": []} if kind.startswith("http") else {"type": kind})

    def ask(
        self, path: str = "/", query: str = "", kind: str = "http", method: str = "GET", **headers: str
    ) -> Answered:
        self.answered = Answered()
        named = {"host": "127.0.0.1:8501"} | {name.replace("_", "-"): value for name, value in headers.items()}
        scope = {
            "type": kind,
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "server": ("127.0.0.1", 8501),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in named.items()],
        }

        async def send(message: Any) -> None:
            self.answered.messages.append(message)

        run_alone(self.door(scope, None, send))  # type: ignore[arg-type]
        return self.answered

    def cookie(self) -> str:
        return self.ask(query=f"key={KEY}").headers["set-cookie"].split(";")[0]


@pytest.fixture
def house() -> House:
    return House()


def test_without_the_secret_nothing_answers_but_a_sentence(house: House) -> None:
    for path in ("/", "/compare", "/_stcore/stream", "/media/a.zip", "/app/static/style.json", "/_stcore/host-config"):
        answered = house.ask(path)
        assert answered.status == 403 and not answered.reached and "terminal" in answered.body
    for kind in ("http", "websocket"):
        assert not house.ask("/_stcore/stream", kind=kind, cookie=f"dpviz-8501={KEY}").reached
    assert house.ask("/_stcore/stream", kind="websocket").status == "websocket.close"


def test_the_secret_gives_a_cookie_and_leaves_the_address(house: House) -> None:
    answered = house.ask("/compare", query=f"level=Careful&key={KEY}&k=5")
    assert answered.status == 303 and not answered.reached
    assert answered.headers["location"] == "/compare?level=Careful&k=5"
    assert KEY not in answered.headers["set-cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(answered.headers["set-cookie"].split("; "))
    for kind in ("http", "websocket"):
        assert house.ask("/x", kind=kind, cookie=f"other=1; {house.cookie()}").reached


def test_the_secret_in_a_wrong_place_or_shape_is_none(house: House) -> None:
    assert house.ask(query=f"key={KEY[:-1]}").status == 403
    assert house.ask(query=f"key={KEY}&key=").status == 403
    assert house.ask(query=f"key={KEY}", method="POST").status == 403
    assert house.ask(query=f"key={KEY}", kind="websocket").status == "websocket.close"
    assert house.ask(query="key=é").status == 403
    assert house.ask(cookie='dpviz-8501="; \\"').status == 403


def test_cookies_of_other_programs_lock_nobody_out(house: House) -> None:
    """A cookie of a host is shown to all its ports: whatever another program left there, of whatever shape."""
    for beside in ('j={"a":1}', "a b=1", "p[]=1", 'x="q\\"', "alone", "=1", "dpviz-8501=of-somebody-else"):
        for cookie in (f"{beside}; {house.cookie()}", f"{house.cookie()}; {beside}"):
            assert house.ask(cookie=cookie).reached, cookie


def test_the_way_back_never_leads_to_another_host(house: House) -> None:
    for path in ("//evil.example/", "/\\evil.example", "//"):
        assert not house.ask(path, query=f"key={KEY}").headers["location"].startswith(("//", "/\\"))


def test_a_cookie_of_another_port_is_another_cookie(house: House) -> None:
    value = house.cookie().split("=")[1]
    assert not house.ask(cookie=f"dpviz-8502={value}").reached


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:9999", "http://localhost:8501", "https://evil.example", "null", "http://127.0.0.1:8501.evil"],
)
def test_another_origin_is_refused_port_and_name_included(house: House, origin: str) -> None:
    cookie = house.cookie()
    for kind in ("http", "websocket"):
        assert not house.ask("/_stcore/stream", kind=kind, cookie=cookie, origin=origin).reached
    assert house.ask("/_stcore/stream", kind="websocket", cookie=cookie, origin="http://127.0.0.1:8501").reached


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example:8501", "10.0.0.7:8501", "localhost:8501@evil", ""]
)
def test_another_name_for_this_machine_is_refused(house: House, host: str) -> None:
    assert not house.ask(cookie=house.cookie(), host=host).reached
    assert not house.ask(query=f"key={KEY}", host=host).headers.get("set-cookie")


def test_a_web_server_in_front_shows_the_secret_and_its_own_name_only() -> None:
    house, host = House("https://maps.city.example"), "maps.city.example"
    shown = {"host": host, "origin": f"https://{host}", "x_dpviz_key": KEY}
    for kind in ("http", "websocket"):
        assert house.ask(kind=kind, **shown).reached
        assert not house.ask(kind=kind, **(shown | {"x_dpviz_key": "guessed"})).reached
        assert not house.ask(kind=kind, **(shown | {"origin": "https://evil.example"})).reached
        assert not House().ask(kind=kind, **shown).reached
    assert not House().ask(x_dpviz_key=KEY).reached


@pytest.mark.parametrize(
    "address", ["http://maps.city.example", "maps.city.example", "https://a b", "https://x/path", "*"]
)
def test_a_public_address_is_one_name_with_https(address: str) -> None:
    with pytest.raises(InputError, match="https://maps"):
        Doorkeeper(House().app, key=KEY, public_address=address)


def test_other_pages_may_link_here_and_embed_nothing(house: House) -> None:
    cookie = house.cookie()
    asked = {"cookie": cookie, "sec_fetch_site": "same-site"}
    assert not house.ask("/media/a.png", sec_fetch_mode="no-cors", sec_fetch_dest="image", **asked).reached
    assert not house.ask(sec_fetch_mode="navigate", sec_fetch_dest="iframe", **asked).reached
    assert house.ask(sec_fetch_mode="navigate", sec_fetch_dest="document", **asked).reached


def test_health_says_ok_to_everybody_and_metrics_to_nobody(house: House) -> None:
    assert house.ask("/_stcore/health").reached
    assert not house.ask("/_stcore/health/", kind="http").reached
    assert house.ask("/_stcore/metrics", cookie=house.cookie()).status == 404


def test_every_answer_says_that_its_kind_is_meant(house: House) -> None:
    for answered in (house.ask(cookie=house.cookie()), house.ask()):
        assert answered.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "10.0.0.7", "example.org", "", None, "127.0.0.1.evil"])
def test_other_machines_are_not_let_in_without_a_sign_in(address: str | None) -> None:
    with pytest.raises(InputError, match="tunnel"):
        refuse_other_addresses(address)


@pytest.mark.parametrize("address", ["127.0.0.1", "localhost", "::1", "[::1]"])
def test_this_machine_is_let_in(address: str) -> None:
    refuse_other_addresses(address)


def test_the_secret_is_new_at_every_start_and_is_not_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert key_of_this_start() != key_of_this_start()
    monkeypatch.setenv(identity.GIVEN_KEY, KEY)
    assert key_of_this_start() == KEY and identity.GIVEN_KEY not in os.environ
    monkeypatch.setenv(identity.GIVEN_KEY, "short")
    with pytest.raises(InputError, match="32"):
        key_of_this_start()


def test_the_address_reaches_the_browser_by_a_file_that_others_cannot_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    opened: list[str] = []
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("webbrowser.open", lambda address: opened.append(address) or True)
    server.announce_address("::1", 8501, KEY)
    assert f"http://[::1]:8501/?key={KEY}" in capsys.readouterr().out and not opened
    monkeypatch.setenv(server.OPEN_BROWSER, "yes")
    server.announce_address("127.0.0.1", 8501, KEY)
    (page,) = tmp_path.iterdir()
    assert opened == [page.as_uri()] and KEY not in opened[0]
    assert page.stat().st_mode & 0o077 == 0 and f"key={KEY}" in page.read_text()


@pytest.mark.parametrize(("in_memory", "files"), [(True, 0), (False, 1)])
def test_an_upload_touches_no_disk_and_by_itself_would(
    monkeypatch: pytest.MonkeyPatch, in_memory: bool, files: int
) -> None:
    made: list[object] = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr("tempfile.TemporaryFile", lambda *given, **named: made.append(given) or real(*given, **named))
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    if in_memory:
        server.keep_uploads_in_memory()
    head = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    body = head + b"x" * (3 << 20) + b"\r\n--cut--\r\n"
    headers = [(b"content-type", b"multipart/form-data; boundary=cut")]

    async def upload() -> None:
        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": body, "more_body": False}

        async with Request({"type": "http", "headers": headers}, receive).form() as form:
            assert form["file"].size == 3 << 20  # type: ignore[union-attr]

    run_alone(upload())
    assert len(made) == files
