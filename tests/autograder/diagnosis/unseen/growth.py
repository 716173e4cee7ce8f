"""Wrong answers from outside that are right for the sizes of a notebook, as in `answers`.

What ends at a fixed number of blocks, or at the whole numbers of a float32; work that grows with the square of the
blocks; what nothing overlaps.
"""

PIECE_SUMS = """@cuda.jit
def piece_sums(src, sums):
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    total = block_before(acc)[1]
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


"""
SCAN_PIECES = """

@cuda.jit
def scan_pieces(src, sums, dst):
    start = sums[cuda.blockIdx.x]
    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)


def scan_device(src, sums, dst):
    pieces = max(1, -(-src.size // PIECE))
    piece_sums[pieces, THREADS](src, sums)
    scan_sums[1, AT_ONCE](sums[:pieces])
    scan_pieces[pieces, THREADS](src, sums, dst)
"""
IN_TWO_LAUNCHES = """    for turn in range(PIECE // THREADS):
        i = cuda.blockIdx.x * PIECE + turn * THREADS + cuda.threadIdx.x
        x = src[i] if i < src.size else int32(0)
        before, total = block_before(x)
        if i < dst.size:
            dst[i] = start + before + x
        start = int32(start + total)


def scan_device(src, sums, dst):
    pieces = max(1, -(-src.size // PIECE))
    piece_sums[pieces, THREADS](src, sums)
    scan_pieces[pieces, THREADS](src, sums, dst)
"""

OF_GROWTH = {  # exercise, source, line, what the verdict says
    "four sums for each of 256 threads, and no more": (
        "scan.scan_device",
        PIECE_SUMS
        + """AT_ONCE = 256


@cuda.jit
def scan_sums(sums):
    first = 4 * cuda.threadIdx.x
    own = int32(0)
    for k in range(first, min(first + 4, sums.size)):
        own = int32(own + sums[k])
    before = block_before(own)[0]
    for k in range(first, min(first + 4, sums.size)):
        x = sums[k]
        sums[k] = before
        before = int32(before + x)
"""
        + SCAN_PIECES,
        0,
        "Pieces from number 1,024 on begin with their own sum",
    ),
    "a sum for each of 1,024 threads, and no more": (
        "scan.scan_device",
        PIECE_SUMS
        + """AT_ONCE = 1024


@cuda.jit
def scan_sums(sums):
    s = cuda.shared.array(AT_ONCE, int32)
    t = cuda.threadIdx.x
    own = sums[t] if t < sums.size else int32(0)
    s[t] = own
    cuda.syncthreads()
    d = 1
    while d < AT_ONCE:
        x = s[t - d] if t >= d else int32(0)
        cuda.syncthreads()
        s[t] = int32(s[t] + x)
        cuda.syncthreads()
        d *= 2
    if t < sums.size:
        sums[t] = int32(s[t] - own)
"""
        + SCAN_PIECES,
        0,
        "Pieces from number 1,024 on begin with their own sum",
    ),
    "each thread of the middle launch adds up all before": (
        "scan.scan_device",
        PIECE_SUMS
        + """AT_ONCE = 256


@cuda.jit
def scan_sums(sums):
    for first in range((sums.size - 1) // AT_ONCE * AT_ONCE, -1, -AT_ONCE):
        i = first + cuda.threadIdx.x
        start = int32(0)
        for p in range(min(i, sums.size)):
            start = int32(start + sums[p])
        cuda.syncthreads()
        if i < sums.size:
            sums[i] = start
        cuda.syncthreads()
"""
        + SCAN_PIECES,
        0,
        "on a GPU they wait for it",
    ),
    "each thread of each block adds up all sums before": (
        "scan.scan_device",
        PIECE_SUMS
        + """@cuda.jit
def scan_pieces(src, sums, dst):
    start = int32(0)
    for p in range(cuda.blockIdx.x):
        start = int32(start + sums[p])
"""
        + IN_TWO_LAUNCHES,
        0,
        "they repeat one another's work",
    ),
    "each block adds up all sums before, shared out": (
        "scan.scan_device",
        PIECE_SUMS
        + """@cuda.jit
def scan_pieces(src, sums, dst):
    acc = int32(0)
    for p in range(cuda.threadIdx.x, cuda.blockIdx.x, THREADS):
        acc = int32(acc + sums[p])
    start = block_before(acc)[1]
"""
        + IN_TWO_LAUNCHES,
        0,
        "twice as many blocks do four times that work",
    ),
    "a column by the remainder of floats": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        c = int(float32(i) % float32(n_cols))
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
""",
        5,
        "takes a place out of a float32",
    ),
    "a row by a quotient of floats": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if i < out.size:
        row = int(float32(i) / float32(n_cols))
        c = i - row * n_cols
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
""",
        5,
        "takes a place out of a float32",
    ),
    "a guard of floats": (
        "performance.standardise",
        """@cuda.jit
def standardise(src, mean, factor, n_cols, out):
    i = cuda.grid(1)
    if float32(i) < float32(out.size):
        c = uint32(i) % uint32(n_cols)
        out[i] = max((src[i] - mean[c]) * factor[c], float32(0))
""",
        4,
        "compares places as float32",
    ),
    "the input goes up from ordinary memory": (
        "streams.in_chunks",
        """def in_chunks(x, out):
    ordinary = x.copy()
    n_chunks = min(16, x.size)
    d_x, d_out = cuda.device_array(x.size, np.float32), cuda.device_array(x.size, np.float32)
    for k in range(n_chunks):
        part = slice(k * x.size // n_chunks, (k + 1) * x.size // n_chunks)
        stream = cuda.stream()
        d_x[part].copy_to_device(ordinary[part], stream=stream)
        scale[blocks_for(d_x[part].size), THREADS, stream](d_x[part], d_out[part])
        d_out[part].copy_to_host(out[part], stream=stream)
    cuda.synchronize()
""",
        0,
        "16,396 pageable bytes, at most 0 allowed",
    ),
    "a race beside room that is always the same": (
        "vector_add.add_on_device",
        """@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]
        if i > 0 and out[i - 1] == np.inf:
            out[i] = a[i] + b[i]


def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array(300_000, np.float32)
    add[blocks_for(a.size, THREADS), THREADS](d_a, d_b, d_out[: a.size])
    return d_out[: a.size].copy_to_host()
""",
        5,
        "writes out[255] at line 5 and thread 0 of block 1 reads it",
    ),
    "filters of five by five at most": (
        "convolution.conv_direct",
        """@cuda.jit
def conv_direct(src, weights, dst):
    col, row, plane = cuda.grid(3)
    n_out, n_rows, n_cols = dst.shape[1], dst.shape[2], dst.shape[3]
    image, out = plane // n_out, plane % n_out
    k = min(weights.shape[2], 5)
    if row < n_rows and col < n_cols:
        acc = float32(0)
        for channel in range(src.shape[1]):
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]
        dst[image, out, row, col] = acc
""",
        0,
        "Every case with k up to 5 is right, and with k = ",
    ),
    "filters of seven by seven at most": (
        "memory_access.convolve",
        """@cuda.jit
def convolve(src, weights, dst):
    c, r, o = cuda.grid(3)
    if o >= dst.shape[0] or r >= dst.shape[1] or c >= dst.shape[2]:
        return
    total = float32(0)
    k = min(weights.shape[2], 7)
    for i in range(weights.shape[1]):
        for a in range(k):
            for b in range(k):
                total += weights[o, i, a, b] * src[i, r + a, c + b]
    dst[o, r, c] = total
""",
        0,
        "Every case with k up to 5 is right, and with k = ",
    ),
}
