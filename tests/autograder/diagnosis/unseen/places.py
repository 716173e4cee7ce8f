"""Wrong answers from outside about which thread has which element or cell, described as in `answers`."""

MISPLACED = {
    "threads sent away before they fill the tile": (
        "shared_memory.stencil_1d",
        """RADIUS = 3
SPAN = THREADS + 2 * RADIUS


@cuda.jit
def stencil_1d(src, dst):
    tile = cuda.shared.array(SPAN, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i >= src.size:
        return
    first = cuda.blockIdx.x * THREADS - RADIUS
    for k in range(t, SPAN, THREADS):
        tile[k] = src[min(max(first + k, 0), src.size - 1)]
    cuda.syncthreads()
    s = float32(0)
    for k in range(2 * RADIUS + 1):
        s += tile[t + k]
    dst[i] = s
""",
        18,
        "Line 10 sends away the threads where `i >= src.size`, so their cells of tile stay empty.",
    ),
    "every store past the end of its array": (
        "engine_graph.query_key_value",
        """@cuda.jit
def query_key_value(x, weights, queries, keys, values):
    col, row = cuda.grid(2)
    first, second = queries.shape[1], queries.shape[1] + keys.shape[1]
    if row < x.shape[0] and col < weights.shape[1]:
        acc = float32(0)
        for k in range(x.shape[1]):
            acc += x[row, k] * weights[k, col]
        if col >= second:
            values[row, col - first] = acc
        elif col >= first:
            keys[row, col - first] = acc
        else:
            queries[row, col] = acc
""",
        10,
        "a guard would leave values empty. An array begins at 0: subtract from `col - first`",
    ),
    "sums of blocks stored from the end on": (
        "reductions.block_sum_sequential",
        """@cuda.jit
def block_sum_sequential(src, partial):
    s = cuda.shared.array(THREADS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    cuda.syncthreads()
    d = THREADS // 2
    while d > 0:
        if t < d:
            s[t] += s[t + d]
        cuda.syncthreads()
        d //= 2
    if t == 0:
        partial[cuda.gridDim.x + cuda.blockIdx.x] = s[0]
""",
        14,
        "No thread comes to an element inside, so a guard would leave partial empty.",
    ),
    "clamped to the length of the other axis": (
        "shared_memory.blur_5x5",
        """@cuda.jit
def blur_5x5(src, dst):
    tile = cuda.shared.array((SPAN_Y, SPAN_X), float32)
    weights = cuda.const.array_like(GAUSS)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    left, top = cuda.blockIdx.x * TILE - REACH, cuda.blockIdx.y * ROWS - REACH
    n_rows, n_cols = src.shape
    for t in range(ty * TILE + tx, SPAN_X * SPAN_Y, TILE * ROWS):
        r, c = t // SPAN_X, t % SPAN_X
        tile[r, c] = src[min(max(top + r, 0), n_cols - 1), min(max(left + c, 0), n_rows - 1)]
    cuda.syncthreads()
    col, row = cuda.grid(2)
    if row < n_rows and col < n_cols:
        s = float32(0)
        for j in range(5):
            for k in range(5):
                s += weights[j, k] * tile[ty + j, tx + k]
        dst[row, col] = s
""",
        10,
        "goes up to `n_cols - 1`, and the last one is src.shape[0] - 1",
    ),
    "the same in every turn of a loop": (
        "vector_add.add_one_block",
        """@cuda.jit
def add_one_block(a, b, out):
    i = cuda.threadIdx.x
    for k in range(out.size):
        out[i] = a[i] + b[i]
""",
        5,
        "`k` stands nowhere in it. Each thread has one element and needs no loop. Write `if i < out.size:`",
    ),
    "all elements, from each thread's own on": (
        "vector_add.vector_add",
        """@cuda.jit
def vector_add(a, b, out):
    i = cuda.grid(1)
    for k in range(a.size):
        out[i + k] = a[i + k] + b[i + k]
""",
        5,
        "`for k in range(cuda.grid(1), a.size, cuda.gridsize(1)):`",
    ),
    "everybody updates all elements": (
        "indexing.saxpy",
        """@cuda.jit
def saxpy(alpha, x, y):
    for j in range(len(x)):
        y[j] = alpha * x[j] + y[j]
""",
        4,
        "Every thread goes through the whole loop of line 3",
    ),
    "x and y of the grid exchanged": (
        "matmul.matmul_naive",
        """@cuda.jit
def matmul_naive(a, b, c):
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        c[row, col] = acc
""",
        0,
        "x and y are exchanged.",
    ),
    "wide accesses a column apart": (
        "memory_access.copy_from",
        """@cuda.jit
def copy_from(src, start, dst):
    i = cuda.grid(1)
    if i < dst.size:
        store16(dst, (i,), load16(src, (start + i,)))
""",
        5,
        "multiple of 16",
    ),
    "a wait that lets the copy go on": (
        "memory_kinds.blur_async",
        """@cuda.jit
def blur_async(x, out):
    rows = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    n_rows, n_cols = x.shape
    col = 126 * cuda.blockIdx.x + t - 1
    inside = 0 <= col and col < n_cols
    rows[0, t] = rows[1, t] = float32(0)
    if inside:
        copy_async(rows, (0, t), x, (0, col))
    commit_copies()
    for row in range(n_rows):
        wait_copies(1)
        cuda.syncthreads()
        if inside and row + 1 < n_rows:
            copy_async(rows, ((row + 1) % 2, t), x, (row + 1, col))
        commit_copies()
        if inside and 0 < t and t < THREADS - 1:
            now = row % 2
            out[row, col] = blur(rows[now, t - 1], rows[now, t], rows[now, t + 1])
""",
        0,
        "`wait_copies(1)` at line 13 lets the group begun last go on",
    ),
    "row and column exchanged below a condition that has them right": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    col, row = cuda.grid(2)
    if row < dst.shape[0] and col < dst.shape[1]:
        dst[col, row] = 255 - src[row, col]
""",
        5,
        "so `row` is the row: write dst[row, col]",
    ),
    "row and column exchanged after a return": (
        "indexing.invert",
        """@cuda.jit
def invert(src, dst):
    x, y = cuda.grid(2)
    if x >= dst.shape[1] or y >= dst.shape[0]:
        return
    dst[x, y] = 255 - src[y, x]
""",
        6,
        "so `y` is the row: write dst[y, x]",
    ),
    "the row where the column is meant, of an array with an element a column": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = uint32(i) // uint32(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
""",
        6,
        "it is `uint32(i) % uint32(n_cols)`",
    ),
    "a place that a helper makes of a float32": (
        "vector_add.vector_add",
        """@cuda.jit(device=True)
def place():
    return int(float32(cuda.blockIdx.x) * float32(cuda.blockDim.x) + float32(cuda.threadIdx.x))


@cuda.jit
def vector_add(a, b, out):
    i = place()
    if i < out.size:
        out[i] = a[i] + b[i]
""",
        3,
        "in a longer array, two neighbours become one",
    ),
    "a start that a helper makes a float32": (
        "memory_access.take_every",
        """@cuda.jit(device=True)
def where(i, start, step):
    return int(np.float32(start) + np.float32(i) * np.float32(step))


@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[where(i, start, step)]
""",
        3,
        "`np.float32(start)` holds every whole number up to 16,777,216",
    ),
    "a start in a float32, which comes out one place off": (
        "memory_access.take_every",
        """@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    s = start + 0.0
    if i < dst.size:
        dst[i] = src[int(np.float32(s)) + i * step]
""",
        6,
        "Keep places in integers from start to end",
    ),
}
