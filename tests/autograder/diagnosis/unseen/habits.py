"""Kernels of beginners that compile and mean another thing, as in `answers`."""

HABITS = {  # exercise, source, line, what the verdict says
    "bits for a condition": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    if x < dst.shape[1] & y < dst.shape[0]:
        dst[y, x] = 255 - src[y, x]
""",
        4,
        "the condition is `x < (dst.shape[1] & y) < dst.shape[0]`",
    ),
    "a tuple below a tuple": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    if (x, y) < src.shape:
        dst[y, x] = 255 - src[y, x]
""",
        4,
        "it is decided by `x` alone",
    ),
    "a loop variable that is moved on": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size):
        y[i] = alpha * x[i] + y[i]
        i += cuda.gridsize(1)
""",
        5,
        "Give the step to range: range(cuda.grid(1), y.size, cuda.gridsize(1)).",
    ),
    "a return in every turn": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] = alpha * x[i] + y[i]
        return
""",
        5,
        "makes one iteration at most: `return` ends it",
    ),
    "what += adds already": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, cuda.gridsize(1)):
        y[i] += alpha * x[i] + y[i]
""",
        4,
        "Write `y[i] += alpha * x[i]`.",
    ),
    "an atomic of the sum": (
        "reductions.sum_atomic",
        """@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(total, 0, total[0] + src[i])
""",
        5,
        "Pass what is to be added, and no more: `src[i]`.",
    ),
    "the rest of the shift alone": (
        "indexing.roll",
        """@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[i - shift % dst.size]
""",
        5,
        "write `(i - shift) % dst.size`",
    ),
    "rows taken for the width": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    width, height = src.shape
    if x < width and y < height:
        dst[y, x] = 255 - src[y, x]
""",
        6,
        "`height` is src.shape[1]: a shape gives rows first.",
    ),
    "a question that comes too late": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] + b[i]
    if i >= out.size:
        return
""",
        4,
        "Line 5 asks too late: put it before this one.",
    ),
    "from the end, as in a list": (
        "shared_memory.reverse_blocks",
        """@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[-t]
""",
        9,
        "write `tile.size - 1 - t`",
    ),
    "a tile for each thread": (
        "shared_memory.reverse_blocks",
        """@cuda.jit
def reverse_blocks(data):
    tile = cuda.local.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i]
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[count - 1 - t]
""",
        10,
        "One for the whole block is `cuda.shared.array(THREADS, float32)`.",
    ),
    "a row at a time, without a question": (
        "shared_memory.transpose_tiled",
        """@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array(shape=(TILE, TILE), dtype=float32)
    x = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.y * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        tile[cuda.threadIdx.y + j][cuda.threadIdx.x] = src[y + j][x]
    cuda.syncthreads()
    x = cuda.blockIdx.y * TILE + cuda.threadIdx.x
    y = cuda.blockIdx.x * TILE + cuda.threadIdx.y
    for j in range(0, TILE, ROWS):
        dst[y + j][x] = tile[cuda.threadIdx.x][cuda.threadIdx.y + j]
""",
        7,
        "`y + j` is less than src.shape[0]",
    ),
    "a slice of which nobody asked the length": (
        "memory_access.take_every",
        """@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    dst[i] = src[start::step][i]
""",
        4,
        "`i` is less than src[start::step].size",
    ),
    "one result a block, at a thread's place": (
        "reductions.block_sum_sequential",
        """@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[i] = s[0]
""",
        14,
        "write partial[cuda.blockIdx.x]",
    ),
    "one thread of the grid for one of each block": (
        "reductions.block_sum_sequential",
        """@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if i == 0:
        partial[cuda.blockIdx.x] = s[0]
""",
        13,
        "Ask for the first thread of each block",
    ),
    "brackets round the wrong sum": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.x * (cuda.blockDim.x + cuda.threadIdx.x)
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        3,
        "gives thread 0 of block 0 and thread 1 of block 0 the same `i`",
    ),
    "an axis that the launch has not": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.blockIdx.y * cuda.blockDim.y + cuda.threadIdx.y
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        3,
        "`i` is 0 in every thread",
    ),
    "a place in the block along one axis": (
        "indexing.fade",
        """@cuda.jit
def fade(volume, weight, out):
    x, y = cuda.grid(2)
    z = cuda.threadIdx.z
    if x < volume.shape[2] and y < volume.shape[1] and z < volume.shape[0]:
        out[z, y, x] = volume[z, y, x] * weight[z]
""",
        4,
        "`z` begins at 0 again in every block along z",
    ),
    "a loop over what a thread has": (
        "indexing.fade",
        """@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if x < volume.shape[2] and y < volume.shape[1]:
        for z in range(volume.shape[0]):
            out[z, y, x] = volume[z, y, x] * weight[z]
""",
        6,
        "The loop of line 5 takes z for its own",
    ),
    "a flat place beyond the end of a row": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    s = src.reshape(-1)
    d = dst.reshape(-1)
    i = y * src.shape[1] + x
    if i < s.size:
        d[i] = 255 - s[i]
""",
        8,
        "Ask `x < src.shape[1]`, too.",
    ),
    "the place in place of the value": (
        "reductions.sum_atomic",
        """@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size:
        cuda.atomic.add(total, 0, i)
""",
        0,
        "`i` is the wrong variable",
    ),
}
