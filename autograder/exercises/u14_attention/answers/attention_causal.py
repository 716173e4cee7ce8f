"""Answers to attention.attention_causal."""

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
def attention_causal(q, k, v, out):
    keys = cuda.shared.array((32, 32), float32)
    values = cuda.shared.array((32, 32), float32)
    lane, warp, head = cuda.threadIdx.x, cuda.threadIdx.y, cuda.blockIdx.y
    n = q.shape[1]
    i = cuda.blockIdx.x * cuda.blockDim.y + warp
    query = float32(0)
    if i < n:
        query = q[head, i, lane]
    last = min(n, (cuda.blockIdx.x + 1) * cuda.blockDim.y)
    m, d, result = LOWEST, float32(0), float32(0)
    for start in range(0, last, 32):
        for row in range(warp, min(32, n - start), 8):
            keys[row, lane] = k[head, start + row, lane]
            values[row, lane] = v[head, start + row, lane]
        cuda.syncthreads()
        for j in range(min(32, min(i, n - 1) + 1 - start)):
            score = warp_sum(query * keys[j, lane]) * SCALE
            higher = max(m, score)
            d = d * math.exp(m - higher) + math.exp(score - higher)
            result = result * math.exp(m - higher) + math.exp(score - higher) * values[j, lane]
            m = higher
        cuda.syncthreads()
    if i < n:
        out[head, i, lane] = result / d


@right("masked_in_one_expression")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
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
        s = s if first + lane <= i else LOWEST
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


@right("only_as_many_keys_as_the_block_needs")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    end = min(n, QUERIES * cuda.blockIdx.x + QUERIES)
    for first in range(0, end, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < end:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@right("tiles_counted")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    n_tiles = min((n + 31) // 32, (8 * cuda.blockIdx.x + 7) // 32 + 1)
    for tile in range(n_tiles):
        first = 32 * tile
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@right("leaves_the_loop_behind_the_last_query")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, n, KEYS):
        if first > QUERIES * cuda.blockIdx.x + QUERIES - 1:
            break
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@right("last_tile_first")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    first = (min(n, QUERIES * cuda.blockIdx.x + QUERIES) - 1) // KEYS * KEYS
    while first >= 0:
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
            s = float32(0)
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]
        higher = max(top, warp_max(s))
        shrink = math.exp(top - higher)
        p = math.exp(s - higher) if s > LOWEST else float32(0)
        total = total * shrink + p
        acc *= shrink
        for j in range(KEYS):
            acc += cuda.shfl_sync(FULL_WARP, p, j) * tile_v[j, lane]
        top = higher
        first -= KEYS
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@right("minus_infinity_masks")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = float32(-math.inf)
        if first + lane <= i:
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


@right("loop_to_the_own_query_as_all_eight_share_a_tile")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, i + 1, KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("all_tiles", misconception="too_many_tiles", says="as far as their last query")
@cuda.jit
def attention_causal(q, k, v, out):
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
        if first + lane <= i:
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


@wrong("not_masked", misconception="not_masked", says="later places")
@cuda.jit
def attention_causal(q, k, v, out):
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
        out[head, i, lane] = acc / total


@wrong("own_place_masked", misconception="own_place_masked", says="does not see its own place")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane < i or i == 0 and first + lane == 0:
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


@wrong("next_place_seen", misconception="next_place_seen", says="the place after its own")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES + 1), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= min(i + 1, n - 1):
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


@wrong("mask_turned", misconception="mask_turned", says="the wrong way round")
@cuda.jit
def attention_causal(q, k, v, out):
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
        if first + lane >= i and first + lane < n:
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


@wrong("masked_after_the_total", misconception="masked_too_late", says="but in the total")
@cuda.jit
def attention_causal(q, k, v, out):
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
            weight = cuda.shfl_sync(FULL_WARP, p, j)
            if first + j <= i:
                acc += weight * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total


@wrong("masked_scores_are_zero", misconception="padding_counted", says="score 0")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = float32(0)
        if first + lane <= i:
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


@wrong("result_not_rescaled", misconception="result_not_rescaled", says="what earlier tiles added to the result")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("nothing_rescaled", misconception="nothing_rescaled", says="neither the total nor the result")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("not_scaled", misconception="not_scaled", says="1 / sqrt(32)")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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
def attention_causal(q, k, v, out):
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
        if first + lane <= i:
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
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("lanes_divide_alone", misconception="lanes_divide_alone", says="its own keys")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
                tile_v[j, lane] = v[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
                tile_v[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("tiles_straight_from_memory", misconception="too_many_tiles", says="as far as their last query")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * cuda.blockIdx.x + QUERIES), KEYS):
        for j in range(w, KEYS, QUERIES):
            if first + j < n:
                tile_k[j, lane] = k[head, first + j, lane]
            else:
                tile_k[j, lane] = float32(0)
        cuda.syncthreads()
        s = LOWEST
        if first + lane <= i:
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


@wrong("masked_after_the_total_of_its_tiles", misconception="masked_too_late", says="but in the total")
@cuda.jit
def attention_causal(q, k, v, out):
    mine = cuda.shared.array((QUERIES, DIM), float32)
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    tile_v = cuda.shared.array((KEYS, DIM), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    mine[w, lane] = SCALE * q[head, i, lane] if i < n else float32(0)
    top, total, acc = LOWEST, float32(0), float32(0)
    for first in range(0, min(n, QUERIES * (cuda.blockIdx.x + 1)), KEYS):
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
            weight = cuda.shfl_sync(FULL_WARP, p, j)
            if first + j <= i:
                acc += weight * tile_v[j, lane]
        top = higher
        cuda.syncthreads()
    total = warp_sum(total)
    if i < n:
        out[head, i, lane] = acc / total
