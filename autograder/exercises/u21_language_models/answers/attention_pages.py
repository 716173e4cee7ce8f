"""Answers to language_models.attention_pages."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import halves, load16, store16

WARP = 32
FULL_WARP = 0xFFFFFFFF
SPLIT, PAGE, HEAD, SHARED, PARTS = 512, 16, 128, 4, 16
ROOT = float32(1 / math.sqrt(128))
LOWEST = float32(-3.4028234663852886e38)


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def warp_max(x):
    d = 16
    while d > 0:
        x = max(x, cuda.shfl_xor_sync(FULL_WARP, x, d))
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def eight(src, at):
    words = load16(src, at)
    a, b = halves(words[0])
    c, d = halves(words[1])
    e, f = halves(words[2])
    g, h = halves(words[3])
    return a, b, c, d, e, f, g, h


@cuda.jit(device=True, forceinline=True)
def dot8(x, y):
    low = x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3]
    return low + x[4] * y[4] + x[5] * y[5] + x[6] * y[6] + x[7] * y[7]


@cuda.jit(device=True, forceinline=True)
def score(q, k):
    x = dot8(q, k)
    d = 8
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return ROOT * x


@cuda.jit(device=True, forceinline=True)
def scores(q, k):
    return score(q[0], k), score(q[1], k), score(q[2], k), score(q[3], k)


@cuda.jit(device=True, forceinline=True)
def at_place(cache, pages, place, c):
    return eight(cache, (PAGE * pages[place // PAGE] + place % PAGE, c))


@cuda.jit(device=True, forceinline=True)
def add8(acc, p, x):
    low = acc[0] + p * x[0], acc[1] + p * x[1], acc[2] + p * x[2], acc[3] + p * x[3]
    return low + (acc[4] + p * x[4], acc[5] + p * x[5], acc[6] + p * x[6], acc[7] + p * x[7])


@cuda.jit(device=True, forceinline=True)
def put8(dst, at, c, x):
    store16(dst, (at[0], at[1], c), (x[0], x[1], x[2], x[3]))
    store16(dst, (at[0], at[1], c + 4), (x[4], x[5], x[6], x[7]))


@cuda.jit(device=True, forceinline=True)
def put4(sums, half, c, a, b, d, e):
    put8(sums, (half, 0), c, a)
    put8(sums, (half, 1), c, b)
    put8(sums, (half, 2), c, d)
    put8(sums, (half, 3), c, e)


@cuda.jit(device=True, forceinline=True)
def shares(weights, n):
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    for j in range(lane, n, WARP):
        top = max(top, weights[h, j])
    top = warp_max(top)
    for j in range(lane, n, WARP):
        total += math.exp(weights[h, j] - top)
    log = top + math.log(warp_sum(total))
    for j in range(lane, SPLIT, WARP):
        weights[h, j] = math.exp(weights[h, j] - log) if j < n else float32(0)
    return log


@cuda.jit(device=True, forceinline=True)
def score_key(weights, j, n, c, q, k):
    s = scores(q, k)
    if c == 0 and j < n:
        weights[0, j], weights[1, j], weights[2, j], weights[3, j] = s


@cuda.jit(device=True, forceinline=True)
def add_warps(sums, parts, split, head):
    for i in range(cuda.threadIdx.x, 512, 256):
        total = float32(0)
        for w in range(8):
            total += sums[w, i // 128, i % 128]
        parts[split, head + i // 128, i % 128] = total


@right("a_key_per_warp")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    rows = cuda.shared.array((4, 512), float32)
    sums = cuda.shared.array((8, 4, 128), float32)
    acc = cuda.local.array((4, 4), float32)
    mine = cuda.local.array((4, 4), float32)
    warp, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    split, shared = cuda.blockIdx.x, cuda.blockIdx.y
    first, last = 512 * split, min(512 * (split + 1), n_keys)
    for h in range(4):
        for k in range(4):
            mine[h, k] = float32(q[4 * shared + h, lane + 32 * k]) * ROOT
            acc[h, k] = 0
    for at in range(first + warp, last, 8):
        row = 16 * pages[at // 16] + at % 16
        a, b = float32(keys[shared, row, lane]), float32(keys[shared, row, lane + 32])
        c, d = float32(keys[shared, row, lane + 64]), float32(keys[shared, row, lane + 96])
        for h in range(4):
            s = warp_sum(mine[h, 0] * a + mine[h, 1] * b + mine[h, 2] * c + mine[h, 3] * d)
            if lane == 0:
                rows[h, at - first] = s
    cuda.syncthreads()
    if warp < 4:
        log = shares(rows, last - first)
        if lane == 0:
            logs[split, 4 * shared + warp] = log
    cuda.syncthreads()
    for at in range(first + warp, last, 8):
        row = 16 * pages[at // 16] + at % 16
        for k in range(4):
            v = float32(values[shared, row, lane + 32 * k])
            for h in range(4):
                acc[h, k] += rows[h, at - first] * v
    for h in range(4):
        for k in range(4):
            sums[warp, h, lane + 32 * k] = acc[h, k]
    cuda.syncthreads()
    add_warps(sums, parts, split, 4 * shared)


@right("one_key_at_a_time")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, PARTS):
        score_key(weights, begin + half, n, c, mine, at_place(keys, pages, first + min(begin + half, n - 1), c))
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for i in range(half, n, PARTS):
        v = at_place(values, pages, first + i, c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def powers(weights, totals, n):
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    for i in range(lane, n, WARP):
        top = max(top, weights[h, i])
    top = warp_max(top)
    for i in range(lane, SPLIT, WARP):
        p = math.exp(weights[h, i] - top) if i < n else float32(0)
        weights[h, i] = p
        total += p
    total = warp_sum(total)
    if lane == 0:
        totals[h] = total
    return top + math.log(total)


@right("divided_at_the_end")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    totals = cuda.shared.array(SHARED, float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = powers(weights, totals, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc / totals[i // HEAD]


@cuda.jit(device=True, forceinline=True)
def in_order(cache, pages, place, c):
    return eight(cache, (place, c))


@wrong("pages_in_order", misconception="table_ignored", says="the table says which page")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = in_order(keys, pages, first + min(i, n - 1), c)
        other = in_order(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = in_order(values, pages, first + min(i, n - 1), c)
        other = in_order(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@wrong("heads_by_remainder", misconception="heads_in_turn", says="heads 0 to 3 share the first")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), shared
    keys, values = keys[shared], values[shared]
    first, m = SPLIT * split, q.shape[0] // SHARED
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + m, c)), eight(q, (head + 2 * m, c)), eight(q, (head + 3 * m, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + m * (t // WARP)] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + m * (i // HEAD), i % HEAD] = acc


@wrong("one_query_for_four", misconception="first_query", says="the query of the first")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head, c)), eight(q, (head, c)), eight(q, (head, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def unscaled_key(weights, j, n, c, q, k):
    s = scores(q, k)
    if c == 0 and j < n:
        for h in range(4):
            weights[h, j] = s[h] / ROOT


@wrong("no_scale", misconception="not_scaled", says="1 / sqrt(128)")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        unscaled_key(weights, i, n, c, mine, k)
        unscaled_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def twice_scaled_key(weights, j, n, c, q, k):
    s = scores(q, k)
    if c == 0 and j < n:
        for h in range(4):
            weights[h, j] = s[h] * ROOT


@wrong("divided_by_128", misconception="scaled_by_dimension", says="square root")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        twice_scaled_key(weights, i, n, c, mine, k)
        twice_scaled_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@wrong("keys_for_values", misconception="keys_and_values", says="exchanged")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = values[shared], keys[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def plain_shares(weights, n):
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    total = float32(0)
    for j in range(lane, n, WARP):
        total += math.exp(weights[h, j])
    total = warp_sum(total)
    for j in range(lane, SPLIT, WARP):
        weights[h, j] = math.exp(weights[h, j]) / total if j < n else float32(0)
    return math.log(total)


@wrong("no_maximum", misconception="no_maximum", says="subtract the largest")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = plain_shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def shares_below(weights, n):
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    for j in range(lane, n, WARP):
        top = max(top, weights[h, j])
    top = warp_max(top)
    for j in range(lane, n, WARP):
        total += math.exp(weights[h, j] - top)
    log = top + math.log(warp_sum(total))
    for j in range(lane, SPLIT, WARP):
        weights[h, j] = math.exp(weights[h, j] - log) if j < n else float32(0)
    return log - top


@wrong("log_of_the_total_below_the_maximum", misconception="maximum_left_out", says="add it again")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares_below(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def shares_and_total(weights, n):
    h, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    top, total = LOWEST, float32(0)
    for j in range(lane, n, WARP):
        top = max(top, weights[h, j])
    top = warp_max(top)
    for j in range(lane, n, WARP):
        total += math.exp(weights[h, j] - top)
    log = top + math.log(warp_sum(total))
    for j in range(lane, SPLIT, WARP):
        weights[h, j] = math.exp(weights[h, j] - log) if j < n else float32(0)
    return math.exp(log - top)


@wrong("total_in_place_of_log", misconception="total_for_log", says="take the logarithm")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares_and_total(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@wrong("one_half_warp_stored", misconception="half_warps_not_combined", says="never added")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        parts[split, head + i // HEAD, i % HEAD] = sums[0, i // HEAD, i % HEAD]


@wrong("shares_not_waited_for", misconception="missing_barrier", says="Race")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        k = at_place(keys, pages, first + min(i, n - 1), c)
        other = at_place(keys, pages, first + min(j, n - 1), c)
        score_key(weights, i, n, c, mine, k)
        score_key(weights, j, n, c, mine, other)
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@wrong("half_a_warp_left", misconception="warp_mask", says="mask")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for i in range(half, n, PARTS):
        score_key(weights, i, n, c, mine, at_place(keys, pages, first + i, c))
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc


@cuda.jit(device=True, forceinline=True)
def key_for_each(weights, j, n, c, q, keys, pages, place):
    for h in range(4):
        s = score(q[h], at_place(keys, pages, place, c))
        if c == 0 and j < n:
            weights[h, j] = s


@wrong("keys_again_for_every_head", misconception="key_for_every_head", says="614,400")
@cuda.jit
def attention_pages(q, keys, values, pages, n_keys, parts, logs):
    weights = cuda.shared.array((SHARED, SPLIT), float32)
    sums = cuda.shared.array((PARTS, SHARED, HEAD), float32, alignment=16)
    t, split, shared = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.y
    half, c, head = t // 16, 8 * (t % 16), SHARED * shared
    keys, values = keys[shared], values[shared]
    first = SPLIT * split
    n = min(SPLIT, n_keys - first)
    mine = eight(q, (head, c)), eight(q, (head + 1, c)), eight(q, (head + 2, c)), eight(q, (head + 3, c))
    for begin in range(0, n, PARTS):
        i = begin + half
        key_for_each(weights, i, n, c, mine, keys, pages, first + min(i, n - 1))
    cuda.syncthreads()
    if t < WARP * SHARED:
        log = shares(weights, n)
        if t % WARP == 0:
            logs[split, head + t // WARP] = log
    cuda.syncthreads()
    zero = float32(0)
    a = b = d = e = (zero, zero, zero, zero, zero, zero, zero, zero)
    for begin in range(0, n, 2 * PARTS):
        i, j = begin + half, begin + half + PARTS
        v = at_place(values, pages, first + min(i, n - 1), c)
        other = at_place(values, pages, first + min(j, n - 1), c)
        a, b = add8(a, weights[0, i], v), add8(b, weights[1, i], v)
        d, e = add8(d, weights[2, i], v), add8(e, weights[3, i], v)
        a, b = add8(a, weights[0, j], other), add8(b, weights[1, j], other)
        d, e = add8(d, weights[2, j], other), add8(e, weights[3, j], other)
    put4(sums, half, c, a, b, d, e)
    cuda.syncthreads()
    for i in range(t, SHARED * HEAD, 256):
        acc = float32(0)
        for part in range(PARTS):
            acc += sums[part, i // HEAD, i % HEAD]
        parts[split, head + i // HEAD, i % HEAD] = acc
