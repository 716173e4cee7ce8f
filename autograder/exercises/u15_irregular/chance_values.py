"""Inputs, oracles, launches and cases of unit 15 for numbers drawn at random: Philox 2 x 32 with ten rounds.

Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011; its known answers are in a test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from autograder.contract import Case, Sizes, Values
from autograder.exercises.common_values import ceil_div

MULTIPLIER, KEY_STEP, ROUNDS = 0xD256D193, 0x9E3779B9, 10
LOW, BITS = 0xFFFFFFFF, 32
ONE = 1 << BITS  # what a draw is a share of
PER_THREAD = 4  # numbers, in the launch of random_numbers
FILLERS = 256  # threads of its blocks
SAMPLERS, SAMPLE_BLOCKS = 128, 2  # threads and blocks of count_draws


@dataclass(frozen=True)
class Recipe:
    """How numbers are made, with what mistakes change."""

    rounds: int = ROUNDS
    key_step: int = KEY_STEP
    first_key: int = 0  # steps that the key has made before the first round
    key_bits: int = BITS
    key_meets: int = 1  # 0: the key is left out
    right_meets: int = 1  # 0: the right word is left out
    product_bits: int = 64
    upper_first: bool = True  # False: the halves of the product are exchanged
    new_right: bool = False  # the left word is made with the new right word
    second: bool = False  # the second word is taken


def philox(i: np.ndarray, stream: np.ndarray | int, seed: np.ndarray | int, recipe: Recipe = Recipe()) -> np.ndarray:
    """The first word of each counter (i, stream) under a key, uint64 below 2^32."""
    left = np.asarray(i, np.uint64) & np.uint64(LOW)
    right, key = (np.asarray(each, np.uint64) + np.zeros_like(left) for each in (stream, seed))
    step, kept = np.uint64(recipe.key_step), np.uint64((1 << recipe.key_bits) - 1)
    cut = np.uint64((1 << recipe.product_bits) - 1)
    key = (key + np.uint64(recipe.first_key) * step) & kept
    with np.errstate(over="ignore"):
        for _ in range(recipe.rounds):
            product = (np.uint64(MULTIPLIER) * left) & cut
            halves = product >> np.uint64(BITS), product & np.uint64(LOW)
            upper, lower = halves if recipe.upper_first else halves[::-1]
            right = lower if recipe.new_right else right
            left = upper ^ (np.uint64(recipe.key_meets) * key) ^ (np.uint64(recipe.right_meets) * right)
            right = lower
            key = (key + step) & kept
    return (right if recipe.second else left) & np.uint64(LOW)


# random_numbers


def make_numbers(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A drawn seed and stream, and room for the numbers."""
    seed, stream = (np.uint32(rng.integers(1 << 31, 1 << 32)) for _ in range(2))
    return {"seed": seed, "stream": stream, "numbers": np.zeros(sizes["n"], np.uint32)}


def drawn(values: Values, recipe: Recipe = Recipe()) -> dict:
    """numbers[i] = the first word of counter (i, stream) under the key seed."""
    i = np.arange(values["numbers"].size)
    return {"numbers": philox(i, values["stream"], values["seed"], recipe)}


def four_per_thread(values: Values) -> tuple:
    """Blocks of 256 threads, a thread for each four numbers."""
    return max(1, ceil_div(values["numbers"].size, PER_THREAD * FILLERS)), FILLERS


NUMBER_CASES = (*(Case({"n": n}) for n in (2600, 1, 31, 257, 1025)), Case({"n": 20_011}, trace=False))


# count_draws


def make_samples(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A drawn seed, how many samples, and a total of nothing."""
    seed = np.uint32(rng.integers(1 << 31, 1 << 32))
    return {"seed": seed, "n_samples": sizes["n_samples"], "total": np.zeros(1, np.int32)}


MOST_DRAWS = 24  # in a sample: the chance of more is 1 in 24 factorial


def draws_of(samples: np.ndarray, seed: np.ndarray | int, streams: np.ndarray | None = None) -> np.ndarray:
    """(n,) how many numbers of each sample's stream add up to 1 or more."""
    streams = samples if streams is None else streams
    numbers = philox(np.arange(MOST_DRAWS)[:, None] + 0 * samples, streams, seed)
    return (np.cumsum(numbers, axis=0) < ONE).sum(axis=0) + 1


def counted_draws(values: Values) -> dict:
    """total[0] = the draws of all samples."""
    return {"total": np.array([draws_of(np.arange(values["n_samples"]), values["seed"]).sum()])}


def two_blocks(values: Values) -> tuple:
    """Two blocks of 128 threads, however many samples there are."""
    return SAMPLE_BLOCKS, SAMPLERS


SAMPLE_CASES = (
    *(Case({"n_samples": n}) for n in (1024, 0, 1, 200, 257)),
    Case({"n_samples": 1501}, trace=False),
)
