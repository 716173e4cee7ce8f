"""Mistakes that somebody made up and then followed the verdict to the letter: what was badly served, by its class."""

EIGHT_WARPS = """    if cuda.threadIdx.x % WARP == 0:
        partial[8 * cuda.blockIdx.x + cuda.threadIdx.x // WARP] = acc"""
OF_THE_GRID = """    if cuda.grid(1) % WARP == 0:
        partial[cuda.grid(1) // WARP] = acc"""
WHOLE_TURNS = """    each = src.size // cuda.gridsize(1)
    i = cuda.grid(1)
    for k in range(each):
        acc += src[i]
        i += cuda.gridsize(1)"""
A_GRID_STRIDE = """    for i in range(cuda.grid(1), src.size, cuda.gridsize(1)):
        acc += src[i]  # 4 sectors per warp, no barrier"""
THE_REST = """    while i < src.size:
        x0 = src[i]
        if overtakes(x0, best):
            best, at = x0, int32(i)
        i += step
"""
PROBE = "            place = (place + 1) & (table.size - 1)\n        cuda"
SIGN_FOR_NOTHING = """
@cuda.jit
def first_above(src, limit, first):
    row, lane = cuda.grid(1) // WARP, cuda.threadIdx.x % WARP
    if row < src.shape[0]:
        found, begin = -1, 0
        while found < 0 and begin < src.shape[1]:
            col = begin + lane
            votes = cuda.ballot_sync(FULL_WARP, col < src.shape[1] and src[row, col] > limit)
            if votes:
                found = begin + cuda.ffs(votes) - 1
            begin += WARP
        if lane == 0:
            first[row] = found
"""
EXCLUSIVE = """    before = cuda.shfl_up_sync(FULL_WARP, upto, 1)
    if lane == 0:
        before = float32(0)
"""
STRIDE_OF_ITS_OWN = """
@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    j = start + i
    if i < dst.size and j * step < src.size:
        dst[i] = src[j * step]
"""
A_SUM_A_TILE = """
@cuda.jit
def matmul_tiled(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    for first in range(0, a.shape[1], TILE):
        acc = float32(0)
        tile_a[ty, tx] = at(a, row, first + tx)
        tile_b[ty, tx] = at(b, first + ty, col)
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
        if row < c.shape[0] and col < c.shape[1]:
            c[row, col] = acc
"""
BITS = "cuda.libdevice.float_as_int(x))"

PLAYED = {  # exercise, what becomes of its solution, what the verdict says, what it must not say
    "warps of another launch": (
        "reductions.warp_sum",
        [(OF_THE_GRID, EIGHT_WARPS)],
        "`8` is how many warps the blocks of one launch have",
        "Guard",
    ),
    "turns that are rounded down": (
        "reductions.many_per_thread",
        [(A_GRID_STRIDE, WHOLE_TURNS)],
        "on nothing of src is ever read",
        "read your formula again",
    ),
    "a rest that nobody does": (
        "reductions.argmax",
        [(THE_REST, "")],
        "Some more lines after line 43 make every case right",
        "read your formula again",
    ),
    "a step in a search that goes round": (
        "atomics.count_keys",
        [(PROBE, PROBE.replace("+ 1", "+ 2"))],
        "Changing line 13 alone makes every case right: `2` is the wrong number",
        "second way out",
    ),
    "a search that spins for what another loop left out": (
        "atomics.count_keys",
        [("if seen == EMPTY or seen == keys[i]:", "if seen == keys[i]:")],
        "Look at line 11",
        "second way out",
    ),
    "a search that is wrong for some keys alone keeps nothing": (
        "atomics.count_keys",
        [(PROBE, PROBE.replace("&", "%"))],
        "Changing line 13 alone makes every case right",
        "Called again",
    ),
    "two lines that are wrong together": (
        "atomics.count_keys",
        [
            ("table[place] != asked[i]:", "table[place] != asked[i] and place + 1 < table.size:"),
            (
                "asked[i] and place + 1 < table.size:\n            place = (place + 1) & (table.size - 1)",
                "asked[i] and place + 1 < table.size:\n            place = place + 1",
            ),
        ],
        "Changing lines 26 to 27 makes every case right",
        "combine results with an atomic",
    ),
    "a number in the place of its bits": (
        "atomics.max_by_cas",
        [(BITS, "x)")],
        "what is asked for has to be made of it first",
        "wrong variable",
    ),
    "a number beside bits": (
        "atomics.max_by_cas",
        [("cuda.libdevice.int_as_float(seen):", "seen:")],
        "`seen` goes in as it is",
        "Make every element the work of one thread",
    ),
    "a sum that holds its own element": (
        "scan.scan_block",
        [(EXCLUSIVE, "    before = upto\n")],
        "more than one step is needed there",
        "read your formula again",
    ),
    "a place that is counted one too far": (
        "scan.compact",
        [("((1 << lane) - 1)", "((2 << lane) - 1)")],
        "Look at line 33",
        "as 0 does in a sum",
    ),
    "places of one block for all warps": (
        "scan.compact",
        [("dst[start + before + k]", "dst[start + k]")],
        "Changing line 45 alone makes every case right",
        "Let one thread write",
    ),
    "a look at a word takes no lock": (
        "scan.compact",
        [("leave(state, tile, PREFIX, start + total)", "leave(state, tile, PREFIX, start)")],
        "Look at line 40",
        "A lock is taken",
    ),
    "a sign for nothing that is stored": (
        "warps.first_above",
        SIGN_FOR_NOTHING,
        "holds -1, and src.shape[1] belongs there",
        "read your formula again",
    ),
    "a stride from another beginning": (
        "memory_access.take_every",
        STRIDE_OF_ITS_OWN,
        "of src is never read",
        "never written at n",
    ),
    "a sum that begins anew with every tile": (
        "matmul.matmul_tiled",
        A_SUM_A_TILE,
        "it sets `acc` anew in every iteration",
        "read your formula again",
    ),
}
