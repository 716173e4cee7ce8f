"""Mistakes that no ordinary case shows: one change away from the course's own answer, found in a corner of a domain.

(exercise, what is wrong, what is changed: its text and the text in its place).
"""

GRAPHS = [
    ("engine_graph.infer_shapes", "concat_asks_rows_alone", {"np.all(x[1:] == y[1:])": "x[1] == y[1]"}),
    ("engine_graph.infer_shapes", "concat_asks_columns_alone", {"np.all(x[1:] == y[1:])": "x[2] == y[2]"}),
    (
        "engine_graph.infer_shapes",
        "channels_of_a_sum_not_asked",
        {"np.all((x == y) | (x == 1) | (y == 1))": "np.all(((x == y) | (x == 1) | (y == 1))[1:])"},
    ),
    (
        "engine_graph.infer_shapes",
        "only_a_number_per_channel_is_stretched",
        {
            "np.all((x == y) | (x == 1) | (y == 1))": "(np.all(x == y) or x[0] == y[0] "
            "and (np.all(x[1:] == 1) or np.all(y[1:] == 1)))"
        },
    ),
    (
        "engine_graph.infer_shapes",
        "both_axes_or_none",
        {
            "np.all((x == y) | (x == 1) | (y == 1))": "np.all((x == y) | (x == 1) | (y == 1)) "
            "and (x[1] == y[1]) == (x[2] == y[2])"
        },
    ),
    ("engine_graph.infer_shapes", "flatten_in_16_bits", {"np.prod(x), 1": "np.prod(x) & 0xFFFF, 1"}),
    ("engine_graph.infer_shapes", "second_operand_not_asked", {" or (b >= 0 and y[0] < 0)": ""}),
    ("engine_graph.clean_graph", "kernel_not_compared", {"*layer[3:]": "layer[3], *layer[5:]"}),
    ("engine_graph.clean_graph", "stride_not_compared", {"*layer[3:]": "*layer[3:5], *layer[6:]"}),
    ("engine_graph.clean_graph", "padding_not_compared", {"*layer[3:]": "*layer[3:6], layer[7]"}),
    ("engine_graph.clean_graph", "kind_operands_and_weights", {"*layer[3:]": "layer[7]"}),
    ("engine_graph.clean_graph", "operands_sorted_for_all", {"(kind, *reads,": "(kind, *sorted(reads),"}),
    (
        "engine_graph.clean_graph",
        "twins_of_constants_alone",
        {"seen.setdefault((": "seen.setdefault((i if kind in (RELU, ADD) else -1, "},
    ),
    (
        "engine_graph.clean_graph",
        "pooling_of_a_relu_dropped",
        {"if kind == IDENTITY or": "if kind == IDENTITY or kind == POOL and layers[reads[0], KIND] == RELU or"},
    ),
    ("engine_graph.fuse_groups", "flatten_and_concat_join", {"(RELU, ADD)": "(RELU, ADD, FLATTEN, CONCAT)"}),
    ("engine_graph.fuse_groups", "first_output_only", {"x not in outputs": "x != outputs[0]"}),
    ("engine_graph.fuse_groups", "given_may_join", {" and kernel[x] >= 0": ""}),
    (
        "engine_graph.fuse_groups",
        "at_most_eight_layers",
        {"and x not in": "and np.count_nonzero(kernel[:i] == kernel[x]) < 8 and x not in"},
    ),
]
LAYERS = [
    (
        "engine_graph.run_chain",
        "sixteen_steps_of_room",
        {"range(program.shape[0])": "range(min(program.shape[0], 16))"},
    ),
    ("engine_graph.query_key_value", "inputs_up_to_256", {"range(x.shape[1])": "range(min(x.shape[1], 256))"}),
    ("engine_graph.network_head", "256_classes", {"range(t, bias.size, 128)": "range(t, min(bias.size, 256), 128)"}),
    (
        "engine_graph.network_head",
        "two_iterations_of_pixels",
        {"range(t % 32, n_pixels, 32)": "range(t % 32, min(n_pixels, 64), 32)"},
    ),
    (
        "engine_graph.network_head",
        "warps_without_a_channel_leave",
        {"= x.shape[1], x.shape[2]": "= x.shape[1], x.shape[2]\n    if t // 32 >= n_channels: return"},
    ),
    ("engine_graph.lstm_step", "sixty_four_units", {"range(n)": "range(min(n, 64))"}),
    (
        "engine_graph.lstm_step",
        "tanh_by_exp",
        {"math.tanh(g)": "(math.exp(g + g) - float32(1)) / (math.exp(g + g) + float32(1))"},
    ),
]
ATOMICS = [
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
]
ATTENTION = [
    (
        "attention.attention_causal",
        "masked_after_the_maximum",
        {
            "if first + lane <= i:": "if first + lane < n:",
            "shrink, p = math.exp(top - higher), math.exp(s - higher)": "shrink, p = math.exp(top - higher), "
            "(math.exp(s - higher) if first + lane <= i else float32(0))",
        },
    ),
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
    ("irregular.n_body", "soft_of_a_32nd", {"+ soft)": "+ float32(0.03125))"}),
    (
        "irregular.n_body",
        "barrier_after_the_first_two_tiles",
        {"cuda.syncthreads()  # nobody": "if first < 128:\n            cuda.syncthreads()  # nobody"},
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
INT8 = [
    ("engine_int8.percentile_range", "width_of_an_eighth", {"* width": "* 0.125"}),
    ("engine_int8.percentile_range", "sums_in_float32", {"np.cumsum(counts)": "np.cumsum(counts, dtype=np.float32)"}),
    ("engine_int8.percentile_range", "sums_in_int32", {"np.cumsum(counts)": "np.cumsum(counts, dtype=np.int32)"}),
    (
        "engine_int8.percentile_range",
        "last_bin_for_a_share_of_1",
        {"np.searchsorted(reached, share)": "(counts.size - 1 if share == 1 else np.searchsorted(reached, share))"},
    ),
    ("engine_int8.percentile_range", "at_most_2048_bins", {"np.cumsum(counts)": "np.cumsum(counts[:2048])"}),
    ("engine_int8.range_errors", "counts_in_16_bits", {"float32(counts[b])": "float32(int16(counts[b]))"}),
    ("engine_int8.fold_batch_norm", "fixed_eps", {"+ eps": "+ np.float32(1e-5)"}),
    (
        "engine_int8.fold_batch_norm",
        "dead_channels_left",
        {"gamma / np": "np.where(gamma == 0, np.float32(1), gamma) / np"},
    ),
    (
        "engine_int8.fold_batch_norm",
        "large_variance_kept",
        {"variance + eps": "np.minimum(variance, np.float32(10)) + eps"},
    ),
    (
        "engine_int8.channel_scales",
        "tiny_rows_as_zeros",
        {"if cells[0] > 0 else": "if cells[0] > float32(1e-6) else"},
    ),
]
PLACES = [
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
HOSTS = [
    ("streams.two_buffers", "eight_batches_at_most", {"range(len(batches))": "range(min(len(batches), 8))"}),
    ("streams.shared_job", "cut_of_three_thousand", {"max(1, x.size * 3 // 4)": "min(3000, x.size)"}),
    ("streams.as_graph", "at_most_16_replays", {"range(replays)": "range(min(replays, 16))"}),
    ("memory_kinds.in_rounds", "eight_rounds_at_most", {"range(rounds)": "range(min(rounds, 8))"}),
    (
        "memory_kinds.few_of_many",
        "sixteen_thousand_picks",
        {"THREADS](far, d_picks,": "THREADS](far, d_picks[:16384],"},
    ),
    ("performance.time_launches", "fixed_five_rounds", {"range(times.size)": "range(min(5, times.size))"}),
    ("performance.resident_warps", "thread_limit_not_checked", {"SM_WARPS // warps": "2048 // threads"}),
    (
        "performance.speedups",
        "rounded_to_percent",
        {"serial = 1": "parallel_share = round(parallel_share, 2)\n    serial = 1"},
    ),
    ("performance.poly_four", "at_most_512_terms", {"range(coefficients.size)": "range(min(coefficients.size, 512))"}),
    ("performance.follow_four", "at_most_1024_steps", {"range(steps)": "range(min(steps, 1024))"}),
    (
        "performance.standardise",
        "multiplied_out",
        {"(src[i] - mean[c]) * factor[c]": "src[i] * factor[c] - mean[c] * factor[c]"},
    ),
    (
        "scan.compact",
        "largest_negative_as_past",
        {"load_sixteen(x, src, tile, limit)": "load_sixteen(x, src, tile, float32(-3.4e38))"},
    ),
]
CONVOLUTIONS = [
    ("convolution.conv_direct", "room_for_11_x_11", {"range(k)": "range(min(k, 11))"}),
    ("convolution.conv_direct", "sixteen_channels_at_most", {"range(src.shape[1])": "range(min(src.shape[1], 16))"}),
    (
        "convolution.conv_tiled",
        "barrier_after_the_first_four_channels",
        {"cuda.syncthreads()  # nobody": "if channel < 4:\n            cuda.syncthreads()  # nobody"},
    ),
    (
        "convolution.conv_implicit",
        "barrier_after_the_first_tiles",
        {"cuda.syncthreads()  # nobody": "if k0 < 48:\n            cuda.syncthreads()  # nobody"},
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
]
ONLY_IN_A_CORNER = [*GRAPHS, *LAYERS, *ATOMICS, *ATTENTION, *IRREGULAR, *INT8, *PLACES, *HOSTS, *CONVOLUTIONS]
