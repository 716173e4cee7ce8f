"""Of kernels."""

PLACES = [
    ("vector_add.blend", "blocks_of_256", {"cuda.grid(1)": "cuda.blockIdx.x * 256 + cuda.threadIdx.x"}),
    ("vector_add.vector_add_unrolled", "steps_of_256", {"step = cuda.blockDim.x": "step = 256"}),
    (
        "indexing.broadcast_add",
        "at_most_1024_turns",
        {"dst.shape[0], cuda.gridDim.y": "min(dst.shape[0], 1024 * cuda.gridDim.y), cuda.gridDim.y"},
    ),
    (
        "warps.by_warp",
        "blocks_of_256",
        {"t // (2 * WARP) * (2 * WARP)": "cuda.threadIdx.x // 64 * 64 + cuda.blockIdx.x * 256"},
    ),
    (
        "reductions.argmax",
        "zeros_do_not_tie",
        {"if v == w or math.isnan(v)": "if v == w and not v == 0 or math.isnan(v)"},
    ),
    ("memory_access.take_every", "zero_step_returns", {"if i < dst.size:": "if i < dst.size and step != 0:"}),
    (
        "memory_access.take_every",
        "negative_step_from_the_end",
        {"src[start + i * step]": "src[(start if step >= 0 else src.size - 1) + i * step]"},
    ),
    (
        "memory_access.take_every",
        "place_through_float32",
        {"src[start + i * step]": "src[start + int(float32(i) * float32(step))]"},
    ),
    (
        "memory_access.copy_from",
        "start_through_float32",
        {"dst[i] = src[start + i]": "dst[i] = src[int(float32(start)) + i]"},
    ),
    ("memory_access.gather_rows", "rows_cut_to_16_bits", {"src[rows[row], col]": "src[rows[row] & 0xFFFF, col]"}),
    ("memory_access.drift", "negative_dt_clamped", {"+= dt *": "+= max(dt, float32(0)) *"}),
    (
        "memory_access.drift",
        "small_moves_dropped",
        {
            "            bodies[axis": "            move = dt * bodies[4 + axis, i]\n"
            "            if not abs(move) < float32(1e-6):\n                bodies[axis"
        },
    ),
    (
        "memory_access.box_down",
        "strips_of_2048_rows_at_most",
        {"(first + share, n_rows)": "(first + min(share, 2048), n_rows)"},
    ),
    ("memory_access.convolve", "sixteen_channels", {"range(src.shape[0])": "range(min(src.shape[0], 16))"}),
    ("memory_access.convolve", "k_at_most_eleven", {"range(weights.shape[2])": "range(min(weights.shape[2], 11))"}),
    ("indexing.roll", "shift_in_int32", {"(i - shift)": "(i - int32(shift))"}),
    (
        "indexing.saxpy",
        "a_thousand_iterations",
        {"y.size, cuda": "min(y.size, cuda.grid(1) + 1000 * cuda.gridsize(1)), cuda"},
    ),
    ("warps.first_above", "at_most_64_iterations", {"range(0, n_cols, WARP)": "range(0, min(n_cols, 2048), WARP)"}),
    (
        "warps.scan_rows",
        "at_most_64_iterations",
        {"range(0, src.shape[1], WARP)": "range(0, min(src.shape[1], 2048), WARP)"},
    ),
    ("warps.count_matched", "key_in_16_bits", {"key = keys[i]": "key = keys[i] & 0xFFFF"}),
    (
        "reductions.many_per_thread",
        "512_iterations",
        {"src.size, cuda": "min(src.size, cuda.grid(1) + 512 * cuda.gridsize(1)), cuda"},
    ),
    (
        "reductions.device_sum",
        "one_partial_a_thread",
        {"partial[:n_blocks]": "partial[:min(n_blocks, 512)]"},
    ),
]

ATOMICS = [
    ("atomics.count_keys", "two_thousand_probes", {"while True:": "for _ in range(2000):"}),
    ("warps.count_matched", "groups_by_16_bits", {"match_any_sync(mask, key)": "match_any_sync(mask, key & 0xFFFF)"}),
    ("scan.compact", "limit_clamped", {"x[k] > limit)": "x[k] > max(limit, float32(-1e30)))"}),
    (
        "atomics.count_keys",
        "at_most_512_places",
        {
            "keys[i], table.size)\n": "keys[i], table.size)\n        tries = 0\n",
            "        while True:\n": "        while tries < 512:\n            tries += 1\n",
        },
    ),
    (
        "atomics.best_packed",
        "index_in_20_bits",
        {"LAST - at": "LAST >> 20 << 20 | 0xFFFFF - (at & 0xFFFFF)"},
    ),
    (
        "reductions.argmax",
        "nan_after_an_infinity_is_not_seen",
        {"not (x <= best) and best == best": "x > best or (x != x and best < float32(1e30))"},
    ),
    (
        "atomics.last_block_sum",
        "at_most_512_partials",
        {"range(t, partial.size, THREADS)": "range(t, min(partial.size, 2 * THREADS), THREADS)"},
    ),
    (
        "atomics.last_block_sum",
        "rotated_by_the_last_block",
        {"acc += partial[b]": "acc += partial[(b + cuda.blockIdx.x) % cuda.gridDim.x]"},
    ),
    (
        "atomics.last_block_sum",
        "one_partial_a_thread",
        {"range(t, partial.size, THREADS)": "range(t, min(partial.size, THREADS), THREADS)"},
    ),
    (
        "atomics.shares_of_sum",
        "thirty_two_partials",
        {"range(cuda.threadIdx.x, cuda.gridDim.x, THREADS)": "range(cuda.threadIdx.x, min(cuda.gridDim.x, 32), 256)"},
    ),
    (
        "atomics.shares_of_sum",
        "one_partial_a_thread",
        {"range(cuda.threadIdx.x, cuda.gridDim.x, THREADS)": "range(cuda.threadIdx.x, min(cuda.gridDim.x, 256), 256)"},
    ),
    (
        "atomics.work_queue",
        "rows_of_1024_at_most",
        {"offsets[row + 1], WARP": "min(offsets[row + 1], offsets[row] + 1024), WARP"},
    ),
    (
        "atomics.work_queue",
        "at_most_64_rows_a_warp",
        {
            "row = 0\n": "row = n_drawn = 0\n",
            "while row < sums.size:": "while row < sums.size and n_drawn < 64:\n        n_drawn += 1",
        },
    ),
    (
        "atomics.max_by_cas",
        "sixty_four_tries",
        {
            "while x > cuda.libdevice": "n_tries = 0\n        while n_tries < 64 and x > cuda.libdevice",
            "seen = found": "seen = found\n            n_tries += 1",
        },
    ),
    (
        "atomics.count_keys",
        "key_zero_is_empty",
        {"    i = cuda.grid(1)\n    if i < keys.size:": "    i = cuda.grid(1)\n    if i < keys.size and keys[i] != 0:"},
    ),
    ("atomics.count_keys", "launch_for_keys_twice", {"look_up[max(1, -(-asked.size": "look_up[max(1, -(-keys.size"}),
    (
        "atomics.best_packed",
        "finite_floor_past_the_end",
        {"float32(-math.inf), i)": "float32(-1e38), i)"},
    ),
    (
        "atomics.shares_of_sum",
        "at_most_64_iterations",
        {"range(cuda.grid(1), src.size, ": "range(cuda.grid(1), min(src.size, cuda.grid(1) + 64 * cuda.gridsize(1)), "},
    ),
    (
        "atomics.work_queue",
        "offsets_in_16_bits",
        {"range(offsets[row] + lane,": "range((offsets[row] & 0xFFFF) + lane,"},
    ),
]

CONVOLUTIONS = [
    ("convolution.conv_direct", "room_for_11_x_11", {"range(k)": "range(min(k, 11))"}),
    ("convolution.conv_direct", "sixteen_channels_at_most", {"range(src.shape[1])": "range(min(src.shape[1], 16))"}),
    (
        "convolution.conv_tiled",
        "barrier_after_the_first_four_channels",
        {"cuda.syncthreads()  # no thread": "if channel < 4:\n            cuda.syncthreads()  # no thread"},
    ),
    (
        "convolution.conv_implicit",
        "barrier_after_the_first_tiles",
        {"cuda.syncthreads()  # no thread": "if k0 < 48:\n            cuda.syncthreads()  # no thread"},
    ),
    ("convolution.receptive_field", "never_more_than_512", {"return field": "return min(field, 512)"}),
    ("convolution.receptive_field", "jump_in_16_bits", {"jump * stride": "(jump * stride) & 0xFFFF"}),
    (
        "convolution.receptive_field",
        "usual_kernels",
        {"kernel - 1": "(kernel if kernel in (1, 2, 3, 5, 7, 11) else 3) - 1"},
    ),
    ("convolution.pick_algorithm", "winograd_from_32_channels", {"if k != 3": "if k != 3 or n_in < 33"}),
    ("matmul.matmul_naive", "inner_size_4096", {"range(a.shape[1])": "range(min(a.shape[1], 4096))"}),
    (
        "convolution.conv_implicit",
        "no_wait_in_late_iterations",
        {
            "        cuda.syncthreads()  # no thread still reads them": "        if k0 < 48:\n"
            "            cuda.syncthreads()"
        },
    ),
    ("convolution.conv_tiled", "one_group_too_many", {"(n_out + FILTERS - 1) // FILTERS": "n_out // FILTERS + 1"}),
]

ATTENTION = [
    ("attention.softmax_online", "begins_with_minus_2000", {"LOWEST, float32(0)": "float32(-2000), float32(0)"}),
    (
        "attention.attention_causal",
        "masked_after_the_maximum",
        {
            "if first + lane <= i:": "if first + lane < n:",
            "shrink, p = math.exp(top - higher), math.exp(s - higher)": "shrink, p = math.exp(top - higher), "
            "(math.exp(s - higher) if first + lane <= i else float32(0))",
        },
    ),
    ("attention.softmax_safe", "largest_of_three_warps", {"max(tops[2], tops[3])": "tops[2]"}),
    ("attention.softmax_safe", "begins_with_minus_1000", {"top = float32(-math.inf)": "top = float32(-1000)"}),
    ("attention.softmax_online", "lowest_of_minus_1000", {"top, total = LOWEST": "top, total = float32(-1000)"}),
    ("attention.attention_flash", "missing_keys_at_minus_1000", {"        s = LOWEST": "        s = float32(-1000)"}),
    ("attention.attention_causal", "masked_scores_at_minus_1000", {"        s = LOWEST": "        s = float32(-1000)"}),
    (
        "attention.layer_norm",
        "deviations_cut",
        {"x = rows[warp, c] - mean": "x = min(rows[warp, c] - mean, float32(100))"},
    ),
    (
        "attention.attention_naive",
        "rows_along_y",
        {
            "j = cuda.blockIdx.y": "j = cuda.blockIdx.x",
            "row = cuda.blockIdx.x * cuda.blockDim.y + cuda.threadIdx.y\n    # about 6 lines\n    ### BEGIN SOLUTION\n"
            "    n = q": "row = cuda.blockIdx.y * 4 + cuda.threadIdx.y\n    n = q",
            "[(blocks, (n + 31) // 32), (32, 4)]": "[((n + 31) // 32, blocks), (32, 4)]",
        },
    ),
]

IRREGULAR = [
    ("irregular.mandelbrot", "limit_of_512", {"while n < limit": "while n < min(limit, 512)"}),
    ("irregular.n_body", "soft_at_least_a_50th", {"dy * dy + soft": "dy * dy + max(soft, float32(0.02))"}),
    ("irregular.n_body", "soft_of_a_32nd", {"+ soft)": "+ float32(0.03125))"}),
    (
        "irregular.n_body",
        "barrier_after_the_first_two_tiles",
        {"cuda.syncthreads()  # no thread": "if first < 128:\n            cuda.syncthreads()  # no thread"},
    ),
    ("irregular.spmv_rows", "at_most_a_hundred", {"starts[row + 1])": "min(starts[row + 1], starts[row] + 100))"}),
    (
        "irregular.spmv_warps",
        "rows_up_to_1024",
        {"starts[row + 1], WARP": "min(starts[row + 1], starts[row] + 1024), WARP"},
    ),
    ("irregular.mandelbrot", "limit_of_256", {"n < limit": "n < min(limit, 256)"}),
    ("irregular.mandelbrot", "limit_in_a_byte", {"n < limit": "n < (limit & 255)"}),
    ("irregular.mandelbrot_queue", "pictures_of_64_tiles", {"= n_tiles_of(turns)": "= min(n_tiles_of(turns), 64)"}),
]
