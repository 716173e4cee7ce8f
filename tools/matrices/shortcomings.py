"""What makes the proof of an exercise vacuous: few answers or hints, budgets and predictions that nothing measures."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.contract import Exercise
from autograder.diagnosis import budget
from autograder.exercises.catalogue import Answer
from autograder.notebook.predicted.why import unexplained

FEWEST_WRONG, FEWEST_RIGHT, FEWEST_HINTS = 6, 2, 3


def shortcomings(exercise: Exercise, answers: Iterable[Answer]) -> list[str]:
    """What makes a proof vacuous: too few answers or hints, or budgets and predictions that nothing measures."""
    answers = list(answers)
    n_right = sum(answer.outcome == "Passed" for answer in answers)
    n_wrong = len(answers) - n_right
    traced = [dict(case.sizes) for case in exercise.cases if case.trace]
    found = []
    if n_wrong < FEWEST_WRONG:
        found.append(f"{n_wrong} wrong answers, needs {FEWEST_WRONG}")
    if n_right < FEWEST_RIGHT:
        found.append(f"{n_right} right answers, needs {FEWEST_RIGHT}")
    if sum(len(hint.ladder) for hint in exercise.hints) < FEWEST_HINTS:
        found.append(f"fewer than {FEWEST_HINTS} hints")
    for item in exercise.budgets:
        if dict(item.sizes) not in traced:
            found.append(f"the budget on {item.counter} names {dict(item.sizes)}, which no traced case has")
    if exercise.predictions and not budget.predict_case_name(exercise):
        found.append(f"predictions need a traced case, and predict_case {exercise.predict_case} is none")
    for name in unexplained(exercise):
        found.append(f"the prediction of {name} is without a reason: say in `reasons` what the number is made of")
    known = {hint.misconception for hint in exercise.hints}
    for answer in answers:
        if answer.misconception and answer.misconception not in known | {"start"} and "start" not in known:
            found.append(f"no hint answers {answer.misconception}, and there is no ladder named start")
    return found
