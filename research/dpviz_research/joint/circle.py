"""Connections between all holders: one TLS connection per pair, frames with a bound, one exchange per round.

The lower-numbered holder of a pair listens, the other one connects. A connection counts only when the certificate of
its other end is, to the byte, the one that the plan pins for that holder. Everything runs in one event loop in a thread
of its own; the caller exchanges rounds of messages and waits.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import ssl
import struct
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from dpviz import __version__
from dpviz.errors import CHARGED, DpvizError
from dpviz_research.joint.certificates import tls_context
from dpviz_research.joint.plan import JointPlan

Value = TypeVar("Value")
_HEADER = struct.Struct(">II")  # bytes of JSON, bytes of numbers
_LONGEST = 1 << 28
_AGAIN_SECONDS = 0.25
_MOST_APART_SECONDS = 600.0
STOP = "stop"


class JointError(DpvizError):
    """A joint run that ended: who ended it and what to do. Its exit code says whether this holder was charged.

    `public_reason` is what the other holders may read: it tells nothing of any record.
    """

    public_reason = "it cannot go on; its own screen says why."


class WentAway(JointError):
    """A connection ended. Where another holder said why, that is told instead."""


class Circle:
    """All connections of one holder of a plan. Use as a context manager."""

    def __init__(
        self, plan: JointPlan, holder: str, *, wait: float = 120.0, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self.plan, self.place = plan, plan.place_of(holder)
        self.others = [place for place in range(len(plan.holders)) if place != self.place]
        self.sent = self.received = 0  # bytes
        self.charged = False
        self.run_id, self.clock = "", 0.0  # known once all have been reached
        self._wait, self._tell = wait, tell
        self._server_tls = tls_context(plan, holder, as_server=True)
        self._client_tls = tls_context(plan, holder, as_server=False)
        self._ends: dict[int, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self._arrived = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="joint", daemon=True)
        self._server: asyncio.Server | None = None

    def __enter__(self) -> Circle:
        self._thread.start()
        try:
            self._call(self._connect())
            self._agree()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self._say_stop(error)
        self._call(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        if not self._loop.is_running():
            self._loop.close()

    def _agree(self) -> None:
        """[P1] Compare version, plan and clock with everybody, and agree on a run number."""
        nonce, clock = secrets.token_hex(16), time.time()
        answers = self.exchange(
            "hello", {"version": __version__, "plan": self.plan.digest, "nonce": nonce, "clock": clock}
        )
        nonces, clocks = {self.place: nonce}, [clock]
        for place, (facts, _) in sorted(answers.items()):
            there = self.name(place)
            if facts.get("version") != __version__:
                raise self.trouble(f"{there} runs another version of dpviz than {__version__}.", "versions differ.")
            if facts.get("plan") != self.plan.digest:
                raise self.trouble(
                    f"{there} has another plan. Compare the files: every value and certificate must be equal.",
                    "plans differ.",
                )
            nonces[place], given = str(facts.get("nonce")), facts.get("clock")
            if not isinstance(given, float) or abs(given - clock) > _MOST_APART_SECONDS:
                raise self.trouble(
                    f"the clocks of {there} and of this machine differ by more than ten minutes; set them.",
                    "clocks differ by more than ten minutes.",
                )
            clocks.append(given)
        self.clock = max(clocks)  # the same on all sides
        joined = "".join(nonces[place] for place in sorted(nonces))
        self.run_id = hashlib.sha256(f"{self.plan.digest}{joined}".encode()).hexdigest()[:32]

    def exchange(
        self, kind: str, facts: Mapping[str, Any], numbers: Mapping[int, bytes] | bytes = b""
    ) -> dict[int, tuple[dict[str, Any], bytes]]:
        """Send one message to every other holder and wait for one of the same kind from each."""
        return self._call(self._round(kind, facts, numbers))

    def name(self, place: int) -> str:
        """The name of a holder."""
        return self.plan.holders[place].name

    def trouble(self, text: str, public_reason: str = "", kind: type[JointError] = JointError) -> JointError:
        """An error of this run; what it says of the charge is true for this holder."""
        if self.charged:
            ending = "This holder was charged; nothing is shown or written. A new run is a new draw and a new charge."
        else:
            ending = "Nothing was charged."
        error = kind(f"{text} {ending}")
        if public_reason:
            error.public_reason = public_reason
        if self.charged:
            error.exit_code = CHARGED
        return error

    # ---- in the thread of the event loop ----

    def _call(self, work: Coroutine[Any, Any, Value]) -> Value:
        future: Future[Value] = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    async def _connect(self) -> None:
        own = self.plan.holders[self.place]
        if any(place > self.place for place in self.others):
            try:
                self._server = await asyncio.start_server(
                    self._accept, own.host, own.port, ssl=self._server_tls, limit=1 << 20
                )
            except OSError as error:
                raise self.trouble(
                    f"cannot listen at {own.host}:{own.port}: {error.strerror or 'the address is not this machine'}. "
                    "Give another address in the plan, or end what uses the port."
                ) from None
        lower = [place for place in self.others if place < self.place]
        try:
            async with asyncio.timeout(self._wait):
                await asyncio.gather(*(self._reach(place) for place in lower))
                while len(self._ends) < len(self.others):
                    await self._arrived.wait()
                    self._arrived.clear()
        except TimeoutError:
            missing = ", ".join(
                f"{self.name(place)} ({self.plan.holders[place].host}:{self.plan.holders[place].port})"
                for place in self.others
                if place not in self._ends
            )
            raise self.trouble(
                f"not reached within {self._wait:g} s: {missing}. Start all holders at about the same time, and check "
                "the addresses in the plan."
            ) from None

    async def _reach(self, place: int) -> None:
        there = self.plan.holders[place]
        told = False
        while place not in self._ends:
            try:
                reader, writer = await asyncio.open_connection(
                    there.host, there.port, ssl=self._client_tls, server_hostname="dpviz", limit=1 << 20
                )
            except ssl.SSLError:
                raise self._stranger(place) from None
            except OSError:
                if not told:
                    self._tell(f"waiting for {there.name} at {there.host}:{there.port}")
                    told = True
                await asyncio.sleep(_AGAIN_SECONDS)
                continue
            if _shown(writer) != there.der:
                writer.close()
                raise self._stranger(place)
            self._ends[place] = reader, writer

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        shown = _shown(writer)
        place = next((one for one in self.others if self.plan.holders[one].der == shown), None)
        if place is None or place < self.place or place in self._ends:
            writer.close()
            return
        self._ends[place] = reader, writer
        self._arrived.set()

    def _stranger(self, place: int) -> JointError:
        there = self.plan.holders[place]
        return self.trouble(
            f"whoever answers at {there.host}:{there.port} does not show the certificate that the plan pins for "
            f"{there.name}. Compare addresses and fingerprints with that holder."
        )

    async def _round(
        self, kind: str, facts: Mapping[str, Any], numbers: Mapping[int, bytes] | bytes
    ) -> dict[int, tuple[dict[str, Any], bytes]]:
        content = json.dumps({**facts, "kind": kind}, allow_nan=False).encode("utf-8")
        sending = [
            asyncio.ensure_future(self._send(place, content, numbers if isinstance(numbers, bytes) else numbers[place]))
            for place in self.others
        ]
        answers = [asyncio.ensure_future(self._receive(place, kind)) for place in self.others]
        done, open_still = await asyncio.wait(
            [*sending, *answers], timeout=self._wait, return_when=asyncio.FIRST_EXCEPTION
        )
        for task in open_still:
            task.cancel()
        failed = [error for task in done if (error := task.exception()) is not None]
        if failed:
            raise next((error for error in failed if not isinstance(error, WentAway)), failed[0])
        if open_still:
            silent = [self.name(place) for place, task in zip(self.others, answers, strict=True) if task in open_still]
            raise self.trouble(f"no answer within {self._wait:g} s from {', '.join(silent) or 'the other holders'}.")
        found = [task.result() for task in answers]
        return dict(zip(self.others, found, strict=True))

    async def _send(self, place: int, content: bytes, numbers: bytes) -> None:
        _, writer = self._ends[place]
        try:
            writer.write(_HEADER.pack(len(content), len(numbers)) + content + numbers)
            await writer.drain()
        except OSError:
            raise self._gone(place) from None
        self.sent += _HEADER.size + len(content) + len(numbers)

    async def _receive(self, place: int, kind: str) -> tuple[dict[str, Any], bytes]:
        reader, _ = self._ends[place]
        try:
            sizes = _HEADER.unpack(await reader.readexactly(_HEADER.size))
            if sum(sizes) > _LONGEST:
                raise ValueError
            content = await reader.readexactly(sizes[0])
            numbers = await reader.readexactly(sizes[1])
            facts = json.loads(content)
            found = facts.pop("kind")
        except (OSError, EOFError, ssl.SSLError):
            raise self._gone(place) from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self.trouble(f"{self.name(place)} sent something that is no message of this protocol.") from None
        self.received += _HEADER.size + sum(sizes)
        if found == STOP:
            raise self.trouble(f"{self.name(place)} ended the run: {_tidy(facts.get('why'))}")
        if found != kind:
            raise self.trouble(f"{self.name(place)} is at another step of the protocol than this holder.")
        return facts, numbers

    def _gone(self, place: int) -> JointError:
        text = f"{self.name(place)} went away."
        if not self.run_id:
            text += " Perhaps it has another plan, with another certificate for this holder: compare fingerprints."
        return self.trouble(text, kind=WentAway)

    def _say_stop(self, error: BaseException) -> None:
        """Tell the others why, in public words: a sentence of ours, or that something failed."""
        why = error.public_reason if isinstance(error, JointError) else JointError.public_reason
        content = json.dumps({"kind": STOP, "why": why}).encode("utf-8")

        async def tell() -> None:
            async with asyncio.timeout(2):
                await asyncio.gather(*(self._send(place, content, b"") for place in self._ends), return_exceptions=True)

        try:
            self._call(tell())
        except TimeoutError:
            return

    async def _close(self) -> None:
        if self._server is not None:
            self._server.close()
        for _, writer in self._ends.values():
            writer.close()
        closing = [writer.wait_closed() for _, writer in self._ends.values()]
        await asyncio.wait_for(asyncio.gather(*closing, return_exceptions=True), timeout=2)


def _shown(writer: asyncio.StreamWriter) -> bytes | None:
    tls = writer.get_extra_info("ssl_object")
    shown: bytes | None = None if tls is None else tls.getpeercert(binary_form=True)
    return shown


def _tidy(why: Any) -> str:
    """What another holder says, fit for a terminal."""
    text = why if isinstance(why, str) else ""
    return "".join(letter for letter in text[:300] if letter.isprintable()) or "it gave no reason."
