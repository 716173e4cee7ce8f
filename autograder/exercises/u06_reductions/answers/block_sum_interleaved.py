"""Answers to reductions.block_sum_interleaved."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@right("remainder")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < cuda.blockDim.x:
        if t % (2 * d) == 0:
            s[t] += s[t + d]
        cuda.syncthreads()
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@right("fill_in_two_branches")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(shape=THREADS, dtype=float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    if i < src.shape[0]:
        s[t] = src[i]
    else:
        s[t] = float32(0)
    for turn in range(8):
        cuda.syncthreads()
        d = 1 << turn
        k = t << (turn + 1)
        if k + d < THREADS:
            s[k] = s[k] + s[k + d]
    cuda.syncthreads()
    if t == THREADS - 1:
        partial[cuda.blockIdx.x] = s[0]


@wrong("barrier_inside_the_if", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
            cuda.syncthreads()
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_barrier_between_turns", misconception="missing_barrier", says="s[k] += s[k + d]")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = 1
    while d < THREADS:
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_barrier_after_the_fill", misconception="missing_barrier", says="Race")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        cuda.syncthreads()
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("tail_not_filled", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < src.size:
        s[t] = src[i]
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("spare_threads_leave", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= src.size:
        return
    s[t] = src[i]
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = src[cuda.grid(1)]
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("thread_index_only", misconception="only_first_block", says="first block")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = src[t] if t < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("first_turn_skipped", misconception="last_pair", says="odd places")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 2
    while d < THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("stops_a_turn_early", misconception="first_turn", says="lower half")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS // 2:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("one_turn_too_many", misconception="off_by_one", says="outside")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d <= THREADS:
        cuda.syncthreads()
        k = 2 * d * t
        if k < THREADS:
            s[k] += s[k + d]
        d *= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@wrong("shape_from_block_dim", misconception="shared_shape", says="constant")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(cuda.blockDim.x, float32)
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


@style("for_powers")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = 0
    if i < src.size:
        s[t] = src[i]
    for p in range(8):
        d = 1 << p
        cuda.syncthreads()
        if 2 * d * t + d < THREADS:
            s[2 * d * t] = s[2 * d * t] + s[2 * d * t + d]
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]


@style("tuple_loop")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(256, dtype=float32)
    t = cuda.threadIdx.x
    i = t + cuda.blockIdx.x * cuda.blockDim.x
    if i < src.size:
        s[t] = src[i]
    else:
        s[t] = 0.0
    cuda.syncthreads()
    for d in (1, 2, 4, 8, 16, 32, 64, 128):
        left = t * 2 * d
        right = left + d
        if right < 256:
            s[left] += s[right]
        cuda.syncthreads()
    if not t:
        partial[cuda.blockIdx.x] = s[0]


@wrong("atomic_in_shared_memory", misconception="atomics_for_a_tree", says="one after the other")
@cuda.jit
def block_sum_interleaved(src, partial):
    s = cuda.shared.array(1, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t == 0:
        s[0] = 0
    cuda.syncthreads()
    if i < src.size:
        cuda.atomic.add(s, 0, src[i])
    cuda.syncthreads()
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
