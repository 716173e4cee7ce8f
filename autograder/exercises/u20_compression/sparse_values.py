"""Inputs, oracles, bounds, launches, cases and costs of unit 20 where two of every four stay."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost, Rate, Sizes, Values
from autograder.exercises.common_values import ceil_div
from autograder.exercises.u20_compression.values import THREADS, signed

DEEP, GROUP = 32, 4  # columns that one word of places tells of; elements of which two stay
TILE = 128  # rows and columns of a block of sparse_products
ROUNDING_OF_TENSOR_CORES = 2.0**-22  # relative to the sum of absolute products, for each of them: they round towards 0
PRODUCTS = Rate("TFLOP/s of the whole product", lambda at: 2e-12 * at["n_rows"] * at["n_inner"] * at["n_cols"])

Chosen = tuple[np.ndarray, np.ndarray]  # packed (n_rows, n_inner / 2), places (n_inner / 32, n_rows) int32


def groups_of(weights: np.ndarray) -> np.ndarray:
    """(n_rows, n_inner / 4, 4): the fours of each row."""
    return weights.reshape(len(weights), -1, GROUP)


def words_of(places: np.ndarray) -> np.ndarray:
    """(n_inner / 32, n_rows) int32 of (n_rows, n_inner / 4, 2): a word has eight groups, the first in its lowest four
    bits, and of each group the first place in the lower two."""
    pairs = (places[..., 0] | places[..., 1] << 2).astype(np.uint32).reshape(len(places), -1, DEEP // GROUP)
    shifts = np.arange(0, 32, 4, dtype=np.uint32)
    return np.ascontiguousarray(np.bitwise_or.reduce(pairs << shifts, axis=2).T).view(np.int32)


def places_of(words: np.ndarray) -> np.ndarray:
    """(n_rows, n_inner / 4, 2): what `words_of` packed."""
    nibbles = np.ascontiguousarray(words.T)[..., None] >> np.arange(0, 32, 4)
    nibbles = nibbles.reshape(words.shape[1], -1)
    return np.stack([nibbles & 3, nibbles >> 2 & 3], axis=2)


def chosen_at(weights: np.ndarray, places: np.ndarray) -> Chosen:
    """What is stored where these places stay. places: (n_rows, n_inner / 4, 2)."""
    packed = np.take_along_axis(groups_of(weights), places, axis=2).reshape(len(weights), -1)
    return np.ascontiguousarray(packed), words_of(places)


def largest_two(weights: np.ndarray) -> np.ndarray:
    """(n_rows, n_inner / 4, 2): the places of the two largest magnitudes, the lower first; of equal ones the first."""
    order = np.argsort(-np.abs(groups_of(weights).astype(np.float64)), axis=2, kind="stable")
    return np.sort(order[..., :2], axis=2)


def spread(values: Values) -> np.ndarray:
    """(n_rows, n_inner) float64: the matrix with its zeros."""
    packed, places = values["packed"].astype(np.float64), places_of(values["places"])
    whole = np.zeros((*places.shape[:2], GROUP))
    np.put_along_axis(whole, places, packed.reshape(places.shape), axis=2)
    return whole.reshape(len(packed), -1)


# two_of_four


def make_choice(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """weights, and room for what is stored of them and where it belongs. "exact": many of equal magnitude."""
    n_rows, n_inner = sizes["n_rows"], sizes["n_inner"]
    if kind == "exact":
        weights = signed(rng, (n_rows, n_inner), 4)
        weights[rng.random(weights.shape) < 0.15] = 0
    else:
        weights = rng.normal(size=(n_rows, n_inner))
    return {
        "weights": weights.astype(np.float16),
        "packed": np.zeros((n_rows, n_inner // 2), np.float16),
        "places": np.zeros((n_inner // DEEP, n_rows), np.int32),
    }


def chosen(values: Values) -> dict:
    """The two largest of each four, and their places."""
    packed, places = chosen_at(values["weights"], largest_two(values["weights"]))
    return {"packed": packed, "places": places}


CHOICE_CASES = (
    *(Case({"n_rows": n_rows, "n_inner": n_inner}) for n_rows, n_inner in ((16, 128), (1, 32), (3, 96), (7, 160))),
    Case({"n_rows": 6, "n_inner": 64}, "general"),
    Case({"n_rows": 33, "n_inner": 1056}, "general", trace=False),
)


def a_thread_per_four(values: Values) -> tuple:
    """One thread for each four weights, along the rows."""
    return ceil_div(values["weights"].size // GROUP, THREADS), THREADS


def choice_cost(values: Values) -> Cost:
    """Each weight is loaded once; half of them are stored, and four bits for each four."""
    return Cost(read_bytes=values["weights"].nbytes, write_bytes=values["packed"].nbytes + values["places"].nbytes)


# sparse_products


def shape(n_rows: int, n_inner: int, n_cols: int) -> dict[str, int]:
    """The sizes of (n_rows, n_inner) times (n_inner, n_cols)."""
    return {"n_rows": n_rows, "n_inner": n_inner, "n_cols": n_cols}


def make_products(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """What is stored of a, its places, b, and room for c. Any two of four may be the ones that are stored."""
    n_rows, n_inner, n_cols = (sizes[name] for name in ("n_rows", "n_inner", "n_cols"))
    if kind == "exact":
        packed, b = signed(rng, (n_rows, n_inner // 2), 4), signed(rng, (n_inner, n_cols), 4)
    else:
        packed, b = rng.uniform(-1, 1, (n_rows, n_inner // 2)), rng.uniform(-1, 1, (n_inner, n_cols))
    places = np.sort(np.argsort(rng.random((n_rows, n_inner // GROUP, GROUP)), axis=2)[..., :2], axis=2)
    return {
        "packed": packed.astype(np.float16),
        "places": words_of(places),
        "b": b.astype(np.float16),
        "c": np.zeros((n_rows, n_cols), np.float32),
    }


def product(values: Values) -> dict:
    """a b, with a's zeros. float64."""
    return {"c": spread(values) @ values["b"].astype(np.float64)}


def product_bound(values: Values, expected) -> dict:
    """The error of additions that round towards zero, one after the other."""
    absolute = np.abs(spread(values)) @ np.abs(values["b"].astype(np.float64))
    return {"c": values["b"].shape[0] * ROUNDING_OF_TENSOR_CORES * absolute}


WHOLE = shape(128, 64, 128)
PRODUCT_CASES = (
    Case(WHOLE),
    Case(shape(128, 32, 256)),
    Case(shape(256, 160, 128)),
    Case(shape(128, 96, 128), "general"),
    Case(shape(128, 416, 256), trace=False),
)


def few_products(values: Values) -> dict[str, tuple | None]:
    """What a picture shows: four stored numbers of the first row, the eight rows of b that they choose from, and two
    sums. Arrows say which rows they meet, which is what places say."""
    return {"packed": ((0,), range(4)), "places": None, "b": (range(8), (0, 1)), "c": ((0,), (0, 1))}


def a_block_per_tile(values: Values) -> tuple:
    """Four warps for each 128 x 128 elements of c."""
    n_rows, n_cols = values["c"].shape
    return (n_cols // TILE, n_rows // TILE), TILE


def a_thread_per_sum(values: Values) -> tuple:
    """Blocks of 32 x 8 threads: x along the columns, y down the rows."""
    n_rows, n_cols = values["c"].shape
    return (n_cols // 32, n_rows // 8), (32, 8)


def products_cost(values: Values) -> Cost:
    """Each block reads its rows of what is stored, their words, and its columns of b; two flops for each product."""
    n_rows, n_cols = values["c"].shape
    read = (values["packed"].nbytes + values["places"].nbytes) * (n_cols // TILE) + values["b"].nbytes * (
        n_rows // TILE
    )
    return Cost(read_bytes=read, write_bytes=values["c"].nbytes, flops=2 * values["packed"].size * n_cols)


def timed(_n_bytes: int) -> dict[str, int]:
    """The sizes of a race, whatever room there is."""
    return shape(4096, 4096, 4096)
