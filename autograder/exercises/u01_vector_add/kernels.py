"""Contracts of unit 01 whose answer is a kernel: one contract a rung."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Case, Exercise, Guess, Library, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u01_vector_add import slips
from autograder.exercises.u01_vector_add import values as data
from autograder.exercises.u01_vector_add.values import LARGE, RAGGED, SUM_OF_TWO, THREADS, UNIT
from simt.hardware import WARP_SIZE

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
    title="One block, one element per thread",
    task="Add two arrays of at most 256 elements with a single block of 256 threads. "
    "Thread i writes out[i], and a thread without an element does nothing.",
    function="add_one_block",
    why="Each thread handles the element that has its own number, so 256 threads need no loop and never meet. "
    "The guard keeps threads without an element away from memory that is not theirs.",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=lambda values: (1, THREADS),
    cases=data.cases_of((0, 1, 31, 32, 33, 255, 256)),
    points=1,
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
    reasons={
        "global_store_requests": lambda at: n(ceil_div(at["n"], WARP_SIZE), "warp") * n(1, "store"),
    },
    predict_case={"n": 256},
)

VECTOR_ADD = Exercise(
    id="vector_add.vector_add",
    unit=UNIT,
    title="Many blocks, one index through the whole grid",
    task="Add two arrays of any length with as many blocks of 256 threads as that takes. "
    "Each thread writes one element of out; the spare threads of the last block do nothing.",
    function="vector_add",
    why="Block number times block size plus thread number gives every element exactly one thread, whatever "
    "the number of blocks. Neighbouring lanes read neighbouring elements, so a warp's 128 bytes travel as "
    "4 sectors.",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=data.one_thread_each,
    cases=data.cases_of(RAGGED, LARGE),
    points=2,
    topics=("A2", "A4", "A10"),
    naive="vector_add_naive",
    cost=data.sum_cost,
    budgets=(FOUR_SECTORS_A_LOAD,),
    predictions=PREDICT_LOADS,
    guesses={
        "index": Guess(
            "index",
            "the element that thread 37 of block 2 writes",
            (2, 37, "out"),
            "2 blocks of 256 threads come before, and 37 threads of its own block: 2 x 256 + 37",
        )
    },
    predict_case={"n": 1024},
)

FORWARD_DIFFERENCE = Exercise(
    id="vector_add.forward_difference",
    unit=UNIT,
    title="The read past the end",
    task="Repair the draft: dst[i] is src[i + 1] - src[i], and 0 for the last element, "
    "which has no right neighbour. "
    "No thread may read or write outside an array, even where the result would come out right.",
    function="forward_difference",
    why="The last element has no right neighbour, so its thread may not look at one: the question comes "
    "before the load. All other threads read two neighbours, and the cache serves the second load.",
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
    topics=("A8",),
    cost=data.difference_cost,
    predictions={"global_load_sectors_per_request": "global_load_sectors_per_request"},
    predict_case={"n": 1025},
    slips=(
        Slip(
            "wrong_formula",
            "The last element took the first one for its right neighbour.",
            slips.difference_round_the_end,
        ),
        Slip(
            "wrong_formula",
            "Every sign is turned round: it is the right neighbour minus the element itself.",
            slips.difference_negated,
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
    why="All values and constants are float32, so the arithmetic stays in float32. One literal such as 1.0 is "
    "a float64, and would pull the whole expression to a type that many GPUs compute far more "
    "slowly.",
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
    cases=(*data.cases_of(RAGGED, LARGE, nonfinite=False), *(Case({"n": n}, "nonfinite") for n in (1024, 1025))),
    points=2,
    topics=("A4", "D1", "C7"),
    cost=data.blend_cost,
    predictions={"float32_flops": "float32_flops"},
    reasons={"float32_flops": lambda at: n(at["n"], "element") * n(at.counters["float32_flops"] / at["n"], "flop")},
    predict_case={"n": 1024},
    one_infinity=False,  # x + weight * (y - x) and (1 - weight) * x + weight * y
    slips=(
        Slip("wrong_formula", "The arrays have changed places: weight 0 must give x.", slips.blend_swapped),
        Slip("wrong_formula", "The array x keeps its full weight: 1 - weight must scale it.", slips.blend_unscaled),
        Slip("wrong_formula", "Only the step is there: start at x, then walk towards y.", slips.blend_without_x),
    ),
)

VECTOR_ADD_UNROLLED = Exercise(
    id="vector_add.vector_add_unrolled",
    unit=UNIT,
    title="Four elements per thread",
    task="Add two arrays with a quarter of the threads: "
    "block k covers the 1,024 elements from 1024 * k on, four per thread. "
    "Load all eight values before the first store, and keep neighbouring threads on neighbouring elements.",
    function="vector_add_unrolled",
    why="Eight loads are under way before the first addition waits for one, so the latency of memory is paid "
    "once and not four times. A block's width between a thread's elements keeps neighbouring lanes on "
    "neighbouring addresses.",
    arguments=SUM_OF_TWO,
    make=data.make_sum,
    oracle=data.sum_oracle,
    bound=data.sum_bound,
    launch=data.four_elements_each,
    cases=data.cases_of((*RAGGED[:-1], 2048, 3071, 3073, 7919), LARGE),
    points=3,
    topics=("C1", "A10", "B9"),
    naive="vector_add_naive",
    naive_launch=data.one_thread_each,
    cost=data.sum_cost,
    speed=SpeedPolicy(
        points=2,
        sizes_for=lambda n_bytes: {"n": n_bytes // 12},
        library=Library("torch.add", lambda torch, v: torch.add(v["a"], v["b"], out=v["out"])),
    ),
    budgets=(
        FOUR_SECTORS_A_LOAD,
        Budget(
            "loads_in_flight",
            2 * data.PER_THREAD,
            {"n": 2048},
            "A load cannot move up past a store, which might change what it reads: a thread that stores each sum at "
            "once has two values under way. With all eight loaded first, it waits once.",
            "loads_wait",
            floor=True,
        ),
    ),
    predictions=PREDICT_LOADS,
    predict_case={"n": 2048},
)
