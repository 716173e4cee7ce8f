"""Answers to scan.scan_blelloch."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
PADDED = THREADS + THREADS // WARP


@right("strides_counted_up")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < src.size:
        s[t] = src[i]
    else:
        s[t] = float32(0)
    for level in range(8):
        cuda.syncthreads()
        d = 1 << level
        if (t + 1) % (2 * d) == 0:
            s[t] += s[t - d]
    cuda.syncthreads()
    if t == THREADS - 1:
        s[t] = float32(0)
    for level in range(8):
        cuda.syncthreads()
        d = 128 >> level
        if (t + 1) % (2 * d) == 0:
            left = s[t - d]
            s[t - d] = s[t]
            s[t] = left + s[t]
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@cuda.jit(device=True)
def padded(k):
    """Where cell k lies with one spare cell after every 32."""
    return k + k // WARP


@right("padded_against_conflicts")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(PADDED, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[padded(t)] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[padded(k)] += s[padded(k - d)]
        d *= 2
    cuda.syncthreads()
    if t == 0:
        s[padded(THREADS - 1)] = float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x, y = s[padded(k - d)], s[padded(k)]
            s[padded(k - d)] = y
            s[padded(k)] = x + y
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[padded(t)]


@right("pairs_counted_down")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    offset, pairs = 1, THREADS // 2
    while pairs > 0:
        cuda.syncthreads()
        if t < pairs:
            left = offset * (2 * t + 1) - 1
            s[left + offset] += s[left]
        offset *= 2
        pairs //= 2
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    pairs = 1
    while pairs < THREADS:
        offset //= 2
        cuda.syncthreads()
        if t < pairs:
            left = offset * (2 * t + 1) - 1
            x = s[left]
            s[left] = s[left + offset]
            s[left + offset] += x
        pairs *= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@right("exchanged_in_one_line")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t, first = cuda.threadIdx.x, cuda.blockIdx.x * THREADS
    for k in range(t, THREADS, THREADS):
        s[k] = src[first + k] if first + k < src.size else float32(0)
    for level in range(8):
        cuda.syncthreads()
        d = 1 << level
        if t < 128 >> level:
            k = (2 * t + 2) * d - 1
            s[k] = s[k - d] + s[k]
    cuda.syncthreads()
    if t == THREADS - 1:
        s[t] = float32(0)
    for level in range(7, -1, -1):
        cuda.syncthreads()
        d = 1 << level
        if t < 128 >> level:
            k = (2 * t + 2) * d - 1
            s[k - d], s[k] = s[k], s[k] + s[k - d]
    cuda.syncthreads()
    if first + t < dst.size:
        dst[first + t] = s[t]


@right("own_cell_in_a_register")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    mine = src[i] if i < src.size else float32(0)
    s[t] = mine
    step = 2
    while step <= THREADS:
        cuda.syncthreads()
        if (t + 1) % step == 0:
            mine = mine + s[t - step // 2]
            s[t] = mine
        step *= 2
    cuda.syncthreads()
    if t == THREADS - 1:
        s[t] = float32(0)
    step = THREADS
    while step > 1:
        cuda.syncthreads()
        if (t + 1) % step == 0:
            left, above = s[t - step // 2], s[t]
            s[t - step // 2] = above
            s[t] = above + left
        step //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@right("first_threads_work")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = float32(0)
    if i < src.size:
        s[t] = src[i]
    for k in range(7):  # the root itself is not needed
        cuda.syncthreads()
        at = ((t + 1) << (k + 1)) - 1
        if at < THREADS:
            s[at] += s[at - (1 << k)]
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    for k in range(7, -1, -1):
        cuda.syncthreads()
        at = ((t + 1) << (k + 1)) - 1
        if at < THREADS:
            x = s[at - (1 << k)]
            s[at - (1 << k)] = s[at]
            s[at] = s[at] + x
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@wrong("root_not_cleared", misconception="root_not_cleared", says="the block's own sum")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x = s[k - d]
            s[k - d] = s[k]
            s[k] += x
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@wrong("no_barrier_on_the_way_up", misconception="missing_barrier", says="s[k")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x = s[k - d]
            s[k - d] = s[k]
            s[k] += x
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@wrong("root_cleared_too_early", misconception="missing_barrier", says="s[")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    if t == THREADS - 1:
        s[THREADS - 1] = float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x = s[k - d]
            s[k - d] = s[k]
            s[k] += x
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]


@wrong("own_element_included", misconception="inclusive_or_exclusive", says="own element is included")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    own = src[i] if i < src.size else float32(0)
    s[t] = own
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            x = s[k - d]
            s[k - d] = s[k]
            s[k] += x
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t] + own


@wrong("the_steps_of_rung_1", misconception="adds_in_every_turn", says="255 additions")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()
        if t >= d:
            s[t] += x
        d *= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t - 1] if t > 0 else float32(0)


@wrong("left_overwritten", misconception="children_exchanged", says="keep it in a variable first")
@cuda.jit
def scan_blelloch(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k] += s[k - d]
        d *= 2
    cuda.syncthreads()
    if t == 0:
        s[THREADS - 1] = float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        k = 2 * d * (t + 1) - 1
        if k < THREADS:
            s[k - d] = s[k]
            s[k] += s[k - d]
        d //= 2
    cuda.syncthreads()
    if i < dst.size:
        dst[i] = s[t]
