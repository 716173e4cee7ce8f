"""Of the later units: loops for formulas, rows that come round."""

ENGINE = [
    (
        "performance.poly_four",
        "begins_with_the_first_term",
        {
            """\
        p = q = r = s = float32(0)
        for k in range(coefficients.size):
            term = coefficients[k]  # one load, four uses
            p = p * a + term
            q = q * b + term
            r = r * c + term
            s = s * d + term""": """\
        p = q = r = s = coefficients[0]
        for k in range(1, coefficients.size):
            term = coefficients[k]
            p = p * a + term
            q = q * b + term
            r = r * c + term
            s = s * d + term""",
        },
    ),
    (
        "performance.follow_four",
        "while_left",
        {
            """\
        for _ in range(steps):
""": """\
        left = steps
        while left > 0:
            left -= 1
""",
        },
    ),
    (
        "irregular.spmv_warps",
        "rows_come_round",
        {
            """\
    if row < y.size:  # the same for all lanes of a warp
        acc = float32(0)
        for k in range(starts[row] + lane, starts[row + 1], WARP):
            acc += values[k] * x[columns[k]]  # neighbours read neighbours
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc""": """\
    while row < y.size:
        acc = float32(0)
        end = starts[row + 1]
        k = starts[row] + lane
        while k < end:
            acc += values[k] * x[columns[k]]
            k += WARP
        acc = warp_sum(acc)
        if lane == 0:
            y[row] = acc
        row += cuda.gridsize(1) // WARP""",
        },
    ),
    (
        "irregular.mandelbrot",
        "squares_kept",
        {
            """\
    zr, zi = float32(0), float32(0)
    n = 0
    while n < limit and zr * zr + zi * zi <= float32(4):
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
        n += 1
    return n""": """\
    zr = zi = float32(0)
    for n in range(limit):
        if zr * zr + zi * zi > float32(4):
            return n
        zr, zi = zr * zr - zi * zi + cr, zr * zi + zr * zi + ci
    return limit""",
        },
    ),
    (
        "irregular.mandelbrot_queue",
        "break_out",
        {
            """\
    tile = 0
    while tile < n_tiles:
        if t == 0:""": """\
    while True:
        if t == 0:""",
            """\
        if tile < n_tiles:
            row, col = pixel_of(turns, tile, t)
            if row < turns.shape[0] and col < turns.shape[1]:
                turns[row, col] = escape(re[col], im[row], limit)""": """\
        if tile >= n_tiles:
            break
        row, col = pixel_of(turns, tile, t)
        if row < turns.shape[0] and col < turns.shape[1]:
            turns[row, col] = escape(re[col], im[row], limit)""",
        },
    ),
    (
        "irregular.n_body",
        "ends_with_data",
        {
            "for k in range(BODIES):": "for k in range(min(BODIES, n - first)):",
        },
    ),
    (
        "engine_graph.infer_shapes",
        "axis_loop",
        {
            """\
            shapes[i] = channels if kind == CONV else x[0], *windows
        elif kind == ADD and np.all((x == y) | (x == 1) | (y == 1)):
            shapes[i] = np.maximum(x, y)""": """\
            shapes[i, 0] = channels if kind == CONV else x[0]
            shapes[i, 1:] = windows
        elif kind == ADD:
            sizes = []
            for p, q in zip(x, y):
                if p != q and p != 1 and q != 1:
                    break
                sizes.append(max(p, q))
            if len(sizes) == 3:
                shapes[i] = sizes""",
        },
    ),
    (
        "engine_graph.clean_graph",
        "bytes_key",
        {
            "seen.setdefault((kind, *reads, *layer[3:]), i)": "seen.setdefault(repr([kind, reads, layer[3:]]), i)",
        },
    ),
    (
        "engine_int8.channel_scales",
        "warps",
        {
            """\
    d = 64
    while d > 0:
        if t < d:
            cells[t] = max(cells[t], cells[t + d])
        cuda.syncthreads()  # the upper half has been read
        d //= 2
""": """\
    if t < 32:
        largest = max(max(cells[t], cells[t + 32]), max(cells[t + 64], cells[t + 96]))
        d = 16
        while d > 0:
            largest = max(largest, cuda.shfl_xor_sync(0xFFFFFFFF, largest, d))
            d //= 2
        if t == 0:
            cells[0] = largest
""",
        },
    ),
    (
        "engine_int8.percentile_range",
        "loop",
        {
            """\
    reached = np.cumsum(counts) / np.sum(counts)
    return np.searchsorted(reached, share) * width""": """\
    total, so_far = sum(int(one) for one in counts), 0
    for b, one in enumerate(counts):
        so_far += int(one)
        if so_far / total >= share:
            return b * width""",
        },
    ),
    (
        "engine_int8.int8_layer",
        "addend_with_the_residual",
        {
            "v = float32(acc) * multiplier[col] + addend[col]": (
                "v = float32(residual[row, col]) * residual_multiplier + addend[col]"
            ),
            "v += float32(residual[row, col]) * residual_multiplier": "v += float32(acc) * multiplier[col]",
        },
    ),
]
