"""Wrong answers to units 03, 05, 10 and 12 from outside, each of a class, as in `answers`."""

FROM_FOUR_UNITS = {  # exercise, source, line, what the verdict says
    "a step of 0 that is skipped": (
        "memory_access.drift",
        """@cuda.jit
def drift(bodies, dt):
    i = cuda.grid(1)
    if dt == 0:
        return
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += dt * bodies[4 + axis, i]
""",
        0,
        "wrong only where the input has infinities or NaN",
    ),
    "wide for one start alone": (
        "memory_access.copy_from",
        """@cuda.jit
def copy_from(src, start, dst):
    first = 4 * cuda.grid(1)
    if start == 4 and first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]
""",
        0,
        "a start that 16 bytes may begin",
    ),
    "a limit that no block explains": (
        "memory_access.take_every",
        """@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < min(dst.size, 2000):
        dst[i] = src[start + i * step]
""",
        0,
        "Some elements of dst were never written",
    ),
    "an end that wraps round": (
        "memory_access.take_every",
        """@cuda.jit
def take_every(src, start, step, dst):
    i = cuda.grid(1)
    if i < dst.size:
        dst[i] = src[(start + i * step) % (src.size - 1)] if src.size > 1 else src[0]
""",
        0,
        "has a part too many",
    ),
    "one pass at least": (
        "memory_access.read_again",
        """@cuda.jit
def read_again(src, times, sums):
    t = cuda.grid(1)
    acc = float32(0)
    turn = 0
    while True:
        for i in range(t, src.size, cuda.gridsize(1)):
            acc += src[i]
        turn += 1
        if turn >= times:
            break
    sums[t] = acc
""",
        0,
        "No element of sums is right",
    ),
    "NaN counts as larger": (
        "warps.pack_bits",
        """@cuda.jit
def pack_bits(src, limit, words):
    i = cuda.grid(1)
    above = i < src.size and not (src[i] <= limit)
    bits = cuda.ballot_sync(FULL_WARP, above)
    if i % WARP == 0 and i < src.size:
        words[i // WARP] = bits
""",
        0,
        "every comparison with NaN is false",
    ),
    "turns that are enough for short rows": (
        "warps.scan_rows",
        """@cuda.jit(device=True)
def warp_scan(value):
    d = 1
    while d < WARP:
        heard = cuda.shfl_up_sync(FULL_WARP, value, d)
        if cuda.laneid >= d:
            value += heard
        d *= 2
    return value


@cuda.jit
def scan_rows(src, dst):
    row = cuda.grid(1) // WARP
    if row < src.shape[0]:
        carry = float32(0)
        for begin in range(0, src.shape[1], WARP):
            col = begin + cuda.laneid
            value = src[row, col] if col < src.shape[1] else float32(0)
            value = warp_scan(value) + (carry if begin < 7 * WARP else float32(0))
            if col < src.shape[1]:
                dst[row, col] = value
            carry = cuda.shfl_sync(FULL_WARP, value, WARP - 1)
""",
        0,
        "Wrong at n_rows = 1",
    ),
    "a table handed over short": (
        "memory_kinds.few_of_many",
        """def few_of_many(table, picks):
    d_picks = cuda.to_device(picks)
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table[: max(1, table.size - 1)]) as far:
        gather[blocks_for(picks.size), THREADS](far, d_picks, d_out)
        return d_out.copy_to_host()
""",
        0,
        "Look at what line",
    ),
    "an input put in order": (
        "memory_kinds.few_of_many",
        """def few_of_many(table, picks):
    picks.sort()
    d_picks = cuda.to_device(picks)
    d_out = cuda.device_array(picks.size, np.float32)
    with cuda.mapped(table) as far:
        gather[blocks_for(picks.size), THREADS](far, d_picks, d_out)
        return d_out.copy_to_host()
""",
        0,
        "`picks` is an input, but the call changed it",
    ),
    "one of two results from the host": (
        "memory_kinds.in_rounds",
        """def in_rounds(x, rounds):
    stream = cuda.stream()
    shared = cuda.managed_array(x.size, np.float32)
    shared[:] = x
    notes = np.zeros(rounds, np.float32)
    first = x[0]
    prefetch(shared, stream)
    for k in range(rounds):
        relax[blocks_for(x.size), THREADS, stream](shared)
        first = first / np.float32(2) + np.float32(1)
        notes[k] = first
    prefetch(shared, stream, to_host=True)
    stream.synchronize()
    return notes, shared.copy()
""",
        0,
        "`notes` is the same whatever comes back",
    ),
    "numbers of the setup written out": (
        "memory_kinds.filter_constant",
        """@cuda.jit
def filter_constant(x, out):
    i = cuda.grid(1)
    if i < out.size:
        acc = float32(0)
        acc += float32(3) * x[i] - x[i + 1] + float32(4) * x[i + 2] + x[i + 3]
        acc += float32(-5) * x[i + 4] + float32(9) * x[i + 5] + float32(2) * x[i + 6] - float32(6) * x[i + 7]
        acc += float32(5) * x[i + 8] + float32(3) * x[i + 9] - float32(5) * x[i + 10] + float32(8) * x[i + 11]
        acc += float32(9) * x[i + 12] - float32(7) * x[i + 13] + float32(9) * x[i + 14] + float32(3) * x[i + 15]
        out[i] = acc
""",
        0,
        "numbers written into the kernel",
    ),
    "half of a table far away": (
        "memory_kinds.look_up",
        """@cuda.jit
def look_up(codes, table, out):
    near = cuda.shared.array(128, float32)
    for k in range(cuda.threadIdx.x, 128, cuda.blockDim.x):
        near[k] = table[k]
    cuda.syncthreads()
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        code = codes[i]
        out[i] = near[code] if code < 128 else table[code]
""",
        0,
        "a gather takes thousands",
    ),
}
