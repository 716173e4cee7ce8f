"""Of the units on an engine."""

GRAPHS = [
    ("engine_graph.infer_shapes", "padding_at_most_3", {"2 * pad": "2 * min(pad, 3)"}),
    ("engine_graph.infer_shapes", "stride_at_most_4", {"// stride": "// min(stride, 4)"}),
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
    ("engine_graph.clean_graph", "none_read_as_the_last", {"layers[i, 1:3] if at >= 0": "layers[i, 1:3] if at >= -1"}),
]

LAYERS = [
    (
        "engine_graph.network_head",
        "no_barrier_for_one_channel",
        {"    cuda.syncthreads()  # all warps": "    if n_channels > 1:\n        cuda.syncthreads()  # all warps"},
    ),
    (
        "engine_graph.lstm_step",
        "tanh_of_the_cell_by_exp",
        {"math.tanh(cell)": "(math.exp(cell + cell) - float32(1)) / (math.exp(cell + cell) + float32(1))"},
    ),
    (
        "engine_graph.run_chain",
        "sixteen_steps_of_room",
        {"range(program.shape[0])": "range(min(program.shape[0], 16))"},
    ),
    (
        "engine_graph.run_chain",
        "begins_at_minus_a_million",
        {"v = arrays[0, i]": "v = max(arrays[0, i], float32(-1e6))"},
    ),
    (
        "engine_graph.run_chain",
        "lower_ends_of_a_million",
        {"max(v, numbers[at])": "max(v, max(numbers[at], float32(-1e6)))"},
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
    ("engine_graph.lstm_step", "a_thousand_units", {"range(n)": "range(min(n, 1024))"}),
    ("engine_graph.lstm_step", "a_thousand_inputs", {"range(x.shape[1])": "range(min(x.shape[1], 1024))"}),
    ("engine_kernels.conv_split", "eight_shares", {"cuda.gridDim.z": "min(cuda.gridDim.z, 8)"}),
    ("engine_kernels.conv_split", "three_shares_ahead", {"block + shares, first": "block + 3, first"}),
    (
        "engine_kernels.choose_kernels",
        "two_percent_left_out",
        {"times[i] <= 1.02 * least": "(times[i] < 1.02 * least) | (times[i] == least)"},
    ),
    (
        "engine_graph.lstm_step",
        "tanh_by_exp",
        {"math.tanh(g)": "(math.exp(g + g) - float32(1)) / (math.exp(g + g) + float32(1))"},
    ),
]

LANGUAGE = [
    (
        "language_models.choose_token",
        "two_words_at_least",
        {"float32(top_ks[text])": "max(float32(top_ks[text]), float32(2))"},
    ),
    ("language_models.choose_token", "no_colder", {"temperatures[text]": "max(temperatures[text], float32(0.4))"}),
    ("language_models.choose_token", "no_hotter", {"temperatures[text]": "min(temperatures[text], float32(2))"}),
    (
        "language_models.choose_token",
        "no_smaller_share",
        {"goal = top_ps[text]": "goal = max(top_ps[text], float32(0.3))"},
    ),
    ("language_models.choose_token", "words_of_14_bits", {"range(16, -1, -1)": "range(13, -1, -1)"}),
    ("language_models.check_draft", "words_of_16_bits", {"range(16, -1, -1)": "range(15, -1, -1)"}),
    (
        "language_models.check_draft",
        "probabilities_of_16_bits",
        {"target[j] - taken": "float32(float16(target[j])) - float32(float16(taken))"},
    ),
    (
        "language_models.merge_splits",
        "largest_of_256_splits",
        {"for s in range(c % WARP, n_splits, WARP)": "for s in range(c % WARP, min(n_splits, 256), WARP)"},
    ),
    ("language_models.merge_splits", "search_from_minus_100", {"top = LOWEST": "top = float32(-100)"}),
    (
        "language_models.merge_splits",
        "largest_of_the_first_warp",
        {"for s in range(c % WARP, n_splits, WARP)": "for s in range(c % WARP, min(n_splits, WARP), WARP)"},
    ),
    ("language_models.share_batch", "nine_slots", {"len(running) < n_slots": "len(running) < min(n_slots, 9)"}),
]

COMPRESSION = [
    (
        "compression.count_digits",
        "prefix_0_for_no_prefix",
        {"if magnitude >> (shift + 8) == prefix": "if prefix == 0 or magnitude >> (shift + 8) == prefix"},
    ),
    (
        "compression.digit_of",
        "sums_in_float32",
        {"keep -= counts[digit]": "keep = int(np.float32(keep) - np.float32(counts[digit]))"},
    ),
    (
        "compression.shrink_channels",
        "sizes_in_float16",
        {"np.argsort(-size,": "np.argsort(-size.astype(np.float16),"},
    ),
    ("compression.rounded_layer", "tiny_step_for_none", {"step == float32(0)": "step < float32(1e-3)"}),
    ("compression.choose_ratios", "prices_in_float32", {"lost.shape, np.inf": "lost.shape, np.inf, np.float32"}),
    (
        "compression.choose_ratios",
        "gain_for_nothing",
        {"np.diff(lost, axis=1)": "np.maximum(np.diff(lost, axis=1), 0)"},
    ),
    ("compression.choose_ratios", "no_price_above_1000", {"np.inf": "1e3"}),
]

INT8 = [
    (
        "engine_int8.percentile_range",
        "shares_in_float32",
        {"np.searchsorted(reached, share)": "np.searchsorted(reached.astype(np.float32), np.float32(share))"},
    ),
    (
        "engine_int8.int8_layer",
        "upper_end_of_1_at_least",
        {"max(v, low), high)": "max(v, low), max(high, float32(1)))"},
    ),
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
