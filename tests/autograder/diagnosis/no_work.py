"""Right results without the work: the host computed them, one thread did, or everybody did everything.

Each entry: exercise id, name, misconception, source of the answer. The setup is that of the exercise's own solution.
"""

from __future__ import annotations

NUMPY = "nothing_on_device"
ALONE, ALL, FEW = "one_thread_works", "work_repeated", "few_threads"

ANSWERS = [
    (
        "vector_add.vector_add",
        "serial_in_thread_0",
        ALONE,
        """
@cuda.jit
def vector_add(a, b, out):
    if cuda.grid(1) == 0:
        for i in range(out.size):
            out[i] = a[i] + b[i]
""",
    ),
    (
        "vector_add.vector_add",
        "first_block_does_all",
        FEW,
        """
@cuda.jit
def vector_add(a, b, out):
    if cuda.blockIdx.x == 0:
        for i in range(cuda.threadIdx.x, out.size, cuda.blockDim.x):
            out[i] = a[i] + b[i]
""",
    ),
    ("vector_add.add_on_device", "numpy", NUMPY, "def add_on_device(a, b):\n    return a + b\n"),
    (
        "vector_add.add_on_device",
        "a_kernel_for_show",
        NUMPY,
        """
@cuda.jit
def show(x):
    x[0] = 1


def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    show[1, 1](cuda.device_array(1, a.dtype))
    return d_a.copy_to_host()[: a.size] + b
""",
    ),
    (
        "vector_add.add_on_device",
        "sent_up_ready_made",
        NUMPY,
        """
def add_on_device(a, b):
    zero = cuda.to_device(np.zeros_like(a))
    total, out = cuda.to_device(a + b), cuda.device_array_like(a)
    if a.size:
        vector_add[blocks_for(a.size, 256), 256](total, zero, out)
    return out.copy_to_host()
""",
    ),
    (
        "vector_add.add_four",
        "half_on_the_host",
        NUMPY,
        """
def add_four(a, b, c, d):
    x, y, out = cuda.to_device(a + b), cuda.to_device(c + d), cuda.device_array_like(a)
    if a.size:
        vector_add[blocks_for(a.size, 256), 256](x, y, out)
    return out.copy_to_host()
""",
    ),
    (
        "indexing.pad",
        "a_thread_a_row",
        FEW,
        """
@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if col == 0 and row < dst.shape[0]:
        for c in range(dst.shape[1]):
            y, x = row - margin, c - margin
            inside = y >= 0 and x >= 0 and y < src.shape[0] and x < src.shape[1]
            dst[row, c] = src[y, x] if inside else src.dtype.type(0)
""",
    ),
    (
        "reductions.block_sum_sequential",
        "thread_0_of_each_block",
        FEW,
        """
@cuda.jit
def block_sum_sequential(src, partial):
    if cuda.threadIdx.x == 0:
        total = float32(0)
        first = cuda.blockIdx.x * THREADS
        for i in range(first, min(first + THREADS, src.size)):
            total += src[i]
        partial[cuda.blockIdx.x] = total
""",
    ),
    (
        "reductions.device_sum",
        "one_block",
        FEW,
        """
@cuda.jit
def in_one_block(src, total):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(t, src.size, cuda.blockDim.x):
        acc += src[i]
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        cuda.atomic.add(total, 0, s[0])


@cuda.jit
def clear(total):
    total[0] = 0


def device_sum(src, scratch, total):
    clear[1, 1](total)
    in_one_block[1, 256](src, total)
""",
    ),
    (
        "reductions.axis_sums",
        "numpy",
        NUMPY,
        """
def axis_sums(src, row_sums, col_sums):
    host = src.copy_to_host()
    row_sums.copy_to_device(host.sum(1))
    col_sums.copy_to_device(host.sum(0))
""",
    ),
    (
        "indexing.saxpy",
        "one_thread_does_all",
        ALONE,
        """
@cuda.jit
def saxpy(alpha, x, y):
    if cuda.grid(1) == 0:
        for i in range(y.size):
            y[i] = alpha * x[i] + y[i]
""",
    ),
]
