"""Wrong answers to unit 05 and to the sort of unit 07 from outside, each of a class, as in `answers`."""

FROM_WARPS = {  # exercise, source, line, what the verdict says
    "whoever is here votes": (
        "warps.pack_bits",
        """@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    if i < src.size:
        bits = cuda.ballot_sync(cuda.activemask(), src[i] > limit)
        if i % WARP == 0:
            words[i // WARP] = bits
""",
        5,
        "names the lanes that happen to be here, and not those that belong here",
    ),
    "an equal element is a hit": (
        "warps.first_above",
        """@cuda.jit
def first_above(src, limit, first):
    row = cuda.grid(1) // WARP
    lane = cuda.threadIdx.x % WARP
    n_cols = src.shape[1]
    if row < src.shape[0]:  # uniform: a warp has one row
        found = n_cols
        for begin in range(0, n_cols, WARP):
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < n_cols and src[row, col] >= limit)
            if votes != 0:  # the same word in all lanes: they leave together
                found = begin + cuda.ffs(votes) - 1
                break
        if lane == 0:
            first[row] = found
""",
        0,
        "An element that equals the limit is taken for a hit",
    ),
    "a sort of three rounds": (
        "scan.radix_sort",
        """@cuda.jit
def scatter_keys(keys, ends, out, shift):
    seen = cuda.shared.array((WARPS, DIGITS), int32)  # keys of each digit that a warp has met so far
    base, in_order = cuda.shared.array(DIGITS, int32), cuda.shared.array(TILE, uint32)
    key, rank = cuda.local.array(16, uint32), cuda.local.array(16, int32)
    lane, warp = cuda.threadIdx.x % WARP, cuda.threadIdx.x // WARP
    load_sixteen(key, keys, cuda.blockIdx.x, uint32(0xFFFFFFFF))
    clear_counters(seen)
    for k in range(16):
        digit = digit_of(key[k], shift)
        peers = cuda.match_any_sync(FULL_WARP, digit)
        lower = cuda.popc(peers & ((1 << lane) - 1))
        rank[k] = seen[warp, digit] + lower
        cuda.syncwarp()  # all lanes have read
        if lower == 0:
            seen[warp, digit] += cuda.popc(peers)
        cuda.syncwarp()  # the counters are written
    starts_of_warps(seen, ends, base)
    for k in range(16):
        in_order[seen[warp, digit_of(key[k], shift)] + rank[k]] = key[k]
    write_runs(in_order, base, out, shift)


def radix_sort(keys, spare, counts, sums):
    tiles = max(1, -(-keys.size // TILE))
    for shift in range(0, 24, 8):
        count_digits[tiles, THREADS](keys, counts, shift)
        scan_device(counts, sums, counts)
        scatter_keys[tiles, THREADS](keys, counts, spare, shift)
        keys, spare = spare, keys
""",
        0,
        "in order of their lowest 16 bits only",
    ),
}
