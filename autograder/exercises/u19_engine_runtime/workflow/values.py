"""Inputs, oracle and cases of unit 19's run_network."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.workflow.host import JudgedNetworks

NETWORK_ARGUMENTS = (
    Argument("host", "in", "int64", "(n,)", "a logger, a stream, the device's memory, and who asks for engines"),
    Argument("fault", "out", "int64", "", "what went wrong, 0 for nothing: as host.tries returns it"),
    Argument("proof", "out", "int64", "", "a number made of all results: as host.tries returns it"),
)


def make_networks(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Files of two networks, with weights and requests of their own."""
    table = np.array([rng.integers(0, 1_000_000), sizes["n_in"], sizes["n_out"]], np.int64)
    return {"host": table, "fault": np.int64(0), "proof": np.int64(0)}


def networked(values: Values) -> dict:
    """No fault, and what the right results make."""
    return {"fault": np.int64(0), "proof": np.int64(JudgedNetworks.of(values["host"]).proof())}


NETWORK_CASES = tuple(Case({"n_in": n, "n_out": m}, trace=False) for n, m in ((6, 3), (2, 5), (16, 16)))
