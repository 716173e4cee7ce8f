"""What may come in unit 08, and what is promised."""

from __future__ import annotations

import numpy as np

from autograder.contract import Sizes, Values
from autograder.exercises.u08_atomics.table_values import CODES, make_packed, make_table
from autograder.exercises.u08_atomics.values import make_max, rows_about_a_warp
from autograder.running.cases.domain import (
    ANY_BLOCK,
    LARGEST,
    SUMMED,
    Domain,
    Input,
    Promises,
    Real,
    Whole,
)

BYTES = Domain(sizes={"n": Whole(0, 70_003)}, arrays={"src": Whole(0, 255)})
ANY = Real(-LARGEST, LARGEST)


def every_number_larger(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Each number is above all before it, so that every swap comes too late for somebody."""
    return make_max(sizes, "exact", rng) | {"src": np.arange(1, sizes["n"] + 1, dtype=np.float32)}


def largest_last(sizes: Sizes, rng: np.random.Generator) -> Values:
    """The index of the largest number takes more than 20 bits."""
    values = make_packed(sizes, "exact", rng)
    values["src"][-1] = 1e9
    return values


def asked_for_much(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Key 0 and the largest one among few keys, and many more questions than keys."""
    values = make_table(sizes, "exact", rng)
    keys = np.concatenate([[0, (1 << 31) - 1, 0], values["keys"]]).astype(np.int32)
    asked = rng.permutation(np.concatenate([[0, (1 << 31) - 1, 1], values["asked"], rng.integers(2, 1 << 31, 700)]))
    return values | {"keys": keys, "asked": asked.astype(np.int32), "found": np.zeros(asked.size, np.int32)}


def keys_that_begin_at(place: np.ndarray, places: int, rng: np.random.Generator) -> np.ndarray:
    """A key for each of these places, no two alike, whose search begins there.

    `place_of` of the unit multiplies the key and takes bits 15 and up: a number with these bits is divided again.
    """
    numbers = (place << 15) + rng.permutation(1 << 15)[: place.size]
    return (numbers * pow(0x9E3779B1, -1, places << 15) % (places << 15)).astype(np.int32)


def asked_for(known: np.ndarray, sizes: Sizes, rng: np.random.Generator) -> Values:
    """A table of the first of these keys, in which all of them are looked up."""
    keys = known[: sizes["distinct"]]
    return make_table(sizes, "exact", rng) | {"keys": keys, "asked": known, "found": np.zeros(known.size, np.int32)}


def all_begin_at_one_place(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Keys whose searches all begin at the same place, so that the last one has a long way to go."""
    return asked_for(keys_that_begin_at(np.full(sizes["distinct"] + 9, 5), sizes["places"], rng), sizes, rng)


def one_long_run(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Each key takes the next place, but the last few, which begin where the first does: they go past all the others.

    So do the keys that are looked up and were never put in.
    """
    place = np.arange(5, 14 + sizes["distinct"])
    place[-18:] = 5
    return asked_for(keys_that_begin_at(place, sizes["places"], rng), sizes, rng)


def alike_in_16_bits(sizes: Sizes, rng: np.random.Generator) -> Values:
    """Keys of which several have the same lower 16 bits, or the same upper ones."""
    known = (np.arange(5, dtype=np.int32)[:, None] + (np.arange(3, dtype=np.int32) << 16)).ravel()
    keys = rng.choice(known[:-2], sizes["n"])
    return make_table(sizes, "exact", rng) | {"keys": keys, "asked": known, "found": np.zeros(known.size, np.int32)}


DOMAINS = {
    "histogram_global": BYTES,
    "histogram_shared": BYTES,
    "histogram_copies": Domain(sizes={"n_words": Whole(0, 70_003)}, arrays={"words": Whole(0, (1 << 32) - 1)}),
    "histogram_adaptive": Domain(sizes={"n": Whole(0, 70_003)}, arrays={"codes": Whole(0, CODES - 1)}),
    "max_by_cas": Domain(
        blocks=ANY_BLOCK,
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": Real(-LARGEST, LARGEST, also=(-np.inf, np.inf, np.nan))},  # of -0.0 and 0.0 neither is larger
        inputs=(Input("each number above all before it", {"n": 1_025}, every_number_larger),),
    ),
    "best_under_lock": Domain(sizes={"n": Whole(1, 1_283)}, arrays={"src": ANY}),
    "best_packed": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": ANY},
        inputs=(Input("the largest of a million last", {"n": (1 << 20) + 3}, largest_last),),
    ),
    "count_keys": Domain(
        inputs=(
            Input("keys at both ends, many questions", {"n": 33, "distinct": 5, "places": 64}, asked_for_much),
            Input("a table with one free place", {"n": 3_000, "distinct": 2_047, "places": 2_048}),
            Input(
                "keys that begin at one place", {"n": 1_101, "distinct": 1_101, "places": 4_096}, all_begin_at_one_place
            ),
            Input("one long run of taken places", {"n": 2_201, "distinct": 2_201, "places": 4_096}, one_long_run),
            Input("keys alike in 16 bits", {"n": 65, "distinct": 13, "places": 64}, alike_in_16_bits),
        )
    ),
    "work_queue": Domain(
        sizes={"n_rows": Whole(0, 1_031), "longest": Whole(1, 2_101)},
        arrays={"src": SUMMED},
        inputs=(
            Input("rows about as long as a warp", {"n_rows": 37, "longest": 97}, rows_about_a_warp),
            Input("more numbers than 16 bits count", {"n_rows": 301, "longest": 1_003}),
        ),
    ),
    "last_block_sum": Domain(
        sizes={"n": Whole(1, 70_003)},
        arrays={"src": SUMMED},
        inputs=(Input("many blocks", {"n": 290_003, "blocks": 1_101}),),
    ),
    "shares_of_sum": Domain(
        sizes={"n": Whole(1, 70_003)},
        inputs=(Input("many blocks", {"n": 80_003, "n_fit": 301}, any_gpu=False),),  # small GPUs hold fewer at once
    ),
}
PROMISES = {
    "last_block_sum": Promises(same_bits=("total",)),
    "histogram_copies": Promises(exactly={"atomic_max_contention": "no two lanes of a warp ever meet"}),
    "histogram_adaptive": Promises(exactly={"atomic_max_contention": "let lane 0 add for all of them"}),
    "count_keys": Promises(exactly={"kernel_launches": "Two kernels"}),
    "shares_of_sum": Promises(
        exactly={"kernel_launches": "in one launch", "threads_at_work": "so the launch has no more"}
    ),
}
