"""Contracts of unit 06 with shuffles and with several launches."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, Slip, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u06_reductions import slips
from autograder.exercises.u06_reductions import values as data
from autograder.exercises.u06_reductions.trees import no_atomics
from autograder.exercises.u06_reductions.values import GRID, SRC, THREADS, UNIT, WARP, ragged

WARP_SUM = Exercise(
    id="reductions.warp_sum",
    unit=UNIT,
    title="Registers talk to registers",
    task="The same loop, but each warp writes its own sum and no shared memory is used: warp_total hands "
    "values from lane to lane with shuffles, and lane 0 of warp w writes partial[w].",
    function="warp_sum",
    why="A shuffle hands a value from register to register: no shared memory, no barrier, five steps for 32 "
    "lanes. Every lane that the mask names takes part, with a zero where it has no element.",
    arguments=(SRC, Argument("partial", "out", "float32", "(8 * blocks,)", "the sum of what each warp's lanes visit")),
    make=data.make_warps,
    oracle=data.sums_by(WARP),
    bound=data.bound_by(WARP),
    cases=ragged(blocks=3),
    launch=lambda values: (values["partial"].size * WARP // THREADS, THREADS),
    points=2,
    topics=("D4", "B15", "A5"),
    naive="warp_sum_by_one_lane",
    cost=data.stride_warp_cost,
    speed=SpeedPolicy(points=1, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID}, library=data.TORCH_SUM),
    budgets=(
        *(
            Budget(
                counter,
                0,
                {"n": 1025, "blocks": 3},
                "a shuffle moves registers: this rung needs no shared memory at all",
                "shared_traffic",
            )
            for counter in ("shared_load_requests", "shared_store_requests")
        ),
        no_atomics(n=1025, blocks=3),
    ),
    slips=(
        Slip(
            "shuffle_direction",
            "each result is 32 times lane 0's own sum: the values move away from lane 0",
            slips.shuffled_up,
        ),
        Slip(
            "half_a_warp",
            "lanes 16 to 31 are missing: the iteration with d = 16 never ran",
            slips.half_a_warp,
        ),
        Slip(
            "lanes_alone",
            "each result is lane 0's own sum: no other lane's value reached it",
            slips.lanes_alone,
        ),
        Slip(
            "last_pair",
            "lanes with odd numbers are missing: the iteration with d = 1 never ran",
            slips.last_shuffle_missing,
        ),
        Slip(
            "lanes_replaced",
            "each result is lane 31's own sum: what a shuffle brings took the place of the lane's own value",
            slips.last_lane_alone,
        ),
    ),
    guesses={
        "index": Guess(
            "index",
            "the place in partial to which thread 96 of block 2 stores",
            (2, 96, "partial"),
            "2 blocks of 8 warps come before, and 3 warps of its own block: 2 x 8 + 3",
        )
    },
    predictions={"shared_load_requests": "shared_load_requests"},
    reasons={
        "shared_load_requests": lambda at: n(at.warps, "warp") * n(0, "load"),
    },
    predict_case={"n": 1025, "blocks": 3},
)

DEVICE_SUM = Exercise(
    id="reductions.device_sum",
    unit=UNIT,
    title="One call for any n",
    task="Write the kernel and the host function that sum an array of any length on the device into "
    "total[0]. partial is room for one number per block, of at most partial.size blocks; a call "
    "allocates nothing.",
    function="device_sum",
    why="Threads add in registers, warps with shuffles, blocks through shared memory: each level does what is "
    "cheapest there. Few blocks mean few partial sums, so finishing them costs next to nothing.",
    arguments=(
        SRC,
        Argument("partial", "scratch", "float32", "(blocks,)", "room for one number per block"),
        Argument("total", "out", "float32", "(1,)", "the sum"),
    ),
    make=data.make_device,
    oracle=data.total,
    bound=data.total_bound,
    cases=ragged(blocks=4),
    kind="host",
    arrays="device",
    points=3,
    topics=("D4", "A9", "B9", "B15", "C5"),
    naive="device_sum_by_trees",
    cost=data.device_sum_cost,
    speed=SpeedPolicy(
        points=3, sizes_for=lambda n_bytes: {"n": n_bytes // 4, "blocks": GRID // 2}, library=data.TORCH_SUM
    ),
    budgets=(
        Budget(
            "atomic_operations",
            32,
            {"n": 8192, "blocks": 4},
            "atomics on one cell wait for each other: at most one per block, a block of 512 has plenty to add first",
            "too_many_atomics",
        ),
        Budget(
            "device_allocations",
            0,
            {"n": 8192, "blocks": 4},
            "partial is all the room there is: allocating in every call costs more than summing a short array",
            "allocates_per_call",
        ),
        Budget(
            "transferred_bytes",
            0,
            {"n": 8192, "blocks": 4},
            "everything is on the device already, and the sum stays there: a copy would wait for the GPU to finish",
            "too_many_transfers",
        ),
    ),
    slips=(
        Slip(
            "missing_tail",
            "the last elements, which fill no block of 512, are missing",
            slips.whole_blocks(512),
        ),
        Slip(
            "missing_tail",
            "the last elements, which fill no block of 256, are missing",
            slips.whole_blocks(256),
        ),
        Slip("first_partial", "only the first block's sum arrived in total", slips.first_partial(512)),
        Slip("first_partial", "only the first block's sum arrived in total", slips.first_partial(256)),
    ),
    predictions={
        "kernel_launches": "kernel_launches",
        "atomic_operations": "atomic_operations",
        "global_load_bytes": "global_load_bytes",
    },
    reasons={
        "kernel_launches": lambda at: (
            n(1, f"launch of {at.blocks} blocks") + n(1, "that adds up their sums", "that add up their sums")
        ),
        "atomic_operations": lambda at: n(at["blocks"], "block") * n(0, "atomic"),
        "global_load_bytes": lambda at: (n(at["n"], "element") + n(at["blocks"], "sum")) * n(4, "byte"),
    },
    predict_case={"n": 8192, "blocks": 4},
    uses=("reductions.warp_sum",),
)
