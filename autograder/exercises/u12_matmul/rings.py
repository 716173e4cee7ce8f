"""Contracts of unit 12 whose next tiles travel beside the threads, several of them in a ring."""

from __future__ import annotations

from dataclasses import replace

from autograder.contract import Budget, Slip
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u12_matmul import slips
from autograder.exercises.u12_matmul import values as data
from autograder.exercises.u12_matmul.registers import MATMUL_TENSOR, MATMUL_WIDE
from autograder.exercises.u12_matmul.tiles import slips_of
from autograder.exercises.u12_matmul.values import shape

THREE_TILES = shape(128, 48, 128)
AHEAD = 256  # of the 384 requests that copy
FIVE_TILES = shape(128, 320, 256)  # one more than there are stages
AHEAD_OF_PRODUCTS = 3_072  # of the 3,840 requests that copy
SHARED_OF_GROUPS = 4 * 2 * (128 * 64 + 64 * 256)  # bytes: four stages, float16
IN_INT8 = shape(128, 192, 128)
IN_BYTES, EVERY = "sums of products were kept in an int8, which holds -128 to 127", 2**31

MATMUL_RING = replace(
    MATMUL_WIDE,
    id="matmul.matmul_ring",
    title="Two tiles, copied beside the threads",
    task="A block of 128 threads works out 128 x 128 elements, 8 x 16 per thread, from tiles that are 16 deep. "
    "Two stages take turns, and the copies into them cost the threads nothing.",
    function="matmul_ring",
    cases=data.cases(THREE_TILES, (129, 12, 36), odd=(5, 9, 7), deep=77),
    launch=data.blocks_of(128, 128),
    topics=("D3", "B11", "B7"),
    cost=data.tile_cost(128, 16),
    budgets=(
        Budget(
            "shared_load_requests",
            1_280,
            THREE_TILES,
            "48 values of k, and for each 4 warps load 8 elements of a and 16 of b, 4 at a time: 6 requests",
            "narrow_loads",
        ),
        Budget(
            "shared_store_requests", 0, THREE_TILES, "the copies write shared memory by themselves", "through_registers"
        ),
        Budget(
            "async_copies_ahead",
            AHEAD,
            THREE_TILES,
            "while one tile is multiplied, the next is on its way; waited for before anything is multiplied, "
            "nothing travels beside the products",
            "waits_at_once",
            floor=True,
        ),
    ),
    slips=slips_of(16),
    predictions={"async_copy_requests": "async_copy_requests"},
    reasons={
        "async_copy_requests": lambda at: (
            n(at.warps, "warp")
            * n(ceil_div(at["n_inner"], 16), "tile")
            * (n(16, "element of a", "elements of a") + n(16, "of b", "of b"))
        ),
    },
    predict_case=THREE_TILES,
    uses=("matmul.matmul_wide",),
    why="Each tile had a whole iteration to arrive while another was multiplied, and no register was spent on it. "
    "24 elements loaded for 128 products leave nearly all instructions to the products.",
)

MATMUL_INT8 = replace(
    MATMUL_TENSOR,
    id="matmul.matmul_int8",
    title="Tensor cores on int8",
    task="c = a b, where b comes transposed, as int8: row j of b holds column j. Sums are int32, and exact. "
    "A block of 4 warps works out 128 x 128 elements, 64 x 64 per warp, 16 x 8 by each mma_int8.",
    function="matmul_int8",
    arguments=data.INT8_MATRICES,
    make=data.make_int8,
    oracle=data.product_int8,
    bound=None,
    cases=data.cases(IN_INT8, (130, 80, 136), (33, 19, 34), odd=(5, 9, 7), deep=173),
    topics=("D3", "E7"),
    naive="matmul_one_each_int8",
    cost=data.int8_cost,
    speed=replace(MATMUL_TENSOR.speed, library=data.TORCH_INT_MM, rate=data.INT8_PRODUCTS),
    budgets=(
        Budget(
            "shared_load_requests",
            256,
            IN_INT8,
            "4 warps, 6 steps of 32, 8 matrices each: 192 requests feed the tensor cores",
            "no_tensor_cores",
        ),
    ),
    slips=(
        Slip("last_term_missing", "the last product of every sum is missing", slips.last_term_missing_int8),
        Slip("first_tile_only", "only the first tile of a and of b was multiplied", slips.first_tile_int8),
        *slips.of_last_tile(64, slips.part_int8),
        Slip("narrow_type", "every product was kept in an int8, which holds -128 to 127", slips.in_bytes(1)),
        *(Slip("narrow_type", IN_BYTES, slips.in_bytes(depth)) for depth in (32, 64, EVERY)),
    ),
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: (
            n(at.warps, "warp")
            * n(ceil_div(at["n_inner"], 32), "step")
            * (n(4, "load of a", "loads of a") + n(4, "of b", "of b"))
        ),
    },
    predict_case=IN_INT8,
    uses=("matmul.matmul_tensor",),
    why="Products and sums of whole numbers are exact on tensor cores, and an int8 is half of a float16: "
    "twice the products in each instruction, from the same bytes.",
)

MATMUL_WARPGROUP = replace(
    MATMUL_TENSOR,
    id="matmul.matmul_warpgroup",
    title="Four warps, whole tiles at once",
    task="a and b are float16, sums float32. A block of two warpgroups works out 128 x 256 elements, 64 x 256 per "
    "group, on tiles that are 64 deep. Four stages take turns, and products run beside the threads, too.",
    function="matmul_warpgroup",
    cases=data.cases(FIVE_TILES, (130, 40, 264), odd=(5, 9, 7), deep=173),
    launch=lambda v: (*data.wide_blocks(v), SHARED_OF_GROUPS),
    topics=("D3", "E7", "B11"),
    cost=data.wide_cost,
    budgets=(
        Budget(
            "shared_load_requests", 0, FIVE_TILES, "the tensor cores read the tiles by themselves", "no_tensor_cores"
        ),
        Budget(
            "async_copies_ahead",
            AHEAD_OF_PRODUCTS,
            FIVE_TILES,
            "while one tile is multiplied, the next two are on their way: nothing may wait for all copies",
            "waits_at_once",
            floor=True,
        ),
    ),
    slips=slips_of(64),
    predictions={"async_copy_requests": "async_copy_requests", "shared_load_requests": "shared_load_requests"},
    reasons={
        "async_copy_requests": lambda at: (
            n(at.warps, "warp")
            * n(ceil_div(at["n_inner"], 64), "tile")
            * (n(32, "element of a", "elements of a") + n(64, "of b", "of b"))
        ),
        "shared_load_requests": lambda at: n(at.warps, "warp") * n(0, "load"),
    },
    predict_case=FIVE_TILES,
    capability=(9, 0),
    uses=("matmul.matmul_tensor",),
    why="The threads begin copies and products and go on: while one product runs, the next tiles are on their way.",
)
