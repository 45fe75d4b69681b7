"""The compiled loops of reading say what their plain twins say."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from dpviz.domain import GeoBox, Grid
from dpviz.errors import FileError
from dpviz.ingest import _kernels
from dpviz.ingest.batches import Wanted
from dpviz.ingest.conversions import numbers_in_text
from dpviz.ingest.formats.text_table import TextTable
from dpviz.ingest.sources import Place
from dpviz.ingest.units.person_keys import PersonHash
from tests.oracles import reading as oracles

KEYS = (np.uint64(0x0706050403020100), np.uint64(0x0F0E0D0C0B0A0908))


def parsed(texts: list[str]) -> np.ndarray[Any, Any]:
    raw = [text.encode() for text in texts]
    ends = np.cumsum([len(text) for text in raw], dtype=np.int64)
    begins = ends - [len(text) for text in raw]
    begins.flags.writeable = ends.flags.writeable = False  # as those of Arrow are: numba compiles such arrays apart
    return numbers_in_text(np.frombuffer(b"".join(raw) + b" ", dtype=np.uint8), begins, ends)


def same(a: float, b: float) -> bool:
    return struct.pack("d", a) == struct.pack("d", b) or (math.isnan(a) and math.isnan(b))


def test_every_compiled_loop_has_a_twin() -> None:
    loops = {name for name, value in vars(_kernels).items() if hasattr(value, "py_func") and not name.startswith("_")}
    assert loops == {kernel.__name__ for kernel, _ in oracles.TWINS}


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(5e-324)
@example(2.2250738585072014e-308)
@example(1.7976931348623157e308)
@example(9007199254740993.0)
def test_a_number_printed_and_read_again_is_the_same_number(value: float) -> None:
    assert same(parsed([repr(value)])[0], value)


@given(
    sign=st.sampled_from(["", "-", "+"]),
    whole=st.text("0123456789", max_size=25),
    fraction=st.text("0123456789", max_size=30),
    power=st.integers(-345, 320),
)
@example(sign="", whole="9007199254740993", fraction="", power=0)
@example(sign="", whole="9007199254740992", fraction="99999999999999999999", power=0)
@example(sign="", whole="1", fraction="", power=23)
@example(sign="-", whole="0", fraction="0", power=0)
@example(sign="", whole="17976931348623159", fraction="", power=292)
def test_any_decimal_is_read_as_python_reads_it(sign: str, whole: str, fraction: str, power: int) -> None:
    if not whole and not fraction:
        return
    text = f"{sign}{whole}.{fraction}e{power}"
    assert same(parsed([text])[0], float(text))


@given(st.integers(1, 10**19 - 1), st.integers(0, 19))
@example(9007199254740993, 0)
@example(90071992547409930, 1)
@example(45035996273704965, 1)
@example(900719925474099500, 2)
@example(10**19 - 1, 19)
def test_digits_behind_a_mark_are_rounded_as_fractions_are(digits: int, after: int) -> None:
    rounded = _kernels.round_to_double(np.uint64(digits), after, _kernels.POWERS)
    assert same(rounded, oracles.round_to_double(digits, after))


@given(st.integers(1, 2**53 - 1), st.integers(-30, 10), st.integers(-2, 2))
def test_halfway_between_two_numbers_the_even_one_is_taken(mantissa: int, exponent: int, off: int) -> None:
    scaled = (2 * mantissa + 1) * 10**40 * 2 ** max(exponent, 0) // 2 ** max(-exponent, 0)
    text = f"{scaled + off}e-40"
    assert same(parsed([text])[0], float(text))


@given(st.text(alphabet="0123456789.,eE+- \tx", max_size=12))
@example("1.5.2")
@example("1e")
@example("--1")
@example(" +.5e-3\t")
@example(".")
def test_what_is_no_number_is_none(text: str) -> None:
    data = np.frombuffer(text.encode() + b" ", dtype=np.uint8)
    assert same(parsed([text])[0], oracles.read_number(data, 0, len(text), True)[0])


FIELDS = st.one_of(
    st.sampled_from(["1", "-74.0", "40.75", "", " 2 ", "x", '"3"', '"4,5"', '"a""b"', '"a\nb"', 'q"q', '"7"8', "\0"]),
    st.text(alphabet='1a" .', max_size=5),
)
ROWS = st.lists(st.lists(FIELDS, min_size=1, max_size=5), max_size=12)


@given(rows=ROWS, end=st.sampled_from(["\n", "\r\n", "\r"]), chunk=st.integers(1, 40), last=st.booleans())
def test_rows_are_split_as_by_the_twin_whatever_the_chunks(
    rows: list[list[str]], end: str, chunk: int, last: bool
) -> None:
    body = end.join(",".join(row) for row in rows) + (end if last else "")
    data = b"id,lon,lat\n" + body.encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dpviz.ingest.formats.text_table.CHUNK", chunk)
        patch.setattr("dpviz.ingest.formats.text_table.BATCH_ROWS", 3)
        patch.setattr("dpviz.ingest.formats.text_table._DOUBTS", 2)
        table = TextTable(Place(label="x", content=data))
        hashed = PersonHash(words=(1, 2, 3, 4))
        wanted = Wanted(columns=("lon", "lat"), person="id", hashed=hashed)
        found = [
            (x, y, tuple(key))
            for batch in table.batches(wanted)
            for x, y, key in zip(*(axis.tolist() for axis in batch.axes), np.array(batch.persons).tolist(), strict=True)
        ]
    expected = []
    for row in oracles.split_rows(body.encode(), ","):
        padded = [*row, b"", b"", b""]
        numbers = [oracles.read_number(np.frombuffer(f + b" ", np.uint8), 0, len(f), True)[0] for f in padded[1:3]]
        name, keys = padded[0], np.empty((1, 2), dtype=np.uint64)
        oracles.hash_slices(np.frombuffer(name + b" ", np.uint8), np.array([0]), np.array([len(name)]), 1, 2, keys)
        expected.append((*numbers, tuple(keys[0].tolist())))
    assert len(found) == len(expected)
    for (x, y, key), (u, v, person) in zip(found, expected, strict=True):
        assert same(x, u) and same(y, v) and key == person


def test_siphash_gives_the_published_value() -> None:
    empty = np.frombuffer(b" ", dtype=np.uint8)
    low, high = _kernels.sip_hash(empty, 0, 0, *KEYS)
    assert struct.pack("<QQ", low, high).hex() == "a3817f04ba25a8e66df67214c7550293"


@given(st.lists(st.binary(max_size=40), min_size=1, max_size=5))
def test_keys_are_those_of_the_twin_and_tell_texts_apart(texts: list[bytes]) -> None:
    data = np.frombuffer(b"".join(texts) + b" ", dtype=np.uint8)
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    begins = ends - [len(text) for text in texts]
    keys = [np.empty((len(texts), 2), dtype=np.uint64) for _ in range(2)]
    _kernels.hash_slices(data, begins, ends, *KEYS, keys[0])
    oracles.hash_slices(data, begins, ends, *KEYS, keys[1])
    assert (keys[0] == keys[1]).all()
    assert len({tuple(key) for key in keys[0].tolist()}) == len({text.strip(b" \t") for text in texts})


@given(st.lists(st.integers(0, 4), min_size=1, max_size=40), st.integers(1, 5), st.integers(0, 2**62))
def test_the_cap_keeps_what_its_twin_keeps(persons: list[int], cap: int, secret: int) -> None:
    keys = np.array([(7, person) for person in sorted(persons)], dtype=np.uint64)
    kept = [np.zeros(len(keys), dtype=np.bool_) for _ in range(2)]
    _kernels.choose_rows(keys, cap, np.uint64(secret), np.uint64(5), kept[0])
    oracles.choose_rows(keys, cap, secret, 5, kept[1])
    assert (kept[0] == kept[1]).all()
    for person in set(persons):
        of_person = keys[:, 1] == person
        assert kept[0][of_person].sum() == min(cap, of_person.sum())


BOXES = st.sampled_from(
    [GeoBox(-74.05, 40.70, -73.90, 40.80), GeoBox(-180, -89, 180, 89), GeoBox(13.1, 52.3, 13.1 + 1e-9, 52.3 + 1e-9)]
)
SPECIAL = [math.nan, math.inf, -math.inf, -74.05, -73.9, 40.7, 40.8, 1e308, -1e308, 583960.0, 0.0, -0.0]


@given(
    box=BOXES,
    side=st.sampled_from([1, 2, 64, 4096]),
    seed=st.integers(0, 2**32 - 1),
    odd=st.lists(st.sampled_from(SPECIAL), max_size=8),
)
def test_binning_is_the_arithmetic_of_the_grid_to_the_bit(box: GeoBox, side: int, seed: int, odd: list[float]) -> None:
    rng = np.random.default_rng(seed)
    low, high = box.frame.low, box.frame.high
    edges = low[0] + (high[0] - low[0]) * rng.integers(0, side + 1, 60) / side
    x = np.concatenate([rng.uniform(low[0], high[0], 40), edges, np.nextafter(edges, -999), odd])
    y = rng.permutation(np.concatenate([low[1] + (high[1] - low[1]) * rng.integers(-2, side + 3, 160) / side, odd]))
    args = (x, y, low[0], high[0], low[1], high[1], side)
    found, tallies = np.empty(len(x), dtype=np.int64), np.zeros((4, 4), dtype=np.int64)
    _kernels.find_cells(*args, found, tallies[0])
    assert (found == Grid(box, side).cells(x, y)).all()
    plain = np.empty(len(x), dtype=np.int64)
    oracles.find_cells(*args, plain, tallies[1])
    cells = np.zeros((2, side * side), dtype=np.int64) if side < 4096 else None
    if cells is not None:
        _kernels.add_to_cells(*args, cells[0], tallies[2])
        oracles.add_to_cells(*args, cells[1], tallies[3])
        assert (cells[0] == cells[1]).all() and (tallies[2:] == tallies[0]).all()
    assert (found == plain).all() and (tallies[0] == tallies[1]).all()


@given(st.binary(max_size=200))
def test_no_bytes_make_the_reader_fail_in_another_way_than_it_says(content: bytes) -> None:
    try:
        table = TextTable(Place(label="x", content=b"lon,lat\n" + content))
        rows = sum(batch.rows for batch in table.batches(Wanted(columns=("lon", "lat"))))
    except FileError:
        return
    assert rows <= len(content)
