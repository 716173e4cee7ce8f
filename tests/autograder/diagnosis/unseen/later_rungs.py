"""Wrong answers from outside to later rungs whose verdicts once named no cause, or another one, as in `answers`."""

FROM_LATER_RUNGS = {  # exercise, source, line, what the verdict says
    "two values exchanged one by one": (
        "memory_kinds.median_of_nine",
        """@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        v = cuda.local.array(9, float32)
        for k in range(9):
            v[k] = x[i + k]
        for p in range(9):
            for k in range(8):
                if v[k] > v[k + 1]:
                    v[k] = v[k + 1]
                    v[k + 1] = v[k]
        out[i] = v[4]
""",
        12,
        "Exchange both at once: `v[k], v[k + 1] = v[k + 1], v[k]`",
    ),
    "a line of a helper that keeps nothing": (
        "memory_kinds.look_up",
        """@cuda.jit(device=True)
def fill(lut, table):
    for j in range(cuda.threadIdx.x, 256, cuda.blockDim.x):
        lut[j] == table[j]
    cuda.syncthreads()


@cuda.jit
def look_up(codes, table, out):
    lut = cuda.shared.array(256, float32)
    fill(lut, table)
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = lut[codes[i]]
""",
        4,
        "lut[j] = table[j]",
    ),
    "two results in the other order": (
        "engine_int8.fold_batch_norm",
        """def fold_batch_norm(weights, bias, gamma, beta, mean, variance, eps):
    factor = gamma / np.sqrt(variance + eps)
    return (bias - mean) * factor + beta, weights * factor[:, None]
""",
        0,
        "Return folded, new_bias, in this order",
    ),
    "two numbers in the other order": (
        "convolution.receptive_field",
        """def receptive_field(kernel, stride, dilation, field, jump):
    return jump * stride, field + (kernel - 1) * dilation * jump
""",
        0,
        "Return new_field, new_jump, in this order",
    ),
    "a whole number of NumPy for a float": (
        "engine_int8.percentile_range",
        """def percentile_range(counts, width, share):
    cdf = np.cumsum(counts) / np.sum(counts)
    return np.searchsorted(cdf, share)
""",
        0,
        "This is the number of a bin",
    ),
    "two threads that store one element through a given helper": (
        "matmul.matmul_column",
        """@cuda.jit(device=True)
def keep(c, row, col, x):
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = x


@cuda.jit
def matmul_column(a, b, c):
    row, col = 64 * cuda.blockIdx.y + cuda.threadIdx.y, 64 * cuda.blockIdx.x + cuda.threadIdx.x
    if row < c.shape[0] and col < c.shape[1]:
        acc = float32(0)
        for k in range(a.shape[1]):
            acc += a[row, k] * b[k, col]
        keep(c, row, col, acc)
        keep(c, row + 1, col, acc)
""",
        4,
        "Let one thread write the element",
    ),
    "an index of a given helper": (
        "attention.attention_flash",
        """@cuda.jit
def attention_flash(q, k, v, out):
    tile_k = cuda.shared.array((KEYS, PITCH), float32)
    lane, w = cuda.threadIdx.x, cuda.threadIdx.y
    head, i, n = cuda.blockIdx.y, QUERIES * cuda.blockIdx.x + w, q.shape[1]
    for first in range(0, n, KEYS):
        fill(tile_k, k, head, first - 1)
        cuda.syncthreads()
        if i < n:
            out[head, i, lane] = tile_k[lane, 0]
        cuda.syncthreads()
""",
        7,
        "Look at what line 7 hands `fill`",
    ),
    "values of the own place, of which weights make nothing else": (
        "attention.attention_naive",
        """@cuda.jit
def scores_kernel(q, k, scores):
    j = cuda.blockIdx.y * WARP + cuda.threadIdx.x
    row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    n = q.shape[1]
    if row < scores.shape[0] and j < n:
        acc = float32(0)
        for c in range(32):
            acc += q[row // n, row % n, c] * k[row // n, j, c]
        scores[row, j] = SCALE * acc


@cuda.jit
def weigh(weights, v, out):
    c, row = cuda.threadIdx.x, cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y
    n = v.shape[1]
    if row < weights.shape[0]:
        acc = float32(0)
        for j in range(n):
            acc += weights[row, j] * v[row // n, row % n, c]
        out[row // n, row % n, c] = acc


def attention_naive(q, k, v, scores, out):
    n_rows, n = scores.shape
    blocks = (n_rows + 3) // 4
    scores_kernel[(blocks, (n + 31) // 32), (32, 4)](q, k, scores)
    softmax_online[blocks, THREADS](scores, scores)
    weigh[blocks, (32, 4)](scores, v, out)
""",
        0,
        "`row % n` is not what is needed there",
    ),
}
