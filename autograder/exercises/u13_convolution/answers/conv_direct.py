"""Answers to convolution.conv_direct."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("early_return")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_images, n_out, n_rows, n_cols = dst.shape
    image, out = plane // n_out, plane % n_out
    if row >= n_rows or col >= n_cols:
        return
    k = weights.shape[3]
    pad = (k - 1) // 2
    acc = float32(0)
    for i in range(weights.shape[1]):
        for a in range(k):
            for b in range(k):
                if 0 <= row + a - pad < n_rows and 0 <= col + b - pad < n_cols:
                    acc += src[image, i, row + a - pad, col + b - pad] * weights[out, i, a, b]
    dst[image, out, row, col] = acc


@right("loops_from_minus_one_to_one")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    image, out = plane // dst.shape[1], plane % dst.shape[1]
    reach = weights.shape[2] // 2
    if row < dst.shape[2] and col < dst.shape[3]:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for down in range(-reach, reach + 1):
                for along in range(-reach, reach + 1):
                    r = row + down
                    c = col + along
                    if r >= 0 and c >= 0 and r < src.shape[2] and c < src.shape[3]:
                        acc += weights[out, channel, down + reach, along + reach] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@cuda.jit(device=True)
def inside(plane, r, c):
    if r < 0 or c < 0 or r >= plane.shape[0] or c >= plane.shape[1]:
        return float32(0)
    return plane[r, c]


@right("zeros_from_a_device_function")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out = dst.shape[1]
    image, out = plane // n_out, plane % n_out
    pad = weights.shape[2] // 2
    if row < dst.shape[2] and col < dst.shape[3]:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(weights.shape[2]):
                for b in range(weights.shape[3]):
                    acc += weights[out, channel, a, b] * inside(src[image, channel], row + a - pad, col + b - pad)
        dst[image, out, row, col] = acc


@right("bounds_of_the_loops_cut")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    pad = k // 2
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(max(0, pad - row), min(k, n_rows + pad - row)):
                for b in range(max(0, pad - col), min(k, n_cols + pad - col)):
                    acc += weights[out, channel, a, b] * src[image, channel, row + a - pad, col + b - pad]
        dst[image, out, row, col] = acc


@right("views_and_one_loop_over_the_weights")
@cuda.jit
def conv_direct(src, weights, dst):
    col = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    row = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    image, out = cuda.blockIdx.z // dst.shape[1], cuda.blockIdx.z % dst.shape[1]
    picture, mine = src[image], weights[out]
    k = weights.shape[3]
    if row < dst.shape[2] and col < dst.shape[3]:
        acc = float32(0)
        for w in range(mine.shape[0] * k * k):
            i, a, b = w // (k * k), w // k % k, w % k
            r, c = row + a - k // 2, col + b - k // 2
            if r >= 0 and r < picture.shape[1] and c >= 0 and c < picture.shape[2]:
                acc += mine[i, a, b] * picture[i, r, c]
        dst[image, out, row, col] = acc


@right("row_guard_outside_the_inner_loop")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    k = weights.shape[2]
    if not (row < n_rows and col < n_cols):
        return
    image = plane // n_out
    out = plane - image * n_out
    acc = float32(0)
    for channel in range(src.shape[1]):
        for a in range(k):
            r = row + a - k // 2
            if r < 0 or r >= n_rows:
                continue
            for b in range(k):
                c = col + b - k // 2
                if c < 0 or c >= n_cols:
                    continue
                acc += weights[out, channel, a, b] * src[image, channel, r, c]
    dst[image, out, row, col] = acc


@wrong("no_padding_guard", misconception="negative_index", says="counts from the end")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    acc += weights[out, channel, a, b] * src[image, channel, row + a - k // 2, col + b - k // 2]
        dst[image, out, row, col] = acc


@wrong("upper_edges_unguarded", misconception="negative_index", says="counts from the end")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r < n_rows and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("begins_at_its_own_place", misconception="not_centred", says="the window begins at the output's own place")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    if row + a < n_rows and col + b < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, row + a, col + b]
        dst[image, out, row, col] = acc


@wrong("nearest_element_repeated", misconception="border", says="past an edge the nearest element counts again")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r = min(max(row + a - k // 2, 0), n_rows - 1)
                    c = min(max(col + b - k // 2, 0), n_cols - 1)
                    acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("weights_turned_round", misconception="weights_turned", says="the weights are flipped")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row - a + k // 2, col - b + k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("axes_exchanged", misconception="swapped_axes", says="exchanged")
@cuda.jit
def conv_direct(src, weights, dst):
    row, col, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("weights_transposed", misconception="swapped_axes", says="exchanged")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, b, a] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("sum_begins_anew", misconception="sum_begins_anew", says="last channel")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        for channel in range(src.shape[1]):
            acc = float32(0)
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
            dst[image, out, row, col] = acc


@wrong("first_image_for_all", misconception="first_image_only", says="every image has the result of the first")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[0, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("three_by_three_assumed", misconception="no_guard", says="outside")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(3):
                for b in range(3):
                    r, c = row + a - 1, col + b - 1
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = weights.shape[2]
    if row < n_rows and col < n_cols:
        acc = 0.0
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc
