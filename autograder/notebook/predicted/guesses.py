"""The truth of guesses that no counter tells: run, judged or recorded, and never written down."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Callable
from inspect import signature
from typing import Any

import numpy as np

from autograder.answer.globals_as_source import plain_function
from autograder.answer.program import Piece, Program
from autograder.contract import FASTER, Exercise, Guess
from autograder.notebook.races_on_record import RECORDED_ON
from autograder.notebook.recorded import results_file
from autograder.outcome import Outcome
from autograder.running.printed import unheard
from autograder.running.runs import given
from simt.events import Access, Listener
from simt.run import launch

Truth = tuple[Any, str]  # what was right, and why; the value None where nothing here can tell
UNKNOWN: Truth = (None, "")
SHOWN = 12  # numbers of an array that a call is shown with
CLOSE = 0.02  # of what was measured, within which a prediction is close


def truth_of(exercise: Exercise, guess: Guess, function: Callable, draft: Outcome | None) -> Truth:
    """What a guess comes to. function: the right answer; draft: the verdict on the draft that was checked last."""
    if guess.kind == "index":
        return _index(exercise, function, *guess.about), guess.why
    if guess.kind == "prints":
        return printed(*guess.about), guess.why
    if guess.kind == "line":
        causes = [cause for cause in draft.causes if cause.lines] if draft is not None else []
        return (causes[0].lines[0], causes[0].says) if causes else UNKNOWN
    if guess.kind == "returns":
        return _returned(exercise, function, guess)
    return _faster(exercise, guess)


def _index(exercise: Exercise, function: Callable, block: int, thread: int, output: str, after: int = 0) -> int | None:
    """The flat place in an output that a thread stores to after some others, on the case of the pictures."""
    from autograder.notebook.picture import heard

    place = [argument.name for argument in exercise.arguments].index(output)
    stores = OneStore(block, thread, [*signature(plain_function(function)).parameters][place], after)
    heard(exercise, function, stores)
    return stores.place


class OneStore(Listener):
    """Where one thread, by its linear numbers, stores to one array after some others. place: None until it does."""

    def __init__(self, block: int, thread: int, output: str, after: int):
        self.block, self.thread, self.output, self._others = block, thread, output, after
        self.place: int | None = None

    def access(self, event: Access) -> None:
        if self.place is not None or event.kind != "store" or event.array.name != self.output:
            return
        lanes = event.lanes
        ours = (lanes.batch.block_ids[lanes.block] == self.block) & (lanes.thread == self.thread)
        if not ours.any():
            return
        if self._others:
            self._others -= 1
        else:
            self.place = int(event.cells[ours.argmax()])


def printed(line: str) -> str:
    """What a line of a kernel prints, with one thread."""
    source = f"from numba import cuda\n\n\n@cuda.jit\ndef shown():\n    {line}\n"
    program = Program(source, "shown", "<guess>", setup=(Piece("", "<setup>"),))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        launch(program.load()[1], 1, 1)
    return out.getvalue().strip()


def _returned(exercise: Exercise, function: Callable, guess: Guess) -> Truth:
    """A number of what a host function returns, and the call in front of the reason. A tuple that it is called with
    stands for an array, or for the object that the judge makes of one."""
    asked = [argument for argument in exercise.arguments if argument.role != "out"]
    values = {
        argument.name: np.array(one, argument.dtype) if isinstance(one, tuple) else one
        for argument, one in zip(asked, guess.about, strict=False)
    }
    with unheard():
        result = function(*(given(exercise, values, name) for name in values))
    which, place = guess.result
    number = np.ravel(result[which] if isinstance(result, tuple | list) else result)[place]
    call = f"{function.__name__}({', '.join(map(_written, guess.about))})"
    return (int(number) if float(number).is_integer() else float(number)), f"{call}: {guess.why}"


def _written(one: Any) -> str:
    """What a function is called with; of a long array, where it begins."""
    if not isinstance(one, tuple):
        return f"{one:,}"
    return str(list(one)) if len(one) <= SHOWN else f"[{', '.join(map(str, one[:SHOWN]))}, ...]"


def _faster(exercise: Exercise, guess: Guess) -> Truth:
    """Which of two the recorded run of a named GPU found faster."""
    path = results_file(RECORDED_ON)
    document = json.loads(path.read_text(encoding="utf-8")) if path is not None else {"rows": []}
    row = next((row for row in document["rows"] if row["exercise"] == exercise.id), None)
    if row is None or not all(row.get(FASTER[name]) for name in guess.about):
        return UNKNOWN
    times = {name: row[FASTER[name]] for name in guess.about}
    said = ", ".join(f"{name}: {time:,.0f} us" for name, time in times.items())
    return min(times, key=lambda name: times[name]), f"{said} on an {document['device']}. {guess.why}".strip()


def is_right(predicted: Any, truth: Any) -> bool:
    """Whether a guess is right: whole numbers by value, others nearly, words whatever their case and spaces."""
    if isinstance(predicted, str) or isinstance(truth, str):
        return " ".join(str(predicted).split()).lower() == " ".join(str(truth).split()).lower()
    if isinstance(truth, float):
        return abs(predicted - truth) <= CLOSE * abs(truth)
    return predicted == truth
