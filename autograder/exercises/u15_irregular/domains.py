"""What may come in unit 15."""

from __future__ import annotations

from dataclasses import replace

from autograder.running.cases.domain import ANY_BLOCK, SUMMED, Domain, Input, Real, Whole

WORDS = Whole(0, (1 << 32) - 1)


SPARSE = Domain(
    sizes={"n_rows": Whole(1, 1_101)},
    arrays={"values": SUMMED, "x": SUMMED},
    inputs=(
        Input("long rows", {"n_rows": 3, "n_cols": 2_203, "longest": 2_101}),
        Input("columns far out", {"n_rows": 5, "n_cols": 1_100_003, "longest": 40}),
    ),
)
PICTURE = {"n_rows": Whole(1, 601), "n_cols": Whole(1, 1_131), "limit": Whole(1, 71)}
MANY_ITERATIONS = (Input("many iterations", {"n_rows": 9, "n_cols": 40, "limit": 1_101, "enlarged": 1}),)
MANY_TILES = Input("many tiles", {"n_rows": 321, "n_cols": 275, "limit": 1, "enlarged": 1})  # 75 a block of five

DOMAINS = {
    "spmv_rows": replace(SPARSE, blocks=ANY_BLOCK),
    "spmv_warps": SPARSE,
    "mandelbrot": Domain(sizes=PICTURE, inputs=MANY_ITERATIONS),
    "mandelbrot_queue": Domain(sizes=PICTURE, inputs=(*MANY_ITERATIONS, MANY_TILES)),
    "random_numbers": Domain(sizes={"n": Whole(1, 20_011)}, scalars={"seed": WORDS, "stream": WORDS}),
    "count_draws": Domain(sizes={"n_samples": Whole(0, 9_601)}, scalars={"seed": WORDS}),
    "n_body": Domain(
        sizes={"n": Whole(1, 331)},
        scalars={"soft": Real(0.01, 2)},
        arrays={"x": Real(-1e4, 1e4), "y": Real(-1e4, 1e4), "mass": Real(0, 1e6)},
    ),
}
