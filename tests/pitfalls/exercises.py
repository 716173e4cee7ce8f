"""Small exercises for the pitfalls that only a judge can see."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Budget, Case, Exercise, Hint

THREADS = 64
SIDE = 32


def _blocks(n: int) -> int:
    return max(1, -(-n // THREADS))


def _make_line(sizes, values, rng):
    """src: (n,) float32 of small integers, no two neighbours alike; dst: (n,) float32."""
    src = rng.permutation(sizes["n"]).astype(np.float32) + 1
    return {"src": src, "dst": np.zeros_like(src)}


def _make_table(sizes, values, rng):
    """src: (n, n) float32 of small integers; dst: the same shape."""
    src = rng.permutation(sizes["n"] ** 2).astype(np.float32).reshape(sizes["n"], sizes["n"])
    return {"src": src, "dst": np.zeros_like(src)}


_LINE = (Argument("src", "in", "float32", "(n,)"), Argument("dst", "out", "float32", "(n,)"))
_TABLE = (Argument("src", "in", "float32", "(n, n)"), Argument("dst", "out", "float32", "(n, n)"))
_COMMON = {"unit": "pitfalls", "points": 1, "hints": (Hint("start", ("Look.",)),), "topics": (), "task": "Write it."}

TWICE = Exercise(
    id="pitfalls.twice",
    title="Twice",
    function="twice",
    arguments=_LINE,
    make=_make_line,
    oracle=lambda values: {"dst": 2 * values["src"].astype(np.float64)},
    launch=lambda values: (_blocks(values["src"].size), THREADS),
    cases=tuple(Case({"n": n}) for n in (THREADS, 3 * THREADS + 7)),
    **_COMMON,
)

COPY_TABLE = Exercise(
    id="pitfalls.copy_table",
    title="Copy a table",
    function="copy_table",
    arguments=_TABLE,
    make=_make_table,
    oracle=lambda values: {"dst": values["src"]},
    launch=lambda values: ((1, 1), (SIDE, SIDE)),
    cases=(Case({"n": SIDE}),),
    budgets=(
        Budget(
            "global_load_sectors_per_request",
            4,
            {"n": SIDE},
            "32 neighbouring float32 fill 4 sectors; a column of them touches 32",
            "uncoalesced",
        ),
    ),
    **_COMMON,
)

TRANSPOSE = Exercise(
    id="pitfalls.transpose",
    title="Transpose",
    function="transpose",
    arguments=_TABLE,
    make=_make_table,
    oracle=lambda values: {"dst": values["src"].T},
    launch=lambda values: ((1, 1), (SIDE, SIDE)),
    cases=(Case({"n": SIDE}),),
    budgets=(
        Budget(
            "shared_load_bank_conflicts",
            0,
            {"n": SIDE},
            "the 32 elements of a column lie in one bank, and are read one after the other",
            "bank_conflicts",
        ),
    ),
    **_COMMON,
)

HOST_TWICE = Exercise(
    id="pitfalls.host_twice",
    title="Twice, from the host",
    function="host_twice",
    arguments=_LINE,
    make=_make_line,
    oracle=lambda values: {"dst": 2 * values["src"].astype(np.float64)},
    cases=tuple(Case({"n": n}) for n in (1, 100)),
    kind="host",
    budgets=(
        Budget(
            "transferred_bytes",
            2 * 4 * 100,
            {"n": 100},
            "one copy up and one down; a host array passed to a kernel is copied both ways at every launch",
            "host_array",
        ),
    ),
    **_COMMON,
)

COUNT_UP = Exercise(
    id="pitfalls.count_up",
    title="Add one",
    function="count_up",
    arguments=(Argument("src", "in", "int32", "(n,)"), Argument("dst", "out", "int32", "(n,)")),
    make=lambda sizes, values, rng: {
        "src": np.arange(2**24, 2**24 + sizes["n"], dtype=np.int32),
        "dst": np.zeros(sizes["n"], np.int32),
    },
    oracle=lambda values: {"dst": values["src"].astype(np.int64) + 1},
    launch=lambda values: (_blocks(values["src"].size), THREADS),
    cases=(Case({"n": 100}),),
    **_COMMON,
)
