"""Answers to engine_runtime.soft_threshold."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("three_cases")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    col, row = cuda.grid(2)
    if row >= dst.shape[0] or col >= dst.shape[1]:
        return
    t = thresholds[row % thresholds.shape[0]]
    if x[row, col] > t:
        dst[row, col] = x[row, col] - t
    elif x[row, col] < -t:
        dst[row, col] = x[row, col] + t
    else:
        dst[row, col] = float32(0)


@right("with_the_sign")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v = x[row, i]
        size = max(abs(v) - thresholds[row % len(thresholds)], float32(0))
        dst[row, i] = -size if v < 0 else size


@right("what_is_cut_off")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        t = thresholds[row % thresholds.size]
        dst[row, i] = x[row, i] - min(max(x[row, i], -t), t)


@right("indices_by_hand")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x
    row = cuda.threadIdx.y + cuda.blockIdx.y * cuda.blockDim.y
    n_rows, n_pixels = x.shape
    if i < n_pixels and row < n_rows:
        channel = row - row // thresholds.size * thresholds.size
        v = x[row, i]
        t = thresholds[channel]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


@right("guards_one_by_one")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0]:
        t = thresholds[row % thresholds.size]
        if i < x.shape[1]:
            above = x[row, i] - t
            below = x[row, i] + t
            v = float32(0)
            if above > 0:
                v = above
            if below < 0:
                v = below
            dst[row, i] = v


@right("strides")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    first, top = cuda.grid(2)
    wide, high = cuda.gridsize(2)
    for row in range(top, x.shape[0], high):
        for i in range(first, x.shape[1], wide):
            v, t = x[row, i], thresholds[row % thresholds.size]
            dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


@wrong("hard", misconception="not_moved", says="it moves towards 0 by the threshold")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = v if abs(v) > t else float32(0)


@wrong("upper_part_alone", misconception="negative_cut", says="below -t there is x + t")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = max(v - t, float32(0))


@wrong("of_the_size", misconception="sign_lost", says="x keeps its sign")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = max(abs(v) - t, float32(0))


@wrong("middle_as_it_is", misconception="middle_kept", says="it becomes 0")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = v - t if v > t else (v + t if v < -t else v)


@wrong("away_from_0", misconception="moved_away", says="subtract the threshold above 0")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = v + t if v > t else (v - t if v < -t else float32(0))


@wrong("one_threshold", misconception="first_for_all", says="has the threshold of channel 0")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[0]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


@wrong("by_image", misconception="image_for_channel", says="that of the row's image")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[min(row // thresholds.size, thresholds.size - 1)]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


@wrong("threshold_per_row", misconception="no_guard", says="thresholds")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0] and i < x.shape[1]:
        v, t = x[row, i], thresholds[row]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))


@wrong("lanes_down_the_rows", misconception="uncoalesced", says="sectors")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    n, m = cuda.blockDim.x, cuda.blockDim.y
    t = cuda.threadIdx.x + n * cuda.threadIdx.y
    i, row = n * cuda.blockIdx.x + t // m, m * cuda.blockIdx.y + t % m
    if row < x.shape[0] and i < x.shape[1]:
        v, limit = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = max(v - limit, float32(0)) + min(v + limit, float32(0))


@wrong("no_guard_for_pixels", misconception="no_guard", says="x.shape[1]")
@cuda.jit
def soft_threshold(x, thresholds, dst):
    i, row = cuda.grid(2)
    if row < x.shape[0]:
        v, t = x[row, i], thresholds[row % thresholds.size]
        dst[row, i] = max(v - t, float32(0)) + min(v + t, float32(0))
