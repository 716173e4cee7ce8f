"""Answers to language_models.half_product."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import halves, load16

WARP = 32
FULL_WARP = 0xFFFFFFFF
THREADS, WARPS = 128, 4


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def block_sum(x):
    sums = cuda.shared.array(WARPS, float32)
    x = warp_sum(x)
    if cuda.threadIdx.x % WARP == 0:
        sums[cuda.threadIdx.x // WARP] = x
    cuda.syncthreads()
    return sums[0] + sums[1] + sums[2] + sums[3]


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


@right("two_loads_on_their_way")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc, more = float32(0), float32(0)
    c = 8 * t
    while c + 1024 < n_cols:
        v, w = eight(weights, (row, c)), eight(weights, (row, c + 1024))
        acc += dot8(v, eight(x, c))
        more += dot8(w, eight(x, c + 1024))
        c += 2048
    if c < n_cols:
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    total = block_sum(acc + more)
    if t == 0:
        y[row] = total


@right("halves_by_hand")
@cuda.jit
def half_product(weights, x, y):
    cells = cuda.shared.array(1, float32)
    row, t = cuda.blockIdx.x, cuda.threadIdx.x
    if t == 0:
        cells[0] = 0
    cuda.syncthreads()
    acc = float32(0)
    for piece in range(t, x.size // 8, cuda.blockDim.x):
        left, other = load16(weights, (row, 8 * piece)), load16(x, 8 * piece)
        for k in range(4):
            a, b = halves(left[k])
            c, d = halves(other[k])
            acc += a * c + b * d
    for d in (16, 8, 4, 2, 1):
        acc += cuda.shfl_down_sync(FULL_WARP, acc, d)
    if t % 32 == 0:
        cuda.atomic.add(cells, 0, acc)
    cuda.syncthreads()
    if t == 0:
        y[row] = cells[0]


@right("x_in_shared_memory")
@cuda.jit
def half_product(weights, x, y):
    piece = cuda.shared.array(2048, float32)
    t, row = cuda.threadIdx.x, cuda.blockIdx.x
    acc = float32(0)
    for first in range(0, x.size, 2048):
        n = min(2048, x.size - first)
        for c in range(8 * t, n, 1024):
            v = eight(x, first + c)
            for k in range(8):
                piece[c + k] = v[k]
        cuda.syncthreads()
        for c in range(8 * t, n, 1024):
            w = eight(weights, (row, first + c))
            for k in range(8):
                acc += w[k] * piece[c + k]
        cuda.syncthreads()
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("thread_0_alone", misconception="lanes_not_combined", says="the other 127")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    if t == 0:
        y[row] = acc


@wrong("first_warp_alone", misconception="warps_not_combined", says="the other three")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    acc = warp_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("one_piece_per_thread", misconception="missing_tail", says="first 1,024 weights")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, min(n_cols, 1024), 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("first_of_eight", misconception="one_of_eight", says="one weight in eight")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += eight(weights, (row, c))[0] * eight(x, c)[0]
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("lower_halves", misconception="lower_halves_only", says="every second weight")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        words, others = load16(weights, (row, c)), load16(x, c)
        for k in range(4):
            acc += halves(words[k])[0] * halves(others[k])[0]
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("same_x_for_all", misconception="same_x", says="first eight numbers of x")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, 0))
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("one_float16_at_a_time", misconception="narrow_loads", says="five requests")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(t, n_cols, THREADS):
        acc += float32(weights[row, c]) * float32(x[c])
    acc = block_sum(acc)
    if t == 0:
        y[row] = acc


@wrong("sum_by_one_thread", misconception="barrier_in_branch", says="barrier")
@cuda.jit
def half_product(weights, x, y):
    t, row, n_cols = cuda.threadIdx.x, cuda.blockIdx.x, weights.shape[1]
    acc = float32(0)
    for c in range(8 * t, n_cols, 8 * THREADS):
        acc += dot8(eight(weights, (row, c)), eight(x, c))
    if t == 0:
        y[row] = block_sum(acc)
