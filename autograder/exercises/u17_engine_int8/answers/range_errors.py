"""Answers to engine_int8.range_errors."""

import math

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def add_up(cells, t):
    d = 64
    while d > 0:
        if t < d:
            cells[t] += cells[t + d]
        cuda.syncthreads()
        d //= 2


@cuda.jit(device=True)
def loss(centre, scale):
    q = min(float32(round(centre / scale)), float32(127))
    return (q * scale - centre) ** 2


@right("shuffles_and_four_cells")
@cuda.jit
def range_errors(counts, width, tried, errors):
    of_warps = cuda.shared.array(4, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, cuda.blockDim.x):
        acc += float32(counts[b]) * loss((float32(b) + float32(0.5)) * width, scale)
    for offset in (16, 8, 4, 2, 1):
        acc += cuda.shfl_down_sync(0xFFFFFFFF, acc, offset)
    if t % 32 == 0:
        of_warps[t // 32] = acc
    cuda.syncthreads()
    if t == 0:
        errors[r] = of_warps[0] + of_warps[1] + of_warps[2] + of_warps[3]


@right("clipped_and_rounded_apart")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t = cuda.threadIdx.x
    limit = tried[cuda.blockIdx.x]
    step = limit / float32(127)
    total = float32(0)
    b = t
    while b < counts.shape[0]:
        x = float32(b) * width + width / float32(2)
        if x > limit:
            e = x - limit
        else:
            e = x - float32(math.floor(x / step + float32(0.5))) * step
        total += e * e * float32(counts[b])
        b += 128
    cells[t] = total
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[cuda.blockIdx.x] = cells[0]


@right("empty_bins_skipped")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    cells[t] = 0
    for b in range(t, counts.size, 128):
        n = counts[b]
        if n > 0:
            cells[t] += float32(n) * loss((float32(b) + float32(0.5)) * width, tried[r] / float32(127))
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@right("atomics_in_shared_memory")
@cuda.jit
def range_errors(counts, width, tried, errors):
    total = cuda.shared.array(1, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    if t == 0:
        total[0] = 0
    cuda.syncthreads()
    scale = tried[r] / float32(127)
    mine = float32(0)
    for b in range(t, counts.size, 128):
        mine += float32(counts[b]) * loss((float32(b) + float32(0.5)) * width, scale)
    cuda.atomic.add(total, 0, mine)
    cuda.syncthreads()
    if t == 0:
        errors[r] = total[0]


@right("steps_as_integers")
@cuda.jit
def range_errors(counts, width, tried, errors):
    s = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(2 * b + 1)) * width / float32(2)
        q = round(centre / scale)
        if q > 127:
            q = 127
        d = float32(q) * scale - centre
        acc += d * d * float32(counts[b])
    s[t] = acc
    cuda.syncthreads()
    if t < 32:
        acc = s[t] + s[t + 32] + s[t + 64] + s[t + 96]
        for offset in (16, 8, 4, 2, 1):
            acc += cuda.shfl_xor_sync(0xFFFFFFFF, acc, offset)
        if t == 0:
            errors[r] = acc


@right("in_steps_of_the_scale")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        steps = (float32(b) + float32(0.5)) * width / scale
        apart = steps - min(float32(round(steps)), float32(127))
        acc += float32(counts[b]) * apart * apart
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0] * scale * scale


@wrong("nothing_is_cut", misconception="never_cut", says="127 steps")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = float32(round(centre / scale)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("int_cuts_off", misconception="truncated", says="cut off and not rounded")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(math.floor(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("range_for_a_scale", misconception="range_as_scale", says="one 127th")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r]
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("steps_minus_magnitudes", misconception="in_steps", says="times the scale")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127))
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("clipping_alone", misconception="clipping_alone", says="what rounding loses")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(centre, float32(127) * scale)
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("edge_in_place_of_middle", misconception="lower_edges", says="take the middle")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = float32(b) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("magnitude_of_the_error", misconception="not_squared", says="their squares")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * abs(stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("every_bin_once", misconception="counts_left_out", says="every bin counts once")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("one_bin_per_thread", misconception="first_turn_only", says="only the first 128 bins")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, min(counts.size, 128), 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("range_of_block_0", misconception="first_range_only", says="the first range")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[0] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("tree_does_not_wait", misconception="missing_barrier", says="Race")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (float32(b) + float32(0.5)) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        centre = (b + 0.5) * width
        stored = min(float32(round(centre / scale)), float32(127)) * scale
        acc += float32(counts[b]) * (stored - centre) * (stored - centre)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]


@wrong("mean_of_the_squares", misconception="mean_in_place_of_sum", says="the sum itself is asked for")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    many = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(127)
    acc, n = float32(0), float32(0)
    for b in range(t, counts.size, 128):
        n += float32(counts[b])
        acc += float32(counts[b]) * loss((float32(b) + float32(0.5)) * width, scale)
    cells[t], many[t] = acc, n
    cuda.syncthreads()
    add_up(cells, t)
    add_up(many, t)
    if t == 0:
        errors[r] = cells[0] / many[0]


@wrong("128_steps", misconception="levels", says="one 128th")
@cuda.jit
def range_errors(counts, width, tried, errors):
    cells = cuda.shared.array(128, float32)
    t, r = cuda.threadIdx.x, cuda.blockIdx.x
    scale = tried[r] / float32(128)
    acc = float32(0)
    for b in range(t, counts.size, 128):
        acc += float32(counts[b]) * loss((float32(b) + float32(0.5)) * width, scale)
    cells[t] = acc
    cuda.syncthreads()
    add_up(cells, t)
    if t == 0:
        errors[r] = cells[0]
