"""What speed in unit 07 is measured against: right answers that somebody would write first.

Each has the signature of the exercise it serves; its docstring says what it wastes.
"""

from __future__ import annotations

from numba import float32, int32

from autograder.backend import cuda

THREADS = 256
WARP = 32
WARPS = THREADS // WARP
TILE = 4096
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True)
def block_scan(x):
    """The running sum of x over the threads of a block, and its total, by the steps of rung 1. x: float32."""
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    cuda.syncthreads()  # a former call is over
    s[t] = x
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        y = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()
        s[t] += y
        d *= 2
    cuda.syncthreads()
    return s[t], s[THREADS - 1]


@cuda.jit(device=True)
def start_of(state, tile, total, start):
    """Wait for the tile before, and hand on what lies before the next one. Returns: what lies before this tile."""
    if cuda.threadIdx.x == 0:
        waiting = True
        while waiting:
            word = cuda.atomic.add(state, tile - 1, 0) if tile > 0 else 1 << 32
            if word != 0:
                start[0] = cuda.libdevice.int_as_float(int32(word & 0xFFFFFFFF))
                bits = cuda.libdevice.float_as_int(start[0] + total) & 0xFFFFFFFF
                cuda.atomic.exch(state, tile, (1 << 32) | bits)
                waiting = False
    cuda.syncthreads()
    return start[0]


@cuda.jit
def scan_chained(src, state, ticket, dst):
    """dst = the running sums of src, 256 elements at a time: read twice, and each block waits for the one before it."""
    drawn, start = cuda.shared.array(1, int32), cuda.shared.array(1, float32)
    if cuda.threadIdx.x == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    first = tile * TILE + cuda.threadIdx.x
    mine = float32(0)
    for i in range(first, min(src.size, (tile + 1) * TILE), THREADS):
        mine += src[i]
    before = start_of(state, tile, block_scan(mine)[1], start)
    for turn in range(TILE // THREADS):
        i = first + turn * THREADS
        upto, total = block_scan(src[i] if i < src.size else float32(0))
        if i < dst.size:
            dst[i] = before + upto
        before += total


@cuda.jit
def compact_chained(src, limit, state, ticket, dst, count):
    """dst = what is above limit, in order, 256 elements at a time: read twice, each block waits for the one before."""
    counts, told = cuda.shared.array(WARPS, int32), cuda.shared.array(2, int32)
    t = cuda.threadIdx.x
    if t == 0:
        told[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = told[0]
    total = 0
    for i in range(tile * TILE + t, (tile + 1) * TILE, THREADS):
        total += cuda.syncthreads_count(1 if i < src.size and src[i] > limit else 0)
    if t == 0:
        waiting = True
        while waiting:
            word = cuda.atomic.add(state, tile - 1, 0) if tile > 0 else 1 << 32
            if word != 0:
                told[1] = word & 0xFFFFFFFF
                cuda.atomic.exch(state, tile, (1 << 32) | (told[1] + total))
                waiting = False
    cuda.syncthreads()
    before = told[1]
    if t == 0 and tile == cuda.gridDim.x - 1:
        count[0] = before + total
    for i in range(tile * TILE + t, (tile + 1) * TILE, THREADS):
        votes = cuda.ballot_sync(FULL_WARP, i < src.size and src[i] > limit)
        counts[t // WARP] = cuda.popc(votes)
        cuda.syncthreads()
        place = before + cuda.popc(votes & ((1 << (t % WARP)) - 1))
        for w in range(WARPS):
            place += counts[w] if w < t // WARP else 0
            before += counts[w]
        if i < src.size and src[i] > limit:
            dst[place] = src[i]
        cuda.syncthreads()


@cuda.jit
def count_zeros(keys, counts, bit):
    """counts[b] = how many of block b's 256 keys have a 0 at the bit."""
    i = cuda.grid(1)
    zeros = cuda.syncthreads_count(1 if i < keys.size and (keys[i] >> bit) & 1 == 0 else 0)
    if cuda.threadIdx.x == 0:
        counts[cuda.blockIdx.x] = zeros


@cuda.jit
def scan_by_one_block(counts):
    """Running sums of counts in place, 256 at a time, by the steps of rung 1."""
    s = cuda.shared.array(THREADS, int32)
    t = cuda.threadIdx.x
    before = 0
    for first in range(0, counts.size, THREADS):
        s[t] = counts[first + t] if first + t < counts.size else 0
        d = 1
        while d < THREADS:
            cuda.syncthreads()
            x = s[t - d] if t >= d else 0
            cuda.syncthreads()
            s[t] += x
            d *= 2
        cuda.syncthreads()
        if first + t < counts.size:
            counts[first + t] = before + s[t]
        before += s[THREADS - 1]
        cuda.syncthreads()


@cuda.jit
def split_by_bit(keys, ends, out, bit):
    """Keys with a 0 at the bit go to the front, those with a 1 behind them, each in their old order."""
    sums = cuda.shared.array(WARPS, int32)
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    zero = i < keys.size and (keys[i] >> bit) & 1 == 0
    votes = cuda.ballot_sync(FULL_WARP, zero)
    if t % WARP == 0:
        sums[t // WARP] = cuda.popc(votes)
    cuda.syncthreads()
    lower = ends[cuda.blockIdx.x - 1] if cuda.blockIdx.x > 0 else 0
    for w in range(t // WARP):
        lower += sums[w]
    lower += cuda.popc(votes & ((1 << (t % WARP)) - 1))
    if i < keys.size:
        out[lower if zero else ends[ends.size - 1] + i - lower] = keys[i]


def radix_sort_by_bits(keys, spare, counts, sums):
    """Sort in 32 rounds of one bit each; one block adds up what all blocks have counted."""
    blocks = max(1, -(-keys.size // THREADS))
    for bit in range(32):
        count_zeros[blocks, THREADS](keys, counts[:blocks], bit)
        scan_by_one_block[1, THREADS](counts[:blocks])
        split_by_bit[blocks, THREADS](keys, counts[:blocks], spare, bit)
        keys, spare = spare, keys
