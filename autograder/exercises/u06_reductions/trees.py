"""Contracts of unit 06 from one contended cell to one tree per block."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u06_reductions import slips
from autograder.exercises.u06_reductions import values as data
from autograder.exercises.u06_reductions.values import GRID, SRC, THREADS, UNIT, blocks_for, ragged
from simt.hardware import WARP_SIZE

TREE_STORES = sum(ceil_div(2**turn, WARP_SIZE) for turn in range(8))  # requests of one tree: d = 1, 2, ... 128


def no_bank_conflicts(counter: str, **sizes) -> Budget:
    """Sequential addressing has no bank conflict, neither for loads nor for stores."""
    why = "lanes of a warp that use 32 neighbouring cells use 32 banks, so no access has to wait for another"
    return Budget(counter, 0, sizes, why, "bank_conflicts")


def no_atomics(**sizes) -> Budget:
    """A tree or shuffles in place of a queue: additions of one block do not wait for one another."""
    why = (
        "Atomics on one cell happen one after the other, in shared memory, too: pair the numbers, so that half of them "
        "are added at once"
    )
    return Budget("atomic_operations", 0, sizes, why, "atomics_for_a_tree")


SUM_ATOMIC = Exercise(
    id="reductions.sum_atomic",
    unit=UNIT,
    title="Everybody adds to one cell",
    task="Add every element of src to total[0], which starts at 0. "
    "Each thread adds one element, and no addition may be lost.",
    function="sum_atomic",
    why="An atomic reads, adds and writes as one step, so no update is lost, in whatever order threads come. "
    "All of them queue at one address, which is why this is right and slow.",
    arguments=(SRC, Argument("total", "inout", "float32", "(1,)", "0 before the launch, the sum after it")),
    make=data.make_total,
    oracle=data.total,
    bound=data.total_bound,
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=1,
    topics=("D4", "B5"),
    cost=data.sum_atomic_cost,
    slips=(
        Slip(
            "only_first_block",
            "every block adds the first 256 elements, whichever block it is",
            slips.first_block_into_total,
        ),
    ),
    predictions={"atomic_max_contention": "atomic_max_contention"},
    reasons={
        "atomic_max_contention": lambda at: n(min(at["n"], WARP_SIZE), "lane") / n(1, "cell"),
    },
    predict_case={"n": 1025},
)

PARTIAL_OF_BLOCK = Argument("partial", "out", "float32", "(blocks,)", "the sum of each block's 256 elements")
TREE_SLIPS = (
    Slip(
        "only_first_block",
        "every block gives the sum of the first block's elements",
        slips.first_block_everywhere,
    ),
    Slip(
        "last_pair",
        "the last pair was never added: s[0] lacks s[1], the sum of the odd places",
        slips.last_pair_missing,
    ),
    Slip(
        "first_turn",
        "only the lower half of each block was added: the iteration with d = 128 is missing",
        slips.first_turn_missing,
    ),
    Slip(
        "tree_missing",
        "each result is the first element of its block: no iteration of the tree ran",
        slips.tree_missing,
    ),
)

BLOCK_SUM_INTERLEAVED = Exercise(
    id="reductions.block_sum_interleaved",
    unit=UNIT,
    title="A tree in shared memory",
    task="Each block of 256 threads sums its 256 elements in shared memory and writes one number. "
    "In iteration d = 1, 2, 4, ... thread t adds cell 2*d*t + d to cell 2*d*t.",
    function="block_sum_interleaved",
    why="Each iteration halves the number of partial sums, so 256 elements take 8 iterations and not 255. A barrier "
    "before each iteration makes sure that both cells hold what the iteration before wrote.",
    arguments=(SRC, PARTIAL_OF_BLOCK),
    make=data.make_blocks,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=3,
    topics=("D4", "A7", "A9", "B8"),
    cost=data.tree_cost,
    budgets=(no_atomics(n=1025),),
    slips=TREE_SLIPS,
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    predict_case={"n": 256},
)

BLOCK_SUM_SEQUENTIAL = Exercise(
    id="reductions.block_sum_sequential",
    unit=UNIT,
    title="Neighbours stay neighbours",
    task="The same sums with d = 128, 64, ... 1: thread t < d adds cell t + d to cell t. No access may conflict.",
    function="block_sum_sequential",
    why="Active lanes use neighbouring cells, one per bank, so no access waits for another. Whole warps drop "
    "out from the first iteration on, where interleaving kept all of them at work with half of their lanes.",
    arguments=(SRC, PARTIAL_OF_BLOCK),
    make=data.make_blocks,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(),
    launch=lambda values: (blocks_for(values["src"].size), THREADS),
    points=2,
    topics=("D4", "A9", "B8"),
    cost=data.tree_cost,
    budgets=(
        no_bank_conflicts("shared_load_bank_conflicts", n=1025),
        no_bank_conflicts("shared_store_bank_conflicts", n=1025),
        no_atomics(n=1025),
    ),
    slips=TREE_SLIPS,
    predictions={"shared_load_bank_conflicts": "shared_load_bank_conflicts"},
    guesses={"line": Guess("line", "the line of the draft that the verdict names")},
    predict_case={"n": 1025},
)

GRID_SLIPS = (
    Slip(
        "stride_of_block",
        "each block also adds what later blocks own: the loop moves by less than the grid",
        slips.suffixes,
    ),
    Slip(
        "first_turn_only",
        "each thread adds one element: what lies past the first iteration of the grid is missing",
        slips.first_turn_of_grid,
    ),
    Slip(
        "stretches",
        "each thread adds up a stretch of neighbours: those of a block are not the elements that the task gives it, "
        "and 32 lanes touch 32 places at a time",
        slips.stretches,
    ),
    Slip("last_visited", "each thread keeps only the last element it saw", slips.last_visited),
)

MANY_PER_THREAD = Exercise(
    id="reductions.many_per_thread",
    unit=UNIT,
    title="Add first, then climb one tree",
    task="The grid is smaller than src: each thread first adds up src[i] for i = cuda.grid(1), then a "
    "grid further, and so on, in a register. Then one tree per block, as before.",
    function="many_per_thread",
    why="Registers add up most of the data without a barrier or a store, and one tree per block finishes. The "
    "bytes read are the same, so the time is that of reading them.",
    arguments=(SRC, Argument("partial", "out", "float32", "(blocks,)", "the sum of what each block's threads visit")),
    make=data.make_grid,
    oracle=data.sums_by(THREADS),
    bound=data.bound_by(THREADS),
    cases=ragged(blocks=3),
    launch=lambda values: (values["partial"].size, THREADS),
    points=2,
    topics=("D4", "A2", "C5"),
    naive="tree_every_turn",
    cost=data.stride_tree_cost,
    speed=SpeedPolicy(points=1, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID}, library=data.TORCH_SUM),
    budgets=(
        Budget(
            "shared_store_requests",
            3 * (8 + 8 * 8),
            {"n": 8192, "blocks": 3},
            "one tree per block stores at most 8 + 8 * 8 times, however many elements a thread added before it",
            "tree_every_turn",
        ),
        no_bank_conflicts("shared_load_bank_conflicts", n=8192, blocks=3),
        no_atomics(n=8192, blocks=3),
    ),
    slips=GRID_SLIPS,
    predictions={"global_load_requests": "global_load_requests", "shared_store_requests": "shared_store_requests"},
    reasons={
        "shared_store_requests": lambda at: (
            n(at.blocks, "block")
            * (
                n(at.threads // WARP_SIZE, "store to fill the cells", "stores to fill the cells")
                + n(TREE_STORES, "in the tree", "in the tree")
            )
        ),
    },
    predict_case={"n": 8192, "blocks": 3},
)
