"""Contracts of unit 11 whose answers are host code: timing, occupancy, a profile read, and the laws of speed."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess
from autograder.exercises.u11_performance import profiles, slips
from autograder.exercises.u11_performance import values as data
from autograder.exercises.u11_performance.values import UNIT

N = {"n": 4099, "rounds": 5}

TIME_LAUNCHES = Exercise(
    id="performance.time_launches",
    unit=UNIT,
    title="A stopwatch that does not lie",
    task="Fill times with the milliseconds of one launch of scale each, measured with a pair of events. The launch "
    "that compiles and the copies lie outside every pair, and each time is read after its second event has happened.",
    function="time_launches",
    arguments=(
        Argument("x", "in", "float32", "(n,)", "the numbers to scale, in pinned memory"),
        Argument(
            "times", "scratch", "float32", "(rounds,)", "in pinned memory; the time of each round, in milliseconds"
        ),
        Argument("out", "out", "float32", "(n,)", "2 x + 1, in pinned memory"),
    ),
    make=data.make_timed,
    oracle=data.scaled,
    bound=data.scaled_bound,
    kind="host",
    by_order=True,
    arrays="pinned",
    cases=data.TIMED_CASES,
    points=3,
    topics=("C1", "B2"),
    slips=slips.TIMED,
    budgets=(
        Budget(
            "timings",
            5,
            N,
            "Every round is timed on its own: an event before its launch, one after it, and the time between the two.",
            "too_few_timings",
            True,
        ),
        Budget(
            "fewest_timed_launches",
            1,
            N,
            "The first event is recorded before the launch, the second one after it.",
            "times_nothing",
            True,
        ),
        Budget("timed_launches", 1, N, "One launch lies between the two events of a round.", "times_too_much"),
        Budget(
            "timed_copies", 0, N, "Copies go up before the first event and down after the last one.", "times_copies"
        ),
        Budget(
            "timed_compilations",
            0,
            N,
            "The first launch of a kernel compiles it: launch once before the first round.",
            "no_warm_up",
        ),
        Budget(
            "timed_host_waits",
            0,
            N,
            "Between the two events lies the launch alone: while the host waits there, or makes memory, the device "
            "stands still and its clock goes on.",
            "times_the_host",
        ),
        Budget(
            "fewest_timed_elements",
            4099,
            N,
            "Every timed launch is one of scale on all of x: a thread for each of its elements, and arrays as long.",
            "times_less",
            True,
        ),
        Budget(
            "timings_kept",
            5,
            N,
            "What elapsed_time gives are milliseconds: each round's go to times[k] as they are.",
            "times_not_kept",
            True,
        ),
    ),
    predictions={"transferred_bytes": "transferred_bytes"},
    predict_case=N,
    why="The launch before the first event compiles the kernel and wakes the GPU, and the copies lie outside "
    "every pair of events. Each time is the device's own, and is read only once its mark was reached.",
)

RESIDENT_WARPS = Exercise(
    id="performance.resident_warps",
    unit=UNIT,
    title="How full can a multiprocessor be?",
    task="Return how many warps of a kernel one multiprocessor of an H100 or H200 holds at once, from the threads per "
    "block, the registers per thread and the shared memory per block. A kernel that does not fit gives 0.",
    function="resident_warps",
    arguments=(
        Argument("threads", "scalar", "int64", "", "per block, 1 to 1024"),
        Argument("registers", "scalar", "int64", "", "per thread, 16 to 255"),
        Argument("shared_bytes", "scalar", "int64", "", "per block, 0 or more"),
        Argument("warps", "out", "int64", "", "resident on one multiprocessor"),
    ),
    make=lambda sizes, values, rng: {**sizes, "warps": data.NONE},
    oracle=data.resident,
    kind="host",
    cases=data.OCCUPANCY_CASES,
    points=3,
    topics=("C4",),
    slips=slips.OCCUPANCY,
    guesses={
        "warps": Guess(
            "returns",
            "the warps of blocks of 256 threads with 65 registers each",
            (256, 65, 0),
            "65 x 32 = 2,080 registers per warp are rounded up to 2,304, and 65,536 hold 28 such warps: three blocks "
            "of 8, where 64 registers leave room for four",
        )
    },
    why="A block is resident as a whole, so each resource is divided by what one block takes of it, rounded as "
    "the hardware hands it out. The one that runs out first decides.",
)

READ_PROFILE = Exercise(
    id="performance.read_profile",
    unit=UNIT,
    title="Read a profile",
    task="From six numbers of an Nsight Compute report return three: sectors per load request, the share of "
    "shared-memory passes that conflicts cause, and the lanes at work per instruction. Without requests a ratio is 0.",
    function="read_profile",
    arguments=(
        *(Argument(name, "scalar", "int64", "", meaning) for name, meaning in profiles.MEANINGS.items()),
        Argument("sectors_per_request", "out", "float64", "", "sectors per load request"),
        Argument("conflict_share", "out", "float64", "", "of the passes over shared memory, 0 to 1"),
        Argument("lanes", "out", "float64", "", "at work per instruction of a warp, 0 to 32"),
    ),
    make=data.make_profile,
    oracle=data.profile_read,
    bound=data.rounded,
    kind="host",
    cases=data.PROFILE_CASES,
    points=2,
    topics=("C2",),
    slips=slips.PROFILE,
    why="Each ratio divides what was paid by what was asked for: sectors by requests, conflicts by passes, "
    "lanes at work by instructions of a warp. Without requests there is nothing to divide, and 0 says so.",
)

SPEEDUPS = Exercise(
    id="performance.speedups",
    unit=UNIT,
    title="Two laws",
    task="Return two speedups for a job whose parallel_share runs on all workers and the rest on one: "
    "Amdahl's for the same job, and Gustafson's for a job that grows with the workers.",
    function="speedups",
    arguments=(
        Argument("parallel_share", "scalar", "float64", "", "of the time, 0 to 1"),
        Argument("workers", "scalar", "int64", "", "1 or more"),
        Argument("amdahl", "out", "float64", "", "speedup of the same job"),
        Argument("gustafson", "out", "float64", "", "speedup of a job that grows"),
    ),
    make=data.make_shares,
    oracle=data.both_laws,
    bound=data.rounded,
    kind="host",
    cases=data.SHARE_CASES,
    points=2,
    topics=("C8", "C9"),
    slips=slips.LAWS,
    guesses={
        "amdahl": Guess(
            "returns",
            "Amdahl's speedup of a job that is 90 % parallel, on a thousand workers",
            (0.9, 1000),
            "1 / (0.1 + 0.9 / 1000), and no number of workers brings it to 10: a tenth of the time stays serial",
        )
    },
    why="Amdahl keeps the job and lets the time shrink, so what stays serial is the limit. Gustafson keeps the "
    "time and lets the job grow, so it is not.",
)
