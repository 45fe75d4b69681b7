# mypy: ignore-errors
"""Compiled loops for sums of blocks and the exact area of rectangles clipped by polygons: deterministic, no GIL.

Plain twins are in tests/oracles/overlap.py.
"""

import logging

import numpy as np
from numba import njit
from numba.core import event

_log = logging.getLogger(__name__)  # without a handler Python prints the sentence alone
MOST_LOOKS = 1_000_000_000  # pairs of edges in a search for crossings: some seconds


class FirstUse(event.Listener):
    """Says once that this process compiles; what is compiled is kept for all later ones."""

    many = 6  # functions, after which it will take seconds

    def __init__(self):
        self.begun = self.ended = 0

    def on_start(self, event):
        self.begun += 1
        if self.begun == self.many:
            _log.warning("First use on this computer: dpviz compiles its loops, once, for up to half a minute.")

    def on_end(self, event):
        self.ended += 1


_FIRST_USE = FirstUse()
event.register("numba:compile", _FIRST_USE)


def compiles_now() -> bool:
    """Whether this process is compiling, which it does at its first use on a computer."""
    return _FIRST_USE.begun > _FIRST_USE.ended


@njit(nogil=True, cache=True)
def halve(cells):
    """Sums of 2×2 blocks: the same records on a grid of half the side."""
    side = cells.shape[0] // 2
    out = np.empty((side, side), np.int64)
    for row in range(side):
        for col in range(side):
            out[row, col] = (
                cells[2 * row, 2 * col]
                + cells[2 * row, 2 * col + 1]
                + cells[2 * row + 1, 2 * col]
                + cells[2 * row + 1, 2 * col + 1]
            )
    return out


@njit(nogil=True, cache=True)
def clip_half(xs, ys, along_x, bound, above):
    """A ring cut by a line: what lies at or above (or below) `bound` on one axis. Sutherland and Hodgman 1974."""
    n = xs.shape[0]
    out_x, out_y = np.empty(2 * n + 2), np.empty(2 * n + 2)
    m = 0
    for i in range(n):
        j = i - 1 if i > 0 else n - 1
        here = xs[i] if along_x else ys[i]
        past = xs[j] if along_x else ys[j]
        inside = here >= bound if above else here <= bound
        was = past >= bound if above else past <= bound
        if inside != was:
            share = (bound - past) / (here - past)
            out_x[m] = bound if along_x else xs[j] + share * (xs[i] - xs[j])
            out_y[m] = ys[j] + share * (ys[i] - ys[j]) if along_x else bound
            m += 1
        if inside:
            out_x[m], out_y[m] = xs[i], ys[i]
            m += 1
    return out_x[:m].copy(), out_y[:m].copy()


@njit(nogil=True, cache=True, inline="always")
def clip_between(xs, ys, axis, low, high):
    """A ring cut by two lines: what lies from `low` to `high` on one axis (0 is x)."""
    for edge in range(2):  # not once for True and once for False: numba would compile each
        xs, ys = clip_half(xs, ys, axis == 0, (low, high)[edge], edge == 0)
        if xs.shape[0] < 3:
            break
    return xs, ys


@njit(nogil=True, cache=True)
def moments(xs, ys, x0, y0):
    """Signed area of a ring, and its first moments about (x0, y0)."""
    n = xs.shape[0]
    area = mx = my = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay = xs[i] - x0, ys[i] - y0
        bx, by = xs[j] - x0, ys[j] - y0
        cross = ax * by - bx * ay
        area += cross
        mx += (ax + bx) * cross
        my += (ay + by) * cross
    return area / 2.0, mx / 6.0, my / 6.0


@njit(nogil=True, cache=True)
def overlaps(
    xs, ys, ring_start, ring_sign, zone_start, low, high, bucket_start, bucket_cells, side, west, south, east, north
):
    """For every zone the rectangles that it meets: (zone, rectangle, (share of its area, middle of the overlap)).

    Zones are runs of rings, rings runs of corners. A ring adds its area times its sign. `bucket_…` list the rectangles
    that meet each bucket of a side × side grid over the box. Middles are −1 to 1 from the rectangle's west to its east
    edge and from south to north.
    """
    cells = low.shape[0]
    zones = zone_start.shape[0] - 1
    sums = np.zeros((cells, 3))  # area and first moments of what a zone has of each rectangle
    seen = np.zeros(cells, np.bool_)
    touched = np.empty(cells, np.int64)
    out_zone, out_cell, out_share = np.empty(1024, np.int64), np.empty(1024, np.int64), np.empty((1024, 3))
    found = 0
    step_x, step_y = (east - west) / side, (north - south) / side
    for zone in range(zones):
        many = 0
        for ring in range(zone_start[zone], zone_start[zone + 1]):
            rx = xs[ring_start[ring] : ring_start[ring + 1]]
            ry = ys[ring_start[ring] : ring_start[ring + 1]]
            if rx.shape[0] < 3:
                continue
            whole, _, _ = moments(rx, ry, rx[0], ry[0])
            if whole == 0.0:
                continue
            sign = ring_sign[ring] * (1.0 if whole > 0.0 else -1.0)
            c0 = max(0, int(np.floor((rx.min() - west) / step_x)))
            c1 = min(side - 1, int(np.floor((rx.max() - west) / step_x)))
            r0 = max(0, int(np.floor((ry.min() - south) / step_y)))
            r1 = min(side - 1, int(np.floor((ry.max() - south) / step_y)))
            for col in range(c0, c1 + 1):
                left = west + col * step_x
                right = left + step_x if col + 1 < side else east
                strip_x, strip_y = clip_between(rx, ry, 0, left, right)
                if strip_x.shape[0] < 3:
                    continue
                for row in range(r0, r1 + 1):
                    bottom = south + row * step_y
                    top = bottom + step_y if row + 1 < side else north
                    px, py = clip_between(strip_x, strip_y, 1, bottom, top)
                    if px.shape[0] < 3:
                        continue
                    here, hx, hy = moments(px, py, left, bottom)
                    if here == 0.0:
                        continue
                    full = abs(here) >= (right - left) * (top - bottom) * (1.0 - 1e-12)
                    bucket = row * side + col
                    for at in range(bucket_start[bucket], bucket_start[bucket + 1]):
                        cell = bucket_cells[at]
                        w, e = max(left, low[cell, 0]), min(right, high[cell, 0])
                        s, n = max(bottom, low[cell, 1]), min(top, high[cell, 1])
                        if w >= e or s >= n:
                            continue
                        if full:
                            piece = (e - w) * (n - s) * (1.0 if here > 0.0 else -1.0)
                            qx = piece * ((w + e) / 2.0 - low[cell, 0])
                            qy = piece * ((s + n) / 2.0 - low[cell, 1])
                        elif w == left and e == right and s == bottom and n == top:
                            piece = here
                            qx = hx + here * (left - low[cell, 0])
                            qy = hy + here * (bottom - low[cell, 1])
                        else:
                            cx, cy = clip_between(px, py, 0, w, e)
                            cx, cy = clip_between(cx, cy, 1, s, n)
                            if cx.shape[0] < 3:
                                continue
                            piece, qx, qy = moments(cx, cy, low[cell, 0], low[cell, 1])
                        if not seen[cell]:
                            seen[cell] = True
                            touched[many] = cell
                            many += 1
                        sums[cell, 0] += sign * piece
                        sums[cell, 1] += sign * qx
                        sums[cell, 2] += sign * qy
        if found + many > len(out_zone):
            more = max(len(out_zone), many)
            out_zone = np.concatenate((out_zone, np.empty(more, np.int64)))
            out_cell = np.concatenate((out_cell, np.empty(more, np.int64)))
            out_share = np.concatenate((out_share, np.empty((more, 3))))
        for at in range(many):
            cell = touched[at]
            area, wide, tall = sums[cell, 0], high[cell, 0] - low[cell, 0], high[cell, 1] - low[cell, 1]
            share = area / (wide * tall)
            if share > 1e-9:
                out_zone[found], out_cell[found] = zone, cell
                out_share[found, 0] = 1.0 if share > 1.0 - 1e-9 else share
                out_share[found, 1] = min(max(2.0 * sums[cell, 1] / area / wide - 1.0, -1.0), 1.0)
                out_share[found, 2] = min(max(2.0 * sums[cell, 2] / area / tall - 1.0, -1.0), 1.0)
                found += 1
            seen[cell] = False
            sums[cell] = 0.0
    return out_zone[:found], out_cell[:found], out_share[:found]


@njit(nogil=True, cache=True)
def ring_areas(xs, ys, ring_start):
    """Signed area of every ring, about its first corner."""
    areas = np.zeros(ring_start.shape[0] - 1)
    for ring in range(areas.shape[0]):
        first, past = ring_start[ring], ring_start[ring + 1]
        if past > first:
            areas[ring], _, _ = moments(xs[first:past], ys[first:past], xs[first], ys[first])
    return areas


@njit(nogil=True, cache=True)
def _apart(ax, ay, bx, by, cx, cy, dx, dy):
    """Whether two places, c and d, lie on different sides of the line through a and b."""
    c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax)
    return (c > 0.0 and d < 0.0) or (c < 0.0 and d > 0.0)


@njit(nogil=True, cache=True)
def first_crossing(xs, ys, ring_start):
    """Index of the first ring whose edges cross each other in their insides; −1 where none does, −2 after `MOST_LOOKS`.

    Edges are swept along the axis on which they are short. Edges that only touch do not cross.
    """
    looks = 0
    for ring in range(ring_start.shape[0] - 1):
        first, past = ring_start[ring], ring_start[ring + 1]
        n = past - first
        if n < 4:
            continue
        ax, ay = xs[first:past], ys[first:past]
        bx, by = np.roll(ax, -1), np.roll(ay, -1)
        if np.abs(ax - bx).sum() * (ay.max() - ay.min()) > np.abs(ay - by).sum() * (ax.max() - ax.min()):
            ax, ay, bx, by = ay, ax, by, bx
        begin = np.minimum(ax, bx)
        order = np.argsort(begin, kind="mergesort")
        for at in range(n):
            i = order[at]
            end, bottom, top = max(ax[i], bx[i]), min(ay[i], by[i]), max(ay[i], by[i])
            for later in range(at + 1, n):
                j = order[later]
                if begin[j] > end:
                    break
                looks += 1
                if looks > MOST_LOOKS:
                    return -2
                if min(ay[j], by[j]) > top or max(ay[j], by[j]) < bottom:
                    continue
                if _apart(ax[i], ay[i], bx[i], by[i], ax[j], ay[j], bx[j], by[j]) and _apart(
                    ax[j], ay[j], bx[j], by[j], ax[i], ay[i], bx[i], by[i]
                ):
                    return ring
    return -1


@njit(nogil=True, cache=True)
def _step(place, origin, size, side):
    """The row or column of a coarse grid that a place lies in, clamped to the grid."""
    at = (place - origin) / size * side
    return 0 if not at > 0.0 else side - 1 if at >= side - 1 else int(at)


@njit(nogil=True, cache=True)
def _boxes_by_bucket(box_low, box_high, west, south, wide, tall, side):
    """For every bucket of a coarse grid the boxes that reach into it or into its neighbours to the east and north."""
    zones = box_low.shape[0]
    start = np.zeros(side * side + 1, np.int64)
    past = listed = np.empty(0, np.int64)
    for filling in range(2):
        if filling:
            start = np.cumsum(start)
            past, listed = start[:-1].copy(), np.empty(start[-1], np.int64)
        for zone in range(zones):
            first_row = max(_step(box_low[zone, 1], south, tall, side) - 1, 0)
            first_col = max(_step(box_low[zone, 0], west, wide, side) - 1, 0)
            for row in range(first_row, _step(box_high[zone, 1], south, tall, side) + 1):
                for col in range(first_col, _step(box_high[zone, 0], west, wide, side) + 1):
                    bucket = row * side + col
                    if filling:
                        listed[past[bucket]] = zone
                        past[bucket] += 1
                    else:
                        start[bucket + 1] += 1
    return start, listed


@njit(nogil=True, cache=True)
def cut_by_boxes(box_low, box_high, low, high, side):
    """Pairs of a rectangular zone and a cell that it cuts; cells that lie wholly in a zone are left out.

    A cell looks at the zones of the bucket that its south-west corner lies in, at all of them where it is larger.
    """
    zones, cells = box_low.shape[0], low.shape[0]
    room = np.zeros(zones + 1, np.int64)
    west, south, east, north = box_low[:, 0].min(), box_low[:, 1].min(), box_high[:, 0].max(), box_high[:, 1].max()
    wide, tall = max(east - west, 1e-300), max(north - south, 1e-300)
    start, listed = _boxes_by_bucket(box_low, box_high, west, south, wide, tall, side)
    everything = past = np.arange(zones)
    out_zone, out_cell = np.empty(0, np.int64), np.empty(0, np.int64)
    for filling in range(2):
        if filling:
            room = np.cumsum(room)
            past = room[:-1].copy()
            out_zone, out_cell = np.empty(room[-1], np.int64), np.empty(room[-1], np.int64)
        for cell in range(cells):
            left, bottom, right, top = low[cell, 0], low[cell, 1], high[cell, 0], high[cell, 1]
            row, col = _step(bottom, south, tall, side), _step(left, west, wide, side)
            near = everything
            if _step(top, south, tall, side) <= row + 1 and _step(right, west, wide, side) <= col + 1:
                near = listed[start[row * side + col] : start[row * side + col + 1]]
            for zone in near:
                if left >= box_high[zone, 0] or right <= box_low[zone, 0]:
                    continue
                if bottom >= box_high[zone, 1] or top <= box_low[zone, 1]:
                    continue
                wide_enough = box_low[zone, 0] <= left and right <= box_high[zone, 0]
                if wide_enough and box_low[zone, 1] <= bottom and top <= box_high[zone, 1]:
                    continue
                if filling:
                    out_zone[past[zone]], out_cell[past[zone]] = zone, cell
                    past[zone] += 1
                else:
                    room[zone + 1] += 1
    return out_zone, out_cell


_STRETCH = 2048  # rows whose strips are worked out together: their numbers stay in the nearest cache


@njit(nogil=True, cache=True, inline="always")
def _scrambled(first, second):
    """Mix two words so that every bit of the result depends on both."""
    word = first * np.uint64(0x9E3779B97F4A7C15) + second * np.uint64(0xC2B2AE3D27D4EB4F)
    word ^= word >> np.uint64(32)
    word *= np.uint64(0xD6E8FEB86659FD93)
    return word ^ (word >> np.uint64(29))


@njit(nogil=True, cache=True, inline="always")
def _mark_samples(word, found):
    """Count one record of the thinner samples."""
    sparse, buckets = word >> np.uint64(40), np.uint64(511)
    found[1, (word >> np.uint64(9)) & buckets] += 1
    if sparse & np.uint64(15) == 0:
        found[2, (word >> np.uint64(18)) & buckets] += 1
        if sparse & np.uint64(255) == 0:
            found[3, (word >> np.uint64(27)) & buckets] += 1


@njit(nogil=True, cache=True)
def mark_places(x, y, found, whole):
    """Count records by the square of a ten thousandth of a degree they lie in; numbers that are no degrees by none.

    Thinner samples hold the squares of one strip of longitude in sixteen. Rows of other strips are left out, for a
    stretch of rows without a branch, unless the first table counts all squares (`whole`).
    """
    strips = np.empty(_STRETCH, np.int32)
    for start in range(0, len(x), _STRETCH):
        size = min(_STRETCH, len(x) - start)
        for i in range(size):
            # The odd shift keeps numbers of four digits away from the borders of squares.
            east = x[start + i] * 10000.0 + 4000000.38196601125
            strip = np.int32(east) if (east >= 0.0) & (east < 8000000.0) else np.int32(-1)
            chosen = np.uint32(np.uint32(strip) * np.uint32(0x9E3779B1)) < np.uint32(0x10000000)
            strips[i] = strip if chosen | whole else np.int32(-1)
        for i in range(size):
            if strips[i] < 0:
                continue
            north = y[start + i] * 10000.0 + 4000000.38196601125
            if not (north >= 0.0 and north < 8000000.0):
                continue
            word = _scrambled(np.uint64(strips[i]), np.uint64(np.int64(north)))
            if whole:
                found[0, word & np.uint64(511)] += 1
            if np.uint32(np.uint32(strips[i]) * np.uint32(0x9E3779B1)) < np.uint32(0x10000000):
                _mark_samples(word, found)


@njit(nogil=True, cache=True)
def mark_keys(keys, found):
    """Count records by the key (two words) of their person."""
    for i in range(len(keys)):
        word = _scrambled(keys[i, 0], keys[i, 1] + np.uint64(1))
        found[0, word & np.uint64(511)] += 1
        if word >> np.uint64(60) == 0:
            _mark_samples(word, found)
