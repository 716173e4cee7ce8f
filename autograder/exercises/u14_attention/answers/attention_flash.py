"""Answers to attention.attention_flash."""

import math

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
DIM = 32
KEYS = 32
QUERIES = 8
PITCH = 33
FULL_WARP = 0xFFFFFFFF
LOWEST = float32(np.finfo(np.float32).min)
SCALE = float32(1 / math.sqrt(32))


@cuda.jit(device=True)
def warp_max(x):
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@right("a_weight_at_a_time")
@cuda.jit
def attention_flash(q, k, v, out):
    keys = cuda.shared.array((32, 32), float32)
    values = cuda.shared.array((32, 32), float32)
    lane = cuda.threadIdx.x
    warp = cuda.threadIdx.y
    head = cuda.blockIdx.y
    n = q.shape[1]
    i = cuda.blockIdx.x * cuda.blockDim.y + warp
    query = float32(0)
    if i < n:
        query = q[head, i, lane]
    m = LOWEST
    d = float32(0)
    result = float32(0)
    for start in range(0, n, 32):
        count = min(32, n - start)
        for row in range(warp, count, 8):
            keys[row, lane] = k[head, start + row, lane]
            values[row, lane] = v[head, start + row, lane]
        cuda.syncthreads()
        for j in range(count):
            score = warp_sum(query * keys[j, lane]) * SCALE
            if score > m:
                factor = math.exp(m - score)
                d *= factor
                result *= factor
                m = score
            weight = math.exp(score - m)
            d += weight
            result += weight * values[j, lane]
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = result / d


@right("keys_turned_in_shared_memory")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((DIM, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[lane, j] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[lane, j] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[c, lane]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@right("total_of_a_tile_by_shuffles")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + warp_sum(p)
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = acc / total


@right("scaled_at_the_end_and_barrier_first")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        cuda.syncthreads()
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
            s *= SCALE
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@right("weights_in_shared_memory")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    weights = cuda.shared.array((QUERIES, KEYS), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        weights[w, lane] = p
        cuda.syncwarp()
        acc *= shrink
        for j in range(KEYS):
            acc += weights[w, j] * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@right("query_by_shuffles_and_one_tile_for_both")
@cuda.jit
def attention_flash(q, k, v, out):
    tile = cuda.shared.array((2, 32, 33), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i = cuda.blockIdx.y, 8 * cuda.blockIdx.x + w
    n = k.shape[1]
    mine = q[head, min(i, n - 1), lane] * SCALE
    top, total, acc = LOWEST, float32(0), float32(0)
    n_tiles = (n + 31) // 32
    for t in range(n_tiles):
        for r in range(4):
            row = 4 * w + r
            inside = 32 * t + row < n
            tile[0, row, lane] = k[head, 32 * t + row, lane] if inside else float32(0)
            tile[1, row, lane] = v[head, 32 * t + row, lane] if inside else float32(0)
        cuda.syncthreads()
        s = float32(0)
        for c in range(32):
            s += cuda.shfl_sync(FULL_WARP, mine, c) * tile[0, lane, c]
        if 32 * t + lane >= n:
            s = LOWEST
        before = top
        top = max(top, warp_max(s))
        p = math.exp(s - top)
        total = total * math.exp(before - top) + warp_sum(p)
        acc = acc * math.exp(before - top)
        for j in range(32):
            acc += tile[1, j, lane] * cuda.shfl_sync(FULL_WARP, p, j)
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = acc * (float32(1) / total)


@right("minus_infinity_for_missing_keys")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = float32(-math.inf), float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = float32(-math.inf)
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@right("two_tiles_in_turn")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((2, KEYS, PITCH), float32)
    tile_v = cuda.shared.array((2, KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        b = first // KEYS % 2
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[b, j, lane] = k[head, first + j, lane]
                tile_v[b, j, lane] = v[head, first + j, lane]
            else:
                tile_k[b, j, lane] = float32(0)
                tile_v[b, j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[b, lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[b, j, lane]
        top = higher
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@cuda.jit(device=True)
def fill(tile, src, head, first):
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    for j in range(w, KEYS, QUERIES):
        tile[j, lane] = src[head, first + j, lane] if first + j < src.shape[1] else float32(0)


@wrong("keys_gone_through_twice", misconception="too_much_traffic", says="load 42 keys and 42 values once")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for step in range(2):
        for first in range(0, n, KEYS):
            fill(tile_k, k, head, first)
            fill(tile_v, v, head, first)
            cuda.syncthreads()
            s = LOWEST
            if first + lane < n:
                s = float32(0)
                for c in range(DIM):
                    s += mine[w, c] * tile_k[lane, c]
            if step == 0:
                higher = max(top, warp_max(s))
                total = total * math.exp(top - higher) + math.exp(s - higher)
                top = higher
            else:
                p = math.exp(s - top)
                for j in range(KEYS):
                    acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
            cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("values_straight_from_memory", misconception="too_much_traffic", says="in tiles that all eight warps share")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(min(KEYS, n - first)):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * v[head, first + j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong(
    "a_warp_goes_through_all_keys_alone", misconception="too_much_traffic", says="in tiles that all eight warps share"
)
@cuda.jit
def attention_flash(q, k, v, out):
    lane = cuda.threadIdx.x
    head, i = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + cuda.threadIdx.y
    if i < q.shape[1]:
        mine = q[head, i, lane] * SCALE
        top, total, acc = LOWEST, float32(0), float32(0)
        for j in range(k.shape[1]):
            s = warp_sum(mine * k[head, j, lane])
            higher = max(top, s)
            shrink, p = math.exp(top - higher), math.exp(s - higher)
            total = total * shrink + p
            acc = acc * shrink + p * v[head, j, lane]
            top = higher
        out[head, i, lane] = acc / total


@wrong("result_not_rescaled", misconception="result_not_rescaled", says="what earlier tiles added to the result")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("total_not_rescaled", misconception="total_not_rescaled", says="what earlier tiles added to the total")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total += p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("nothing_rescaled", misconception="nothing_rescaled", says="neither the total nor the result")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        p = math.exp(s - higher)
        total += p
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong(
    "shrunk_by_the_new_maximum_less_itself", misconception="nothing_rescaled", says="neither the total nor the result"
)
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        top = higher
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("not_scaled", misconception="not_scaled", says="1 / sqrt(32)")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("scaled_by_32", misconception="scaled_by_dimension", says="its square root")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("no_maximum", misconception="no_maximum", says="exp overflows")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    total, acc = float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        p = math.exp(s)
        total += p
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("maximum_begins_at_zero", misconception="maximum_from_zero", says="begins at 0")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = float32(0), float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("missing_keys_count", misconception="padding_counted", says="missing keys count")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = float32(0)
        for c in range(DIM):
            s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("lanes_divide_alone", misconception="lanes_divide_alone", says="its own keys")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = acc / total


@wrong("never_divided", misconception="not_divided", says="never divided")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc


@wrong("own_weight_for_all_values", misconception="own_weights", says="by its own key's weight")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += p * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("first_head_for_all", misconception="first_head_only", says="the result of the first")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = 0 * cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[cuda.blockIdx.y, i, lane] = acc / total


@wrong("keys_and_values_exchanged", misconception="keys_and_values", says="exchanged")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = v[head, first + j, lane]
                tile_v[j, lane] = k[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("no_barrier_after_the_fill", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("no_barrier_before_the_next_fill", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("idle_warps_leave", misconception="uninitialised_read", says="sends away the threads")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    if i >= n:
        return
    mine[w, lane] = SCALE * q[head, i, lane]
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("values_past_the_end_never_filled", misconception="uninitialised_read", says="tile_v")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("keys_past_the_end_loaded", misconception="no_guard", says="outside")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            tile_k[j, lane] = k[head, first + j, lane]
            tile_v[j, lane] = v[head, first + j, lane]
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("whole_tiles_only", misconception="last_tile_missing", says="no whole tile of 32")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n // KEYS * KEYS, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("first_tile_only", misconception="first_tile_only", says="only the first 32 keys")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, KEYS), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("scores_kept_in_a_row_of_fixed_length", misconception="off_by_one", says="scores has shape")
@cuda.jit
def attention_flash(q, k, v, out):
    tile = cuda.shared.array((KEYS, PITCH), float32)
    mine = cuda.shared.array((QUERIES, DIM), float32)
    scores = cuda.shared.array((QUERIES, 512), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top = LOWEST
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            tile[j, lane] = k[head, first + j, lane] if first + j < n else float32(0)
        cuda.syncthreads()
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile[lane, c]
            scores[w, first + lane] = s
            top = max(top, s)
        cuda.syncthreads()
    top = warp_max(top)
    total = float32(0)
    for j in range(lane, n, WARP):
        scores[w, j] = math.exp(scores[w, j] - top)
        total += scores[w, j]
    total = warp_sum(total)
    acc = float32(0)
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            tile[j, lane] = v[head, first + j, lane] if first + j < n else float32(0)
        cuda.syncthreads()
        for j in range(min(KEYS, n - first)):
            acc += scores[w, first + j] * tile[j, lane]
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = acc / total


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def attention_flash(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, 0.0, 0.0
    for first in range(0, n, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < n:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total
