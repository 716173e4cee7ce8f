"""A remedy that says what to type is carried out on a copy, and told where that helps; else the search looks on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.contract import Case
from autograder.outcome import Cause
from autograder.repair import words
from autograder.repair.edits import Edit
from autograder.repair.omissions import guarded
from autograder.repair.search import TOWARDS, edits_for, edits_of, likeliest, repairs
from autograder.repair.trials import Trials

GUARD = re.compile(
    r"(?:Guard the line: it may only run|Let it run only) where `(?P<index>[^`]+)` is "
    r"(?P<test>(?:less than|below|at least) (?:\d+|\w+\.size|\w+\.shape\[\d\]))"
)
SIGNS = {"less than": "<", "below": "<", "at least": ">="}
BARRIER = re.compile(r"Put cuda\.syncthreads\(\) after line (?P<line>\d+),")
FORMS = ("out_of_bounds", GUARD), ("race", BARRIER)
AFTER = "Put cuda.syncthreads() after line {line}, where every thread arrives."
NOT_REACHED = (
    "A barrier has to be reached by every thread of the block, and at line {line} it would not be: let one thread "
    "write the element, or let all threads come to a place between the two lines."
)
WITHIN_A_WARP = (
    "Both threads are in one warp: put cuda.syncwarp() after line {line}. cuda.syncthreads() has to be reached by all "
    "threads of the block, and there it would not be."
)
INDEX_KINDS = (
    *("index", "index_everywhere", "indices", "axis", "axes", "position"),
    *("border", "end", "one_off", "operands", "brackets", "condition", *TOWARDS),
)
BARRIER_KINDS = ("barrier", "moved_out", "return", "order", *TOWARDS)


def can_be_carried_out(cause: Cause) -> bool:
    """Whether a remedy says what to type; all others are advice."""
    return bool(cause.lines) and any(kind == cause.kind and form.match(cause.remedy) for kind, form in FORMS)


def tried(cause: Cause, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> Cause:
    """A cause whose remedy was carried out: as it is where that repairs everything, or with the line that does."""
    edit, kinds = carried_out(cause, trials)
    function = trials.loaded(edit.source) if edit is not None else None
    if function is not None and trials.passes(function, [*wrong, *right], traced=True):
        return cause
    near = [one for one in edits_for(trials.exercise, trials.program) if one.kind in kinds]
    found = repairs(trials, wrong, right, near, traced=cause.kind == "race")
    if barrier := next((one for one in found if one.kind == "barrier"), None):
        return replace(cause, remedy=AFTER.format(line=barrier.line + trials.program.first_line - 1))
    best, others = likeliest(found)
    if best is None:
        return _unless_it_hangs(cause, trials, function, edit, wrong)
    told = words.told(cause, best, [best.line, *others], trials.program.first_line)
    return replace(told, lines=tuple(dict.fromkeys((*cause.lines, *told.lines))))


def _unless_it_hangs(
    cause: Cause, trials: Trials, function: Callable | None, edit: Edit | None, wrong: Sequence[Case]
) -> Cause:
    """A barrier that not every thread would reach is no remedy: then it says so."""
    if cause.kind != "race" or function is None or edit is None or not trials.hangs(function, wrong[0]):
        return cause
    if "cuda.syncwarp() would do" in cause.remedy:
        return replace(cause, remedy=WITHIN_A_WARP.format(line=edit.line + trials.program.first_line - 1))
    return replace(cause, remedy=NOT_REACHED.format(line=edit.line + trials.program.first_line))


def carried_out(cause: Cause, trials: Trials) -> tuple[Edit | None, tuple[str, ...]]:
    """What a remedy asks for, as an edit where one line is enough, and the kinds of edits that may be meant."""
    offset = 1 - trials.program.first_line
    if asked := GUARD.match(cause.remedy):
        words_of_sign, _, limit = asked["test"].rpartition(" ")
        condition = f"{asked['index']} {SIGNS[words_of_sign]} {limit}"
        return guarded(trials.program, cause.lines[0] + offset, condition), INDEX_KINDS
    asked = BARRIER.match(cause.remedy)
    line = int(asked["line"]) + offset if asked else 0
    edits = (one for one in edits_of(trials.program) if one.kind == "barrier" and one.line == line)
    return next(edits, None), BARRIER_KINDS
