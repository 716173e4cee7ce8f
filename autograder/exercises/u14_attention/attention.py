"""Contracts of unit 14 for attention: with the matrix of weights in memory, and without."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u14_attention import attention_slips as slips
from autograder.exercises.u14_attention import attention_values as data
from autograder.exercises.u14_attention.attention_values import ATTENTION_ARGUMENTS, FREE, FULL, OUT
from autograder.exercises.u14_attention.causal_slips import CAUSAL
from autograder.exercises.u14_attention.values import UNIT, at_work

ATTENTION_NAIVE = Exercise(
    id="attention.attention_naive",
    unit=UNIT,
    title="Attention in three launches",
    task="Attention, for all arrays on the device: write the kernels and the host function that fills scores with "
    "q k / sqrt(32), one row per query of all heads, replaces each row by its softmax, and fills out with the rows of "
    "weights times v. At most three launches, and no memory but the arguments.",
    function="attention_naive",
    arguments=(
        *ATTENTION_ARGUMENTS,
        Argument("scores", "scratch", "float32", "(n_heads n, n)", "room for a row of scores for each query"),
        OUT,
    ),
    make=data.make_naive,
    oracle=data.attention,
    bound=data.attention_bound,
    rounds=True,
    cases=data.CASES,
    kind="host",
    arrays="device",
    points=3,
    topics=("D10", "D3"),
    free_sizes=FREE,
    budgets=(
        Budget("kernel_launches", 3, FULL, "a launch for scores, one for softmax, one for out", "too_many_launches"),
        Budget(
            "device_allocations",
            0,
            FULL,
            "scores is all the room there is: allocating in every call costs more than a short launch",
            "allocates_per_call",
        ),
        Budget(
            "transferred_bytes",
            0,
            FULL,
            "everything is on the device already, and the result stays there",
            "too_many_transfers",
        ),
        at_work(2 * 42 * 32, FULL, "out has 2 x 42 x 32 elements, and scores more"),
    ),
    slips=slips.NAIVE,
    predictions={"kernel_launches": "kernel_launches", "global_store_bytes": "global_store_bytes"},
    reasons={
        "kernel_launches": lambda at: n(3, "launch", "launches"),
        "global_store_bytes": lambda at: (
            n(at["n_heads"], "head")
            * (n(2, "matrix", "matrices") * n(at["n"] ** 2, "weight") + n(at["n"] * 32, "result"))
            * n(4, "byte")
        ),
    },
    predict_case=FULL,
    example=data.sequence(1, 4),
    shown=data.few_numbers,
    uses=("attention.softmax_online",),
    why="Scores are a product, weights a softmax of its rows, and the result a product again. Each of the three "
    "launches writes what the next one reads, so an n x n matrix per head goes through memory five times.",
)

ATTENTION_FLASH = Exercise(
    id="attention.attention_flash",
    unit=UNIT,
    title="The matrix that is never stored",
    task="The same attention in one launch, and without the matrix: a block of 32 x 8 threads has eight queries of one "
    "head, a warp each, and goes through keys and values in tiles of 32. A tile gives 32 scores, which go into a "
    "running maximum, a total and a result before the next tile comes.",
    function="attention_flash",
    arguments=(*ATTENTION_ARGUMENTS, OUT),
    make=data.make_attention,
    oracle=data.attention,
    bound=data.attention_bound,
    rounds=True,
    cases=data.CASES,
    launch=data.a_warp_per_query,
    points=4,
    topics=("D10", "A7"),
    free_sizes=FREE,
    naive="attention_warp_alone",
    cost=data.flash_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_ATTENTION, rate=data.PRODUCTS),
    budgets=(
        Budget(
            "global_load_bytes",
            145_000,
            FULL,
            "12 blocks load 42 keys and 42 values once, in tiles that all eight warps share, and each query is loaded "
            "once",
            "too_much_traffic",
        ),
        at_work(2 * 42 * 32, FULL, "each of 2 x 42 queries has a warp of its own"),
    ),
    slips=slips.FLASH,
    predictions={"global_load_bytes": "global_load_bytes", "global_store_bytes": "global_store_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            (n(at.blocks, "block") * n(at["n"], "key") * n(2, "array") + n(at["n_heads"] * at["n"], "query", "queries"))
            * n(32, "number")
            * n(4, "byte")
        ),
        "global_store_bytes": lambda at: (
            n(at["n_heads"] * at["n"], "query", "queries") * n(32, "number") * n(4, "byte")
        ),
    },
    predict_case=FULL,
    example=data.sequence(1, 4),
    shown=data.few_numbers,
    why="A tile's weights live in registers, one per lane, for as long as they are needed. What earlier tiles left "
    "is rescaled to a larger maximum by one factor, so the row of weights never has to exist as a whole.",
)


ATTENTION_CAUSAL = Exercise(
    id="attention.attention_causal",
    unit=UNIT,
    title="Only what came before",
    task="The same attention where query i sees keys 0 to i only, as in a network that continues a text. A block stops "
    "after the tile that holds its last query's own key: later tiles are never loaded.",
    function="attention_causal",
    arguments=(*ATTENTION_ARGUMENTS, OUT),
    make=data.make_attention,
    oracle=data.causal,
    bound=data.causal_bound,
    rounds=True,
    cases=data.CASES,
    launch=data.a_warp_per_query,
    points=2,
    topics=("D10",),
    free_sizes=FREE,
    naive="causal_warp_alone",
    cost=data.causal_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_CAUSAL, rate=data.HALF_THE_PRODUCTS),
    budgets=(
        Budget(
            "global_load_bytes",
            119_296,
            FULL,
            "6 blocks of a head go through 1, 1, 1, 1, 2 and 2 tiles: as far as their last query",
            "too_many_tiles",
        ),
        at_work(2 * 42 * 32, FULL, "each of 2 x 42 queries has a warp of its own"),
    ),
    slips=CAUSAL,
    predictions={"global_load_bytes": "global_load_bytes"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at["n_heads"], "head")
            * (
                n(sum(data.keys_up_to(first, at["n"]) for first in range(0, at["n"], 8)), "key") * n(2, "array")
                + n(at["n"], "query", "queries")
            )
            * n(32, "number")
            * n(4, "byte")
        ),
    },
    predict_case=FULL,
    example=data.sequence(1, 4),
    shown=data.few_numbers,
    why="A score that is masked before the maximum is taken has no share and no place in the total. And a tile that "
    "comes after every query of a block need not be loaded or multiplied, which saves nearly half of them.",
)
