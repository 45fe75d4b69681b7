"""Dask workers: those of a scheduler that the user names, or own ones that only this machine can reach.

Own workers are started as programs of their own, not by `multiprocessing`, which would run the user's script again in
each of them. They end with this process: a worker that loses its scheduler stops. Whoever reaches a scheduler runs code
with the rights of its owner, so own workers speak TLS with credentials that are made at every start and that other
accounts on the machine do not have; a scheduler that is named by the user is taken without TLS only where its address
says so (tcp://), and with a warning.
"""

from __future__ import annotations

import importlib
import logging
import os
import ssl
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from dpviz.errors import DpvizError, InputError, extra_needed

CONNECT_SECONDS = 10.0
START_SECONDS = 300.0
_ATTEMPTS = 10  # a piece whose worker dies is computed again, so many times
_MOST = 8
_QUIET = {
    "distributed.worker.memory.spill": False,  # exact data stay off the disk
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
    "distributed.scheduler.http.routes": [],  # no pages to look at
    "distributed.worker.http.routes": [],
    "distributed.nanny.http.routes": [],
}


@contextmanager
def workers_at(scheduler: str | None) -> Iterator[tuple[Any, int]]:
    """A connected client, and how many workers it has."""
    with extra_needed():
        dask: Any = importlib.import_module("dask")
        toolkit: Any = importlib.import_module("distributed")
    with dask.config.set({"distributed.scheduler.allowed-failures": _ATTEMPTS}), ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(_QUIET))
            client = stack.enter_context(_own_workers(toolkit, max(1, min(os.cpu_count() or 1, _MOST))))
        else:
            client = stack.enter_context(_named(toolkit, _checked_address(scheduler)))
            _say_if_it_spills(client, scheduler)
        workers = len(client.nthreads())
        if workers == 0:
            raise InputError(f"the Dask scheduler at {scheduler!r} has no workers yet. Start some and try again.")
        try:
            yield client, workers
        except toolkit.KilledWorker:
            raise InputError(
                "workers died again and again while they read the same piece, usually for lack of memory. Give them "
                "more memory, or a smaller side."
            ) from None


@contextmanager
def workers_started(number: int) -> Iterator[Any]:
    """A client of own workers that other readings can use by `client.scheduler.address`, and that can be watched."""
    dask: Any = importlib.import_module("dask")
    toolkit: Any = importlib.import_module("distributed")
    settings = {**_QUIET, "distributed.scheduler.allowed-failures": _ATTEMPTS}
    with (
        dask.config.set(settings),
        _own_workers(toolkit, number) as client,
        dask.config.set(_settings(client.security)),
    ):
        yield client


class ClusterWarning(UserWarning):
    """The named cluster does less for exact data than workers of our own would."""


def _checked_address(scheduler: str) -> str:
    """An address that says whether the line is encrypted."""
    if scheduler.startswith("tcp://"):
        warnings.warn(
            f"the scheduler at {scheduler} speaks without TLS: who reaches it can read the records and run code as its "
            "owner. Start it with Dask's TLS and name it as tls://…",
            ClusterWarning,
            stacklevel=2,
        )
    elif "://" not in scheduler:
        raise InputError(
            f"the scheduler's address {scheduler!r} does not say whether it is encrypted. Give tls://{scheduler}, or "
            f"tcp://{scheduler} if nobody else can reach it.",
            scheduler=scheduler,
        )
    return scheduler


def _say_if_it_spills(client: Any, scheduler: str) -> None:
    if any(client.run(_spills).values()):
        warnings.warn(
            f"workers of the scheduler at {scheduler} write to disk what they cannot hold in memory, exact data "
            "included. Start them with distributed.worker.memory.spill and .target set to False.",
            ClusterWarning,
            stacklevel=2,
        )


def _spills(dask_worker: Any) -> bool:
    """Asked of a worker: whether it may write what it holds to its disk. (The name of the argument is Dask's.)"""
    dask: Any = importlib.import_module("dask")
    limited = bool(dask_worker.memory_manager.memory_limit)  # without a limit nothing is ever written
    names = ("distributed.worker.memory.spill", "distributed.worker.memory.target")
    return limited and any(dask.config.get(name, False) is not False for name in names)


@contextmanager
def _named(toolkit: Any, scheduler: str) -> Iterator[Any]:
    try:
        client = toolkit.Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError):
        raise InputError(
            f"no Dask scheduler answers at {scheduler!r}. Give its address, such as tls://host:8786, "
            "or none to start workers here.",
            scheduler=scheduler,
        ) from None
    except TypeError:  # what Dask raises for tls:// without certificates
        raise InputError(
            f"the scheduler at {scheduler!r} asks for certificates, and Dask's settings name none: set "
            "distributed.comm.tls.ca-file, .client.cert and .client.key.",
            scheduler=scheduler,
        ) from None
    with client:
        yield client


def _unshaken(security: Any) -> Any:
    """Dask's credentials whose connections take a peer that hangs up without a word for the end, not for an error.

    With OpenSSL 3.4 or later Python leaves such an error in a queue that all connections of a thread share, and the
    next healthy one breaks by it: python/cpython#148594. Frames say their length, so one that was cut is found all the
    same. When Python empties the queue before it reads, this class can go.
    """

    class Unshaken(security):  # type: ignore[misc]  # Dask is loaded late
        def get_listen_args(self, role: str) -> dict[str, Any]:
            return _ending_quietly(super().get_listen_args(role))

        def get_connection_args(self, role: str) -> dict[str, Any]:
            return _ending_quietly(super().get_connection_args(role))

    return Unshaken


def _ending_quietly(arguments: dict[str, Any]) -> dict[str, Any]:
    if arguments.get("ssl_context") is not None:
        arguments["ssl_context"].options |= ssl.OP_IGNORE_UNEXPECTED_EOF
    return arguments


@contextmanager
def _own_workers(toolkit: Any, number: int) -> Iterator[Any]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dpviz-", ignore_cleanup_errors=True))
        security = _unshaken(toolkit.Security).temporary()  # a key of this start, in memory
        cluster = stack.enter_context(
            toolkit.LocalCluster(
                n_workers=0,
                processes=False,
                protocol="tls",
                security=security,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # the scheduler opens this port in any case
                silence_logs=logging.CRITICAL,
            )
        )
        stack.enter_context(_program(cluster.scheduler_address, number, folder, security))
        client = stack.enter_context(toolkit.Client(cluster, set_as_default=False))
        try:
            client.wait_for_workers(number, timeout=START_SECONDS)
        except (TimeoutError, OSError):
            raise DpvizError(
                "the Dask workers did not start on this machine. Use engine='local', or start a scheduler and name it."
            ) from None
        yield client


def _settings(security: Any) -> dict[str, Any]:
    """The credentials as settings, for a worker's program or for a further client of this process."""
    of_role = {role: security.get_tls_config_for_role(role) for role in ("worker", "client")}
    return {
        **{f"distributed.comm.tls.{role}.{part}": of_role[role][part] for role in of_role for part in ("cert", "key")},
        "distributed.comm.tls.ca-file": of_role["client"]["ca_file"],
        "distributed.comm.require-encryption": True,
    }


@contextmanager
def _program(address: str, number: int, folder: str, security: Any) -> Iterator[None]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--host", "127.0.0.1"]
    command += ["--dashboard-address", "127.0.0.1:0"]  # without it the same port is open to everybody
    command += ["--nworkers", str(number), "--nthreads", "1", "--memory-limit", "0", "--local-directory", folder]
    settings = {**_QUIET, **_settings(security)}  # by the environment: other accounts cannot read it
    quiet = {
        f"DASK_{name.upper().replace('.', '__').replace('-', '_')}": str(value) for name, value in settings.items()
    }
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    program = subprocess.Popen(
        command,
        env=os.environ | quiet | {"PYTHONPATH": path},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,  # a worker's log may name what it reads
    )
    try:
        yield
    finally:
        if program.poll() is None:
            program.terminate()
        try:
            program.wait(CONNECT_SECONDS)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
