"""A small web server in front of a house that signs people in itself: it knows them by a cookie, and names them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator, Mapping

COOKIE = "front-door"


class Front:
    """One address in front of one program. `adds_only`: leaves what the browser said about itself."""

    def __init__(self, port: int, behind: int, secret: str, groups: Mapping[str, str], *, adds_only: bool = False):
        self._port, self._behind, self._secret = port, behind, secret
        self._groups, self._adds_only = groups, adds_only
        self.open: set[asyncio.StreamWriter] = set()

    async def serve(self) -> asyncio.Server:
        return await asyncio.start_server(self._one, "localhost", self._port)

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with self._held(writer), contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            there, back = await asyncio.open_connection("localhost", self._behind)
            with self._held(back):
                back.write(self._rewritten(head).encode("latin-1"))
                await asyncio.gather(_pass_on(reader, back), _pass_on(there, writer))

    @contextlib.contextmanager
    def _held(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        self.open.add(writer)
        with contextlib.closing(writer):
            yield
        self.open.discard(writer)

    def _rewritten(self, head: str) -> str:
        """The request with the secret and the person; one request for each connection, but for sockets."""
        first, *lines = head.strip().split("\r\n")
        named = [(line.partition(":")[0].strip().lower(), line.partition(":")[2].strip()) for line in lines]
        is_socket = any(name == "upgrade" for name, _ in named)
        cookies = "; ".join(value for name, value in named if name == "cookie").split("; ")
        person = next((one.partition("=")[2] for one in cookies if one.startswith(COOKIE + "=")), "")
        dropped = () if self._adds_only else ("x-dpviz-key", "x-forwarded-email", "x-forwarded-groups")
        kept = [(name, value) for name, value in named if name not in dropped and (is_socket or name != "connection")]
        kept += [("x-dpviz-key", self._secret), ("x-forwarded-email", person and f"{person}@city.example")]
        kept += [("x-forwarded-groups", self._groups.get(person, ""))]
        kept += [] if is_socket else [("connection", "close")]
        return "\r\n".join([first, *(f"{name}: {value}" for name, value in kept)]) + "\r\n\r\n"


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.closing(writer), contextlib.suppress(OSError):
        while some := await reader.read(65_536):
            writer.write(some)
            await writer.drain()


@contextlib.contextmanager
def standing(*fronts: Front) -> Iterator[None]:
    """All of them, in a thread, until the end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    servers = [asyncio.run_coroutine_threadsafe(front.serve(), loop).result(20) for front in fronts]
    try:
        yield
    finally:
        asyncio.run_coroutine_threadsafe(_closed(servers, fronts), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _closed(servers: list[asyncio.Server], fronts: tuple[Front, ...]) -> None:
    """Ends the sockets that a browser has left open, so that nobody waits for one that is gone."""
    for server in servers:
        server.close()
    for front in fronts:
        for writer in front.open:
            writer.transport.abort()
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
