"""Wrong answers to the rungs of unit 07 whose blocks wait, from outside, as in `answers`."""

FROM_LOOK_BACKS = {  # exercise, source, line, what the verdict says
    "enough turns for 64 tiles": (
        "scan.scan_lookback",
        """@cuda.jit(device=True)
def look_back(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane
    for _ in range(2):
        if found != 0:
            break
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest
        before += warp_total(value_in(word) if counts else float32(0))
        at -= WARP
    return before


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
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])
""",
        0,
        "depending on the order in which blocks run",
    ),
    "words masked by multiplication": (
        "scan.scan_lookback",
        """@cuda.jit(device=True)
def look_back(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest
        before += warp_total(value_in(word) * counts)
        at -= WARP
    return before


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
    cuda.syncthreads()
    store_tile(dst, tile, sums, start[0])
""",
        0,
        "it is NaN where it should not be",
    ),
    "a limit below what stands past the end": (
        "scan.compact",
        """@cuda.jit(device=True)
def count_before(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = int32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        counts = found == 0 or lane < cuda.ffs(found)
        before = int32(before + warp_total(int32(word & 0xFFFFFFFF) if counts else int32(0)))
        at -= WARP
    return before


@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    load_sixteen(x, src, tile, float32(0))
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    start = int32(0)
    if warp == 0:
        leave(state, tile, SUM, total)
        start = count_before(state, tile)
        leave(state, tile, PREFIX, start + total)
    start = told_by_first_warp(start)
    if cuda.threadIdx.x == 0 and tile == cuda.gridDim.x - 1:
        count[0] = start + total
    for k in range(lane, n, WARP):
        dst[start + before + k] = kept[warp, k]
""",
        0,
        "limit = -",
    ),
    "a limit without its fraction": (
        "scan.compact",
        """@cuda.jit(device=True)
def count_before(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = int32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        counts = found == 0 or lane < cuda.ffs(found)
        before = int32(before + warp_total(int32(word & 0xFFFFFFFF) if counts else int32(0)))
        at -= WARP
    return before


@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    load_sixteen(x, src, tile, limit)
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > float32(int(limit)))
        if x[k] > float32(int(limit)):
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    start = int32(0)
    if warp == 0:
        leave(state, tile, SUM, total)
        start = count_before(state, tile)
        leave(state, tile, PREFIX, start + total)
    start = told_by_first_warp(start)
    if cuda.threadIdx.x == 0 and tile == cuda.gridDim.x - 1:
        count[0] = start + total
    for k in range(lane, n, WARP):
        dst[start + before + k] = kept[warp, k]
""",
        0,
        "limit = 4.5",
    ),
    "where every tile begins at its own": (
        "scan.compact",
        """@cuda.jit(device=True)
def count_before(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = int32(0), 0
    at = tile - 1 - lane
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        counts = found == 0 or lane < cuda.ffs(found)
        before = int32(before + warp_total(int32(word & 0xFFFFFFFF) if counts else int32(0)))
        at -= WARP
    return before


@cuda.jit
def compact(src, limit, state, ticket, dst, count):
    kept = cuda.shared.array((WARPS, SHARE), float32)
    x = cuda.local.array(16, float32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    tile = draw_tile(ticket)
    load_sixteen(x, src, tile, limit)
    n = int32(0)
    for k in range(16):
        votes = cuda.ballot_sync(FULL_WARP, x[k] > limit)
        if x[k] > limit:
            kept[warp, n + cuda.popc(votes & ((1 << lane) - 1))] = x[k]
        n = int32(n + cuda.popc(votes))
    before, total = warps_before(n)
    start = int32(0)
    if warp == 0:
        leave(state, tile, SUM, total)
        start = count_before(state, tile)
        leave(state, tile, PREFIX, start + total)
    start = told_by_first_warp(start)
    if cuda.threadIdx.x == 0 and tile == cuda.gridDim.x - 1:
        count[0] = start + total
    for k in range(lane, n, WARP):
        dst[before + k] = kept[warp, k]
""",
        0,
        "`before` is the wrong variable",
    ),
}
