"""The joint source of noise: exact numbers of one holder go in, the noisy sum over all holders comes out.

Mechanisms do not change: where one asks for noise on a vector, every holder adds its share to its own vector, the sum
is opened by Shamir's secret sharing (the library MPyC), and all go on with the same protected numbers. Proof:
docs/proofs/joint.md.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import InputError, JointError, extra_needed
from dpviz.joint.circle import Circle
from dpviz.noise import replayable_source
from dpviz.noise.shares import laplace_shares

Integers = NDArray[np.int64]
MODULUS = (1 << 127) - 1
_BYTES = 16  # of a number below the modulus
_LARGEST = 1 << 62


class SumsOnly:
    """A source that refuses all but sums with Laplace noise, and answers those with seeded noise: for rehearsals."""

    kind: str = "replayable"
    seed: int | None = 0

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """Exact whole numbers of made-up records with noise that is the same on all sides."""
        return replayable_source(0).add_laplace(exact, scale, sensitivity=sensitivity)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise InputError(
            "a joint release takes sums with Laplace noise only, and this method asks for something else. Nothing was "
            "charged."
        )

    add_gaussian = add_joint_laplace = add_spherical_laplace = select = decide = _refuse
    integers = coins = permutation = _refuse
    integers_for_records = coins_for_records = order_of_rows = _refuse


class JointSource(SumsOnly):
    """Noisy sums over all holders. Every call is a round of the protocol, so all holders make the same calls."""

    kind: str = "secure"
    seed: int | None = None

    def __init__(self, circle: Circle) -> None:
        self._circle, self._plan = circle, circle.plan
        self._transcript = hashlib.sha256(bytes.fromhex(circle.plan.digest))
        self.rounds = self.numbers = 0

    def add_laplace(self, exact: Integers, scale: float, *, sensitivity: float | None = None) -> Integers:
        """The sum of all holders' vectors with one draw of discrete Laplace noise an entry."""
        given = np.asarray(exact)
        if given.dtype.kind not in "iu":
            raise InputError(f"numbers of type {given.dtype}: noise is added to whole numbers.")
        if not given.size:
            return given.astype(np.int64)
        own = given.astype(np.int64).ravel()
        shares = laplace_shares(scale, own.size, self._plan.parts)  # [P4]
        summed = self._opened([int(a) + int(b) for a, b in zip(own, shares, strict=True)], scale)
        self._transcript.update(summed.tobytes())
        self.rounds, self.numbers = self.rounds + 1, self.numbers + own.size
        self._circle.tell(f"{self.rounds} rounds, {self.numbers:,} noisy sums")
        return summed.reshape(given.shape)

    def _opened(self, values: list[int], scale: float) -> Integers:
        """[P5] [P6] [P7] The sum over all holders of these numbers, modulo a prime."""
        circle, plan = self._circle, self._plan
        sharing, field = secret_sharing()
        dealt = sharing.random_split(field, [value % MODULUS for value in values], plan.degree, len(plan.holders))
        question = [len(values), float(scale).hex(), self._transcript.hexdigest()]
        messages = {place: packed(dealt[place]) for place in circle.others}
        received = circle.exchange("shares", {"question": question}, messages)  # [P5]
        for place, (facts, _) in received.items():  # [P6]
            if facts.get("question") != question:
                raise self._stop(
                    f"{circle.name(place)} has seen other numbers or asks something else than this holder: its program "
                    "differs, or a holder told each of them another sum.",
                    "two holders have seen different numbers",
                )
        sums = list(dealt[circle.place])
        for place, (_, content) in received.items():
            sums = [(a + b) % MODULUS for a, b in zip(sums, self._unpacked(content, len(values), place), strict=True)]
        answers = circle.exchange("sums", {}, packed(sums))
        points = [(circle.place + 1, sums)]
        points += [(place + 1, self._unpacked(content, len(values), place)) for place, (_, content) in answers.items()]
        return self._recombined(points)

    def _recombined(self, points: list[tuple[int, list[int]]]) -> Integers:
        """[P7] The value at 0 of the polynomials through these points, which must all lie on them."""
        sharing, field = secret_sharing()
        enough, spare = points[: self._plan.degree + 1], points[self._plan.degree + 1 :]
        found, *checks = sharing.recombine(field, enough, [0, *(place for place, _ in spare)])
        for (_, told), expected in zip(spare, checks, strict=True):
            if any((one - int(other)) % MODULUS for one, other in zip(told, expected, strict=True)):
                raise self._stop(
                    "the sums that the holders sent do not fit together: one of them deviates from the protocol, or a "
                    "message was damaged.",
                    "the sums do not fit together",
                )
        centered = [((int(value) + MODULUS // 2) % MODULUS) - MODULUS // 2 for value in found]
        if any(abs(value) > _LARGEST for value in centered):
            raise self._stop("a sum is larger than any number of records can make it.", "a sum is out of range")
        return np.array(centered, dtype=np.int64)

    def _unpacked(self, content: bytes, size: int, place: int) -> list[int]:
        if len(content) != size * _BYTES:
            name = self._circle.name(place)
            raise self._stop(f"{name} sent a message of another length.", "a message has another length")
        return [int.from_bytes(content[at : at + _BYTES], "little") % MODULUS for at in range(0, len(content), _BYTES)]

    def _stop(self, text: str, public_reason: str) -> JointError:
        return self._circle.trouble(text, f"{public_reason}.")


def packed(values: list[int]) -> bytes:
    """Numbers below the modulus as bytes."""
    return b"".join(int(value).to_bytes(_BYTES, "little") for value in values)


@cache
def secret_sharing() -> tuple[Any, Any]:
    """MPyC's module of secret sharing and the prime field; loaded without its command line, log and start-up line."""
    with extra_needed(), _no_arguments():
        from mpyc import finfields, thresha
    return thresha, finfields.GF(MODULUS)


@contextmanager
def _no_arguments() -> Iterator[None]:
    """MPyC reads the program's arguments when it is imported; it is shown none but that it writes no log."""
    given, sys.argv = sys.argv, [sys.argv[0], "--no-log"]
    try:
        yield
    finally:
        sys.argv = given
