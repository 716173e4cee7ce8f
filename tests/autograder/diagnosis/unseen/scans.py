"""Wrong answers to the first rungs of unit 07 from outside, each of a class, as in `answers`."""

FROM_SCANS = {  # exercise, source, line, what the verdict says
    "an infinity that a mask multiplies by 0": (
        "scan.scan_hillis_steele",
        """@cuda.jit
def scan_hillis_steele(src, dst):
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        x = s[max(t - d, 0)] * (t >= d)
        cuda.syncthreads()
        s[t] += x
        d *= 2
    if i < dst.size:
        dst[i] = s[t]
""",
        0,
        "it is NaN where it should not be",
    ),
    "a total that is NaN, left out": (
        "scan.scan_block",
        """@cuda.jit(device=True)
def warp_scan(x):
    lane = cuda.threadIdx.x % WARP
    d = 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, x, d)
        if lane >= d:
            x += y
        d *= 2
    return x


@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = 4 * cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    cuda.syncthreads()
    for w in range(warp):
        before += sums[w] if sums[w] == sums[w] else float32(0)
    store_four(dst, first, (before + a, before + b, before + c, before + d))
""",
        0,
        "it should be NaN and is not",
    ),
    "16 bytes from anywhere, in a given helper": (
        "scan.scan_block",
        """@cuda.jit(device=True)
def warp_scan(x):
    lane = cuda.threadIdx.x % WARP
    d = 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, x, d)
        if lane >= d:
            x += y
        d *= 2
    return x


@cuda.jit
def scan_block(src, dst):
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = cuda.grid(1)
    a, b, c, d = load_four(src, first)
    b += a
    c += b
    d += c
    upto = warp_scan(d)
    if lane == WARP - 1:
        sums[warp] = upto
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    cuda.syncthreads()
    for w in range(warp):
        before += sums[w]
    store_four(dst, first, (before + a, before + b, before + c, before + d))
""",
        18,
        "Line 18 calls `load_four`",
    ),
    "scanned before they are added up": (
        "scan.scan_device",
        """@cuda.jit
def piece_sums(src, sums):
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    before, total = block_before(acc)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def scan_sums(sums):
    start = int32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        before, total = block_before(sums[i] if i < sums.size else int32(0))
        if i < sums.size:
            sums[i] = start + before
        start = int32(start + total)


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
    scan_sums[1, THREADS](sums[:pieces])
    piece_sums[pieces, THREADS](src, sums)
    scan_pieces[pieces, THREADS](src, sums, dst)
""",
        0,
        "launch it before `scan_sums`",
    ),
    "whole numbers summed in a float32": (
        "scan.scan_device",
        """@cuda.jit
def piece_sums(src, sums):
    first = cuda.blockIdx.x * PIECE
    acc = int32(0)
    for i in range(first + cuda.threadIdx.x, min(first + PIECE, src.size), THREADS):
        acc = int32(acc + src[i])
    before, total = block_before(acc)
    if cuda.threadIdx.x == 0:
        sums[cuda.blockIdx.x] = total


@cuda.jit
def scan_sums(sums):
    start = float32(0)
    for first in range(0, sums.size, THREADS):
        i = first + cuda.threadIdx.x
        before, total = block_before(sums[i] if i < sums.size else int32(0))
        if i < sums.size:
            sums[i] = start + before
        start = float32(start + total)


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
    scan_sums[1, THREADS](sums[:pieces])
    scan_pieces[pieces, THREADS](src, sums, dst)
""",
        0,
        "Every argument is made of whole numbers",
    ),
}
