"""Answers to vector_add.vector_add."""

from numba import cuda

from autograder.exercises.catalogue import right, style, wrong


@right("grid_stride")
@cuda.jit
def vector_add(a, b, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = a[i] + b[i]


@right("spelled_out")
@cuda.jit
def vector_add(a, b, out):
    first_of_block = cuda.blockIdx.x * cuda.blockDim.x
    i = first_of_block + cuda.threadIdx.x
    if i >= out.shape[0]:
        return
    out[i] = b[i] + a[i]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] + b[i]


@wrong("guard_lets_one_more_through", misconception="off_by_one", says="outside")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i <= out.size:
        out[i] = a[i] + b[i]


@wrong("thread_index_only", misconception="only_first_block", says="first block's 256 elements")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("adds_block_and_thread", misconception="only_first_block", says="i = cuda.grid(1)")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.x + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("one_element_a_block", misconception="missing_tail", says="the first is element 1")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.x * cuda.blockDim.x
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("guards_whole_blocks", misconception="missing_tail", says="the tail is missing")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if (cuda.blockIdx.x + 1) * cuda.blockDim.x <= out.size:
        out[i] = a[i] + b[i]


@wrong("neighbours_far_apart", misconception="uncoalesced", says="4 sectors")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.threadIdx.x * cuda.gridDim.x + cuda.blockIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]


@wrong("whole_arrays", misconception="not_compiled", says="compile")
@cuda.jit
def vector_add(a, b, out):
    out[:] = a + b


@wrong("overwrites_an_input", misconception="input_changed", says="changed")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        b[i] = a[i] + b[i]
        out[i] = b[i]


@style("size_argument_of_b")
@cuda.jit
def vector_add(a, b, out):
    tid = cuda.threadIdx.x
    bid = cuda.blockIdx.x
    width = cuda.blockDim.x
    index = tid + bid * width
    n = min(a.size, b.size, out.size)
    if index < n:
        total = a[index]
        total += b[index]
        out[index] = total


@style("while_true")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    while True:
        if i >= out.shape[0]:
            break
        out[i] = a[i] + b[i]
        i += cuda.gridsize(1)


plus_fma_and_lambda = cuda.jit(lambda x, y: x + y, device=True)


@style("fma_and_lambda", class_refuses="value needs code to run: `lambda")
@cuda.jit(fastmath=True)
def vector_add(a, b, out):
    i = cuda.grid(1)
    out_of_range = not (i < out.size)
    if not out_of_range:
        out[i] = plus_fma_and_lambda(a[i], b[i])


@wrong("width_of_one_launch", misconception="fitted_to_cases", says="how many threads the blocks of one launch have")
@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.x * 256 + cuda.threadIdx.x
    if i < out.size:
        out[i] = a[i] + b[i]
