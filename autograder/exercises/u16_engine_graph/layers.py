"""Contracts of unit 16 for fused layers: three products with one input, and a network's head in one kernel."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u16_engine_graph import slips
from autograder.exercises.u16_engine_graph import values as data
from autograder.exercises.u16_engine_graph.graphs import UNIT
from autograder.exercises.u16_engine_graph.values import HEAD, PROJECTIONS, at_work

QUERY_KEY_VALUE = Exercise(
    id="engine_graph.query_key_value",
    unit=UNIT,
    title="Three layers with one input",
    task="Work out three products with one input in one kernel. Their weights stand side by side: the first n_query "
    "columns make queries, the next n_key make keys, the last n_key values. One thread per column of all three and "
    "row: x of the grid along the columns, y down the rows.",
    function="query_key_value",
    arguments=data.PROJECTION_ARGUMENTS,
    make=data.make_projections,
    oracle=data.projected,
    bound=data.projected_bound,
    cases=data.PROJECTION_CASES,
    launch=data.a_thread_per_column,
    points=2,
    topics=("E5", "D10"),
    free_sizes=("n_rows", "n_in", "n_query", "n_key"),
    cost=data.projection_cost,
    budgets=(at_work(16 * 64, PROJECTIONS, "each of 16 x 64 results has a thread of its own"),),
    slips=slips.PROJECTIONS,
    predictions={"global_load_requests": "global_load_requests"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_rows"], "row") * n(2, "warp") * n(at["n_in"], "turn") * n(2, "array")
        ),
    },
    guesses={
        "index": Guess(
            "index",
            "the place in keys, counted row by row, that thread 45 of block 1 writes",
            (1, 45, "keys"),
            "thread 45 is the second warp's lane 13: row 1, column 32 + 13 = 45, and keys begin with column 40",
        )
    },
    predict_case=PROJECTIONS,
    example=data.projection(2, 4, 2, 1),
    why="One wide product in place of three narrow ones: x is read by one launch and not by three, and columns that "
    "would have filled a warp badly fill it together. Whoever reads queries, keys or values finds them where three "
    "layers would have left them.",
)

NETWORK_HEAD = Exercise(
    id="engine_graph.network_head",
    unit=UNIT,
    title="A network's head in one kernel",
    task="Four layers in one kernel: add the residual to x, cut at 0 (ReLU), average the pixels of each channel, and "
    "let the fully connected layer make a score per class of the averages. One block of 128 threads per image; there "
    "are at most 64 channels. No result between the layers goes to global memory.",
    function="network_head",
    arguments=data.HEAD_ARGUMENTS,
    make=data.make_head,
    oracle=data.headed,
    bound=data.head_bound,
    cases=data.HEAD_CASES,
    launch=data.a_block_per_image,
    points=3,
    topics=("E5", "E21"),
    free_sizes=("n_images", "n_classes"),
    cost=data.head_cost,
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4.6,
            HEAD,
            "32 neighbouring pixels of a channel, or 32 neighbouring classes of weights, are 4 or 5 sectors",
            "uncoalesced",
        ),
        at_work(2 * 128, HEAD, "9 channels of 64 pixels are work for all 128 threads of an image's block"),
    ),
    slips=slips.HEAD,
    predictions={"global_store_bytes": "global_store_bytes", "barriers": "barriers"},
    reasons={
        "global_store_bytes": lambda at: n(at["n_images"] * at["n_classes"], "score") * n(4, "byte"),
        "barriers": lambda at: n(at.blocks, "block") * n(1, "barrier"),
    },
    guesses={
        "prints": Guess(
            "prints",
            "what print(max(-3 + 1, 0), max(-3, 0) + max(1, 0)) prints: the ReLU of a sum, and the sum of two ReLUs",
            ("print(max(-3 + 1, 0), max(-3, 0) + max(1, 0))",),
            "the ReLU of a sum is not the sum of ReLUs, so the order of these layers cannot be changed",
        )
    },
    predict_case=HEAD,
    example=data.head(1, 2, 4, 3),
    shown=data.one_class,
    why="x and residual are read once and only scores are written: sums live in registers, averages in shared memory, "
    "and one barrier stands between the two. Four kernels would have written and read the whole picture three times.",
)
