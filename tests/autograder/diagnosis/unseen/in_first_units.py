"""Wrong answers to units 01, 02, 04 and 06 from outside, each of a class, as in `answers`."""

FROM_FIRST_UNITS = {  # exercise, source, line, what the verdict says
    "zeros that an infinite factor should make NaN": (
        "indexing.fade",
        """@cuda.jit
def fade(volume, weight, out):
    x, y, z = cuda.grid(3)
    if z < out.shape[0] and y < out.shape[1] and x < out.shape[2]:
        v = volume[z, y, x]
        out[z, y, x] = v * weight[z] if v != 0 else float32(0)
""",
        0,
        "should be NaN and is not",
    ),
    "opposite numbers that are not added": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        p, q = a[i], b[i]
        out[i] = float32(0) if p == -q else p + q
""",
        0,
        "should be NaN and is not",
    ),
    "a frame made by multiplication": (
        "indexing.pad",
        """@cuda.jit
def pad(src, margin, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        r = min(max(row - margin, 0), src.shape[0] - 1)
        c = min(max(col - margin, 0), src.shape[1] - 1)
        inside = r == row - margin and c == col - margin
        dst[row, col] = src[r, c] * float32(inside)
""",
        0,
        "a value does count when it is multiplied by 0",
    ),
    "a weight kept between 0 and 1": (
        "vector_add.blend",
        """@cuda.jit
def blend(weight, x, y, out):
    i = cuda.grid(1)
    w = min(max(weight, float32(0)), float32(1))
    if i < out.size:
        out[i] = x[i] + w * (y[i] - x[i])
""",
        4,
        "changes every number beyond its two limits",
    ),
    "four blocks, whatever the launch": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, 4 * cuda.blockDim.x):
        y[i] = alpha * x[i] + y[i]
""",
        0,
        "a number in your code that belongs to one launch",
    ),
    "a block that has nothing to add": (
        "reductions.block_sum_sequential",
        """@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i >= src.size:
        return
    s[t] = src[i]
    n = min(THREADS, src.size - cuda.blockIdx.x * THREADS)
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d and t + d < n:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
""",
        0,
        "Where the input has no elements nothing is stored",
    ),
    "a sum that the host worked out": (
        "reductions.device_sum",
        """@cuda.jit
def put(value, total):
    total[0] = value


def device_sum(src, partial, total):
    put[1, 1](np.float32(src.copy_to_host().sum()), total)
""",
        0,
        "no kernel read it on the device",
    ),
    "a NaN that is passed over": (
        "reductions.sum_atomic",
        """@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if i < src.size and src[i] == src[i]:
        cuda.atomic.add(total, 0, src[i])
""",
        0,
        "a sum in which one term is NaN",
    ),
    "fractions cut off before they are added": (
        "reductions.many_per_thread",
        """@cuda.jit
def many_per_thread(src, partial):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += int(src[i])
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    s[t] = acc
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
""",
        0,
        "What is read from src loses its fraction before it is used, as if by int().",
    ),
    "fractions cut off at the end": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = int(a[i] + b[i])
""",
        0,
        "out would be right, but for the fractions, which are lost, as if by int().",
    ),
    "a tile of whole numbers": (
        "shared_memory.transpose_tiled",
        """@cuda.jit
def transpose_tiled(src, dst):
    tile = cuda.shared.array((TILE, TILE), np.int32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    row, col = cuda.blockIdx.y * TILE + ty, cuda.blockIdx.x * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < src.shape[0] and col < src.shape[1]:
            tile[ty + k, tx] = src[row + k, col]
    cuda.syncthreads()
    row, col = cuda.blockIdx.x * TILE + ty, cuda.blockIdx.y * TILE + tx
    for k in range(0, TILE, ROWS):
        if row + k < dst.shape[0] and col < dst.shape[1]:
            dst[row + k, col] = tile[tx, ty + k]
""",
        0,
        "What is read from src loses its fraction before it is used, as if kept in an int32.",
    ),
}
