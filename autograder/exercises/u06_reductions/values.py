"""Inputs, oracles, bounds and costs of unit 06: what the kernels get, what is right, and what it takes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

UNIT = "06_reductions"
SRC = Argument("src", "in", "float32", "(n,)", "the numbers to add")
TORCH_SUM = Library("torch.sum", lambda torch, v: torch.sum(v["src"]))
LARGE = 1 << 18  # elements; too many to trace
GRID = 4224  # blocks of 256 in a timed launch: several for every multiprocessor of any GPU
THREADS = 256  # threads per block
WARP = 32  # threads a warp
BLOCK = 1 << 20  # elements that an oracle has in hand at a time
DOMINANT = np.float32(2.0**20)  # one such term beside terms below 1


MORE_THAN_A_WARP = (22_528, 43)  # n, blocks: more partial sums than a warp has lanes, at 512 elements per block, too


def ragged(**sizes):
    """The cases of a sum over n elements: around a warp, around four blocks, a prime, multiples, nothing, a lot."""
    exact = [Case({"n": n} | sizes) for n in (1025, 0, 1, 31, 32, 33, 256, 1023, 3001, 8192)]
    kinds = ((1025, "general"), (3001, "general"), (1025, "special"), (1025, "nonfinite"))
    rounded = [Case({"n": n} | sizes, kind) for n, kind in kinds]
    other_grids = ((3001, 1), (300, 5), (5000, 7), MORE_THAN_A_WARP) if "blocks" in sizes else ()
    return (
        *exact,
        *(Case({"n": n, "blocks": blocks}, last=True) for n, blocks in other_grids),
        *rounded,
        Case({"n": LARGE} | sizes, trace=False),
        Case({"n": LARGE} | sizes, "general", trace=False),
    )


def blocks_for(n: int) -> int:
    """Blocks with one thread per element; one at least, because a grid of none is no launch."""
    return max(1, ceil_div(n, THREADS))


def terms(n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """n float32 terms of a sum.

    "exact": whole numbers from -31 to 31 without 0, so that every missing one shows and sums of up to 2^18 of them are
    exact in any order; "general": normal; "special": uniform, with one dominant element; "nonfinite": normal, with an
    infinity in the second block of 256 and NaN at the end.
    """
    if kind == "exact":
        sizes = rng.integers(1, 32, n, dtype=np.int8)
        return (sizes * rng.choice(np.array([-1, 1], np.int8), n)).astype(np.float32)
    if kind == "general":
        return rng.standard_normal(n, dtype=np.float32)
    if kind == "nonfinite":
        x = rng.standard_normal(n, dtype=np.float32)
        x[300:301], x[n - 1 :] = np.inf, np.nan
        return x
    x = rng.random(n, dtype=np.float32)
    x[n // 2 : n // 2 + 1] = DOMINANT
    return x


def candidates(n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """n float32 candidates for a maximum: "exact": negative, with many ties; "special": with NaN and infinities."""
    if kind == "exact":
        return rng.integers(-9, 0, n, dtype=np.int8).astype(np.float32)
    x = rng.standard_normal(n, dtype=np.float32)
    if kind == "special":
        x[rng.integers(0, n, n // 8)] = -np.inf
        x[rng.integers(0, n, 2)] = np.inf
        x[n // 2 :][rng.integers(0, n - n // 2, 3)] = np.nan
        x[-1] = -np.inf  # with n = 33 the second warp sees nothing else
    return x


def make_total(sizes, kind, rng) -> Values:
    """src and a total that starts at 0."""
    return {"src": terms(sizes["n"], kind, rng), "total": np.zeros(1, np.float32)}


def make_blocks(sizes, kind, rng) -> Values:
    """src and one result for each 256 elements."""
    n = sizes["n"]
    return {"src": terms(n, kind, rng), "partial": np.zeros(blocks_for(n), np.float32)}


def make_grid(sizes, kind, rng) -> Values:
    """src and one result per block of a grid of `blocks`."""
    return {"src": terms(sizes["n"], kind, rng), "partial": np.zeros(sizes["blocks"], np.float32)}


def make_warps(sizes, kind, rng) -> Values:
    """src and one result per warp of a grid of `blocks`."""
    return {"src": terms(sizes["n"], kind, rng), "partial": np.zeros(sizes["blocks"] * THREADS // WARP, np.float32)}


def make_device(sizes, kind, rng) -> Values:
    """src, room for one number per block, and the total."""
    return make_grid(sizes, kind, rng) | {"total": np.zeros(1, np.float32)}


def make_candidates(sizes, kind, rng) -> Values:
    """src and one winner, value and index, a warp of a grid of `blocks`."""
    n_warps = sizes["blocks"] * THREADS // WARP
    results = {"value": np.zeros(n_warps, np.float32), "index": np.zeros(n_warps, np.int32)}
    return {"src": candidates(sizes["n"], kind, rng)} | results


def make_matrix(sizes, kind, rng) -> Values:
    """A C-ordered matrix and one result for each row and each column."""
    n_rows, n_cols = sizes["n_rows"], sizes["n_cols"]
    results = {"row_sums": np.zeros(n_rows, np.float32), "col_sums": np.zeros(n_cols, np.float32)}
    return {"src": terms(n_rows * n_cols, kind, rng).reshape(n_rows, n_cols)} | results


def visits(x: np.ndarray, n_groups: int, width: int, fill=0) -> np.ndarray:
    """What each group of `width` consecutive threads visits in a grid-stride loop: (turns, n_groups, width)."""
    per_turn = n_groups * width
    turns = max(1, ceil_div(x.size, per_turn))
    padded = np.full(turns * per_turn, fill, x.dtype)
    padded[: x.size] = x
    return padded.reshape(turns, n_groups, width)


def grouped_sum(x: np.ndarray, n_groups: int, width: int, of: Callable = np.asarray) -> np.ndarray:
    """(n_groups,) float64, the sum of what each group visits. of: of an element, what is added.

    x may take a gibibyte, so it is gone through a few iterations at a time: nothing of its size is made beside it.
    """
    per_turn = n_groups * width
    step = per_turn * max(1, BLOCK // per_turn)
    sums = np.zeros(n_groups, np.float64)
    for at in range(0, x.size, step):
        sums += visits(of(x[at : at + step]), n_groups, width).sum(axis=(0, 2), dtype=np.float64)
    return sums


def absolute_sum(x: np.ndarray) -> np.float64:
    """The sum of absolute values, float64, likewise."""
    flat = x.reshape(-1)
    return sum((np.abs(flat[at : at + BLOCK]).sum(dtype=np.float64) for at in range(0, x.size, BLOCK)), np.float64(0))


def sums_by(width: int):
    """The oracle of `partial`: one sum for each group of `width` threads of the grid."""
    return lambda values: {"partial": grouped_sum(values["src"], values["partial"].size, width)}


def bound_by(width: int):
    """The error that any order of float32 additions within a group may make."""

    def bound(values: Values, expected) -> dict:
        src, n_groups = values["src"], values["partial"].size
        n_terms = width * ceil_div(src.size, n_groups * width)
        return {"partial": sum_bound(grouped_sum(src, n_groups, width, np.abs), n_terms, expected["partial"])}

    return bound


def total(values: Values) -> dict:
    """The sum of everything, float64."""
    return {"total": np.array([values["src"].sum(dtype=np.float64)])}


def total_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make."""
    src = values["src"]
    return {"total": sum_bound(absolute_sum(src), src.size, expected["total"])}


def pick(values: Values, choose) -> dict:
    """Each warp's winner; (-inf, n) where it visits nothing.

    choose: takes (n_warps, visited) float32, in index order, and returns the place of each warp's winner.
    """
    src, n_warps = values["src"], values["value"].size
    whole = src.size // (n_warps * WARP) * n_warps * WARP
    turns = [src[:whole].reshape(-1, n_warps, WARP)]
    if not whole or whole < src.size:
        turns.append(visits(src[whole:], n_warps, WARP, -np.inf))
    value, index = np.empty(n_warps, src.dtype), np.empty(n_warps, np.int64)
    step = max(1, BLOCK // (WARP * sum(map(len, turns))))
    for at in range(0, n_warps, step):
        seen = np.concatenate([part[:, at : at + step] for part in turns]).transpose(1, 0, 2)
        seen = seen.reshape(seen.shape[0], -1)
        place, rows = choose(seen), np.arange(len(seen))
        value[at : at + step] = seen[rows, place]
        index[at : at + step] = place // WARP * n_warps * WARP + (at + rows) * WARP + place % WARP
    return {"value": value, "index": np.minimum(index, src.size)}


def first_largest(values: Values) -> dict:
    """The largest element that each warp visits and its lowest index; NaN counts as largest."""
    return pick(values, lambda seen: seen.argmax(axis=1))


def axis_totals(values: Values) -> dict:
    """Both sums of a matrix, float64."""
    src = values["src"]
    return {"row_sums": src.sum(axis=1, dtype=np.float64), "col_sums": src.sum(axis=0, dtype=np.float64)}


def axis_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions along each axis may make.

    No sum is larger than that of its absolute terms; what a slip expects may be, where it counts rows several times.
    """
    src = values["src"]
    n_rows, n_cols = src.shape
    across, down = np.zeros(n_rows), np.zeros(n_cols)
    step = max(1, BLOCK // max(1, n_cols))
    for at in range(0, n_rows, step):
        size = np.abs(src[at : at + step])
        across[at : at + step] = size.sum(axis=1, dtype=np.float64)
        down += size.sum(axis=0, dtype=np.float64)
    down = np.maximum(down, np.abs(expected["col_sums"]))
    return {
        "row_sums": sum_bound(across, n_cols, expected["row_sums"]),
        "col_sums": sum_bound(down, n_rows, expected["col_sums"]),
    }


def sum_atomic_cost(values: Values) -> Cost:
    """Each element once, and an atomic on 4 bytes for each: once each way."""
    n = values["src"].size
    return Cost(read_bytes=8 * n, write_bytes=4 * n, flops=n)


def tree_cost(values: Values) -> Cost:
    """Each element read once, each partial sum written once; a tree of k terms has k - 1 additions."""
    n, n_blocks = values["src"].size, values["partial"].size
    return Cost(read_bytes=4 * n, write_bytes=4 * n_blocks, flops=(THREADS - 1) * n_blocks)


def stride_tree_cost(values: Values) -> Cost:
    """The same bytes; each element is added to its thread's sum before the trees add those."""
    trees = tree_cost(values)
    return Cost(trees.read_bytes, trees.write_bytes, flops=values["src"].size + trees.flops)


def stride_warp_cost(values: Values) -> Cost:
    """The same bytes; each element is added to its thread's sum, and every lane adds in each of 5 exchanges."""
    n, n_warps = values["src"].size, values["partial"].size
    return Cost(read_bytes=4 * n, write_bytes=4 * n_warps, flops=n + 5 * WARP * n_warps)


def device_sum_cost(values: Values) -> Cost:
    """Each element read once; each of the launched blocks leaves a number, which the second pass reads."""
    n = values["src"].size
    n_blocks = max(1, min(values["partial"].size, ceil_div(n, 512)))
    return Cost(read_bytes=4 * (n + n_blocks), write_bytes=4 * (n_blocks + 1), flops=n + n_blocks)


def argmax_cost(values: Values) -> Cost:
    """Each element read once; a value and an index written for each warp."""
    return Cost(read_bytes=values["src"].nbytes, write_bytes=8 * values["value"].size)


def blocks_a_column(n_rows: int) -> int:
    """How many blocks share the rows of a column: eight rows each at least, and at most 32 atomics on one address."""
    return min(32, ceil_div(n_rows, 8))


def axis_sums_cost(values: Values) -> Cost:
    """The matrix once for each axis; col_sums set to 0, then one atomic for each column of each block."""
    src = values["src"]
    n_rows, n_cols = src.shape
    atomic_bytes = 4 * n_cols * blocks_a_column(n_rows)
    return Cost(2 * src.nbytes + atomic_bytes, 4 * (n_rows + n_cols) + atomic_bytes, flops=2 * src.size)
