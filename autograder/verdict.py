"""From what the stages found to an Outcome: its class, its points and its words.

Points: everything right, no findings, all budgets met and the work shared out earns all of them; a missed budget
alone, or work that one thread does for the others, 60 %; a result that no device computed, nothing; otherwise half
of the points times the share of cases that are right. Where an order is missing, as between the lines of a race, no
case is right by more than luck, whether it was listened to or not.
"""

from __future__ import annotations

import ast
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from autograder.answer.attempted import Attempt
from autograder.answer.program import Program
from autograder.contract import Exercise
from autograder.diagnosis import budget, work
from autograder.diagnosis.diagnose import settle
from autograder.diagnosis.misconceptions import is_of_order
from autograder.diagnosis.parameters import parameter_order
from autograder.outcome import CaseResult, Cause, Crashed, NotAttempted, NotCheckable, Outcome, Passed, TimedOut, Wrong
from autograder.running.compiled import EXPLAINED_BY, Compiled
from autograder.running.examine import Examination
from autograder.running.trial_result import Trial
from autograder.words import count_text

SHARE_OVER_BUDGET = 0.6
SHARE_WRONG = 0.5
RIGHT_BY_LUCK = "The result is right, but only by luck: nothing orders what the verdict names."
SLEPT = "slept"  # among the facts of an answer that waited, and would again
ENDLESS = "a loop that never finishes, or far too much work"
LOOK_AT_THE_LOOP = "Check that something the condition reads changes on every iteration."
PRINTING = "printing from many threads, which is slow, "
PRINT_LESS = "Take the print out, or let one thread print a few lines, and check again. Otherwise it is a loop. "
NOT_ENOUGH_TIME = "The interpreter is too slow for this answer, which is a limit of ours and not a mistake of yours:"


def not_attempted(exercise: Exercise, program: Program, attempt: Attempt) -> Outcome:
    """The stub is still there, or the function is missing, or one that it calls is a stub."""
    cases = tuple(CaseResult(case.name, "simt", "not_run") for case in exercise.cases)
    if attempt.state == "waiting":
        lines = (attempt.line,) if attempt.line else ()
        cause = Cause("error", "exception", attempt.says, attempt.next_step, lines)
        return _outcome(Crashed, exercise, program, causes=(cause,), cases=cases, next_step="Then check again.")
    return _outcome(NotAttempted, exercise, program, observed=attempt.says, cases=cases, next_step=attempt.next_step)


def crashed(exercise: Exercise, program: Program, misconception: str, says: str, remedy: str = "", **parts) -> Outcome:
    """The answer could not be read or loaded, or the process that ran it died."""
    cause = Cause("error", misconception, says, remedy)
    return _outcome(Crashed, exercise, program, causes=(cause,), next_step="A nudge: q.hint()", **parts)


def timed_out(exercise: Exercise, program: Program, seconds: float, kernels_ran: bool = True, **parts: Any) -> Outcome:
    """The answer did not end within its limit. kernels_ran: what ran were its kernels, and not host code alone."""
    prints = kernels_ran and _kernels_print(program)
    says = f"It did not end within {seconds:g} s: {PRINTING if prints else ''}{ENDLESS}."
    cause = Cause("too_much_work", "infinite_loop", says, f"{PRINT_LESS if prints else ''}{LOOK_AT_THE_LOOP}")
    return _outcome(TimedOut, exercise, program, causes=(cause,), next_step="A nudge: q.hint()", **parts)


def slept(exercise: Exercise, program: Program, says: str) -> Outcome:
    """The answer waited instead of computing, and was ended. says: for how long."""
    cause = Cause("too_much_work", "infinite_loop", says, "Take out time.sleep, input and whatever else waits.")
    return _outcome(TimedOut, exercise, program, causes=(cause,), facts={SLEPT: True}, next_step="Then check again.")


def _kernels_print(program: Program) -> bool:
    """Whether a function under a decorator, in what was handed in, calls print. The text is read, not run."""
    texts = (program.source, *(piece.source for piece in program.setup if not piece.trusted))
    for text in texts:
        try:
            functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
            calls = [part for node in functions if node.decorator_list for part in ast.walk(node)]
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if any(isinstance(part, ast.Call) and getattr(part.func, "id", "") == "print" for part in calls):
            return True
    return False


def not_checkable(exercise: Exercise, program: Program, says: str, mend: str = "") -> Outcome:
    """This machine cannot judge the answer."""
    return _outcome(NotCheckable, exercise, program, observed=says, next_step=mend)


def our_failure(exercise: Exercise, program: Program, error: Exception | str) -> Outcome:
    """The judge itself failed. error: what it raised, or that in words."""
    if isinstance(error, Exception):
        error = words_of_failure(error)
    says = f"The judge failed on this answer ({error}). That is a mistake of ours, not of yours."
    return not_checkable(exercise, program, says, "Please report it together with your answer.")


def words_of_failure(error: BaseException) -> str:
    """An exception with the line of ours that raised it, as in "KeyError: 'n', trial.py:120"."""
    deepest = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error}, {Path(deepest.filename).name}:{deepest.lineno}"


def conclude(exercise: Exercise, program: Program, interpreted: Examination | None, gpu: Examination | None) -> Outcome:
    """The Outcome of the stages that ran, the interpreter's first."""
    stages = [stage for stage in (interpreted, gpu) if stage is not None]
    trials, compiled = [stage.trial for stage in stages], interpreted.compiled if interpreted else Compiled()
    of_runs = [cause for trial in trials for cause in trial.causes]
    compiled = compiled.worded_with(of_runs).blamed_for(of_runs)
    counters = budget.with_code(trials[0].counters, compiled.code)
    budgets, over = budget.evaluate(exercise, counters, trials[0].compulsory)
    shared_out = _shared_out(exercise, trials)
    found = [*compiled.causes, *(cause for trial in trials for cause in trial.causes)]
    over = budget.with_lines(exercise, over, trials[0].lines, program)
    found += [*(cause for trial in trials for cause in trial.repeats), *over, *shared_out]
    causes = settle([*parameter_order(exercise, program, found), *found])
    cases = _by_luck(exercise, found, tuple(case for trial in trials for case in trial.cases))
    parts: dict[str, Any] = {
        "observed": next((trial.observed for trial in trials if trial.observed), ""),
        "causes": causes,
        "cases": cases,
        "facts": _facts(exercise, compiled, trials, counters),
        "notes": tuple(dict.fromkeys([*compiled.notes, *(note for trial in trials for note in trial.notes)])),
    }
    if compiled.refused:
        return _outcome(
            Wrong, exercise, program, **{**parts, "observed": "", "cases": _none_run(cases), **_try(causes)}
        )
    if not causes and all(case.status == "right" for case in cases):
        return _passed(exercise, program, budgets, parts)
    if causes and all(cause.kind == "unsupported" for cause in causes):
        return _outcome(NotCheckable, exercise, program, **parts)
    if not causes and all(trial.nothing_wrong for trial in trials):
        return _outcome(NotCheckable, exercise, program, **{**parts, "observed": _too_slow_for_us(cases)})
    kind = _class_of(causes, trials)
    if not any(cause.kind != "over_budget" for cause in causes):
        parts["points"] = SHARE_OVER_BUDGET * exercise.points
        parts["budgets"] = budgets
    elif any(cause.kind == "no_work" for cause in causes):
        parts["points"] = 0.0
    else:
        parts["points"] = points_of_wrong(exercise, cases)
    return _outcome(kind, exercise, program, **{**parts, **_try(causes)})


def _shared_out(exercise: Exercise, trials: list[Trial]) -> tuple[Cause, ...]:
    """Who did the work, where that is not as it should be; where a case is wrong, what of the others the host made, but
    for those without elements, in which nothing comes down from anybody."""
    if all(trial.nothing_wrong for trial in trials):
        return work.evaluate(exercise, trials[0].counters)
    right = {case.name for case in trials[0].cases if case.status == "right"} - _empty(exercise)
    return work.made_on_host(exercise, {name: one for name, one in trials[0].counters.items() if name in right})


def _by_luck(exercise: Exercise, found: list[Cause], cases: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """The cases; none of them right where an order is missing, but those without elements, in which nobody meets."""
    if not any(is_of_order(cause.kind) for cause in found):
        return cases
    empty = _empty(exercise)
    lucky = {case for case in cases if case.status == "right" and case.name not in empty}
    return tuple(replace(case, status="wrong", detail=RIGHT_BY_LUCK) if case in lucky else case for case in cases)


def _too_slow_for_us(cases: tuple[CaseResult, ...]) -> str:
    """What is told where nothing is wrong, and not every case was tried."""
    n_left = sum(case.status == "not_run" for case in cases)
    not_tried = f"{n_left} of {count_text(len(cases), 'case')} {'was' if n_left == 1 else 'were'} not tried"
    return f"{NOT_ENOUGH_TIME} {not_tried}; those that were are right."


def points_of_wrong(exercise: Exercise, cases: tuple[CaseResult, ...]) -> float:
    """What a wrong answer earns for the cases that are right."""
    return round(SHARE_WRONG * exercise.points * _share_right(exercise, cases), 2)


def _share_right(exercise: Exercise, cases: tuple[CaseResult, ...]) -> float:
    """The share of cases that are right; 0 where only those without elements are: doing nothing passes them too."""
    empty = _empty(exercise)
    right = [case for case in cases if case.status == "right"]
    return len(right) / len(cases) if any(case.name not in empty for case in right) else 0.0


def _empty(exercise: Exercise) -> set[str]:
    """Names of the cases without elements."""
    return {case.name for case in exercise.cases if 0 in case.sizes.values()}


def _passed(exercise: Exercise, program: Program, budgets, parts: dict[str, Any]) -> Outcome:
    """Everything right."""
    step = f"Now the clock: q.race({program.function})" if exercise.speed else ""
    return _outcome(Passed, exercise, program, points=exercise.points, budgets=budgets, next_step=step, **parts)


def _class_of(causes: tuple[Cause, ...], trials: list[Trial]) -> type[Outcome]:
    """Crashed and TimedOut where that is what happened, Wrong for everything else."""
    first = causes[0].kind if causes else ""
    if first in ("deadlock", "too_much_work") or not causes and any(trial.ended == "timed_out" for trial in trials):
        return TimedOut
    return Crashed if first == "error" else Wrong


def _facts(exercise: Exercise, compiled: Compiled, trials: list[Trial], counters: dict[str, dict]) -> dict[str, Any]:
    """Compile facts, opcodes, counters of the shown case, measured predictions, and what the learner's code printed.

    counters: of every traced case, those of the machine code included.
    """
    first = trials[0]
    return {
        "compile": dict(compiled.facts),
        "opcodes": compiled.opcodes,
        "counters": counters.get(budget.predict_case_name(exercise), {}),
        "predictions": budget.predicted(exercise, counters, first.compulsory),
        "told_sizes": next((trial.told_sizes for trial in trials if trial.told_sizes), {}),
        "printed": next((trial.printed for trial in trials if trial.printed), ""),
    }


SHOWN = ("race", "out_of_bounds")  # kinds of cause that a picture of their line is about
STEPPED = ("barrier_divergence", "uninitialised_read", "warp_mask")  # that going line by line shows


def _try(causes: tuple[Cause, ...]) -> dict[str, str]:
    """Where to look next: a picture, or steps, where they show this very mistake, then hints."""
    first = next((cause for cause in causes if cause.kind not in EXPLAINED_BY), None)
    see = ""
    if first is not None and first.lines:
        drawn = first.kind in SHOWN and bool(first.threads)  # without threads it is about the host and its streams
        see = f"See it: q.show(line={first.lines[0]})      " if drawn else ""
        see = "Go through it line by line: q.step()      " if first.kind in STEPPED else see
    return {"next_step": f"{see}A nudge: q.hint()"}


def _none_run(cases: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """The cases of an answer that does not compile: what the interpreter said about them is not evidence."""
    return tuple(CaseResult(case.name, case.device, "not_run") for case in cases)


def _outcome(kind: type[Outcome], exercise: Exercise, program: Program, points: float = 0.0, **parts) -> Outcome:
    """An Outcome with the fields that all of them share."""
    quotable = program.quotable
    outcome = kind(
        exercise=exercise.id,
        points=round(float(points), 2),
        max_points=float(exercise.points),
        headline="",
        source=quotable.source,
        first_line=quotable.first_line,
        **parts,
    )
    return replace(outcome, headline=f"{program.function}: {outcome.shown_as.words}")
