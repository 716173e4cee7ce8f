"""Of tiles: inner loops that end with the data, prefetching, two buffers."""

TILES = [
    (
        "matmul.matmul_tiled",
        "min_in_bound",
        {
            "for k in range(TILE):": "for k in range(min(TILE, a.shape[1] - k0)):",
        },
    ),
    (
        "matmul.matmul_tiled",
        "register_prefetch",
        {
            """\
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are complete
""": """\
    next_a, next_b = at(a, row, tx), at(b, ty, col)
    for k0 in range(0, a.shape[1], TILE):
        tile_a[ty, tx] = next_a
        tile_b[ty, tx] = next_b
        cuda.syncthreads()
        next_a, next_b = at(a, row, k0 + TILE + tx), at(b, k0 + TILE + ty, col)
""",
        },
    ),
    (
        "matmul.matmul_tiled",
        "two_buffers_one_barrier",
        {
            """\
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
""": """\
    tile_a = cuda.shared.array((2, TILE, TILE), float32)
    tile_b = cuda.shared.array((2, TILE, TILE), float32)
    now = 0
""",
            """\
        tile_a[ty, tx] = at(a, row, k0 + tx)
        tile_b[ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()  # both tiles are complete
        for k in range(TILE):
            acc += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()  # no thread still reads them
""": """\
        tile_a[now, ty, tx] = at(a, row, k0 + tx)
        tile_b[now, ty, tx] = at(b, k0 + ty, col)
        cuda.syncthreads()
        for k in range(TILE):
            acc += tile_a[now, ty, k] * tile_b[now, k, tx]
        now = 1 - now
""",
        },
    ),
    (
        "matmul.matmul_column",
        "ends_with_data",
        {
            """\
        for k in range(8):
            y =""": """\
        for k in range(min(8, a.shape[1] - k0)):
            y =""",
        },
    ),
    (
        "matmul.matmul_square",
        "ends_with_data",
        {
            """\
        for k in range(16):
            for i in range(4):
                x[i]""": """\
        for k in range(min(16, a.shape[1] - k0)):
            for i in range(4):
                x[i]""",
        },
    ),
    (
        "convolution.conv_direct",
        "bounds_by_min_max",
        {
            """\
            for a in range(k):
                for b in range(k):
                    r, c = row + a - k // 2, col + b - k // 2
                    if r >= 0 and r < n_rows and c >= 0 and c < n_cols:
                        acc += weights[out, channel, a, b] * src[image, channel, r, c]""": """\
            half = k // 2
            for a in range(max(0, half - row), min(k, n_rows + half - row)):
                for b in range(max(0, half - col), min(k, n_cols + half - col)):
                    acc += weights[out, channel, a, b] * src[image, channel, row + a - half, col + b - half]""",
        },
    ),
    (
        "convolution.conv_tiled",
        "weights_by_element",
        {
            """\
        if t < 9 * FILTERS:
            taps[t // 9, t % 9] = weight(weights, out0 + t // 9, channel, t % 9)""": """\
        for e in range(t, 9 * FILTERS, 256):
            f, w = e // 9, e % 9
            taps[f, w] = weight(weights, out0 + f, channel, w)""",
        },
    ),
    (
        "convolution.pick_algorithm",
        "if_chain",
        {
            """\
    if k != 3:
        times[2] = np.inf
    return times.index(min(times)), min(times)""": """\
    best = 0
    for way in range(1, 3 if k == 3 else 2):
        if times[way] < times[best]:
            best = way
    return best, times[best]""",
        },
    ),
    (
        "attention.softmax_safe",
        "exp_kept_in_dst",
        {
            """\
        total += math.exp(src[row, c] - top)
""": """\
        e = math.exp(src[row, c] - top)
        dst[row, c] = e
        total += e
""",
            "        dst[row, c] = math.exp(src[row, c] - top) / total": "        dst[row, c] /= total",
        },
    ),
    (
        "attention.attention_causal",
        "inner_ends_with_data",
        {
            "for j in range(KEYS):": "for j in range(min(KEYS, end - first)):",
        },
    ),
    (
        "attention.attention_flash",
        "two_accumulators",
        {
            """\
            for c in range(DIM):
                s += mine[w, c] * tile_k[lane, c]""": """\
            u = float32(0)
            for c in range(0, DIM, 2):
                s += mine[w, c] * tile_k[lane, c]
                u += mine[w, c + 1] * tile_k[lane, c + 1]
            s += u""",
        },
    ),
    (
        "attention.attention_flash",
        "inner_ends_with_data",
        {
            "for j in range(KEYS):": "for j in range(min(KEYS, n - first)):",
        },
    ),
    (
        "attention.attention_naive",
        "capped_weigh",
        {
            """\
    n = v.shape[1]
    if row < weights.shape[0]:
        acc = float32(0)
        for j in range(n):
            acc += weights[row, j] * v[row // n, j, c]
        out[row // n, row % n, c] = acc""": """\
    n = v.shape[1]
    while row < weights.shape[0]:
        acc = float32(0)
        for j in range(n):
            acc += weights[row, j] * v[row // n, j, c]
        out[row // n, row % n, c] = acc
        row += cuda.gridDim.x * cuda.blockDim.y""",
        },
    ),
]
