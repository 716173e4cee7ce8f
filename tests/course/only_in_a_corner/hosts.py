"""Of host functions, and of measuring."""

HOSTS = [
    (
        "streams.as_graph",
        "even_numbers_of_replays",
        {"range(replays)": "range(replays if replays < 9 else replays & -2)"},
    ),
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
        "performance.follow_four",
        "fourth_for_third_without_steps",
        {"2 * step] = r": "2 * step] = s if steps == 0 and i + 3 * step >= ends.size else r"},
    ),
    (
        "performance.standardise",
        "rows_of_16_bits",
        {"uint32(n_cols)": "uint32(n_cols if n_cols < 65536 else 65536)"},
    ),
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
    (
        "engine_runtime.load_plan",
        "version_as_a_number",
        {"theirs != version": "theirs != 3"},
    ),
    (
        "engine_runtime.load_plan",
        "device_as_a_number",
        {"made_for != device": "made_for != 90"},
    ),
    (
        "engine_runtime.mend_layers",
        "peak_as_a_number",
        {"tflops * 1e6": "800e6"},
    ),
    (
        "engine_runtime.mend_layers",
        "memory_as_a_number",
        {"gbs * 1e3": "4e6"},
    ),
    (
        "engine_runtime.mend_layers",
        "nothing_below_a_microsecond",
        {"gain = time_us - np.maximum": "gain = (time_us >= 1) * time_us - np.maximum"},
    ),
    (
        "engine_runtime.load_plan",
        "version_of_16_bits",
        {'"<IIII", raw[4:20]': '"<HxxIII", raw[4:20]'},
    ),
    (
        "engine_runtime.load_plan",
        "letters_anywhere",
        {'raw[:4] != b"WBPL"': 'b"WBPL" not in raw'},
    ),
    (
        "engine_runtime.load_plan",
        "length_before_version",
        {"if theirs != version:": "if len(raw) != 20 + 4 * n_weights:\n        return CUT\n    if theirs != version:"},
    ),
    (
        "engine_runtime.gather_requests",
        "at_most_32_waits",
        {
            "            while not queue or": "            waits = 0\n"
            "            while waits < 32 and not queue or waits < 32 and",
            "                yield host.wait": "                waits += 1\n                yield host.wait",
        },
    ),
]
