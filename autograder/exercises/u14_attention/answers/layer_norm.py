"""Answers to attention.layer_norm."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

WARP = 32
ROWS = 4
MOST_COLUMNS = 1024
FULL_WARP = 0xFFFFFFFF
EPS = float32(1e-5)


@cuda.jit(device=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@right("deviations_left_in_shared_memory")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        rows[warp, c] = x
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    root = math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = rows[warp, c] / root * gamma[c] + beta[c]


@right("shifted_by_the_first_element")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    kept = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    row = cuda.blockIdx.x * ROWS + w
    n_cols = src.shape[1]
    if row < src.shape[0]:
        for c in range(lane, n_cols, 32):
            kept[w, c] = src[row, c]
        cuda.syncwarp()
        first = kept[w, 0]
        total, squares = float32(0), float32(0)
        for c in range(lane, n_cols, 32):
            x = kept[w, c] - first
            total += x
            squares += x * x
        n = float32(n_cols)
        mean = warp_sum(total) / n
        variance = warp_sum(squares) / n - mean * mean
        scale = float32(1) / math.sqrt(variance + EPS)
        for c in range(lane, n_cols, 32):
            dst[row, c] = (kept[w, c] - first - mean) * scale * gamma[c] + beta[c]


@right("welford_and_pairs")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    kept = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    w, lane = cuda.threadIdx.x // 32, cuda.threadIdx.x % 32
    row = cuda.blockIdx.x * ROWS + w
    if row >= src.shape[0]:
        return
    count, mean, squares = float32(0), float32(0), float32(0)
    for c in range(lane, src.shape[1], 32):
        x = src[row, c]
        kept[w, c] = x
        count += float32(1)
        delta = x - mean
        mean += delta / count
        squares += delta * (x - mean)
    d = 16
    while d > 0:
        other_count = cuda.shfl_xor_sync(FULL_WARP, count, d)
        other_mean = cuda.shfl_xor_sync(FULL_WARP, mean, d)
        other_squares = cuda.shfl_xor_sync(FULL_WARP, squares, d)
        both = count + other_count
        if both > float32(0):
            delta = other_mean - mean
            squares += other_squares + delta * delta * count * other_count / both
            mean = (count * mean + other_count * other_mean) / both
        count = both
        d //= 2
    scale = float32(1) / math.sqrt(squares / count + EPS)
    for c in range(lane, src.shape[1], 32):
        dst[row, c] = gamma[c] * scale * (kept[w, c] - mean) + beta[c]


@right("row_in_registers")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    mine = cuda.local.array(32, float32)
    row, lane = cuda.grid(1) // WARP, cuda.grid(1) % WARP
    n_cols = src.shape[1]
    if row >= src.shape[0]:
        return
    total = float32(0)
    for k in range(32):
        c = lane + 32 * k
        if c < n_cols:
            mine[k] = src[row, c]
            total += mine[k]
    mean = warp_sum(total) / float32(n_cols)
    squares = float32(0)
    for k in range(32):
        if lane + 32 * k < n_cols:
            mine[k] -= mean
            squares += mine[k] * mine[k]
    root = math.sqrt(warp_sum(squares) / float32(n_cols) + EPS)
    for k in range(32):
        c = lane + 32 * k
        if c < n_cols:
            dst[row, c] = mine[k] / root * gamma[c] + beta[c]


@right("deviations_left_in_dst_are_not_needed")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x >> 5, cuda.laneid
    row, n_cols = (cuda.grid(1) >> 5), gamma.size
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = cuda.libdevice.rsqrtf(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@right("one_pass_over_while_loops")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    line = rows[warp]
    c = lane
    while c < n_cols:
        line[c] = src[row, c]
        acc += line[c]
        c += WARP
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@right("sums_through_shared_memory_and_barriers")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    sums = cuda.shared.array((ROWS, WARP), float32)
    squares = cuda.shared.array((ROWS, WARP), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row = ROWS * cuda.blockIdx.x + warp
    n_cols = src.shape[1] if row < src.shape[0] else 0
    n = float32(src.shape[1])
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        rows[warp, c] = src[row, c]
        acc += rows[warp, c]
    sums[warp, lane] = acc
    cuda.syncthreads()
    mean = float32(0)
    for other in range(WARP):
        mean += sums[warp, other]
    mean /= n
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        acc += (rows[warp, c] - mean) ** 2
    squares[warp, lane] = acc
    cuda.syncthreads()
    variance = float32(0)
    for other in range(WARP):
        variance += squares[warp, other]
    scale = float32(1) / math.sqrt(variance / n + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("squares_less_the_squared_mean", misconception="cancelled", says="equal in all digits")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc, squares = float32(0), float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
        squares += x * x
    mean = warp_sum(acc) / float32(n_cols)
    variance = warp_sum(squares) / float32(n_cols) - mean * mean
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("no_shared_memory", misconception="reads_again", says="each loaded once")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (src[row, c] - mean) * scale * gamma[c] + beta[c]


@wrong("welford_and_a_second_read", misconception="reads_again", says="each loaded once")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (src[row, c] - mean) * scale * gamma[c] + beta[c]


@wrong("divided_by_n_less_one", misconception="fewer_by_one", says="n - 1")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols - 1)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("no_eps", misconception="eps_missing", says="eps keeps its root")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("eps_outside_the_root", misconception="eps_outside", says="belongs to the variance")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / (math.sqrt(variance) + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("divided_by_the_variance", misconception="root_forgotten", says="square root")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / (variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("mean_not_subtracted", misconception="mean_kept", says="still has its mean")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = rows[warp, c] * scale * gamma[c] + beta[c]


@wrong("root_of_the_mean_square", misconception="mean_kept", says="never subtracted")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c]
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = rows[warp, c] * scale * gamma[c] + beta[c]


@wrong("lanes_alone", misconception="lanes_alone", says="never added up")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = acc / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = acc / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("gamma_added", misconception="gamma_and_beta", says="exchanged")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * beta[c] + gamma[c]


@wrong("gamma_forgotten", misconception="gamma_and_beta", says="gamma is missing")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale + beta[c]


@wrong("beta_forgotten", misconception="gamma_and_beta", says="beta is missing")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c]


@wrong("length_as_an_integer", misconception="float64_arithmetic", says="float64")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / n_cols
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / n_cols
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("eps_in_double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + 1e-5)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("one_row_of_shared_memory_for_all", misconception="lost_update", says="both write rows")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array(MOST_COLUMNS, float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[c] - mean) * scale * gamma[c] + beta[c]


@wrong("room_for_one_element_per_lane", misconception="off_by_one", says="rows")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, WARP), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("rows_not_guarded", misconception="no_guard", says="outside")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("one_element_per_lane", misconception="missing_tail", says="only the first 32")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, min(n_cols, WARP), WARP):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, min(n_cols, WARP), WARP):
        x = rows[warp, c] - mean
        acc += x * x
    variance = warp_sum(acc) / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(lane, min(n_cols, WARP), WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("a_thread_per_row", misconception="few_threads", says="lanes")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp = cuda.threadIdx.x // WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0] or cuda.threadIdx.x % WARP > 0:
        return
    acc = float32(0)
    for c in range(n_cols):
        x = src[row, c]
        rows[warp, c] = x
        acc += x
    mean = acc / float32(n_cols)
    acc = float32(0)
    for c in range(n_cols):
        x = rows[warp, c] - mean
        acc += x * x
    variance = acc / float32(n_cols)
    scale = float32(1) / math.sqrt(variance + EPS)
    for c in range(n_cols):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]


@wrong("beta_before_the_division", misconception="beta_divided", says="added to the result")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    if row >= src.shape[0]:
        return
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        rows[warp, c] = src[row, c]
        acc += rows[warp, c]
    mean = warp_sum(acc) / float32(n_cols)
    acc = float32(0)
    for c in range(lane, n_cols, WARP):
        x = rows[warp, c] - mean
        acc += x * x
    root = math.sqrt(warp_sum(acc) / float32(n_cols) + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = ((rows[warp, c] - mean) * gamma[c] + beta[c]) / root


@wrong("welford_added_up", misconception="lanes_alone", says="about its own mean")
@cuda.jit
def layer_norm(src, gamma, beta, dst):
    warp, lane = cuda.threadIdx.x // WARP, cuda.threadIdx.x % WARP
    row, n_cols = ROWS * cuda.blockIdx.x + warp, src.shape[1]
    rows = cuda.shared.array((ROWS, MOST_COLUMNS), float32)
    if row >= src.shape[0]:
        return
    count, own, squares = float32(0), float32(0), float32(0)
    for c in range(lane, n_cols, WARP):
        x = src[row, c]
        rows[warp, c] = x
        count += float32(1)
        away = x - own
        own += away / count
        squares += away * (x - own)
    mean = warp_sum(own * count) / float32(n_cols)
    scale = float32(1) / math.sqrt(warp_sum(squares) / float32(n_cols) + EPS)
    for c in range(lane, n_cols, WARP):
        dst[row, c] = (rows[warp, c] - mean) * scale * gamma[c] + beta[c]
