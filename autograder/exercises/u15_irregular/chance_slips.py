"""Wrong outputs of unit 15's random numbers that betray their cause."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from autograder.contract import Slip, Values
from autograder.exercises.u15_irregular.chance_values import (
    BITS,
    FILLERS,
    ONE,
    SAMPLE_BLOCKS,
    SAMPLERS,
    Recipe,
    drawn,
    draws_of,
    four_per_thread,
    philox,
)

GRID = SAMPLE_BLOCKS * SAMPLERS  # threads that count draws


def by(recipe: Recipe) -> Callable[[Values], dict]:
    """Numbers by another recipe."""
    return lambda values: drawn(values, recipe)


def with_counter(make: Callable[[np.ndarray, Values], np.ndarray]) -> Callable[[Values], dict]:
    """Numbers of other counters or keys. make: (i, values) -> numbers."""
    return lambda values: {"numbers": make(np.arange(values["numbers"].size), values)}


def by_thread(i: np.ndarray, values: Values) -> np.ndarray:
    """The thread's number is the counter, turn after turn."""
    return philox(i % (four_per_thread(values)[0] * FILLERS), values["stream"], values["seed"])


NUMBERS = (
    Slip(
        "thread_not_number",
        "the numbers repeat: the counter was the thread's number, and a thread makes several numbers",
        with_counter(by_thread),
    ),
    Slip(
        "seed_per_number",
        "each number has a key of its own, seed + i, and the counter is always 0: i is the counter, seed the key",
        with_counter(
            lambda i, v: philox(0 * i, v["stream"], np.uint64(v["seed"]) + i.astype(np.uint64) & np.uint64(ONE - 1))
        ),
    ),
    Slip(
        "stream_forgotten",
        "the right word began at 0: it begins as stream, or all streams are the same",
        with_counter(lambda i, v: philox(i, 0, v["seed"])),
    ),
    Slip(
        "words_exchanged",
        "i and stream are exchanged: the left word begins as i, the right word as stream",
        with_counter(lambda i, v: philox(0 * i + int(v["stream"]), i, v["seed"])),
    ),
    Slip(
        "words_exchanged", "the second word was stored: the number is the first, the left one", by(Recipe(second=True))
    ),
    Slip(
        "words_exchanged",
        "the halves of the product are exchanged: the upper one goes into the left word, the lower is the right word",
        by(Recipe(upper_first=False)),
    ),
    Slip("rounds", "there were 9 rounds: range(10) makes ten", by(Recipe(rounds=9))),
    Slip("rounds", "there were 11 rounds, and ten are asked for", by(Recipe(rounds=11))),
    Slip(
        "key_steps",
        "the key took its step before the first round: it does so after each round",
        by(Recipe(first_key=1)),
    ),
    Slip("key_steps", "the key is the same in all rounds: it takes a step after each", by(Recipe(key_step=0))),
    Slip("left_out", "the key does not go into the left word", by(Recipe(key_meets=0))),
    Slip("left_out", "the old right word does not go into the left word", by(Recipe(right_meets=0))),
    Slip(
        "new_word_used",
        "the left word was made with the new right word: it needs the right word from before the round",
        by(Recipe(new_right=True)),
    ),
    Slip(
        "product_cut",
        "the upper half of every product was 0: a product of two 32-bit numbers needs 64 bits",
        by(Recipe(product_bits=BITS)),
    ),
    Slip(
        "key_not_cut",
        "the key grew past 32 bits: a sum of two uint32 is an uint64 in numba, so wrap it in uint32(...)",
        by(Recipe(key_bits=64)),
    ),
)


def streams(values: Values, stream_of: Callable[[np.ndarray], np.ndarray]) -> dict:
    """Draws where each sample has another stream."""
    samples = np.arange(values["n_samples"])
    return {"total": np.array([draws_of(samples, values["seed"], stream_of(samples)).sum()])}


def turns_by_thread(values: Values) -> Iterator[np.ndarray]:
    """The samples that the threads of the launch have at the same iteration."""
    for first in range(0, values["n_samples"], GRID):
        yield np.arange(first, min(first + GRID, values["n_samples"]))


def carried_on(values: Values, number: bool = False, total: bool = False, each: bool = True) -> dict:
    """A thread's next sample goes on with the number of the draw, or with the sum, of the last one.

    each: whether a thread adds up, for each sample, the draws of that one; False: the number it has come to.
    """
    k, acc, draws = np.zeros(GRID, np.uint64), np.zeros(GRID, np.uint64), 0
    for samples in turns_by_thread(values):
        who = samples % GRID
        first, here_acc = (k[who] if number else 0 * k[who]), (acc[who] if total else 0 * acc[who])
        here_k, active = first.copy(), np.ones(len(who), bool)
        while active.any():
            here_acc = np.where(active, here_acc + philox(here_k, samples, values["seed"]), here_acc)
            here_k = np.where(active, here_k + np.uint64(1), here_k)
            active &= here_acc < ONE
        draws += int((here_k - first if each else here_k).sum())
        k[who], acc[who] = here_k, here_acc
    return {"total": np.array([draws])}


def first_threads(values: Values) -> dict:
    """Only what thread 0 of each block counted."""
    samples = np.arange(values["n_samples"])
    draws = draws_of(samples, values["seed"])
    return {"total": np.array([draws[samples % SAMPLERS == 0].sum()])}


def stepping_by_block(values: Values) -> dict:
    """A thread goes on by the threads of its block, so that sample s is done by every block that begins before it."""
    samples = np.arange(values["n_samples"])
    times = np.minimum(samples // SAMPLERS + 1, SAMPLE_BLOCKS)
    return {"total": np.array([(times * draws_of(samples, values["seed"])).sum()])}


def per_seed(values: Values) -> dict:
    """Each sample has a key of its own and the stream 0."""
    samples = np.arange(values["n_samples"])
    keys = (np.uint64(values["seed"]) + samples.astype(np.uint64)) & np.uint64(ONE - 1)
    return {"total": np.array([draws_of(samples, keys, 0 * samples).sum()])}


DRAWS = (
    Slip(
        "one_stream",
        "every sample drew the same numbers: the sample's number is its stream",
        lambda v: streams(v, lambda s: 0 * s),
    ),
    Slip(
        "thread_not_sample",
        "all samples of a thread drew the same numbers: the stream was the thread's number, and it is the sample's",
        lambda v: streams(v, lambda s: s % GRID),
    ),
    Slip("seed_per_sample", "each sample has a key of its own, seed + sample: it has a stream of its own", per_seed),
    Slip(
        "not_begun_anew",
        "the number of the draw goes on from sample to sample: each sample begins with draw 0",
        lambda v: carried_on(v, number=True),
    ),
    Slip(
        "not_begun_anew",
        "the number of the draw is not set back, so the draws of earlier samples count again",
        lambda v: carried_on(v, number=True, each=False),
    ),
    Slip(
        "not_begun_anew",
        "the sum goes on from sample to sample: each sample begins with a sum of 0",
        lambda v: carried_on(v, total=True),
    ),
    Slip(
        "last_draw",
        "one draw of each sample is missing: the draw that takes the sum to 1 counts as well",
        lambda v: {"total": streams(v, lambda s: s)["total"] - v["n_samples"]},
    ),
    Slip(
        "samples_counted",
        "the total is the number of samples: the draws are to be counted",
        lambda v: {"total": np.array([v["n_samples"]])},
    ),
    Slip(
        "sum_added_by_all",
        "each of 128 threads added the sum of its block to total: one thread per block should",
        lambda v: {"total": SAMPLERS * streams(v, lambda s: s)["total"]},
    ),
    Slip(
        "stride_by_block",
        "blocks did the same samples: a thread goes on by the threads of all blocks, cuda.gridsize(1)",
        stepping_by_block,
    ),
    Slip(
        "first_thread_only",
        "only the draws of thread 0 of each block are in the total: add up those of the block first",
        first_threads,
    ),
)
