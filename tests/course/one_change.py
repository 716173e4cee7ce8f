"""Mistakes that are one change away from the course's own answer, for the slips that no catalogued answer makes.

(exercise, misconception of its slip, what is changed: its text and the text in its place, words of the verdict). The
words are those of another finding where that tells more, as a line does.
"""

ONE_CHANGE = [
    (
        "warps.one_path",
        "one_recipe_for_all",
        {
            "float32(0.5) if x < 0 else float32(-0.5)": "float32(0.5)",
            "float32(3) if x < 0 else float32(1)": "float32(3)",
        },
        "The recipe for negative numbers is applied to all of them",
    ),
    (
        "warps.one_path",
        "one_recipe_for_all",
        {"float32(0.5) if x < 0 else float32(-0.5)": "float32(-0.5)", "float32(3) if x < 0 else": ""},
        "The recipe for numbers that are not negative is applied to all",
    ),
    (
        "scan.scan_hillis_steele",
        "last_turn_missing",
        {"while d < THREADS:": "while d < THREADS // 2:"},
        "the iteration of d = 128 is missing",
    ),
    (
        "scan.scan_hillis_steele",
        "warps_alone",
        {"while d < THREADS:": "while d < WARP:"},
        "Each sum reaches back over 32 elements only",
    ),
    (
        "scan.scan_hillis_steele",
        "first_turn_missing",
        {"    d = 1\n": "    d = 2\n"},
        "the iteration of d = 1 is missing",
    ),
    (
        "scan.scan_block",
        "own_four_missing",
        {"(before + a, before + b, before + c, before + d)": "(before, before, before, before)"},
        "All four elements of a thread get the sum of what lies before them",
    ),
    (
        "scan.scan_lookback",
        "looks_at_one_tile",
        {"word_of(SUM, total)": "word_of(PREFIX, total)"},
        "check what each word stands for",
    ),
    (
        "atomics.best_under_lock",
        "index_in_block",
        {"(-math.inf), i)": "(-math.inf), cuda.threadIdx.x)"},
        "threadIdx.x, not the place in src",
    ),
    (
        "atomics.best_under_lock",
        "lock_not_opened",
        {"cuda.atomic.exch(lock, 0, 0)": "pass"},
        "whoever has the lock must open it before it goes on",
    ),
    ("atomics.shares_of_sum", "not_divided", {"src[i] / acc": "src[i]"}, "nothing was divided"),
    (
        "streams.in_chunks",
        "only_first_chunk",
        {"min(16, x.size)": "min(4, x.size)", "d_out[part].copy": "if k == 0:\n            d_out[part].copy"},
        "Some elements of out were never written",
    ),
    (
        "streams.two_buffers",
        "wrong_batch",
        {"copied[turn].synchronize()": "pass"},
        "Line 14 writes memory that the copy of line 15 may still read",
    ),
    (
        "memory_kinds.median_of_nine",
        "one_place_too_high",
        {"out[i] = s[4]": "out[i] = s[5]"},
        "the median is the fifth",
    ),
    (
        "performance.time_launches",
        "output_not_written",
        {"    d_out.copy_to_host(out)\n": ""},
        "Nothing was ever written to out",
    ),
    (
        "convolution.conv_direct",
        "first_channel_only",
        {"for channel in range(src.shape[1]):": "for channel in range(1):"},
        "Only the first channel of src was used",
    ),
    (
        "engine_kernels.pack_int8",
        "half_away",
        {"round(min(max(v, LOW), HIGH))": "min(max(v + (float32(0.5) if v > 0 else float32(-0.5)), LOW), HIGH)"},
        "Ties go away from zero",
    ),
    (
        "engine_kernels.pack_int8",
        "half_added_and_cut",
        {"round(min(max(v, LOW), HIGH))": "min(max(v + float32(0.5), LOW), HIGH)"},
        "-2.75 becomes -2",
    ),
    (
        "engine_kernels.pack_int8",
        "bytes_without_sign",
        {"max(v, LOW), HIGH": "max(v, float32(0)), float32(255)"},
        "cut to 0 to 255",
    ),
    ("engine_kernels.pack_int8", "floored", {"/ scale": "// scale"}, "Steps are rounded down"),
    ("engine_kernels.pack_int8", "multiplied", {"/ scale": "* scale"}, "real is multiplied by the scale"),
    (
        "engine_kernels.pack_int8",
        "cut_too_early",
        {
            "real[image, channel, row, col] / scale": "real[image, channel, row, col]",
            "round(min(max(v, LOW), HIGH))": "round(min(max(v, LOW), HIGH) / scale)",
        },
        "before it is divided",
    ),
    ("engine_kernels.pack_int8", "nan_kept", {"v != v": "False"}, "NaN became a step"),
    ("engine_kernels.pack_int8", "same_block", {"16 * half": "16 * (half % 2)"}, "holds the first 32 channels"),
    (
        "engine_kernels.pack_int8",
        "no_zero_column",
        {"cell % (n_cols + 1) - 1": "cell % (n_cols + 1)", "col >= 0": "col < n_cols"},
        "Pixels lie one cell too early",
    ),
    (
        "engine_kernels.pack_int8",
        "no_zero_row",
        {"row % (n_rows + 1) - 1": "row % (n_rows + 1)", "row >= 0": "row < n_rows"},
        "Pixels lie one row too early",
    ),
    ("engine_kernels.conv_tile", "first_tap_only", {"range(9)": "range(1)"}, "Only the first tap was multiplied"),
    (
        "engine_kernels.conv_tile",
        "last_block_missing",
        {"range(src.shape[0])": "range(src.shape[0] - 1)"},
        "the loop ends one short",
    ),
    (
        "engine_kernels.conv_tile",
        "sums_begin_anew",
        {"        for tap in range(9)": "        acc = (row, row)\n        for tap in range(9)"},
        "sums hold the last block of channels alone",
    ),
    (
        "engine_kernels.conv_tile",
        "first_block_only",
        {"range(src.shape[0])": "range(1)"},
        "Only the first block of channels was multiplied",
    ),
    ("engine_kernels.conv_ring", "stage_not_changed", {"now, free = free, now": "pass"}, "the stages take turns"),
    (
        "engine_kernels.conv_layer",
        "activation_too_early",
        {
            "low, high = max(low, LOW), min(high, HIGH)": "pass",
            "    if residual_multiplier": "    v0, v1 = min(max(v0, low), high), min(max(v1, low), high)\n"
            "    v2, v3 = min(max(v2, low), high), min(max(v3, low), high)\n"
            "    low, high = LOW, HIGH\n"
            "    if residual_multiplier",
        },
        "The residual is added after the activation",
    ),
    (
        "engine_kernels.conv_layer",
        "residual_multiplied_twice",
        {
            "int8(residual)) *": "int8(residual)) * m[0] *",
            "int8(residual >> 8)) *": "int8(residual >> 8)) * m[1] *",
            "int8(residual >> 16)) *": "int8(residual >> 16)) * m[2] *",
            "int8(residual >> 24)) *": "int8(residual >> 24)) * m[3] *",
        },
        "The residual is added to the sum and multiplied with it",
    ),
    (
        "engine_kernels.conv_layer",
        "always_a_relu",
        {"max(low, LOW), min(high, HIGH)": "float32(0), HIGH"},
        "Results are always cut at 0",
    ),
    (
        "engine_kernels.conv_layer",
        "activation_left_out",
        {"max(low, LOW), min(high, HIGH)": "LOW, HIGH"},
        "low is never asked for",  # which alone explains the cases whose activation is ReLU
    ),
    ("engine_kernels.conv_layer", "residual_left_out", {"!= float32(0):": "== float32(0):"}, "The residual is missing"),
    (
        "engine_kernels.conv_layer",
        "addend_left_out",
        {" + a[0]": "", " + a[1]": "", " + a[2]": "", " + a[3]": ""},
        "The addend is missing",
    ),
    (
        "engine_kernels.conv_layer",
        "first_of_four",
        {"residual >> 8": "residual", "residual >> 16": "residual", "residual >> 24": "residual"},
        "shift the word by 8 bits",
    ),
    (
        "engine_kernels.choose_kernels",
        "name_alone",
        {"tuple(question)  # all that a time depends on": "_name"},
        "The key is the name alone",
    ),
    ("engine_kernels.choose_kernels", "none_runs", {"else -1": "else 0"}, "Kernel 0 is chosen where no kernel can run"),
]
