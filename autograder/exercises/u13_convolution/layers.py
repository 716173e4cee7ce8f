"""Contracts of unit 13 that convolve without a matrix: a thread for each output, and a tile for a block."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u13_convolution import slips
from autograder.exercises.u13_convolution import values as data
from autograder.exercises.u13_convolution.values import FREE, LAYER_ARGUMENTS, UNIT, layer

DIRECT_LAYER = layer(1, 4, 8, 16, 32)

CONV_DIRECT = Exercise(
    id="convolution.conv_direct",
    unit=UNIT,
    title="One thread, one output",
    task="A layer of convolutions: dst[n, o, r, c] is the sum of weights[o, i, a, b] * "
    "src[n, i, r + a - k // 2, c + b - k // 2] over all i, a and b; past an edge src is 0. One thread per output: "
    "x of the grid along columns, y down rows, z = n * n_out + o.",
    function="conv_direct",
    arguments=LAYER_ARGUMENTS,
    make=data.make_layer,
    oracle=data.convolved,
    bound=data.layer_bound,
    cases=(
        *data.layer_cases(
            DIRECT_LAYER,
            (1, 8, 8, 8, 32, 1),
            (2, 2, 3, 5, 33, 5),
            (3, 3, 2, 9, 20, 3),
            odd=(2, 2, 2, 9, 40, 3),
        ),
        data.WIDE_FILTERS,
    ),
    launch=data.planes,
    points=2,
    topics=("D9", "A2"),
    free_sizes=FREE,
    cost=data.direct_cost,
    budgets=(
        Budget(
            "float32_flops",
            300_000,
            DIRECT_LAYER,
            "4,096 outputs of 36 products and as many sums, and fewer at the edges",
            "too_much_arithmetic",
        ),
        Budget(
            "global_load_sectors_per_request",
            3.5,
            DIRECT_LAYER,
            "a weight is one element for the whole warp, 1 sector; 32 neighbours of a row are 4 or 5",
            "uncoalesced",
        ),
        data.at_work(4096, DIRECT_LAYER, "each of 8 x 16 x 32 outputs has a thread of its own"),
    ),
    slips=slips.DIRECT,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_out"] * at["n_in"], "pair of channels", "pairs of channels")
            * (n(at["n_rows"], "row") * n(at["k"], "row of weights", "rows of weights") - n(2, "outside", "outside"))
            * n(at["k"], "column of weights", "columns of weights")
            * n(2, "load")
        ),
    },
    predict_case=DIRECT_LAYER,
    example=layer(1, 1, 1, 2, 4),
    why="Each output has a thread of its own, and neighbouring lanes have neighbouring columns. Every product takes "
    "two loads, and an element of src is loaded again for each weight and each output channel: the next rung "
    "fixes that.",
)

TILED_LAYER = layer(1, 4, 8, 16, 64)
SPEED = SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_CONV2D, rate=data.PRODUCTS)

CONV_TILED = Exercise(
    id="convolution.conv_tiled",
    unit=UNIT,
    title="A tile for nine weights and eight channels",
    task="The same layer for 3 x 3 weights. A block of 32 x 8 threads takes a tile of one channel at a time into "
    "shared memory, 10 x 34 with its halo, and each thread works out 8 output channels of its place: "
    "z = n * groups + group, where a group is 8 output channels.",
    function="conv_tiled",
    arguments=LAYER_ARGUMENTS,
    make=data.make_layer,
    oracle=data.convolved,
    bound=data.layer_bound,
    cases=data.layer_cases(
        TILED_LAYER,
        (1, 1, 1, 1, 3),
        (2, 2, 3, 9, 33),
        (3, 3, 17, 7, 20),
        odd=(2, 2, 9, 9, 40),
    ),
    launch=data.planes_of_eight,
    points=3,
    topics=("D9", "A7", "B9"),
    free_sizes=FREE,
    naive="conv_one_each",
    naive_launch=data.planes,
    cost=data.tiled_cost,
    speed=SPEED,
    budgets=(
        Budget(
            "global_load_bytes",
            24_000,
            TILED_LAYER,
            "4 blocks and 4 channels: 9 x 33 elements that exist of a tile, and 72 weights",
            "too_much_traffic",
        ),
        Budget(
            "shared_load_requests",
            12_000,
            TILED_LAYER,
            "an element of the tile serves 8 output channels: 9 loads for 8 products, where one per channel takes 16",
            "too_many_shared_loads",
        ),
    ),
    slips=slips.TILED,
    predictions={"global_load_bytes": "global_load_bytes", "shared_load_requests": "shared_load_requests"},
    reasons={
        "global_load_bytes": lambda at: (
            n(at.blocks, "block")
            * n(at["n_in"], "channel")
            * (n(9, "row") * n(33, "column") + n(72, "weight"))
            * n(4, "byte")
        ),
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(at["n_in"], "channel")
            * n(9, "element")
            * (n(1, "load of it", "loads of it") + n(8, "weight"))
        ),
    },
    predict_case=TILED_LAYER,
    example=layer(1, 1, 2, 2, 4),
    guesses={
        "line": Guess("line", "the line of the draft that the verdict names"),
        "index": Guess(
            "index",
            "the place in dst that thread 37 of block 1 writes first",
            (1, 37, "dst"),
            "thread 37 of 32 x 8 is tx = 5, ty = 1, and block 1 begins at column 32: row 1 and column 37 of channel 0, "
            "and a row has 64 columns",
        ),
    },
    why="An element is loaded once from global memory for all nine windows that it lies in and for eight output "
    "channels, and once from shared memory for eight products. The sums stay in registers from channel to channel.",
)
