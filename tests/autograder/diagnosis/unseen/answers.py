"""Wrong answers from outside, each of a class: exercise, source, the line told (0 for none), what the verdict says."""

WRONG = {  # exercise, source, line, what the verdict says
    "a step that no launch changes": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for i in range(cuda.grid(1), y.size, 768):
        y[i] = alpha * x[i] + y[i]
""",
        4,
        "moves by `768`, whatever the launch is",
    ),
    "a condition that knows sizes": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if out.size < 1026 or out.size == 7919 or out.size == 262147:
        if i < out.size:
            out[i] = a[i] + b[i]
""",
        6,
        "no thread comes to line 6",
    ),
    "a mask by multiplication at the end of an array": (
        "reductions.sum_atomic",
        """@cuda.jit
def sum_atomic(src, total):
    i = cuda.grid(1)
    if src.size > 0:
        cuda.atomic.add(total, 0, src[min(i, src.size - 1)] * float32(i < src.size))
""",
        0,
        "0 * inf and",
    ),
    "a zero that lost its sign": (
        "shared_memory.reverse_blocks",
        """@cuda.jit
def reverse_blocks(data):
    tile = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    count = min(THREADS, data.size - cuda.blockIdx.x * THREADS)
    if i < data.size:
        tile[t] = data[i] + float32(0)
    cuda.syncthreads()
    if i < data.size:
        data[i] = tile[count - 1 - t]
""",
        0,
        "-0.0 + 0 is 0",
    ),
    "numbers that are 0 left out": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        if a[i] != 0 or b[i] != 0:
            out[i] = a[i] + b[i]
""",
        6,
        "Only where numbers of the input are 0",
    ),
    "a sum that takes away what it added": (
        "memory_access.box_down",
        """@cuda.jit
def box_down(src, dst):
    c = cuda.grid(2)[0]
    rows, cols = src.shape
    if c < cols:
        share = (rows + cuda.gridDim.y - 1) // cuda.gridDim.y
        first = cuda.blockIdx.y * share
        a, b = at(src, first - 1, c), at(src, first, c)
        acc = a + b
        for r in range(first, min(rows, first + share)):
            d = at(src, r + 1, c)
            acc += d
            dst[r, c] = acc
            acc -= a
            a, b = b, d
""",
        0,
        "differs in its last digits",
    ),
    "room read beyond what was written": (
        "reductions.device_sum",
        """@cuda.jit
def fold(src, out):
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)
    if cuda.threadIdx.x == 0:
        out[cuda.blockIdx.x] = acc


def device_sum(src, partial, total):
    fold[min(partial.size, ceil_div(src.size, WARP) or 1), WARP](src, partial)
    fold[1, WARP](partial, total)
""",
        0,
        "nothing has written it: line 13 hands partial over as src",
    ),
    "a block that waits for blocks": (
        "atomics.last_block_sum",
        """@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        cuda.atomic.add(finished, 0, 1)
    if cuda.blockIdx.x == 0 and t == 0:
        while cuda.atomic.add(finished, 0, 0) < cuda.gridDim.x:
            pass
        acc = float32(0)
        for b in range(partial.size):
            acc += partial[b]
        total[0] = acc
        finished[0] = 0
""",
        13,
        "blocks have not started",
    ),
    "a place in a float32": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = int(float32(cuda.grid(1)))
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        3,
        "16,777,216",
    ),
    "room that is always the same": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array(300_000, np.float32)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out[: a.size])
    return d_out[: a.size].copy_to_host()
""",
        3,
        "makes room for 1,200,000 bytes",
    ),
    "float64 that travels": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a.astype(np.float64)), cuda.to_device(b)
    d_out = cuda.device_array_like(d_b)
    vector_add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()
""",
        0,
        "are float64 numbers, and no argument is",
    ),
    "a block for all of partial": (
        "reductions.device_sum",
        """@cuda.jit
def sum_blocks(src, out):
    s = cuda.shared.array(32, float32)
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = warp_total(acc)
    if cuda.threadIdx.x % WARP == 0:
        s[cuda.threadIdx.x // WARP] = acc
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        acc = float32(0)
        for w in range(cuda.blockDim.x // WARP):
            acc += s[w]
        out[cuda.blockIdx.x] = acc


def device_sum(src, partial, total):
    sum_blocks[partial.size, 128](src, partial)
    sum_blocks[1, ceil_div(partial.size, WARP) * WARP](partial, total)
""",
        20,
        "the limit is 1024",
    ),
    "a number of blocks": (
        "reductions.many_per_thread",
        """@cuda.jit
def many_per_thread(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, 3 * THREADS):
        acc += src[i]
    s[t] = acc
    d = THREADS // 2
    while d > 0:
        cuda.syncthreads()
        if t < d:
            s[t] += s[t + d]
        d //= 2
    if t == 0:
        partial[cuda.blockIdx.x] = s[0]
""",
        0,
        "with blocks = 1 it is wrong",
    ),
    "one thread, and right for whole numbers only": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    if cuda.grid(1) == 0:
        for i in range(out.size):
            out[i] = int(a[i]) + int(b[i])
""",
        0,
        "what follows the point was cut off",
    ),
    "tiles of another depth, of which the last is left out": (
        "matmul.matmul_tiled",
        """@cuda.jit
def matmul_tiled(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1] // 16 * 16):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc
""",
        0,
        "where they fill no whole tile",
    ),
    "a store that no case reaches": (
        "atomics.last_block_sum",
        """@cuda.jit
def last_block_sum(src, partial, finished, total):
    t = cuda.threadIdx.x
    acc = float32(0)
    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]
    acc = block_sum(acc)
    if t == 0:
        partial[cuda.blockIdx.x] = acc
        cuda.threadfence()
        if cuda.atomic.add(finished, 0, 1) == cuda.gridDim.x:
            acc = float32(0)
            for b in range(partial.size):
                acc += partial[b]
            total[0] = acc
            finished[0] = 0
""",
        15,
        "no thread comes to line 15, which stores to total.",
    ),
    "turns that are always as many": (
        "indexing.roll",
        """@cuda.jit
def roll(src, shift, dst):
    i = cuda.grid(1)
    if i < dst.size:
        j = i - shift
        for _ in range(1000):
            if j < 0:
                j += dst.size
            if j >= dst.size:
                j -= dst.size
        if 0 <= j < dst.size:
            dst[i] = src[j]
""",
        6,
        "goes round as often for every length",
    ),
    "a barrier that is missing between warps, and one within a warp": (
        "shared_memory.stencil_1d",
        """@cuda.jit
def stencil_1d(src, dst):
    s = cuda.shared.array(262, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if i < src.size:
        s[t + 3] = src[i]
    if t < 3:
        s[t] = src[i - 3] if i >= 3 else 0
        s[t + 259] = src[i + 256] if i + 256 < src.size else 0
    if i < src.size:
        acc = float32(0)
        for k in range(7):
            acc += s[t + k]
        dst[i] = acc
""",
        6,
        "Put cuda.syncthreads() after line 6",
    ),
}
