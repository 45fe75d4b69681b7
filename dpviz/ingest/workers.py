"""Dask workers: those of a scheduler that the user names, or own ones that only this machine can reach.

Own workers are started as programs of their own, not by `multiprocessing`, which would run the user's script again in
each of them. They end with this process: a worker that loses its scheduler stops.
"""

from __future__ import annotations

import importlib
import logging
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from dpviz.errors import DpvizError, InputError

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
    dask: Any = importlib.import_module("dask")
    toolkit: Any = importlib.import_module("distributed")
    with dask.config.set({"distributed.scheduler.allowed-failures": _ATTEMPTS}), ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(_QUIET))
            client = stack.enter_context(_own_workers(toolkit, max(1, min(os.cpu_count() or 1, _MOST))))
        else:
            client = stack.enter_context(_named(toolkit, scheduler))
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
    with dask.config.set(settings), _own_workers(toolkit, number) as client:
        yield client


@contextmanager
def _named(toolkit: Any, scheduler: str) -> Iterator[Any]:
    try:
        client = toolkit.Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError):
        raise InputError(
            f"no Dask scheduler answers at {scheduler!r}. Give its address, such as tcp://127.0.0.1:8786, "
            "or none to start workers here.",
            scheduler=scheduler,
        ) from None
    with client:
        yield client


@contextmanager
def _own_workers(toolkit: Any, number: int) -> Iterator[Any]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="dpviz-", ignore_cleanup_errors=True))
        cluster = stack.enter_context(
            toolkit.LocalCluster(
                n_workers=0,
                processes=False,
                protocol="tcp",
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",  # the scheduler opens this port in any case
                silence_logs=logging.CRITICAL,
            )
        )
        stack.enter_context(_program(cluster.scheduler_address, number, folder))
        client = stack.enter_context(toolkit.Client(cluster))
        try:
            client.wait_for_workers(number, timeout=START_SECONDS)
        except (TimeoutError, OSError):
            raise DpvizError(
                "the Dask workers did not start on this machine. Use engine='local', or start a scheduler and name it."
            ) from None
        yield client


@contextmanager
def _program(address: str, number: int, folder: str) -> Iterator[None]:
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--host", "127.0.0.1"]
    command += ["--dashboard-address", "127.0.0.1:0"]  # without it the same port is open to everybody
    command += ["--nworkers", str(number), "--nthreads", "1", "--memory-limit", "0", "--local-directory", folder]
    quiet = {f"DASK_{name.upper().replace('.', '__')}": str(value) for name, value in _QUIET.items()}
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
