"""Connections between all holders: one TLS connection per pair, frames with a bound, one exchange per round.

The lower-numbered holder of a pair listens, the other one connects. A connection counts only when the certificate of
its other end is, to the byte, the one that the plan pins for that holder. Everything runs in one event loop in a thread
of its own; the caller exchanges rounds of messages and waits. Proof: docs/proofs/joint.md.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import platform
import secrets
import ssl
import struct
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from importlib.metadata import version
from types import TracebackType
from typing import Any, TypeVar

from dpviz.errors import CHARGED, JointError, StoreError
from dpviz.joint.plan import JointPlan, address_of, tls_contexts
from dpviz.releases.document import CODE_VERSION
from dpviz.releases.signing import check_manifest, join_signatures, sign_manifest

Value = TypeVar("Value")
_HEADER = struct.Struct(">II")  # bytes of JSON, bytes of numbers
_LONGEST = 1 << 28
_AGAIN_SECONDS = 0.25
_WELCOME, _WELCOME_SECONDS = b"dpviz", 5.0
_MOST_APART_SECONDS = 600.0
_LAST_WORDS_SECONDS = 0.5
STOP = "stop"
RUN, CHECK = "run", "check"


class WentAway(JointError):
    """A connection ended. Where another holder said why, that is told instead."""


class Circle:
    """All connections of one holder of a plan. Use as a context manager.

    `wait` seconds for every step; `listen` is HOST:PORT to listen at, if not that in the plan; `tell` is called with
    what is going on. `purpose` is "run", or "check", which goes no further than the agreement.
    """

    def __init__(
        self,
        plan: JointPlan,
        holder: str,
        *,
        wait: float = 600.0,
        purpose: str = RUN,
        listen: str | None = None,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.plan, self.place, self.tell = plan, plan.place_of(holder), tell
        self.others = [place for place in range(len(plan.holders)) if place != self.place]
        self.sent = self.received = 0  # bytes
        self.charged = self.signed = False
        self.run_id, self.clock = "", 0.0  # known once all have been reached
        self._wait, self._purpose, self._listen = wait, purpose, listen
        self._server_tls, self._client_tls = tls_contexts(plan, holder)
        self._ends: dict[int, tuple[asyncio.StreamReader, asyncio.StreamWriter]] = {}
        self._arrived = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._open = True

    def __enter__(self) -> Circle:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="joint", daemon=True)
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

    # ---- the steps of the protocol, as the door asks for them ----

    def _agree(self) -> None:
        """[P1] Compare purpose, versions, plan and clock with everybody, and agree on a run number."""
        said = {"plan": self.plan.digest, "versions": _versions(), "purpose": self._purpose}
        nonce, clock = secrets.token_hex(16), time.time()
        answers = self.exchange("hello", {**said, "nonce": nonce, "clock": clock})
        nonces, clocks = {self.place: nonce}, [clock]
        for place, (facts, _) in sorted(answers.items()):
            there, given = self.name(place), facts.get("clock")
            if facts.get("plan") != said["plan"]:
                raise self.trouble(
                    f"{there} has another plan. Compare the files: every value and certificate must be equal.",
                    "plans differ.",
                )
            if facts.get("versions") != said["versions"]:
                raise self.trouble(
                    f"{there} has {_tidy(facts.get('versions'))}, and this is {said['versions']}. Install the same "
                    "versions everywhere: their results must be equal to the last digit.",
                    "versions differ.",
                )
            if facts.get("purpose") != said["purpose"]:
                raise self.trouble(
                    f"{there} did not start 'dpviz joint {self._purpose}'. Start the same command everywhere.",
                    "commands differ.",
                )
            if not isinstance(given, float) or not abs(given - clock) <= _MOST_APART_SECONDS:  # it may be no number
                raise self.trouble(
                    f"the clocks of {there} and of this machine differ by more than ten minutes; set them.",
                    "clocks differ by more than ten minutes.",
                )
            nonces[place] = str(facts.get("nonce"))
            clocks.append(given)
        self.clock = max(clocks)  # the same on all sides
        joined = "".join(nonces[place] for place in sorted(nonces))
        self.run_id = hashlib.sha256(f"{self.plan.digest}{joined}".encode()).hexdigest()[:32]
        self.tell(f"all {len(self.plan.holders)} holders are connected, with the same plan")

    def compare(self, what: str, content: bytes) -> None:
        """[P2] [P8] Go on only if all holders have the same here."""
        own = hashlib.sha256(content).hexdigest()
        for place, (facts, _) in self.exchange(what, {"digest": own}).items():
            if facts.get("digest") != own:
                raise self.trouble(
                    f"the {what} of {self.name(place)} is another one than here, although plan and versions are equal. "
                    "Use the same kind of machine and the same added maps everywhere.",
                    f"its {what} is another one.",
                )

    def tell_charged(self) -> None:
        """[P3] Say that the own charge is written, and wait until all others have said so."""
        self.charged = True
        self.tell("charged; waiting for the charges of the others")
        self.exchange("charged", {})

    def sign(self, manifest: bytes) -> bytes:
        """[P8] The signatures of all holders under the list of files, each checked against its pinned key."""
        self.compare("release", manifest)
        own = sign_manifest(manifest)
        self.signed = True
        found = {self.place: own}
        for place, (_, content) in self.exchange("signature", {}, own).items():
            try:
                check_manifest(manifest, content, self.plan.holders[place].key)
            except StoreError:
                name = self.name(place)
                raise self.trouble(f"the signature of {name} does not fit.", "a signature does not fit.") from None
            found[place] = content
        return join_signatures([found[place] for place in sorted(found)])

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
        if self.signed:
            ending = (
                "This holder was charged, and has signed: the others may hold the release. Copy its folder from one of "
                "them; a new run is a new draw and a new charge."
            )
        elif self.charged:
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
        except BaseException:
            future.cancel()
            raise

    async def _connect(self) -> None:
        own = self.plan.holders[self.place]
        host, port = (own.host, own.port) if self._listen is None else address_of(self._listen)
        if any(place > self.place for place in self.others):
            try:
                self._server = await asyncio.start_server(self._accept, host, port, ssl=self._server_tls, limit=1 << 20)
            except OSError as error:
                raise self.trouble(
                    f"cannot listen at {host}:{port}: {error.strerror or 'the address is not of this machine'}. Give "
                    "an address of this machine (--listen HOST:PORT, or in the plan), or end what uses the port."
                ) from None
        lower = [place for place in self.others if place < self.place]
        try:
            async with asyncio.timeout(self._wait):
                await asyncio.gather(*(self._reach(place) for place in lower))
                while len(self._ends) < len(self.others):
                    self.tell(f"waiting for {self._missing()}")
                    await self._arrived.wait()
                    self._arrived.clear()
        except TimeoutError:
            raise self.trouble(
                f"not reached within {self._wait:g} s: {self._missing()}. Start all holders at about the same time, "
                "and check the addresses in the plan."
            ) from None

    def _missing(self) -> str:
        there = {place: self.plan.holders[place] for place in self.others if place not in self._ends}
        return ", ".join(f"{one.name} ({one.host}:{one.port})" for one in there.values())

    async def _reach(self, place: int) -> None:
        there = self.plan.holders[place]
        while place not in self._ends:
            writer: asyncio.StreamWriter | None = None
            try:
                reader, writer = await asyncio.open_connection(
                    there.host, there.port, ssl=self._client_tls, server_hostname="dpviz", limit=1 << 20
                )
                if _shown(writer) != there.der:
                    raise self._stranger(place)
                async with asyncio.timeout(_WELCOME_SECONDS):  # an earlier run that is ending there says nothing
                    await reader.readexactly(len(_WELCOME))
            except ssl.SSLError:
                raise self._stranger(place) from None
            except (OSError, EOFError):  # TimeoutError is an OSError
                self.tell(f"waiting for {self._missing()}")
                await asyncio.sleep(_AGAIN_SECONDS)
            else:
                self._ends[place] = reader, writer
            finally:
                if writer is not None and place not in self._ends:
                    writer.transport.abort()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        shown = _shown(writer)
        place = next((one for one in self.others if self.plan.holders[one].der == shown), None)
        if place is None or place < self.place or place in self._ends or not self._open:
            writer.transport.abort()
            return
        self._ends[place] = reader, writer
        writer.write(_WELCOME)
        self._arrived.set()

    def _stranger(self, place: int) -> JointError:
        there = self.plan.holders[place]
        return self.trouble(
            f"whoever answers at {there.host}:{there.port} does not show the certificate that the plan pins for "
            f"{there.name}, or does not know the one of this holder. Compare addresses and fingerprints.",
            f"whoever answers at the address of {there.name} does not show its certificate.",
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
        failed = [error for task in done if (error := task.exception()) is not None]
        if failed and open_still:  # somebody went away: whoever ended the run may say why
            later, open_still = await asyncio.wait(open_still, timeout=_LAST_WORDS_SECONDS)
            failed += [error for task in later if (error := task.exception()) is not None]
        for task in open_still:
            task.cancel()
        if failed:
            raise next((error for error in failed if not isinstance(error, WentAway)), failed[0])
        if open_still:
            silent = [self.name(place) for place, task in zip(self.others, answers, strict=True) if task in open_still]
            raise self.trouble(f"no answer within {self._wait:g} s from {', '.join(silent) or 'the other holders'}.")
        return dict(zip(self.others, (task.result() for task in answers), strict=True))

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
        except (OSError, EOFError):
            raise self._gone(place) from None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise self.trouble(f"{self.name(place)} sent something that is no message of this protocol.") from None
        self.received += _HEADER.size + sum(sizes)
        if found == STOP:
            raise self.trouble(f"{self.name(place)} ended the run: {_tidy(facts.get('why')) or 'it gave no reason.'}")
        if found != kind:
            raise self.trouble(f"{self.name(place)} is at another step of the protocol than this holder.")
        return facts, numbers

    def _gone(self, place: int) -> JointError:
        return self.trouble(f"{self.name(place)} went away.", kind=WentAway)

    def _say_stop(self, error: BaseException) -> None:
        """Tell the others why, in public words: a sentence of ours, or that something failed."""
        why = error.public_reason if isinstance(error, JointError) else JointError.public_reason
        content = json.dumps({"kind": STOP, "why": why}).encode("utf-8")

        async def tell() -> None:
            async with asyncio.timeout(2):
                await asyncio.gather(*(self._send(place, content, b"") for place in self._ends), return_exceptions=True)

        with contextlib.suppress(TimeoutError):
            self._call(tell())

    async def _close(self) -> None:
        self._open = False
        if self._server is not None:
            self._server.close()
        for _, writer in self._ends.values():
            writer.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}  # connections that are still being made
        for task in rest:
            task.cancel()
        closing = [writer.wait_closed() for _, writer in self._ends.values()]
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.gather(*closing, *rest, return_exceptions=True), timeout=2)


def _versions() -> str:
    """What decides the last digit of a result and the bytes of a file."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "pyarrow"))
    return f"dpviz {CODE_VERSION}, {libraries}, {platform.machine()}"


def _shown(writer: asyncio.StreamWriter) -> bytes | None:
    tls = writer.get_extra_info("ssl_object")
    shown: bytes | None = None if tls is None else tls.getpeercert(binary_form=True)
    return shown


def _tidy(text: Any) -> str:
    """What another holder says, fit for a terminal."""
    return "".join(letter for letter in text[:300] if letter.isprintable()) if isinstance(text, str) else ""
