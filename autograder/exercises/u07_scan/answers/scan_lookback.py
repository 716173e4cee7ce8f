"""Answers to scan.scan_lookback."""

from numba import cuda, float32, int32, int64

from autograder.exercises.catalogue import right, wrong
from autograder.notebook.intrinsics import load16, store16

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF
TILE = 4096
SHARE = 512
SUM, PREFIX = 1, 2


@cuda.jit(device=True, forceinline=True)
def load_four(src, i):
    """src[i] to src[i + 3], 0 past the end. src: float32; i: a multiple of 4."""
    if i + 4 <= src.size:
        return load16(src, i)  # one request of 16 bytes
    zero = float32(0)
    return (
        src[i] if i < src.size else zero,
        src[i + 1] if i + 1 < src.size else zero,
        src[i + 2] if i + 2 < src.size else zero,
        zero,
    )


@cuda.jit(device=True, forceinline=True)
def store_four(dst, i, x):
    """dst[i] to dst[i + 3] = x, as far as there is a dst. dst: float32; i: a multiple of 4; x: 4 float32."""
    if i + 4 <= dst.size:
        store16(dst, i, x)
    else:
        if i < dst.size:
            dst[i] = x[0]
        if i + 1 < dst.size:
            dst[i + 1] = x[1]
        if i + 2 < dst.size:
            dst[i + 2] = x[2]


@cuda.jit(device=True, forceinline=True)
def word_of(flag, x):
    """A flag and the 32 bits of x, in one int64. x: float32."""
    return int64(flag) << 32 | int64(cuda.libdevice.float_as_int(x)) & 0xFFFFFFFF


@cuda.jit(device=True, forceinline=True)
def value_in(word):
    """The float32 in the lower half of a word; the flag is `word >> 32`."""
    return cuda.libdevice.int_as_float(int32(word & 0xFFFFFFFF))


@cuda.jit(device=True, forceinline=True)
def peek(state, i):
    """state[i] as it is now: an atomic, so that no compiler and no cache answers with an old one."""
    return cuda.atomic.add(state, i, 0)


@cuda.jit(device=True)
def warp_total(x):
    """The sum of x over the lanes of a warp, for all of them. Every lane must call."""
    d = WARP // 2
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True, forceinline=True)
def scan_four(x):
    """(four running sums within the 128 elements of a warp, their total). x: this lane's four neighbours."""
    lane = cuda.threadIdx.x % WARP
    b = x[0] + x[1]
    c = b + x[2]
    upto, d = c + x[3], 1
    while d < WARP:
        y = cuda.shfl_up_sync(FULL_WARP, upto, d)
        if lane >= d:
            upto += y
        d *= 2
    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
    return (before + x[0], before + b, before + c, upto), cuda.shfl_sync(FULL_WARP, upto, WARP - 1)


@cuda.jit(device=True, forceinline=True)
def scan_tile(src, tile):
    """A block's tile of 4,096: its running sums, 16 per thread, which stay in registers, and its total. All call."""
    sums = cuda.shared.array(WARPS, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    first = tile * TILE + warp * SHARE + 4 * lane
    x0, x1 = load_four(src, first), load_four(src, first + 128)  # a warp has 512 neighbours, in four groups of 128
    x2, x3 = load_four(src, first + 256), load_four(src, first + 384)
    x0, total0 = scan_four(x0)
    x1, total1 = scan_four(x1)
    x2, total2 = scan_four(x2)
    x3, total3 = scan_four(x3)
    total1 += total0
    total2 += total1
    if lane == 0:
        sums[warp] = total2 + total3
    cuda.syncthreads()  # the totals of all warps are written
    before = total = float32(0)
    for w in range(WARPS):
        if w == warp:
            before = total
        total += sums[w]
    return (plus(x0, before), plus(x1, before + total0), plus(x2, before + total1), plus(x3, before + total2)), total


@cuda.jit(device=True, forceinline=True)
def plus(x, y):
    """Four numbers, y more each."""
    return x[0] + y, x[1] + y, x[2] + y, x[3] + y


@cuda.jit(device=True, forceinline=True)
def store_tile(dst, tile, sums, start):
    """Write what `scan_tile` returned, `start` more each, to the tile's place in dst."""
    first = tile * TILE + cuda.threadIdx.x // WARP * SHARE + 4 * (cuda.threadIdx.x % WARP)
    store_four(dst, first, plus(sums[0], start))
    store_four(dst, first + 128, plus(sums[1], start))
    store_four(dst, first + 256, plus(sums[2], start))
    store_four(dst, first + 384, plus(sums[3], start))


@cuda.jit(device=True)
def look_back(state, tile):
    """The sum of all tiles before `tile`, for every lane of the one warp that calls. state: (tiles,) int64."""
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane  # lane 0 has the nearest tile
    while found == 0:
        word = word_of(PREFIX, float32(0))  # before the first tile
        if at >= 0:
            word = peek(state, at)
        while cuda.any_sync(FULL_WARP, word >> 32 == 0):  # they have started, so they will leave something
            if word >> 32 == 0:
                word = peek(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest  # further back: in the prefix already
        before += warp_total(value_in(word) if counts else float32(0))
        at -= WARP
    return before


@cuda.jit(device=True)
def look_back_alone(state, tile):
    """The sum of all tiles before, by one thread."""
    before = float32(0)
    at = tile - 1
    while at >= 0:
        word = peek(state, at)
        while word >> 32 == 0:
            word = peek(state, at)
        before += value_in(word)
        if word >> 32 == PREFIX:
            break
        at -= 1
    return before


@cuda.jit(device=True)
def all_sums(state, tile):
    """The sum of all tiles before, by one thread that adds up every SUM and looks for no prefix."""
    before = float32(0)
    for at in range(tile):
        word = peek(state, at)
        while word >> 32 == 0:
            word = peek(state, at)
        before += value_in(word)
    return before


@cuda.jit(device=True)
def nearest_only(state, tile):
    """What the tile before has left, sum or prefix."""
    word = word_of(PREFIX, float32(0))
    if tile > 0:
        word = peek(state, tile - 1)
        while word >> 32 == 0:
            word = peek(state, tile - 1)
    return value_in(word)


@cuda.jit(device=True)
def look_back_too_far(state, tile):
    """The course's own, without a limit at the nearest prefix."""
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = word_of(PREFIX, float32(0))
        if at >= 0:
            word = peek(state, at)
        while cuda.any_sync(FULL_WARP, word >> 32 == 0):
            if word >> 32 == 0:
                word = peek(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        before += warp_total(value_in(word))
        at -= WARP
    return before


@right("one_thread_looks_back")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t == 0:
        cuda.atomic.exch(state, tile, word_of(SUM, total))
        start[0] = look_back_alone(state, tile)
        cuda.atomic.exch(state, tile, word_of(PREFIX, start[0] + total))
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@right("chained_in_the_loop")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t == 0:
        waiting = True
        while waiting:
            word = peek(state, tile - 1) if tile > 0 else word_of(PREFIX, float32(0))
            if word >> 32 == PREFIX:
                start[0] = value_in(word)
                cuda.atomic.exch(state, tile, word_of(PREFIX, start[0] + total))
                waiting = False
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@right("chained_and_handed_on_afterwards")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t == 0:
        before = float32(0)
        if tile > 0:
            word = peek(state, tile - 1)
            while word == 0:
                word = peek(state, tile - 1)
            before = value_in(word)
        cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
        start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@right("last_warp_looks_back")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t >= THREADS - WARP:
        if t == THREADS - 1:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == THREADS - 1:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@right("last_thread_draws")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    told, begins = cuda.shared.array(1, int32), cuda.shared.array(1, float32)
    if cuda.threadIdx.x == THREADS - 1:
        told[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    sums, total = scan_tile(src, told[0])
    if cuda.threadIdx.x < WARP:
        lane = cuda.threadIdx.x
        if lane == 0:
            cuda.atomic.exch(state, told[0], word_of(SUM, total))
        before = look_back(state, told[0])
        if lane == 31:
            begins[0] = before
            cuda.atomic.exch(state, told[0], word_of(PREFIX, total + before))
    cuda.syncthreads()
    store_tile(dst, told[0], sums, begins[0])


@wrong("tile_is_blockIdx", misconception="infinite_loop", says="ticket", outcome="TimedOut")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.blockIdx.x
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@right("leaves_its_sum_afterwards")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("no_look_back", misconception="tiles_alone", says="4,096 elements")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = float32(0)
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("adds_up_everything_it_sees", misconception="order_dependent", says="expected")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back_too_far(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("nearest_tile_only", misconception="order_dependent", says="order")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = nearest_only(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("every_sum_and_prefix", misconception="order_dependent", says="expected")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = all_sums(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("start_not_awaited", misconception="missing_barrier", says="start")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    store_tile(dst, tile, sums, start[0])


@wrong("tile_not_awaited", misconception="missing_barrier", says="drawn")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])


@wrong("flag_before_number", misconception="grid_order", says="dst")
@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t == 0:
        waiting = True
        while waiting:
            if tile == 0 or peek(state, tile - 1) != 0:
                start[0] = dst[tile * TILE - 1] if tile > 0 else float32(0)
                if (tile + 1) * TILE <= dst.size:
                    dst[(tile + 1) * TILE - 1] = start[0] + total
                cuda.atomic.exch(state, tile, 1)
                waiting = False
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])
