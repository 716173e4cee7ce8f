"""Answers to units 03, 05, 10 and 12 from outside: wrong ones, each of a class, and right ones in other styles."""

MORE_FROM_FOUR_UNITS = {  # exercise, source, line, what the verdict says
    "equal numbers have no rank": (
        "memory_kinds.median_of_nine",
        """@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        for k in range(9):
            below = 0
            for j in range(9):
                below += int(x[i + j] < x[i + k])
            if below == 4:
                out[i] = x[i + k]
""",
        0,
        "here and there",
    ),
    "extremes cut short": (
        "memory_kinds.median_of_nine",
        """@cuda.jit
def median_of_nine(x, out):
    i = cuda.grid(1)
    if i < out.size:
        s = cuda.local.array(9, float32)
        for k in range(9):
            s[k] = min(max(x[i + k], float32(-1e30)), float32(1e30))
        for end in range(8, 3, -1):
            for k in range(end):
                s[k], s[k + 1] = min(s[k], s[k + 1]), max(s[k], s[k + 1])
        out[i] = s[4]
""",
        7,
        "changes every number beyond its two limits, infinities among them",
    ),
    "neighbours from far away": (
        "memory_kinds.blur_rows",
        """@cuda.jit
def blur_rows(x, out):
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        now = row % 2
        tile[now, t] = ahead
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        if mine:
            out[row, col] = blur(at(x, row, col - 1), tile[now, t], at(x, row, col + 1))
""",
        0,
        "neighbours are in shared memory",
    ),
    "a column of blocks works": (
        "matmul.matmul_naive",
        """@cuda.jit
def matmul_naive(a, b, c):
    row = cuda.blockIdx.x * 16 + cuda.threadIdx.x
    if cuda.blockIdx.y == 0 and row < c.shape[0]:
        for col in range(cuda.threadIdx.y, c.shape[1], 16):
            acc = float32(0)
            for k in range(a.shape[1]):
                acc += a[row, k] * b[k, col]
            c[row, col] = acc
""",
        0,
        "its loop moves by the wrong step",
    ),
    "a sum in half precision": (
        "matmul.matmul_naive",
        """@cuda.jit
def matmul_naive(a, b, c):
    row, col = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        acc = np.float16(0)
        for k in range(a.shape[1]):
            acc = np.float16(acc + a[row, k] * b[k, col])
        c[row, col] = acc
""",
        0,
        "last digits",
    ),
}

RIGHT_IN_FOUR_UNITS = {  # exercise, source
    "sums of rows of weights": (
        "memory_access.convolve",
        """@cuda.jit
def convolve(src, weights, dst):
    c, r, o = cuda.grid(3)
    if o >= dst.shape[0] or r >= dst.shape[1] or c >= dst.shape[2]:
        return
    total = float32(0)
    k = weights.shape[2]
    for i in range(weights.shape[1]):
        for a in range(k):
            line = src[i, r + a]
            kernel = weights[o, i, a]
            part = float32(0)
            for b in range(k):
                part = cuda.fma(kernel[b], line[c + b], part)
            total += part
    dst[o, r, c] = total
""",
    ),
    "weights in shared memory": (
        "memory_access.convolve",
        """@cuda.jit
def convolve(src, weights, dst):
    near = cuda.shared.array(4096, float32)
    col, row, out = cuda.grid(3)
    n_in, k = weights.shape[1], weights.shape[2]
    own = cuda.threadIdx.z * k * k
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    inside = out < dst.shape[0] and row < dst.shape[1] and col < dst.shape[2]
    acc = float32(0)
    for i in range(n_in):
        for j in range(t, k * k, cuda.blockDim.x * cuda.blockDim.y):
            if out < dst.shape[0]:
                near[own + j] = weights[out, i, j // k, j % k]
        cuda.syncthreads()
        if inside:
            for a in range(k):
                for b in range(k):
                    acc += near[own + a * k + b] * src[i, row + a, col + b]
        cuda.syncthreads()
    if inside:
        dst[out, row, col] = acc
""",
    ),
    "a row dealt out by shuffles": (
        "matmul.matmul_coalesced",
        """@cuda.jit
def matmul_coalesced(a, b, c):
    col, row = cuda.grid(2)
    n = a.shape[1]
    acc = float32(0)
    for k0 in range(0, n, 32):
        mine = a[row, k0 + cuda.laneid] if row < a.shape[0] and k0 + cuda.laneid < n else float32(0)
        for j in range(min(32, n - k0)):
            x = cuda.shfl_sync(0xFFFFFFFF, mine, j)
            if col < c.shape[1]:
                acc += x * b[k0 + j, col]
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = acc
""",
    ),
    "a slice is the guard": (
        "memory_access.take_every",
        """@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    mine = dst[i : i + 1]
    for j in range(mine.size):
        mine[j] = src[start + (i + j) * step]
""",
    ),
    "sums by all lanes at once": (
        "warps.scan_rows",
        """@cuda.jit(device=True)
def warp_scan(value):
    lane = cuda.laneid
    total = value
    for d in (1, 2, 4, 8, 16):
        other = cuda.shfl_xor_sync(FULL_WARP, total, d)
        if lane & d:
            value += other
        total += other
    return value


@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            col = begin + cuda.laneid
            value = src[row, col] if col < src.shape[1] else float32(0)
            value = warp_scan(value) + carry
            if col < src.shape[1]:
                dst[row, col] = value
            carry = cuda.shfl_sync(FULL_WARP, value, WARP - 1)
""",
    ),
    "leading zeros of the word turned round": (
        "warps.first_above",
        """@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // 32
    lane = cuda.threadIdx.x & 31
    if row < src.shape[0]:
        n_cols = src.shape[1]
        answer = n_cols
        for begin in range(0, n_cols, 32):
            x = src[row, begin + lane] if begin + lane < n_cols else limit
            votes = cuda.ballot_sync(0xFFFFFFFF, x > limit)
            if votes:
                answer = begin + cuda.clz(cuda.brev(votes))
                break
        if lane == 31:
            first[row] = answer
""",
    ),
    "lanes that happen to be here add in groups": (
        "warps.count_matched",
        """@cuda.jit
def count_matched(keys, hist):
    i = cuda.grid(1)
    if i < keys.size:
        key = keys[i]
        group = cuda.match_any_sync(cuda.activemask(), key)
        if group & cuda.lanemask_lt() == 0:
            cuda.atomic.add(hist, key, cuda.popc(group))
""",
    ),
}
