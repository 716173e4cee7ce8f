"""What may come in unit 12."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Real, Whole

NINE = {"a": Real(-9, 9), "b": Real(-9, 9)}
SIZES = {"n_rows": Whole(1, 200), "n_inner": Whole(1, 260), "n_cols": Whole(1, 300)}
TILED = Domain(sizes=SIZES, arrays=NINE)
LONG = Domain(sizes={"n_rows": Whole(1, 1_030), "n_inner": Whole(1, 4_100), "n_cols": Whole(1, 1_030)}, arrays=NINE)
LARGE_TILES = Domain(sizes={"n_rows": Whole(1, 140), "n_inner": Whole(1, 173), "n_cols": Whole(1, 264)})

DOMAINS = {
    "matmul_naive": LONG,
    "matmul_coalesced": LONG,
    "matmul_tiled": TILED,
    "matmul_column": TILED,
    "matmul_square": TILED,
    "matmul_wide": LARGE_TILES,
    "matmul_ring": LARGE_TILES,
    "matmul_tensor": LARGE_TILES,
    "matmul_int8": LARGE_TILES,
    "matmul_warpgroup": LARGE_TILES,
}
