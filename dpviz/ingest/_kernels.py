# mypy: ignore-errors
"""Compiled loops of reading: rows of text to numbers, numbers to cells, person names to keys.

Deterministic, without the GIL, each with a plain twin in tests/oracles/reading.py. The arithmetic of `find_cells`
is that of `Grid.cells`, bit for bit. The number reader is correctly rounded: it takes up to 19 digits as an integer
and multiplies by a 128-bit power of ten (Lemire, "Number parsing at a gigabyte per second", 2021); what is written
otherwise is handed back to the caller, who asks Python's own `float`.
"""

import math

import numpy as np
from numba import njit

_QUOTE, _LF, _CR, _SPACE, _TAB = 34, 10, 13, 32, 9
_DOT, _COMMA, _PLUS, _MINUS, _NINE, _ZERO, _E_LOW, _E_UP = 46, 44, 43, 45, 57, 48, 101, 69
MAX_QUOTED = 65536  # a quote not closed within so many bytes is an ordinary character
_STRETCH = 2048  # rows whose cells are worked out together: their numbers stay in the nearest cache
_MOST_DIGITS = 19  # that fit into 64 bits
UNDECIDED = np.uint64(0xFFFFFFFFFFFFFFFF)
_EXACT = np.array([10.0**q for q in range(_MOST_DIGITS + 1)])
_WHOLE = [(1 << (5**q - 1).bit_length() + 127) // 5**q + (q > 0) for q in range(_MOST_DIGITS + 1)]
# The leading 128 bits of 10^-q as two columns (high, low).
POWERS = np.array([(top >> 64, top & 0xFFFFFFFFFFFFFFFF) for top in _WHOLE], dtype=np.uint64)


@njit(nogil=True, cache=True, inline="always")
def _wide_product(a, b):
    """High and low 64 bits of a·b."""
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a_low, a_high, b_low, b_high = a & mask, a >> half, b & mask, b >> half
    low = a_low * b_low
    mid = a_high * b_low + (low >> half)
    other = a_low * b_high + (mid & mask)
    high = a_high * b_high + (mid >> half) + (other >> half)
    return high, (other << half) | (low & mask)


@njit(nogil=True, cache=True)
def round_to_double(digits, after, powers):
    """digits / 10^after, for `digits` above 0 and `after` from 0 to 19, rounded to the nearest double."""
    one = np.uint64(1)
    lead = 0
    while digits < one << np.uint64(63):
        digits = digits << one
        lead += 1
    high, low = _wide_product(digits, powers[after, 0])
    if (high & np.uint64(0x1FF)) == np.uint64(0x1FF):
        more, _ = _wide_product(digits, powers[after, 1])
        low = low + more
        if low < more:
            high = high + one
    upper = np.int64(high >> np.uint64(63))
    shift = np.uint64(upper + 9)
    mantissa = high >> shift
    if low <= one and after <= 4 and (mantissa & np.uint64(3)) == one and (mantissa << shift) == high:
        mantissa = mantissa & ~one  # halfway: the even one
    mantissa = (mantissa + (mantissa & one)) >> one
    return math.ldexp(np.float64(mantissa), ((-217706 * after) >> 16) + 11 + upper - lead)


@njit(nogil=True, cache=True, inline="always")
def _plain_number(data, at, stop, separator, comma, powers):
    """Sign and digits with at most one mark ("." or, if `comma`, also ","), and where what is no number begins.

    That is −1 where more digits than 19 were found: then only Python's float can say.
    """
    negative = at < stop and data[at] == _MINUS
    if negative or (at < stop and data[at] == _PLUS):
        at += 1
    first = at
    point = -1
    digits = np.uint64(0)
    while at < stop:
        c = data[at]
        if _ZERO <= c <= _NINE:
            digits = digits * np.uint64(10) + np.uint64(c - _ZERO)
        elif point < 0 and c != separator and (c == _DOT or (comma and c == _COMMA)):
            point = at
        else:
            break
        at += 1
    seen = at - first - (1 if point >= 0 else 0)
    if seen == 0:
        return np.nan, at
    if seen > _MOST_DIGITS:
        return np.nan, -1
    after = at - 1 - point if point >= 0 else 0
    if digits < np.uint64(1) << np.uint64(53):
        value = np.float64(digits) / _EXACT[after]
    else:
        value = round_to_double(digits, after, powers)
    return (-value if negative else value), at


@njit(nogil=True, cache=True)
def read_number(data, begin, end, comma, powers):
    """The number written in data[begin:end], NaN if none is; False where only Python's float can say.

    Grammar: spaces, sign, digits with at most one mark, an exponent, spaces.
    """
    while begin < end and (data[begin] == _SPACE or data[begin] == _TAB):
        begin += 1
    while end > begin and (data[end - 1] == _SPACE or data[end - 1] == _TAB):
        end -= 1
    value, at = _plain_number(data, begin, end, 0, comma, powers)
    if at == end:
        return value, True
    return np.nan, at >= 0 and data[at] != _E_LOW and data[at] != _E_UP


@njit(nogil=True, cache=True)
def read_numbers(data, begins, ends, comma, powers, values, undecided):
    """`read_number` over many slices of one buffer."""
    for i in range(len(begins)):
        values[i], sure = read_number(data, begins[i], ends[i], comma, powers)
        undecided[i] = not sure


@njit(nogil=True, cache=True)
def _closing_quote(data, begin, stop):
    """Where the quoted field that opens before `begin` closes; −1: not within the limit; −2: the buffer ends first."""
    at = begin
    limit = min(stop, begin + MAX_QUOTED)
    while at < limit:
        if data[at] == _QUOTE:
            if at + 1 < stop and data[at + 1] == _QUOTE:
                at += 2
                continue
            return at
        at += 1
    return -1 if begin + MAX_QUOTED <= stop else -2


@njit(nogil=True, cache=True)
def scan_rows(data, start, stop, final, separator, slots, numbers, comma, powers, values, begins, ends, doubts):
    """Rows of separated text from data[start:stop], until a buffer is full or no whole row is left.

    slots[field] says where a field goes: below `numbers` to values[slot, row], from `numbers` on to
    begins[slot - numbers, row]:ends[slot - numbers, row] (a piece of text), −1 nowhere.
    doubts[i] = (slot, row, begin, end) of numbers left to Python's float. Empty lines are no rows. A quote opens a
    field only as its first byte. Returns (where to go on, rows, doubts).
    """
    width, capacity, room = len(slots), values.shape[1], len(doubts)
    rows, doubted = 0, 0
    at = start
    while at < stop and rows < capacity and doubted + numbers <= room:
        row_start, kept_doubts = at, doubted
        if data[at] == _LF or data[at] == _CR:
            at += 1
            continue
        values[:, rows] = np.nan
        begins[:, rows] = ends[:, rows] = 0
        field = 0
        whole = True
        while whole:
            slot = slots[field] if field < width else -1
            value, end = 0.0, -1
            if 0 <= slot < numbers:
                value, end = _plain_number(data, at, stop, separator, comma, powers)
            if at < end < stop and (data[end] == separator or data[end] == _LF or data[end] == _CR):
                values[slot, rows] = value
                at = end
            else:
                begin, end = at, -1
                if at < stop and data[at] == _QUOTE:
                    close = _closing_quote(data, at + 1, stop)
                    if not final and (close == -2 or close == stop - 1):
                        whole = False  # the next byte may be a second quote
                        break
                    if close >= 0:
                        begin, end = at + 1, close
                        at = close + 1
                after = at
                while at < stop:
                    c = data[at]
                    if c == separator or c == _LF or c == _CR:  # noqa: SIM109
                        break
                    at += 1
                while after < at and data[after] == _SPACE:
                    after += 1
                if end < 0 or after < at:  # text behind a closing quote: no number, and not the same name
                    end = at
                whole = at < stop or final
                if whole and 0 <= slot < numbers:
                    values[slot, rows], sure = read_number(data, begin, end, comma, powers)
                    if not sure:
                        doubts[doubted] = (slot, rows, begin, end)
                        doubted += 1
                elif whole and slot >= 0:
                    begins[slot - numbers, rows], ends[slot - numbers, rows] = begin, end
            if at == stop or data[at] != separator:
                break
            at += 1
            field += 1
        if not whole:
            return row_start, rows, kept_doubts
        rows += 1
        if at < stop:
            at += 1  # a line feed left behind by CR LF is an empty line, and no row
    return at, rows, doubted


@njit(nogil=True, cache=True)
def find_cells(x, y, low_x, high_x, low_y, high_y, side, cell_of, tally):
    """Write the cell of every row, −1 outside; tally[0] counts rows inside, the rest rows that hint at a mistake.

    tally: inside, without two finite numbers, inside if x and y were swapped, beyond ±180 and ±90 degrees.
    Cells are worked out without a branch, which the compiler does several at a time.
    """
    last = side - 1
    scale_x = side / (high_x - low_x)
    scale_y = side / (high_y - low_y)
    for i in range(len(x)):
        u, v = x[i], y[i]
        within = (u >= low_x) & (u < high_x) & (v >= low_y) & (v < high_y)
        right = (u - low_x) * scale_x if within else 0.0
        above = (v - low_y) * scale_y if within else 0.0
        column, up = min(np.int64(right), last), min(np.int64(above), last)
        cell_of[i] = (last - up) * side + column if within else -1
    for i in range(len(x)):
        u, v = x[i], y[i]
        if cell_of[i] >= 0:
            tally[0] += 1
        elif not (np.isfinite(u) and np.isfinite(v)):
            tally[1] += 1
        elif v >= low_x and v < high_x and u >= low_y and u < high_y:
            tally[2] += 1
        elif abs(u) > 180.0 or abs(v) > 90.0:
            tally[3] += 1


@njit(nogil=True, cache=True)
def add_to_cells(x, y, low_x, high_x, low_y, high_y, side, cells, tally):
    """Add every row inside the box to its cell; the tally is that of `find_cells`."""
    cell_of = np.empty(_STRETCH, np.int64)
    for start in range(0, len(x), _STRETCH):
        stop = min(start + _STRETCH, len(x))
        find_cells(x[start:stop], y[start:stop], low_x, high_x, low_y, high_y, side, cell_of, tally)
        for cell in cell_of[: stop - start]:
            if cell >= 0:
                cells[cell] += 1


@njit(nogil=True, cache=True, inline="always")
def _turned(x, by):
    return (x << np.uint64(by)) | (x >> np.uint64(64 - by))


@njit(nogil=True, cache=True, inline="always")
def _sip_rounds(v0, v1, v2, v3, rounds):
    for _ in range(rounds):
        v0 = v0 + v1
        v1 = _turned(v1, 13) ^ v0
        v0 = _turned(v0, 32)
        v2 = v2 + v3
        v3 = _turned(v3, 16) ^ v2
        v0 = v0 + v3
        v3 = _turned(v3, 21) ^ v0
        v2 = v2 + v1
        v1 = _turned(v1, 17) ^ v2
        v2 = _turned(v2, 32)
    return v0, v1, v2, v3


@njit(nogil=True, cache=True)
def sip_hash(data, begin, end, key0, key1):
    """SipHash-2-4 with 128 bits of result of data[begin:end] (Aumasson, Bernstein 2012): low and high 64 bits."""
    v0 = key0 ^ np.uint64(0x736F6D6570736575)
    v1 = key1 ^ np.uint64(0x646F72616E646F6D) ^ np.uint64(0xEE)
    v2 = key0 ^ np.uint64(0x6C7967656E657261)
    v3 = key1 ^ np.uint64(0x7465646279746573)
    size = end - begin
    at = begin
    while at + 8 <= end:
        word = np.uint64(0)
        for j in range(8):
            word |= np.uint64(data[at + j]) << np.uint64(8 * j)
        v3 ^= word
        v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3, 2)
        v0 ^= word
        at += 8
    word = np.uint64(size & 0xFF) << np.uint64(56)
    for j in range(end - at):
        word |= np.uint64(data[at + j]) << np.uint64(8 * j)
    v3 ^= word
    v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3, 2)
    v0 ^= word
    v2 ^= np.uint64(0xEE)
    v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3, 4)
    low = v0 ^ v1 ^ v2 ^ v3
    v1 ^= np.uint64(0xDD)
    v0, v1, v2, v3 = _sip_rounds(v0, v1, v2, v3, 4)
    return low, v0 ^ v1 ^ v2 ^ v3


@njit(nogil=True, cache=True)
def hash_slices(data, begins, ends, key0, key1, keys):
    """A key of 128 bits for data[begin:end] without spaces around it: itself up to 15 bytes, else a keyed hash.

    The highest byte is the length of a short text and 255 for a hashed one, so the two never meet.
    """
    for i in range(len(begins)):
        begin, end = begins[i], ends[i]
        while begin < end and (data[begin] == _SPACE or data[begin] == _TAB):
            begin += 1
        while end > begin and (data[end - 1] == _SPACE or data[end - 1] == _TAB):
            end -= 1
        size = end - begin
        if size <= 15:
            low, high = np.uint64(0), np.uint64(size) << np.uint64(56)
            for j in range(size):
                byte = np.uint64(data[begin + j])
                if j < 8:
                    low |= byte << np.uint64(8 * j)
                else:
                    high |= byte << np.uint64(8 * (j - 8))
        else:
            low, high = sip_hash(data, begin, end, key0, key1)
            high |= np.uint64(0xFF) << np.uint64(56)
        keys[i, 0] = high
        keys[i, 1] = low


@njit(nogil=True, cache=True)
def choose_rows(keys, cap, key0, key1, kept):
    """Mark at most `cap` rows of every run of equal keys: a uniform choice by coins that depend on that key alone.

    Selection sampling (Knuth, volume 2, 3.4.2 S): row t of a run of g is kept with probability
    (still wanted) / (g − t).
    The coins of a person are SipHash of (person, number of the draw) under a secret key.
    """
    size = len(keys)
    message = np.empty(24, dtype=np.uint8)
    start = 0
    while start < size:
        stop = start + 1
        while stop < size and keys[stop, 0] == keys[start, 0] and keys[stop, 1] == keys[start, 1]:
            stop += 1
        rows = stop - start
        if rows <= cap:
            for i in range(start, stop):
                kept[i] = True
        else:
            for j in range(8):
                message[j] = np.uint8((keys[start, 0] >> np.uint64(8 * j)) & np.uint64(0xFF))
                message[8 + j] = np.uint8((keys[start, 1] >> np.uint64(8 * j)) & np.uint64(0xFF))
            draw = 0
            wanted = cap
            for t in range(rows):
                left = np.uint64(rows - t)
                limit = UNDECIDED - UNDECIDED % left  # a multiple of `left`: no remainder is favoured
                while True:
                    for j in range(8):
                        message[16 + j] = np.uint8((draw >> (8 * j)) & 0xFF)
                    draw += 1
                    word, _ = sip_hash(message, 0, 24, key0, key1)
                    if word < limit:
                        break
                take = np.int64(word % left) < wanted
                kept[start + t] = take
                if take:
                    wanted -= 1
        start = stop
