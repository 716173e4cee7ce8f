"""Of memory: loops that end with the data, registers in place of shared memory."""

MEMORY = [
    (
        "memory_access.take_every",
        "stride_loop",
        {
            """\
    if i < dst.size:
        dst[i] = src[start + i * step]""": """\
    if i >= dst.size:
        return
    at = start
    at += i * step
    dst[i] = src[at]""",
        },
    ),
    (
        "memory_access.copy_from",
        "scalar_tail_outer_guard",
        {
            """\
    if start % 4 == 0 and first + 4 <= dst.size:
        store16(dst, first, load16(src, start + first))  # a warp moves 512 bytes
    else:
        for i in range(first, min(first + 4, dst.size)):
            dst[i] = src[start + i]""": """\
    if first >= dst.size:
        return
    left = dst.size - first
    if left >= 4 and start & 3 == 0:
        four = load16(src, start + first)
        store16(dst, first, four)
    else:
        k = 0
        while k < 4 and k < left:
            dst[first + k] = src[start + first + k]
            k += 1""",
        },
    ),
    (
        "memory_access.box_down",
        "rows_kept_in_a_while",
        {
            """\
        above, here = at(src, first - 1, col), at(src, first, col)
        for row in range(first, min(first + share, n_rows)):
            below = at(src, row + 1, col)  # the only load of this step
            dst[row, col] = above + here + below
            above, here = here, below""": """\
        end = min(first + share, n_rows)
        if first < end:
            a = src[first - 1, col] if first > 0 else float32(0)
            b = src[first, col]
            row = first
            while row < end:
                c = src[row + 1, col] if row + 1 < n_rows else float32(0)
                dst[row, col] = (a + b) + c
                a = b
                b = c
                row += 1""",
        },
    ),
    (
        "memory_access.drift",
        "unrolled",
        {
            """\
        for axis in range(3):
            bodies[axis, i] += dt * bodies[4 + axis, i]  # 4 sectors per request""": """\
        x, y, z = bodies[0, i], bodies[1, i], bodies[2, i]
        u, v, w = bodies[4, i], bodies[5, i], bodies[6, i]
        bodies[0, i] = x + dt * u
        bodies[1, i] = y + dt * v
        bodies[2, i] = z + dt * w""",
        },
    ),
    (
        "memory_kinds.blur_rows",
        "shuffles_registers",
        {
            """\
    tile = cuda.shared.array((2, THREADS), float32)
    t = cuda.threadIdx.x
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        now = row % 2
        tile[now, t] = ahead
        cuda.syncthreads()  # this row is complete, and no thread still reads the other
        ahead = at(x, row + 1, col)  # on its way while this row is blurred
        if mine:
            out[row, col] = blur(tile[now, t - 1], tile[now, t], tile[now, t + 1])""": """\
    firsts = cuda.shared.array((2, 40), float32)
    lasts = cuda.shared.array((2, 40), float32)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    col = (THREADS - 2) * cuda.blockIdx.x + t - 1
    mine = 0 < t and t < THREADS - 1 and col < x.shape[1]
    ahead = at(x, 0, col)
    for row in range(x.shape[0]):
        here = ahead
        now = row % 2
        if lane == 0:
            firsts[now, warp] = here
        if lane == 31:
            lasts[now, warp] = here
        cuda.syncthreads()
        ahead = at(x, row + 1, col)
        left = cuda.shfl_up_sync(0xFFFFFFFF, here, 1)
        right = cuda.shfl_down_sync(0xFFFFFFFF, here, 1)
        if lane == 0 and warp > 0:
            left = lasts[now, warp - 1]
        if lane == 31 and t < THREADS - 1:
            right = firsts[now, warp + 1]
        if mine:
            out[row, col] = blur(left, here, right)""",
        },
    ),
    (
        "memory_kinds.blur_rows",
        "while_ends_with_rows",
        {
            """\
    for row in range(x.shape[0]):
        now = row % 2
""": """\
    row = -1
    while row + 1 < x.shape[0]:
        row += 1
        now = row & 1
""",
        },
    ),
    (
        "memory_kinds.in_rounds",
        "list_of_notes",
        {
            "notes = np.zeros(rounds, np.float32)": "notes = []",
            "notes[k] = shared[0]": "notes.append(shared[0])",
            "return notes, shared.copy()": "return np.array(notes, dtype=np.float32), np.array(shared)",
        },
    ),
    (
        "memory_kinds.look_up",
        "while_in_place_of_range",
        {
            """\
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = near[codes[i]]""": """\
    i = cuda.grid(1)
    step = cuda.gridsize(1)
    while i < out.size:
        code = codes[i]
        out[i] = near[code]
        i += step""",
        },
    ),
]
