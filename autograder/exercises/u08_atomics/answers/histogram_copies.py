"""Answers to atomics.histogram_copies."""

from numba import cuda, int32, uint32

from autograder.exercises.catalogue import right, wrong

BINS = 256
WARP = 32
CELLS = BINS * WARP
WIDE = 512


@cuda.jit(device=True)
def clear(s):
    for k in range(cuda.threadIdx.x, CELLS, cuda.blockDim.x):
        s[k] = 0
    cuda.syncthreads()


@cuda.jit(device=True)
def count_word(s, word, lane):
    for b in range(4):
        cuda.atomic.add(s, ((word >> (8 * b)) & 255) * WARP + lane, 1)


@cuda.jit(device=True)
def merge(s, hist, lane):
    cuda.syncthreads()
    t = cuda.threadIdx.x
    if t < BINS:
        n = 0
        for k in range(WARP):
            n += s[t * WARP + ((k + lane) & 31)]
        cuda.atomic.add(hist, t, n)


@right("device_functions")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.laneid
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], lane)
    merge(s, hist, lane)


@right("two_dimensions")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array((BINS, WARP), int32)
    t = cuda.threadIdx.x
    lane = t % WARP
    for b in range(t // WARP, BINS, WIDE // WARP):
        s[b, lane] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < words.size:
        word = words[i]
        while_left = 4
        while while_left > 0:
            cuda.atomic.add(s, (word & 255, lane), 1)
            word = word >> uint32(8)
            while_left -= 1
        i += cuda.gridsize(1)
    cuda.syncthreads()
    if t < BINS:
        n = int32(0)
        for k in range(WARP):
            n += s[t, (lane + k) % WARP]
        cuda.atomic.add(hist, t, n)


@right("a_warp_adds_up_a_bin_with_shuffles")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    lane = t % WARP
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], lane)
    cuda.syncthreads()
    for b in range(t // WARP, BINS, WIDE // WARP):
        n = s[b * WARP + lane]
        d = WARP // 2
        while d > 0:
            n += cuda.shfl_down_sync(0xFFFFFFFF, n, d)
            d //= 2
        if lane == 0:
            cuda.atomic.add(hist, b, n)


@right("two_threads_per_bin")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    lane = t & 31
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], lane)
    cuda.syncthreads()
    n = int32(0)
    for k in range(t // BINS, WARP, 2):
        n += s[t % BINS * WARP + (k + lane) % WARP]
    if t < BINS:
        for k in range(1, WARP, 2):
            n += s[t * WARP + (k + lane) % WARP]
        cuda.atomic.add(hist, t, n)


@right("skips_empty_bins")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    lane = t % WARP
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], lane)
    cuda.syncthreads()
    if t >= BINS:
        return
    n = 0
    for k in range(lane, lane + WARP):
        n += s[WARP * t + k % WARP]
    if n:
        cuda.atomic.add(hist, t, n)


@right("next_word_loaded_early")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.threadIdx.x % WARP
    clear(s)
    step = cuda.gridsize(1)
    i = cuda.grid(1)
    word = words[i] if i < words.size else uint32(0)
    while i < words.size:
        coming = words[i + step] if i + step < words.size else uint32(0)
        count_word(s, word, lane)
        word = coming
        i += step
    merge(s, hist, lane)


@wrong("one_set_of_counters", misconception="lanes_meet", says="32 different cells")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    if t < BINS:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        for b in range(4):
            cuda.atomic.add(s, (words[i] >> (8 * b)) & 255, 1)
    cuda.syncthreads()
    if t < BINS:
        cuda.atomic.add(hist, t, s[t])


@wrong("one_copy_per_warp", misconception="lanes_meet", says="32 different cells")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        word = words[i]
        for b in range(4):
            cuda.atomic.add(s, t // WARP * BINS + ((word >> (8 * b)) & 255), 1)
    cuda.syncthreads()
    if t < BINS:
        n = 0
        for w in range(WIDE // WARP):
            n += s[w * BINS + t]
        cuda.atomic.add(hist, t, n)


@wrong("all_begin_with_copy_0", misconception="bank_conflicts", says="begin with copy l")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], t % WARP)
    cuda.syncthreads()
    if t < BINS:
        n = 0
        for k in range(WARP):
            n += s[t * WARP + k]
        cuda.atomic.add(hist, t, n)


@wrong("a_copy_after_the_other", misconception="bank_conflicts", says="lane l counts in bank l")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        for b in range(4):
            cuda.atomic.add(s, t % WARP * BINS + ((words[i] >> (8 * b)) & 255), 1)
    cuda.syncthreads()
    if t < BINS:
        n = 0
        for k in range(WARP):
            n += s[k * BINS + t]
        cuda.atomic.add(hist, t, n)


@wrong("plain_add_because_lanes_never_meet", misconception="lost_update", says="+= 1")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.threadIdx.x % WARP
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        word = words[i]
        for b in range(4):
            s[((word >> (8 * b)) & 255) * WARP + lane] += 1
    merge(s, hist, lane)


@wrong("lowest_byte_only", misconception="one_byte_per_word", says="lowest byte")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.threadIdx.x % WARP
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        cuda.atomic.add(s, (words[i] & 255) * WARP + lane, 1)
    merge(s, hist, lane)


@wrong("never_shifted", misconception="one_byte_per_word", says="four times")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.threadIdx.x % WARP
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        for _ in range(4):
            cuda.atomic.add(s, (words[i] & 255) * WARP + lane, 1)
    merge(s, hist, lane)


@wrong("clears_256_cells", misconception="uninitialised_read", says="s[")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], t % WARP)
    merge(s, hist, t % WARP)


@wrong("no_barrier_before_merging", misconception="missing_barrier", says="s[")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], t % WARP)
    if t < BINS:
        n = 0
        for k in range(WARP):
            n += s[t * WARP + (k + t) % WARP]
        cuda.atomic.add(hist, t, n)


@wrong("merges_every_cell", misconception="more_atomics_than_bins", says="one atomic")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    t = cuda.threadIdx.x
    clear(s)
    for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
        count_word(s, words[i], t % WARP)
    cuda.syncthreads()
    for k in range(t, CELLS, WIDE):
        if s[k]:
            cuda.atomic.add(hist, k // WARP, s[k])


@wrong("one_word_per_thread", misconception="first_turn_only", says="counts one word")
@cuda.jit
def histogram_copies(words, hist):
    s = cuda.shared.array(CELLS, int32)
    lane = cuda.threadIdx.x % WARP
    clear(s)
    i = cuda.grid(1)
    if i < words.size:
        count_word(s, words[i], lane)
    merge(s, hist, lane)
