"""The first release and the first map after an installation: everything has to be compiled. Wall and CPU seconds.

`python -m dpviz_research.bench_first_use [OTHER_CHECKOUT]` measures this checkout, and another one beside it, in
processes of their own with an empty folder for compiled code, then once more with that folder full. The runs take
turns, so that a load on the machine meets both; the load is in the table.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

Rows = list[dict[str, Any]]
HERE = Path(__file__).resolve().parents[2]
WALK = """
import sys, time
wall, cpu = time.perf_counter(), time.process_time()
def done(step):
    print(step, round(time.perf_counter() - wall, 2), round(time.process_time() - cpu, 2), flush=True)
import dpviz
box = dpviz.GeoBox(west=-74.05, south=40.70, east=-73.90, north=40.80)
counts = dpviz.read_counts(sys.argv[1], box=box, side=1024, lon="lon", lat="lat")
done("count")
found = dpviz.release(counts, k=5, budget=dpviz.Budget(epsilon=0.5), method="auto", seed=1)
done("release")
found.save(sys.argv[2])
done("map")
"""


def write_rows(path: Path, many: int = 100_000) -> None:
    """Synthetic records around twelve places, as CSV."""
    import numpy as np

    rng = np.random.default_rng(1)
    places = rng.uniform([-74.04, 40.71], [-73.91, 40.79], (12, 2))[rng.integers(0, 12, many)]
    np.savetxt(path, places + rng.normal(0.0, 0.004, (many, 2)), "%.6f", ",", header="lon,lat", comments="")


def walk(checkout: Path, folder: Path, kernels: Path, run: str) -> Rows:
    """One process: count, release, save."""
    environment = {**os.environ, "PYTHONPATH": str(checkout), "NUMBA_CACHE_DIR": str(kernels)}
    environment |= {"DPVIZ_DATA": str(folder / "data"), "OMP_NUM_THREADS": "1"}
    words = [sys.executable, "-c", WALK, str(folder / "rows.csv"), str(folder / f"{checkout.name}-{run}")]
    said = subprocess.run(words, env=environment, cwd=folder, check=True, capture_output=True, text=True).stdout
    rows = []
    for step, wall, cpu in (line.split() for line in said.splitlines()):
        found = {
            "checkout": checkout.name,
            "run": run,
            "until": step,
            "seconds": float(wall),
            "cpu_seconds": float(cpu),
        }
        rows.append({**found, "load": round(os.getloadavg()[0], 1)})
    return rows


def first_use(*, quick: bool = False, other: Path | None = None) -> Rows:
    """Cold and warm, of this checkout and another one."""
    rows: Rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_rows(folder / "rows.csv", 10_000 if quick else 100_000)
        for run in ("cold", "warm"):
            for checkout in [*([] if other is None else [other]), HERE]:
                rows += walk(checkout, folder, folder / f"kernels-{checkout.name}", run)
    return rows


if __name__ == "__main__":
    for row in first_use(other=Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else None):
        print(*(f"{name}={value}" for name, value in row.items()))
