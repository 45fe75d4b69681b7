"""Files of the pages answered from memory, and without a pause between the pieces of an answer."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from dpviz.ui.serving.prompt_answers import answer_promptly
from dpviz.ui.serving.server import KeptFiles
from tests.ui.loops import run_alone

SCRIPT = "/static/js/index.abc.js"


class Disk:
    """A server behind, which counts how often it is asked."""

    def __init__(self, *, status: int = 200, **headers: str) -> None:
        self.asked = 0
        self._start = {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
        }
        self.kept = KeptFiles(self)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked += 1
        await send(dict(self._start))
        await send({"type": "http.response.body", "body": b"one ", "more_body": True})
        await send({"type": "http.response.body", "body": scope["path"].encode()})

    def ask(self, path: str = SCRIPT, method: str = "GET", query: bytes = b"", **headers: str) -> tuple[Any, bytes]:
        """What a browser gets."""
        got: list[Any] = []

        async def send(message: Any) -> None:
            got.append(message)

        named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {"type": "http", "method": method, "path": path, "query_string": query, "headers": named}
        run_alone(self.kept(scope, None, send))  # type: ignore[arg-type]
        return got[0], b"".join(message.get("body", b"") for message in got[1:])


def test_a_file_is_read_once_and_answered_the_same() -> None:
    disk = Disk(cache_control="public, immutable", content_security_policy="default-src 'self'")
    first, again = disk.ask(), disk.ask()
    assert again == first and again[1] == f"one {SCRIPT}".encode() and disk.asked == 1
    assert disk.ask(accept_encoding="gzip") == first and disk.asked == 2, "another packing is another answer"
    assert disk.ask("/static/js/other.js")[1] == b"one /static/js/other.js" and disk.asked == 3


def test_an_answer_with_more_headers_does_not_grow_for_the_next() -> None:
    disk = Disk(cache_control="public")
    disk.ask()
    disk.ask()[0]["headers"].append((b"x-more", b"1"))
    assert (b"x-more", b"1") not in disk.ask()[0]["headers"]


@pytest.mark.parametrize(
    "asked",
    [
        {"path": "/"},
        {"path": "/compare"},
        {"path": "/media/a.bin"},
        {"path": "/_stcore/health"},
        {"method": "HEAD"},
        {"query": b"v=1"},
        {"range": "bytes=0-9"},
        {"origin": "http://127.0.0.1:8501"},
        {"if_none_match": '"abc"'},
    ],
)
def test_what_belongs_to_one_visitor_is_asked_every_time(asked: dict[str, Any]) -> None:
    disk = Disk(cache_control="public")
    disk.ask(**asked)
    disk.ask(**asked)
    assert disk.asked == 2


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"cache_control": "no-cache"},
        {"cache_control": "public", "set_cookie": "who=1"},
        {"cache_control": "public", "status": 404},
    ],
)
def test_what_is_not_for_everybody_is_not_kept(said: dict[str, Any]) -> None:
    disk = Disk(**said)
    disk.ask()
    disk.ask()
    assert disk.asked == 2


def test_every_line_from_a_listening_socket_answers_promptly() -> None:
    with socket.socket() as listening, socket.socket() as browser:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        assert answer_promptly() >= 1
        browser.connect(listening.getsockname())
        line, _ = listening.accept()
        with line:
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
