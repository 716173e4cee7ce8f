"""Answers to memory_kinds.look_up."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, wrong


@right("filled_with_while")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    k = cuda.threadIdx.x
    while k < 256:
        near[k] = table[k]
        k += cuda.blockDim.x
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < codes.size:
        out[i] = near[codes[i]]
        i += cuda.gridsize(1)


@right("stride_by_hand")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    t, size = cuda.threadIdx.x, cuda.blockDim.x
    for k in range(t, 256, size):
        near[k] = table[k]
    cuda.syncthreads()
    first, step = cuda.blockIdx.x * size + t, cuda.gridDim.x * size
    for i in range(first, len(codes), step):
        code = int(codes[i])
        out[i] = near[code]


@right("a_stretch_for_each_block")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()
    each = (out.size + cuda.gridDim.x - 1) // cuda.gridDim.x
    begin = cuda.blockIdx.x * each
    for i in range(begin + cuda.threadIdx.x, min(begin + each, out.size), cuda.blockDim.x):
        out[i] = near[codes[i]]


@cuda.jit(device=True)
def fill(near, table):
    for k in range(cuda.threadIdx.x, near.size, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()


@right("filled_by_a_device_function")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    fill(near, table)
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@right("turns_counted")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    turns = (256 + cuda.blockDim.x - 1) // cuda.blockDim.x
    for turn in range(turns):
        k = turn * cuda.blockDim.x + cuda.threadIdx.x
        if k < 256:
            near[k] = table[k]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@right("from_behind")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(shape=256, dtype=float32)
    for k in range(255 - cuda.threadIdx.x, -1, -cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()
    for i in range(out.size - 1 - cuda.grid(1), -1, -cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("gathers_from_global", misconception="gathers_from_far", says="a gather takes thousands")
@cuda.jit
def look_up(codes, table, out):
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = table[codes[i]]


@wrong("copied_and_not_used", misconception="gathers_from_far", says="a gather takes thousands")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = table[codes[i]]


@wrong("no_barrier", misconception="missing_barrier", says="no barrier between them")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = table[k]
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("one_entry_a_thread", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    if t < 256:
        near[t] = table[t]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("more_threads_than_entries", misconception="no_guard", says="outside")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    near[t] = table[t]
    k = t + cuda.blockDim.x
    while k < 256:
        near[k] = table[k]
        k += cuda.blockDim.x
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("filled_by_the_grid", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.grid(1), 256, cuda.gridsize(1)):
        near[k] = table[k]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("codes_themselves", misconception="codes_themselves", says="holds the codes")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = float32(k)
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]


@wrong("one_element_a_thread", misconception="missing_tail", says="never written")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    for k in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < out.size:
        out[i] = near[codes[i]]


@wrong("thread_0_copies", misconception="one_thread_works", says="one thread")
@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(256, float32)
    if cuda.threadIdx.x == 0:
        for k in range(256):
            near[k] = table[k]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]
