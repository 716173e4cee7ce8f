"""Contracts of unit 18 where a line is convolved: sums from one stage and from two, and whole layers."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy, Values
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u18_engine_kernels import conv_values as data
from autograder.exercises.u18_engine_kernels.conv_values import DEEP_LAYER, ONE_BLOCK, TWO_BLOCKS, WHOLE_LAYER
from autograder.exercises.u18_engine_kernels.cudnn import CUDNN
from autograder.exercises.u18_engine_kernels.layer_slips import LAYER, LAYER_IN_PAIRS
from autograder.exercises.u18_engine_kernels.sum_slips import SUMS
from autograder.exercises.u18_engine_kernels.values import UNIT

FREE = ("n_blocks", "n_cells", "n_out", "pitch")
FACTORS = (
    Argument("src", "in", "int8", "(n_blocks, n_cells, 32)", "a line of cells for each 32 channels"),
    Argument("weights", "in", "int8", "(n_blocks, 9, n_out, 32)", "the same 32 channels for each tap and output"),
    Argument("pitch", "scalar", "int64", "", "cells from a row to the next"),
)


def one_channel(values: Values) -> dict[str, tuple]:
    """What a picture shows of a line, its weights and the sums: of each block of channels the first, and one output."""
    return {"src": (None, None, (0,)), "weights": (None, None, (0,), (0,)), "sums": (None, (0,))}


def one_channel_of_layer(values: Values) -> dict[str, tuple]:
    """The same of a whole layer."""
    factors = {name: one for name, one in one_channel(values).items() if name != "sums"}
    return factors | {"multiplier": ((0,),), "addend": ((0,),)} | dict.fromkeys(("residual", "dst"), ((0,), None, (0,)))


CONV_TILE = Exercise(
    id="engine_kernels.conv_tile",
    unit=UNIT,
    title="A product whose matrix is never stored",
    task="sums[u, o] is the sum over blocks of channels, taps (a, b) and 32 channels of weights times "
    "src[block, u + (a - 1) * pitch + b - 1], and 0 past the ends of the line. A block of 8 warps works out 256 cells "
    "of 64 outputs, 32 x 64 per warp, with mma_int8: all nine taps read one run of cells in shared memory.",
    function="conv_tile",
    arguments=(*FACTORS, Argument("sums", "out", "int32", "(n_cells, n_out)", "exact sums")),
    make=data.make_sums,
    oracle=data.summed,
    cases=data.sums_cases(ONE_BLOCK),
    launch=data.sums_launch(1),
    points=4,
    topics=("E7", "D9", "D3"),
    free_sizes=FREE,
    cost=data.sums_cost,
    budgets=(
        Budget(
            "shared_load_requests",
            600,
            ONE_BLOCK,
            "8 warps, 9 taps, 2 matrices of cells and 4 of weights: 432 requests feed the tensor cores",
            "no_tensor_cores",
        ),
        Budget(
            "global_load_bytes",
            32 * (256 + 576),
            ONE_BLOCK,
            "a run of 256 cells that exist and 576 rows of weights are loaded once, for all nine taps",
            "too_much_traffic",
        ),
    ),
    slips=SUMS,
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_blocks"], "block of channels", "blocks of channels")
            * n(9, "tap")
            * (n(2, "matrix of cells", "matrices of cells") + n(4, "of weights", "of weights"))
        ),
    },
    predict_case=ONE_BLOCK,
    example=data.sizes_of(1, 12, 1, 3),
    shown=one_channel,
    why="A tap is another starting row in the same run, so a cell is loaded once for nine products. Zeros lie in the "
    "line, so no kernel asks where a picture ends.",
)

CONV_RING = replace(
    CONV_TILE,
    id="engine_kernels.conv_ring",
    title="The next block of channels, on its way",
    task="The same sums, from two stages: while one block of channels is multiplied, copies of the next are under way.",
    function="conv_ring",
    cases=data.sums_cases(TWO_BLOCKS),
    launch=data.sums_launch(2),
    points=3,
    topics=("E7", "B11", "D9"),
    budgets=(
        Budget(
            "shared_load_requests",
            1_200,
            TWO_BLOCKS,
            "8 warps, 2 blocks of channels, 9 taps, 6 matrices each: 864 requests feed the tensor cores",
            "no_tensor_cores",
        ),
        Budget(
            "async_copies_ahead",
            800,
            TWO_BLOCKS,
            "while one block of channels is multiplied, the next is on its way; waited for before anything is "
            "multiplied, nothing travels beside the products",
            "waits_at_once",
            floor=True,
        ),
    ),
    predictions={"async_copy_requests": "async_copy_requests"},
    reasons={
        "async_copy_requests": lambda at: (
            n(at["n_blocks"], "block of channels", "blocks of channels")
            * (n(17, "request for cells", "requests for cells") + n(36, "for weights", "for weights"))
            * n(16, "element")
        ),
    },
    predict_case=TWO_BLOCKS,
    guesses={"line": Guess("line", "the line of the draft that the verdict names")},
    uses=("engine_kernels.conv_tile",),
    why="A stage has the time of nine taps to arrive in, and no register is spent on it. One barrier per "
    "block of channels shows what others copied, and keeps everybody off the stage that is still multiplied.",
)

LAYER_ARGUMENTS = (
    *FACTORS,
    Argument("height", "scalar", "int64", "", "rows of the line from a picture to the next"),
    Argument("multiplier", "in", "float32", "(32 n_blocks_out,)", "steps of the output per step of a sum, per channel"),
    Argument("addend", "in", "float32", "(32 n_blocks_out,)", "the bias, in steps of the output"),
    Argument("residual", "in", "int8", "(n_blocks_out, n_cells, 32)", "a line of an earlier layer, to be added"),
    Argument("residual_multiplier", "scalar", "float32", "", "steps of the output per step of it; 0: none is read"),
    Argument("low", "scalar", "float32", "", "the activation's lower end: 0 for a ReLU"),
    Argument("high", "scalar", "float32", "", "and its upper end"),
    Argument("dst", "out", "int8", "(n_blocks_out, n_cells, 32)", "the layer's result, a line"),
)

CONV_LAYER = Exercise(
    id="engine_kernels.conv_layer",
    unit=UNIT,
    title="The rest of the layer, before anything is stored",
    task="The same sums, and the rest of the layer in the same kernel: v = sum * multiplier[o] + addend[o] + residual "
    "* residual_multiplier, cut to low and high, rounded once, half to even, and cut to int8. A zero cell, every "
    "pitch-th and those of every height-th row, gets zeros. Each lane stores 16 channels of a cell at once.",
    function="conv_layer",
    arguments=LAYER_ARGUMENTS,
    make=data.make_layer,
    oracle=data.of_layer,
    bound=data.layer_bound,
    cases=data.layer_cases(WHOLE_LAYER),
    launch=data.layer_launch(2),
    points=4,
    topics=("E7", "E8", "D9"),
    free_sizes=(*FREE, "height"),
    naive="layer_one_each",
    naive_launch=data.an_output_each,
    cost=data.layer_cost(data.BY_LANE),
    speed=SpeedPolicy(points=1, sizes_for=data.resnet_layer, library=CUDNN, rate=data.PRODUCTS),
    budgets=(
        Budget(
            "global_store_requests",
            32,
            WHOLE_LAYER,
            "8 warps store 32 cells of 64 channels each, 16 bytes per lane: 4 requests",
            "narrow_stores",
        ),
        Budget(
            "async_copies_ahead",
            800,
            WHOLE_LAYER,
            "while one block of channels is multiplied, the next is on its way",
            "waits_at_once",
            floor=True,
        ),
    ),
    slips=LAYER,
    predictions={"global_store_requests": "global_store_requests"},
    reasons={
        "global_store_requests": lambda at: (
            n(at.warps, "warp") * n(4, "cell of a lane", "cells of a lane") * n(1, "store")
        ),
    },
    predict_case=WHOLE_LAYER,
    example=data.layer(1, 12, 1, 3, 3, 0, 1),
    shown=one_channel_of_layer,
    as_made=("multiplier", "addend"),
    uses=("engine_kernels.conv_tile", "engine_kernels.conv_ring"),
    why="Sums stay in registers until they are steps of the output, so one byte is stored where there would "
    "have been four, and read again. The order of the weights gives a lane 16 neighbouring channels, which costs "
    "nothing.",
)

CONV_WARPGROUP = replace(
    CONV_LAYER,
    id="engine_kernels.conv_warpgroup",
    title="Products that run beside the threads",
    task="The same layer by one warpgroup for 256 cells of 64 outputs, weights times cells, from two stages. Products "
    "run beside the threads, as copies do: while they run, the copies of the next block of channels are under way.",
    function="conv_warpgroup",
    cases=data.layer_cases(DEEP_LAYER),
    launch=data.layer_launch(2, threads=128),
    points=4,
    topics=("E7", "B11", "D9"),
    cost=data.layer_cost(data.BY_PAIR),
    slips=LAYER_IN_PAIRS,
    budgets=(
        Budget(
            "shared_load_requests",
            100,
            DEEP_LAYER,
            "the tensor cores read the run from shared memory: 64 requests are for residual and results",
            "no_tensor_cores",
        ),
        Budget(
            "async_copies_ahead",
            3_200,
            DEEP_LAYER,
            "while one block of channels is multiplied, the next is on its way",
            "waits_at_once",
            floor=True,
        ),
    ),
    predictions={"async_copy_requests": "async_copy_requests"},
    reasons={"async_copy_requests": CONV_RING.reasons["async_copy_requests"]},
    predict_case=DEEP_LAYER,
    capability=(9, 0),
    uses=("engine_kernels.conv_tile", "engine_kernels.conv_ring", "engine_kernels.conv_layer"),
    why="The threads begin copies and products, and no fragment passes through their registers: the tensor cores read "
    "the run at nine places from shared memory. With weights as the left factor, 256 cells share each read of them.",
)
