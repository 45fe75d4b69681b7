"""The running server towards strangers: other accounts' programs, other pages, other machines."""

from __future__ import annotations

import contextlib
import http.client
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Server, serving
from tests.browser.steps import holds

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def asked_outside() -> Iterator[tuple[str, list[bytes]]]:
    """A stand-in for the way out: it notes what the server asks of the world."""
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            while True:
                try:
                    caller, _ = listener.accept()
                except OSError:
                    return
                with caller:
                    heard.append(caller.recv(4096))
                    caller.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n127.0.0.9")

        threading.Thread(target=listen, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", heard
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def house(
    project_root: Path, tmp_path_factory: pytest.TempPathFactory, asked_outside: tuple[str, list[bytes]]
) -> Iterator[Server]:
    ways_out = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"), asked_outside[0])
    folder, published = tmp_path_factory.mktemp("house"), tmp_path_factory.mktemp("published")
    with serving(project_root, "analyst_app.py", folder, DPVIZ_RELEASES=str(published), **ways_out) as server:
        yield server


def ask(server: Server, path: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=30)
    with contextlib.closing(connection):
        connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        with answer:
            return answer.status, answer.getheader("Set-Cookie") or ""


def cookie_of(server: Server) -> str:
    return ask(server, f"/?key={server.key}")[1].split(";")[0]


SOCKET = {
    "Upgrade": "websocket",
    "Connection": "Upgrade",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec_WebSocket_Version": "13",
}


def test_a_program_of_another_account_gets_no_page_no_file_and_no_socket(house: Server) -> None:
    for path in ("/", "/_stcore/host-config", "/app/static/style.json", "/static/index.html"):
        assert ask(house, path)[0] == 403
    assert ask(house, "/_stcore/stream", **SOCKET)[0] == 403
    assert ask(house, "/_stcore/stream", Cookie=cookie_of(house), **SOCKET)[0] == 101


def test_a_page_of_another_port_opens_no_socket_and_sends_the_server_nowhere(
    house: Server, asked_outside: tuple[str, list[bytes]]
) -> None:
    for origin in ("http://127.0.0.1:1", "http://localhost:1", "https://evil.example"):
        for path, more in (("/_stcore/stream", SOCKET), ("/_stcore/health", {}), ("/_stcore/host-config", {})):
            assert ask(house, path, Cookie=cookie_of(house), Origin=origin, **more)[0] == 403
    assert asked_outside[1] == []


def test_another_machines_name_for_this_one_is_refused(house: Server) -> None:
    assert ask(house, "/", Cookie=cookie_of(house), Host="city-office.example:8501")[0] == 403


def test_a_browser_opens_the_shown_address_and_then_the_plain_one(house: Server, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(house.url)
    expect(page.locator("body")).to_contain_text("dpviz showed in the terminal", use_inner_text=True)
    page.goto(house.address())
    page.wait_for_selector("h1")
    expect(page).to_have_url(house.url + "/")
    holds(lambda: house.key not in page.content())
    page.goto(house.url)
    page.wait_for_selector("[data-testid=stApp] h1")
    context.close()


def test_no_other_address_than_this_machine_is_served(project_root: Path) -> None:
    command = [sys.executable, "-m", "streamlit", "run", "analyst_app.py", "--server.address", "0.0.0.0"]
    ended = subprocess.run(command, cwd=project_root, capture_output=True, text=True, timeout=120, check=False)
    assert ended.returncode != 0 and "would let other machines in" in ended.stderr and "Traceback" not in ended.stderr
