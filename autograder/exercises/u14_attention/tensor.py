"""Contract of unit 14 for attention on tensor cores."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u14_attention import attention_values, tensor_slips
from autograder.exercises.u14_attention import tensor_values as data
from autograder.exercises.u14_attention.tensor_values import FULL, SIDE
from autograder.exercises.u14_attention.values import UNIT, at_work

ATTENTION_TENSOR = Exercise(
    id="attention.attention_tensor",
    unit=UNIT,
    title="Weights that never leave a register",
    task="The same attention on tensor cores: float16 vectors of 64 numbers, sums in float32. A block of 128 threads "
    "has 64 queries of one head, 16 per warp, and goes through keys and values in tiles of 64.",
    function="attention_tensor",
    arguments=data.ARGUMENTS,
    make=data.make_tensor,
    oracle=attention_values.attention,
    bound=data.tensor_bound,
    rounds=True,
    cases=data.CASES,
    launch=data.a_block_per_tile,
    points=5,
    topics=("D10", "E7", "D3"),
    free_sizes=attention_values.FREE,
    naive="attention_halves_alone",
    naive_launch=data.a_warp_per_query,
    cost=data.tensor_cost,
    speed=SpeedPolicy(points=1, sizes_for=attention_values.timed, library=data.TORCH_HALVES, rate=data.PRODUCTS),
    budgets=(
        Budget(
            "shared_load_requests",
            1_600,
            FULL,
            "4 blocks of 4 warps: 4 requests for queries, and for each of 2 tiles 16 for keys and 16 for values",
            "through_shared_memory",
        ),
        Budget(
            "shared_store_requests",
            400,
            FULL,
            "only the zeros past the last key are stored by threads: weights go from one product to the next in "
            "registers",
            "through_shared_memory",
        ),
        at_work(2 * 72 * 2, FULL, "each of 2 x 72 queries has four lanes, some of which may have no key"),
    ),
    slips=tensor_slips.TENSOR,
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.blocks, "block")
            * n(4, "warp")
            * (
                n(4, "load of queries", "loads of queries")
                + n(ceil_div(at["n"], SIDE), "tile") * (n(16, "of keys", "of keys") + n(16, "of values", "of values"))
            )
        )
    },
    predict_case=FULL,
    example=attention_values.sequence(1, 4),
    shown=attention_values.few_numbers,
    why="The lanes that hold the results of one product hold the factor of the next, so weights are rounded where they "
    "are and never stored. What is loaded from shared memory serves 16 queries at a time.",
)
