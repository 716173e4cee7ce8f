"""What may come in unit 08, and what is promised."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u08_atomics.table_values import CODES, make_table
from autograder.exercises.u08_atomics.values import make_max
from autograder.running.cases.domain import Domain, Input, Promises, Real, Whole

BYTES = Domain(sizes={"n": Whole(0, 70_003)}, arrays={"src": Whole(0, 255)})
LARGEST = float(np.finfo(np.float32).max)
ANY = Real(-LARGEST, LARGEST)


def every_number_larger(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Each number is above all before it, so that every swap comes too late for somebody."""
    return make_max(sizes, "exact", rng) | {"src": np.arange(1, sizes["n"] + 1, dtype=np.float32)}


def asked_for_much(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Key 0 and the largest one among few keys, and many more questions than keys."""
    values = make_table(sizes, "exact", rng)
    keys = np.concatenate([[0, (1 << 31) - 1, 0], values["keys"]]).astype(np.int32)
    asked = rng.permutation(np.concatenate([[0, (1 << 31) - 1, 1], values["asked"], rng.integers(2, 1 << 31, 700)]))
    return values | {"keys": keys, "asked": asked.astype(np.int32), "found": np.zeros(asked.size, np.int32)}


DOMAINS = {
    "histogram_global": BYTES,
    "histogram_shared": BYTES,
    "histogram_copies": Domain(sizes={"n_words": Whole(0, 70_003)}, arrays={"words": Whole(0, (1 << 32) - 1)}),
    "histogram_adaptive": Domain(sizes={"n": Whole(0, 70_003)}, arrays={"codes": Whole(0, CODES - 1)}),
    "max_by_cas": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": Real(-LARGEST, LARGEST, also=(-np.inf, np.inf, np.nan))},
        inputs=(Input("each number above all before it", {"n": 1_025}, every_number_larger),),
    ),
    "best_under_lock": Domain(sizes={"n": Whole(1, 5_003)}, arrays={"src": ANY}),
    "best_packed": Domain(sizes={"n": Whole(1, 70_003)}, arrays={"src": ANY}),
    "count_keys": Domain(
        inputs=(
            Input("keys at both ends, many questions", {"n": 33, "distinct": 5, "places": 64}, asked_for_much),
            Input("a table with one free place", {"n": 2_000, "distinct": 1_023, "places": 1_024}),
        )
    ),
    "work_queue": Domain(
        sizes={"n_rows": Whole(0, 1_030), "longest": Whole(1, 2_100)},
        arrays={"src": Real(-9, 9)},
    ),
    "last_block_sum": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": Real(-9, 9)},
        inputs=(Input("many blocks", {"n": 80_000, "blocks": 300}),),
    ),
    "shares_of_sum": Domain(
        sizes={"n": Whole(1, 70_003)},
        inputs=(Input("many blocks", {"n": 80_000, "n_fit": 300}),),
    ),
}
PROMISES = {"last_block_sum": Promises(same_bits=("total",))}
