"""Three small exercises that the judge's own tests use: a map, a sum in shared memory, a host function."""

import numpy as np

from autograder import exercises
from autograder.contract import Argument, Budget, Case, Exercise, Hint, Slip
from autograder.running.compare import sum_bound

THREADS = 256


def make_add(sizes, values, rng):
    """a, b, out: (n,) float32; integers for exact cases."""
    n = sizes["n"]
    if values == "exact":
        a, b = (rng.integers(-4096, 4096, n).astype(np.float32) for _ in range(2))
    else:
        a, b = (rng.standard_normal(n).astype(np.float32) for _ in range(2))
    return {"a": a, "b": b, "out": np.zeros(n, np.float32)}


def add_oracle(values):
    return {"out": values["a"].astype(np.float64) + values["b"]}


def blocks(n):
    return max(1, -(-n // THREADS))


HINTS = (Hint("start", ("Nudge.", "Concept.", "Place.")),)
SUM_ARGUMENTS = (
    Argument("a", "in", "float32", "(n,)"),
    Argument("b", "in", "float32", "(n,)"),
    Argument("out", "out", "float32", "(n,)"),
)
RAGGED = (1, 31, 257, 1025)

ADD = Exercise(
    id="sample.add",
    unit="sample",
    title="Add",
    task="Add two arrays. One thread per element.",
    function="add",
    arguments=SUM_ARGUMENTS,
    make=make_add,
    oracle=add_oracle,
    bound=lambda values, expected: {"out": 2.0**-23 * np.abs(expected["out"])},
    launch=lambda values: (blocks(values["out"].size), THREADS),
    cases=(*(Case({"n": n}) for n in RAGGED), Case({"n": 1025}, "general"), Case({"n": 20_011}, trace=False)),
    points=4,
    hints=HINTS,
    topics=(),
    budgets=(
        Budget("global_load_sectors_per_request", 5, {"n": 1025}, "neighbours share sectors", "uncoalesced"),
        Budget("global_load_requests", 70, {"n": 1025}, "each element is loaded once", "too_much_traffic"),
    ),
    slips=(Slip("subtracts", "it subtracts instead of adding", lambda values: {"out": values["a"] - values["b"]}),),
    predictions={"global_load_requests": "global_load_requests"},
    predict_case={"n": 1025},
)


def make_sums(sizes, values, rng):
    """src: (n,) float32; out: one float32 a block."""
    n = sizes["n"]
    src = rng.integers(-100, 100, n) if values == "exact" else rng.standard_normal(n)
    return {"src": src.astype(np.float32), "out": np.zeros(blocks(n), np.float32)}


def sums_oracle(values):
    padded = np.zeros(blocks(values["src"].size) * THREADS)
    padded[: values["src"].size] = values["src"]
    return {"out": padded.reshape(-1, THREADS).sum(axis=1)}


def sums_bound(values, expected):
    magnitude = sums_oracle({"src": np.abs(values["src"])})["out"]
    return {"out": sum_bound(magnitude, THREADS, expected["out"])}


BLOCK_SUM = Exercise(
    id="sample.block_sum",
    unit="sample",
    title="One sum per block",
    task="Sum each block's 256 elements. Use shared memory.",
    function="block_sum",
    arguments=(Argument("src", "in", "float32", "(n,)"), Argument("out", "out", "float32", "(blocks,)")),
    make=make_sums,
    oracle=sums_oracle,
    bound=sums_bound,
    launch=lambda values: (blocks(values["src"].size), THREADS),
    cases=(*(Case({"n": n}) for n in RAGGED), Case({"n": 1025}, "general")),
    points=2,
    hints=HINTS,
    topics=(),
)

HOST_ADD = Exercise(
    id="sample.host_add",
    unit="sample",
    title="Add from the host",
    task="Return a + b. Use the device.",
    function="host_add",
    arguments=SUM_ARGUMENTS,
    make=make_add,
    oracle=add_oracle,
    cases=tuple(Case({"n": n}) for n in RAGGED),
    points=2,
    hints=HINTS,
    topics=(),
    kind="host",
    budgets=(Budget("transferred_bytes", 3 * 4 * 1025, {"n": 1025}, "two up, one down", "too_many_transfers"),),
)

EXERCISES = (ADD, BLOCK_SUM, HOST_ADD)
exercises.register(__name__)
