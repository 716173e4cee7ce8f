"""What may come in unit 15."""

from __future__ import annotations

from autograder.running.cases.domain import Domain, Input, Real, Whole

NINE = Real(-9, 9)
WORDS = Whole(0, (1 << 32) - 1)


SPARSE = Domain(
    sizes={"n_rows": Whole(1, 1_100)},
    arrays={"values": NINE, "x": NINE},
    inputs=(
        Input("long rows", {"n_rows": 3, "n_cols": 2_200, "longest": 2_100}),
        Input("columns far out", {"n_rows": 5, "n_cols": 70_003, "longest": 40}),
    ),
)
PICTURE = {"n_rows": Whole(1, 600), "n_cols": Whole(1, 1_130), "limit": Whole(1, 70)}
MANY_ITERATIONS = (Input("many iterations", {"n_rows": 9, "n_cols": 40, "limit": 400, "enlarged": 1}),)

DOMAINS = {
    "spmv_rows": SPARSE,
    "spmv_warps": SPARSE,
    "mandelbrot": Domain(sizes=PICTURE, inputs=MANY_ITERATIONS),
    "mandelbrot_queue": Domain(sizes=PICTURE, inputs=MANY_ITERATIONS),
    "random_numbers": Domain(sizes={"n": Whole(1, 20_011)}, scalars={"seed": WORDS, "stream": WORDS}),
    "count_draws": Domain(sizes={"n_samples": Whole(0, 2_600)}, scalars={"seed": WORDS}),
    "n_body": Domain(
        sizes={"n": Whole(1, 330)},
        scalars={"soft": Real(0.01, 2)},
        arrays={"x": NINE, "y": NINE, "mass": Real(0, 9)},
    ),
}
