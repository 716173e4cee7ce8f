"""Inputs, oracles, error bounds, cases and costs of unit 08: what is counted, what is right, and what it takes."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

UNIT = "08_atomics"
BINS = 256  # one for each value of a byte
THREADS = 256  # threads per block, unless an exercise says otherwise
WIDE = 512  # threads per block of the histogram with copies
WARP = 32
LARGE = 1 << 18  # elements; too many to trace
EVEN, ONE = {"distinct": BINS}, {"distinct": 1}  # even data uses every bin, one-valued data a single one
RESIDENT = 528  # blocks of 512 that 132 multiprocessors hold at once, four each
SUM_BLOCKS = 2112

SRC = Argument("src", "in", "uint8", "(n,)", "the bytes to count")
HIST = Argument("hist", "inout", "int32", "(256,)", "zeros before the launch, how often each value occurs after it")
NUMBERS = Argument("src", "in", "float32", "(n,)", "the numbers to look at")
BINCOUNT = Library(
    "torch.bincount",
    lambda torch, v: torch.bincount(v["words"].view(torch.uint8), minlength=BINS),
)
TORCH_SUM = Library("torch.sum", lambda torch, v: torch.sum(v["src"]))


def histogram_cases(**sizes) -> tuple[Case, ...]:
    """Ragged lengths of even data, one value only, a few values, the two ends of a byte, and a lot."""
    even = [Case({"n": n} | EVEN | sizes) for n in (1025, 0, 1, 31, 255, 256, 3001, 8192)]
    others = [Case({"n": 1025} | ONE | sizes), Case({"n": 3001, "distinct": 3} | sizes)]
    ends = [Case({"n": 1025} | EVEN | sizes, "special"), Case({"n": 3001} | EVEN | sizes, "general")]
    large = [Case({"n": LARGE} | spread | sizes, trace=False) for spread in (EVEN, ONE)]
    return (*even, *others, *ends, *large)


WORD_CASES = (
    Case({"n_words": 1025} | EVEN),
    *(Case({"n_words": n} | EVEN) for n in (0, 1, 31, 512, 5003)),
    Case({"n_words": 1025} | ONE),
    Case({"n_words": 3001, "distinct": 3}),
    Case({"n_words": 1025} | EVEN, "special"),
    Case({"n_words": 3001} | EVEN, "general"),
    *(Case({"n_words": LARGE} | spread, trace=False) for spread in (EVEN, ONE)),
)


def lengths(*kinds: str, **sizes) -> tuple[Case, ...]:
    """Ragged lengths of float32 data, each of `kinds` at two of them, and a lot."""
    exact = [Case({"n": n} | sizes) for n in (1025, 1, 31, 33, 256, 3001, 8192)]
    others = [Case({"n": n} | sizes, kind) for kind in kinds for n in (1025, 3001)]
    more = [Case({"n": 22_528, "blocks": 43}, last=True)] if "blocks" in sizes else []  # blocks than a warp has lanes
    return (*exact, *others, *more, Case({"n": LARGE} | sizes, trace=False))


LOCK_CASES = (  # few and short: a lock that every thread takes is served one thread after the other
    *(Case({"n": n}) for n in (600, 1, 31, 256)),
    Case({"n": 257}, "general"),
    Case({"n": 1500}, trace=False),
)
ROW_CASES = (
    Case({"n_rows": 70, "longest": 100}),
    *(Case({"n_rows": n, "longest": 40}) for n in (0, 1, 3, 16, 17, 257)),
    Case({"n_rows": 300, "longest": 3}),
    Case({"n_rows": 40, "longest": 700}),
    Case({"n_rows": 70, "longest": 100}, "general"),
    Case({"n_rows": 3000, "longest": 60}, trace=False),
)


def blocks_for(values: Values) -> tuple[int, int]:
    """One thread per element of src, and one block at least."""
    return max(1, ceil_div(values["src"].size, THREADS)), THREADS


def three_blocks(values: Values) -> tuple[int, int]:
    """Three blocks, however long src is: each thread comes round again."""
    return 3, THREADS


def blocks_with_copies(values: Values) -> tuple[int, int]:
    """Four words per thread, and no more blocks than a large GPU holds at once."""
    return max(1, min(RESIDENT, ceil_div(values["words"].size, 4 * WIDE))), WIDE


def warps_for_rows(values: Values) -> tuple[int, int]:
    """Fewer warps than rows: eight for every 40 rows, and no more than a large GPU holds at once."""
    return max(1, min(2 * RESIDENT, ceil_div(values["sums"].size, 40))), THREADS


def some_bytes(n: int, kind: str, distinct: int, rng: np.random.Generator) -> np.ndarray:
    """(n,) uint8. "exact": `distinct` values, equally often; "general": few common and many rare ones; "special": 0 and
    255 only, which read as signed bytes or shifted as signed words give themselves away."""
    if kind == "special":
        return rng.choice(np.array([0, 255], np.uint8), n)
    if kind == "general":
        return np.minimum(rng.geometric(0.05, n) - 1, 255).astype(np.uint8)
    used = rng.permutation(BINS)[:distinct].astype(np.uint8)
    return used[rng.integers(0, distinct, n)]


def make_bytes(sizes, kind, rng) -> Values:
    """src and counters that start at 0."""
    return {"src": some_bytes(sizes["n"], kind, sizes["distinct"], rng), "hist": np.zeros(BINS, np.int32)}


def make_words(sizes, kind, rng) -> Values:
    """The same, four bytes packed in each word."""
    packed = some_bytes(4 * sizes["n_words"], kind, sizes["distinct"], rng).view(np.uint32)
    return {"words": packed, "hist": np.zeros(BINS, np.int32)}


def counts(values: Values) -> dict:
    """How often each value occurs."""
    return {"hist": np.bincount(values["src"], minlength=BINS)}


def counts_of_words(values: Values) -> dict:
    """How often each value occurs among the bytes of the words."""
    return {"hist": np.bincount(values["words"].view(np.uint8), minlength=BINS)}


def numbers(n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """(n,) float32 without 0. "exact": whole numbers, negative only, with many ties; "general": normal;
    "special": infinities, NaN, the largest and the smallest floats strewn in."""
    if kind == "exact":
        return -rng.integers(1, 500, n).astype(np.float32)
    x = rng.standard_normal(n, dtype=np.float32)
    x[x == 0] = 1
    if kind == "special":
        limits = np.finfo(np.float32)
        odd = np.array([np.nan, np.nan, -np.inf, limits.max, limits.min, limits.tiny], np.float32)
        places = rng.permutation(n)[: odd.size]
        x[places] = odd[: places.size]
        x[[0, -1]] = np.nan
    return x


def make_max(sizes, kind, rng) -> Values:
    """src and a cell with the bits of minus infinity."""
    bits = np.array([-np.inf], np.float32).view(np.int32)
    return {"src": numbers(sizes["n"], kind, rng), "best_bits": bits}


def largest_bits(values: Values) -> dict:
    """The bits of the largest number; NaN counts for nothing."""
    largest = np.fmax.reduce(values["src"], initial=np.float32(-np.inf))
    return {"best_bits": np.array([largest], np.float32).view(np.int32)}


def make_best(sizes, kind, rng) -> Values:
    """src, an open lock, and nothing found yet."""
    found = {"value": np.full(1, -np.inf, np.float32), "index": np.full(1, np.iinfo(np.int32).max, np.int32)}
    return {"src": numbers(sizes["n"], kind, rng), "lock": np.zeros(1, np.int32)} | found


def best_of(values: Values) -> dict:
    """The largest number, the lowest index that has it, and the lock open again."""
    src = values["src"]
    place = int(src.argmax())
    return {"lock": np.zeros(1, np.int32), "value": src[place : place + 1], "index": np.array([place], np.int32)}


def make_rows(sizes, kind, rng) -> Values:
    """Rows of uneven lengths, the long ones first; row k is src[offsets[k]:offsets[k + 1]]."""
    n_rows = sizes["n_rows"]
    each = np.arange(n_rows) * 8 // max(1, n_rows)  # eight classes of length, halved from one to the next
    row_lengths = (sizes["longest"] >> each) + rng.integers(0, 2, n_rows)
    offsets = np.zeros(n_rows + 1, np.int32)
    offsets[1:] = row_lengths.cumsum()
    total = int(offsets[-1])
    if kind == "exact":
        src = rng.integers(1, 32, total).astype(np.float32)
    else:
        src = rng.standard_normal(total, dtype=np.float32)
    sums = {"sums": np.zeros(n_rows, np.float32)}
    return {"src": src, "offsets": offsets, "next_row": np.zeros(1, np.int32)} | sums


def rows_about_a_warp(sizes, rng) -> Values:
    """Rows of one element fewer than a warp has lanes, of as many, and of one more; of two and three warps as well."""
    lengths = np.resize([33, 31, 32, 65, 1, 64, 63, 97, 0, 96], sizes["n_rows"])
    offsets = np.concatenate([[0], lengths.cumsum()]).astype(np.int32)
    src = rng.integers(1, 32, int(offsets[-1])).astype(np.float32)
    return make_rows(sizes, "exact", rng) | {"src": src, "offsets": offsets}


def row_sums(values: Values) -> dict:
    """The sum of each row, float64. What next_row holds at the end is left open: some warps draw past the last row."""
    return {"sums": sums_of_rows(values["src"], values["offsets"])}


def sums_of_rows(src: np.ndarray, offsets: np.ndarray) -> np.ndarray:
    """(n_rows,) float64: the sum of each src[offsets[k]:offsets[k + 1]], each added by itself."""
    ends = offsets.clip(0, src.size)  # the picture of the task tries others
    numbers = src.astype(np.float64)
    return np.array([numbers[first:end].sum() for first, end in zip(ends[:-1], ends[1:], strict=True)], np.float64)


def row_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions within a row may make."""
    offsets = values["offsets"]
    absolute = sums_of_rows(np.abs(values["src"]), offsets)
    longest = int(np.diff(offsets).max(initial=1))
    return {"sums": sum_bound(absolute, longest, expected["sums"])}


def make_sum(sizes, kind, rng) -> Values:
    """src, room for one number per block, a counter at 0, and the total."""
    n = sizes["n"]
    src = (rng.integers(1, 32, n) * rng.choice([-1, 1], n)).astype(np.float32)
    if kind != "exact":
        src = rng.standard_normal(n, dtype=np.float32)
    room = {"partial": np.zeros(sizes["blocks"], np.float32), "finished": np.zeros(1, np.int32)}
    return {"src": src} | room | {"total": np.zeros(1, np.float32)}


def total(values: Values) -> dict:
    """The sum of everything, and the counter at 0 again."""
    return {"finished": np.zeros(1, np.int32), "total": np.array([values["src"].sum(dtype=np.float64)])}


def total_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make; the counter must be exact."""
    src = values["src"]
    error = sum_bound(np.abs(src).sum(dtype=np.float64), src.size, expected["total"])
    return {"finished": np.zeros(1), "total": error}


def global_cost(values: Values) -> Cost:
    """Each byte once, and an atomic on 4 bytes for each: once each way."""
    n = values["src"].size
    return Cost(read_bytes=5 * n, write_bytes=4 * n)


def shared_cost(values: Values) -> Cost:
    """Each byte once, and 256 atomics on 4 bytes from each of three blocks."""
    merged = 4 * BINS * three_blocks(values)[0]
    return Cost(read_bytes=values["src"].size + merged, write_bytes=merged)


def copies_cost(values: Values) -> Cost:
    """Each word once, and 256 atomics on 4 bytes from each block."""
    merged = 4 * BINS * blocks_with_copies(values)[0]
    return Cost(read_bytes=values["words"].nbytes + merged, write_bytes=merged)


def last_block_cost(values: Values) -> Cost:
    """Each number once; each block leaves a sum and counts itself; the last one reads all of it."""
    n, n_blocks = values["src"].size, values["partial"].size
    counted = 4 * n_blocks
    trees = (THREADS - 1) * (n_blocks + 1)
    return Cost(read_bytes=4 * n + 2 * counted + 4, write_bytes=2 * counted + 8, flops=n + n_blocks + trees)


def queue_cost(values: Values) -> Cost:
    """Each element once, and by each lane of its row where that begins and ends; a draw for each row, and one for each
    warp that finds none. Additions: each element, and five for each lane of a row, those of shuffles.
    """
    n, n_rows, (blocks, threads) = values["src"].size, values["sums"].size, warps_for_rows(values)
    drawn = 4 * (n_rows + blocks * threads // WARP) if n_rows else 0
    return Cost(4 * n + 2 * 4 * WARP * n_rows + drawn, 4 * n_rows + drawn, flops=n + 5 * WARP * n_rows)
