"""Inputs, oracles, error bounds, launches, cases and costs of unit 03 where the pattern of access is the lesson."""

from __future__ import annotations

import numpy as np

from autograder.contract import Budget, Case, Cost, Library, Sizes, Values
from autograder.exercises.common_values import ceil_div, vector, with_nonfinite
from autograder.running.compare import ulp_bound

UNIT = "03_memory_access"
THREADS = 256  # threads per block, where a launch is a line
WARP_ROWS = (32, 8)  # threads along x and y, where it is a plane: a warp is one row of a block
PERIOD = 1_000_003  # elements after which a very long src repeats itself: drawing all of it would take long
FIELDS = 8  # numbers of a body: x, y, z, mass, then its velocity along x, y, z, and its charge
PLACE, VELOCITY = slice(0, 3), slice(4, 7)


def at_work(n_threads: int, sizes: Sizes, why: str) -> Budget:
    """A budget that an answer misses in which few threads, or one block, do the work of all."""
    return Budget("threads_at_work", n_threads, sizes, why, "few_threads", floor=True)


# take_every: dst[i] = src[start + i step]


def make_take_every(sizes, kind, rng) -> Values:
    """src is just long enough; a negative step begins at the far end."""
    n, start, step = sizes["n"], sizes["start"], sizes["step"]
    reach = abs(step) * max(0, n - 1)
    src = np.resize(vector(rng, min(start + reach + 1, PERIOD), kind), start + reach + 1)
    return {"src": src, "start": start + (reach if step < 0 else 0), "step": step, "dst": np.zeros(n, np.float32)}


def taken(values: Values) -> dict:
    """Every step-th element from start on; a place that is not there (in pictures only) is taken from the nearest."""
    places = values["start"] + values["step"] * np.arange(values["dst"].size)
    return {"dst": values["src"][places.clip(0, values["src"].size - 1)]}


def one_thread_each(values: Values) -> tuple[int, int]:
    """One thread per element of dst, and at least one block."""
    return max(1, ceil_div(values["dst"].size, THREADS)), THREADS


def copy_cost(values: Values) -> Cost:
    """Each element of dst is loaded once and stored once."""
    return Cost(read_bytes=values["dst"].nbytes, write_bytes=values["dst"].nbytes)


def steps(n: int, start: int, step: int) -> dict[str, int]:
    """Sizes of take_every."""
    return {"n": n, "start": start, "step": step}


TAKE_CASES = (
    Case(steps(1024, 0, 5)),
    Case(steps(1024, 0, 1)),
    *(Case(steps(*sizes)) for sizes in ((1, 3, 7), (0, 0, 2), (31, 1, 1), (33, 2, 8), (1025, 7, 3), (257, 0, 40))),
    Case(steps(257, 5, 2), "special"),
    Case(steps(100_003, 11, 3), trace=False),
    Case(steps(300, 0, -1), last=True),
    Case(steps(65, 2, -3), last=True),
    Case(steps(3, 16_777_217, 1), trace=False, last=True),  # a place that float32 does not hold
)


# gather_rows: dst[r] = src[rows[r]]


def make_gather(sizes, kind, rng) -> Values:
    """A table, the rows that are wanted, in any order, some of them twice, odd values among them, and room for them."""
    n_src, n_rows, n_cols = sizes["n_src"], sizes["n_rows"], sizes["n_cols"]
    src = vector(rng, n_src * n_cols, kind).reshape(n_src, n_cols)
    rows = rng.integers(0, n_src, n_rows).astype(np.int32)
    rows[:1], rows[1:2] = n_src - 1, 0
    odd = np.flatnonzero(~np.isfinite(src).all(axis=1))
    rows[2 : 2 + len(odd)] = odd[: max(0, n_rows - 2)]
    return {"src": src, "rows": rows, "dst": np.zeros((n_rows, n_cols), np.float32)}


def gathered(values: Values) -> dict:
    """The rows, one by one; a row that is not there (in pictures only) is the nearest."""
    return {"dst": values["src"][values["rows"].clip(0, len(values["src"]) - 1)]}


def plane(values: Values) -> tuple:
    """Blocks of 32 x 8 threads that cover dst: x along its columns, y down its rows."""
    n_rows, n_cols = values["dst"].shape[-2:]
    return (max(1, ceil_div(n_cols, WARP_ROWS[0])), max(1, ceil_div(n_rows, WARP_ROWS[1]))), WARP_ROWS


def a_thread_a_row(values: Values) -> tuple[int, int]:
    """One thread per row of dst."""
    return max(1, ceil_div(len(values["dst"]), THREADS)), THREADS


def gather_cost(values: Values) -> Cost:
    """Each thread loads the number of its row and one element, and stores that."""
    return Cost(read_bytes=2 * values["dst"].nbytes, write_bytes=values["dst"].nbytes)


def table(n_src: int, n_rows: int, n_cols: int) -> dict[str, int]:
    """Sizes of gather_rows."""
    return {"n_src": n_src, "n_rows": n_rows, "n_cols": n_cols}


GATHER_CASES = (
    Case(table(50, 24, 64)),
    *(Case(table(*sizes)) for sizes in ((1, 1, 1), (7, 0, 5), (3, 9, 33), (90, 17, 31), (5, 70, 2), (300, 3, 100))),
    Case(table(40, 19, 40), "special"),
    Case(table(997, 503, 61), trace=False),
)
INDEX_SELECT = Library("torch.index_select", lambda torch, v: torch.index_select(v["src"], 0, v["rows"], out=v["dst"]))


# drift: the places of bodies, moved by their velocities


def make_bodies(sizes, kind, rng) -> Values:
    """(8, n) float32, one row per field, and a step in time that exact values stay exact with.

    It is 0 where there are infinities, in every field: the product is NaN, and a step of 0 that is skipped shows.
    """
    n = sizes["n"]
    dt = np.float32({"exact": 0.5, "nonfinite": 0}.get(kind, 0.1))
    bodies = vector(rng, FIELDS * n, kind).reshape(FIELDS, n)
    if kind == "nonfinite":
        for field in range(FIELDS):  # each of them elsewhere, or a place would be NaN whatever its velocity is
            bodies[field] = np.roll(with_nonfinite(rng.uniform(-1, 1, n).astype(np.float32)), field)
    return {"bodies": bodies, "dt": dt}


def drifted(values: Values) -> dict:
    """x, y and z move by dt times the velocity; mass, velocity and charge stay."""
    bodies = values["bodies"].astype(np.float64)
    with np.errstate(invalid="ignore"):
        bodies[PLACE] += float(values["dt"]) * bodies[VELOCITY]
    return {"bodies": bodies}


def drift_bound(values: Values, expected) -> dict:
    """One product and one sum are rounded; the other fields are exact."""
    bodies = np.nan_to_num(np.abs(values["bodies"].astype(np.float64)), posinf=0)
    error = np.zeros_like(bodies)
    error[PLACE] = ulp_bound(bodies[PLACE] + abs(float(values["dt"])) * bodies[VELOCITY], 2)
    return {"bodies": error}


def a_thread_a_body(values: Values) -> tuple[int, int]:
    """One thread per body."""
    return max(1, ceil_div(values["bodies"].shape[1], THREADS)), THREADS


def drift_cost(values: Values) -> Cost:
    """Six numbers of a body are loaded, three stored; three products and three sums."""
    n = values["bodies"].shape[1]
    return Cost(read_bytes=24 * n, write_bytes=12 * n, flops=6 * n)


DRIFT_CASES = (
    Case({"n": 1024}),
    *(Case({"n": n}) for n in (0, 1, 31, 33, 257, 1025)),
    Case({"n": 257}, "general"),
    Case({"n": 65}, "nonfinite"),
    Case({"n": 30_011}, trace=False),
)


# copy_from: dst = src[start : start + n]


def make_copy(sizes, kind, rng) -> Values:
    """src ends where dst is full: nothing may be read past it."""
    n, start = sizes["n"], sizes["start"]
    return {"src": vector(rng, start + n, kind), "start": start, "dst": np.zeros(n, np.float32)}


def copied(values: Values) -> dict:
    """The n elements from start on."""
    start, n = values["start"], values["dst"].size
    return {"dst": values["src"][start : start + n]}


def a_thread_for_four(values: Values) -> tuple[int, int]:
    """One thread per four elements of dst."""
    return max(1, ceil_div(values["dst"].size, 4 * THREADS)), THREADS


def part(n: int, start: int) -> dict[str, int]:
    """Sizes of copy_from."""
    return {"n": n, "start": start}


COPY_CASES = (
    Case(part(4096, 4)),
    *(
        Case(part(*sizes))
        for sizes in ((2048, 8), (4096, 5), (0, 0), (1, 0), (2, 4), (3, 8), (5, 6), (127, 7), (130, 4))
    ),
    *(Case(part(1017 + start, start)) for start in (4, 5, 6, 7)),
    Case(part(515, 4), "special"),
    Case(part(515, 7), "special"),
    Case(part(250_003, 8), trace=False),
    Case(part(250_001, 5), trace=False),
)
COPY = Library("torch.copy_", lambda torch, v: v["dst"].copy_(v["src"][v["start"] : v["start"] + v["dst"].numel()]))
