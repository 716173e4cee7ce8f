"""A function of a few numbers that gives just what the course's own formula gives without a part of it.

Where an answer is written otherwise no edit of it leads to the solution. But the solution without one of its parts may
give the same numbers as the answer, in every case: then that part is what the answer leaves out.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from autograder.answer.reference import solution_program
from autograder.contract import Case
from autograder.outcome import Cause
from autograder.repair.edits import Text, in_brackets
from autograder.repair.trials import Trials
from autograder.words import count_text, listed

MOST, MOST_CASES = 150, 8  # shorter solutions; cases on which they have to give what the answer gives
FEWEST = 4  # cases, right ones among them: one number is given by many formulas
MOST_NAMES = 2  # that are left out at once
WITHOUT = "What comes out is, in {cases}, what the task's formula gives without {part}."
ASK = "Where does the text bring in {part}, and on which line of yours should it be?"


def in_view_of_parts(trials: Trials, cause: Cause, wrong: Sequence[Case], right: Sequence[Case]) -> Cause:
    """A wrong output of numbers, with the part of the formula that is not in it; as it is where none tells."""
    answer, solution = trials.loaded(trials.program.source), solution_program(trials.exercise)
    cases = wrong[:MOST_CASES]
    if answer is None or solution is None or len(cases) + len(right) < FEWEST:
        return cause
    given = [trials.outputs(answer, case) for case in cases]
    best: tuple[int, list[str]] = 0, []
    with solution.set_up() as setup:
        beside = replace(trials, program=solution, setup=setup)
        for source, parts in sorted(_shorter(solution.source), key=lambda one: len(one[1]))[:MOST]:
            if beside.steps_left <= 0 or best[0] == len(cases):
                break
            shorter = beside.loaded(source)
            same = 0 if shorter is None else _gives(beside, shorter, cases, given)
            if shorter is not None and same > best[0] and 2 * same > len(cases) and _is_right(beside, shorter, right):
                best = same, parts
    if not best[0]:
        return cause
    every = "every case" if best[0] == len(cases) else f"{best[0]} of {count_text(len(cases), 'wrong case')}"
    words = {"part": listed([f"`{one}`" for one in best[1]]), "cases": every}
    return replace(cause, misconception="part_left_out", says=WITHOUT.format(**words), remedy=ASK.format(**words))


def _is_right(trials: Trials, function: Callable, cases: Sequence[Case]) -> bool:
    """Whether a function is right wherever it comes to an end: an answer may see to a division by 0 elsewhere."""
    ended = [case for case in cases if trials.outputs(function, case) is not None]
    return trials.passes(function, ended)


def _gives(trials: Trials, function: Callable, cases: Sequence[Case], given: Sequence[dict | None]) -> int:
    """In how many cases a function gives the same as the answer did."""
    pairs = zip(cases, given, strict=True)
    return sum(outputs is not None and trials.gives(function, case, outputs) for case, outputs in pairs)


def _shorter(solution: str) -> Iterator[tuple[str, list[str]]]:
    """(source, what is not read any more) of a solution with a part of an expression in the place of the whole."""
    try:
        text = Text(solution)
    except SyntaxError:
        return
    whole = _read(text.tree)
    for node in ast.walk(text.tree):
        if not isinstance(node, ast.BinOp | ast.UnaryOp | ast.IfExp | ast.Call) or node.lineno != node.end_lineno:
            continue
        for part in ast.walk(node):
            if part is node or not isinstance(part, ast.expr) or isinstance(part, ast.Constant | ast.Attribute):
                continue
            source = text.replaced(node, f"({in_brackets(part)})", "too_much").source
            try:
                lost = sorted(whole - _read(ast.parse(source)))
            except SyntaxError:  # what stands behind a star, or between brackets, is no expression alone
                continue
            if 0 < len(lost) <= MOST_NAMES:
                yield source, lost


def _read(tree: ast.AST) -> set[str]:
    """The numbers with names that a source reads: arguments, and what other cells define."""
    called = {id(one.func) for one in ast.walk(tree) if isinstance(one, ast.Call)}
    own = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names = (one for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load))
    return {one.id for one in names if id(one) not in called} - own
