"""What a learner commits to before writing, and how it compares once the answer is right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from numbers import Real
from typing import Any

from autograder.contract import Exercise
from autograder.drills.learning import notices
from autograder.notebook import display
from autograder.notebook.predicted.guesses import CLOSE, is_right, truth_of
from autograder.notebook.predicted.why import why_of
from autograder.notebook.progress import Record
from autograder.outcome import Outcome

NUMBER, TEXT = "a number", "a text"
WRITTEN = {"index": NUMBER, "line": NUMBER, "returns": NUMBER, "prints": TEXT, "faster": TEXT}


class PredictionError(ValueError):
    """A prediction that names nothing of the exercise, is of another kind, or is a number that cannot be.

    names: what can be predicted.
    """

    def __init__(self, message: str, names: tuple[str, ...]):
        super().__init__(message)
        self.names = names


def noted(exercise: Exercise, record: Record, values: Mapping[str, Any], unnamed: tuple = ()) -> None:
    """Commit to predictions, and say so; where one is still to be filled in, say which. Raises: PredictionError."""
    names = (*exercise.predictions, *exercise.guesses)
    if unnamed or not values:
        written = ", ".join(f"{name}=..." for name in names)
        raise PredictionError(
            f"Say which number is which, with one of these names or all: q.predict({written}).", names
        )
    for name, value in values.items():
        if name not in names:
            raise PredictionError(
                f"{exercise.id} has no {name!r} to predict. Predict one of: {', '.join(names)}.", names
            )
        wanted = _kind(exercise, name)
        if value is ...:
            what = "number" if wanted == NUMBER else "answer"
            display.text(f"Replace the ... with your {what} for {name.replace('_', ' ')}, then run this cell again.")
            return
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        if not (is_number if wanted == NUMBER else isinstance(value, str)):
            example = 4 if wanted == NUMBER else f'"{_choices(exercise, name)[0]}"'
            raise PredictionError(
                f"{name} is {value!r}; a prediction is {wanted}, as in q.predict({name}={example}).", names
            )
        if isinstance(value, Real) and (why := _impossible(exercise, name, float(value))):
            raise PredictionError(f"{name} is {value!r}, and {why}.", names)
        if (choices := _choices(exercise, name)) and is_guess(exercise, name, "faster") and value not in choices:
            raise PredictionError(f"{name} is {value!r}. Choose one of: {', '.join(choices)}.", names)
    record.predictions.update(values)
    said = ", ".join(_said(exercise, name, value) for name, value in values.items())
    display.text(f"Noted: {said}. The check below shows what was measured, once your answer is right.")


def is_guess(exercise: Exercise, name: str, kind: str) -> bool:
    """Whether a name is a guess of a kind."""
    return name in exercise.guesses and exercise.guesses[name].kind == kind


def _kind(exercise: Exercise, name: str) -> str:
    return WRITTEN[exercise.guesses[name].kind] if name in exercise.guesses else NUMBER


def _impossible(exercise: Exercise, name: str, number: float) -> str:
    """Why nothing that is measured can come to this number; "" where it can, as what a function returns may."""
    kind = exercise.guesses[name].kind if name in exercise.guesses else ""
    if not math.isfinite(number):
        return "nothing that is counted or measured comes to that"
    if kind == "line" and (number < 1 or not number.is_integer()):
        return "lines are counted 1, 2, 3"
    if kind == "index" and (number < 0 or not number.is_integer()):
        return "places in an array are counted 0, 1, 2"
    if not kind and number < 0:
        return "nothing that is counted or measured is less than 0"
    return ""


def _choices(exercise: Exercise, name: str) -> tuple[str, ...]:
    """What may be answered, where it is one of a few; else an example of a text."""
    return exercise.guesses[name].about if is_guess(exercise, name, "faster") else ("1 2",)


def _said(exercise: Exercise, name: str, value: Any) -> str:
    """ "4 warp syncs", "line 8", "index 549", "prints: 5 -1"."""
    words = name.replace("_", " ")
    if isinstance(value, str):
        return f"{words}: {value}"
    number = f"{value:,.0f}" if float(value).is_integer() else f"{value:g}"
    return f"{words} {number}" if name in exercise.guesses else f"{number} {words}"


def compare(exercise: Exercise, record: Record, outcome: Outcome, function: Callable) -> None:
    """Show each prediction beside the truth, and why; once the answer is right and within budget."""
    if record.predictions and outcome.status not in ("Passed", "NotAttempted"):
        display.text("Your prediction is compared once the answer is right and within its limits.")
    if not outcome.passed:
        return
    rows = [*_counted(exercise, record, outcome), *_guessed(exercise, record, function)]
    if any(judged.startswith(("too", "no")) for _, _, judged, _, _ in rows):
        notices.note(exercise, "missed")
    if rows:
        display.table(("you predicted", "measured", "", "what", "why"), rows)


def _counted(exercise: Exercise, record: Record, outcome: Outcome) -> Iterator[tuple]:
    measured = outcome.facts.get("predictions", {})
    for name, predicted in record.predictions.items():
        if name in measured:
            why = why_of(exercise, name, outcome.facts.get("counters", {}), measured[name])
            yield predicted, measured[name], _judged(predicted, measured[name]), name.replace("_", " "), why


def _guessed(exercise: Exercise, record: Record, function: Callable) -> Iterator[tuple]:
    for name, guess in exercise.guesses.items():
        if name in record.predictions:
            predicted, (truth, why) = record.predictions[name], truth_of(exercise, guess, function, record.draft)
            if truth is not None:
                yield predicted, truth, "yes" if is_right(predicted, truth) else "no", guess.asks, why


def _judged(predicted: float, measured: float) -> str:
    """How far a prediction is from what was measured."""
    if predicted == measured:
        return "exactly"
    if abs(predicted - measured) <= CLOSE * abs(measured):
        return "close"
    return "too low" if predicted < measured else "too high"
