"""A square code (QR, version 3, level L, mask 0) of a short address, so that nobody has to type it into a telephone.

After ISO/IEC 18004: 29 modules a side, one block of 55 words of data and 15 of correction.
"""

from __future__ import annotations

from typing import Final

from dpviz.errors import InputError

SIDE: Final = 29
DATA, CORRECTION = 55, 15
LONGEST: Final = 53  # bytes of text
_FORMAT: Final = 0b111011111000100  # level L, mask 0, with its own correction
_ALIGNMENT: Final = 22  # middle of the one small square


def square_code(text: str) -> list[str]:
    """Rows of '0' and '1', dark is '1'; without the empty margin of four modules."""
    given = text.encode("latin-1")
    if len(given) > LONGEST:
        raise InputError(f"{text!r} has {len(given)} characters; a square code of this size holds {LONGEST}.")
    dark, taken = _frame()
    bits = "".join(f"{word:08b}" for word in _words(given))
    for at, (row, column) in enumerate(_path(taken)):
        bit = at < len(bits) and bits[at] == "1"
        dark[row][column] = bit ^ ((row + column) % 2 == 0)
    return ["".join("1" if cell else "0" for cell in row) for row in dark]


def _words(given: bytes) -> list[int]:
    """Mode and length, the text, filling words, and the words of correction."""
    bits = f"0100{len(given):08b}" + "".join(f"{byte:08b}" for byte in given) + "0000"
    bits += "0" * (-len(bits) % 8)
    words = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    words += [(0xEC, 0x11)[at % 2] for at in range(DATA - len(words))]
    return words + _correction(words)


def _correction(words: list[int]) -> list[int]:
    """The remainder of Reed–Solomon over the field of 256 elements with 0x11D."""
    powers = [1]
    for _ in range(254):
        doubled = powers[-1] << 1
        powers.append(doubled ^ 0x11D if doubled > 255 else doubled)
    logs = {power: at for at, power in enumerate(powers)}

    def times(a: int, b: int) -> int:
        return powers[(logs[a] + logs[b]) % 255] if a and b else 0

    divisor = [1]
    for at in range(CORRECTION):
        divisor = [
            (divisor[part] if part < len(divisor) else 0) ^ (times(divisor[part - 1], powers[at]) if part else 0)
            for part in range(len(divisor) + 1)
        ]
    rest = words + [0] * CORRECTION
    for at in range(len(words)):
        factor = rest[at]
        for part, value in enumerate(divisor):
            rest[at + part] ^= times(value, factor)
    return rest[len(words) :]


def _frame() -> tuple[list[list[bool]], list[list[bool]]]:
    """Everything that is not text: three corners, the small square, the dotted lines, the format."""
    dark = [[False] * SIDE for _ in range(SIDE)]
    taken = [[False] * SIDE for _ in range(SIDE)]

    def put(row: int, column: int, value: bool) -> None:
        if 0 <= row < SIDE and 0 <= column < SIDE:
            dark[row][column], taken[row][column] = value, True

    for top, left in ((0, 0), (0, SIDE - 7), (SIDE - 7, 0)):
        for row in range(-1, 8):
            for column in range(-1, 8):
                ring = max(abs(row - 3), abs(column - 3))
                put(top + row, left + column, ring in (0, 1, 3))
    for row in range(-2, 3):
        for column in range(-2, 3):
            put(_ALIGNMENT + row, _ALIGNMENT + column, max(abs(row), abs(column)) != 1)
    for at in range(8, SIDE - 8):
        put(6, at, at % 2 == 0)
        put(at, 6, at % 2 == 0)
    for at in range(15):
        bit = bool(_FORMAT >> (14 - at) & 1)
        put(8, at if at < 6 else at + 1, bit) if at < 8 else put(14 - at if at > 8 else 7, 8, bit)
        put(SIDE - 1 - at, 8, bit) if at < 7 else put(8, SIDE - 15 + at, bit)
    put(SIDE - 8, 8, True)
    return dark, taken


def _path(taken: list[list[bool]]) -> list[tuple[int, int]]:
    """Where the bits lie: two columns at a time from the right, up and down in turn, around what is taken."""
    found = []
    upward = True
    for right in [*range(SIDE - 1, 6, -2), *range(5, 0, -2)]:
        rows = range(SIDE - 1, -1, -1) if upward else range(SIDE)
        found += [(row, column) for row in rows for column in (right, right - 1) if not taken[row][column]]
        upward = not upward
    return found
