"""Inputs, oracle and cases of unit 19's gather_requests."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.threads.host import JudgedHost

SCHEDULES = 12  # of each case
GATHER_ARGUMENTS = (
    Argument("host", "in", "int64", "(n,)", "threads, a lock, a queue and a clock that the judge holds"),
    Argument("most", "scalar", "int64", "", "requests in a batch, 1 or more"),
    Argument("patience", "scalar", "int64", "", "microseconds that the first request of a batch waits for others"),
    Argument("fault", "out", "int64", "", "what went wrong, 0 for nothing: as host.play returns it"),
    Argument("proof", "out", "int64", "", "a number made of all answers: as host.play returns it"),
)


def make_host(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Callers of which some come together, some one by one, and some while a batch runs."""
    n = sizes["n_callers"]
    arrivals = np.sort(rng.choice([0, 0, 90, 250, 300, 400, 650, 1_000], n) + 1_500 * rng.integers(0, n // 6 + 1, n))
    return {
        "host": np.array([sizes["n_servers"], SCHEDULES, rng.integers(0, 1_000_000), *arrivals], np.int64),
        "most": np.int64(sizes["most"]),
        "patience": np.int64(rng.choice([100, 250, 600])),
        "fault": np.int64(0),
        "proof": np.int64(0),
    }


def gathered(values: Values) -> dict:
    """No fault, and what the right answers make."""
    return {"fault": np.int64(0), "proof": np.int64(JudgedHost.of(values["host"]).proof())}


GATHER_CASES = tuple(
    Case({"n_callers": n, "n_servers": servers, "most": most}, trace=False)
    for n, servers, most in ((9, 1, 4), (1, 1, 1), (6, 2, 3), (12, 2, 4), (5, 1, 8), (10, 1, 1), (16, 3, 5))
)
