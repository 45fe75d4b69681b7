"""People with a page of a hosted house open, as a browser would have it: sign-in, socket, clicks."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates

PAUSE = 6.0  # seconds between two clicks of one person, on average
PATIENCE = 300.0
CLICKS_A_VISIT = 10  # then the tab is closed and the page opened anew
MOST_CENTERS = 8


@dataclass(frozen=True, kw_only=True)
class Rest:
    """One page that came to rest."""

    when: float
    seconds: float
    is_first: bool  # the page was opened; else something was clicked on it


@dataclass
class Person:
    """Somebody with a page open."""

    name: str
    address: str
    cookie: str = ""
    rests: list[Rest] = field(default_factory=list)
    asked: int = 0
    lost: int = 0  # no page came, or it does not show what was clicked
    why: list[str] = field(default_factory=list)


@dataclass
class Heard:
    """What a run of the page has sent: the controls on it by their label, and all bytes."""

    controls: dict[str, str] = field(default_factory=dict)
    session: str = ""
    content: list[bytes] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)  # to questions that are no run


async def sign_in(person: Person) -> None:
    """As a browser does it: to the provider, its form, and back."""
    async with httpx.AsyncClient(follow_redirects=True, timeout=PATIENCE) as client:
        form = await client.get(person.address + "/")
        back = await client.post(form.url, data={"sub": person.name})
        assert back.status_code == 200, (person.name, back.status_code)
        host = urlsplit(person.address)
        found = [one for one in client.cookies.jar if one.name == f"dpviz-{host.port}"]
        person.cookie = f"{found[0].name}={found[0].value}"


def line_of(person: Person, **more: Any) -> websockets.connect:
    """The socket of a page."""
    wanted: dict[str, Any] = {"max_size": None, "ping_interval": None, "open_timeout": PATIENCE} | more
    return websockets.connect(
        person.address.replace("http://", "ws://") + "/_stcore/stream",
        additional_headers={"Cookie": person.cookie},
        origin=websockets.Origin(person.address),
        subprotocols=[websockets.Subprotocol("streamlit")],
        **wanted,
    )


def question(states: WidgetStates | None = None) -> bytes:
    """A run of the page, with what its controls say."""
    message = BackMsg()
    message.rerun_script.page_name = ""
    message.rerun_script.query_string = ""
    if states is not None:
        message.rerun_script.widget_states.CopyFrom(states)
    sent: bytes = message.SerializeToString()
    return sent


async def heard_until_rest(line: websockets.ClientConnection) -> Heard:
    """Everything until the run of the page is over."""
    found = Heard()
    while True:
        content = await line.recv()
        message = ForwardMsg()
        message.ParseFromString(content if isinstance(content, bytes) else content.encode())
        kind = message.WhichOneof("type")
        if kind == "script_finished":
            return found
        if kind == "new_session":
            found.session = message.new_session.initialize.session_id or found.session
        elif kind == "delta":
            found.content.append(bytes(content) if isinstance(content, bytes) else content.encode())
            element = message.delta.new_element
            what = element.WhichOneof("type")
            if what in ("number_input", "file_uploader", "button"):
                control = getattr(element, what)
                found.controls[control.label] = control.id


async def work(person: Person, until: float, first: float, *, clicks: bool) -> None:
    """Open the page, ask for other numbers of centers (or for the page again), come back, until the time is over."""
    await asyncio.sleep(first)
    wanted = sum(map(ord, person.name))
    # Equal pauses would lock everybody into one step after the first wait that all share: fifty clicks in one moment,
    # answered together, then fifty pauses. People look for longer or shorter.
    chance = random.Random(person.name)
    while time.monotonic() < until:
        try:
            async with line_of(person) as line:
                heard: Heard | None = None
                for turn in range(CLICKS_A_VISIT):
                    if time.monotonic() >= until:
                        return
                    states, k = WidgetStates(), 0
                    if heard is not None and clicks and "Centers to look for" in heard.controls:
                        wanted += 1
                        k = 2 + wanted % (MOST_CENTERS - 1)
                        control = states.widgets.add()
                        control.id, control.double_value = heard.controls["Centers to look for"], float(k)
                    heard = await _asked(person, line, states, k, is_first=turn == 0)
                    await asyncio.sleep(PAUSE * chance.uniform(0.3, 1.7))
        except (TimeoutError, OSError, websockets.WebSocketException) as problem:
            person.lost += 1
            person.why.append(type(problem).__name__)
            await asyncio.sleep(PAUSE * chance.uniform(0.3, 1.7))


async def _asked(
    person: Person, line: websockets.ClientConnection, states: WidgetStates, k: int, *, is_first: bool
) -> Heard:
    begun = time.monotonic()
    person.asked += 1
    await line.send(question(states))
    heard = await asyncio.wait_for(heard_until_rest(line), PATIENCE)
    person.rests.append(Rest(when=begun, seconds=time.monotonic() - begun, is_first=is_first))
    if k and not any(f"{k} centers of A".encode() in content for content in heard.content):
        person.lost += 1
        person.why.append(f"{k} centers were asked for and not shown")
    return heard
