"""Answers to vector_add.vector_add_unrolled."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@cuda.jit(device=True)
def pair_at(a, b, i):
    return (a[i], b[i]) if i < a.size else (float32(0), float32(0))


@wrong("a_guard_each_step", misconception="loads_wait", says="waits once")
@cuda.jit
def vector_add_unrolled(a, b, out):
    i = cuda.blockIdx.x * cuda.blockDim.x * 4 + cuda.threadIdx.x
    for _ in range(4):
        if i < out.size:
            out[i] = a[i] + b[i]
        i += cuda.blockDim.x


@wrong("one_element_a_turn", misconception="loads_wait", says="all eight loaded first")
@cuda.jit
def vector_add_unrolled(a, b, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a[i] + b[i]


@right("pairs_in_a_helper")
@cuda.jit
def vector_add_unrolled(a, b, out):
    n, width = out.size, cuda.blockDim.x
    i = 4 * width * cuda.blockIdx.x + cuda.threadIdx.x
    j, k, m = i + width, i + 2 * width, i + 3 * width
    p, q, r, s = pair_at(a, b, i), pair_at(a, b, j), pair_at(a, b, k), pair_at(a, b, m)
    if i < n:
        out[i] = p[0] + p[1]
    if j < n:
        out[j] = q[0] + q[1]
    if k < n:
        out[k] = r[0] + r[1]
    if m < n:
        out[m] = s[0] + s[1]


@right("stride_by_the_grid")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.gridsize(1)
    i = cuda.grid(1)
    if i + 3 * step < out.size:
        s0 = a[i] + b[i]
        s1 = a[i + step] + b[i + step]
        s2 = a[i + 2 * step] + b[i + 2 * step]
        s3 = a[i + 3 * step] + b[i + 3 * step]
        out[i], out[i + step], out[i + 2 * step], out[i + 3 * step] = s0, s1, s2, s3
    else:
        for k in range(i, out.size, step):
            out[k] = a[k] + b[k]


@wrong("four_consecutive", misconception="uncoalesced", says="4 sectors")
@cuda.jit
def vector_add_unrolled(a, b, out):
    start = 4 * cuda.grid(1)
    for i in range(start, min(start + 4, out.size)):
        out[i] = a[i] + b[i]


@wrong("one_element_a_thread", misconception="missing_tail", says="never written")
@cuda.jit
def vector_add_unrolled(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("no_ragged_end", misconception="missing_tail", says="the tail is missing")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.blockDim.x
    i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x
    if i + 3 * step < out.size:
        for k in range(4):
            out[i + k * step] = a[i + k * step] + b[i + k * step]


@wrong("guards_the_first_only", misconception="no_guard", says="outside")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.blockDim.x
    i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]
        out[i + step] = a[i + step] + b[i + step]
        out[i + 2 * step] = a[i + 2 * step] + b[i + 2 * step]
        out[i + 3 * step] = a[i + 3 * step] + b[i + 3 * step]


@wrong("blocks_overlap", misconception="missing_tail", says="never written")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.blockDim.x
    i = cuda.grid(1)
    for k in range(4):
        if i + k * step < out.size:
            out[i + k * step] = a[i + k * step] + b[i + k * step]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.blockDim.x
    i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x
    a0, a1, a2, a3 = a[i], a[i + step], a[i + 2 * step], a[i + 3 * step]
    b0, b1, b2, b3 = b[i], b[i + step], b[i + 2 * step], b[i + 3 * step]
    out[i] = a0 + b0
    out[i + step] = a1 + b1
    out[i + 2 * step] = a2 + b2
    out[i + 3 * step] = a3 + b3


@style("local_arrays")
@cuda.jit
def vector_add_unrolled(a, b, out):
    step = cuda.blockDim.x
    i = 4 * step * cuda.blockIdx.x + cuda.threadIdx.x
    x = cuda.local.array(4, float32)
    y = cuda.local.array(4, float32)
    for k in range(4):
        j = i + k * step
        if j < a.size:
            x[k] = a[j]
            y[k] = b[j]
    for k in range(4):
        j = i + k * step
        if j < out.size:
            out[j] = x[k] + y[k]


@style("conditional_loads")
@cuda.jit
def vector_add_unrolled(a, b, out):
    n, w = out.size, cuda.blockDim.x
    i0 = cuda.blockIdx.x * w * 4 + cuda.threadIdx.x
    i1, i2, i3 = i0 + w, i0 + 2 * w, i0 + 3 * w
    zero = float32(0)
    s0 = (a[i0] if i0 < n else zero) + (b[i0] if i0 < n else zero)
    s1 = (a[i1] if i1 < n else zero) + (b[i1] if i1 < n else zero)
    s2 = (a[i2] if i2 < n else zero) + (b[i2] if i2 < n else zero)
    s3 = (a[i3] if i3 < n else zero) + (b[i3] if i3 < n else zero)
    if i0 < n:
        out[i0] = s0
    if i1 < n:
        out[i1] = s1
    if i2 < n:
        out[i2] = s2
    if i3 < n:
        out[i3] = s3
