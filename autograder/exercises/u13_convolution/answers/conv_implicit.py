"""Answers to convolution.conv_implicit."""

from numba import cuda, float32, float64

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def element(src, image, channel, row, col):
    if image < src.shape[0] and channel < src.shape[1]:
        if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
            return src[image, channel, row, col]
    return float32(0)


@cuda.jit(device=True)
def weight(weights, out, channel, w):
    if out < weights.shape[0] and channel < weights.shape[1]:
        return weights[out, channel, w // 3, w % 3]
    return float32(0)


@cuda.jit(device=True)
def put(dst, out, p, value):
    n_images, n_out, n_rows, n_cols = dst.shape
    if out < n_out and p < n_images * n_rows * n_cols:
        dst[p // (n_rows * n_cols), out, p // n_cols % n_rows, p % n_cols] = value


@cuda.jit(device=True)
def column(src, k, p):
    n_rows, n_cols = src.shape[2], src.shape[3]
    row, col = p // n_cols % n_rows + k % 9 // 3 - 1, p % n_cols + k % 3 - 1
    return element(src, p // (n_rows * n_cols), k // 9, row, col)


@right("a_device_function_for_the_column")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = column(src, k, p0 + t % 64)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@right("two_loops_fill_two_tiles")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for e in range(t, 1024, 256):
            k = k0 + e % 16
            tile_w[e // 16, e % 16] = weight(weights, out0 + e // 16, k // 9, k % 9)
        for e in range(t, 1024, 256):
            k = k0 + e // 64
            tile_x[e // 64, e % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@right("barrier_first")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        cuda.syncthreads()
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@right("while_over_tiles")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    k0 = 0
    while k0 < 9 * weights.shape[1]:
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
        k0 += 16
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@right("counts_tiles")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for number in range((9 * src.shape[1] + 15) // 16):
        k0 = 16 * number
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@right("channel_and_weight_with_names")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            depth = t // 64 + 4 * i
            channel = (k0 + depth) // 9
            w = k0 + depth - 9 * channel
            a = w // 3
            b = w - 3 * a
            tile_x[depth, t % 64] = element(src, image, channel, row + a - 1, col + b - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("no_barrier_before_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("no_barrier_after_reading", misconception="missing_barrier", says="syncthreads")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("only_the_first_tile", misconception="first_tile_only", says="only the first 16 rows")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 16, 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("whole_tiles_only", misconception="last_tile_missing", says="fill no whole tile")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1] // 16 * 16, 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("as_many_turns_as_channels", misconception="first_tile_only", says="only the first 16 rows")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("begins_at_its_own_place", misconception="not_centred", says="begins at the output's own place")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3, col + k % 3)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("rows_and_columns_exchanged", misconception="swapped_axes", says="exchanged")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 3 - 1, col + k % 9 // 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("weights_turned_round", misconception="weights_turned", says="the weights are flipped")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, 8 - k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("first_image_for_all", misconception="first_image_only", says="every image has the result of the first")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    row, col = p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, 0, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("keeps_the_last_product", misconception="last_product", says="last product")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] = x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("loads_for_every_product", misconception="too_many_shared_loads", says="half a load per product")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                for j in range(4):
                    acc[i, j] += tile_w[ty + 16 * i, k] * tile_x[k, tx + 16 * j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("barrier_for_those_with_a_place", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float32)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    if p < dst.shape[0] * n_rows * n_cols:
        for k0 in range(0, 9 * src.shape[1], 16):
            for i in range(4):
                k = k0 + tx
                tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
                k = k0 + t // 64 + 4 * i
                tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
            cuda.syncthreads()
            for k in range(16):
                for i in range(4):
                    x[i] = tile_w[ty + 16 * i, k]
                    y[i] = tile_x[k, tx + 16 * i]
                for i in range(4):
                    for j in range(4):
                        acc[i, j] += x[i] * y[j]
            cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def conv_implicit(src, weights, dst):
    tile_w = cuda.shared.array((64, 16), float32)
    tile_x = cuda.shared.array((16, 64), float32)
    acc = cuda.local.array((4, 4), float64)
    x, y = cuda.local.array(4, float32), cuda.local.array(4, float32)
    for i in range(4):
        for j in range(4):
            acc[i, j] = float32(0)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    t = 16 * ty + tx
    n_rows, n_cols = dst.shape[2], dst.shape[3]
    out0, p0 = 64 * cuda.blockIdx.y, 64 * cuda.blockIdx.x
    p = p0 + t % 64
    image, row, col = p // (n_rows * n_cols), p // n_cols % n_rows, p % n_cols
    for k0 in range(0, 9 * src.shape[1], 16):
        for i in range(4):
            k = k0 + tx
            tile_w[ty + 16 * i, tx] = weight(weights, out0 + ty + 16 * i, k // 9, k % 9)
            k = k0 + t // 64 + 4 * i
            tile_x[t // 64 + 4 * i, t % 64] = element(src, image, k // 9, row + k % 9 // 3 - 1, col + k % 3 - 1)
        cuda.syncthreads()
        for k in range(16):
            for i in range(4):
                x[i] = tile_w[ty + 16 * i, k]
                y[i] = tile_x[k, tx + 16 * i]
            for i in range(4):
                for j in range(4):
                    acc[i, j] += x[i] * y[j]
        cuda.syncthreads()
    for i in range(4):
        for j in range(4):
            put(dst, out0 + ty + 16 * i, p0 + tx + 16 * j, acc[i, j])
