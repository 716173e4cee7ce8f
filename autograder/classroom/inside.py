"""The two things a jail is asked for: the plan of a host function, or what it computes from data."""

from __future__ import annotations

import base64
import traceback
from typing import Any

import numpy as np

import autograder.backend as backend
from autograder import exercises
from autograder.classroom.recorder import ANSWERS, Recorder, recording
from autograder.exercise import Exercise
from autograder.program import Program

MESSAGE_CHARACTERS = 500


def serve(request: dict[str, Any]) -> dict[str, Any]:
    """The reply to a request: {"calls": [...]} in the order of its cases, or {"not_loaded": why}."""
    backend.install_stand_in()
    exercise = exercises.find(request["exercise"])
    try:
        namespace, function = Program.from_json(request["program"]).load()
    except BaseException as error:  # loading runs what the student wrote
        return {"not_loaded": f"{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS], "line": _line(error)}
    handle = _with_data if request["want"] == "data" else _plan
    return {"calls": [handle(exercise, namespace, function, case, n) for n, case in enumerate(request["cases"])]}


def _plan(exercise: Exercise, namespace: dict, function, case: dict[str, Any], seed: int) -> dict[str, Any]:
    """Call the function on symbolic arrays. Returns its steps, and what it returned or raised."""
    inputs: dict[str, Any] = {}
    names = {id(value): name for name, value in namespace.items()}
    recorder = Recorder(inputs, names, seed)
    for name, given in case.items():
        inputs[name] = _given(given, recorder, name, exercise)
        if type(inputs[name]) is np.ndarray:
            recorder.remember(inputs[name], {"input": name})
    _redirect(recorder)
    reply: dict[str, Any] = {"error": None, "returned": []}
    try:
        with recording(recorder):
            returned = function(*_arguments(exercise, inputs))
        parts = returned if isinstance(returned, tuple | list) else (returned,)
        reply["returned"] = [None if part is None else recorder.refer(part) for part in parts]
        reply["many"] = isinstance(returned, tuple | list)
    except BaseException as error:
        reply["error"] = {
            "type": type(error).__name__,
            "message": str(error)[:MESSAGE_CHARACTERS],
            "line": _line(error),
        }
    return {**reply, "steps": recorder.steps}


def _given(given: dict[str, Any], recorder: Recorder, name: str, exercise: Exercise) -> Any:
    """One argument: the number itself, or an array of noise where the real one has data."""
    if "number" in given:
        return np.dtype(given["dtype"]).type(given["number"]) if given["dtype"] else given["number"]
    if exercise.arrays == "device":
        return recorder.device(recorder.add(do="input", name=name), given["shape"], given["dtype"])
    return recorder.noise(given["shape"], given["dtype"])


def _redirect(recorder: Recorder) -> None:
    """Make numba's host API write to the recorder."""
    for name in ("to_device", "device_array", "device_array_like"):
        setattr(backend.cuda, name, getattr(recorder, name))


def _with_data(exercise: Exercise, namespace: dict, function, case: dict[str, Any], seed: int) -> dict[str, Any]:
    """Call the function on real values, over the interpreter. Returns outputs as bytes."""
    values = {name: _value(given) for name, given in case.items()}
    try:
        if exercise.arrays == "device":
            values = {n: backend.cuda.to_device(v) if isinstance(v, np.ndarray) else v for n, v in values.items()}
        returned = function(*_arguments(exercise, values))
        outputs = [argument for argument in exercise.arguments if argument.role in ("out", "inout")]
        if exercise.arrays == "device":
            parts = [np.asarray(values[argument.name]) for argument in outputs]
        else:
            returned = returned if isinstance(returned, tuple | list) else (returned,)
            parts = [np.asarray(part) for part in returned]
        return {"error": None, "outputs": [_bytes(part) for part in parts]}
    except BaseException as error:
        return {
            "error": {"type": type(error).__name__, "message": str(error)[:MESSAGE_CHARACTERS], "line": _line(error)}
        }


def _arguments(exercise: Exercise, values: dict[str, Any]) -> list[Any]:
    """What the function is called with: without the outputs it returns."""
    returns = exercise.arrays == "host"
    return [values[argument.name] for argument in exercise.arguments if not (returns and argument.role == "out")]


def _value(given: dict[str, Any]) -> Any:
    if "number" in given:
        return np.dtype(given["dtype"]).type(given["number"]) if given["dtype"] else given["number"]
    content = base64.b64decode(given["bytes"])
    return np.frombuffer(content, given["dtype"]).reshape(given["shape"]).copy()


def _bytes(array: np.ndarray) -> dict[str, Any]:
    content = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"dtype": array.dtype.str, "shape": list(array.shape), "bytes": content}


def _line(error: BaseException) -> int:
    """The deepest line of the student's own text in a traceback; 0 when it never got there."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if ANSWERS in frame.filename]
    return (frames[-1].lineno or 0) if frames else getattr(error, "lineno", 0) or 0
