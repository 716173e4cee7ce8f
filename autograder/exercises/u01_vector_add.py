"""Unit 01, vector add: one contract a rung. Inputs and oracles: `values_vector_add`; hints: `hints`."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from autograder.contract import Argument, Budget, Case, Exercise, Slip, SpeedPolicy
from autograder.exercises import values_vector_add as data
from autograder.exercises.hints import u01_vector_add as hints
from autograder.exercises.values_vector_add import THREADS, ceil_div

UNIT = "01_vector_add"
RAGGED = (0, 1, 31, 32, 33, 1023, 1024, 1025, 7919)  # nothing, around a warp, around four blocks, a prime
LARGE = 262_147  # a prime just over 2**18: its block count, 1025, is no legal block size
TRANSFERRED = "transferred_bytes"


@cuda.jit
def vector_add_naive(a, b, out):
    """out = a + b, one element a thread. a, b, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]  # 32 lanes, 32 neighbours: 4 sectors a request


SUM_OF_TWO = (
    Argument("a", "in", "float32", "(n,)", "the first array to add"),
    Argument("b", "in", "float32", "(n,)", "the second array to add"),
    Argument("out", "out", "float32", "(n,)", "a + b, element by element"),
)
FOUR_SECTORS_A_LOAD = Budget(
    "global_load_sectors_per_request",
    at_most=5,
    sizes={"n": 7919},
    why="A warp that loads 32 neighbouring floats needs 128 bytes, which are 4 sectors of 32 bytes.",
    misconception="uncoalesced",
)
PREDICT_LOADS = {
    "global_load_sectors_per_request": "global_load_sectors_per_request",
    "global_load_requests": "global_load_requests",
}

ADD_ONE_BLOCK = Exercise(
    id="vector_add.add_one_block",
    unit=UNIT,
    title="One block, one element a thread",
    task="Add two arrays of at most 256 elements with a single block of 256 threads. "
    "Thread i writes out[i], and a thread without an element does nothing.",
    function="add_one_block",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=lambda values: (1, THREADS),
    cases=data.cases_of((0, 1, 31, 32, 33, 255, 256)),
    points=1,
    hints=hints.ADD_ONE_BLOCK,
    topics=("A1", "A2", "A4"),
    cost=data.sum_cost,
    budgets=(
        Budget(
            "global_store_requests",
            at_most=8,
            sizes={"n": 256},
            why="256 elements are 8 warps' worth of stores; more means that threads repeat each other's work.",
            misconception="too_much_traffic",
        ),
    ),
    predictions={"global_store_requests": "global_store_requests"},
    predict_case={"n": 256},
)

VECTOR_ADD = Exercise(
    id="vector_add.vector_add",
    unit=UNIT,
    title="Many blocks, one index through the whole grid",
    task="Add two arrays of any length with as many blocks of 256 threads as that takes. "
    "Each thread writes one element of out; the spare threads of the last block do nothing.",
    function="vector_add",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=data.one_thread_each,
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    hints=hints.VECTOR_ADD,
    topics=("A2", "A4", "A10"),
    naive=vector_add_naive,
    cost=data.sum_cost,
    budgets=(FOUR_SECTORS_A_LOAD,),
    predictions=PREDICT_LOADS,
    predict_case={"n": 1024},
)

BLOCKS_FOR = Exercise(
    id="vector_add.blocks_for",
    unit=UNIT,
    title="How many blocks?",
    task="Return the number of blocks of the given number of threads that cover n elements, as an int. "
    "It is at least 1, because a launch of no blocks is an error.",
    function="blocks_for",
    arguments=(
        Argument("n", "scalar", "int64", "", "elements to cover, 0 or more"),
        Argument("threads", "scalar", "int64", "", "threads per block, 1 to 1024"),
        Argument("blocks", "out", "int64", "", "blocks to launch"),
    ),
    make=lambda sizes, values, rng: {**sizes, "blocks": np.int64(0)},
    oracle=lambda values: {"blocks": np.int64(max(1, ceil_div(values["n"], values["threads"])))},
    kind="host",
    cases=tuple(
        Case({"n": n, "threads": threads}, trace=False)
        for n, threads in (
            *((n, THREADS) for n in (1, 255, 256, 257, 512, 513, 7919)),
            *((n, 1024) for n in (1024, 1025, 2**31 + 1)),
            *((33, 32), (7, 1), (0, THREADS)),
        )
    ),
    points=1,
    hints=hints.BLOCKS_FOR,
    topics=("A2", "A4"),
    slips=data.BLOCKS_FOR_SLIPS,
)

FORWARD_DIFFERENCE = Exercise(
    id="vector_add.forward_difference",
    unit=UNIT,
    title="The read behind the array",
    task="Repair the draft: dst[i] is src[i + 1] - src[i], and 0 for the last element, "
    "which has no right neighbour. "
    "No thread may read or write outside an array, even where the result would come out right.",
    function="forward_difference",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the values"),
        Argument("dst", "out", "float32", "(n,)", "the step from each value to the next"),
    ),
    make=data.make_difference,
    oracle=data.difference_oracle,
    bound=data.difference_bound,
    launch=data.one_thread_each,
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    hints=hints.FORWARD_DIFFERENCE,
    topics=("A8",),
    cost=data.difference_cost,
    slips=(
        Slip(
            "wrong_formula",
            "The last element took the first one for its right neighbour.",
            data.difference_round_the_end,
        ),
        Slip(
            "wrong_formula",
            "Every sign is turned round: it is the right neighbour minus the element itself.",
            data.difference_negated,
        ),
    ),
)

BLEND = Exercise(
    id="vector_add.blend",
    unit=UNIT,
    title="A scalar argument, and the number that was not float32",
    task="Write out = (1 - weight) * x + weight * y, where weight is one float32 for the whole array. "
    "Every operation must stay in float32.",
    function="blend",
    arguments=(
        Argument("weight", "scalar", "float32", "", "0 gives x, 1 gives y"),
        Argument("x", "in", "float32", "(n,)", "the array at weight 0"),
        Argument("y", "in", "float32", "(n,)", "the array at weight 1"),
        Argument("out", "out", "float32", "(n,)", "the mix"),
    ),
    make=data.make_blend,
    oracle=data.blend_oracle,
    bound=data.blend_bound,
    launch=data.one_thread_each,
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    hints=hints.BLEND,
    topics=("A4", "D1", "C7"),
    cost=data.blend_cost,
    slips=(
        Slip("wrong_formula", "The arrays have changed places: weight 0 must give x.", data.blend_swapped),
        Slip("wrong_formula", "The array x keeps its full weight: 1 - weight must scale it.", data.blend_unscaled),
        Slip("wrong_formula", "Only the step is there: start at x, then walk towards y.", data.blend_without_x),
    ),
)

ADD_ON_DEVICE = Exercise(
    id="vector_add.add_on_device",
    unit=UNIT,
    title="There and back again",
    task="Take two NumPy arrays, add them on the device with your vector_add, and return a NumPy array. "
    "Two arrays go up, one comes down, and nothing else travels.",
    function="add_on_device",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    kind="host",
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    hints=hints.ADD_ON_DEVICE,
    topics=("A3", "A10"),
    uses=("vector_add.vector_add", "vector_add.blocks_for"),
    budgets=data.transfer_budgets(3, "Two inputs up and one output down are 3 x 4,100 bytes.", handed_in=6),
    slips=(
        Slip(
            "output_not_written",
            "What you return was never copied down: the kernel wrote to the device's copy, not to yours.",
            lambda values: {"out": np.zeros_like(values["a"])},
        ),
    ),
    predictions={TRANSFERRED: TRANSFERRED},
    predict_case={"n": 1025},
)

ADD_FOUR = Exercise(
    id="vector_add.add_four",
    unit=UNIT,
    title="Stay on the device",
    task="Return a + b + c + d as a NumPy array, in three launches of your vector_add. "
    "Every input goes up once, only the final sum comes down.",
    function="add_four",
    arguments=(
        *(Argument(name, "in", "float32", "(n,)", "an array to add") for name in "abcd"),
        Argument("out", "out", "float32", "(n,)", "a + b + c + d"),
    ),
    make=data.make_four,
    oracle=data.four_oracle,
    bound=data.four_bound,
    kind="host",
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    hints=hints.ADD_FOUR,
    topics=("A3", "C6"),
    uses=("vector_add.vector_add", "vector_add.blocks_for"),
    budgets=data.transfer_budgets(5, "Four inputs up and one sum down are 5 x 4,100 bytes.", handed_in=18),
    slips=data.ADD_FOUR_SLIPS,
    predictions={TRANSFERRED: TRANSFERRED},
    predict_case={"n": 1025},
)

VECTOR_ADD_UNROLLED = Exercise(
    id="vector_add.vector_add_unrolled",
    unit=UNIT,
    title="Four elements a thread",
    task="Add two arrays with a quarter of the threads: "
    "block k covers the 1,024 elements from 1024 * k on, four a thread. "
    "Load all eight values before the first store, and keep neighbouring threads on neighbouring elements.",
    function="vector_add_unrolled",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=data.four_elements_each,
    cases=data.cases_of((*RAGGED[:-1], 2048, 3071, 3073, 7919), LARGE),
    points=3,
    hints=hints.VECTOR_ADD_UNROLLED,
    topics=("C1", "A10", "B9"),
    naive=vector_add_naive,
    naive_launch=data.one_thread_each,
    cost=data.sum_cost,
    speed=SpeedPolicy(points=2, sizes_for=lambda n_bytes: {"n": n_bytes // 12}, library="torch.add"),
    budgets=(FOUR_SECTORS_A_LOAD,),
    predictions=PREDICT_LOADS,
    predict_case={"n": 2048},
)

EXERCISES = (
    ADD_ONE_BLOCK,
    VECTOR_ADD,
    BLOCKS_FOR,
    FORWARD_DIFFERENCE,
    BLEND,
    ADD_ON_DEVICE,
    ADD_FOUR,
    VECTOR_ADD_UNROLLED,
)
