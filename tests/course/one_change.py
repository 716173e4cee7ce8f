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
        "the turn of d = 128 is missing",
    ),
    (
        "scan.scan_hillis_steele",
        "warps_alone",
        {"while d < THREADS:": "while d < WARP:"},
        "Each sum reaches back over 32 elements only",
    ),
    ("scan.scan_hillis_steele", "first_turn_missing", {"    d = 1\n": "    d = 2\n"}, "the turn of d = 1 is missing"),
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
]
