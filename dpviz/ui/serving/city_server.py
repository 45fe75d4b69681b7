"""The two servers of a hosted house, for curators and for analysts, each with its own admitted roles."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.middleware import Middleware

from dpviz.errors import DpvizError
from dpviz.hosting import hosted_city, public_folder
from dpviz.hosting.config import CURATORS, Address, City
from dpviz.hosting.request_guard import HostedDoor, OnVisit
from dpviz.ledger.ledger import Ledger
from dpviz.ledger.persons import Role
from dpviz.publishing.approvals import note_house_rule
from dpviz.ui.serving import server
from dpviz.ui.serving.prompt_answers import answer_promptly
from dpviz.ui.stage import component_files

OPEN_FILES = 65_536


@dataclass(frozen=True, kw_only=True)
class Start:
    """What a program's server begins with. (Streamlit finds `app = st.App(…)` only where it stands in the script.)"""

    middleware: list[Middleware]
    lifespan: server.Lifespan


def curators() -> Start:
    """Stewards, publishers and approvers. This process reads records and has the ledger."""
    found = _house()
    with _one_line_exit():
        note_house_rule(Ledger(found.ledger))
    public_folder.look_after(found.ledger, found.published, found.name)
    return _start(found, found.curators, CURATORS, hosted_city.note_visit, server.for_curators)


def analysts() -> Start:
    """Everybody with a role. This process has the published folders and nothing else."""
    found = _house()
    return _start(found, found.analysts, frozenset(Role), hosted_city.tell_visit, server.for_analysts)


def _house() -> City:
    with _one_line_exit():
        found = hosted_city.city()
    assert found is not None
    return found


@contextlib.contextmanager
def _one_line_exit() -> Iterator[None]:
    """End the program with the sentence of an error instead of a traceback."""
    try:
        yield
    except DpvizError as problem:
        raise SystemExit(f"dpviz: {problem}") from None


def _start(
    found: City, address: Address, admitted: frozenset[Role], on_visit: OnVisit, prepare: Callable[[], None]
) -> Start:
    component_files.announce()
    server.keep_uploads_in_memory()
    allow_many_sockets()
    with _one_line_exit():
        door = Middleware(HostedDoor, city=found, address=address, admitted=admitted, on_visit=on_visit)

    @asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[dict[str, Any]]:
        answer_promptly()
        print(f"\n  {found.name}: {address.public}\n", flush=True)
        threading.Thread(target=server.warm_up, args=(prepare,), name="warm-up", daemon=True).start()
        yield {}

    return Start(middleware=[door, *server.behind_the_door()], lifespan=lifespan)


def allow_many_sockets() -> None:
    """Raise the limit of open files, so that idle connections cannot shut others out."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        if soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
