"""What known mistakes of unit 08 compute. Each takes the values of a case and returns the outputs it would give."""

from __future__ import annotations

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u08_atomics.values import (
    BINS,
    THREADS,
    WIDE,
    blocks_with_copies,
    counts_of_words,
    three_blocks,
    total,
)


def first_turn_only(values: Values) -> dict:
    """Each thread counts one element: the grid never comes round again."""
    n_threads = three_blocks(values)[0] * THREADS
    return {"hist": np.bincount(values["src"][:n_threads], minlength=BINS)}


def first_block_again(values: Values) -> dict:
    """Every block counts the first 256 elements."""
    n_blocks = max(1, -(-values["src"].size // THREADS))
    return {"hist": n_blocks * np.bincount(values["src"][:THREADS], minlength=BINS)}


def lowest_byte_only(values: Values) -> dict:
    """One byte of each word is counted."""
    return {"hist": np.bincount(values["words"].view(np.uint8)[::4], minlength=BINS)}


def lowest_byte_four_times(values: Values) -> dict:
    """The word was never shifted: its lowest byte is counted four times."""
    return {"hist": 4 * lowest_byte_only(values)["hist"]}


def words_first_turn(values: Values) -> dict:
    """Each thread counts one word."""
    return counts_of_words(values | {"words": values["words"][: blocks_with_copies(values)[0] * WIDE]})


def values_added(values: Values) -> dict:
    """The value itself was added in place of 1."""
    return {"hist": np.arange(BINS) * np.bincount(values["src"], minlength=BINS)}


def bits_compared(values: Values) -> dict:
    """The bits were compared as whole numbers: among negative floats the smallest has the largest bits."""
    bits = values["src"].view(np.int32)
    return {"best_bits": np.array([max(int(bits.max(initial=np.iinfo(np.int32).min)), int(values["best_bits"][0]))])}


def nan_largest(values: Values) -> dict:
    """NaN won; without one, the largest number."""
    return {"best_bits": np.array([np.maximum.reduce(values["src"])], np.float32).view(np.int32)}


def first_block_largest(values: Values) -> dict:
    """Every block looked at the first 256 elements."""
    return {"best_bits": np.array([np.fmax.reduce(values["src"][:THREADS])], np.float32).view(np.int32)}


def place_in_block(values: Values) -> dict:
    """threadIdx.x was remembered in place of the index."""
    place = int(values["src"].argmax())
    value = values["src"][place : place + 1]
    return {"lock": np.zeros(1), "value": value, "index": np.array([place % THREADS])}


def lock_left_taken(values: Values) -> dict:
    """Right, with the lock still taken."""
    place = int(values["src"].argmax())
    return {"lock": np.ones(1), "value": values["src"][place : place + 1], "index": np.array([place])}


def first_lane_only(values: Values) -> dict:
    """Lane 0 wrote what it found itself: every 32nd element of a row."""
    src, offsets = values["src"].astype(np.float64), values["offsets"]
    rows = zip(offsets[:-1], offsets[1:], strict=True)
    return {"sums": np.array([src[a:b:32].sum() for a, b in rows])}


def counter_left(values: Values) -> dict:
    """Right, with the counter as the blocks left it."""
    return total(values) | {"finished": np.array([values["partial"].size])}


COUNTS = (
    Slip("first_turn_only", "each thread counts one element: what the grid reaches later is missing", first_turn_only),
    Slip("only_first_block", "every block counts the first 256 elements", first_block_again),
    Slip("adds_the_value", "each count is multiplied by its own value: 1 should be added, not the value", values_added),
)
WORDS = (
    Slip("one_byte_per_word", "only the lowest byte of each word is counted", lowest_byte_only),
    Slip(
        "one_byte_per_word",
        "the lowest byte of each word is counted four times: shift the word",
        lowest_byte_four_times,
    ),
    Slip("first_turn_only", "each thread counts one word: what the grid reaches later is missing", words_first_turn),
)
MAXIMA = (
    Slip("nan_wins", "NaN was stored: a comparison that asks for `not smaller` lets NaN through", nan_largest),
    Slip("only_first_block", "every block looks at the first 256 elements", first_block_largest),
    Slip(
        "bits_compared",
        "the bits were compared as whole numbers, which turns the order of negative floats round",
        bits_compared,
    ),
)
BEST = (
    Slip("index_in_block", "the index is the one within the block: threadIdx.x, not the place in src", place_in_block),
    Slip("lock_not_opened", "everything is found, and the lock is still taken at the end", lock_left_taken),
)
ROWS = (Slip("lanes_alone", "each sum is what lane 0 found alone: every 32nd element of its row", first_lane_only),)
TOTALS = (
    Slip(
        "counter_not_reset",
        "the total is right, but the counter keeps what the blocks counted: the next launch finds no last block",
        counter_left,
    ),
)
