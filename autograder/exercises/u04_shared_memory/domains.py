"""What may come in unit 4."""

from __future__ import annotations

from autograder.running.cases.domain import ANY_FLOAT, SUMMED, Domain, Promises, Whole

PICTURE = {"n_rows": Whole(1, 1_101), "n_cols": Whole(1, 1_101)}
MATRIX = Domain(sizes=PICTURE, arrays={"src": ANY_FLOAT})
BLURRED = Domain(sizes=PICTURE, arrays={"src": SUMMED})

DOMAINS = {
    "reverse_blocks": Domain(sizes={"n": Whole(0, 70_003)}, arrays={"data": ANY_FLOAT}),
    "transpose_tiled": MATRIX,
    "transpose_padded": MATRIX,
    "transpose_swizzled": MATRIX,
    "transpose_fast": MATRIX,
    "stencil_1d": Domain(sizes={"n": Whole(1, 70_003)}, arrays={"src": SUMMED}),
    "blur_5x5": BLURRED,
    "blur_separable": BLURRED,
    "blur_column": BLURRED,
    "blur_wide": Domain(sizes={"n_rows": Whole(1, 601), "n_groups": Whole(1, 301)}, arrays={"src": SUMMED}),
}

PROMISES = {
    "transpose_padded": Promises(
        exactly={
            "shared_load_bank_conflicts": "No access may conflict",
            "shared_store_bank_conflicts": "No access may conflict",
        }
    ),
    "transpose_swizzled": Promises(
        exactly={
            "shared_bytes": "exactly 1,024 words",
            "shared_load_bank_conflicts": "without conflicts",
            "shared_store_bank_conflicts": "without conflicts",
        }
    ),
}
