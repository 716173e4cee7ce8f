"""Answers to scan.radix_sort."""

import numpy as np
from numba import cuda, int32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF
TILE = 4096
SHARE = 512
PIECE = 1024
DIGITS = 256


@cuda.jit(device=True)
def block_before(x):
    """(sum of x over the threads before, sum over all 256 threads of the block). x: int32; every thread must call."""
    sums = cuda.shared.array(WARPS, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    upto, d = x, 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto = int32(upto + y)  # int32 + int32 is int64 in numba
        d *= 2
    cuda.syncthreads()  # nobody reads the totals of a former call any more
    if lane == WARP - 1:
        sums[warp] = upto
    cuda.syncthreads()  # the totals of all warps are written
    before, total = int32(upto - x), int32(0)
    for w in range(WARPS):
        if w < warp:
            before = int32(before + sums[w])
        total = int32(total + sums[w])
    return before, total


@cuda.jit
def piece_sums(src, sums):
    """sums[b] = the sum of piece b. src: (n,) int32, sums: (blocks,) int32."""
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    before, total = block_before(acc)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def scan_sums(sums):
    """sums[b] = the sum of all pieces before b, in place, by one block. sums: (blocks,) int32."""
    start = int32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        before, total = block_before(sums[i] if i < sums.size else int32(0))
        if i < sums.size:
            sums[i] = start + before
        start = int32(start + total)


@cuda.jit
def scan_pieces(src, sums, dst):
    """dst = the running sums of src; piece b begins with sums[b]. All int32."""
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)


def scan_device(src, sums, dst):
    """dst = the running sums of src, for any length. src, dst: (n,), sums: (pieces,), all int32 on the device."""
    pieces = max(1, -(-src.size // PIECE))
    piece_sums[pieces, THREADS](src, sums)
    scan_sums[1, THREADS](sums[:pieces])
    scan_pieces[pieces, THREADS](src, sums, dst)


@cuda.jit
def count_digits(keys, counts, shift):
    """counts[d * tiles + b] = how many keys of tile b have digit d at `shift`. keys: (n,) uint32, counts: int32."""
    s = cuda.shared.array(DIGITS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE
    for i in range(first + t, min(first + TILE, keys.size), THREADS):
        cuda.atomic.add(s, (keys[i] >> shift) & 255, 1)
    cuda.syncthreads()
    counts[t * cuda.gridDim.x + cuda.blockIdx.x] = s[t]


@cuda.jit
def scatter_keys(keys, ends, out, shift):
    """out = keys by their digit at `shift`, equal ones in their old order. ends: the running sums of the counts."""
    seen = cuda.shared.array((WARPS, DIGITS), int32)
    rank = cuda.local.array(16, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    for w in range(WARPS):
        seen[w, t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE + warp * SHARE + lane
    for k in range(16):
        i = first + k * WARP
        digit = int32((keys[i] >> shift) & 255) if i < keys.size else int32(DIGITS)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        if digit < DIGITS:
            rank[k] = seen[warp, digit] + lower
        cuda.syncwarp()
        if digit < DIGITS and lower == 0:
            seen[warp, digit] += cuda.popc(peers)
        cuda.syncwarp()
    cuda.syncthreads()
    place = t * cuda.gridDim.x + cuda.blockIdx.x
    start = ends[place - 1] if place > 0 else int32(0)
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()
    for k in range(16):
        i = first + k * WARP
        if i < keys.size:
            out[seen[warp, (keys[i] >> shift) & 255] + rank[k]] = keys[i]


@cuda.jit
def count_from_the_top(keys, counts, shift):
    """Digit 255 first."""
    s = cuda.shared.array(DIGITS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE
    for i in range(first + t, min(first + TILE, keys.size), THREADS):
        cuda.atomic.add(s, (keys[i] >> shift) & 255, 1)
    cuda.syncthreads()
    counts[(255 - t) * cuda.gridDim.x + cuda.blockIdx.x] = s[t]


@cuda.jit
def scatter_from_the_top(keys, ends, out, shift):
    """Digit 255 first."""
    seen = cuda.shared.array((WARPS, DIGITS), int32)
    rank = cuda.local.array(16, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    for w in range(WARPS):
        seen[w, t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE + warp * SHARE + lane
    for k in range(16):
        i = first + k * WARP
        digit = int32((keys[i] >> shift) & 255) if i < keys.size else int32(DIGITS)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        if digit < DIGITS:
            rank[k] = seen[warp, digit] + lower
        cuda.syncwarp()
        if digit < DIGITS and lower == 0:
            seen[warp, digit] += cuda.popc(peers)
        cuda.syncwarp()
    cuda.syncthreads()
    place = (255 - t) * cuda.gridDim.x + cuda.blockIdx.x
    start = ends[place - 1] if place > 0 else int32(0)
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()
    for k in range(16):
        i = first + k * WARP
        if i < keys.size:
            out[seen[warp, (keys[i] >> shift) & 255] + rank[k]] = keys[i]


@cuda.jit
def scatter_by_arrival(keys, ends, out, shift):
    """Places within a digit in the order in which atomics arrive."""
    seen = cuda.shared.array((WARPS, DIGITS), int32)
    rank = cuda.local.array(16, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    for w in range(WARPS):
        seen[w, t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE + warp * SHARE + lane
    for k in range(16):
        i = first + k * WARP
        digit = int32((keys[i] >> shift) & 255) if i < keys.size else int32(DIGITS)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        if digit < DIGITS:
            rank[k] = 0
        cuda.syncwarp()
        if digit < DIGITS and lower == 0:
            seen[warp, digit] += cuda.popc(peers)
        cuda.syncwarp()
    cuda.syncthreads()
    place = t * cuda.gridDim.x + cuda.blockIdx.x
    start = ends[place - 1] if place > 0 else int32(0)
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()
    for k in range(16):
        i = first + k * WARP
        if i < keys.size:
            out[cuda.atomic.add(seen, (warp, (keys[i] >> shift) & 255), 1)] = keys[i]


@cuda.jit
def scatter_without_syncwarp(keys, ends, out, shift):
    """Nothing between reading the counters and changing them."""
    seen = cuda.shared.array((WARPS, DIGITS), int32)
    rank = cuda.local.array(16, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    for w in range(WARPS):
        seen[w, t] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE + warp * SHARE + lane
    for k in range(16):
        i = first + k * WARP
        digit = int32((keys[i] >> shift) & 255) if i < keys.size else int32(DIGITS)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        if digit < DIGITS:
            rank[k] = seen[warp, digit] + lower
        if digit < DIGITS and lower == 0:
            seen[warp, digit] += cuda.popc(peers)
    cuda.syncthreads()
    place = t * cuda.gridDim.x + cuda.blockIdx.x
    start = ends[place - 1] if place > 0 else int32(0)
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()
    for k in range(16):
        i = first + k * WARP
        if i < keys.size:
            out[seen[warp, (keys[i] >> shift) & 255] + rank[k]] = keys[i]


@cuda.jit
def scan_alone(counts):
    """Running sums of counts in place, by one block that goes over all of them."""
    start = int32(0)
    for first in range(0, counts.size, THREADS):
        i = first + cuda.threadIdx.x
        x = counts[i] if i < counts.size else int32(0)
        before, total = block_before(x)
        if i < counts.size:
            counts[i] = start + before + x
        start = int32(start + total)


@right("one_block_scans_the_counts")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 32, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_alone[1, THREADS](counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@right("two_rounds_at_a_time")
def radix_sort(keys, spare, counts, sums):
    if keys.size < 2:
        return
    tiles = (keys.size + TILE - 1) // TILE
    for low in (0, 16):
        for old, new, shift in ((keys, spare, low), (spare, keys, low + 8)):
            count_digits[tiles, THREADS](old, counts, shift)
            scan_device(counts, sums, counts)
            scatter_keys[tiles, THREADS](old, counts, new, shift)


@cuda.jit
def count_by_strides(keys, counts, shift):
    """counts[d * tiles + b], a block per tile, keys of a tile a warp's width apart."""
    s = cuda.shared.array(DIGITS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for k in range(TILE // THREADS):
        i = cuda.blockIdx.x * TILE + k * THREADS + t
        if i < keys.size:
            cuda.atomic.add(s, int32(keys[i] >> shift) & 255, 1)
    cuda.syncthreads()
    counts[t * cuda.gridDim.x + cuda.blockIdx.x] = s[t]


@right("counts_in_fixed_turns")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for turn in range(4):
        count_by_strides[tiles, THREADS](keys, counts, 8 * turn)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, 8 * turn)
        keys, spare = spare, keys


@right("spelled_out")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, (keys.size + TILE - 1) // TILE)
    launches = [(keys, spare, 0), (spare, keys, 8), (keys, spare, 16), (spare, keys, 24)]
    for old, new, shift in launches:
        count_digits[tiles, THREADS](old, counts, shift)
        piece_sums[-(-counts.size // PIECE), THREADS](counts, sums)
        scan_sums[1, THREADS](sums)
        scan_pieces[-(-counts.size // PIECE), THREADS](counts, sums, counts)
        scatter_keys[tiles, THREADS](old, counts, new, shift)


@cuda.jit
def scatter_by_votes(keys, ends, out, shift):
    """Equal digits found by eight votes in place of a match."""
    seen = cuda.shared.array((WARPS, DIGITS), int32)
    rank = cuda.local.array(16, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    for k in range(t, WARPS * DIGITS, THREADS):
        seen[k // DIGITS, k % DIGITS] = 0
    cuda.syncthreads()
    first = cuda.blockIdx.x * TILE + warp * SHARE + lane
    for k in range(16):
        i = first + k * WARP
        inside = i < keys.size
        digit = int32((keys[i] >> shift) & 255) if inside else int32(0)
        peers = cuda.ballot_sync(FULL_WARP, inside)
        for bit in range(8):
            votes = cuda.ballot_sync(FULL_WARP, (digit >> bit) & 1 == 1)
            peers &= votes if (digit >> bit) & 1 == 1 else ~votes
        lower = cuda.popc(peers & ((1 << lane) - 1))
        if inside:
            rank[k] = seen[warp, digit] + lower
        cuda.syncwarp()
        if inside and lower == 0:
            seen[warp, digit] += cuda.popc(peers & FULL_WARP)
        cuda.syncwarp()
    cuda.syncthreads()
    place = t * cuda.gridDim.x + cuda.blockIdx.x
    start = ends[place - 1] if place > 0 else int32(0)
    for w in range(WARPS):
        n = seen[w, t]
        seen[w, t] = start
        start = int32(start + n)
    cuda.syncthreads()
    for k in range(16):
        i = first + k * WARP
        if i < keys.size:
            out[seen[warp, (keys[i] >> shift) & 255] + rank[k]] = keys[i]


@right("votes_in_place_of_a_match")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in (0, 8, 16, 24):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_by_votes[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@right("one_round_in_a_function")
def radix_sort(keys, spare, counts, sums):
    def one_round(old, new, shift):
        tiles = max(1, -(-old.size // TILE))
        count_digits[tiles, THREADS](old, counts, shift)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](old, counts, new, shift)

    one_round(keys, spare, 0)
    one_round(spare, keys, 8)
    one_round(keys, spare, 16)
    one_round(spare, keys, 24)


@wrong("one_round_only", misconception="one_round", says="lowest 8 bits")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for _ in range(2):
        count_digits[tiles, THREADS](keys, counts, 0)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, 0)
        keys, spare = spare, keys


@wrong("highest_digit_first", misconception="highest_first", says="highest")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(24, -1, -8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@wrong("largest_first", misconception="falling_order", says="largest key")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 32, 8):
        count_from_the_top[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_from_the_top[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@wrong("places_by_arrival", misconception="order_dependent", says="order")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 32, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_by_arrival[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@wrong("no_syncwarp", misconception="warp_sync", says="seen")
def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 32, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_without_syncwarp[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys


@wrong("numpy_on_the_host", misconception="nothing_on_device", says="device")
def radix_sort(keys, spare, counts, sums):
    keys.copy_to_device(np.sort(keys.copy_to_host()))
