"""Compare-and-swap read from the source: a swap that is tried once, a look outside the lock, a look and a store apart.

A swap may lose against another thread, and then nothing is stored. Whoever does not look at what it found and try again
loses a value, which no race tells: every access is atomic.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from autograder.answer.program import Program
from autograder.outcome import Cause
from simt.events import Finding
from simt.source.swaps import swap_calls

LOSES_A_VALUE = ("order_dependent", "wrong_formula", "output_not_written")
ONE_LOOK = "Compare and store in one atomic: cuda.atomic.max or cuda.atomic.min where they say what you mean, else a "
AGAIN = "compare-and-swap that is tried again until nobody came between."


@dataclass(frozen=True)
class Once:
    """A compare-and-swap outside any loop. is_lock: whether it expects a constant and stores another."""

    line: int
    cell: str
    expected: str
    is_lock: bool


def tried_once(tree: ast.AST) -> Once | None:
    """The first swap of a source that no `while` or `for` around it repeats, and that stores something."""
    return next(_swaps(tree), None)


def _swaps(tree: ast.AST) -> Iterator[Once]:
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For))
    repeated = {id(part) for loop in loops for part in ast.walk(loop)} | _looked_at_again(tree)
    for swap in swap_calls(tree):
        changes_nothing = ast.unparse(swap.expected) == ast.unparse(swap.new)
        if id(swap.call) not in repeated and not changes_nothing:
            is_lock = swap.asks_for_a_constant and isinstance(swap.new, ast.Constant)
            yield Once(swap.call.lineno, ast.unparse(swap.cell), ast.unparse(swap.expected), is_lock)


def _looked_at_again(tree: ast.AST) -> set[int]:
    """The swaps whose result a `while` after them asks for, and tries again in its body."""
    asked = {
        part.id
        for loop in ast.walk(tree)
        if isinstance(loop, ast.While) and any(True for one in loop.body for _ in swap_calls(one))
        for part in ast.walk(loop.test)
        if isinstance(part, ast.Name)
    }
    kept = (node for node in ast.walk(tree) if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call))
    return {id(one.value) for one in kept if {ast.unparse(target) for target in one.targets} & asked}


def in_view_of_swaps(cause: Cause, program: Program) -> Cause:
    """A wrong output whose values are lost where a swap fails, with that line; others as they are."""
    if cause.kind != "wrong_output" or cause.is_slip or cause.misconception not in LOSES_A_VALUE:
        return cause
    try:
        once = tried_once(ast.parse(program.source))
    except SyntaxError:
        return cause
    if once is None:
        return cause
    once = replace(once, line=once.line + program.first_line - 1)
    says, remedy = words_of(once)
    return replace(cause, misconception="order_dependent", says=says, remedy=remedy, lines=(once.line,))


def words_of(once: Once) -> tuple[str, str]:
    """What happens at a swap that is tried once, and what to do."""
    if once.is_lock:
        return (
            f"Line {once.line} asks for {once.cell} once, and whoever does not get it goes on without its work.",
            "Ask until it is granted: `while not done:`, and inside it the swap, the work and done = True.",
        )
    return (
        f"The swap of line {once.line} may lose: where {once.cell} does not hold `{once.expected}` any more, nothing "
        "is stored, and this thread's value is gone.",
        "Try again in a loop: look at what the swap found, and swap anew as long as the value is still wanted.",
    )


def retried_cell(program: Program, line: int) -> tuple[str, int]:
    """The cell of the compare-and-swap that is tried again and again in the loop on a line, and the line of the loop
    that tries; ("", 0) where there is none.

    A swap that expects a constant takes a lock, and who waits for a lock waits for an owner.
    """
    tree = program.definition
    around = [node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While)] if tree is not None else []
    tries = (node for loop in around if loop.lineno == line for node in ast.walk(loop) if isinstance(node, ast.While))
    swaps = ((swap, loop.lineno) for loop in tries for swap in swap_calls(loop))
    return next(((ast.unparse(swap.cell), at) for swap, at in swaps if not swap.asks_for_a_constant), ("", 0))


def advice_on_swaps(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """(what happens, what to do) about a race between blocks or threads where a swap or a lock is meant."""
    if finding.kind != "race" or finding.detail.get("space") != "global":
        return None
    offset = finding.lines[0] - line
    lines = [one - offset for one in finding.lines]
    kinds = {kind for _, _, kind in finding.detail.get("accesses", ())}
    once = tried_once(function)
    if once is not None and kinds == {"atomic", "load"} and once.line in lines:
        return words_of(replace(once, line=once.line + offset))
    if len(lines) < 2 or not finding.detail.get("lost_update"):
        return None
    look, store = lines[:2]
    if (lock := _section_around(function, store)) is not None:
        if _is_inside(lock, look):
            return None  # both are, so what is missing is a fence
        return "", (
            f"Line {look + offset} looks at {finding.array} before the lock is taken, and another thread may change it "
            f"until then. Look again inside, after line {lock.lineno + offset}."
        )
    if "threadfence" in finding.remedy or "A lock is taken" in finding.remedy or any(swap_calls(function)):
        return None  # there is a lock, taken in a way that is not read here
    if _waits_at(function, look):
        return "", (
            "Between the look and the store another thread may take it, too. Look and take in one atomic: `while not "
            f"done:`, inside it `if cuda.atomic.cas({finding.array}, 0, 0, 1) == 0:`, and the work inside that."
        )
    if any(isinstance(node, ast.If) and node.lineno == look < store for node in ast.walk(function)):
        return "", ONE_LOOK + AGAIN
    return None


def _section_around(function: ast.FunctionDef, line: int) -> ast.If | None:
    """The `if` that takes a lock with a swap, and in whose body a line stands."""
    for node in ast.walk(function):
        if isinstance(node, ast.If) and any(swap_calls(node.test)) and _is_inside(node, line):
            return node
    return None


def _is_inside(section: ast.If, line: int) -> bool:
    return section.body[0].lineno <= line <= (section.body[-1].end_lineno or 0)


def _waits_at(function: ast.FunctionDef, line: int) -> bool:
    """Whether a line is a `while` whose body does nothing."""
    loops = (node for node in ast.walk(function) if isinstance(node, ast.While) and node.lineno == line)
    return any(all(isinstance(one, ast.Pass) for one in loop.body) for loop in loops)
