"""Inputs, oracles, bounds, launches, cases and costs of unit 10, memory kinds."""

from __future__ import annotations

import numpy as np

from autograder.contract import Case, Cost
from autograder.exercises.common_values import ceil_div, vector
from autograder.running.compare import sum_bound, ulp_bound

UNIT = "10_memory_kinds"
THREADS = 128  # threads per block in every launch of this unit that does not promise any
COLUMNS = THREADS - 2  # that a block of the blur works out: its outer threads only load
TAPS = np.array([3, -1, 4, 1, -5, 9, 2, -6, 5, 3, -5, 8, 9, -7, 9, 3], np.float32)


def lengths(first: int, *others: int, kinds: tuple[str, ...] = ("general", "nonfinite")) -> tuple[Case, ...]:
    """Exact values on every length, other kinds on the last of them, and one length too large to trace."""
    cases = [Case({"n": n}) for n in (first, *others)]
    return (*cases, *(Case({"n": others[-1]}, kind) for kind in kinds), Case({"n": 30_011}, trace=False))


def one_thread_each(values):
    """One thread per element, and at least one block."""
    return max(1, ceil_div(values["out"].size, THREADS)), THREADS


# few_of_many

PICKS = (
    *(Case({"n": n, "n_picks": m}) for n, m in ((20_000, 64), (33, 1), (1000, 33), (300, 257))),
    Case({"n": 5000, "n_picks": 100}, "general"),
    Case({"n": 400_000, "n_picks": 1000}, trace=False),
)


def make_few_of_many(sizes, values, rng):
    """table: (n,) float32; picks: (n_picks,) int32, all different; out: (n_picks,) float32."""
    n, n_picks = sizes["n"], sizes["n_picks"]
    picks = rng.permutation(n)[:n_picks].astype(np.int32)
    if n_picks < n:
        picks[-1] = n - 1 if n - 1 not in picks else picks[-1]
    return {"table": vector(rng, n, values), "picks": picks, "out": np.zeros(n_picks, np.float32)}


def picked(values):
    """table[picks]. A pick past the end, which the picture of the task tries, counts from the front again."""
    return {"out": values["table"].take(values["picks"], mode="wrap")}


# in_rounds

ROUNDS = (
    *(Case({"n": n, "rounds": rounds}) for n, rounds in ((4099, 3), (1, 1), (257, 4))),
    Case({"n": 1500, "rounds": 5}, "general"),
    Case({"n": 50_001, "rounds": 6}, trace=False),
)


def make_rounds(sizes, values, rng):
    """x: (n,) float32; rounds; room for notes (rounds,) and final (n,)."""
    n, rounds = sizes["n"], sizes["rounds"]
    room = {"notes": np.zeros(rounds, np.float32), "final": np.zeros(n, np.float32)}
    return {"x": vector(rng, n, values), "rounds": rounds, **room}


def relaxed(values):
    """x / 2 + 1 in each round."""
    x, notes = values["x"].astype(np.float64), []
    for _ in range(int(values["rounds"])):
        x = x / 2 + 1
        notes.append(x[0])
    return {"notes": np.array(notes), "final": x}


def relaxed_bound(values, expected):
    """Two roundings a round, none of anything larger than the start or 2."""
    largest = float(np.abs(values["x"]).max(initial=2))
    allowed = ulp_bound(np.float64(largest), 2 * int(values["rounds"]))
    return {name: np.full(expected[name].shape, allowed) for name in ("notes", "final")}


# filter_constant


def make_filtered(sizes, values, rng):
    """x: (n + 15,) float32; out: (n,) float32."""
    n = sizes["n"]
    return {"x": vector(rng, n + len(TAPS) - 1, values), "out": np.zeros(n, np.float32)}


def _windows(x: np.ndarray, width: int) -> np.ndarray:
    """(n, width) float64: the neighbours from each place on."""
    return np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), width)


def filtered(values):
    """Each window times the taps, added up."""
    with np.errstate(invalid="ignore"):
        return {"out": (_windows(values["x"], len(TAPS)) * TAPS).sum(axis=1)}


def filtered_bound(values, expected):
    """Any order of 16 products and their sum."""
    absolute = (np.abs(np.nan_to_num(_windows(values["x"], len(TAPS)), posinf=0, neginf=0)) * np.abs(TAPS)).sum(axis=1)
    return {"out": sum_bound(absolute, len(TAPS), np.nan_to_num(expected["out"], posinf=0, neginf=0))}


def filter_cost(values):
    """16 loads, one store, 16 products and as many additions for each element."""
    n = values["out"].size
    return Cost(read_bytes=4 * 16 * n, write_bytes=4 * n, flops=32 * n)


# look_up


def make_codes(sizes, values, rng):
    """codes: (n,) uint8; table: (256,) float32, shorter in the picture of the task; out: (n,) float32."""
    n, n_entries = sizes["n"], sizes.get("n_entries", 256)
    codes = rng.integers(0, n_entries, n).astype(np.uint8)
    codes[-1:] = n_entries - 1
    return {"codes": codes, "table": vector(rng, n_entries, values), "out": np.zeros(n, np.float32)}


def looked_up(values):
    """table[codes]; see `picked`."""
    return {"out": values["table"].take(values["codes"], mode="wrap")}


def four_blocks(values):
    """Four blocks of 256, whatever the length."""
    return 4, 256


def look_up_cost(values):
    """The codes once, the table once per block, the results once."""
    return Cost(read_bytes=values["codes"].nbytes + 4 * values["table"].nbytes, write_bytes=values["out"].nbytes)


# median_of_nine


def make_medians(sizes, values, rng):
    """x: (n + 4,) float32 without NaN, with infinities in "special"; out: (n,) float32."""
    n = sizes["n"]
    x = vector(rng, n + 8, values)
    x[np.isnan(x)] = np.inf
    if values == "general":
        x[n // 2 : n // 2 + 9] = x[n // 2]  # nine of a kind
    if values == "special":  # as many of a kind as make one of them the median
        largest = np.finfo(np.float32).max
        for place, extreme in enumerate((np.inf, -np.inf, largest, -largest)):
            x[9 * (place + 1) : 9 * (place + 2)][:8] = extreme
    return {"x": x, "out": np.zeros(n, np.float32)}


def medians(values):
    """The middle one of each window."""
    return {"out": np.sort(_windows(values["x"], 9), axis=1)[:, 4]}


def median_cost(values):
    """Nine loads and one store for each element; comparisons are no flops."""
    n = values["out"].size
    return Cost(read_bytes=4 * 9 * n, write_bytes=4 * n)


# blur_rows and blur_async

IMAGES = (
    *(Case({"n_rows": r, "n_cols": c}) for r, c in ((8, 252), (1, 1), (3, 127), (2, 253))),
    Case({"n_rows": 3, "n_cols": 130}, "general"),
    Case({"n_rows": 2, "n_cols": 260}, "nonfinite"),
    Case({"n_rows": 9, "n_cols": 2003}, trace=False),
)


def make_image(sizes, values, rng):
    """x and out, both (n_rows, n_cols) float32."""
    shape = sizes["n_rows"], sizes["n_cols"]
    x = vector(rng, shape[0] * shape[1], values).reshape(shape)
    return {"x": x, "out": np.zeros(shape, np.float32)}


def blurred(values):
    """A quarter of both neighbours in the row and half of the element."""
    x = np.pad(values["x"].astype(np.float64), ((0, 0), (1, 1)))
    with np.errstate(invalid="ignore"):
        return {"out": 0.25 * x[:, :-2] + 0.5 * x[:, 1:-1] + 0.25 * x[:, 2:]}


def blurred_bound(values, expected):
    """Two roundings of sums no larger than the largest of the three; products with powers of two are exact."""
    x = np.pad(np.nan_to_num(np.abs(values["x"].astype(np.float64)), posinf=0), ((0, 0), (1, 1)))
    return {"out": ulp_bound(x[:, :-2] + x[:, 1:-1] + x[:, 2:], 3)}


def strips(values):
    """A block of 128 threads for each 126 columns: the outer two threads only load."""
    return ceil_div(values["x"].shape[1], COLUMNS), THREADS


def blur_cost(values):
    """Each block loads its columns and one on either side, where there is one; five flops an element."""
    n_rows, n_cols = values["x"].shape
    loaded = sum(min(n_cols, COLUMNS * (b + 1) + 1) - max(0, COLUMNS * b - 1) for b in range(ceil_div(n_cols, COLUMNS)))
    return Cost(read_bytes=4 * n_rows * loaded, write_bytes=values["out"].nbytes, flops=5 * n_rows * n_cols)
