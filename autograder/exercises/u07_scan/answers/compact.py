"""Answers to scan.compact."""

from numba import cuda, float32, int32, int64

from autograder.exercises.catalogue import right, wrong

THREADS = 256
WARP = 32
WARPS = 8
FULL_WARP = 0xFFFFFFFF
TILE = 4096
SHARE = 512
SUM, PREFIX = 1, 2
BEGINS = WARPS + 1


@cuda.jit(device=True, forceinline=True)
def peek(state, i):
    """The course's own."""
    return cuda.atomic.add(state, i, 0)


@cuda.jit(device=True)
def warp_total(x):
    """The sum of x over the lanes of a warp, for all of them. Every lane must call."""
    d = WARP // 2
    while d > 0:
        x += cuda.shfl_xor_sync(FULL_WARP, x, d)
        d //= 2
    return x


@cuda.jit(device=True)
def draw_tile(ticket):
    """The tile of a block, for all of its threads; every thread must call."""
    drawn = cuda.shared.array(1, int32)
    if cuda.threadIdx.x == 0:
        drawn[0] = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    return drawn[0]


@cuda.jit(device=True)
def warps_before(n):
    """(sum of n over the warps before, sum over the block). n: int32, the same in all lanes of a warp; all call."""
    counts = cuda.shared.array(WARPS, int32)
    warp = cuda.threadIdx.x // WARP
    if cuda.threadIdx.x % WARP == 0:
        counts[warp] = n
    cuda.syncthreads()
    before = total = int32(0)
    for w in range(WARPS):
        if w == warp:
            before = total
        total = int32(total + counts[w])
    return before, total


@cuda.jit(device=True)
def count_before(state, tile):
    """The counts of all tiles before `tile` added up, for every lane of the one warp that calls. state: int64."""
    lane = cuda.threadIdx.x % WARP
    before, found = int32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = int64(PREFIX) << 32
        if at >= 0:
            word = peek(state, at)
        while cuda.any_sync(FULL_WARP, word >> 32 == 0):
            if word >> 32 == 0:
                word = peek(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        counts = found == 0 or lane < cuda.ffs(found)
        before = int32(before + warp_total(int32(word & 0xFFFFFFFF) if counts else int32(0)))
        at -= WARP
    return before


@right("whole_block_copies")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    held = cuda.shared.array(WARPS, int32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if lane == 0:
        held[warp] = n
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before = told[0]
    for w in range(WARPS):
        for k in range(cuda.threadIdx.x, held[w], THREADS):
            dst[before + k] = kept[w, k]
        before += held[w]


@right("reads_in_turns")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    n = int32(0)
    first = tile * TILE + warp * SHARE
    for i in range(first + lane, first + SHARE, WARP):
        y = limit
        if i < src.size:
            y = src[i]
        votes = cuda.ballot_sync(FULL_WARP, y > limit)
        if y > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = y
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@cuda.jit(device=True)
def start_of(state, tile, total, count):
    """What is kept before a tile, for the one warp that calls; leaves the tile's sum, its prefix, and the count."""
    lane = cuda.threadIdx.x % WARP
    if lane == 0:
        cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
    start = count_before(state, tile)
    if lane == 0:
        cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
        if tile == cuda.gridDim.x - 1:
            count[0] = start + total
    return start


@right("a_helper_hands_on")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    lane, warp = cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
    tile = draw_tile(ticket)
    first, n = tile * TILE + warp * SHARE + lane, int32(0)
    for k in range(SHARE // WARP):
        x = src[first + k * WARP] if first + k * WARP < src.size else limit
        votes = cuda.ballot_sync(FULL_WARP, x > limit)
        if x > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        start = start_of(state, tile, total, count)
        if lane == 0:
            told[0] = start
    cuda.syncthreads()
    for k in range(lane, n, WARP):
        dst[told[0] + before + k] = kept[warp, k]


@right("the_last_warp_looks_back")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = limit
        if i < src.size:
            x[k] = src[i]
    n = int32(0)
    for k in range(16):
        keeps = x[k] > limit
        votes = cuda.ballot_sync(FULL_WARP, keeps)
        if keeps:
            kept[warp, n + cuda.popc(votes << (32 - lane) & FULL_WARP)] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == WARPS - 1:
        start = start_of(state, tile, total, count)
        if lane == 31:
            told[0] = start
    cuda.syncthreads()
    k = lane
    while k < n:
        dst[before + told[0] + k] = kept[warp, k]
        k += WARP


@right("flat_cells")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array(TILE, float32)
    told = cuda.shared.array(1, int32)
    t = cuda.threadIdx.x
    lane, warp = t % WARP, t // WARP
    tile = draw_tile(ticket)
    own, n = warp * SHARE, int32(0)
    for k in range(16):
        i = tile * TILE + own + k * WARP + lane
        x, keeps = limit, False
        if i < src.size:
            x = src[i]
            keeps = x > limit
        votes = cuda.ballot_sync(FULL_WARP, keeps)
        if keeps:
            kept[own + n + cuda.popc(votes & ((1 << lane) - 1))] = x
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[own + k]


@right("one_thread_adds_up_the_warps")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept, x = cuda.shared.array((WARPS, SHARE), float32), cuda.local.array(16, float32)
    begins, told = cuda.shared.array(BEGINS, int32), cuda.shared.array(1, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    if lane == 0:
        begins[warp + 1] = n
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        begins[0] = 0
        for w in range(WARPS):
            begins[w + 1] += begins[w]
    cuda.syncthreads()
    if warp == 0:
        start = start_of(state, tile, begins[WARPS], count)
        if lane == 0:
            told[0] = start
    cuda.syncthreads()
    for k in range(lane, n, WARP):
        dst[told[0] + begins[warp] + k] = kept[warp, k]


@wrong("equal_is_kept", misconception="keeps_equal", says="not above")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit - float32(1)
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] >= limit)
        if x[k] >= limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("above_zero", misconception="fixed_limit", says="above 0")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else float32(0)
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > 0)
        if x[k] > 0:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("tile_is_blockIdx", misconception="infinite_loop", says="ticket", outcome="TimedOut")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = cuda.blockIdx.x
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("warps_before_forgotten", misconception="lost_update", says="both write")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before = told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("own_vote_counted", misconception="uninitialised_read", says="kept")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((2 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("start_not_awaited", misconception="missing_barrier", says="told")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("every_block_counts", misconception="lost_update", says="count")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]


@wrong("places_from_a_counter", misconception="order_dependent", says="order")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    first = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    for i in range(first, min(src.size, (cuda.blockIdx.x + 1) * TILE), THREADS):
        if src[i] > limit:
            dst[cuda.atomic.add(ticket, 0, 1)] = src[i]
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        if cuda.atomic.add(state, 0, 1) == cuda.gridDim.x - 1:
            count[0] = cuda.atomic.add(ticket, 0, 0)


@wrong("stays_where_it_was", misconception="gaps_left", says="old place")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    first = cuda.blockIdx.x * TILE + cuda.threadIdx.x
    for i in range(first, min(src.size, (cuda.blockIdx.x + 1) * TILE), THREADS):
        if src[i] > limit:
            dst[i] = src[i]
            cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.threadfence()
        if cuda.atomic.add(state, 0, 1) == cuda.gridDim.x - 1:
            count[0] = cuda.atomic.add(ticket, 0, 0)


@wrong("straight_to_dst", misconception="scattered_stores", says="gaps")
@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    told = cuda.shared.array(1, int32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    for k in range(16):
        i = tile * TILE + warp * SHARE + k * WARP + lane
        x[k] = src[i] if i < src.size else limit
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    if warp == 0:
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(SUM) << 32 | total)
        start = count_before(state, tile)
        if lane == 0:
            cuda.atomic.exch(state, tile, int64(PREFIX) << 32 | (start + total))
            told[0] = start
            if tile == cuda.gridDim.x - 1:
                count[0] = start + total
    cuda.syncthreads()
    before += told[0]
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            dst[before + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        before += cuda.popc(votes)
