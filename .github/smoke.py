"""One walk through an installed dpviz: read, release, publish, load, ask, estimate, command line.

For environments in which the tests are not run in full: other Pythons, the oldest packages, a wheel from the index.
    python .github/smoke.py [core]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def main(core_only: bool) -> None:
    """Every step says its time; the first that fails ends it."""
    begun = time.perf_counter()

    def step(name: str) -> None:
        print(f"{time.perf_counter() - begun:7.2f} s  {name}", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        os.environ["DPVIZ_LEDGER"] = str(Path(folder) / "ledger.sqlite3")
        import dpviz

        step(f"import dpviz {dpviz.__version__} on Python {sys.version.split()[0]}")
        import numpy as np
        import pandas as pd

        rng = np.random.default_rng(0)
        rows = rng.normal([-73.97, 40.75], 0.02, size=(50_000, 2))
        trips = pd.DataFrame(rows, columns=["lon", "lat"])
        counts = dpviz.read_counts(trips, box="New York, Manhattan", side=256)
        expected = counts.to_numpy().sum()
        step("counted a frame")
        for ending in ("csv", "parquet"):
            path = Path(folder) / f"trips.{ending}"
            if ending == "csv":
                trips.to_csv(path, index=False)
            else:
                trips.to_parquet(path)
            assert dpviz.read_counts(path, box="New York, Manhattan", side=256).to_numpy().sum() == expected
        step("counted CSV and Parquet")
        for method in ("auto", "uniform_grid"):
            made = dpviz.release(counts, 3, dpviz.Budget(epsilon=1.0), method)
            assert isinstance(made, dpviz.Release | dpviz.NoAnswer), method
        step("released by two methods")
        dataset = dpviz.register("smoke", counts, total=dpviz.Budget(epsilon=1.0))
        published = dpviz.publish(dataset, dpviz.ReleaseRequest(k=3, budget=dpviz.Budget(epsilon=1.0)))
        assert isinstance(published, dpviz.Release)
        published.save(Path(folder) / "release")
        loaded = dpviz.Release.load(Path(folder) / "release")
        assert (loaded.centers == published.centers).all().all()
        assert abs(loaded.total().estimate - expected) < 500 and "<svg" in loaded._repr_html_()
        step("published, loaded, asked, drawn")
        done = subprocess.run([sys.executable, "-m", "dpviz", "methods", "--json"], capture_output=True, check=True)
        assert b"adaptive_tree" in done.stdout
        step("command line")
        if core_only:
            try:
                dpviz.PrivateKMeans  # noqa: B018
            except ValueError as missing:
                assert "dpviz[sklearn]" in str(missing)
            step("what is missing is said")
            return
        model = dpviz.PrivateKMeans(n_clusters=3, bounds=(-80, 50)).fit(rows)
        assert model.cluster_centers_.shape == (3, 2)
        step("estimator")
        assert len(published.to_geodataframe()) == 3 and published.to_xarray(4).sizes["lat"] == 4
        step("GeoPandas, xarray")
        path = Path(folder) / "trips.parquet"
        spread = dpviz.read_counts(path, box="New York, Manhattan", side=256, engine="dask")
        assert (spread.to_numpy() == counts.to_numpy()).all()
        step("two Dask workers")
        import dpviz.ui.serving.server

        step("screens")


if __name__ == "__main__":
    main(sys.argv[1:] == ["core"])
