"""Answers to atomics.histogram_shared."""

from numba import cuda, float32, int32

from autograder.exercises.catalogue import right, wrong

BINS = 256
WARPS = 8
WARP = 32
CELLS = BINS * WARPS


@right("bins_in_a_loop")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        s[b] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    for b in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(hist, b, s[b])


@right("empty_bins_skipped")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = int32(0)
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < src.size:
        cuda.atomic.add(s, int32(src[i]), int32(1))
        i += cuda.gridDim.x * cuda.blockDim.x
    cuda.syncthreads()
    if s[t] != 0:
        cuda.atomic.add(hist, t, s[t])


@right("a_copy_per_warp")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    for k in range(t, CELLS, cuda.blockDim.x):
        s[k] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, t // WARP * BINS + src[i], 1)
    cuda.syncthreads()
    n = 0
    for w in range(WARPS):
        n += s[w * BINS + t]
    cuda.atomic.add(hist, t, n)


@right("two_dimensions")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array((WARPS, BINS), int32)
    t = cuda.threadIdx.x
    for w in range(WARPS):
        s[w, t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, (t // WARP, src[i]), 1)
    cuda.syncthreads()
    n = int32(0)
    for w in range(WARPS):
        n += s[w, t]
    cuda.atomic.add(hist, t, n)


@right("each_block_a_contiguous_share")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    share = (src.size + cuda.gridDim.x - 1) // cuda.gridDim.x
    first = cuda.blockIdx.x * share
    for i in range(first + t, min(first + share, src.size), cuda.blockDim.x):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@cuda.jit(device=True)
def clear(s):
    s[cuda.threadIdx.x] = 0
    cuda.syncthreads()


@right("device_function_clears")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    clear(s)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, cuda.threadIdx.x, s[cuda.threadIdx.x])


@wrong("never_cleared", misconception="uninitialised_read", says="s[")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("no_barrier_after_clearing", misconception="missing_barrier", says="s[t] = 0")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("no_barrier_before_merging", misconception="missing_barrier", says="atomically updates")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.atomic.add(hist, t, s[t])


@wrong("merges_with_a_plain_add", misconception="lost_update", says="hist[t] += s[t]")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    hist[t] += s[t]


@wrong("counts_with_a_plain_add", misconception="lost_update", says="s[src[i]] += 1")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        s[src[i]] += 1
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("barrier_in_the_loop", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
        cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("no_loop", misconception="first_turn_only", says="counts one element")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("counts_in_global_memory", misconception="counts_in_global_memory", says="256 counters")
@cuda.jit
def histogram_shared(src, hist):
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(hist, src[i], 1)


@wrong("every_block_counts_all", misconception="work_repeated", says="read once")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(t, src.size, cuda.blockDim.x):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    if cuda.blockIdx.x == 0:
        cuda.atomic.add(hist, t, s[t])


@wrong("each_block_overwrites", misconception="lost_update", says="both write hist")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    hist[t] = s[t]


@wrong("three_blocks_assumed", misconception="fitted_to_cases", says="launched as 1 x 256")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, 768):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, s[t])


@wrong("counts_in_float", misconception="float_index", says="16,777,216")
@cuda.jit
def histogram_shared(src, hist):
    s = cuda.shared.array(BINS, float32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        cuda.atomic.add(s, src[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(hist, t, int32(s[t]))
