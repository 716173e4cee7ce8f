"""Answers to performance.poly_four."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong

EACH = 4


@cuda.jit(device=True)
def store(out, i, value):
    if i < out.size:
        out[i] = value


@right("stores_through_a_helper")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i > last:
        return
    a, b, c, d = x[i], x[min(i + step, last)], x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
    p, q, r, s = float32(0), float32(0), float32(0), float32(0)
    for k in range(coefficients.size):
        c_k = coefficients[k]
        p, q, r, s = p * a + c_k, q * b + c_k, r * c + c_k, s * d + c_k
    store(out, i, p)
    store(out, i + step, q)
    store(out, i + 2 * step, r)
    store(out, i + 3 * step, s)


@right("local_arrays")
@cuda.jit
def poly_four(coefficients, x, out):
    at = cuda.local.array(EACH, float32)
    value = cuda.local.array(EACH, float32)
    i, step = cuda.grid(1), cuda.gridsize(1)
    for j in range(EACH):
        at[j] = x[i + j * step] if i + j * step < x.size else float32(0)
        value[j] = float32(0)
    for k in range(coefficients.size):
        c = coefficients[k]
        for j in range(EACH):
            value[j] = value[j] * at[j] + c
    for j in range(EACH):
        if i + j * step < out.size:
            out[i + j * step] = value[j]


@right("starts_with_the_first_coefficient")
@cuda.jit
def poly_four(coefficients, x, out):
    step = cuda.blockDim.x * cuda.gridDim.x
    i0 = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    i1, i2, i3 = i0 + step, i0 + 2 * step, i0 + 3 * step
    a = x[i0] if i0 < x.size else float32(0)
    b = x[i1] if i1 < x.size else float32(0)
    c = x[i2] if i2 < x.size else float32(0)
    d = x[i3] if i3 < x.size else float32(0)
    p = q = r = s = coefficients[0]
    k = 1
    while k < coefficients.size:
        w = coefficients[k]
        p = p * a + w
        q = q * b + w
        r = r * c + w
        s = s * d + w
        k += 1
    if i0 < out.size:
        out[i0] = p
    if i1 < out.size:
        out[i1] = q
    if i2 < out.size:
        out[i2] = r
    if i3 < out.size:
        out[i3] = s


@right("fused_by_hand")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, n = cuda.grid(1), cuda.gridsize(1), x.size
    if i < n:
        j, k, m = i + step, i + 2 * step, i + 3 * step
        a = x[i]
        b = x[j] if j < n else a
        c = x[k] if k < n else a
        d = x[m] if m < n else a
        p = q = r = s = float32(0)
        for t in range(coefficients.size):
            w = coefficients[t]
            p = cuda.fma(p, a, w)
            q = cuda.fma(q, b, w)
            r = cuda.fma(r, c, w)
            s = cuda.fma(s, d, w)
        out[i] = p
        if j < n:
            out[j] = q
        if k < n:
            out[k] = r
        if m < n:
            out[m] = s


@right("coefficients_in_shared_memory")
@cuda.jit
def poly_four(coefficients, x, out):
    shared = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    if t < coefficients.size and t < 64:
        shared[t] = coefficients[t]
    cuda.syncthreads()
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            w = shared[k] if k < 64 else coefficients[k]
            p = p * a + w
            q = q * b + w
            r = r * c + w
            s = s * d + w
        for j in range(4):
            if i + j * step < out.size:
                out[i + j * step] = p if j == 0 else q if j == 1 else r if j == 2 else s


@right("eight_chains_of_even_and_odd_powers")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        first = coefficients.size % 2
        if first == 1:
            p = q = r = s = coefficients[0]
        for k in range(first, coefficients.size, 2):
            v, w = coefficients[k], coefficients[k + 1]
            p = p * (a * a) + (v * a + w)
            q = q * (b * b) + (v * b + w)
            r = r * (c * c) + (v * c + w)
            s = s * (d * d) + (v * d + w)
        out[i] = p
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s


@wrong("one_point_after_the_other", misconception="one_chain", says="do not wait for one another")
@cuda.jit
def poly_four(coefficients, x, out):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        value = float32(0)
        for k in range(coefficients.size):
            value = value * x[i] + coefficients[k]
        out[i] = value


@wrong("one_point_per_thread", misconception="one_point_each", says="three quarters")
@cuda.jit
def poly_four(coefficients, x, out):
    i = cuda.grid(1)
    if i < x.size:
        value = float32(0)
        for k in range(coefficients.size):
            value = value * x[i] + coefficients[k]
        out[i] = value


@wrong("four_neighbours", misconception="uncoalesced", says="a grid apart")
@cuda.jit
def poly_four(coefficients, x, out):
    i, last = 4 * cuda.grid(1), x.size - 1
    if i < x.size:
        a, b, c, d = x[i], x[min(i + 1, last)], x[min(i + 2, last)], x[min(i + 3, last)]
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            w = coefficients[k]
            p = p * a + w
            q = q * b + w
            r = r * c + w
            s = s * d + w
        out[i] = p
        if i + 1 < out.size:
            out[i + 1] = q
        if i + 2 < out.size:
            out[i + 2] = r
        if i + 3 < out.size:
            out[i + 3] = s


@wrong("two_at_a_time", misconception="one_chain", says="do not wait for one another")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    for j in range(i, x.size, 2 * step):
        a, b = x[j], x[min(j + step, last)]
        p = q = float32(0)
        for k in range(coefficients.size):
            p = p * a + coefficients[k]
            q = q * b + coefficients[k]
        out[j] = p
        if j + step < out.size:
            out[j + step] = q


@wrong("no_guards_behind_the_first", misconception="no_guard", says="outside")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step = cuda.grid(1), cuda.gridsize(1)
    if i < x.size:
        a, b, c, d = x[i], x[i + step], x[i + 2 * step], x[i + 3 * step]
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            w = coefficients[k]
            p = p * a + w
            q = q * b + w
            r = r * c + w
            s = s * d + w
        out[i], out[i + step], out[i + 2 * step], out[i + 3 * step] = p, q, r, s


@wrong("constant_first", misconception="coefficients_reversed", says="the highest power comes first")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = float32(0)
        for k in range(coefficients.size - 1, -1, -1):
            w = coefficients[k]
            p = p * a + w
            q = q * b + w
            r = r * c + w
            s = s * d + w
        out[i] = p
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s


@wrong("bare_zeros", misconception="float64_arithmetic", says="double precision")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step, last = cuda.grid(1), cuda.gridsize(1), x.size - 1
    if i < x.size:
        a, b = x[i], x[min(i + step, last)]
        c, d = x[min(i + 2 * step, last)], x[min(i + 3 * step, last)]
        p = q = r = s = 0
        for k in range(coefficients.size):
            w = coefficients[k]
            p = p * a + w
            q = q * b + w
            r = r * c + w
            s = s * d + w
        out[i] = p
        if i + step < out.size:
            out[i + step] = q
        if i + 2 * step < out.size:
            out[i + 2 * step] = r
        if i + 3 * step < out.size:
            out[i + 3 * step] = s


@wrong("four_loops", misconception="one_chain", says="do not wait for one another")
@cuda.jit
def poly_four(coefficients, x, out):
    i, step = cuda.grid(1), cuda.gridsize(1)
    for j in range(4):
        at = i + j * step
        if at < x.size:
            p = float32(0)
            for k in range(coefficients.size):
                p = p * x[at] + coefficients[k]
            out[at] = p
