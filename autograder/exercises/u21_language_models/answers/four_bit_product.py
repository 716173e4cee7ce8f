"""Answers to language_models.four_bit_product."""

from numba import cuda, float32, int32, uint32

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import halves, load16

WARP = 32
FULL_WARP = 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def warp_sum(x):
    d = 16
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
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
def step(word, k):
    return float32(int32((word >> uint32(4 * k)) & uint32(15)) - int32(8))


@cuda.jit(device=True, forceinline=True)
def steps8(word, x):
    low = step(word, 0) * x[0] + step(word, 1) * x[1] + step(word, 2) * x[2] + step(word, 3) * x[3]
    return low + step(word, 4) * x[4] + step(word, 5) * x[5] + step(word, 6) * x[6] + step(word, 7) * x[7]


@cuda.jit(device=True, forceinline=True)
def whole8(word, x, acc):
    for k in range(8):
        acc += float32((word >> uint32(4 * k)) & uint32(15)) * x[k]
    return acc


@cuda.jit(device=True, forceinline=True)
def sum8(x):
    return x[0] + x[1] + x[2] + x[3] + x[4] + x[5] + x[6] + x[7]


@right("the_middle_taken_off_at_the_end")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane, first = cuda.threadIdx.x % WARP, cuda.grid(1) // WARP * 2
    if first >= y.size:
        return
    for r in range(2):
        acc[r] = 0
    for g in range(lane, scales.shape[1], WARP):
        a, b, c, d = eight(x, 32 * g), eight(x, 32 * g + 8), eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        middle = float32(8) * (sum8(a) + sum8(b) + sum8(c) + sum8(d))
        for r in range(2):
            w = load16(packed, (first + r, 16 * g))
            part = whole8(w[3], d, whole8(w[2], c, whole8(w[1], b, whole8(w[0], a, float32(0)))))
            acc[r] += float32(scales[first + r, g]) * (part - middle)
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == r:
            y[first + r] = total


@cuda.jit(device=True, forceinline=True)
def group32(packed, scales, row, g, x0, x1, x2, x3):
    w = load16(packed, (row, 16 * g))
    return float32(scales[row, g]) * (steps8(w[0], x0) + steps8(w[1], x1) + steps8(w[2], x2) + steps8(w[3], x3))


@right("two_names_in_place_of_an_array")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    lane, row = cuda.threadIdx.x % WARP, 2 * (cuda.grid(1) // WARP)
    if row >= packed.shape[0]:
        return
    a, b = float32(0), float32(0)
    g = lane
    while g < scales.shape[1]:
        x0, x1, x2, x3 = eight(x, 32 * g), eight(x, 32 * g + 8), eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        a += group32(packed, scales, row, g, x0, x1, x2, x3)
        b += group32(packed, scales, row + 1, g, x0, x1, x2, x3)
        g += WARP
    a, b = warp_sum(a), warp_sum(b)
    if lane == 0:
        y[row], y[row + 1] = a, b


@cuda.jit(device=True, forceinline=True)
def shifted8(word, x):
    acc = float32(0)
    for k in range(8):
        acc += float32(int32(word & uint32(15)) - 8) * x[k]
        word >>= uint32(4)
    return acc


@right("scales_on_x_words_one_by_one")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane, first = cuda.laneid, 8 * cuda.blockIdx.x + 2 * (cuda.threadIdx.x // 32)
    if first < packed.shape[0]:
        for r in range(2):
            acc[r] = float32(0)
        for g in range(lane, scales.shape[1], 32):
            x0, x1, x2, x3 = eight(x, 32 * g), eight(x, 32 * g + 8), eight(x, 32 * g + 16), eight(x, 32 * g + 24)
            for r in range(2):
                w0, w1, w2, w3 = load16(packed, (first + r, 16 * g))
                scale = float32(scales[first + r, g])
                acc[r] += scale * (shifted8(w0, x0) + shifted8(w1, x1))
                acc[r] += scale * (shifted8(w2, x2) + shifted8(w3, x3))
        for r in range(2):
            total = warp_sum(acc[r])
            if lane == 0:
                y[first + r] = total


@cuda.jit(device=True, forceinline=True)
def unmoved8(word, x):
    acc = float32(0)
    for k in range(8):
        acc += float32((word >> uint32(4 * k)) & uint32(15)) * x[k]
    return acc


@wrong("steps_as_they_are", misconception="middle_forgotten", says="8 stands for 0")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = unmoved8(words[0], x0) + unmoved8(words[1], x1) + unmoved8(words[2], x2) + unmoved8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@cuda.jit(device=True, forceinline=True)
def signed8(word, x):
    acc = float32(0)
    for k in range(8):
        step_ = int32((word >> uint32(4 * k)) & uint32(15))
        if step_ > 7:
            step_ -= int32(16)
        acc += float32(step_) * x[k]
    return acc


@wrong("twos_complement", misconception="signed_steps", says="two's complement")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = signed8(words[0], x0) + signed8(words[1], x1) + signed8(words[2], x2) + signed8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@cuda.jit(device=True, forceinline=True)
def swapped8(word, x):
    acc = float32(0)
    for k in range(8):
        acc += step(word, k ^ 1) * x[k]
    return acc


@wrong("upper_half_first", misconception="halves_swapped", says="exchanged")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = swapped8(words[0], x0) + swapped8(words[1], x1) + swapped8(words[2], x2) + swapped8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("no_scale", misconception="no_scale", says="scales are missing")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("scale_of_group_0", misconception="first_scale_only", says="the scale of its first")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first + r, 0]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("scale_of_the_first_row", misconception="scales_of_first_row", says="first of its two")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("one_group_per_lane", misconception="missing_tail", says="first 32 groups")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, min(n_groups, WARP), WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("weights_of_the_first_row", misconception="first_of_two", says="the result of the first")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("lane_0_alone", misconception="lanes_not_combined", says="the other 31")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = acc[r]
        if lane == 0:
            y[first + r] = total


@wrong("same_x_for_four_words", misconception="same_x", says="first eight numbers of its x")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0 = eight(x, 32 * g)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x0) + steps8(words[2], x0) + steps8(words[3], x0)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total


@wrong("x_loaded_for_each_row", misconception="x_for_every_row", says="once for two rows")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    if first >= packed.shape[0]:
        return
    for row in range(first, first + 2):
        acc = float32(0)
        for g in range(lane, n_groups, WARP):
            words = load16(packed, (row, 16 * g))
            part = steps8(words[0], eight(x, 32 * g)) + steps8(words[1], eight(x, 32 * g + 8))
            part += steps8(words[2], eight(x, 32 * g + 16)) + steps8(words[3], eight(x, 32 * g + 24))
            acc += float32(scales[row, g]) * part
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def four_bit_product(packed, scales, x, y):
    acc = cuda.local.array(2, float32)
    lane = cuda.threadIdx.x % WARP
    first, n_groups = 2 * (cuda.grid(1) // WARP), scales.shape[1]
    for r in range(2):
        acc[r] = float32(0)
    for g in range(lane, n_groups, WARP):
        x0, x1 = eight(x, 32 * g), eight(x, 32 * g + 8)
        x2, x3 = eight(x, 32 * g + 16), eight(x, 32 * g + 24)
        for r in range(2):
            words = load16(packed, (first + r, 16 * g))
            part = steps8(words[0], x0) + steps8(words[1], x1) + steps8(words[2], x2) + steps8(words[3], x3)
            acc[r] += float32(scales[first + r, g]) * part
    for r in range(2):
        total = warp_sum(acc[r])
        if lane == 0:
            y[first + r] = total
