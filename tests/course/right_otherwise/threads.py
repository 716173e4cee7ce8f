"""Of warps, scans and atomics: other rounds, swaps that are tried again, grids that come round."""

THREADS = [
    (
        "warps.one_path",
        "factors_from_a_comparison",
        {
            """\
        a = float32(0.5) if x < 0 else float32(-0.5)  # a select: no lane goes another way
        b = float32(3) if x < 0 else float32(1)""": """\
        below = float32(x < 0)
        a = below - float32(0.5)
        b = float32(1) + float32(2) * below""",
        },
    ),
    (
        "warps.first_above",
        "while_nothing_is_found",
        {
            """\
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] > limit)
            if votes != 0:  # the same word in all lanes: they leave together
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found""": """\
        begin = 0
        found = n_cols
        while begin < n_cols and found == n_cols:
            above = False
            if begin + lane < n_cols:
                above = src[row, begin + lane] > limit
            votes = cuda.ballot_sync(FULL_WARP, above)
            if votes:
                found = begin + cuda.ffs(votes) - 1
            begin += 32
        if lane == 0:
            first[row] = found""",
        },
    ),
    (
        "warps.scan_rows",
        "carry_beside_the_scan",
        {
            """\
            value = warp_scan(value) + carry
            if col < src.shape[1]:
                dst[row, col] = value
            carry = cuda.shfl_sync(FULL_WARP, value, WARP - 1)  # lane 31 has the sum so far""": """\
            upto = warp_scan(value)
            if col < src.shape[1]:
                dst[row, col] = carry + upto
            carry += cuda.shfl_sync(FULL_WARP, upto, 31)""",
        },
    ),
    (
        "warps.pack_bits",
        "lane_zero_stores",
        {
            "if i % WARP == 0 and i < src.size:": "if cuda.laneid == 0 and i // WARP < words.size:",
        },
    ),
    (
        "warps.count_matched",
        "leader_by_its_first_bit",
        {
            """\
        group = cuda.match_any_sync(mask, key)
        if group & cuda.lanemask_lt() == 0:  # the lowest lane of its group
            cuda.atomic.add(hist, key, cuda.popc(group))""": """\
        group = cuda.match_any_sync(mask, key)
        leader = cuda.ffs(group) - 1
        if cuda.laneid == leader:
            cuda.atomic.add(hist, key, cuda.popc(group))""",
        },
    ),
    (
        "warps.transpose_by_lanes",
        "generic_rounds",
        {
            """\
    for k in range(SIDE):
        if k & 4 == 0:
            a[k], a[k + 4] = exchange(a[k], a[k + 4], 4)
    for k in range(SIDE):
        if k & 2 == 0:
            a[k], a[k + 2] = exchange(a[k], a[k + 2], 2)
    for k in range(SIDE):
        if k & 1 == 0:
            a[k], a[k + 1] = exchange(a[k], a[k + 1], 1)""": """\
    d = SIDE // 2
    while d > 0:
        for k in range(SIDE):
            if k & d == 0:
                a[k], a[k + d] = exchange(a[k], a[k + d], d)
        d //= 2""",
        },
    ),
    (
        "scan.scan_hillis_steele",
        "two_buffers",
        {
            """\
    s = cuda.shared.array(THREADS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = src[i] if i < src.size else float32(0)
    d = 1
    while d < THREADS:
        cuda.syncthreads()  # the cells of the iteration before are written
        x = s[t - d] if t >= d else float32(0)
        cuda.syncthreads()  # all threads have read before any of them writes
        if t >= d:
            s[t] += x
        d *= 2
    if i < dst.size:
        dst[i] = s[t]""": """\
    s = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    now = 0
    x = src[i] if i < src.size else float32(0)
    s[0, t] = x
    d = 1
    while d < THREADS:
        cuda.syncthreads()
        if t >= d:
            x += s[now, t - d]
        now = 1 - now
        s[now, t] = x
        d *= 2
    if i < dst.size:
        dst[i] = x""",
        },
    ),
    (
        "scan.scan_device",
        "loop_ends_with_data",
        {
            "    for turn in range(PIECE // THREADS):": """\
    left = min(PIECE, src.size - cuda.blockIdx.x * PIECE)
    for turn in range((left + THREADS - 1) // THREADS):""",
        },
    ),
    (
        "scan.radix_sort",
        "unrolled_pairs",
        {
            """\
    for shift in range(0, 32, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys""": """\
    for turn in range(4):
        source, to = (keys, spare) if turn % 2 == 0 else (spare, keys)
        count_digits[tiles, THREADS](source, counts, 8 * turn)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](source, counts, to, 8 * turn)""",
        },
    ),
    (
        "scan.scan_lookback",
        "first_tile_apart",
        {
            """\
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM, total))
        before = look_back(state, tile)""": """\
        if t == 0:
            cuda.atomic.exch(state, tile, word_of(SUM if tile > 0 else PREFIX, total))
        before = float32(0)
        if tile > 0:
            before = look_back(state, tile)""",
        },
    ),
    (
        "atomics.histogram_global",
        "loop_that_ends_at_once",
        {
            """\
    if i < src.size:
        cuda.atomic.add(hist, src[i], 1)""": """\
    while i < src.size:
        cuda.atomic.add(hist, src[i], 1)
        i += cuda.gridsize(1)""",
        },
    ),
    (
        "atomics.histogram_shared",
        "skips_empty_bins",
        {
            "    cuda.atomic.add(hist, t, s[t])": """\
    if s[t] != 0:
        cuda.atomic.add(hist, t, s[t])""",
        },
    ),
    (
        "atomics.max_by_cas",
        "done_instead_of_break",
        {
            """\
    if i < src.size:
        x = src[i]
        seen = cuda.atomic.cas(best_bits, 0, 0, 0)  # looks, and changes nothing
        while x > cuda.libdevice.int_as_float(seen):
            found = cuda.atomic.cas(best_bits, 0, seen, cuda.libdevice.float_as_int(x))
            if found == seen:
                break  # nobody got in between
            seen = found""": """\
    if i < src.size:
        x = src[i]
        done = False
        seen = best_bits[0]
        while not done:
            if not (x > cuda.libdevice.int_as_float(seen)):
                done = True
            else:
                was = seen
                seen = cuda.atomic.cas(best_bits, 0, was, cuda.libdevice.float_as_int(x))
                done = seen == was""",
        },
    ),
    (
        "atomics.count_keys",
        "looks_before_it_swaps",
        {
            """\
            seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
""": """\
            seen = table[place]
            if seen == EMPTY:
                seen = cuda.atomic.cas(table, place, EMPTY, keys[i])
""",
        },
    ),
    (
        "atomics.count_keys",
        "capped_grid",
        {
            """\
    i = cuda.grid(1)
    if i < asked.size:
        place = place_of(asked[i], table.size)
        while table[place] != EMPTY and table[place] != asked[i]:
            place = (place + 1) & (table.size - 1)
        found[i] = counts[place] if table[place] == asked[i] else 0""": """\
    for i in range(cuda.grid(1), asked.size, cuda.gridsize(1)):
        key = asked[i]
        place = place_of(key, table.size)
        while table[place] != key and table[place] != EMPTY:
            place += 1
            if place == table.size:
                place = 0
        found[i] = 0
        if table[place] == key:
            found[i] = counts[place]""",
            "look_up[max(1, -(-asked.size // THREADS)),": "look_up[min(64, max(1, -(-asked.size // THREADS))),",
        },
    ),
    (
        "atomics.work_queue",
        "break_where_no_row_is_left",
        {
            """\
    row = 0
    while row < sums.size:
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, 1)
        row = cuda.shfl_sync(FULL_WARP, row, 0)  # all lanes hear what lane 0 drew
        if row < sums.size:
            acc = float32(0)
            for i in range(offsets[row] + lane, offsets[row + 1], WARP):
                acc += src[i]
            acc = warp_total(acc)
            if lane == 0:
                sums[row] = acc""": """\
    while True:
        row = 0
        if lane == 0:
            row = cuda.atomic.add(next_row, 0, 1)
        row = cuda.shfl_sync(FULL_WARP, row, 0)
        if row >= sums.size:
            break
        acc = float32(0)
        i = offsets[row] + lane
        end = offsets[row + 1]
        while i < end:
            acc += src[i]
            i += WARP
        acc = warp_total(acc)
        if lane == 0:
            sums[row] = acc""",
        },
    ),
]
