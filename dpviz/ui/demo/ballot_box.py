"""The page of votes: a program of its own, on a port of its own, that knows nothing but votes.

    python -m dpviz.ui.demo.ballot_box

It runs only between "Let phones vote" and "Stop phones". It binds the one address of this machine in the local network,
answers three paths that begin with a code of its own, and takes one vote a telephone and round: in, or out. The app
says on standard input which round is on, and reads the counts from standard output; there is no other way between the
two, so nothing of the app, its data or its key can be reached from here. It ends when its input ends.

The code is too long to be tried through: there is no limit on tries, because a limit could shut others out. One address
of the network has a few names and connections; whoever takes more loses their own.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import sys
import threading
from collections import Counter
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs

MOST_PHONES: Final = 2000
MOST_OF_ADDRESS: Final = 8  # telephones behind one address of the network
MOST_CONNECTIONS: Final = 24  # of one address at a time
ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"  # no sign that looks like another one
GROUPS, LETTERS = 2, 5  # of the code: 31 to the 10th, 49 bits
LONGEST_VOTE: Final = 64  # bytes
COOKIE: Final = "dpviz-vote"
_SAYING = threading.Lock()
_THIS_NETWORK: Final = ("224.0.0.1", 9)  # everybody on this link (RFC 5771): no router passes it on

_WEB: Final = Path(__file__).parent / "web"
PAGE: Final = (_WEB / "ballot.html").read_text("utf-8").replace("SCRIPT", (_WEB / "ballot.js").read_text("utf-8"))


class Box:
    """The votes of the round that is on. The last vote of a telephone counts.

    One address of the network has names for `MOST_OF_ADDRESS` telephones. A further one replaces one of that address
    that has not voted, or else the oldest: who asks for many names loses their own, and nobody elsewhere loses any.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._round, self._turn = 0, 0
        self._votes: dict[str, int] = {}
        self._addresses: dict[str, str] = {}  # of each name, the oldest name first

    def state(self) -> dict[str, int]:
        """Which round is on, and how often its box was emptied."""
        return {"round": self._round, "turn": self._turn}

    def begin(self, number: int) -> None:
        """A new round empties the box; the same one again does not."""
        with self._lock:
            if number != self._round:
                self._round, self._votes = number, {}

    def empty(self) -> None:
        """Discard the votes of this round; telephones may vote again."""
        with self._lock:
            self._turn, self._votes = self._turn + 1, {}

    def new_phone(self, address: str) -> str:
        """A name for a telephone of this address that has none."""
        with self._lock:
            crowded = address if list(self._addresses.values()).count(address) >= MOST_OF_ADDRESS else ""
            if not crowded and len(self._addresses) >= MOST_PHONES:  # not of an address with a single name
                crowded = Counter(self._addresses.values()).most_common(1)[0][0]
            if crowded:
                own = [name for name, home in self._addresses.items() if home == crowded]
                gone = next((name for name in own if name not in self._votes), own[0])
                del self._addresses[gone]
                self._votes.pop(gone, None)
            name = secrets.token_urlsafe(12)
            self._addresses[name] = address
            return name

    def knows(self, phone: str) -> bool:
        """Whether the box gave out this name and it counts still."""
        return phone in self._addresses

    def vote(self, phone: str, number: int, side: int) -> bool:
        """Take a vote; False where the telephone is unknown or the round over."""
        with self._lock:
            if phone not in self._addresses or number != self._round or side not in (0, 1):
                return False
            self._votes[phone] = side
            return True

    def counts(self) -> dict[str, Any]:
        """What the app is told."""
        with self._lock:
            sides = list(self._votes.values())
            return {"round": self._round, "votes": [sides.count(0), sides.count(1)]}


class Desk(BaseHTTPRequestHandler):
    """Three paths: the page, which round is on, and a vote. Everything else is not there."""

    server: BallotServer
    timeout = 5
    server_version, sys_version = "votes", ""

    def do_GET(self) -> None:
        """The page, or which round is on."""
        asked = self._asked()
        if asked == "/now":
            self._answer(200, json.dumps(self.server.box.state()).encode(), kind="application/json")
        elif asked is not None and asked != "/vote" and not self.path.startswith(self.server.path):
            self._answer(303, b"", more={"Location": self.server.path})  # cookies know capitals from small letters
        elif asked == "":
            self._page()
        else:
            self._answer(404, b"")

    def do_POST(self) -> None:
        """A vote."""
        size = self.headers.get("Content-Length", "")
        if self._asked() != "/vote":
            self._answer(404, b"")
        elif not size.isdecimal() or int(size) > LONGEST_VOTE:
            self.close_connection = True
            self._answer(413, b"")
        else:
            said = parse_qs(self.rfile.read(int(size)).decode("ascii", "replace"))
            number, side = (said.get(name, [""])[0] for name in ("round", "in"))
            known = number.isdecimal() and side.isdecimal()
            taken = known and self.server.box.vote(self._phone(), int(number), int(side))
            self._answer(204 if taken else 409, b"")
            if taken:
                say(self.server.box.counts())

    def _asked(self) -> str | None:
        """What was asked for behind the code, typed in whatever manner; None where host or code is another one."""
        code, found, rest = self.path.removeprefix("/").partition("/")
        typed = code.lower().replace("-", "").encode("utf-8", "replace")
        known = hmac.compare_digest(typed, self.server.code.encode()) and self.headers.get("Host") == self.server.host
        return (found + rest).rstrip("/") if known else None

    def _phone(self) -> str:
        try:
            found = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return "" if found is None else found.value

    def _page(self) -> None:
        phone = self._phone()
        name = phone if self.server.box.knows(phone) else self.server.box.new_phone(self.client_address[0])
        nonce = secrets.token_urlsafe(12)
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; connect-src 'self'"
        more = {
            "Set-Cookie": f"{COOKIE}={name}; HttpOnly; SameSite=Strict; Path={self.server.path}",
            "Content-Security-Policy": policy,
        }
        self._answer(200, PAGE.replace("NONCE", nonce).encode(), kind="text/html", more=more)

    def _answer(self, code: int, body: bytes, *, kind: str = "text/plain", more: dict[str, str] | None = None) -> None:
        self.send_response(code)
        said = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body)), "Cache-Control": "no-store"}
        said |= {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
        for name, value in (said | (more or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody's address is written down."""


class BallotServer(ThreadingHTTPServer):
    """The box behind its three paths."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: str) -> None:
        super().__init__((address, 0), Desk)
        self.box = Box()
        groups = ["".join(secrets.choice(ALPHABET) for _ in range(LETTERS)) for _ in range(GROUPS)]
        self.code, self.path = "".join(groups), f"/{'-'.join(groups)}"
        self.host = f"{address}:{self.server_port}"
        self._lock = threading.Lock()
        self._open: dict[int, str] = {}  # sockets that are answered, with the address of each

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether this connection is answered: one address has so many at a time."""
        with self._lock:
            if list(self._open.values()).count(client_address[0]) >= MOST_CONNECTIONS:
                return False
            self._open[id(request)] = client_address[0]
            return True

    def shutdown_request(self, request: Any) -> None:
        """Close a connection, and count it no longer."""
        with self._lock:
            self._open.pop(id(request), None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nobody's address is written down, also where a connection broke."""


def say(told: dict[str, Any]) -> None:
    """One line to the app."""
    with _SAYING:
        sys.stdout.write(json.dumps(told) + "\n")
        sys.stdout.flush()


async def own_address() -> str:
    """This machine's address in the local network, or that of the machine itself.

    The system is asked from which of its addresses it would speak to its own link. Nothing is sent, no name is looked
    up, and the address that is named leads nowhere outside. Without a network the page is this machine's alone.
    """
    loop = asyncio.get_running_loop()
    try:
        transport, _ = await loop.create_datagram_endpoint(asyncio.DatagramProtocol, remote_addr=_THIS_NETWORK)
    except OSError:
        return "127.0.0.1"
    address = str(transport.get_extra_info("sockname")[0])
    transport.close()
    return address


def main(address: str | None = None) -> None:
    """Serve until the input ends."""
    server = BallotServer(address or asyncio.run(own_address()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    say({"address": f"http://{server.host}{server.path}"})
    for line in sys.stdin:
        try:
            said = json.loads(line)
            if said.get("empty") is True:
                server.box.empty()
            else:
                server.box.begin(int(said["round"]))
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        say(server.box.counts())
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
