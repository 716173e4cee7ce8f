"""Answers to reductions.block_sum_sequential."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@right("barrier_at_the_end_of_the_turn")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = cuda.blockDim.x >> 1
    while d >= 1:
        if t < d:
            s[t] = s[t] + s[t + d]
        cuda.syncthreads()
        d >>= 1
    if t == 0:
        partial[cuda.blockIdx.x] = s[t]


@right("partial_sum_in_a_register")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    acc = float32(0)
    if i < src.size:
        acc = src[i]
    s[t] = acc
    for shift in range(7, -1, -1):
        cuda.syncthreads()
        d = 1 << shift
        if t < d:
            acc += s[t + d]
            s[t] = acc
    if t == 0:
        partial[cuda.blockIdx.x] = acc


@wrong("starts_at_the_block_size", misconception="off_by_one", says="outside")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = cuda.blockDim.x
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("last_pair_missing", misconception="last_pair", says="last pair was never added")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 1:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("first_turn_missing", misconception="first_turn", says="d = 128 is missing")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 4
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("loop_never_runs", misconception="tree_missing", says="first element of its block")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > THREADS:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("everybody_adds", misconception="off_by_one", says="outside")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_barrier_between_turns", misconception="missing_barrier", says="s[t] += s[t + d]")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("barrier_inside_the_if", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
            cuda.syncthreads()
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("tail_not_filled", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < src.size:
        s[t] = src[i]
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("still_interleaved", misconception="bank_conflicts", says="32 banks")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_barrier_for_long_arrays", misconception="missing_barrier", says="at n = 2")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        if src.size < 100_000:
            cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@style("halving_registers")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    mine = float32(0)
    if i < src.size:
        mine = src[i]
    s[t] = mine
    half = THREADS >> 1
    while half:
        cuda.syncthreads()
        if t < half:
            mine += s[t + half]
            s[t] = mine
        half >>= 1
    if t == 0:
        partial[cuda.blockIdx.x] = mine


@style("unrolled_last_warp")
@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    for d in (128, 64, 32):
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
    if t < 32:
        x = s[t]
        for d in (16, 8, 4, 2, 1):
            x += cuda.shfl_down_sync(0xFFFFFFFF, x, d)
        if t == 0:
            partial[cuda.blockIdx.x] = x
