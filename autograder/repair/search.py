"""The search: which single edits of an answer make every case right that was wrong, and leave the right ones right."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from autograder.answer.given_lines import given_lines
from autograder.answer.program import Program
from autograder.answer.reference import solution_source
from autograder.answer.syntax import functions_of
from autograder.contract import Case, Exercise
from autograder.repair.edits import Edit, Text
from autograder.repair.left_out import edits_with, left_out_edits, unread, whole_numbers
from autograder.repair.single.exchanges import exchange_edits
from autograder.repair.single.expressions import expression_edits, index_edits
from autograder.repair.single.odd_numbers import odd_number_edits
from autograder.repair.single.omissions import omission_edits
from autograder.repair.single.statements import statement_edits
from autograder.repair.single.together import together_edits
from autograder.repair.single.twins import twin_edits
from autograder.repair.stretches import stretch_edits
from autograder.repair.towards import bare, edits_towards, in_names_of
from autograder.repair.trials import Trials

MOST_TRIED = 500  # edited answers
MOST_FINISHED, ENOUGH_STEPS = 2, 12_000  # edits that get as many steps for all other cases
FEWEST_HELD = 3  # cases: what was wrong, what was right, and one more
AT_A_TIME = 10  # edits of a kind, before those of the next likely kinds have their turn
MOST_LINES = 2  # that are as likely as one another
MORE_AFTER = 80  # of them after the first that repairs everything: is it the only line?
LIKELY = (  # kinds of edits, those that people need most first
    ("overwritten", "one_of", "rounding", "before_loop", "masked", "negated", "cut_early", "clamped"),
    ("width", "warps", "border", "indices", "position", "axis", "axes", "break", "update", "return", "wait"),
    ("left_out",),
    (
        "index",
        "index_everywhere",
        "indices_everywhere",
        "turned",
        "call",
        "conversion",
        "beginning_value",
        "end",
        "end_everywhere",
        "beginning",
        "step",
    ),
    ("missing_call", "name_everywhere"),
    ("one_off", "forgotten", "twin"),
    (
        "extreme",
        "again",
        "later",
        "exception",
        "condition",
        "branches",
        "sign",
        "moved_out",
        "order",
        "arguments",
        "extra",
        "too_much",
    ),
    ("names",),
    (
        "operator",
        "operator_everywhere",
        "operands",
        "brackets",
        "barrier",
        "number",
        "always",
        "limit",
        "magnitude",
        "block_off",
    ),
    ("guard", "name", "unit"),
    ("part", "unmade", "line", "missing"),
    ("lines", "several", "missing_lines"),
    ("both",),
)
TOWARDS = LIKELY[-3]  # the solution: any other kind says more of what is wrong


def edits_of(program: Program) -> list[Edit]:
    """The single edits of all functions of an answer without repeats, likely ones first."""
    try:
        text = Text(program.source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    functions, helpers = [node for node in text.tree.body if isinstance(node, ast.FunctionDef)], helpers_of(program)
    found: dict[str, Edit] = {}
    for one in functions:
        kinds = statement_edits(text, one), expression_edits(text, one), omission_edits(text, one, helpers)
        longer = together_edits(text, one), exchange_edits(text, one), left_out_edits(text, one), twin_edits(text, one)
        for edit in (*index_edits(text, one), *odd_number_edits(text, one), *chain(*kinds, *longer)):
            found.setdefault(edit.source, edit)
    found.pop(program.source, None)
    order = {kind: rank for rank, kinds in enumerate(LIKELY) for kind in kinds}
    return sorted(found.values(), key=lambda edit: order[edit.kind])


def edits_for(exercise: Exercise, program: Program) -> list[Edit]:
    """The single edits of what the learner wrote, and of nothing that the course gave.

    Work ends before all are tried, so those come first that lead to a line which the course's own solution has.
    """
    given, solution = given_lines(exercise, program), solution_source(exercise) or ""
    found = edits_of(program)
    solution = in_names_of(program.source, solution)
    towards = [*edits_towards(Text(program.source), solution)] if found and solution else []
    new = {bare(line) for line in solution.splitlines()} - {bare(line) for line in program.source.splitlines()}
    likely = [one for one in found if bare(one.becomes) in new]
    if found and solution:
        numbers = whole_numbers(piece.source for piece in program.setup)
        found += edits_with(Text(program.source), unread(program.source, solution, numbers))
    unique = {one.source: replace(one, meant=True) for one in (*towards, *reversed(likely))}
    for edit in found:
        unique.setdefault(edit.source, edit)
    own = [one for one in unique.values() if one.line not in given or one.kind == "missing"]
    turn = _turns(own)
    return sorted(own, key=lambda one: (not one.meant, turn[one.source]))


def longer_edits_for(exercise: Exercise, program: Program) -> list[Edit]:
    """The edits of several lines at once, for where no single one repairs anything."""
    solution = in_names_of(program.source, solution_source(exercise) or "")
    try:
        text = Text(program.source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    unique = {one.source: one for one in stretch_edits(text, solution, given_lines(exercise, program))}
    unique.pop(solution, None)
    return list(unique.values()) if solution else []


def _turns(edits: Sequence[Edit]) -> dict[str, float]:
    """When each edit is tried: likely kinds first, but what is left of a kind with very many waits for others."""
    seen: Counter[str] = Counter()
    turns = {}
    for edit in edits:
        turns[edit.source] = _rank(edit) + seen[edit.kind] / AT_A_TIME
        seen[edit.kind] += 1
    return turns


def helpers_of(program: Program) -> list[str]:
    """The device functions of one argument that other cells define."""
    functions = [node for piece in program.setup for node in functions_of(piece.source)]
    devices = [one for one in functions if any("device=True" in ast.unparse(mark) for mark in one.decorator_list)]
    return sorted({one.name for one in devices if len(one.args.args) == 1})


def repairs(
    trials: Trials, wrong: Sequence[Case], right: Sequence[Case], edits: Iterable[Edit], traced: bool = False
) -> list[Edit]:
    """The edits after which all of these cases pass. wrong, right: as the answer has them now, small ones first.

    traced: where the smallest wrong case gives the right result already, and only a finding stands against it.
    """
    found: list[Edit] = []
    for edit in _bounded(trials, edits, found):
        if not edit.meant and any(one.meant for one in found) and not _says_more(edit, found):
            continue
        function = trials.loaded(edit.source)
        if function is not None and trials.passes(function, wrong[:1], traced):
            trials.tried += 1
            if trials.tried <= MOST_FINISHED:  # what has come so far is not given up for want of work
                trials.steps_left = max(trials.steps_left, ENOUGH_STEPS)
            if holds(trials, function, wrong, right):
                found.append(edit)
    return found


def _says_more(edit: Edit, found: Sequence[Edit]) -> bool:
    """Whether an edit is about a part of what is only known to be another thing in the solution."""
    vague = all(one.kind in TOWARDS for one in found)
    return vague and edit.kind not in TOWARDS and any(_is_within(edit, one) for one in found)


def _is_within(edit: Edit, other: Edit) -> bool:
    return edit.line == other.line and edit.about in other.about


def holds(trials: Trials, function: Callable, wrong: Sequence[Case], right: Sequence[Case]) -> bool:
    """Whether an edited answer is right on all cases, or on as many as there is work for: FEWEST_HELD at least."""
    in_turn = [case for pair in zip_longest(wrong, right) for case in pair if case is not None]
    for n_held, case in enumerate(in_turn):
        if not trials.passes(function, [case], traced=True):
            return trials.steps_left <= 0 and n_held >= FEWEST_HELD
    return True


def _bounded(trials: Trials, edits: Iterable[Edit], found: list[Edit]) -> Iterator[Edit]:
    """As many edits as there is work for."""
    left = MOST_TRIED
    for edit in edits:
        if left <= 0 or trials.steps_left <= 0:
            return
        before = len(found)
        yield edit
        left = min(left - 1, MORE_AFTER) if found else left - 1
        left = min(left, MORE_AFTER) if len(found) > before else left


def likeliest(found: Sequence[Edit]) -> tuple[Edit | None, list[int]]:
    """The likeliest of the edits that repair an answer, and the other line that one as likely would do in.

    None where such edits are spread over more than two lines: then no line is the one.
    """
    meant = [edit for edit in found if edit.meant]
    found = [edit for edit in found if edit.meant or any(_is_within(edit, one) for one in meant)] if meant else found
    rank = min(map(_rank, found), default=0)
    likely = [edit for edit in found if _rank(edit) == rank]
    lines = dict.fromkeys(edit.line for edit in likely)
    return (likely[0], list(lines)[1:]) if 1 <= len(lines) <= MOST_LINES else (None, [])


def _rank(edit: Edit) -> int:
    return next(rank for rank, kinds in enumerate(LIKELY) if edit.kind in kinds)
