"""The two things a jail is asked for: the plan of a host function, or what a plan copies back on real inputs."""

from __future__ import annotations

import contextlib
import json
import traceback
from typing import Any

import numpy as np

from autograder import backend, exercises
from autograder.answer.program import LOADED, Program
from autograder.classroom.jail.inside.queues import Queues
from autograder.classroom.jail.inside.recorder import MAX_LITERALS_BYTES, Recorder, TooMuch, recording
from autograder.classroom.jail.plan import CUT_STEPS, MAX_RECORD_BYTES
from autograder.classroom.jail.replay import collecting
from autograder.classroom.messages.travel import array_as_json, array_of, number_of
from autograder.contract import Exercise
from autograder.running.runs import file_of, line_of, words_of
from simt.cuda_api.host_events import listening

MESSAGE_CHARACTERS = 500
NAME_CHARACTERS = 100
MOST_BYTES_A_STEP, MOST_BYTES_BESIDE = 4_000, 64_000  # of a call, without the bytes of its arrays from nowhere
OUTSIZE = "what it returns, or passes to a launch or a copy, is larger than anything that the task asks for"


def serve(request: dict[str, Any]) -> dict[str, Any]:
    """The reply to a request: {"calls": [...]} in the order of its cases, or {"not_loaded": why}."""
    backend.prepare()
    exercise = exercises.find(request["exercise"])
    try:
        namespace, function = Program.from_json(request["program"]).load()
    except BaseException as error:  # loading runs what the student wrote
        return {"not_loaded": f"{type(error).__name__}: {error}"[:MESSAGE_CHARACTERS], "line": _line(error)}
    if request["want"] == "downloads":
        return {"calls": [_downloads(exercise, function, case) for case in request["cases"]]}
    answers = request["answers"] or [[]] * len(request["cases"])
    pairs = zip(request["cases"], answers, strict=True)
    calls: list[dict[str, Any]] = []
    room, literals = MAX_RECORD_BYTES, MAX_LITERALS_BYTES
    for seed, (case, given) in enumerate(pairs):
        names = {id(value): name for name, value in namespace.items()}
        recorder = Recorder(names, file_of(function) or LOADED, seed, [array_of(answer) for answer in given], literals)
        call = _plan(exercise, recorder, function, case)
        calls.append(_fitting(call, room) if _is_ordinary(call, recorder.literal_bytes) else _outsize(call))
        room, literals = room - _n_bytes(calls[-1]), literals - recorder.literal_bytes
    return {"calls": calls}


def _is_ordinary(call: dict[str, Any], literal_bytes: int) -> bool:
    """Whether a call is as large as its steps make it, and not by one list, name or number without measure."""
    try:
        beside = _n_bytes(call) - 2 * literal_bytes
    except (ValueError, RecursionError):  # a number of more digits than Python writes
        return False
    return beside <= MOST_BYTES_BESIDE + MOST_BYTES_A_STEP * len(call["steps"])


def _outsize(call: dict[str, Any]) -> dict[str, Any]:
    """What stands for a call that is not ordinary: the error that it is, and nothing for a person to look at."""
    error = {"type": ValueError.__name__, "message": OUTSIZE, "line": 0}
    return {**call, "error": error, "returned": [], "steps": [], "long": False}


def _fitting(call: dict[str, Any], room: int) -> dict[str, Any]:
    """A call that takes no more than `room` bytes: without its end, and marked as long, where the whole one does."""
    if not call["long"] and _n_bytes(call) <= room:
        return call
    error = {"type": TooMuch.__name__, "message": "the end of this record is missing", "line": 0}
    cut = {**call, "long": True, "error": error, "returned": [], "steps": call["steps"][:CUT_STEPS]}
    return cut if _n_bytes(cut) <= room else {**cut, "steps": []}


def _n_bytes(call: dict[str, Any]) -> int:
    """What a call takes as the text in a program's text, which is how it travels to where it is carried out."""
    return len(json.dumps(json.dumps(call)))


def _plan(exercise: Exercise, recorder: Recorder, function, case: dict) -> dict[str, Any]:
    """Call the function on symbolic arrays. Returns its steps, and what it returned or raised."""
    recorder.queues = Queues(recorder) if exercise.by_order else None
    inputs = {name: _given(given, recorder, name, exercise) for name, given in case.items()}
    _redirect(recorder)
    reply: dict[str, Any] = {"error": None, "returned": []}
    try:
        with recording(recorder), contextlib.nullcontext() if recorder.queues is None else listening(recorder.queues):
            returned = function(*inputs.values())
        parts = returned if isinstance(returned, tuple | list) else (returned,)
        reply["returned"] = [None if part is None else recorder.refer(part) for part in parts]
        reply["many"] = isinstance(returned, tuple | list)
    except BaseException as error:
        message = words_of(error)[:MESSAGE_CHARACTERS]
        reply["error"] = {
            "type": type(error).__name__[:NAME_CHARACTERS],
            "message": message,
            "line": line_of(error, function),
        }
    beyond = recorder.queues.beyond if recorder.queues else ""
    return {**reply, "steps": recorder.steps, "beyond": beyond, "long": recorder.long}


def _given(given: dict[str, Any], recorder: Recorder, name: str, exercise: Exercise) -> Any:
    """One argument: the number itself, or an array of noise where the real one has data."""
    if "number" in given:
        return number_of(given)
    if exercise.arrays == "device":
        return recorder.device(recorder.add(do="input", name=name), given["shape"], given["dtype"])
    array = recorder.noise(given["shape"], given["dtype"])
    recorder.remember(array, {"input": name})
    if exercise.arrays == "pinned" and recorder.queues is not None:
        return recorder.queues.given(array, name)
    return array


def _redirect(recorder: Recorder) -> None:
    """Make numba's host API write to the recorder."""
    for name in ("to_device", "device_array", "device_array_like"):
        setattr(backend.cuda, name, getattr(recorder, name))


def _downloads(exercise: Exercise, function, case: dict[str, Any]) -> list[dict[str, Any]]:
    """Carry a plan out on real inputs and return what its copies to the host hold. No student's Python is here."""
    values = {name: number_of(given) if "number" in given else array_of(given) for name, given in case.items()}
    if exercise.arrays == "device":
        values = {n: backend.cuda.to_device(v) if isinstance(v, np.ndarray) else v for n, v in values.items()}
    downloads: list[np.ndarray] = []
    with collecting(downloads), contextlib.suppress(Exception):  # a plan may end in an error; what came before counts
        function(*values.values())
    return [array_as_json(download) for download in downloads]


def _line(error: BaseException) -> int:
    """The deepest line of the student's own text in a traceback; 0 when it never got there."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if LOADED in frame.filename]
    return (frames[-1].lineno or 0) if frames else getattr(error, "lineno", 0) or 0
