"""What may come in unit 6."""

from __future__ import annotations

from autograder.running.cases.domain import ANY_FLOAT, SUMMED, Domain, Input, Whole

NUMBERS = {"src": SUMMED}
N = {"n": Whole(0, 70_003)}
SUM = Domain(sizes=N, arrays=NUMBERS)
FEW_THREADS = Domain(sizes=N, arrays=NUMBERS, inputs=(Input("many iterations", {"n": 280_000, "blocks": 1}),))

DOMAINS = {
    "sum_atomic": SUM,
    "block_sum_interleaved": SUM,
    "block_sum_sequential": SUM,
    "many_per_thread": FEW_THREADS,
    "warp_sum": FEW_THREADS,
    "device_sum": Domain(sizes=N, arrays=NUMBERS, inputs=(Input("many blocks", {"n": 290_003, "blocks": 1_101}),)),
    "argmax": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": ANY_FLOAT},
        inputs=(Input("many iterations", {"n": 280_000, "blocks": 1}),),
    ),
    "axis_sums": Domain(sizes={"n_rows": Whole(1, 5_003), "n_cols": Whole(1, 70_001)}, arrays=NUMBERS),
}
