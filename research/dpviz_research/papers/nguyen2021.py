"""Nguyen, Chaturvedi, Xu 2021: Figure 1, the k-means objective of grid_cover, balcan and Lloyd against k.

The paper describes its mixture of 64 Gaussians in R¹⁰⁰ in one sentence: here the middles are uniform in the unit cube
and the standard deviation is 0.05 per axis. The text prints no number of the figure. MNIST is used where the user has
it: the file train-images-idx3-ubyte, plain or .gz, in the folder given by --data.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.cluster import KMeans

from dpviz.clustering import cost
from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz.mechanisms.catalogue import get
from dpviz.mechanisms.interface import Answer, Public
from dpviz.noise import replayable_source
from dpviz.privacy import Budget
from dpviz_research.papers import figures
from dpviz_research.papers.records import Row, checksum, write_figure, write_table

Floats = NDArray[np.float64]
SEED = 20_210
EPSILON = 1.0
GAUSSIANS, RECORDS, DIMS, SPREAD = 64, 50_000, 100, 0.05
MNIST_FILES = ("train-images-idx3-ubyte", "train-images-idx3-ubyte.gz")
MNIST_MAGIC = 2051
METHODS = ("grid_cover", "balcan")
LLOYD, ONE = "Lloyd, not private", "one center, not private"
LLOYD_STEPS = 10
CLUSTERS, QUICK_CLUSTERS = (2, 4, 8, 16, 32, 64), (2, 8, 32)


def figure_1(*, out: Path, quick: bool, data: Path | None) -> list[Path]:
    """Average k-means objective and its standard deviation over the runs, ε = 1, δ = n^−1.5."""
    sets = {"64 Gaussians in R¹⁰⁰": mixture()}
    mnist = mnist_images(data)
    if mnist is not None:
        sets["MNIST"] = mnist
    clusters, draws = (QUICK_CLUSTERS, 2) if quick else (CLUSTERS, 5)
    rows = [row for name, points in sets.items() for row in objective_rows(name, points, clusters, draws)]
    figure, axes = figures.panels(len(sets), width=5.0, height=3.6)
    for panel, name in zip(axes, sets, strict=True):
        for look, method in zip(figures.LOOKS, (*METHODS, LLOYD, ONE), strict=False):
            part = [row for row in rows if (row["data"], row["method"]) == (name, method)]
            means, spreads = [row["objective_mean"] for row in part], [row["objective_deviation"] for row in part]
            low = [mean - spread for mean, spread in zip(means, spreads, strict=True)]
            high = [mean + spread for mean, spread in zip(means, spreads, strict=True)]
            figures.line(panel, [row["k"] for row in part], means, look, method, low=low, high=high)
        panel.set_xscale("log", base=2)
        panel.set_xticks(clusters, [str(k) for k in clusters])
        panel.set_ylim(bottom=0)
        panel.grid(alpha=0.25, linewidth=0.5)
        panel.set_title(name, fontsize=9)
        panel.set_xlabel("centers k", fontsize=8)
    axes[0].set_ylabel("k-means objective over n", fontsize=8)
    figures.legend(figure, axes, columns=2)
    return [write_table(rows, out / "nguyen2021-fig1.csv"), *write_figure(figure, out / "nguyen2021-fig1")]


def objective_rows(name: str, points: ExactPoints, clusters: tuple[int, ...], draws: int) -> Iterator[Row]:
    """Every method for every k."""
    local = points.exact_local()
    ones = np.ones(len(local))
    for k in clusters:
        for method in (*METHODS, LLOYD, ONE):
            runs = 1 if method == ONE else draws
            found, seconds = np.empty(runs), np.empty(runs)
            for index in range(runs):
                started = time.process_time()
                centers = centers_of(method, points, local, k, SEED + index)
                seconds[index] = time.process_time() - started
                found[index] = cost(local, ones, centers) / len(local)
            yield {
                "data": name,
                "records": len(local),
                "dims": local.shape[1],
                "method": method,
                "k": k,
                "epsilon": EPSILON if method in METHODS else None,
                "delta": len(local) ** -1.5 if method in METHODS else None,
                "objective_mean": float(found.mean()),
                "objective_deviation": float(found.std()),
                "cpu_seconds": float(np.median(seconds)),
                "repetitions": runs,
                "seed": SEED,
                "data_checksum": checksum(points),
            }


def centers_of(method: str, points: ExactPoints, local: Floats, k: int, seed: int) -> Floats:
    """Centers by one method, local coordinates."""
    if method == ONE:
        middle: Floats = local.mean(axis=0, keepdims=True)
        return middle
    if method == LLOYD:
        solver = KMeans(n_clusters=k, n_init=1, max_iter=LLOYD_STEPS, tol=0.0, random_state=seed)
        return np.asarray(solver.fit(local).cluster_centers_, np.float64)
    mechanism = get(method)
    budget = Budget(epsilon=EPSILON, delta=len(local) ** -1.5)
    answer = mechanism.run(points, mechanism.plan(Public.of(points), k=k, budget=budget), replayable_source(seed))
    assert isinstance(answer, Answer) and answer.centers is not None
    return answer.centers.positions


def mixture() -> ExactPoints:
    """50,000 records of 64 equally likely Gaussians in R¹⁰⁰, clipped into the unit cube."""
    generator = np.random.default_rng(SEED)
    middles = generator.uniform(0, 1, (GAUSSIANS, DIMS))
    rows = middles[generator.integers(GAUSSIANS, size=RECORDS)] + generator.normal(0, SPREAD, (RECORDS, DIMS))
    return ExactPoints.from_array(plain_frame([0.0] * DIMS, [1.0] * DIMS), rows, outside="clip")


def mnist_images(folder: Path | None) -> ExactPoints | None:
    """The training images as points of [0, 255]^784, where the user has the file."""
    path = next((folder / name for name in MNIST_FILES if (folder / name).is_file()), None) if folder else None
    if path is None:
        return None
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    header = np.frombuffer(content[:16], ">i4")
    if len(header) < 4 or header[0] != MNIST_MAGIC or len(content) != 16 + int(np.prod(header[1:].astype(np.int64))):
        raise InputError(f"{path.name} is not a file of MNIST images (magic number {MNIST_MAGIC}, then n, 28, 28).")
    pixels = np.frombuffer(content, np.uint8, offset=16).reshape(int(header[1]), -1)
    dims = pixels.shape[1]
    return ExactPoints.from_array(plain_frame([0.0] * dims, [255.0] * dims), pixels, outside="clip")
