"""Answers to convolution.conv_winograd."""

from numba import cuda, float32, float64

from autograder.exercises.catalogue import right, wrong


@cuda.jit(device=True)
def element(src, image, channel, row, col):
    if image < src.shape[0] and channel < src.shape[1]:
        if row >= 0 and row < src.shape[2] and col >= 0 and col < src.shape[3]:
            return src[image, channel, row, col]
    return float32(0)


@cuda.jit(device=True)
def put_two(dst, image, out, row, col, left, right):
    if row < dst.shape[2]:
        dst[image, out, row, col] = left
        if col + 1 < dst.shape[3]:
            dst[image, out, row, col + 1] = right


@cuda.jit(device=True)
def spread(a, b, c, d):
    return a - c, b + c, c - b, b - d


@cuda.jit(device=True)
def collect(a, b, c, d):
    return a + b + c, b - c - d


@cuda.jit(device=True)
def spread_other_sign(a, b, c, d):
    return a - c, b + c, c - b, d - b


@cuda.jit(device=True)
def collect_plus(a, b, c, d):
    return a + b + c, b - c + d


@right("columns_before_rows")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for j in range(4):
            a, b = element(src, image, channel, row - 1, col - 1 + j), element(src, image, channel, row, col - 1 + j)
            c, d = (
                element(src, image, channel, row + 1, col - 1 + j),
                element(src, image, channel, row + 2, col - 1 + j),
            )
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(a, b, c, d)
        for i in range(4):
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(v[i, 0], v[i, 1], v[i, 2], v[i, 3])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@right("transforms_written_out")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            a, b, c, d = v[0, j], v[1, j], v[2, j], v[3, j]
            v[0, j] = a - c
            v[1, j] = b + c
            v[2, j] = c - b
            v[3, j] = b - d
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@right("elements_in_an_array_of_their_own")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    d = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            for j in range(4):
                d[i, j] = element(src, image, channel, row - 1 + i, col - 1 + j)
        for i in range(4):
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(d[i, 0], d[i, 1], d[i, 2], d[i, 3])
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@right("the_other_signs")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread_other_sign(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread_other_sign(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect_plus(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect_plus(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@right("guard_around_all")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    inside = row < dst.shape[2] and col < dst.shape[3]
    if inside:
        for channel in range(src.shape[1]):
            for i in range(4):
                a, b = (
                    element(src, image, channel, row - 1 + i, col - 1),
                    element(src, image, channel, row - 1 + i, col),
                )
                c, d = (
                    element(src, image, channel, row - 1 + i, col + 1),
                    element(src, image, channel, row - 1 + i, col + 2),
                )
                v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
            for j in range(4):
                v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
            for f in range(4):
                for i in range(4):
                    for j in range(4):
                        m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
        for f in range(4):
            for j in range(4):
                m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
            for i in range(2):
                left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
                put_two(dst, image, out0 + f, row + i, col, left, right)


@right("stores_guarded_one_by_one")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            if row + i < dst.shape[2]:
                dst[image, out0 + f, row + i, col] = left
            if row + i < dst.shape[2] and col + 1 < dst.shape[3]:
                dst[image, out0 + f, row + i, col + 1] = right


@wrong("begins_at_the_outputs", misconception="not_centred", says="begin at the outputs' own place")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row + i, col), element(src, image, channel, row + i, col + 1)
            c, d = element(src, image, channel, row + i, col + 2), element(src, image, channel, row + i, col + 3)
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("no_pass_down_the_columns", misconception="one_pass", says="the pass down the columns is missing")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("fourth_of_spread_turned", misconception="wrong_sign", says="the fourth product has the other sign")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread_other_sign(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread_other_sign(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("d_of_collect_added", misconception="wrong_sign", says="the fourth product has the other sign")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect_plus(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect_plus(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("u_transposed", misconception="swapped_axes", says="exchanged")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, j, i] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("sums_begin_anew", misconception="sum_begins_anew", says="last channel")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] = float32(0)
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("group_left_out", misconception="group_left_out", says="has the weights of the first")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("first_image_for_all", misconception="first_image_only", says="every image has the result of the first")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, 0, channel, row - 1 + i, col - 1), element(src, 0, channel, row - 1 + i, col)
            c, d = element(src, 0, channel, row - 1 + i, col + 1), element(src, 0, channel, row - 1 + i, col + 2)
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("last_odd_row_and_column_left_out", misconception="missing_tail", says="never written")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row + 1 >= dst.shape[2] or col + 1 >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("second_output_unguarded", misconception="off_by_one", says="outside")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            if row + i < dst.shape[2]:
                dst[image, out0 + f, row + i, col] = left
                dst[image, out0 + f, row + i, col + 1] = right


@wrong("spreads_for_every_output_channel", misconception="too_much_arithmetic", says="32 additions")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for f in range(4):
            for i in range(4):
                a, b = (
                    element(src, image, channel, row - 1 + i, col - 1),
                    element(src, image, channel, row - 1 + i, col),
                )
                c, d = (
                    element(src, image, channel, row - 1 + i, col + 1),
                    element(src, image, channel, row - 1 + i, col + 2),
                )
                v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
            for j in range(4):
                v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("double_precision", misconception="float64_arithmetic", says="float64")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float64)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(src.shape[1]):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)


@wrong("thirty_two_channels_at_most", misconception="fitted_to_cases", says="n_in")
@cuda.jit
def conv_winograd(src, u, dst):
    v = cuda.local.array((4, 4), float32)
    m = cuda.local.array((4, 4, 4), float32)
    for f in range(4):
        for i in range(4):
            for j in range(4):
                m[f, i, j] = float32(0)
    x, y, z = cuda.grid(3)
    groups = dst.shape[1] // 4
    image, out0 = z // groups, 4 * (z % groups)
    row, col = 2 * y, 2 * x
    if row >= dst.shape[2] or col >= dst.shape[3]:
        return
    for channel in range(min(src.shape[1], 32)):
        for i in range(4):
            a, b = element(src, image, channel, row - 1 + i, col - 1), element(src, image, channel, row - 1 + i, col)
            c, d = (
                element(src, image, channel, row - 1 + i, col + 1),
                element(src, image, channel, row - 1 + i, col + 2),
            )
            v[i, 0], v[i, 1], v[i, 2], v[i, 3] = spread(a, b, c, d)
        for j in range(4):
            v[0, j], v[1, j], v[2, j], v[3, j] = spread(v[0, j], v[1, j], v[2, j], v[3, j])
        for f in range(4):
            for i in range(4):
                for j in range(4):
                    m[f, i, j] += u[out0 + f, channel, i, j] * v[i, j]
    for f in range(4):
        for j in range(4):
            m[f, 0, j], m[f, 1, j] = collect(m[f, 0, j], m[f, 1, j], m[f, 2, j], m[f, 3, j])
        for i in range(2):
            left, right = collect(m[f, i, 0], m[f, i, 1], m[f, i, 2], m[f, i, 3])
            put_two(dst, image, out0 + f, row + i, col, left, right)
