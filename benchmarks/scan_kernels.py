"""Other ways to scan and to compact than the course's: more per thread, other peeks.

Each function here makes a kernel for its sizes. They differ from the answers of unit 07 in what `bench_scan.py` is to
find out: how many elements a thread should have, and whether a relaxed load is a better peek than an atomic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import cuda, float32, int32, int64, uint32

from autograder.notebook.intrinsics import load16, store16
from autograder.notebook.relaxed import load_relaxed

WARP = 32
FULL_WARP = 0xFFFFFFFF
SUM, PREFIX = 1, 2

SCANS = ((256, 4, False), (256, 4, True), (256, 8, True), (512, 4, True), (128, 8, True))  # threads, fours, relaxed
COMPACTIONS = ((256, 16, True), (512, 16, True), (256, 32, True))  # threads, elements per thread, relaxed


@cuda.jit(device=True, forceinline=True)
def load_atomic(array, index):
    """The same with an atomic."""
    return cuda.atomic.or_(array, index, 0)


@cuda.jit(device=True, forceinline=True)
def peek_relaxed(array, index):
    """`load_relaxed` under the name of a device function."""
    return load_relaxed(array, index)


@cuda.jit(device=True, forceinline=True)
def word_of(flag, x):
    """A flag and the bits of a float32 in one int64."""
    return int64(flag) << 32 | int64(cuda.libdevice.float_as_int(x)) & 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def value_in(word):
    """The float32 in the lower half."""
    return cuda.libdevice.int_as_float(int32(word & 0xFFFFFFFF))


@cuda.jit(device=True, forceinline=True)
def load_four(src, i):
    """src[i] to src[i + 3], 0 past the end."""
    if i + 4 <= src.size:
        return load16(src, i)
    zero = float32(0)
    return (src[i] if i < src.size else zero, src[i + 1] if i + 1 < src.size else zero,
            src[i + 2] if i + 2 < src.size else zero, zero)  # fmt: skip


@cuda.jit(device=True, forceinline=True)
def store_four(dst, i, x):
    """dst[i] to dst[i + 3] = x, as far as there is a dst."""
    if i + 4 <= dst.size:
        store16(dst, i, x)
    else:
        for k in range(3):
            if i + k < dst.size:
                dst[i + k] = x[k]


@cuda.jit(device=True, forceinline=True)
def scan_four(x):
    """(four running sums within a warp's 128 elements, their total)."""
    lane = cuda.threadIdx.x & 31
    b = x[0] + x[1]
    c = b + x[2]
    upto, d = c + x[3], 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto += y
        d *= 2
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    return (before + x[0], before + b, before + c, upto), cuda.shfl_sync(FULL_WARP, upto, WARP - 1)


@cuda.jit(device=True, forceinline=True)
def plus(x, y):
    """Four numbers, y more each."""
    return x[0] + y, x[1] + y, x[2] + y, x[3] + y


def look_back_with(peek: Callable, of_floats: bool) -> Any:
    """The device function by which a warp adds up what lies before a tile. peek: how it reads a word."""
    zero = float32(0) if of_floats else int32(0)
    nothing = PREFIX << 32

    @cuda.jit(device=True)
    def look_back(state, tile):
        lane = cuda.threadIdx.x & 31
        before, found = zero, 0
        at = tile - 1 - lane
        while found == 0:
            word = int64(nothing)
            if at >= 0:
                word = peek(state, at)
            while cuda.any_sync(FULL_WARP, word >> 32 == 0):
                if word >> 32 == 0:
                    word = peek(state, at)
            found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
            counts = found == 0 or lane < cuda.ffs(found)
            if of_floats:
                x = value_in(word) if counts else float32(0)
            else:
                x = int32(word & 0xFFFFFFFF) if counts else int32(0)
            d = WARP // 2
            while d > 0:
                x += cuda.shfl_xor_sync(FULL_WARP, x, d)
                d //= 2
            before += x
            at -= WARP
        return before

    return look_back


def lookback_scan(threads: int, groups: int, relaxed: bool) -> Any:
    """A kernel like the course's scan_lookback, with 4 * groups elements per thread."""
    look_back = look_back_with(peek_relaxed if relaxed else load_atomic, True)
    warps, share, tile_size = threads // WARP, 128 * groups, 4 * groups * threads

    @cuda.jit(device=True, forceinline=True)
    def four_groups(src, first):
        """Four groups scanned one after the other: (16 running sums, total)."""
        x0, x1, x2, x3 = (load_four(src, first), load_four(src, first + 128), load_four(src, first + 256),
                          load_four(src, first + 384))  # fmt: skip
        x0, t0 = scan_four(x0)
        x1, t1 = scan_four(x1)
        x2, t2 = scan_four(x2)
        x3, t3 = scan_four(x3)
        t1 += t0
        t2 += t1
        return (x0, plus(x1, t0), plus(x2, t1), plus(x3, t2)), t2 + t3

    @cuda.jit(device=True, forceinline=True)
    def store_groups(dst, first, x, start):
        store_four(dst, first, plus(x[0], start))
        store_four(dst, first + 128, plus(x[1], start))
        store_four(dst, first + 256, plus(x[2], start))
        store_four(dst, first + 384, plus(x[3], start))

    @cuda.jit
    def scan(src, state, ticket, dst):
        drawn, start = cuda.shared.array(1, int32), cuda.shared.array(1, float32)
        sums = cuda.shared.array(warps, float32)
        t = cuda.threadIdx.x
        lane, warp = t & 31, t >> 5
        if t == 0:
            drawn[0] = cuda.atomic.add(ticket, 0, 1)
        cuda.syncthreads()
        tile = drawn[0]
        first = tile * tile_size + warp * share + 4 * lane
        x, mine = four_groups(src, first)
        y = x
        if groups == 8:
            y, more = four_groups(src, first + 512)
        if lane == 0:
            sums[warp] = mine + more if groups == 8 else mine
        cuda.syncthreads()
        before = total = float32(0)
        for w in range(warps):
            if w == warp:
                before = total
            total += sums[w]
        if warp == 0:
            if lane == 0:
                cuda.atomic.exch(state, tile, word_of(SUM, total))
            earlier = look_back(state, tile)
            if lane == 0:
                cuda.atomic.exch(state, tile, word_of(PREFIX, earlier + total))
                start[0] = earlier
        cuda.syncthreads()
        before += start[0]
        store_groups(dst, first, x, before)
        if groups == 8:
            store_groups(dst, first + 512, y, before + mine)

    return scan


def compaction(threads: int, each: int, relaxed: bool) -> Any:
    """A kernel like the course's compact, with `each` elements per thread."""
    look_back = look_back_with(peek_relaxed if relaxed else load_atomic, False)
    warps, share, tile_size = threads // WARP, WARP * each, each * threads

    @cuda.jit
    def compact(src, limit, state, ticket, dst, count):
        kept, counts = cuda.shared.array((warps, share), float32), cuda.shared.array(warps, int32)
        drawn, start = cuda.shared.array(1, int32), cuda.shared.array(1, int32)
        x = cuda.local.array(each, float32)
        t = cuda.threadIdx.x
        lane, warp = t & 31, t >> 5
        if t == 0:
            drawn[0] = cuda.atomic.add(ticket, 0, 1)
        cuda.syncthreads()
        tile = drawn[0]
        first = tile * tile_size + warp * share + lane
        if (tile + 1) * tile_size <= src.size:
            for k in range(each):
                x[k] = src[first + k * WARP]
        else:
            for k in range(each):
                x[k] = src[first + k * WARP] if first + k * WARP < src.size else limit
        n = int32(0)
        below = uint32((1 << lane) - 1)
        for k in range(each):
            votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
            if x[k] > limit:
                kept[warp, n + cuda.popc(uint32(votes) & below)] = x[k]
            n = int32(n + cuda.popc(votes))
        if lane == 0:
            counts[warp] = n
        cuda.syncthreads()
        before = total = int32(0)
        for w in range(warps):
            if w == warp:
                before = total
            total = int32(total + counts[w])
        if warp == 0:
            if lane == 0:
                cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
            earlier = int32(look_back(state, tile))
            if lane == 0:
                cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (earlier + total))
                start[0] = earlier
                if tile == cuda.gridDim.x - 1:
                    count[0] = earlier + total
        cuda.syncthreads()
        before += start[0]
        for k in range(lane, n, WARP):
            dst[before + k] = kept[warp, k]

    return compact
