"""Answers to attention.attention_naive."""

import math

import numpy as np
from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
DIM = 32
FULL_WARP = 0xFFFFFFFF
SCALE = float32(1 / math.sqrt(32))
LOWEST = float32(np.finfo(np.float32).min)


def ceil_div(a, b):
    return (a + b - 1) // b


@cuda.jit
def score(q, k, scores):
    j, row = cuda.grid(2)
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(DIM):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = acc * SCALE


@cuda.jit
def unscaled(q, k, scores):
    j, row = cuda.grid(2)
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(DIM):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = acc


@cuda.jit
def over_the_dimension(q, k, scores):
    j, row = cuda.grid(2)
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(DIM):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = acc / float32(DIM)


@cuda.jit
def score_of_the_first_head(q, k, scores):
    j, row = cuda.grid(2)
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(DIM):
            acc += q[0, row % n, c] * k[0, j, c]
        scores[row, j] = acc * SCALE


@cuda.jit
def score_and_power(q, k, scores):
    j, row = cuda.grid(2)
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(DIM):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = math.exp(acc * SCALE)


@cuda.jit
def score_by_heads(q, k, scores):
    j, i, head = cuda.grid(3)
    n = q.shape[1]
    if i < n and j < n:
        query, key = q[head, i], k[head, j]
        acc = float32(0)
        for c in range(query.size):
            acc += query[c] * key[c]
        scores[n * head + i, j] = SCALE * acc


@cuda.jit
def score_from_tiles(q, k, scores):
    tile_q = cuda.shared.array((16, 33), float32)
    tile_k = cuda.shared.array((16, 33), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    head, n = cuda.blockIdx.z, q.shape[1]
    i0, j0 = 16 * cuda.blockIdx.y, 16 * cuda.blockIdx.x
    for c in range(tx, 32, 16):
        tile_q[ty, c] = q[head, i0 + ty, c] if i0 + ty < n else float32(0)
        tile_k[ty, c] = k[head, j0 + ty, c] if j0 + ty < n else float32(0)
    cuda.syncthreads()
    acc = float32(0)
    for c in range(32):
        acc += tile_q[ty, c] * tile_k[tx, c]
    if i0 + ty < n and j0 + tx < n:
        scores[n * head + i0 + ty, j0 + tx] = SCALE * acc


@cuda.jit
def soften(x):
    row, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
    if row < x.shape[0]:
        top = LOWEST
        for j in range(lane, x.shape[1], WARP):
            top = max(top, x[row, j])
        for d in (16, 8, 4, 2, 1):
            top = max(top, cuda.shfl_xor_sync(FULL_WARP, top, d))
        total = float32(0)
        for j in range(lane, x.shape[1], WARP):
            total += math.exp(x[row, j] - top)
        for d in (16, 8, 4, 2, 1):
            total += cuda.shfl_xor_sync(FULL_WARP, total, d)
        for j in range(lane, x.shape[1], WARP):
            x[row, j] = math.exp(x[row, j] - top) / total


@cuda.jit
def soften_columns(x, n):
    j, head = cuda.grid(2)
    if j < n:
        top = LOWEST
        for i in range(n):
            top = max(top, x[head * n + i, j])
        total = float32(0)
        for i in range(n):
            total += math.exp(x[head * n + i, j] - top)
        for i in range(n):
            x[head * n + i, j] = math.exp(x[head * n + i, j] - top) / total


@cuda.jit
def weigh(scores, v, out):
    c, i, head = cuda.grid(3)
    n = v.shape[1]
    if i < n and c < v.shape[2]:
        acc = float32(0)
        for j in range(n):
            acc += scores[head * n + i, j] * v[head, j, c]
        out[head, i, c] = acc


@cuda.jit
def weigh_the_first_head(scores, v, out):
    c, i, head = cuda.grid(3)
    n = v.shape[1]
    if i < n and c < v.shape[2]:
        acc = float32(0)
        for j in range(n):
            acc += scores[head * n + i, j] * v[0, j, c]
        out[head, i, c] = acc


@cuda.jit
def weigh_by_rows(scores, v, out):
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    n, c = v.shape[1], cuda.threadIdx.x
    if row < scores.shape[0]:
        head, i = row // n, row % n
        acc = float32(0)
        for j in range(n):
            acc += scores[row, j] * v[head, j, c]
        out[head, i, c] = acc


@cuda.jit
def weigh_and_divide(scores, v, out):
    c, i, head = cuda.grid(3)
    n = v.shape[1]
    if i < n and c < v.shape[2]:
        total, acc = float32(0), float32(0)
        for j in range(n):
            total += scores[head * n + i, j]
            acc += scores[head * n + i, j] * v[head, j, c]
        out[head, i, c] = acc / total


@cuda.jit
def soften_and_weigh(scores, v, out):
    c, i, head = cuda.grid(3)
    n = v.shape[1]
    if i < n and c < v.shape[2]:
        row = head * n + i
        top = LOWEST
        for j in range(n):
            top = max(top, scores[row, j])
        total, acc = float32(0), float32(0)
        for j in range(n):
            p = math.exp(scores[row, j] - top)
            total += p
            acc += p * v[head, j, c]
        out[head, i, c] = acc / total


@right("grids_by_heads")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score_by_heads[(ceil_div(n, 32), ceil_div(n, 8), n_heads), (32, 8)](q, k, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh[(1, ceil_div(n, 8), n_heads), (dim, 8)](scores, v, out)


@right("two_launches")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score_by_heads[(ceil_div(n, 32), ceil_div(n, 8), n_heads), (32, 8)](q, k, scores)
    soften_and_weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@right("scores_from_tiles")
def attention_naive(q, k, v, scores, out):
    heads, n = q.shape[0], q.shape[1]
    tiles = (n + 15) // 16
    score_from_tiles[(tiles, tiles, heads), (16, 16)](q, k, scores)
    soften[(heads * n + 7) // 8, 256](scores)
    weigh_by_rows[(heads * n + 3) // 4, (32, 4)](scores, v, out)


@wrong("rows_along_y", misconception="launch_too_large", says="blocks along y; the limit is 65535")
def attention_naive(q, k, v, scores, out):
    rows, n = scores.shape
    score[(ceil_div(n, WARP), rows), WARP](q, k, scores)
    soften[rows, WARP](scores)
    weigh_by_rows[rows, (WARP, 1)](scores, v, out)


@right("wide_blocks")
def attention_naive(q, k, v, scores, out):
    threads = (16, 16)
    blocks = (int(np.ceil(scores.shape[1] / 16)), int(np.ceil(scores.shape[0] / 16)))
    score[blocks, threads](q, k, scores)
    soften[int(np.ceil(scores.shape[0] / 16)), 512](scores)
    per_head = (2, int(np.ceil(q.shape[1] / 16)), q.shape[0])
    weigh[per_head, threads](scores, v, out)
    cuda.synchronize()


@right("on_a_stream_of_its_own")
def attention_naive(q, k, v, scores, out):
    stream = cuda.stream()
    n_heads, n, dim = q.shape
    score_by_heads[(ceil_div(n, 64), ceil_div(n, 8), n_heads), (64, 8), stream](q, k, scores)
    soften[ceil_div(n_heads * n, 2), 64, stream](scores)
    weigh[(1, ceil_div(n, 2), n_heads), (dim, 2), stream](scores, v, out)
    stream.synchronize()


@wrong("scores_not_scaled", misconception="not_scaled", says="1 / sqrt(32)")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    unscaled[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("divided_by_the_dimension", misconception="scaled_by_dimension", says="its square root")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    over_the_dimension[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("no_softmax", misconception="not_normalised", says="the softmax of each row is missing")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("softmax_down_the_columns", misconception="swapped_axes", says="down the columns")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    soften_columns[(ceil_div(n, 32), n_heads), 32](scores, n)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("queries_and_keys_exchanged", misconception="queries_and_keys", says="queries and keys are exchanged")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](k, q, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("keys_and_values_exchanged", misconception="keys_and_values", says="keys and values are exchanged")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, v, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, k, out)


@wrong("first_head_for_all", misconception="first_head_only", says="the result of the first")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score_of_the_first_head[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    soften[ceil_div(n_heads * n, 4), 128](scores)
    weigh_the_first_head[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("powers_without_a_maximum", misconception="no_maximum", says="exp overflows")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score_and_power[(ceil_div(n, 32), ceil_div(n_heads * n, 4)), (32, 4)](q, k, scores)
    weigh_and_divide[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("a_head_at_a_time", misconception="too_many_launches", says="kernel launches")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    for h in range(n_heads):
        part = slice(h, h + 1)
        rows = scores[h * n : (h + 1) * n]
        score[(ceil_div(n, 32), ceil_div(n, 4)), (32, 4)](q[part], k[part], rows)
        soften[ceil_div(n, 4), 128](rows)
        weigh[(1, ceil_div(n, 4), 1), (dim, 4)](rows, v[part], out[part])


@wrong("weights_in_an_array_of_its_own", misconception="allocates_per_call", says="device allocation")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    weights = cuda.device_array(scores.shape, np.float32)
    score_by_heads[(ceil_div(n, 32), ceil_div(n, 8), n_heads), (32, 8)](q, k, weights)
    soften[ceil_div(n_heads * n, 4), 128](weights)
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](weights, v, out)


@wrong("softmax_on_the_host", misconception="too_many_transfers", says="bytes")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score_by_heads[(ceil_div(n, 32), ceil_div(n, 8), n_heads), (32, 8)](q, k, scores)
    x = scores.copy_to_host()
    x = np.exp(x - x.max(axis=1, keepdims=True))
    scores.copy_to_device(x / x.sum(axis=1, keepdims=True))
    weigh[(1, ceil_div(n, 4), n_heads), (dim, 4)](scores, v, out)


@wrong("blocks_rounded_down", misconception="uninitialised_read", says="scores")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(max(1, n // 32), max(1, n_heads * n // 4)), (32, 4)](q, k, scores)
    soften[max(1, n_heads * n // 4), 128](scores)
    weigh[(1, max(1, n // 4), n_heads), (dim, 4)](scores, v, out)


@wrong("grid_of_the_first_head", misconception="missing_tail", says="never written")
def attention_naive(q, k, v, scores, out):
    n_heads, n, dim = q.shape
    score[(ceil_div(n, 32), ceil_div(n, 4)), (32, 4)](q, k, scores)
    soften[ceil_div(n, 4), 128](scores)
    weigh[(1, ceil_div(n, 4), 1), (dim, 4)](scores, v, out)
