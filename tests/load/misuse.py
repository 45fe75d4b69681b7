"""Those who mean no good, each signed in as an analyst or not at all, and what became of them."""

from __future__ import annotations

import asyncio
import contextlib
import io
import time
import zipfile
from urllib.parse import urlsplit

import httpx
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetStates

from dpviz.ui.compare import words as say
from tests.load.people import PATIENCE, Person, heard_until_rest, line_of, question

HALF_OPEN = 1000
TOO_LARGE = 80 * 2**20
SLOW_READERS = 10
UNREAD = 60  # pages that each slow reader asks for and never reads
BOMBS = 10


async def misuse(addresses: tuple[str, str], eve: Person, until: float, told: dict[str, str]) -> None:
    """One after the other, and then all that is open is held until the end."""
    held = contextlib.AsyncExitStack()
    async with held:
        told["half-open sockets"] = f"{await _half_open(addresses, held)} held until the end"
        told["readers that never read"] = await _slow_readers(eve, held)
        told["a frame of 80 MB"] = await _large_frame(eve)
        for size, name in ((10 * 2**30, "an upload that says 10 GB"), (65 * 2**20, "an upload above the role's limit")):
            told[name] = await _said_size(eve, size)
        told[f"{BOMBS} files that unpack to 1 GB each"] = await _bombs(eve)
        await asyncio.sleep(max(0.0, until - time.monotonic()))


async def _half_open(addresses: tuple[str, str], held: contextlib.AsyncExitStack) -> int:
    """Connections that begin to ask and never go on."""
    count = 0
    for number in range(HALF_OPEN):
        with contextlib.suppress(OSError):
            target = urlsplit(addresses[number % 2])
            _, writer = await asyncio.open_connection(target.hostname, target.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost")
            held.callback(writer.close)
            count += 1
    return count


async def _slow_readers(person: Person, held: contextlib.AsyncExitStack) -> str:
    """Sockets that ask for page after page and take nothing in, until all buffers on the way are full."""
    for _ in range(SLOW_READERS):
        line = await held.enter_async_context(line_of(person, max_queue=1, close_timeout=1))
        for _ in range(UNREAD):
            await line.send(question())
    return f"{SLOW_READERS} sockets, {UNREAD} pages asked for on each, held until the end"


async def _large_frame(person: Person) -> str:
    try:
        async with line_of(person) as line:
            await line.send(b"\0" * TOO_LARGE)
            while True:
                await asyncio.wait_for(line.recv(), 30)
    except websockets.ConnectionClosed as closed:
        return f"its socket was closed ({closed.rcvd.code if closed.rcvd else 'no word'})"
    except TimeoutError:
        return "kept open"
    except OSError as error:
        return f"its socket was closed ({type(error).__name__})"


async def _said_size(person: Person, size: int) -> str:
    """What is answered to an upload that says how large it will be, before a byte of it is sent."""
    host = urlsplit(person.address)
    reader, writer = await asyncio.open_connection(host.hostname, host.port)
    head = f"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: {host.netloc}\r\nCookie: {person.cookie}\r\n"
    writer.write(f"{head}Content-Length: {size}\r\n\r\n".encode())
    first = await asyncio.wait_for(reader.readline(), PATIENCE)
    writer.close()
    return f"refused before a byte was read ({first.decode().strip()})"


async def _bombs(person: Person) -> str:
    """A small zip that unpacks to a gigabyte, opened as a release again and again."""
    content = await asyncio.to_thread(_bomb)  # this program has to go on answering for everybody else
    refused, seconds = 0, 0.0
    async with line_of(person) as line:
        await line.send(question())
        heard = await asyncio.wait_for(heard_until_rest(line), PATIENCE)
        for _ in range(BOMBS):
            begun = time.monotonic()
            states = await _uploaded(person, line, heard.controls["Open a release file (zip)"], content)
            await line.send(question(states))
            after = await asyncio.wait_for(heard_until_rest(line), PATIENCE)
            refused += any(say.BAD_ZIP.encode() in content for content in after.content)
            seconds += time.monotonic() - begun
    return f"{refused} refused with a sentence, {len(content) / 1e3:,.0f} kB each, {seconds / BOMBS:.1f} s each"


def _bomb() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("release.json", "{}")
        with archive.open("map.html", "w", force_zip64=True) as entry:
            for _ in range(1024):
                entry.write(bytes(2**20))
    return file.getvalue()


async def _uploaded(person: Person, line: websockets.ClientConnection, control: str, content: bytes) -> WidgetStates:
    """The file is sent as a browser sends it; what the control then says."""
    asked = BackMsg()
    asked.file_urls_request.request_id = "one"
    asked.file_urls_request.file_names.append("release.zip")
    asked.file_urls_request.session_id = ""
    await line.send(asked.SerializeToString())
    answer = ForwardMsg()
    while answer.WhichOneof("type") != "file_urls_response":
        heard = await asyncio.wait_for(line.recv(), PATIENCE)
        answer.ParseFromString(heard if isinstance(heard, bytes) else heard.encode())
    (place,) = answer.file_urls_response.file_urls
    name, _, value = person.cookie.partition("=")
    async with httpx.AsyncClient(timeout=PATIENCE, cookies={name: value}) as client:
        await client.get(person.address + "/_stcore/health")
        sent = await client.put(
            person.address + place.upload_url,
            files={"file": ("release.zip", content, "application/zip")},
            headers={"X-Xsrftoken": client.cookies.get("_streamlit_xsrf", "")},
        )
        assert sent.status_code in (200, 204), sent.status_code
    states = WidgetStates()
    widget = states.widgets.add()
    widget.id = control
    told = widget.file_uploader_state_value.uploaded_file_info.add()
    told.name, told.size, told.file_id = "release.zip", len(content), place.file_id
    told.file_urls.CopyFrom(place)
    return states
