"""Attention of one query per head over a cache in pages, on tensor cores: what unit 21's rung leaves out.

Four query heads share a head of keys, so their products with eight keys at a time fill a quarter of one `mma`, and the
values are read once for all four. A warp has 64 places, keys and values on their way before they are needed, and no
barrier comes before the warps of a block put their sums together. Shares are float16 twice, rounded and what rounding
left, so the result is as exact as with float32. Arguments are those of `language_models.attention_pages`.
"""

from __future__ import annotations

import math

import numpy as np
from numba import float32, uint32

from autograder.backend import cuda
from autograder.exercises.u21_language_models.cache_values import PAGE, SHARED
from autograder.exercises.u21_language_models.values import HEAD
from autograder.notebook.intrinsics import bits16, load16, mma, store16

float16 = np.float16
WARP, FULL_WARP, WARPS = 32, 0xFFFFFFFF, 8
EACH = 64  # places of a warp: four pages
COLUMNS = 2 * SHARED  # heads, and what rounding left of each
SPLIT, THREADS = EACH * WARPS, WARP * WARPS
ROOT = float32(1 / math.sqrt(HEAD))
LOWEST = float32(-3.4028234663852886e38)
device = cuda.jit(device=True, forceinline=True)


@device
def key_row(keys, row, c):
    """The 128 numbers of a key by four lanes: 16 bytes at c, c + 32, c + 64 and c + 96."""
    return load16(keys, (row, c)), load16(keys, (row, c + 32)), load16(keys, (row, c + 64)), load16(keys, (row, c + 96))


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
def larger(s, r):
    return max(max(s[0], s[1]), max(r[0], r[1]))


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
    return math.exp(s[0] - top), math.exp(s[1] - top)


@device
def packed(e, rest):
    """Two shares as float16 in a word, or what their rounding left."""
    a, b = float16(e[0]), float16(e[1])
    if rest:
        a, b = float16(e[0] - float32(a)), float16(e[1] - float32(b))
    return bits16(a) | (bits16(b) << uint32(16))


@device
def four_values(values, row, last, j, c):
    """16 bytes each of values 2 j, 2 j + 1, 2 j + 8 and 2 j + 9 of a page, none past the last."""
    return (
        load16(values, (min(row + 2 * j, last), c)),
        load16(values, (min(row + 2 * j + 1, last), c)),
        load16(values, (min(row + 2 * j + 8, last), c)),
        load16(values, (min(row + 2 * j + 9, last), c)),
    )


@device
def page_values(values, row, last, j, c):
    """Both halves of the heads' numbers."""
    return four_values(values, row, last, j, c), four_values(values, row, last, j, c + HEAD // 2)


@device
def low(x, y):
    return (x & uint32(0xFFFF)) | (y << uint32(16))


@device
def high(x, y):
    return (x >> uint32(16)) | (y & uint32(0xFFFF0000))


@device
def value_mma(v, i, p, acc):
    a = low(v[0][i], v[1][i]), high(v[0][i], v[1][i]), low(v[2][i], v[3][i]), high(v[2][i], v[3][i])
    return mma(a, p, acc)


@device
def half_sums(v, p, acc):
    return (
        value_mma(v, 0, p, acc[0]),
        value_mma(v, 1, p, acc[1]),
        value_mma(v, 2, p, acc[2]),
        value_mma(v, 3, p, acc[3]),
    )


@device
def add_page(acc, v, e, f, rest):
    """Sums of a head's 128 numbers with the values of a page. e, f: the shares of its first and second eight keys."""
    p = packed(e, rest), packed(f, rest)
    return half_sums(v[0], p, acc[0]), half_sums(v[1], p, acc[1])


@device
def put8(sums, warp, column, c, x):
    store16(sums, (warp, column, c), (x[0], x[1], x[2], x[3]))
    store16(sums, (warp, column, c + 4), (x[4], x[5], x[6], x[7]))


@device
def put_sums(sums, warp, c, a):
    """A lane's eight numbers for each of two columns: heads 0 to 3, then what rounding left of each."""
    column = 2 * (cuda.threadIdx.x % 4)
    put8(sums, warp, column, c, (a[0][0], a[0][2], a[1][0], a[1][2], a[2][0], a[2][2], a[3][0], a[3][2]))
    put8(sums, warp, column + 1, c, (a[0][1], a[0][3], a[1][1], a[1][3], a[2][1], a[2][3], a[3][1], a[3][3]))


@cuda.jit
def attention_on_tensor_cores(q, keys, values, pages, n_keys, parts, logs):
    """The parts and logs of SPLIT places each, launched as (splits, shared heads) blocks of THREADS threads."""
    sums = cuda.shared.array((WARPS, COLUMNS, HEAD), float32, alignment=16)
    tops = cuda.shared.array((SHARED, WARPS), float32)
    totals = cuda.shared.array((SHARED, WARPS), float32)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    warp, lane = t // WARP, t % WARP
    g, j, head = lane // 4, lane % 4, SHARED * shared
    keys, values = keys[shared], values[shared]
    begin, final = SPLIT * split + EACH * warp, n_keys - 1
    place0, place1 = min(begin, final), min(begin + PAGE, final)
    place2, place3 = min(begin + 2 * PAGE, final), min(begin + 3 * PAGE, final)
    row0, row1 = PAGE * pages[place0 // PAGE], PAGE * pages[place1 // PAGE]
    row2, row3 = PAGE * pages[place2 // PAGE], PAGE * pages[place3 // PAGE]
    last0, last1 = row0 + min(15, final - place0 // PAGE * PAGE), row1 + min(15, final - place1 // PAGE * PAGE)
    last2, last3 = row2 + min(15, final - place2 // PAGE * PAGE), row3 + min(15, final - place3 // PAGE * PAGE)
    mine = key_row(q, head + g % SHARED, 8 * j)

    k0, k1 = key_row(keys, row0 + g, 8 * j), key_row(keys, row0 + g + 8, 8 * j)
    k2, k3 = key_row(keys, row1 + g, 8 * j), key_row(keys, row1 + g + 8, 8 * j)
    s0, s1 = tile_scores(mine, k0), tile_scores(mine, k1)
    k0, k1 = key_row(keys, row2 + g, 8 * j), key_row(keys, row2 + g + 8, 8 * j)
    s2, s3 = tile_scores(mine, k2), tile_scores(mine, k3)
    k2, k3 = key_row(keys, row3 + g, 8 * j), key_row(keys, row3 + g + 8, 8 * j)
    s4, s5 = tile_scores(mine, k0), tile_scores(mine, k1)
    v = page_values(values, row0, last0, j, 8 * g)
    s6, s7 = tile_scores(mine, k2), tile_scores(mine, k3)
    at = begin + 2 * j
    if begin + EACH > n_keys:
        s0, s1, s2 = masked(s0, at, n_keys), masked(s1, at + 8, n_keys), masked(s2, at + 16, n_keys)
        s3, s4, s5 = masked(s3, at + 24, n_keys), masked(s4, at + 32, n_keys), masked(s5, at + 40, n_keys)
        s6, s7 = masked(s6, at + 48, n_keys), masked(s7, at + 56, n_keys)
    top = quad_max(max(max(larger(s0, s1), larger(s2, s3)), max(larger(s4, s5), larger(s6, s7))))
    e0, e1, e2, e3 = shares(s0, top), shares(s1, top), shares(s2, top), shares(s3, top)
    e4, e5, e6, e7 = shares(s4, top), shares(s5, top), shares(s6, top), shares(s7, top)
    total = ((e0[0] + e0[1]) + (e1[0] + e1[1])) + ((e2[0] + e2[1]) + (e3[0] + e3[1]))
    total = quad_sum(total + (((e4[0] + e4[1]) + (e5[0] + e5[1])) + ((e6[0] + e6[1]) + (e7[0] + e7[1]))))
    if j == 0 and g < SHARED:
        tops[g, warp], totals[g, warp] = top, total

    zero, rest = float32(0), g >= SHARED
    z = (zero, zero, zero, zero)
    acc = (z, z, z, z), (z, z, z, z)
    w = page_values(values, row1, last1, j, 8 * g)
    acc = add_page(acc, v, e0, e1, rest)
    v = page_values(values, row2, last2, j, 8 * g)
    acc = add_page(acc, w, e2, e3, rest)
    w = page_values(values, row3, last3, j, 8 * g)
    acc = add_page(acc, v, e4, e5, rest)
    acc = add_page(acc, w, e6, e7, rest)
    put_sums(sums, warp, 8 * g, acc[0])
    put_sums(sums, warp, HEAD // 2 + 8 * g, acc[1])
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, THREADS):
        h, c = i // HEAD, i % HEAD
        top = LOWEST
        for other in range(WARPS):
            top = max(top, tops[h, other])
        number, total = zero, zero
        for other in range(WARPS):
            share = math.exp(tops[h, other] - top)
            number += share * (sums[other, h, c] + sums[other, h + SHARED, c])
            total += share * totals[h, other]
        parts[split, head + h, c] = number / total
        if c == 0:
            logs[split, head + h] = top + math.log(total)
