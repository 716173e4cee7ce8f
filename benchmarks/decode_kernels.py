"""Attention of one query per head over a cache in pages, on tensor cores: what unit 21's rung leaves out.

Four query heads share a head of keys, so their products with eight keys at a time fill a quarter of one `mma`, and the
values are read once for all four. A warp goes through pages of its own with a ring of copies in front of it, two
pages of keys and values, and no barrier comes before the warps of a block put their sums together; there is one block
of eight warps per multiprocessor. Shares are float16 twice, rounded and what rounding left, so the result is as exact
as with float32. A second launch, `merge_half_warps`, puts the splits together. Of three pages in front of a warp, of
four warps per block, two blocks per multiprocessor, of copies of a whole row by one instruction (`cp.async.bulk`) and
of a last block that merges, each was slower on an H200. Launched by `dependent_launch`, the merge's blocks stand ready
when the last split ends, and the splits' when the launch before them does: neither pays for a start.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32, uint32

from autograder.backend import cuda
from autograder.exercises.u21_language_models.cache_values import PAGE, SHARED
from autograder.exercises.u21_language_models.values import HEAD
from autograder.notebook.intrinsics import (
    bits16,
    commit_copies,
    copy16_async,
    ldmatrix_transposed,
    load16,
    mma,
    store16,
    wait_copies,
)
from benchmarks.dependent_launch import let_successor_start, wait_for_predecessor

float16 = np.float16
WARP, FULL_WARP = 32, 0xFFFFFFFF
WARPS = 8
THREADS = WARP * WARPS
ONE, BOTH = PAGE * HEAD, 2 * PAGE * HEAD  # float16 of a page of keys, and of one with its values: a stage
RING = 2 * BOTH  # of a warp: one stage is read, one is filled
SHARED_BYTES = 2 * WARPS * RING  # of a block
PIECES = HEAD // 4  # of 16 bytes, of a result
LANES = 16  # that put a piece together, a split each at a time
MERGE_BLOCK = 128
ROOT = float32(math.log2(math.e) / math.sqrt(HEAD))  # scores are logarithms to base 2, as the GPU's exponential is
LN2 = float32(math.log(2))
LOWEST = float32(-3.4028234663852886e38)
device = cuda.jit(device=True, forceinline=True)


def splits_of(n_keys: int, n_shared: int, multiprocessors: int) -> int:
    """So many that each multiprocessor has a block, and none has less than a page."""
    return max(1, min(multiprocessors // n_shared, -(-n_keys // PAGE)))


def merge_blocks(n_heads: int) -> int:
    """Blocks of `merge_half_warps`."""
    return n_heads * PIECES * LANES // MERGE_BLOCK


@device
def twisted(r):
    """What the pieces of row r are exchanged by: neighbouring rows four apart, eight rows all different."""
    return ((r & 1) << 2) ^ ((r >> 1) & 3)


@device
def fetch(ring, at, cache, row, last):
    """A page of 16 rows of 256 bytes on its way, 8 copies of 16 bytes per lane; rows past the last are the last."""
    lane = cuda.threadIdx.x % WARP
    c = lane % 16
    for k in range(8):
        r = lane // 16 + 2 * k
        copy16_async(ring, at + HEAD * r + 8 * (c ^ twisted(r)), cache, (row + min(r, last), 8 * c))


@device
def query_row(q, row, c):
    """The 128 numbers of a query by four lanes: 16 bytes at c, c + 32, c + 64 and c + 96."""
    return load16(q, (row, c)), load16(q, (row, c + 32)), load16(q, (row, c + 64)), load16(q, (row, c + 96))


@device
def ring_key(ring, at, r, j):
    """The 128 numbers of a key in the same way."""
    at, x = at + HEAD * r, twisted(r)
    low = load16(ring, at + 8 * (j ^ x)), load16(ring, at + 8 * ((j + 4) ^ x))
    return low + (load16(ring, at + 8 * ((j + 8) ^ x)), load16(ring, at + 8 * ((j + 12) ^ x)))


@device
def tile_scores(q, k):
    """The scores of eight keys: this lane's are those of head lane // 4 % 4 with keys 2 (lane % 4) and the next."""
    o, z = uint32(0), float32(0)
    s, r = (z, z, z, z), (z, z, z, z)
    s = mma((q[0][0], o, q[0][1], o), (k[0][0], k[0][1]), s)
    r = mma((q[0][2], o, q[0][3], o), (k[0][2], k[0][3]), r)
    s = mma((q[1][0], o, q[1][1], o), (k[1][0], k[1][1]), s)
    r = mma((q[1][2], o, q[1][3], o), (k[1][2], k[1][3]), r)
    s = mma((q[2][0], o, q[2][1], o), (k[2][0], k[2][1]), s)
    r = mma((q[2][2], o, q[2][3], o), (k[2][2], k[2][3]), r)
    s = mma((q[3][0], o, q[3][1], o), (k[3][0], k[3][1]), s)
    r = mma((q[3][2], o, q[3][3], o), (k[3][2], k[3][3]), r)
    return ROOT * (s[0] + r[0]), ROOT * (s[1] + r[1])


@device
def masked(s, j, n):
    """The scores of keys j and j + 1, LOWEST past the last."""
    return s[0] if j < n else LOWEST, s[1] if j + 1 < n else LOWEST


@device
def quad_max(x):
    x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, 1))
    return max(x, cuda.shfl_xor_sync(FULL_WARP, x, 2))


@device
def quad_sum(x):
    x += cuda.shfl_xor_sync(FULL_WARP, x, 1)
    return x + cuda.shfl_xor_sync(FULL_WARP, x, 2)


@device
def shares(s, top):
    return cuda.libdevice.exp2f(s[0] - top), cuda.libdevice.exp2f(s[1] - top)


@device
def packed(e, rest):
    """Two shares as float16 in a word, or what their rounding left."""
    a, b = float16(e[0]), float16(e[1])
    if rest:
        a, b = float16(e[0] - float32(a)), float16(e[1] - float32(b))
    return bits16(a) | (bits16(b) << uint32(16))


@device
def add_values(ring, at, r, piece, d, p, acc):
    """acc + 16 numbers of a page's values, turned, times the shares."""
    return mma(ldmatrix_transposed(ring, at + HEAD * r + 8 * ((2 * d + piece) ^ twisted(r))), p, acc)


@device
def rescaled(a, f, h):
    return a[0] * f, a[1] * h, a[2] * f, a[3] * h


@device
def put_block(sums, warp, head, c, a):
    """16 numbers of two heads: what four lanes hold, the roundings' rests among them."""
    a0, a1 = a[0] + cuda.shfl_xor_sync(FULL_WARP, a[0], 2), a[1] + cuda.shfl_xor_sync(FULL_WARP, a[1], 2)
    a2, a3 = a[2] + cuda.shfl_xor_sync(FULL_WARP, a[2], 2), a[3] + cuda.shfl_xor_sync(FULL_WARP, a[3], 2)
    if head < SHARED:
        sums[warp, head, c], sums[warp, head + 1, c] = a0, a1
        sums[warp, head, c + 8], sums[warp, head + 1, c + 8] = a2, a3


@cuda.jit
def attention_on_tensor_cores(q, keys, values, pages, n_keys, parts, logs):
    """parts: (n_splits, heads, 128), logs: (n_splits, heads) float32, of so many equal shares of the pages. Launched as
    (n_splits, shared heads) blocks of THREADS threads with SHARED_BYTES; no split without a page."""
    ring = cuda.shared.array(0, float16)
    sums = cuda.shared.array((WARPS, SHARED, HEAD), float32)
    tops = cuda.shared.array((SHARED, WARPS), float32)
    totals = cuda.shared.array((SHARED, WARPS), float32)
    t, split, shared, n_splits = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y, cuda.gridDim.x
    warp, lane = t // WARP, t % WARP
    g, j, head = lane // 4, lane % 4, SHARED * shared
    r, piece, base = lane % 8 + 8 * (lane // 16), lane // 8 % 2, RING * warp
    wait_for_predecessor()
    keys, values = keys[shared], values[shared]
    n_pages = (n_keys + PAGE - 1) // PAGE
    begin, end = split * n_pages // n_splits + warp, (split + 1) * n_pages // n_splits
    last_page = n_pages - 1
    first, number = pages[min(begin, last_page)], pages[min(begin + WARPS, last_page)]  # before anything is copied
    rest, z = g >= SHARED, float32(0)
    c0 = c1 = c2 = c3 = c4 = c5 = c6 = c7 = (z, z, z, z)
    top, total = LOWEST, z

    if begin < end:
        row, last = PAGE * first, min(15, n_keys - 1 - PAGE * begin)
        fetch(ring, base, keys, row, last)
        fetch(ring, base + ONE, values, row, last)
    commit_copies()
    mine = query_row(q, head + g % SHARED, 8 * j)
    stage = 0
    for page in range(begin, end, WARPS):
        coming = page + WARPS
        if coming < end:
            row, last = PAGE * number, min(15, n_keys - 1 - PAGE * coming)
            free = base + (1 - stage) * BOTH
            fetch(ring, free, keys, row, last)
            fetch(ring, free + ONE, values, row, last)
        commit_copies()
        if coming + WARPS < end:
            number = pages[coming + WARPS]  # asked for one iteration before it is needed
        wait_copies(1)
        cuda.syncwarp()  # what the other lanes copied
        at = base + stage * BOTH
        s0, s1 = tile_scores(mine, ring_key(ring, at, g, j)), tile_scores(mine, ring_key(ring, at, g + 8, j))
        if PAGE * page + PAGE > n_keys:
            s0, s1 = masked(s0, PAGE * page + 2 * j, n_keys), masked(s1, PAGE * page + 2 * j + 8, n_keys)
        new = max(top, quad_max(max(max(s0[0], s0[1]), max(s1[0], s1[1]))))
        if cuda.any_sync(FULL_WARP, new > top):
            factor = cuda.libdevice.exp2f(top - new)
            top = new
            total *= factor
            f = cuda.shfl_sync(FULL_WARP, factor, 8 * (j % 2))
            h = cuda.shfl_sync(FULL_WARP, factor, 8 * (j % 2) + 4)
            c0, c1, c2, c3 = rescaled(c0, f, h), rescaled(c1, f, h), rescaled(c2, f, h), rescaled(c3, f, h)
            c4, c5, c6, c7 = rescaled(c4, f, h), rescaled(c5, f, h), rescaled(c6, f, h), rescaled(c7, f, h)
        e0, e1 = shares(s0, top), shares(s1, top)
        total += (e0[0] + e0[1]) + (e1[0] + e1[1])
        p = packed(e0, rest), packed(e1, rest)
        at += ONE
        c0, c1 = add_values(ring, at, r, piece, 0, p, c0), add_values(ring, at, r, piece, 1, p, c1)
        c2, c3 = add_values(ring, at, r, piece, 2, p, c2), add_values(ring, at, r, piece, 3, p, c3)
        c4, c5 = add_values(ring, at, r, piece, 4, p, c4), add_values(ring, at, r, piece, 5, p, c5)
        c6, c7 = add_values(ring, at, r, piece, 6, p, c6), add_values(ring, at, r, piece, 7, p, c7)
        cuda.syncwarp()  # nobody reads this stage any more
        stage = 1 - stage

    let_successor_start()
    total = quad_sum(total)
    if j == 0 and g < SHARED:
        tops[g, warp], totals[g, warp] = top, total
    put_block(sums, warp, 2 * j, g, c0)
    put_block(sums, warp, 2 * j, 16 + g, c1)
    put_block(sums, warp, 2 * j, 32 + g, c2)
    put_block(sums, warp, 2 * j, 48 + g, c3)
    put_block(sums, warp, 2 * j, 64 + g, c4)
    put_block(sums, warp, 2 * j, 80 + g, c5)
    put_block(sums, warp, 2 * j, 96 + g, c6)
    put_block(sums, warp, 2 * j, 112 + g, c7)
    cuda.syncthreads()  # the sums of all warps
    for i in range(t, SHARED * HEAD, THREADS):
        h, c = i // HEAD, i % HEAD
        most, part, whole = LOWEST, z, z
        for other in range(WARPS):
            most = max(most, tops[h, other])
        for other in range(WARPS):
            share = cuda.libdevice.exp2f(tops[h, other] - most)
            part += share * sums[other, h, c]
            whole += share * totals[h, other]
        parts[split, head + h, c] = part / whole
        if c == 0:
            logs[split, head + h] = LN2 * most + math.log(whole)


@device
def lanes_max(x):
    """The largest x of LANES lanes."""
    d = LANES // 2
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@device
def lanes_sum(x):
    d = LANES // 2
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit
def merge_half_warps(parts, logs, out):
    """Attention over all splits, LANES lanes for 16 bytes of a head, in merge_blocks(heads) blocks of MERGE_BLOCK
    threads: no barrier, and each lane has a part on its way before it looks at a logarithm. Arguments are those of
    `language_models.merge_splits`."""
    let_successor_start()
    i, n_splits = cuda.grid(1), parts.shape[0]
    lane, piece = i % LANES, i // LANES
    head, c, last = piece // PIECES, 4 * (piece % PIECES), n_splits - 1
    wait_for_predecessor()
    a = load16(parts, (min(lane, last), head, c))
    top = LOWEST
    for s in range(lane, n_splits, LANES):
        top = max(top, logs[s, head])
    top = lanes_max(top)
    total = math.exp(logs[lane, head] - top) if lane < n_splits else float32(0)
    v0, v1, v2, v3 = total * a[0], total * a[1], total * a[2], total * a[3]
    for s in range(lane + LANES, n_splits, LANES):
        p, a = math.exp(logs[s, head] - top), load16(parts, (s, head, c))
        v0, v1, v2, v3 = v0 + p * a[0], v1 + p * a[1], v2 + p * a[2], v3 + p * a[3]
        total += p
    total = lanes_sum(total)
    v0, v1, v2, v3 = lanes_sum(v0), lanes_sum(v1), lanes_sum(v2), lanes_sum(v3)
    if lane == 0:
        store16(out, (head, c), (v0 / total, v1 / total, v2 / total, v3 / total))
