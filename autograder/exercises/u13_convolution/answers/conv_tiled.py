"""Answers to convolution.conv_tiled."""

from numba import cuda, float32, float64

from autograder.exercises.catalogue import right, wrong

TILE_X, TILE_Y = 32, 8
SPAN_X, SPAN_Y = 34, 10
FILTERS = 8


@cuda.jit(device=True)
def element(src, image, channel, row, col):
    if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
        return src[image, channel, row, col]
    return float32(0)


@cuda.jit(device=True)
def weight(weights, out, channel, w):
    if out < weights.shape[0]:
        return weights[out, channel, w // 3, w % 3]
    return float32(0)


@right("two_loops_over_rows_and_columns")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for r in range(ty, SPAN_Y, 8):
            for c in range(tx, SPAN_X, 32):
                tile[r, c] = element(src, image, channel, row0 + r - 1, col0 + c - 1)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@right("barrier_first")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        cuda.syncthreads()
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@right("guard_written_out")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, 340, 256):
            r = row0 - 1 + e // 34
            c = col0 - 1 + e % 34
            if r < 0 or c < 0 or r >= n_rows or c >= n_cols:
                tile[e // 34, e % 34] = float32(0)
            else:
                tile[e // 34, e % 34] = src[image, channel, r, c]
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@right("flat_tile_and_nested_weights")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array(340, float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        e = t
        while e < 340:
            tile[e] = element(src, image, channel, row0 + e // 34 - 1, col0 + e % 34 - 1)
            e += 256
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for a in range(3):
            for b in range(3):
                x = tile[34 * (ty + a) + tx + b]
                for f in range(FILTERS):
                    acc[f] += x * taps[f, 3 * a + b]
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@right("weights_turned_to_nine_rows")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((9, FILTERS), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 72:
            taps[t // 8, t % 8] = weight(weights, out0 + t % 8, channel, t // 8)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[w, f] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@right("two_buffers_of_tiles")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((2, SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((2, FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[channel % 2, r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[channel % 2, t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[channel % 2, ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[channel % 2, f, w] * x
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("no_barrier_before_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("no_barrier_after_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("each_thread_one_cell", misconception="uninitialised_read", says="nobody")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        if t < SPAN_Y * SPAN_X:
            r, c = t // SPAN_X, t % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("halo_of_zeros", misconception="missing_halo", says="what its neighbours own was never loaded")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X - 1, e % SPAN_X - 1
            if r >= 0 and r < 8 and c >= 0 and c < 32:
                tile[r + 1, c + 1] = element(src, image, channel, row0 + r, col0 + c)
            else:
                tile[r + 1, c + 1] = float32(0)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("tile_begins_at_the_outputs", misconception="not_centred", says="begins at the output's own place")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 + r, col0 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("group_left_out", misconception="group_left_out", says="has the weights of the first")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("sums_begin_anew", misconception="sum_begins_anew", says="last channel")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for f in range(FILTERS):
            acc[f] = float32(0)
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("weights_turned_round", misconception="weights_turned", says="the weights are flipped")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, 8 - w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("rows_and_columns_of_weights", misconception="swapped_axes", says="exchanged")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w % 3, tx + w // 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("no_guard_of_channels", misconception="off_by_one", says="outside")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong(
    "element_loaded_for_every_channel", misconception="too_many_shared_loads", says="an element of the tile serves 8"
)
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for f in range(FILTERS):
            for w in range(9):
                acc[f] += taps[f, w] * tile[ty + w // 3, tx + w % 3]
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("no_tile", misconception="work_repeated", says="repeat one another")
@cuda.jit
def conv_tiled(src, weights, dst):
    acc = cuda.local.array(FILTERS, float32)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for w in range(9):
            x = element(src, image, channel, row0 + ty + w // 3 - 1, col0 + tx + w % 3 - 1)
            for f in range(FILTERS):
                acc[f] += weight(weights, out0 + f, channel, w) * x
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def conv_tiled(src, weights, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    taps = cuda.shared.array((FILTERS, 9), float32)
    acc = cuda.local.array(FILTERS, float64)
    for f in range(FILTERS):
        acc[f] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 32 * ty + tx
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    groups = (n_out + FILTERS - 1) // FILTERS
    image, out0 = cuda.blockIdx.z // groups, FILTERS * (cuda.blockIdx.z % groups)
    col0, row0 = TILE_X * cuda.blockIdx.x, TILE_Y * cuda.blockIdx.y
    for channel in range(src.shape[1]):
        for e in range(t, SPAN_Y * SPAN_X, 256):
            r, c = e // SPAN_X, e % SPAN_X
            tile[r, c] = element(src, image, channel, row0 - 1 + r, col0 - 1 + c)
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)
        cuda.syncthreads()
        for w in range(9):
            x = tile[ty + w // 3, tx + w % 3]
            for f in range(FILTERS):
                acc[f] += taps[f, w] * x
        cuda.syncthreads()
    row, col = row0 + ty, col0 + tx
    for f in range(FILTERS):
        if out0 + f < n_out and row < n_rows and col < n_cols:
            dst[image, out0 + f, row, col] = acc[f]
