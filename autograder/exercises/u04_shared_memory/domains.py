"""What may come in unit 4."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

NINE = {"src": Real(-9, 9)}
PICTURE = {"n_rows": Whole(1, 1_100), "n_cols": Whole(1, 1_100)}
MATRIX = Domain(sizes=PICTURE, arrays=NINE)

DOMAINS = {
    "reverse_blocks": Domain(sizes={"n": Whole(0, 70_003)}, arrays={"data": Real(-9, 9)}),
    "transpose_tiled": MATRIX,
    "transpose_padded": MATRIX,
    "transpose_swizzled": MATRIX,
    "transpose_fast": MATRIX,
    "stencil_1d": Domain(sizes={"n": Whole(1, 70_003)}, arrays=NINE),
    "blur_5x5": MATRIX,
    "blur_separable": MATRIX,
    "blur_column": MATRIX,
    "blur_wide": Domain(sizes={"n_rows": Whole(1, 600), "n_groups": Whole(1, 300)}, arrays=NINE),
}
