"""Checks of what lies around the methods: the secure source, ids of persons, sums of charges, what a crash leaves."""

from __future__ import annotations

import os
import secrets
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from dpviz.audit.transcripts import ForcedSource, RecordingSource
from dpviz.domain import ExactCounts, ExactPoints, GeoBox, Grid, PlainBox
from dpviz.domain.report import ReadReport
from dpviz.errors import DpvizError, LedgerRefusal
from dpviz.ingest import read_counts
from dpviz.ledger.ledger import Ledger
from dpviz.mechanisms import catalogue
from dpviz.mechanisms.interface import Public
from dpviz.noise import replayable_source, secure, secure_source
from dpviz.privacy import Budget, Charge, epsilon_of_zcdp, verify
from dpviz.publishing import door
from dpviz.publishing.assemble import Circumstances
from dpviz.publishing.door import publish
from dpviz.publishing.mechanism_run import as_taken, prepare, public_for, run
from dpviz.publishing.registration import register
from dpviz.releases.release import UNLEDGERED
from dpviz.releases.request import ReleaseRequest
from dpviz_research.planting.finding import demand, refuses

GRID = Grid(GeoBox(0.0, 0.0, 0.08, 0.08), 8)
ODD_SCALES = (0.31, 1.7, 7.99, 8.3, 11.5, 64.01, 1023.7, 2.0**31 + 0.5)


def secure_scales() -> None:
    """The sampler's own account of every draw, whatever the scale, is at most what was paid for it."""
    asked: list[Any] = []

    def noting(measurement: Any, size: int) -> Any:
        asked.append(measurement)
        return np.zeros(size, np.int64)

    with _in_place_of(secure, "_noise", noting):
        for scale in ODD_SCALES:
            secure_source().laplace(scale, 3)
            secure_source().gaussian(scale, 3)
            laplace, gaussian = asked[-2:]
            demand(laplace.map(1) <= 1 / scale, f"Laplace noise of scale {scale} costs more than 1/{scale}")
            demand(gaussian.map(1.0) <= 0.5 / scale**2, f"Gaussian noise of scale {scale} costs more than 1/(2σ²)")
    demand(len(asked) == 2 * len(ODD_SCALES), "noise comes from elsewhere than OpenDP's samplers")


def secure_words() -> None:
    """All words are the operating system's: with its bytes known, numbers, coins and orders are known."""
    high = 1000
    for first in (0, 255):
        with _in_place_of(os, "urandom", lambda size, first=first: bytes([first, 1, 2, 3, 4, 5, 6, 7]) * (size // 8)):
            source = secure_source()
            (word,) = np.frombuffer(bytes([first, 1, 2, 3, 4, 5, 6, 7]), np.uint64).tolist()
            number = word >> 54  # the ten digits that 1000 needs
            drawn = source.integers(high, 4).tolist()
            demand(drawn == [number] * 4, "whole numbers are made of other bytes than the system's")
            chance = word / 2**64
            below, above = source.coins(chance * 0.999, 3), source.coins(chance * 1.001, 3)
            demand(bool(above.all()) and not below.any(), "coins are made of other bytes than the system's")
    order = np.array([3, 0, 2, 1], np.uint64) << np.uint64(40)
    with _in_place_of(os, "urandom", lambda size: order.tobytes()):
        drawn = secure_source().permutation(4).tolist()
        demand(drawn == [1, 3, 2, 0], "orders are made of other bytes than the system's")
    scores = np.arange(6, dtype=np.int64)
    for thousandths, winner in ((0, 5), (500, 4), (999, 0)):  # of the weights 1, 0.78, 0.61, … of the best and the next
        share = Fraction(thousandths, 1000)
        with _in_place_of(secrets, "randbits", lambda bits, share=share: int(share * 2**bits)):
            found = {secure_source().select(scores, epsilon=0.5) for _ in range(20)}
        demand(found == {winner}, "selections are made of other bits than the system's")


def pure_beside_approximate() -> None:
    """Pure charges that share a budget with δ cost ε²/2 each in zCDP, whatever stands beside them."""
    delta = 1e-6
    for epsilon, times in ((0.1, 40), (0.02, 900), (0.05, 200)):
        pure = Charge(name="pure", epsilon=epsilon)
        gauss = Charge(name="gauss", epsilon=epsilon_of_zcdp(0.01, delta), delta=delta, rho=0.01)
        for beside, rho in (((), 0.0), ((gauss,), 0.01)):  # so many that zCDP of all of them is the cheapest account
            whole = epsilon_of_zcdp(rho + times * epsilon**2 / 2, delta * (1 - 1e-9))
            charges = (*beside, *(pure,) * times)
            verify(charges, Budget(epsilon=whole * (1 + 1e-6), delta=delta))
            refuses(
                partial(verify, charges, Budget(epsilon=whole * 0.98, delta=delta)),
                DpvizError,
                f"{times} pure charges of {epsilon} beside {len(beside)} others cost less than ε²/2 each",
            )


def left_by_a_crash() -> None:
    """A charge without its release is completed once, on the registered records, without a second charge."""
    with _ledger() as ledger:
        dataset = register("trips", _counts(1), total=Budget(epsilon=1.0), ledger=ledger)
        request = ReleaseRequest(k=2, budget=Budget(epsilon=0.5), method="uniform_grid")

        def crashes(*_: Any) -> None:
            raise MemoryError

        with _in_place_of(door, "_drawn_and_stored", crashes):
            refuses(lambda: publish(dataset, request), MemoryError, "nothing was left by a crash")
        demand([charge.stored for charge in dataset.charges] == [False], "a crash after the charge left no charge")
        refuses(
            lambda: publish(replace(dataset, data=_counts(3)), request),
            LedgerRefusal,
            "a charge that a crash left is completed on other records",
        )
        demand(ledger.remaining("trips").epsilon == Fraction(1, 2), "what a crash left is not counted as spent")
        refuses(
            lambda: publish(dataset, replace(request, budget=Budget(epsilon=0.6))),
            LedgerRefusal,
            "what a crash left can be spent again",
        )
        found = publish(dataset, request)
        demand([charge.stored for charge in dataset.charges] == [True], "completing it was charged again")
        demand(publish(dataset, request).files() == found.files(), "completed twice")
        auto, choose = ReleaseRequest(k=2, budget=Budget(epsilon=0.25)), catalogue.choose

        def newer(name: str, *rest: Any, **more: Any) -> Any:
            return choose("hybrid" if name == "auto" else name, *rest, **more)

        with _in_place_of(door, "_drawn_and_stored", crashes):
            refuses(lambda: publish(dataset, auto), MemoryError, "nothing was left by a crash")
        paid = dataset.charges[-1].request.method
        with _in_place_of(catalogue, "choose", newer):
            method = publish(dataset, auto).method
        demand(method == paid != "hybrid", f"a run by {paid} was charged, and a crash later {method} runs for it")
        demand(len(dataset.charges) == 2, "a release that a newer version makes otherwise is charged again")


def planar_points() -> None:
    """Points of a plane are counted on the planned grid, however many they are, by every method that takes counts."""
    frame = PlainBox((0.0, 0.0), (1.0, 1.0)).frame
    for method in catalogue.METHODS:
        if method.info.takes != "counts":
            continue
        sides = set()
        for records in (0, 1, 40, 3_000, 30_000):
            raw = np.random.default_rng(records).random((records, 2))
            data = ExactPoints.from_array(frame, raw)
            taken = as_taken(method, data)
            assert isinstance(taken, ExactCounts)
            sides.add((taken.grid.side, public_for(method, Public.of(data)).side))
        (only,) = sides if len(sides) == 1 else ((0, 1),)
        demand(only[0] == only[1], f"{method.info.name} counts points on a grid that hangs on how many there are")


def ids_of_persons() -> None:
    """Ids that differ are two persons, whatever they are written as: each keeps its records beside the other's."""
    pairs: dict[str, Any] = {
        "fractions": [7.2, 7.8],
        "a fraction and the whole number below": [7.5, 7.0],
        "signs": [-7.0, 7.0],
        "large floats": [1e20, 2e20],
        "single precision": pa.array([0.25, 0.75], pa.float32()),
        "neighbours beyond 2^53": [2**53, 2**53 + 1],
        "decimals": [Decimal("7.2"), Decimal("7.8")],
        "letters of either case": ["Ab", "aB"],
        "leading zeros": ["007", "7"],
        "long texts that end differently": ["a" * 40 + "1", "a" * 40 + "2"],
        "long texts that begin differently": ["1" + "a" * 40, "2" + "a" * 40],
        "fifteen and sixteen letters": ["a" * 15, "a" * 16],
        "bytes": [b"\x01\x02", b"\x01\x03"],
        "somebody and nobody": ["7", None],
    }
    for what, ids in pairs.items():
        two = ids if isinstance(ids, pa.Array) else pa.array(ids)
        column = pa.concat_arrays([two] * 3)
        table = pa.table({"rider": column, "lon": [0.005] * 6, "lat": [0.005] * 6})
        counts = read_counts(
            table, box=GRID.box, side=8, lon="lon", lat="lat", person="rider", cap=1, noise=replayable_source(1)
        )
        demand(counts.exact_total == 2, f"two ids are taken for {counts.exact_total} persons: {what}")


def whole_folders() -> None:
    """Other records, told the same protected numbers, give the same release folder byte by byte.

    What a release is put together from beside the answer of its method, such as a file's report, is held by this.
    """
    for first, *others in (
        (_with_report(_counts(1), 1), _with_report(_counts(2, mean=31.0), 2), _with_report(_counts(3, mean=0.0), 3)),
        (_with_report(_points(900), 4), _with_report(_points(30_000), 5), _with_report(_points(0), 6)),
    ):
        for name, k in (("uniform_grid", 2), ("noisy_lloyd", 2), ("hybrid", 2), ("auto", 3)):
            request = ReleaseRequest(k=k, budget=Budget(epsilon=1.0), method=name)
            prepared = prepare(request, Public.of(first))
            telling = RecordingSource(replayable_source(7))
            where = Circumstances(status=UNLEDGERED, noise=telling.kind, seed=telling.seed)
            files = run(prepared, first, telling, where).files()
            for other in others:
                forced = ForcedSource(telling.steps, _no_chance, kind=telling.kind, seed=telling.seed)
                again = run(prepare(request, Public.of(other)), other, forced, where).files()
                forced.finish()
                different = [file for file in files if again.get(file) != files[file]]
                demand(not different, f"{different} of a release by {name} hold what no mechanism protected")


def _no_chance(*_: Any) -> Any:
    raise ValueError("a method that draws chance for single records has a check of its own (transcripts)")


def _with_report(data: Any, number: int) -> Any:
    """Records as if they were read from a file of which other rows were of no use."""
    report = ReadReport(columns=("lon", "lat"), reason="by their names", files=1, kinds=("CSV",), degrees=True)
    report.add(np.array([9_000 * number, data.exact_total, 11 * number, number, 0, 0, 0, 0]))
    report.note_total(data.exact_total)
    data.report = report
    return data


def _points(records: int) -> ExactPoints:
    return ExactPoints.from_array(GRID.frame, np.random.default_rng(records).random((records, 2)) * 0.08)


def _counts(seed: int, *, mean: float = 20.0) -> ExactCounts:
    return ExactCounts.from_array(GRID, np.random.default_rng(seed).poisson(mean, (8, 8)))


@contextmanager
def _in_place_of(module: Any, name: str, value: Any) -> Iterator[None]:
    """One attribute of a module has another value inside the block."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


@contextmanager
def _ledger() -> Iterator[Ledger]:
    """A ledger of its own in a folder of its own, without the warnings about look-alikes."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield Ledger(Path(folder) / "ledger.sqlite3")


CHECKS: dict[str, Callable[[], None]] = {
    "what the secure sampler accounts for its scales": secure_scales,
    "where the words of the secure source come from": secure_words,
    "pure charges beside approximate ones": pure_beside_approximate,
    "what a crash leaves": left_by_a_crash,
    "points of a plane on their grid": planar_points,
    "ids of persons": ids_of_persons,
    "whole folders from forced transcripts": whole_folders,
}
