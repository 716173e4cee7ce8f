"""Inputs, oracle and cases of unit 19's threshold_plugin."""

from __future__ import annotations

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.layer.host import JudgedPlugins

PLUGIN_ARGUMENTS = (
    Argument("host", "in", "int64", "(n,)", "the engine's side: memory, a launch, and all that it asks a plugin"),
    Argument("fault", "out", "int64", "", "what went wrong, 0 for nothing: as host.tries returns it"),
    Argument("proof", "out", "int64", "", "a number made of all results: as host.tries returns it"),
)


def make_plugins(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """A layer of some channels, with thresholds and inputs of its own."""
    table = np.array([rng.integers(0, 1_000_000), sizes["n_channels"]], np.int64)
    return {"host": table, "fault": np.int64(0), "proof": np.int64(0)}


def plugged(values: Values) -> dict:
    """No fault, and what the right results make."""
    return {"fault": np.int64(0), "proof": np.int64(JudgedPlugins.of(values["host"]).proof())}


PLUGIN_CASES = tuple(Case({"n_channels": n}, trace=False) for n in (3, 2, 5, 40))
