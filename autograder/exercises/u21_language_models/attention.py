"""Contracts of unit 21 for attention of one query: over splits of a cache in pages, and the splits put together."""

from __future__ import annotations

from autograder.contract import Budget, Exercise, Guess, SpeedPolicy
from autograder.diagnosis.arithmetic import n
from autograder.exercises.u21_language_models import cache_slips as slips
from autograder.exercises.u21_language_models import cache_values as data
from autograder.exercises.u21_language_models.cache_values import FULL, MERGE_FULL
from autograder.exercises.u21_language_models.values import UNIT, at_work

ATTENTION_PAGES = Exercise(
    id="language_models.attention_pages",
    unit=UNIT,
    title="One query over a cache in pages",
    task="Attention of one query per head over the keys and values of a text so far, in splits of 512 places: a block "
    "of 256 threads for each split (x of the grid) and each shared head of keys (y), which serves four heads of "
    "queries. parts gets each split's own attention, as if there were no other, and logs the logarithm of the sum of "
    "exp of its scores. Place j is row 16 * pages[j // 16] + j % 16. Each key and each value is loaded once.",
    function="attention_pages",
    arguments=data.ATTENTION_ARGUMENTS,
    make=data.make_attention,
    oracle=data.attention,
    bound=data.attention_bound,
    rounds=True,
    cases=data.ATTENTION_CASES,
    launch=data.a_block_per_split,
    points=4,
    topics=("E22", "D10"),
    free_sizes=("n_keys",),
    one_infinity=False,
    naive="attention_head_alone",
    cost=data.attention_cost,
    speed=SpeedPolicy(points=1, sizes_for=data.timed, library=data.TORCH_ATTENTION),
    budgets=(
        Budget(
            "global_load_bytes",
            data.MOST_LOADED,
            FULL,
            "600 keys and values of 2 heads are 614,400 bytes; the page table and the queries are little beside them",
            "key_for_every_head",
        ),
        at_work(2 * 2 * 256, FULL, "two splits of two shared heads have a block of 256 threads each"),
    ),
    slips=slips.ATTENTION,
    predictions={"global_store_bytes": "global_store_bytes", "barriers": "barriers"},
    reasons={
        "global_store_bytes": lambda at: (
            n(2, "split") * n(4 * at["n_shared"], "head") * (n(128, "number") + n(1, "logarithm")) * n(4, "byte")
        ),
        "barriers": lambda at: n(at.blocks, "block") * n(3, "barrier"),
    },
    predict_case=FULL,
    example=data.cache(3, 1),
    shown=data.few_numbers,
    why="A key that is loaded serves four heads from registers, so the cache goes through memory once. One text has "
    "few heads and many keys: splits give every multiprocessor a share of them, and none waits for another.",
)

MERGE_SPLITS = Exercise(
    id="language_models.merge_splits",
    unit=UNIT,
    title="Splits put together",
    task="Put the splits of each head together: out is the sum over all splits of exp(logs) * parts, divided by the "
    "sum of exp(logs), worked out with the largest of a head's logs subtracted first. A block of 128 x 8 threads for "
    "each head: thread x has number x of the result, thread y takes splits y, y + 8, y + 16 and so on.",
    function="merge_splits",
    arguments=data.MERGE_ARGUMENTS,
    make=data.make_merge,
    oracle=data.merge,
    bound=data.merge_bound,
    rounds=True,
    cases=data.MERGE_CASES,
    launch=data.a_block_per_head,
    points=3,
    topics=("E22", "D10"),
    free_sizes=("n_splits", "n_heads"),
    cost=data.merge_cost,
    budgets=(
        Budget(
            "global_load_requests",
            3 * (2 * 32 + 20 * 8),
            MERGE_FULL,
            "each of 32 warps of a head looks at its 20 logarithms once or twice, all at a time, and the eight groups "
            "share its 20 splits, with a logarithm and a piece of 32 numbers for each of four warps",
            "too_much_traffic",
        ),
        at_work(3 * 1024, MERGE_FULL, "each of 3 heads has a block of 1,024 threads"),
    ),
    slips=slips.MERGE,
    predictions={"global_load_requests": "global_load_requests", "barriers": "barriers"},
    reasons={
        "global_load_requests": lambda at: (
            n(at["n_heads"], "head")
            * (n(32, "warp") * n(1, "look", "looks") + n(at["n_splits"], "split") * n(4, "warp") * n(2, "load"))
        ),
        "barriers": lambda at: n(at["n_heads"], "block") * n(1, "barrier"),
    },
    guesses={"line": Guess("line", "the line of the draft that its verdict names")},
    predict_case=MERGE_FULL,
    example=data.splits(3, 1),
    shown=data.few_of_parts,
    why="A split's logarithm says how much of the whole it is, whatever maximum it had subtracted. So splits can be "
    "worked out anywhere and in any order, and the result is exact: nothing was left out.",
)
