"""Inputs, oracles, error bounds, launches, cases and costs of unit 05, think in lanes."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Outputs, Sizes, Values
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import sum_bound

UNIT = "05_warps"
WARP = 32
THREADS = 256  # threads per block in every launch of this unit
WARPS = THREADS // WARP  # warps per block
STEPS = 12  # that a number takes in rungs 1 and 2
SIDE = 8  # rows and columns of a piece that eight lanes transpose; eight float32 are one sector
LARGE = 100_003  # elements; too many to trace
SCAN_ADDITIONS = 31 + 30 + 28 + 24 + 16 + WARP  # of the five shuffles, and of the carry, for each 32 columns

SRC = Argument("src", "in", "float32", "(n,)", "the numbers to work on")
MATRIX = Argument("src", "in", "float32", "(n_rows, n_cols)", "a matrix, row after row")
LIMIT = Argument("limit", "scalar", "float32", meaning="what an element is compared with")
TRANSPOSED = Library("torch.t().contiguous()", lambda torch, v: v["src"].t().contiguous())
BINCOUNT = Library("torch.bincount", lambda torch, v: torch.bincount(v["keys"], minlength=v["hist"].numel()))


def lengths(*kinds: str) -> tuple[Case, ...]:
    """Ragged lengths around a warp and a block, each of `kinds` at two of them, and one too large to trace."""
    exact = [Case({"n": n}) for n in (1025, 0, 1, 31, 32, 33, 63, 100, 8192)]
    others = [Case({"n": n}, kind) for kind in kinds for n in (1025, 100)]
    return (*exact, *others, Case({"n": LARGE}, trace=False))


def shapes(*kinds: str) -> tuple[Case, ...]:
    """Matrices with edges that fill no warp, each of `kinds` in one of them, and one too large to trace."""
    exact = [
        Case({"n_rows": n_rows, "n_cols": n_cols})
        for n_rows, n_cols in ((45, 70), (1, 1), (8, 32), (64, 96), (7, 31), (65, 33), (3, 200), (9, 0))
    ]
    others = [Case({"n_rows": 45, "n_cols": 70}, kind) for kind in kinds]
    return (*exact, *others, Case({"n_rows": 301, "n_cols": 205}, trace=False))


def one_thread_each(values: Values) -> tuple[int, int]:
    """One thread per element of src, in whole blocks, and one block at least."""
    return max(1, ceil_div(values["src"].size, THREADS)), THREADS


def one_thread_per_key(values: Values) -> tuple[int, int]:
    """One thread per key, in whole blocks, and one block at least."""
    return max(1, ceil_div(values["keys"].size, THREADS)), THREADS


def one_warp_per_row(values: Values) -> tuple[int, int]:
    """One warp per row: eight rows per block."""
    return max(1, ceil_div(values["src"].shape[0], WARPS)), THREADS


def one_warp_per_strip(values: Values) -> tuple[tuple[int, int], tuple[int, int]]:
    """One warp per 8 rows and 32 columns; eight warps per block, one below the other."""
    n_rows, n_cols = values["src"].shape
    return (max(1, ceil_div(n_cols, WARP)), max(1, ceil_div(n_rows, SIDE * WARPS))), (WARP, WARPS)


def matrix(sizes: Sizes, kind: str, rng: np.random.Generator) -> np.ndarray:
    """(n_rows, n_cols) float32 of a kind of values."""
    shape = sizes["n_rows"], sizes["n_cols"]
    return vector(rng, shape[0] * shape[1], kind).reshape(shape)


def make_steps(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src and out, both (n,)."""
    return {"src": vector(rng, sizes["n"], kind), "out": np.zeros(sizes["n"], np.float32)}


def first_recipe(x: np.ndarray, steps: int = STEPS) -> np.ndarray:
    """Twelve steps of x / 2 + 3."""
    for _ in range(steps):
        x = x / 2 + 3
    return x


def second_recipe(x: np.ndarray, steps: int = STEPS) -> np.ndarray:
    """Twelve steps of 1 - x / 2."""
    for _ in range(steps):
        x = 1 - x / 2
    return x


def distances(x: np.ndarray) -> np.ndarray:
    """How far x is from 0, 1, ... 11, added up."""
    return sum((np.abs(x - k) for k in range(STEPS)), np.zeros_like(x))


def settled(values: Values) -> Outputs:
    """The first recipe where src is negative, the second elsewhere."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(x < 0, first_recipe(x), second_recipe(x))}


def by_place(values: Values) -> Outputs:
    """The first recipe at even places, distances at odd ones."""
    x = values["src"].astype(np.float64)
    return {"out": np.where(np.arange(x.size) % 2 == 0, first_recipe(x), distances(x))}


def settled_bound(values: Values, expected: Outputs) -> Outputs:
    """Each step halves the error that is there and adds a rounding of something at most |x| + 6."""
    return {"out": 4 * np.finfo(np.float32).eps * (np.abs(values["src"].astype(np.float64)) + 6)}


def by_place_bound(values: Values, expected: Outputs) -> Outputs:
    """The same, and twelve roundings of a sum that grows to the result."""
    added = 2 * STEPS * np.finfo(np.float32).eps * np.abs(expected["out"])
    return {"out": settled_bound(values, expected)["out"] + added}


def make_bits(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src, a limit that about half of it exceeds and that some elements equal, and a word for every 32 elements."""
    n = sizes["n"]
    src = vector(rng, n, kind)
    limit = np.float32(6 if kind == "exact" else 0.25)
    src[rng.random(n) < 0.1] = limit
    return {"src": src, "limit": limit, "words": np.zeros(ceil_div(n, WARP), np.uint32)}


def packed(values: Values) -> Outputs:
    """Bit l of word w is set where src[32 w + l] > limit."""
    above = np.zeros(values["words"].size * WARP, bool)
    above[: values["src"].size] = values["src"] > values["limit"]
    return {"words": np.packbits(above, bitorder="little").view(np.uint32)}


SEARCHES = (
    *(
        Case({"n_rows": n_rows, "n_cols": n_cols, "within": within})
        for n_rows, n_cols, within in ((45, 70, 70), (9, 0, 1), (1, 1, 1), (7, 31, 31), (65, 33, 33), (8, 64, 64))
    ),
    Case({"n_rows": 40, "n_cols": 700, "within": 32}),
    Case({"n_rows": 5, "n_cols": 1500, "within": 1500}),
    Case({"n_rows": 45, "n_cols": 70, "within": 70}, "special"),
    Case({"n_rows": 301, "n_cols": 205, "within": 205}, trace=False),
)


def make_search(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Rows of which four in five hold elements above the limit, the first one among the first `within` columns."""
    shape = n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    src = rng.integers(-500, 7, shape).astype(np.float32)
    if kind == "special" and src.size:
        src[rng.random(shape) < 0.3] = np.nan
        src[rng.random(shape) < 0.3] = -np.inf
    limit = np.float32(6)  # some elements equal it
    for row in range(n_rows):
        if n_cols and row % 5 != 3:
            place = int(rng.integers(0, min(n_cols, sizes["within"])))
            src[row, place] = np.inf if kind == "special" else 7
            src[row, place + 1 :][rng.random(n_cols - place - 1) < 0.2] = 9
    return {"src": src, "limit": limit, "first": np.zeros(n_rows, np.int32)}


def found(values: Values) -> Outputs:
    """The first column of each row that is above the limit, and the number of columns where none is."""
    above = values["src"] > values["limit"]
    n_cols = values["src"].shape[1]
    return {"first": np.where(above.any(axis=1), above.argmax(axis=1) if n_cols else 0, n_cols)}


def make_scan(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src and dst, both (n_rows, n_cols)."""
    src = matrix(sizes, kind, rng)
    return {"src": src, "dst": np.zeros_like(src)}


def running_sums(values: Values) -> Outputs:
    """Along each row, float64."""
    with np.errstate(invalid="ignore"):
        return {"dst": values["src"].cumsum(axis=1, dtype=np.float64)}


def scan_bound(values: Values, expected: Outputs) -> Outputs:
    """The error that any order of float32 additions may make."""
    size = np.abs(values["src"]).cumsum(axis=1, dtype=np.float64)
    return {"dst": sum_bound(size, max(1, values["src"].shape[1]), expected["dst"])}


def make_transpose(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """src (n_rows, n_cols) and dst (n_cols, n_rows)."""
    src = matrix(sizes, kind, rng)
    return {"src": src, "dst": np.zeros(src.shape[::-1], np.float32)}


def transposed(values: Values) -> Outputs:
    """dst = src.T."""
    return {"dst": values["src"].T}


def key_cases() -> tuple[Case, ...]:
    """Ragged lengths of few keys, of one, of many, and a lot."""
    few = [Case({"n": n, "distinct": 4}) for n in (1025, 0, 1, 31, 33)]
    others = [Case({"n": n, "distinct": d}) for n, d in ((1025, 1), (3001, 256), (100, 2), (8192, 4))]
    return (
        *few,
        *others,
        *(Case({"n": n, "distinct": distinct}, trace=False) for n, distinct in ((LARGE, 1), (20_011, 256))),
    )


def make_keys(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Keys of which `distinct` occur, equally often, and counters that start at 0: four for every key that occurs."""
    n_keys = max(8, 4 * sizes["distinct"])
    used = rng.permutation(n_keys)[: sizes["distinct"]].astype(np.int32)
    keys = used[rng.integers(0, sizes["distinct"], sizes["n"])]
    return {"keys": keys, "hist": np.zeros(n_keys, np.int32)}


def counted(values: Values) -> Outputs:
    """How often each key occurs."""
    n_keys = values["hist"].size
    return {"hist": np.bincount(values["keys"], minlength=n_keys)[:n_keys]}  # the picture of the task tries others


def groups(keys: np.ndarray) -> int:
    """Different keys in each warp, added up over all warps."""
    return sum(np.unique(keys[first : first + WARP]).size for first in range(0, keys.size, WARP))


def each_once(values: Values) -> Cost:
    """Each 4-byte element of src is loaded once, and each of the output stored once."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=values["src"].nbytes)


def steps_cost(values: Values) -> Cost:
    """The same, and two flops a step."""
    return Cost(values["src"].nbytes, values["src"].nbytes, 2 * STEPS * values["src"].size)


def bits_cost(values: Values) -> Cost:
    """Each element once, and one word for every 32."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=values["words"].nbytes)


def search_cost(values: Values) -> Cost:
    """Whole turns of 32 columns up to the one with the first hit, and one number per row."""
    n_cols = values["src"].shape[1]
    turns = np.minimum(np.asarray(found(values)["first"]) // WARP + 1, ceil_div(n_cols, WARP))
    return Cost(read_bytes=4 * int(np.minimum(turns * WARP, n_cols).sum()), write_bytes=values["first"].nbytes)


def scan_cost(values: Values) -> Cost:
    """Each element once each way; all 32 lanes add in every iteration."""
    n_rows, n_cols = values["src"].shape
    flops = n_rows * ceil_div(n_cols, WARP) * SCAN_ADDITIONS
    return Cost(values["src"].nbytes, values["dst"].nbytes, flops)


def keys_cost(values: Values) -> Cost:
    """Each key once, and an atomic on 4 bytes, each way, for every group of equal keys in a warp."""
    atomics = 4 * groups(values["keys"])
    return Cost(read_bytes=values["keys"].nbytes + atomics, write_bytes=atomics)
