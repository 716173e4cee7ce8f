"""Contracts of unit 08 that adapt to the data or do without a lock: few lanes add, pairs in one word, a hash table."""

from __future__ import annotations

from autograder.contract import Argument, Budget, Exercise, Slip
from autograder.diagnosis.arithmetic import n
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u08_atomics import table_values as data
from autograder.exercises.u08_atomics.values import NUMBERS, THREADS, UNIT
from simt.hardware import WARP_SIZE

ONE_CODE = {"n": 8192, "distinct": 1}
THREE_BLOCKS = {"n": 600}
HUNDRED_KEYS = {"n": 1025, "distinct": 100, "places": 256}
ONE_KEY = {"n": 1025, "distinct": 1, "places": 16}

HISTOGRAM_ADAPTIVE = Exercise(
    id="atomics.histogram_adaptive",
    unit=UNIT,
    title="Adapt to what comes",
    task="Count codes below 4,096: too many bins for a copy per lane, so each block has one in shared memory. In each "
    "iteration the lanes of a warp that hold the same code as lane 0 let lane 0 add for all of them.",
    function="histogram_adaptive",
    arguments=(
        Argument("codes", "in", "uint16", "(n,)", "the codes to count, all below 4,096"),
        Argument("hist", "inout", "int32", "(4096,)", "zeros before the launch, how often each code occurs after it"),
    ),
    make=data.make_codes,
    oracle=data.counts_of_codes,
    cases=data.CODE_CASES,
    launch=data.three_blocks,
    launches=((1, THREADS), (7, THREADS)),
    points=3,
    topics=("D7", "B5", "B15"),
    cost=data.adaptive_cost,
    slips=(
        Slip(
            "first_turn_only",
            "each thread counts one code: what the grid reaches later is missing",
            data.first_codes_only,
        ),
        Slip(
            "leader_adds_one",
            "lane 0 adds 1 where it speaks for several lanes: as many as the ballot has ones",
            data.one_for_all_that_agree,
        ),
        Slip(
            "counted_twice",
            "lanes that hold lane 0's code are counted twice, by lane 0 and by themselves: they have nothing to add",
            data.all_that_agree,
        ),
        Slip(
            "others_forgotten",
            "only codes that agree with lane 0's are counted: every other lane adds 1 of its own",
            data.only_that_agree,
        ),
        Slip(
            "past_the_end",
            "lanes past the end of codes are counted as code 0: give them -1, which nobody counts",
            data.past_the_end_as_zero,
        ),
    ),
    budgets=(
        Budget(
            "atomic_max_contention",
            1,
            ONE_CODE,
            "where all lanes of a warp hold one code, one of them adds 32; the others have nothing to add",
            "lanes_meet",
        ),
        Budget("global_load_bytes", 2 * 8192, ONE_CODE, "each code is read once, by one block", "work_repeated"),
        Budget(
            "global_atomic_bytes",
            3 * 4 * data.CODES,
            ONE_CODE,
            "a block adds each of its counters to hist once at most, whatever it has counted",
            "counts_in_global_memory",
        ),
    ),
    predictions={"atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: (
            n(ceil_div(at["n"], WARP_SIZE), "warp full of equal codes", "warps full of equal codes") * n(1, "addition")
            + n(at.blocks, "block") * n(data.CODES, "bin")
        ),
    },
    predict_case=ONE_CODE,
    example={"n": 8, "distinct": 2},
    why="Lanes that hold one code send a single addition for all of them, so equal codes do not queue. All 32 "
    "lanes take part in finding out, also where the data has ended.",
)

BEST_PACKED = Exercise(
    id="atomics.best_packed",
    unit=UNIT,
    title="Two numbers in one word",
    task="Find the largest number of src and its lowest index again, without a lock: both lie in one int64, the "
    "number's bits in order above, 2^31 - 1 - index below. The larger word is the better pair.",
    function="best_packed",
    arguments=(
        NUMBERS,
        Argument("best", "inout", "int64", "(1,)", "the smallest int64 before the launch, the best pair after it"),
    ),
    make=data.make_packed,
    oracle=data.packed_best,
    cases=data.PACKED_CASES,
    launch=data.packed_launch,
    points=2,
    topics=("B5", "D4"),
    cost=data.packed_cost,
    slips=(
        Slip(
            "tie_order",
            "of several largest numbers the last one was kept: let the lower index make the larger word",
            data.index_as_it_is,
        ),
        Slip(
            "bits_compared",
            "the bits were compared as they are, which turns the order of negative floats round",
            data.bits_as_they_are,
        ),
        Slip(
            "tie_order",
            "the place stands in the word as it is, so a later one makes the larger word: count it down from 2^31 - 1",
            data.places_of_blocks,
        ),
        Slip(
            "tie_order",
            "a negative place takes one from the number above it: count it down from 2^31 - 1, which leaves none below "
            "0",
            data.places_taken_away,
        ),
        Slip(
            "bits_compared",
            "the bits of the float stand in the word as they are, which turns the order of negative floats round",
            data.bits_of_blocks,
        ),
        Slip(
            "past_the_end",
            "threads without an element bring 0, which is above every negative number: minus infinity never wins",
            data.zeros_past_the_end,
        ),
    ),
    budgets=(
        Budget(
            "atomic_operations",
            9,
            THREE_BLOCKS,
            "a block finds its own best first; then one thread per block meets the others",
            "too_many_atomics",
        ),
    ),
    predictions={"atomic_operations": "atomic_operations"},
    reasons={
        "atomic_operations": lambda at: n(at.blocks, "block") * n(1, "atomic"),
    },
    predict_case=THREE_BLOCKS,
    example={"n": 8},
    why="The value is in the upper half of the word, so the larger word is the better pair; of equal values the "
    "lower index makes the larger word. One atomic changes both, so nobody waits.",
)

COUNT_KEYS = Exercise(
    id="atomics.count_keys",
    unit=UNIT,
    title="A table without a lock",
    task="Count keys that may be any number below 2^31 in a hash table, then look up those that are asked for: "
    "found[i] is how often asked[i] occurs in keys. Two kernels: one puts keys in, one looks them up.",
    function="count_keys",
    arguments=(
        data.KEYS,
        data.ASKED,
        data.TABLE,
        data.COUNTS,
        Argument("found", "out", "int32", "(m,)", "how often each asked key occurs; 0 for one that does not"),
    ),
    make=data.make_table,
    oracle=data.asked_counts,
    cases=data.TABLE_CASES,
    kind="host",
    arrays="device",
    points=4,
    topics=("B5",),
    slips=(
        Slip("counts_once", "every key that occurs was found once: whoever finds its key there counts, too", data.ones),
        Slip(
            "taker_does_not_count",
            "every count is one too low: whoever takes a place counts its own key as well",
            data.all_but_the_first,
        ),
    ),
    budgets=(
        Budget(
            "kernel_launches", 2, HUNDRED_KEYS, "one launch puts all keys in, one looks them up", "too_many_launches"
        ),
        Budget(
            "transferred_bytes", 0, HUNDRED_KEYS, "everything is on the device, and stays there", "too_many_transfers"
        ),
        Budget(
            "atomic_operations",
            1025,
            HUNDRED_KEYS,
            "places are taken by compare-and-swap, and every key is counted by an atomic",
            "keys_not_counted",
            floor=True,
        ),
    ),
    predictions={"atomic_operations": "atomic_operations", "kernel_launches": "kernel_launches"},
    reasons={
        "atomic_operations": lambda at: n(at["n"], "swap") + n(at["n"], "addition"),
        "kernel_launches": lambda at: n(1, "launch to put keys in", "launches") + n(1, "to look them up", "to look up"),
    },
    predict_case=ONE_KEY,
    example={"n": 8, "distinct": 3, "places": 4, "below": 100},
    free_sizes=("n",),
    why="A place is taken by one swap and never given back, so a key that is found there stays there. The "
    "lookup is a kernel of its own: it reads a table that nobody changes any more.",
)
