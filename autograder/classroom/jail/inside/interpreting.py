"""What the jail does for the judge of a kernel: load the answer, interpret it on values that are sent, compile it.

Inputs come in and outputs go back. Expected values and comparisons are not here.
"""

from __future__ import annotations

import contextlib
import io
import os
import socket
from typing import Any

import numpy as np

from autograder import exercises, plain_data
from autograder.answer.program import Program, ProgramError
from autograder.classroom.messages import frames, pictured
from autograder.contract import Exercise
from autograder.running import buffers, exceptions, run_simt, runs
from autograder.running.compiled import compile_kernel, compile_launches
from simt.lanes.meter import Meter

PRINTED_LIMIT = 4_000  # characters of an answer's own output


def serve(request: dict[str, Any], channel: socket.socket) -> None:
    """Load the answer, then do what each message asks for, until the judge hangs up.

    request: {"exercise", "program", "architecture"}. The first reply is {"loaded": true} or {"not_loaded": why}.
    A message asks, under "do", to "run", to "compile" or for a "picture".
    """
    os.environ["WARPBOOK_ARCHITECTURE"] = str(request["architecture"])
    try:
        answer = _Answer(exercises.find(request["exercise"]), Program.from_json(request["program"]))
    except ProgramError as error:
        return frames.send(channel, {"not_loaded": str(error)})
    frames.send(channel, {"loaded": True})
    while True:
        request, arrays = frames.receive(channel)
        if request["do"] == "picture":
            frames.send(channel, answer.picture(request))
        else:
            frames.send(channel, *(answer.compile() if request["do"] == "compile" else answer.run(request, arrays)))


class _Answer:
    """A loaded answer, and the launches of the first traced run, which are what is compiled of a host function."""

    def __init__(self, exercise: Exercise, program: Program):
        self.exercise = exercise
        self.function = program.load()[1]
        self.launches: list = []

    def compile(self) -> tuple[dict[str, Any]]:
        """What the compiler says."""
        if self.exercise.kind == "kernel":
            return (plain_data.to_json(compile_kernel(self.exercise, self.function)),)
        return (plain_data.to_json(compile_launches(self.exercise, self.launches, self.function)),)

    def picture(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a figure of one line is drawn from, on the values that a notebook uses; {} where there is none."""
        from autograder.notebook import picture
        from simt.figures import NothingToDraw, chosen

        sizes = {str(name): int(size) for name, size in request["told"].items()}
        try:
            with contextlib.redirect_stdout(io.StringIO()), np.errstate(all="ignore"):
                return pictured.packed(*chosen(picture.of_sizes(self.exercise, self.function, sizes), request["line"]))
        except NothingToDraw:
            return {}

    def run(self, request: dict[str, Any], arrays: dict[str, np.ndarray]) -> tuple[dict, dict]:
        """One run on the values that were sent."""
        values = frames.values_in(request, arrays)
        before = {name: np.array(value) if isinstance(value, np.ndarray) else value for name, value in values.items()}
        printed, meter = io.StringIO(), Meter(float(request["steps"]))
        with contextlib.redirect_stdout(printed), np.errstate(all="ignore"):
            result = run_simt.run(
                self.exercise,
                self.function,
                values,
                traced=bool(request["traced"]),
                sampled=bool(request["sampled"]),
                seed=request["seed"],
                seconds=float(request["seconds"]),
                lenient=bool(request["lenient"]),
                altered=bool(request["altered"]),
                meter=meter,
            )
        if request["traced"] and result.launches and not self.launches:
            self.launches = result.launches
        document, arrays = self._said(result, before)
        return {**document, "steps": meter.steps, "printed": printed.getvalue()[:PRINTED_LIMIT]}, arrays

    def _said(self, result: runs.Run, before: dict[str, Any]) -> tuple[dict, dict]:
        """A run as a message: outputs and changed inputs as arrays, the rest as a document."""
        outputs = {name: np.asarray(value) for name, value in result.outputs.items()}
        odd = [name for name, array in outputs.items() if array.dtype.kind not in "biufc"]
        error = None if result.error is None else self._words(result.error)
        if odd:
            outputs, error = {}, error or self._words(_no_numbers(odd[0]))
        asked = () if error else self.exercise.promises.filled  # of what else the answer writes into
        changed = [] if error else buffers.changed_inputs(self.exercise, before, result.after)
        arrays = {f"out:{name}": array for name, array in outputs.items()}
        arrays |= {f"in:{name}": np.asarray(result.after[name]) for name in (*changed, *asked)}
        document = {
            "error": error,
            "findings": [plain_data.to_json(finding) for finding in result.findings],
            "counters": plain_data.to_json(result.counters),
            "altered": result.altered,
            "lines": [list(row) for row in result.lines],
            "launches": [[launched.blocks, launched.threads] for launched in result.launches],
        }
        return document, arrays

    def _words(self, error: BaseException) -> dict:
        """What a run raised, as the cause that a verdict is made from."""
        status, cause = exceptions.cause_of_error(error, runs.line_of(error, self.function))
        return {"status": status, "cause": plain_data.to_json(cause)}


def _no_numbers(name: str) -> Exception:
    return runs.ReturnError(f"{name} is no array of numbers")
