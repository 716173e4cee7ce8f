"""Contracts of unit 08 from a lost update to a histogram that no data slows down."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u08_atomics import slips
from autograder.exercises.u08_atomics import values as data
from autograder.exercises.u08_atomics.values import BINS, HIST, NUMBERS, SRC, THREADS, UNIT, WIDE
from simt.hardware import WARP_SIZE

SHARES = {"n": 8192, "distinct": BINS}
ONE_VALUE = {"n_words": 1025, "distinct": 1}
BITS = "cuda.libdevice.float_as_int"

HISTOGRAM_GLOBAL = Exercise(
    id="atomics.histogram_global",
    unit=UNIT,
    title="Everybody counts in one place",
    task="Count how often each value of a byte occurs in src: hist[v] is the number of elements that are v. "
    "One thread per element, and no count may be lost.",
    function="histogram_global",
    arguments=(SRC, HIST),
    make=data.make_bytes,
    oracle=data.counts,
    cases=data.histogram_cases(),
    launch=data.blocks_for,
    points=1,
    topics=("B5", "D7"),
    cost=data.global_cost,
    slips=slips.COUNTS,
    predictions={
        "global_atomic_requests": "global_atomic_requests",
        "atomic_max_contention": "atomic_max_contention",
        "atomic_hottest_cell": "atomic_hottest_cell",
    },
    reasons={
        "global_atomic_requests": lambda at: n(ceil_div(at["n"], WARP_SIZE), "warp") * n(1, "request"),
        "atomic_max_contention": lambda at: n(min(at["n"], WARP_SIZE), "lane") / n(at["distinct"], "bin"),
        "atomic_hottest_cell": lambda at: n(at["n"], "byte") / n(at["distinct"], "bin"),
    },
    predict_case={"n": 1025, "distinct": 1},
    example={"n": 8, "distinct": 3},
    why="An atomic reads, adds and writes in one step, so no count is lost. Threads with equal bytes queue at "
    "one cell; all others go on.",
)

HISTOGRAM_SHARED = Exercise(
    id="atomics.histogram_shared",
    unit=UNIT,
    title="A histogram of its own for each block",
    task="Each block counts its share of src in 256 counters in shared memory, then adds each counter to hist once. "
    "Blocks of 256 threads, any number of them.",
    function="histogram_shared",
    arguments=(SRC, HIST),
    make=data.make_bytes,
    oracle=data.counts,
    cases=data.histogram_cases(),
    launch=data.three_blocks,
    launches=((1, THREADS), (7, THREADS), (40, THREADS)),
    points=2,
    topics=("D7", "B5", "A7", "A9"),
    cost=data.shared_cost,
    slips=slips.COUNTS,
    budgets=(
        Budget(
            "global_atomic_requests",
            3 * BINS // 32,
            SHARES,
            "a block adds each of its 256 counters to hist once: 8 requests per block, whatever it has counted",
            "counts_in_global_memory",
        ),
        Budget("global_load_bytes", 8192, SHARES, "each byte is read once, by one block", "work_repeated"),
    ),
    predictions={"global_atomic_requests": "global_atomic_requests"},
    reasons={
        "global_atomic_requests": lambda at: (
            n(at.blocks, "block") * n(BINS, "bin") / n(WARP_SIZE, "bin per request", "bins per request")
        ),
    },
    predict_case=SHARES,
    example={"n": 8, "distinct": 3},
    why="A block's threads queue only with each other, in memory that is close, and global memory sees one "
    "addition per bin and block. Barriers keep clearing, counting and merging apart.",
)

HISTOGRAM_COPIES = Exercise(
    id="atomics.histogram_copies",
    unit=UNIT,
    title="A copy for every lane",
    task="The same histogram, of bytes that come four in a word, with 32 copies of the counters in shared memory: "
    "lane l counts value v in cell 32 v + l, so no two lanes of a warp ever meet. Blocks of 512 threads, any number.",
    function="histogram_copies",
    arguments=(
        Argument("words", "in", "uint32", "(n_words,)", "the bytes to count, four in each word"),
        HIST,
    ),
    make=data.make_words,
    oracle=data.counts_of_words,
    cases=data.WORD_CASES,
    launch=data.blocks_with_copies,
    launches=((1, WIDE), (3, WIDE)),
    free_sizes=("n_words",),
    points=3,
    topics=("D7", "B5", "B8"),
    naive="histogram_bytewise",
    cost=data.copies_cost,
    speed=SpeedPolicy(
        points=3,
        sizes_for=lambda n_bytes: {"n_words": n_bytes // 4, "distinct": BINS},
        library=data.BINCOUNT,
    ),
    budgets=(
        Budget(
            "global_atomic_bytes",
            4 * BINS,
            {"n_words": 1025, "distinct": BINS},
            "the 32 copies of a bin are added up in the block, so that hist gets one atomic per bin and block",
            "more_atomics_than_bins",
        ),
        Budget(
            "atomic_max_contention",
            1,
            ONE_VALUE,
            "with a copy for every lane, the lanes of a warp count in 32 different cells even if all bytes are equal",
            "lanes_meet",
        ),
        Budget(
            "shared_load_bank_conflicts",
            0,
            ONE_VALUE,
            "adding up the copies, too, 32 lanes can read 32 banks: let lane l begin with copy l",
            "bank_conflicts",
        ),
        Budget(
            "shared_atomic_wavefronts",
            4 * 33,
            ONE_VALUE,
            "lane l counts in bank l: 33 requests for each byte of a word, and a pass for each",
            "bank_conflicts",
        ),
        Budget(
            "global_load_bytes",
            4 * 1025,
            ONE_VALUE,
            "one load brings four bytes: each word is read once",
            "too_much_traffic",
        ),
    ),
    slips=slips.WORDS,
    predictions={"atomic_max_contention": "atomic_max_contention"},
    reasons={
        "atomic_max_contention": lambda at: n(WARP_SIZE, "lane") / n(WARP_SIZE, "copy", "copies"),
    },
    predict_case=ONE_VALUE,
    example={"n_words": 4, "distinct": 3},
    why="Lane l counts in bank l, so no two lanes of a warp meet, whatever the data. Warps of a block share the "
    "copies, which is why counting stays atomic.",
)

MAX_BY_CAS = Exercise(
    id="atomics.max_by_cas",
    unit=UNIT,
    title="An atomic of your own",
    task="Find the largest number of src with compare-and-swap. best_bits[0] holds the bits of a float32, those of "
    "minus infinity at first and those of the largest number at the end; NaN counts for nothing.",
    function="max_by_cas",
    arguments=(
        NUMBERS,
        Argument("best_bits", "inout", "int32", "(1,)", "the bits of the largest number found so far"),
    ),
    make=data.make_max,
    oracle=data.largest_bits,
    cases=data.lengths("general", "special"),
    launch=data.blocks_for,
    points=3,
    topics=("B5",),
    slips=slips.MAXIMA,
    guesses={
        "prints": Guess(
            "prints",
            "whether bits are in order where numbers are, for 2 > 1 and for -1 > -2",
            (f"print(int({BITS}(2.0) > {BITS}(1.0)), int({BITS}(-1.0) > {BITS}(-2.0)))",),
            "the first bit is the sign and the others are the size, so of two negative numbers the one further from 0 "
            "has the larger bits: an integer maximum of the bits would keep it",
        )
    },
    example={"n": 8},
    why="A swap succeeds only if nobody has changed the cell since it was read, so a larger value is never "
    "replaced by a smaller one. Whenever one swap fails, another has succeeded.",
)
