"""The contract of unit 08 in which all blocks wait for each other: a grid barrier between a sum and what needs it."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Slip
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u08_atomics import share_values as data
from autograder.exercises.u08_atomics.values import THREADS, UNIT

FIVE_FIT = {"n": 8192, "n_fit": 5}

SHARES_OF_SUM = Exercise(
    id="atomics.shares_of_sum",
    unit=UNIT,
    title="All wait for all",
    task="Divide every element of src by the sum of src, in one launch: each block leaves its sum in partial, all "
    "blocks meet at a grid barrier, and each block adds up what it finds there. n_fit blocks of 256 threads are on the "
    "GPU at once, so the launch has no more.",
    function="shares_of_sum",
    arguments=(
        Argument("src", "in", "float32", "(n,)", "the numbers, none of them negative"),
        Argument("partial", "scratch", "float32", "(room,)", "room for one number per block, for more than you need"),
        Argument("n_fit", "scalar", "int64", "", "blocks of 256 threads that are on the GPU at once"),
        Argument("dst", "out", "float32", "(n,)", "each number over the sum of all"),
    ),
    why="After the barrier each block finds the sums of all blocks, whichever came last, so none needs a counter, a "
    "fence or a second launch. It works because every block has a place on the GPU and can come to the barrier.",
    make=data.make_shares,
    oracle=data.shares,
    bound=data.share_bound,
    cases=data.SHARE_CASES,
    kind="host",
    arrays="device",
    points=3,
    topics=("B16", "A9"),
    naive="shares_in_two_launches",
    cost=data.share_cost,
    budgets=(
        Budget(
            "kernel_launches",
            1,
            FIVE_FIT,
            "a barrier inside the kernel stands where the end of the first launch would",
            "too_many_launches",
        ),
        Budget(
            "threads_at_work",
            5 * THREADS,
            FIVE_FIT,
            "five blocks of 256 threads are on the GPU at once, and no block may wait for one that has no place: "
            "launch n_fit of them, and let each thread do several elements in a loop",
            "grid_does_not_fit",
        ),
        Budget(
            "threads_at_work",
            2 * THREADS,
            FIVE_FIT,
            "five blocks fit, and one block leaves all multiprocessors but one idle",
            "few_threads",
            floor=True,
        ),
        Budget(
            "global_load_bytes",
            4 * 4 * 8192,
            FIVE_FIT,
            "an element is read twice, once for the sum of its block and once to be divided; the sums are few",
            "work_repeated",
        ),
        Budget("transferred_bytes", 0, FIVE_FIT, "everything is on the device, and stays there", "too_many_transfers"),
        Budget("device_allocations", 0, FIVE_FIT, "partial is all the room it takes", "allocates_per_call"),
    ),
    slips=(
        Slip(
            "own_block_only",
            "each block divided by its own sum: what the other blocks left in partial was not added",
            data.by_own_block,
        ),
        Slip("not_divided", "the numbers are as they were in src: nothing was divided", data.not_divided),
    ),
    predictions={"threads_at_work": "threads_at_work"},
    reasons={
        "threads_at_work": lambda at: n(at["n_fit"], "block") * n(THREADS, "thread"),
    },
    predict_case=FIVE_FIT,
    free_sizes=("n",),
    example={"n": 8, "n_fit": 2},
    one_infinity=False,
)
