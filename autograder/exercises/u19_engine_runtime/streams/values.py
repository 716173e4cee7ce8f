"""Inputs, oracle and cases of unit 19's two_streams."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.contract import Argument, Case, Sizes, Values
from autograder.exercises.u19_engine_runtime.streams.device import JudgedStreams

STREAM_ARGUMENTS = (
    Argument("device", "in", "int64", "(n,)", "a GPU with two streams whose clock the judge holds"),
    Argument("n_batches", "scalar", "int64", "", "batches 0, 1, 2, ..., all there from the start"),
    Argument("answers", "out", "int64", "(n_batches,)", "what was taken for each batch"),
    Argument("time", "out", "int64", "", "microseconds on the clock, when the last answer was taken"),
)
Procedure = Callable[[JudgedStreams, int], list[int]]


def make_batches(sizes: Sizes, kind: str, rng: np.random.Generator) -> Values:
    """Batches of which some take longest to copy and some to run."""
    n = sizes["n_batches"]
    times = np.stack([rng.integers(low, high, n) for low, high in ((4, 12), (20, 90), (30, 120), (10, 60))], axis=1)
    return {
        "device": times.ravel().astype(np.int64),
        "n_batches": np.int64(n),
        "answers": np.zeros(n, np.int64),
        "time": np.int64(0),
    }


def by(procedure: Procedure) -> Callable[[Values], dict]:
    """What a procedure leaves on a GPU that has done nothing yet."""

    def produces(values: Values) -> dict:
        device = JudgedStreams.of(values["device"])
        answers = procedure(device, int(values["n_batches"]))
        return {"answers": np.array(answers, np.int64), "time": np.int64(device.clock())}

    return produces


def begin(device: JudgedStreams, s: int, b: int) -> None:
    """All of a batch into a stream."""
    device.fill(s, b)
    device.copy_in(s)
    device.run(s)
    device.copy_out(s)


def in_flight(device: JudgedStreams, n: int, n_streams: int = 2) -> list[int]:
    """As many batches as there are streams are begun before the first is waited for."""
    answers = []
    for b in range(n + n_streams):
        s = b % n_streams
        if b >= n_streams and b - n_streams < n:
            device.wait(s)
            answers.append(device.take(s))
        if b < n:
            begin(device, s, b)
    return answers


STREAM_CASES = tuple(Case({"n_batches": n}, trace=False) for n in (8, 5, 12, 31))
