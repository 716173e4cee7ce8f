"""What may come in unit 12."""

from __future__ import annotations

from dataclasses import replace

from autograder.running.cases.domain import ANY_BLOCK_2D, SUMMED, Domain, Whole

NUMBERS = {"a": SUMMED, "b": SUMMED}
SIZES = {"n_rows": Whole(1, 201), "n_inner": Whole(1, 261), "n_cols": Whole(1, 301)}
TILED = Domain(sizes=SIZES, arrays=NUMBERS)
LONG = Domain(sizes={"n_rows": Whole(1, 1_031), "n_inner": Whole(1, 4_101), "n_cols": Whole(1, 1_031)}, arrays=NUMBERS)
LARGE_TILES = Domain(sizes={"n_rows": Whole(1, 141), "n_inner": Whole(1, 173), "n_cols": Whole(1, 265)})

DOMAINS = {
    "matmul_naive": replace(LONG, blocks=ANY_BLOCK_2D),
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
