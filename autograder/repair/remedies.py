"""A remedy that says what to type is carried out on a copy, and told where that helps; else the search looks on."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from autograder.answer.program import Program
from autograder.contract import Case
from autograder.outcome import Cause
from autograder.repair import words
from autograder.repair.edits import Edit
from autograder.repair.mechanical import (
    OUT_OF,
    RACE,
    conditions_on_all,
    edits_asked,
    edits_meant,
    guard_of,
    in_its_place,
    why_of,
)
from autograder.repair.moved_out import worded
from autograder.repair.near import lines_behind
from autograder.repair.search import TOWARDS, edits_for, holds, likeliest, repairs
from autograder.repair.single.omissions import guarded
from autograder.repair.trials import Trials
from autograder.words import listed

AFTER = "Put cuda.syncthreads() after line {line}, where every thread arrives."
NOT_REACHED = (
    "A barrier has to be reached by every thread of the block, and at line {line} it would not be: let one thread "
    "write the element, or let all threads come to a place between the two lines."
)
WITHIN_A_WARP = (
    "Both threads are in one warp: put cuda.syncwarp() after line {line}. cuda.syncthreads() has to be reached by all "
    "threads of the block, and there it would not be."
)
BOUNDED = (
    "`{index}` has to be {sign} {limit} at line {line}, and a condition around that line does not make the result "
    "right: work out by hand which element of {array} that thread needs, and write an index that gives it."
)
NOT_THE_WHOLE = "Work out by hand which element of {array} that thread needs at line {line}, and what its index says."
NOT_YET = "With that {right} comes right, and {wrong} does not yet: what is different there?"
ALL_OF_THEM = "Guard the line: it may only run where {conditions}."
ANOTHER_GUARD = "The condition at line {line} is not about {array}'s own lengths: write `{condition}` in its place."
ASKS = "The condition at line {line} has to ask for `{condition}`, too."
SIGN = {"<": "below", ">=": "at least"}
INDEX_KINDS = (
    *("index", "index_everywhere", "indices", "indices_everywhere", "axis", "axes", "position"),
    *("border", "end", "one_off", "operands", "brackets", "condition", *TOWARDS),
)
ADVISED = ("deadlock", "uninitialised_read", RACE, OUT_OF)
GENERAL = re.compile(  # what findings advise where nothing is known of the text
    r"Guard it: |Guard the lower end|Look for a number in your code|Give each block elements|Let one thread write|"
    r"Write every element|Give every element a value|Lines? [\d, and]+ writes? \w+, but not this element|"
    r"The loop goes through the same places|Check that something|No thread may wait|Work it out by hand"
)
OF_A_LAUNCH = ("width", "warps", "step")
HIDES = ("barrier", "wait")  # a barrier is looked for where a race asks for one
BARRIER_KINDS = ("barrier", "moved_out", "return", "order", *TOWARDS)


def tried(cause: Cause, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> Cause:
    """A cause whose remedy was carried out: as it is where that repairs everything, or with the line that does.

    Where nothing does, it stays only if the smallest case got right, or has the same mistake elsewhere.
    """
    cause = worded(cause, trials.program)
    asked = next(iter(edits_asked(cause, trials.program)), None)
    function = trials.loaded(asked.source) if asked is not None else None
    helps = function is not None and trials.passes(function, wrong[:1], traced=True)
    if helps and holds(trials, function, wrong, right):
        return cause
    helps = helps or _more_of_the_same_is_left(cause, asked, trials, function, wrong)
    for edit, remedy in edits_meant(cause, trials.program, _nothing_in(cause, trials)):
        if _repairs_all(edit, trials, wrong, right):
            return replace(cause, remedy=remedy)
    edit = in_its_place(cause, trials.program)
    if edit and _repairs_all(edit, trials, wrong, right) and not _border_repairs_all(cause, trials, wrong, right):
        line = edit.line + trials.program.first_line - 1
        return replace(cause, remedy=ANOTHER_GUARD.format(line=line, condition=edit.becomes.strip(), array=cause.array))
    if conditions := _conditions_that_do(cause, trials, wrong, right):
        return replace(cause, remedy=ALL_OF_THEM.format(conditions=listed([f"`{one}`" for one in conditions])))
    found = repairs(trials, wrong, right, _near(cause, trials), traced=cause.kind != "out_of_bounds")
    if barrier := next((one for one in found if one.kind == "barrier"), None):
        return replace(cause, remedy=AFTER.format(line=barrier.line + trials.program.first_line - 1))
    own = cause.lines[0] + 1 - trials.program.first_line
    best, others = likeliest([edit for edit in found if edit.line == own] or found)
    if best is not None and best.kind == "guard" and (guard := guard_of(cause)) and " ".join(guard) in best.becomes:
        asks = ASKS.format(line=best.line + trials.program.first_line - 1, condition=" ".join(guard))
        return replace(cause, remedy=asks, edit=words.shown(best, trials.program.first_line))
    if best is not None:
        told = words.told(cause, best, [best.line, *others], trials.program.first_line)
        lines = tuple(dict.fromkeys((*cause.lines, *told.lines)))
        return replace(told, lines=lines, remedy=f"{told.remedy} {why_of(cause)}".strip())
    if cause.kind == "race":
        return _unless_it_hangs(cause, trials, function, asked, wrong)
    if cause.kind != "out_of_bounds":
        return cause
    return cause if helps or function is None else _as_far_as_it_helps(cause, trials, wrong, function)


def _more_of_the_same_is_left(
    cause: Cause, edit: Edit | None, trials: Trials, function: Callable | None, wrong: Sequence[Case]
) -> bool:
    """Whether an edit does what it is for, and the same mistake stands elsewhere: then guards alone are missing, as the
    numbers are right, or what goes outside is another line."""
    if cause.kind != OUT_OF or edit is None or function is None:
        return False
    right, lines = trials.outside(function, wrong[0])
    own = {edit.line + trials.program.first_line - 1, *cause.lines}
    return right or guard_of(cause) is None and bool(lines) and not lines & own


def is_advice(cause: Cause, program: Program) -> bool:
    """Whether a finding on lines of this text has a remedy that only says where to look."""
    own = bool(cause.lines) and all(line in program.lines for line in cause.lines)
    return own and cause.kind in ADVISED and bool(GENERAL.match(cause.remedy))


def found(cause: Cause, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> Cause:
    """A finding with the line that an edit repairs everything in, in place of advice; as it is where none does.

    What made it comes first: the lines that make what the finding's own line reads.
    """
    own = [line + 1 - trials.program.first_line for line in cause.lines]
    behind = frozenset().union(*(lines_behind(trials.program.source, line) for line in own))
    every = edits_for(trials.exercise, trials.program)
    if all(case.launch for case in wrong):  # then a number that belongs to one launch says more than another line
        every = [replace(one, meant=one.kind in OF_A_LAUNCH) for one in every]
    every.sort(key=lambda one: (not one.meant, one.line not in behind))
    edits = [one for one in every if one.kind not in HIDES]
    repaired = repairs(trials, wrong, right, edits, traced=True)
    best, others = likeliest([edit for edit in repaired if edit.line in own] or repaired)
    if best is None:
        return cause
    told = words.told(cause, best, [best.line, *others], trials.program.first_line)
    return replace(told, lines=tuple(dict.fromkeys((*cause.lines, *told.lines))))


def _repairs_all(edit: Edit, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> bool:
    """Whether an edited answer is right on the smallest wrong case, and then on all."""
    function = trials.loaded(edit.source)
    return function is not None and trials.passes(function, wrong[:1], True) and holds(trials, function, wrong, right)


def _border_repairs_all(cause: Cause, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> bool:
    """Whether a comparison that moves by one does, in a line that makes the index."""
    return any(_repairs_all(one, trials, wrong, right) for one in _near(cause, trials) if one.kind == "border")


def _conditions_that_do(cause: Cause, trials: Trials, wrong: Sequence[Case], right: Sequence[Case]) -> list[str]:
    """The fewest conditions on the indices of one element below which its line repairs everything; [] where none do."""
    line = cause.lines[0] + 1 - trials.program.first_line
    for kept in conditions_on_all(cause, trials.program):

        def do(conditions: Sequence[str]) -> bool:
            edit = guarded(trials.program, line, " and ".join(conditions))
            return edit is not None and _repairs_all(edit, trials, wrong, right)

        if do(kept):
            for one in tuple(kept):
                less = [other for other in kept if other != one]
                kept = less if do(less) else kept
            return kept
    return []


def _nothing_in(cause: Cause, trials: Trials) -> str:
    """0 as an element of an array is one, where the answer can write it so."""
    dtype = next((one.dtype for one in trials.exercise.arguments if one.name == cause.array), "float32")
    return f"{dtype}(0)" if dtype in trials.setup or f"{dtype}(0)" in trials.program.source else "0"


def _near(cause: Cause, trials: Trials) -> list[Edit]:
    """The edits that a remedy may stand for: of a barrier, or of an index, those of the lines that make it first."""
    every = edits_for(trials.exercise, trials.program)
    if cause.kind != "out_of_bounds":
        return [one for one in every if one.kind in BARRIER_KINDS]
    line = cause.lines[0] + 1 - trials.program.first_line
    behind = lines_behind(trials.program.source, line)
    near = [one for one in every if one.kind in INDEX_KINDS or one.line in behind]
    return sorted(near, key=lambda one: (not one.meant, one.line != line, one.line not in behind))


def _as_far_as_it_helps(cause: Cause, trials: Trials, wrong: Sequence[Case], function: Callable) -> Cause:
    """A remedy after which the smallest case is still wrong, with a case that it makes right; without a promise where
    there is none. function: the answer as the remedy asks for."""
    mended = next((case for case in wrong[1:] if trials.passes(function, [case], traced=True)), None)
    if mended is None:
        return _without_a_promise(cause)
    return replace(cause, remedy=f"{cause.remedy} {NOT_YET.format(right=mended.name, wrong=wrong[0].name)}")


def _without_a_promise(cause: Cause) -> Cause:
    """A remedy after which the result is still wrong: why the index is what it is, what it has to be, and no more."""
    why, place = why_of(cause), {"line": cause.lines[0], "array": cause.array}
    if (guard := guard_of(cause)) is None:
        return replace(cause, remedy=f"{why} {NOT_THE_WHOLE.format(**place)}".strip())
    index, sign, limit = guard
    bounded = BOUNDED.format(index=index, sign=SIGN[sign], limit=limit, **place)
    return replace(cause, remedy=f"{why} {bounded}".strip())


def _unless_it_hangs(
    cause: Cause, trials: Trials, function: Callable | None, edit: Edit | None, wrong: Sequence[Case]
) -> Cause:
    """A barrier that not every thread would reach is no remedy: then it says so."""
    if function is None or edit is None or not trials.hangs(function, wrong[0]):
        return cause
    if "cuda.syncwarp() would do" in cause.remedy:
        return replace(cause, remedy=WITHIN_A_WARP.format(line=edit.line + trials.program.first_line - 1))
    return replace(cause, remedy=NOT_REACHED.format(line=edit.line + trials.program.first_line))
