"""Answers to memory_access.convolve."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("early_return")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out >= dst.shape[0] or row >= dst.shape[1] or col >= dst.shape[2]:
        return
    n_in, k = weights.shape[1], weights.shape[2]
    acc = float32(0)
    for i in range(n_in):
        for a in range(k):
            for b in range(k):
                acc += weights[out, i, a, b] * src[i, row + a, col + b]
    dst[out, row, col] = acc


@wrong("block_index_along_z", misconception="fitted_to_cases", says="cuda.blockDim")
@cuda.jit
def convolve(src, weights, dst):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    out = cuda.blockIdx.z
    if row < dst.shape[1] and col < dst.shape[2]:
        mine = weights[out]
        acc = float32(0)
        for a in range(mine.shape[1]):
            for b in range(mine.shape[2]):
                for i in range(mine.shape[0]):
                    acc += src[i, row + a, col + b] * mine[i, a, b]
        dst[out, row, col] = acc


@cuda.jit(device=True)
def of_channel(plane, kernel, row, col):
    acc = float32(0)
    for a in range(kernel.shape[0]):
        for b in range(kernel.shape[1]):
            acc += kernel[a, b] * plane[row + a, col + b]
    return acc


@right("device_function_per_channel")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = of_channel(src[0], weights[out, 0], row, col)
        for i in range(1, src.shape[0]):
            acc += of_channel(src[i], weights[out, i], row, col)
        dst[out, row, col] = acc


@right("while_loops")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        channel = 0
        while channel < src.shape[0]:
            y = 0
            while y < weights.shape[2]:
                x = 0
                while x < weights.shape[3]:
                    acc += weights[out, channel, y, x] * src[channel, row + y, col + x]
                    x += 1
                y += 1
            channel += 1
        dst[out, row, col] = acc


@right("one_loop_over_all_weights")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    k = weights.shape[3]
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for w in range(src.shape[0] * k * k):
            i, a, b = w // (k * k), w // k % k, w % k
            acc += weights[out, i, a, b] * src[i, row + a, col + b]
        dst[out, row, col] = acc


@right("last_weight_first")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape
    if not (out < n_out and row < n_rows and col < n_cols):
        return
    acc = float32(0)
    for i in range(src.shape[0] - 1, -1, -1):
        for a in range(weights.shape[2] - 1, -1, -1):
            for b in range(weights.shape[3] - 1, -1, -1):
                acc += weights[out, i, a, b] * src[i, row + a, col + b]
    dst[out, row, col] = acc


@wrong("axes_exchanged", misconception="swapped_axes", says="cuda.grid gives x first")
@cuda.jit
def convolve(src, weights, dst):
    row, col, out = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape
    if out < n_out and row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("lanes_down_the_rows", misconception="uncoalesced", says="4 or 5")
@cuda.jit
def convolve(src, weights, dst):
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + t % cuda.blockDim.y
    col = cuda.blockIdx.x * cuda.blockDim.x + t // cuda.blockDim.y
    out = cuda.blockIdx.z * cuda.blockDim.z + cuda.threadIdx.z
    if row < dst.shape[1] and col < dst.shape[2] and out < dst.shape[0]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("weights_turned_round", misconception="weights_turned", says="turned round")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    k = weights.shape[2]
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(k):
                for b in range(k):
                    acc += weights[out, channel, k - 1 - a, k - 1 - b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("weights_transposed", misconception="swapped_axes", says="exchanged")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, b, a] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("sum_begins_anew", misconception="sum_begins_anew", says="last channel")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        for channel in range(src.shape[0]):
            acc = float32(0)
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
            dst[out, row, col] = acc


@wrong("first_channel_only", misconception="first_channel_only", says="first channel")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for a in range(weights.shape[2]):
            for b in range(weights.shape[3]):
                acc += weights[out, 0, a, b] * src[0, row + a, col + b]
        dst[out, row, col] = acc


@wrong("three_by_three_assumed", misconception="off_by_one", says="outside")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(3):
                for b in range(3):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("guards_of_the_source", misconception="no_guard", says="outside")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < src.shape[1] and col < src.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("adds_in_memory", misconception="output_accumulates", says="nobody has written it")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    dst[out, row, col] += weights[out, channel, a, b] * src[channel, row + a, col + b]


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = 0.0
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("no_guard_along_z", misconception="no_guard", says="weights[out, channel, a, b]")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
        dst[out, row, col] = acc


@wrong("stores_on_its_way", misconception="stored_again", says="stored once")
@cuda.jit
def convolve(src, weights, dst):
    col, row, out = cuda.grid(3)
    if out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]:
        acc = float32(0)
        for channel in range(src.shape[0]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * src[channel, row + a, col + b]
            dst[out, row, col] = acc
