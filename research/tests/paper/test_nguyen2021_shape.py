"""What Nguyen, Chaturvedi and Xu 2021 found, on a small mixture; and how the figures against seed papers are built."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from dpviz.domain import ExactPoints
from dpviz.domain.box import plain_frame
from dpviz.errors import InputError
from dpviz_research.papers import feldman2009
from dpviz_research.papers.nguyen2021 import LLOYD, ONE, mnist_images, objective_rows


def small_mixture() -> ExactPoints:
    generator = np.random.default_rng(4)
    middles = generator.uniform(0, 1, (8, 40))
    rows = middles[generator.integers(8, size=20_000)] + generator.normal(0, 0.05, (20_000, 40))
    return ExactPoints.from_array(plain_frame([0.0] * 40, [1.0] * 40), rows, outside="clip")


def test_max_cover_lies_below_its_rival_and_above_lloyd() -> None:
    found = {row["method"]: row["objective_mean"] for row in objective_rows("m", small_mixture(), (8,), 4)}
    assert found[LLOYD] < found["grid_cover"] < found["balcan"] < found[ONE]


def test_the_older_coreset_is_larger_and_some_of_its_weights_are_negative() -> None:
    rows = {row["method"]: row for row in feldman2009.rows_of((100_000,), 2)}
    lines = rows["centred_lines"]
    assert lines["negative_share"] > 0 == rows["practical"]["negative_share"]
    assert lines["median_size"] > 10 * rows["practical"]["median_size"]
    assert rows["practical"]["lines_over_this_size"] > 10


@pytest.mark.parametrize("packed", [False, True])
def test_images_are_read_from_a_user_s_file(tmp_path: Path, packed: bool) -> None:
    pixels = np.arange(2 * 28 * 28, dtype=np.uint8)
    content = np.array([2051, 2, 28, 28], ">i4").tobytes() + pixels.tobytes()
    path = tmp_path / ("train-images-idx3-ubyte" + (".gz" if packed else ""))
    path.write_bytes(gzip.compress(content) if packed else content)
    found = mnist_images(tmp_path)
    assert found is not None and found.exact_cube.shape == (2, 784)
    assert found.to_numpy()[0, :3].tolist() == [0.0, 1.0, 2.0]
    assert mnist_images(None) is None and mnist_images(tmp_path / "elsewhere") is None


def test_another_file_under_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"not images at all, but long enough")
    with pytest.raises(InputError, match="not a file of MNIST images"):
        mnist_images(tmp_path)
