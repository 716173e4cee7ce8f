"""Answers to shared_memory.reverse_blocks."""

from numba import cuda, float32

from autograder.exercises.catalogue import right, style, wrong

THREADS = 256


@right("mirrored_while_filling")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(shape=THREADS, dtype=float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    last = min(cuda.blockDim.x, data.shape[0] - cuda.blockIdx.x * cuda.blockDim.x) - 1
    if t <= last:
        tile[last - t] = data[i]
    cuda.syncthreads()
    if t <= last:
        data[i] = tile[t]


@right("a_register_and_a_barrier")
@cuda.jit
def reverse_blocks(data):
    first = cuda.blockIdx.x * THREADS
    end = min(first + THREADS, data.size)
    i = cuda.grid(1)
    mine = float32(0)
    if i < end:
        mine = data[first + end - 1 - i]
    cuda.syncthreads()
    if i < end:
        data[i] = mine


@right("half_of_the_threads_swap")
@cuda.jit
def reverse_blocks(data):
    t, first = cuda.threadIdx.x, cuda.blockIdx.x * THREADS
    count = min(THREADS, data.size - first)
    if t < count // 2:
        left, right_one = first + t, first + count - 1 - t
        data[left], data[right_one] = data[right_one], data[left]


@wrong("everybody_swaps", misconception="missing_barrier", says="Race")
@cuda.jit
def reverse_blocks(data):
    t, first = cuda.threadIdx.x, cuda.blockIdx.x * THREADS
    count = min(THREADS, data.size - first)
    if t < count:
        left, right_one = first + t, first + count - 1 - t
        data[left], data[right_one] = data[right_one], data[left]


@wrong("no_barrier", misconception="missing_barrier", says="no barrier")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i]
        data[i] = tile[count - 1 - t]


@wrong("no_tile", misconception="missing_barrier", says="Race")
@cuda.jit
def reverse_blocks(data):
    i = cuda.grid(1)
    first = cuda.blockIdx.x * THREADS
    end = min(first + THREADS, data.size)
    if i < end:
        data[i] = data[first + end - 1 - i]


@wrong("barrier_inside_the_guard", misconception="barrier_in_branch", says="syncthreads")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i]
        cuda.syncthreads()
        data[i] = tile[count - 1 - t]


@wrong("last_stretch_as_long_as_the_others", misconception="uninitialised_read", says="nothing has written it")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[THREADS - 1 - t]


@wrong("no_guard", misconception="no_guard", says="outside")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t] = data[i]
    cuda.syncthreads()
    data[i] = tile[THREADS - 1 - t]


@wrong("mirror_of_the_array", misconception="grid_order", says="Blocks run in any order")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < data.size:
        tile[t] = data[data.size - 1 - i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[t]


@wrong("swapped_twice", misconception="wrong_formula", says="where it was before")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[count - 1 - t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[count - 1 - t]


@wrong("shape_from_block_dim", misconception="shared_shape", says="constant")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(cuda.blockDim.x, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[count - 1 - t]


@style("store_reversed")
@cuda.jit
def reverse_blocks(data):
    s = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    start = cuda.blockIdx.x * 256
    n = min(256, data.size - start)
    if t < n:
        s[n - 1 - t] = data[start + t]
    cuda.syncthreads()
    if t < n:
        data[start + t] = s[t]


@style("block_view")
@cuda.jit
def reverse_blocks(data):
    mine = data[cuda.blockIdx.x * THREADS : (cuda.blockIdx.x + 1) * THREADS]
    t = cuda.threadIdx.x
    value = mine[mine.size - 1 - t] if t < mine.size else float32(0)
    cuda.syncthreads()
    if t < mine.size:
        mine[t] = value


@style("dynamic")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, dtype=data.dtype)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    inside = i < data.size
    last = min((cuda.blockIdx.x + 1) * THREADS, data.size) - 1
    if inside:
        tile[t] = data[i]
    cuda.syncthreads()
    if not inside:
        return
    data[i] = tile[last - i]


@wrong("no_length", misconception="dynamic_shared_size", says="its size comes with the launch")
@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(0, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    count = min(THREADS, data.size - i + t)
    if i < data.size:
        data[i] = tile[count - 1 - t]
