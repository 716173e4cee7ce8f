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
ONLY_IN_A_CORNER = [*GRAPHS, *LAYERS]
