"""Answers to vector_add.add_one_block."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong


@right("early_return")
@cuda.jit
def add_one_block(a, b, out):
    t = cuda.threadIdx.x
    if t >= out.shape[0]:
        return
    out[t] = a[t] + b[t]


@right("grid_index")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.grid(1)
    if i < len(a):
        total = b[i]
        total += a[i]
        out[i] = total


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    out[i] = a[i] + b[i]


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="outside")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    if i <= out.size:
        out[i] = a[i] + b[i]


@wrong("counts_from_one", misconception="missing_tail", says="the first is element 0")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x + 1
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("guard_too_strict", misconception="missing_tail", says="never written")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    if i < out.size - 1:
        out[i] = a[i] + b[i]


@wrong("every_thread_does_everything", misconception="too_much_traffic", says="repeat each other's work")
@cuda.jit
def add_one_block(a, b, out):
    for i in range(out.size):
        out[i] = a[i] + b[i]


@wrong("adds_into_an_input", misconception="input_changed", says="changed")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    if i < out.size:
        a[i] += b[i]
        out[i] = a[i]


@wrong("returns_the_sum", misconception="returns_value", says="return")
@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    if i < out.size:
        return a[i] + b[i]


@style("grid_stride_in_block")
@cuda.jit
def add_one_block(a, b, out):
    for i in range(cuda.threadIdx.x, len(out), cuda.blockDim.x):
        out[i] = a[i] + b[i]


@style("return_first")
@cuda.jit
def add_one_block(a, b, out):
    t = cuda.threadIdx.x
    if t >= a.shape[0]:
        return
    x = a[t]
    y = b[t]
    out[t] = x + y


@style("views")
@cuda.jit
def add_one_block(a, b, out):
    t = cuda.threadIdx.x
    mine = out[t : t + 1]
    if mine.size == 1:
        mine[0] = a[t : t + 1][0] + b[t : t + 1][0]


@style("through_shared")
@cuda.jit
def add_one_block(a, b, out):
    s = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    if t < out.size:
        s[t] = a[t]
    cuda.syncthreads()
    if t < out.size:
        out[t] = s[t] + b[t]
