"""Host code of beginners, and kernels of theirs that numba refuses, as in `answers`."""

FIRST_STEPS = {  # exercise, source, line, what the verdict says
    "a launch of which only the brackets are there": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[blocks_for(a.size, THREADS), THREADS]
    return d_out.copy_to_host()
""",
        5,
        "says how to launch, and nothing is launched",
    ),
    "a launch without the result's array": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b)
    return d_out.copy_to_host()
""",
        4,
        "this launch passes 2",
    ),
    "what a launch returns": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    return vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
""",
        5,
        "A launch returns nothing",
    ),
    "print for return": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    print(max(1, -(-n // threads)))
""",
        2,
        "write `return max(1, -(-n // threads))`",
    ),
    "a last line without return": (
        "vector_add.add_four",
        """def add_four(a, b, c, d):
    d_sum = cuda.to_device(a)
    for x in [b, c, d]:
        vector_add[blocks_for(a.size, THREADS), THREADS](d_sum, cuda.to_device(x), d_sum)
    d_sum.copy_to_host()
""",
        5,
        "Write `return d_sum.copy_to_host()`.",
    ),
    "a name of another library": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return cuda.to_host(d_out)
""",
        6,
        "In numba, `d_x.copy_to_host()` copies down.",
    ),
    "a name of CUDA C": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.malloc(a.nbytes)
    d_b = cuda.malloc(b.nbytes)
    d_out = cuda.malloc(a.nbytes)
    cuda.memcpy(d_a, a)
    cuda.memcpy(d_b, b)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return cuda.memcpy(d_out)
""",
        2,
        "`cuda.device_array(shape, dtype)` sets memory aside",
    ),
    "NumPy's arithmetic on the device": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    d_out = d_a + d_b
    return d_out.copy_to_host()
""",
        4,
        "Arrays on the device have no arithmetic",
    ),
    "the dtype that nobody said": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a = cuda.to_device(a)
    d_b = cuda.to_device(b)
    out = np.empty_like(a)
    d_out = cuda.device_array(a.shape)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    d_out.copy_to_host(out)
    return out
""",
        7,
        "cuda.device_array(shape) is float64 without one",
    ),
    "a shared array outside": (
        "shared_memory.reverse_blocks",
        """tile = cuda.shared.array(THREADS, float32)


@cuda.jit
def reverse_blocks(data):
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[count - 1 - t]
""",
        0,
        "Move the line into the kernel.",
    ),
    "an attribute of one number": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1).x
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        3,
        "write it without .x",
    ),
    "a loop for the cores of a CPU": (
        "vector_add.vector_add",
        """from numba import prange


@cuda.jit
def vector_add(a, b, out):
    for i in prange(out.size):
        out[i] = a[i] + b[i]
""",
        6,
        "There each thread takes elements of its own",
    ),
    "a new array, returned": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    out = a + b
    return out
""",
        4,
        "nobody receives it",
    ),
    "an element appended": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < len(a):
        out.append(a[i] + b[i])
""",
        5,
        "An array does not grow",
    ),
    "a size that is not asked for": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize):
        y[i] = alpha * x[i] + y[i]
""",
        3,
        "Call it with the number of dimensions: cuda.gridsize(1).",
    ),
    "a remainder of floats": (
        "indexing.roll",
        """import math


@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[math.fmod(i - shift, dst.size)]
""",
        8,
        "Use % on integers for a remainder.",
    ),
    "the mask last": (
        "reductions.warp_sum",
        """@cuda.jit(device=True)
def warp_total(value):
    d = 16
    while d > 0:
        value += cuda.shfl_down_sync(value, d, FULL_WARP)
        d //= 2
    return value


@cuda.jit
def warp_sum(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)
    if cuda.laneid == 0:
        partial[cuda.grid(1) // WARP] = acc
""",
        5,
        "The mask comes first: cuda.shfl_down_sync",
    ),
    "a signature from elsewhere": (
        "vector_add.vector_add",
        """@cuda.jit("void(float64[:], float64[:], float64[:])")
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        1,
        "Pass these types, or leave the signature out",
    ),
    "whole arrays by every thread, of which one line is refused": (
        "indexing.pad",
        """@cuda.jit
def pad(src, margin, dst):
    dst[:] = 0
    dst[margin:-margin, margin:-margin] = src
""",
        4,
        "copies a slice",
    ),
    "a sum by one thread": (
        "reductions.sum_atomic",
        """@cuda.jit
def sum_atomic(src, total):
    if cuda.grid(1) == 0:
        total[0] = src.sum()
""",
        4,
        "Every thread that comes to `src.sum()` walks through all of `src`",
    ),
}
