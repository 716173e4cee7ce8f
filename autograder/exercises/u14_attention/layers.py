"""Contracts of unit 14 for what stands between products: a chain of elementwise steps in one, and a layer norm."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u14_attention import layer_slips as slips
from autograder.exercises.u14_attention import layer_values as data
from autograder.exercises.u14_attention.layer_values import FULL
from autograder.exercises.u14_attention.values import (
    UNIT,
    a_block_per_row,
    a_thread_per_row,
    a_warp_per_row,
    at_work,
    matrix,
)

BIAS_GELU_RESIDUAL = Exercise(
    id="attention.bias_gelu_residual",
    unit=UNIT,
    title="Three kernels in one",
    task="Three steps for each element in one kernel: dst = gelu(src + bias) + residual, where gelu(x) is "
    "0.5 x (1 + erf(x / sqrt(2))) and bias has a number for each column. One block of 128 threads per row; each input "
    "is loaded once and dst stored once.",
    function="bias_gelu_residual",
    arguments=data.FUSED_ARGUMENTS,
    make=data.make_fused,
    oracle=data.fused,
    bound=data.fused_bound,
    rounds=True,
    cases=data.FUSED_CASES,
    launch=a_block_per_row,
    points=2,
    topics=("D10", "E5"),
    cost=data.fused_cost,
    budgets=(
        Budget(
            "global_load_bytes",
            14_400,
            FULL,
            "4 x 300 elements of src and residual and as many numbers of bias are each loaded once: what stands "
            "between two steps stays in a register",
            "not_fused",
        ),
        Budget("global_store_bytes", 4_800, FULL, "4 x 300 elements of dst are each stored once", "not_fused"),
        Budget(
            "global_load_sectors_per_request",
            5.5,
            FULL,
            "32 neighbours of a row are 4 or 5 sectors",
            "uncoalesced",
        ),
        at_work(4 * 128, FULL, "a row of 300 elements has work for all 128 threads of its block"),
    ),
    slips=slips.FUSED,
    predictions={"global_load_bytes": "global_load_bytes", "global_store_bytes": "global_store_bytes"},
    reasons={
        "global_load_bytes": lambda at: n(at["n_rows"] * at["n_cols"], "element") * n(3, "load") * n(4, "byte"),
        "global_store_bytes": lambda at: n(at["n_rows"] * at["n_cols"], "element") * n(4, "byte"),
    },
    predict_case=FULL,
    example=matrix(2, 4),
    why="Each step hands its result to the next in a register, where three kernels go through memory. The arithmetic "
    "is the same, the bytes are fewer, and bytes are what these kernels wait for.",
)

LAYER_NORM = Exercise(
    id="attention.layer_norm",
    unit=UNIT,
    title="Mean and variance from one read",
    task="Give each row mean 0 and variance 1, then scale and shift its columns: dst = (src - mean) / sqrt(variance + "
    "1e-5) * gamma + beta, the variance being the mean of (src - mean)². A warp per row, four rows per block; each "
    "element of src is loaded once. A row has at most 1,024 elements.",
    function="layer_norm",
    arguments=data.NORM_ARGUMENTS,
    make=data.make_norm,
    oracle=data.normalised,
    bound=data.norm_bound,
    rounds=True,
    cases=data.NORM_CASES,
    launch=a_warp_per_row,
    points=3,
    topics=("D10", "D4"),
    free_sizes=("n_rows",),
    naive="layer_norm_thread_per_row",
    naive_launch=a_thread_per_row,
    cost=data.norm_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_LAYER_NORM),
    budgets=(
        Budget(
            "global_load_bytes",
            14_400,
            FULL,
            "4 x 300 elements of src are each loaded once, and gamma and beta once for each row",
            "reads_again",
        ),
        Budget(
            "global_load_sectors_per_request",
            5.5,
            FULL,
            "32 neighbours of a row are 4 or 5 sectors",
            "uncoalesced",
        ),
        at_work(4 * 32, FULL, "a row of 300 elements has work for all 32 lanes of its warp"),
    ),
    slips=slips.NORM,
    predictions={"global_load_bytes": "global_load_bytes", "shared_load_requests": "shared_load_requests"},
    reasons={
        "global_load_bytes": lambda at: n(3, "array") * n(at["n_rows"] * at["n_cols"], "element") * n(4, "byte"),
        "shared_load_requests": lambda at: (
            n(at["n_rows"], "row") * n(ceil_div(at["n_cols"], 32), "turn") * n(2, "load")
        ),
    },
    guesses={
        "prints": Guess(
            "prints",
            "how far the squares of 8193 and 8191 lie from that of 8192",
            ("print(8193 * 8193 - 8192 * 8192, 8191 * 8191 - 8192 * 8192)",),
            "near 8192² = 2^26 a float32 has steps of 8 or 4, so 16,384 and -16,384 are left, whose mean is 0: the 1, "
            "which is the variance, is lost",
        )
    },
    predict_case=FULL,
    example=matrix(2, 4),
    why="The row stays on the chip between three passes over it, so memory is read once and no difference of two large "
    "numbers is taken. A lane reads back only what it stored itself, so no thread has to wait for another.",
)
