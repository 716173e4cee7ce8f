"""Inputs, oracles and cases of the rungs of unit 08 that no lock is needed for: codes, packed pairs, a hash table."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u08_atomics.values import LARGE, THREADS, numbers, three_blocks

CODES = 4096  # bins of the histogram that has one copy per block
EMPTY = -1  # a place of the table that no key has taken
LAST = 0x7FFFFFFF  # an index is kept as LAST - index, so that the lowest of several is the largest number
NOTHING = np.iinfo(np.int64).min

KEYS = Argument("keys", "in", "int32", "(n,)", "the keys to count, none of them negative")
ASKED = Argument("asked", "in", "int32", "(m,)", "the keys whose counts are wanted; not all of them occur")
TABLE = Argument("table", "inout", "int32", "(places,)", "-1 everywhere before the call, keys in their places after it")
COUNTS = Argument("counts", "inout", "int32", "(places,)", "0 before the call, how often the key of each place occurs")

CODE_CASES = (
    Case({"n": 8192, "distinct": 1}),
    *(Case({"n": n, "distinct": CODES}) for n in (0, 1, 33, 3001)),
    Case({"n": 3001, "distinct": 3}),
    Case({"n": 3001, "distinct": CODES}, "general"),
    *(Case({"n": LARGE, "distinct": distinct}, trace=False) for distinct in (CODES, 1)),
)
PACKED_CASES = (
    *(Case({"n": n}) for n in (600, 1, 31, 256, 3001)),
    Case({"n": 600}, "general"),
    Case({"n": LARGE}, trace=False),
)
TABLE_CASES = (
    Case({"n": 1025, "distinct": 100, "places": 256}),
    *(Case({"n": n, "distinct": distinct, "places": 64}) for n, distinct in ((0, 1), (1, 1), (33, 5), (700, 63))),
    Case({"n": 1025, "distinct": 1, "places": 16}),
    Case({"n": 1 << 16, "distinct": 5000, "places": 1 << 14}, trace=False),
)


def make_codes(sizes, kind, rng) -> Values:
    """Codes below 4,096 and counters at 0. "exact": `distinct` codes, equally often; "general": nine of ten are 17."""
    used = rng.permutation(CODES)[: sizes["distinct"]].astype(np.uint16)
    codes = used[rng.integers(0, used.size, sizes["n"])]
    if kind == "general":
        codes[rng.random(codes.size) < 0.9] = 17
    return {"codes": codes, "hist": np.zeros(CODES, np.int32)}


def counts_of_codes(values: Values) -> dict:
    """How often each code occurs."""
    return {"hist": np.bincount(values["codes"], minlength=CODES)}


def in_order(x: np.ndarray) -> np.ndarray:
    """The bits of float32 as int32 that have the order of the floats."""
    bits = x.view(np.int32)
    return bits ^ ((bits >> 31) & LAST)


def make_packed(sizes, kind, rng) -> Values:
    """Numbers, and a word that is smaller than any pair."""
    return {"src": numbers(sizes["n"], kind, rng), "best": np.array([NOTHING])}


def packed_best(values: Values) -> dict:
    """The word of the largest number and of its lowest index."""
    src = values["src"]
    place = int(src.argmax())
    word = int(in_order(src[place : place + 1])[0]) << 32 | (LAST - place)
    return {"best": np.array([word])}


def make_table(sizes, kind, rng) -> Values:
    """Keys from a few of 2^31, or `below` a smaller number; questions, half of them with an answer; an empty table."""
    n, distinct = sizes["n"], sizes["distinct"]
    known = np.unique(rng.integers(0, sizes.get("below", LAST), 2 * distinct + 8).astype(np.int32))
    known = rng.permutation(known)[: 2 * distinct]
    keys = known[:distinct][rng.integers(0, distinct, n)]
    places = sizes["places"]
    room = {"table": np.full(places, EMPTY, np.int32), "counts": np.zeros(places, np.int32)}
    return {"keys": keys, "asked": known} | room | {"found": np.zeros(known.size, np.int32)}


def asked_counts(values: Values) -> dict:
    """How often each asked key occurs; in which place a key lies is open."""
    keys, times = np.unique(values["keys"], return_counts=True)
    by_key = dict(zip(keys.tolist(), times.tolist(), strict=True))
    return {"found": np.array([by_key.get(key, 0) for key in values["asked"].tolist()], np.int32)}


def packed_launch(values: Values) -> tuple[int, int]:
    """One thread per element, and one block at least."""
    return max(1, ceil_div(values["src"].size, THREADS)), THREADS


def packed_cost(values: Values) -> Cost:
    """Each element once, and an atomic on the pair, each way, for every block."""
    pairs = values["best"].nbytes * packed_launch(values)[0]
    return Cost(read_bytes=values["src"].nbytes + pairs, write_bytes=pairs)


def adaptive_cost(values: Values) -> Cost:
    """Each code once, and an atomic on every counter of hist, each way, for every block."""
    merged = values["hist"].nbytes * three_blocks(values)[0]
    return Cost(read_bytes=values["codes"].nbytes + merged, write_bytes=merged)


# What known mistakes compute.


def first_codes_only(values: Values) -> dict:
    """Each of 768 threads counts one code."""
    return {"hist": np.bincount(values["codes"][: 3 * THREADS], minlength=CODES)}


def one_for_all_that_agree(values: Values) -> dict:
    """Lane 0 adds 1 where it speaks for all lanes that have its code."""
    codes = values["codes"]
    hist = np.zeros(CODES, np.int64)
    for first in range(0, codes.size, 32):
        warp = codes[first : first + 32]
        others = warp[warp != warp[0]]
        hist += np.bincount(np.append(others, warp[0]), minlength=CODES)
    return {"hist": hist}


def index_as_it_is(values: Values) -> dict:
    """The index was not turned round: the last of several equal numbers wins."""
    src = values["src"]
    place = int(np.flatnonzero(src == src.max())[-1])
    return {"best": np.array([int(in_order(src[place : place + 1])[0]) << 32 | place])}


def bits_as_they_are(values: Values) -> dict:
    """The bits of the float went into the word as they are: among negative numbers the smallest wins."""
    bits = values["src"].view(np.int32).astype(np.int64)
    return {"best": np.array([((bits << 32) | (LAST - np.arange(bits.size))).max()])}


def best_of_blocks(src: np.ndarray, past: float = -np.inf) -> tuple[np.ndarray, np.ndarray]:
    """(the largest of each 256 numbers, the lowest place of each), where threads past the end bring another number."""
    rows = -(-src.size // THREADS)
    filled = np.append(src, np.full(rows * THREADS - src.size, past, np.float32)).reshape(rows, THREADS)
    at = filled.argmax(axis=1)
    return filled[np.arange(rows), at], (np.arange(rows) * THREADS + at).astype(np.int64)


def best_word(bits: np.ndarray, lower: np.ndarray) -> dict:
    """The largest of the words of these halves. bits: int32, lower: int64."""
    return {"best": np.array([((bits.astype(np.int64) << 32) + lower).max()])}


def places_of_blocks(values: Values) -> dict:
    """Each block's pair in one word, the place as it is: of equal numbers that of the last block wins."""
    largest, place = best_of_blocks(values["src"])
    return best_word(in_order(largest), place)


def places_taken_away(values: Values) -> dict:
    """The place with its sign turned, and without 2^31 - 1 it borrows from the upper half."""
    largest, place = best_of_blocks(values["src"])
    return best_word(in_order(largest), -place)


def bits_of_blocks(values: Values) -> dict:
    """Each block's pair with the bits of its float as they are."""
    largest, place = best_of_blocks(values["src"])
    return best_word(largest.view(np.int32), LAST - place)


def zeros_past_the_end(values: Values) -> dict:
    """Threads without an element bring 0."""
    largest, place = best_of_blocks(values["src"], past=0.0)
    return best_word(in_order(largest), LAST - place)


def all_that_agree(values: Values) -> dict:
    """Lane 0 adds for all that have its code, and they add 1 each as well."""
    return {"hist": counts_by_warp(values, agreeing=2)}


def only_that_agree(values: Values) -> dict:
    """Lane 0 adds for all that have its code, and the others never do."""
    return {"hist": counts_by_warp(values, others=0)}


def past_the_end_as_zero(values: Values) -> dict:
    """Lanes past the end of the last warp hold code 0, and it is counted."""
    counts = counts_of_codes(values)["hist"].copy()
    counts[0] += -values["codes"].size % 32
    return {"hist": counts}


def counts_by_warp(values: Values, agreeing: int = 1, others: int = 1) -> np.ndarray:
    """Counts: each lane with lane 0's code counts `agreeing` times, lane 0 once, and every other `others` times."""
    codes, hist = values["codes"], np.zeros(CODES, np.int64)
    for first in range(0, codes.size, 32):
        warp = codes[first : first + 32]
        same = warp == warp[0]
        hist[warp[0]] += agreeing * np.count_nonzero(same) - (agreeing - 1)
        hist += others * np.bincount(warp[~same], minlength=CODES)
    return hist


def ones(values: Values) -> dict:
    """Every key that occurs is found once: only whoever took the place counted."""
    return {"found": (asked_counts(values)["found"] > 0).astype(np.int32)}


def all_but_the_first(values: Values) -> dict:
    """Whoever took the place did not count its own key."""
    found = asked_counts(values)["found"]
    return {"found": np.maximum(found - 1, 0)}
