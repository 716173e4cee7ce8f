"""Wrong answers from outside whose sentences were weak: told as another mistake, or without their line."""

WEAKLY_TOLD = {  # exercise, source, line, what the verdict says
    "a ticket drawn with no atomic": (
        "scan.scan_lookback",
        """@cuda.jit(device=True)
def look_back(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane  # lane 0 has the nearest tile
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest  # further back: in the prefix already
        before += warp_total(value_in(word) if counts else float32(0))
        at -= WARP
    return before


@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    if t == 0:
        drawn[0] = ticket[0]
        ticket[0] += 1
    cuda.syncthreads()  # the tile is known to all
    tile = drawn[0]
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()  # the start is known to all
    store_tile(dst, tile, sums, start[0])
""",
        23,
        "both update ticket[0]",
    ),
    "a ticket for every thread": (
        "scan.scan_lookback",
        """@cuda.jit(device=True)
def look_back(state, tile):
    lane = cuda.threadIdx.x % WARP
    before, found = float32(0), 0
    at = tile - 1 - lane  # lane 0 has the nearest tile
    while found == 0:
        word = wait_for(state, at)
        found = cuda.ballot_sync(FULL_WARP, word >> 32 == PREFIX)
        nearest = cuda.ffs(found) - 1
        counts = found == 0 or lane <= nearest  # further back: in the prefix already
        before += warp_total(value_in(word) if counts else float32(0))
        at -= WARP
    return before


@cuda.jit
def scan_lookback(src, state, ticket, dst):
    drawn = cuda.shared.array(1, int32)
    start = cuda.shared.array(1, float32)
    t = cuda.threadIdx.x
    tile = cuda.atomic.add(ticket, 0, 1)
    cuda.syncthreads()
    sums, total = scan_tile(src, tile)
    if t < WARP:
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(PREFIX, before + total))
            start[0] = before
    cuda.syncthreads()  # the start is known to all
    store_tile(dst, tile, sums, start[0])
""",
        21,
        "Let thread 0 draw one for its block",
    ),
    "a search that never begins again": (
        "atomics.count_keys",
        """@cuda.jit
def put_in(keys, table, counts):
    i = cuda.grid(1)
    if i < keys.size:
        place = place_of(keys[i], table.size)
        while True:
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
            if seen == EMPTY or seen == keys[i]:
                break  # taken just now, or by an equal key
            place = place + 1
        cuda.atomic.add(counts, place, 1)


@cuda.jit
def look_up(asked, table, counts, found):
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != EMPTY and table[place] != asked[i]:
            place = place + 1
        found[i] = counts[place] if table[place] == asked[i] else 0


def count_keys(keys, asked, table, counts, found):
    put_in[max(1, -(-keys.size // THREADS)), THREADS](keys, table, counts)
    look_up[max(1, -(-asked.size // THREADS)), THREADS](asked, table, counts, found)
""",
        7,
        "behind the last place comes the first one",
    ),
    "a wait for the other buffer": (
        "streams.two_buffers",
        """def two_buffers(batches):
    streams = [cuda.stream(), cuda.stream()]
    pinned = [cuda.pinned_array(batches.shape[1], np.float32) for _ in streams]
    device = [cuda.device_array(batches.shape[1], np.float32) for _ in streams]
    copied = [cuda.event() for _ in streams]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        if k >= 2:
            copied[1 - turn].synchronize()
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        copied[turn].record(streams[turn])
        add_up[blocks_for(batches.shape[1]), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()
""",
        11,
        "waits for another copy than that of line",
    ),
    "a wait that comes a batch too late": (
        "streams.two_buffers",
        """def two_buffers(batches):
    streams = [cuda.stream(), cuda.stream()]
    pinned = [cuda.pinned_array(batches.shape[1], np.float32) for _ in streams]
    device = [cuda.device_array(batches.shape[1], np.float32) for _ in streams]
    copied = [cuda.event() for _ in streams]
    sums = cuda.to_device(np.zeros(len(batches), np.float32))
    for k in range(len(batches)):
        turn = k % 2
        if k >= 3:
            copied[turn].synchronize()
        pinned[turn][:] = batches[k]
        device[turn].copy_to_device(pinned[turn], stream=streams[turn])
        copied[turn].record(streams[turn])
        add_up[blocks_for(batches.shape[1]), THREADS, streams[turn]](device[turn], sums, k)
    cuda.synchronize()
    return sums.copy_to_host()
""",
        11,
        "line 9 lets it happen only where `k >= 3`",
    ),
    "blocks: rounded to the nearest": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return max(1, round(n / threads))
""",
        2,
        "rounds to the nearest",
    ),
    "blocks: half a block more, cut": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return int(n / threads + 0.5)
""",
        2,
        "rounds to the nearest",
    ),
    "blocks: rounded down": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return n // threads
""",
        2,
        "Write `(n + threads - 1) // threads` in place of `n // threads`",
    ),
    "blocks: one block more, always": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return n // threads + 1
""",
        2,
        "Write `(n + threads - 1) // threads` in place of",
    ),
    "blocks: a float of blocks": (
        "vector_add.blocks_for",
        """def blocks_for(n, threads):
    return n / threads
""",
        2,
        "A float came back",
    ),
    "a grid that is a float": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[a.size / 256, THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()
""",
        4,
        "must be integers",
    ),
    "a grid that may be empty": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[a.size // THREADS, THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()
""",
        4,
        "holds 0 blocks",
    ),
    "a grid rounded to the nearest": (
        "vector_add.add_on_device",
        """def add_on_device(a, b):
    d_a, d_b = cuda.to_device(a), cuda.to_device(b)
    d_out = cuda.device_array_like(d_a)
    vector_add[max(1, round(a.size / THREADS)), THREADS](d_a, d_b, d_out)
    return d_out.copy_to_host()
""",
        4,
        "rounds to the nearest",
    ),
}
