"""The page of votes: a program of its own, on a port of its own, that knows nothing but votes.

    python -m dpviz.ui.demo.ballot_box

It runs only between "Let phones vote" and "Stop phones". It binds the one address of this machine in the local network,
answers three paths that begin with a code of its own, and takes one vote a telephone and round: in, or out. The app
says on standard input which round is on, and reads the counts from standard output; there is no other way between the
two, so nothing of the app, its data or its key can be reached from here. It ends when its input ends.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import threading
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs

MOST_PHONES: Final = 2000
LONGEST_VOTE: Final = 64  # bytes
COOKIE: Final = "dpviz-vote"
_THIS_NETWORK: Final = ("224.0.0.1", 9)  # everybody on this link (RFC 5771): no router passes it on

PAGE: Final = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Is she in it?</title><style>
body{{margin:0;min-height:100vh;display:grid;grid-template-rows:auto 1fr 1fr auto;gap:16px;
padding:20px;box-sizing:border-box;
background:#070c16;color:#fff;font:22px system-ui,sans-serif}}h1{{font-size:28px;margin:0}}
button{{font:700 30px system-ui,sans-serif;border:0;border-radius:22px;color:#10060b;background:#ff8fb4}}
button+button{{background:#c3cfe2}}button[aria-pressed=true]{{outline:6px solid #ffd166}}p{{margin:0;min-height:1.5em}}
</style><h1>Is she in it?</h1><button id="in">She is in it</button><button id="out">She is not</button>
<p role="status" id="told">Look at the screen, then choose.</p>
<script nonce="{nonce}">
let round = null;
const told = document.getElementById('told'), buttons = [document.getElementById('out'), document.getElementById('in')];
async function look() {{
  try {{
    const now = (await (await fetch('{path}/now')).json()).round;
    if (now === round) return;
    round = now;
    buttons.forEach(b => b.setAttribute('aria-pressed', 'false'));
    told.textContent = 'A new map. What do you think?';
  }} catch {{ told.textContent = 'Voting is over.'; }}
}}
buttons.forEach((button, side) => button.addEventListener('click', async () => {{
  try {{
    const answer = await fetch('{path}/vote', {{ method: 'POST', body: `round=${{round}}&in=${{side}}` }});
    if (!answer.ok) throw new Error();
    buttons.forEach((b, at) => b.setAttribute('aria-pressed', String(at === side)));
    told.textContent = 'Counted. You may change your mind.';
  }} catch {{ told.textContent = 'That did not arrive. Try again.'; }}
}}));
look(); setInterval(look, 1500);
</script></html>"""


class Box:
    """The votes of the round that is on. The last vote of a telephone counts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._round = 0
        self._votes: dict[str, int] = {}
        self._phones: set[str] = set()

    @property
    def round(self) -> int:
        """Which round is on."""
        return self._round

    def begin(self, number: int) -> None:
        """A new round empties the box; the same one again does not."""
        with self._lock:
            if number != self._round:
                self._round, self._votes = number, {}

    def new_phone(self) -> str | None:
        """A name for a telephone that has none; None where there are too many."""
        with self._lock:
            if len(self._phones) >= MOST_PHONES:
                return None
            name = secrets.token_urlsafe(12)
            self._phones.add(name)
            return name

    def knows(self, phone: str) -> bool:
        """Whether this box gave out the name."""
        return phone in self._phones

    def vote(self, phone: str, number: int, side: int) -> bool:
        """Take a vote; False where the telephone is unknown or the round over."""
        with self._lock:
            if phone not in self._phones or number != self._round or side not in (0, 1):
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
        if not self._asked_by_name():
            self._answer(404, b"")
        elif self.path == self.server.path:
            self._page()
        elif self.path == f"{self.server.path}/now":
            self._answer(200, json.dumps({"round": self.server.box.round}).encode(), kind="application/json")
        else:
            self._answer(404, b"")

    def do_POST(self) -> None:
        """A vote."""
        size = self.headers.get("Content-Length", "")
        if not self._asked_by_name() or self.path != f"{self.server.path}/vote":
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

    def _asked_by_name(self) -> bool:
        return self.headers.get("Host", "") == self.server.host

    def _phone(self) -> str:
        try:
            found = SimpleCookie(self.headers.get("Cookie", "")).get(COOKIE)
        except CookieError:
            return ""
        return "" if found is None else found.value

    def _page(self) -> None:
        phone = self._phone()
        name = phone if self.server.box.knows(phone) else self.server.box.new_phone()
        if name is None:
            self._answer(503, b"Too many telephones.")
            return
        nonce = secrets.token_urlsafe(12)
        policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'nonce-{nonce}'; connect-src 'self'"
        more = {
            "Set-Cookie": f"{COOKIE}={name}; HttpOnly; SameSite=Strict; Path={self.server.path}",
            "Content-Security-Policy": policy,
        }
        self._answer(200, PAGE.format(nonce=nonce, path=self.server.path).encode(), kind="text/html", more=more)

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

    def __init__(self, address: str) -> None:
        super().__init__((address, 0), Desk)
        self.box = Box()
        self.path = f"/{secrets.randbelow(9000) + 1000}"
        self.host = f"{address}:{self.server_port}"


def say(told: dict[str, Any]) -> None:
    """One line to the app."""
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
            server.box.begin(int(json.loads(line)["round"]))
        except (ValueError, KeyError, TypeError):
            continue
        say(server.box.counts())
    server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else None)
