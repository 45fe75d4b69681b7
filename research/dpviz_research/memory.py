"""How much memory a process takes: its highest, and that of Dask workers while they work."""

from __future__ import annotations

import importlib
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

MEGABYTE = 1 << 20


def peak_megabytes() -> float:
    """The highest resident memory of this process so far.

    On Linux from /proc, because getrusage hands the parent's highest down to a child that was started by fork.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    if sys.platform == "win32":
        process = importlib.import_module("psutil").Process()  # comes with Dask
        return float(process.memory_info().peak_wset) / MEGABYTE
    usage: Any = importlib.import_module("resource")
    highest = usage.getrusage(usage.RUSAGE_SELF).ru_maxrss
    return float(highest) / (MEGABYTE if sys.platform == "darwin" else 1024)


def reported_memory(dask_scheduler: Any) -> dict[str, float]:
    """What each worker said last about its memory, in megabytes; runs on the scheduler."""
    workers = dask_scheduler.workers
    return {address: state.metrics.get("memory", 0) / MEGABYTE for address, state in workers.items()}


class WorkerMemory:
    """Samples of the workers' memory over time, taken beside the work: `with WorkerMemory(client) as watched: …`."""

    def __init__(self, client: Any, *, every_seconds: float = 0.25) -> None:
        self.samples: list[tuple[float, dict[str, float]]] = []
        self._client = client
        self._every = every_seconds
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._started = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()
        self._take()

    def tenths(self) -> list[dict[str, Any]]:
        """The highest of each worker in each tenth of the time."""
        end = max(moment for moment, _ in self.samples)
        rows: list[dict[str, Any]] = []
        for tenth in range(10):
            low, high = end * tenth / 10, end * (tenth + 1) / 10
            inside = [memory for moment, memory in self.samples if low <= moment <= high]
            row: dict[str, Any] = {"what": f"tenth {tenth + 1} of the time", "seconds": round(high, 1)}
            for number, address in enumerate(sorted({each for memory in inside for each in memory}), start=1):
                row[f"worker_{number}_mb"] = round(max(memory.get(address, 0) for memory in inside))
            rows.append(row)
        return rows

    def _watch(self) -> None:
        while not self._done.wait(self._every):
            self._take()

    def _take(self) -> None:
        memory = self._client.run_on_scheduler(reported_memory)
        self.samples.append((time.perf_counter() - self._started, memory))
