"""Loops in which every thread goes through all elements: the machine shows a race or an index outside, and a guard or
an atomic at that line would leave each element as often to everybody as before.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from autograder.diagnosis.advice.guards import at_line, axis_outside, elements_at
from simt.events import Finding

SAME_FOR_ALL = ("cuda.gridDim", "cuda.blockDim", "cuda.gridsize", "cuda.shared", "cuda.local", "cuda.const")
LENGTHS = (".size", ".shape", "len(")


@dataclass(frozen=True)
class WholeLoop:
    """A `for` over range(n) or range(0, n), where n counts elements, in all threads alike."""

    node: ast.For
    variable: str
    stop: str


def advice_on_whole_loops(finding: Finding, function: ast.FunctionDef, line: int) -> tuple[str, str] | None:
    """(what happens, what to do) about a line in a loop over all elements that does not ask which thread it is."""
    if finding.kind not in ("out_of_bounds", "race") or finding.detail.get("space") != "global":
        return None
    of_threads = names_of_threads(function)
    loop = next(_whole_loops(function, line, of_threads), None)
    if loop is None:
        return None
    begins = loop.node.lineno + finding.lines[0] - line
    if finding.kind == "race":
        return _repeated(finding, function, line, loop, of_threads, begins)
    return _outside(finding, line, loop, of_threads, begins)


def _repeated(finding, function, line: int, loop: WholeLoop, of_threads: frozenset[str], begins: int):
    """Several threads store one element, and neither the index nor a condition has to do with a thread."""
    if any(names_in(one.test) & of_threads or _asks(one.test) for one in at_line(function, line, ast.If)):
        return None
    places = [place for place in elements_at(function, line, finding.array) if isinstance(place.ctx, ast.Store)]
    if not places or any(names_in(place.slice) & of_threads or _asks(place.slice) for place in places):
        return None
    if finding.detail.get("hazard") != "WAW" and not finding.detail.get("lost_update"):
        return None
    used = names_in(places[0].slice) & {loop.variable}
    atomic = "" if used else f", and add to {finding.array} with cuda.atomic.add"
    return "", (
        f"Every thread goes through the whole loop of line {begins}, so all of them do all the work. Let each begin "
        f"at its own place and move on by the threads of the grid, `{_shared_out(loop)}`{atomic}."
    )


def _outside(finding: Finding, line: int, loop: WholeLoop, of_threads: frozenset[str], begins: int):
    """An index that belongs to a thread, in a loop that counts the elements once more."""
    if finding.detail.get("wraps") or finding.detail.get("negative"):
        return None
    place = _along(finding, next(elements_at(loop.node, line, finding.array), None))
    if place is None or not (names_in(place) & of_threads or _asks(place)):
        return None
    if not any(
        isinstance(one, ast.Name) and one.id == loop.variable for part in loop.node.body for one in ast.walk(part)
    ):
        return "", (
            f"The loop of line {begins} does the same in every iteration: `{loop.variable}` stands nowhere in it. Each "
            f"thread has one element and needs no loop. Write `if {ast.unparse(place)} < {loop.stop}:` in its place."
        )
    if loop.variable in names_in(place) and _is_own_length(loop, ast.unparse(place)):
        return "", (
            f"The loop of line {begins} counts all elements already, and `{ast.unparse(place)}` begins to count at the "
            f"thread's own. Let the loop begin there and move on by the threads of the grid, `{_shared_out(loop)}`, "
            f"and index with {loop.variable} alone."
        )
    return None


def _shared_out(loop: WholeLoop) -> str:
    """The loop's first line as a thread writes it that takes its share."""
    return f"for {loop.variable} in range(cuda.grid(1), {loop.stop}, cuda.gridsize(1)):"


def _is_own_length(loop: WholeLoop, place: str) -> bool:
    """Whether the loop goes as far as an array that it indexes with this very place is long."""
    arrays = {
        ast.unparse(node.value)
        for node in ast.walk(loop.node)
        if isinstance(node, ast.Subscript) and ast.unparse(node.slice) == place
    }
    return any(loop.stop in (f"{array}.size", f"len({array})", f"{array}.shape[0]") for array in arrays)


def _whole_loops(function: ast.FunctionDef, line: int, of_threads: frozenset[str]) -> Iterator[WholeLoop]:
    """The loops around a line that begin at 0 in every thread, the outermost first."""
    lengths = _names_of_lengths(function)
    for node in ast.walk(function):
        if not (isinstance(node, ast.For) and node.lineno < line <= (node.end_lineno or 0)):
            continue
        call = node.iter
        if not (isinstance(call, ast.Call) and ast.unparse(call.func) == "range" and isinstance(node.target, ast.Name)):
            continue
        numbers = [ast.unparse(argument) for argument in call.args]
        stop = call.args[min(1, len(call.args) - 1)]
        counts = any(word in ast.unparse(stop) for word in LENGTHS) or ast.unparse(stop) in lengths
        if numbers[:-1] in ([], ["0"]) and counts and not (names_in(stop) & of_threads or _asks(stop)):
            yield WholeLoop(node, node.target.id, ast.unparse(stop))


def _names_of_lengths(function: ast.FunctionDef) -> set[str]:
    """Variables that hold the size or an extent of an array."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.value).endswith((".size", ".shape")):
            found |= {part.id for target in node.targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return found


def _along(finding: Finding, place: ast.Subscript | None) -> ast.expr | None:
    """The index along the axis that is outside."""
    if place is None or not isinstance(place.slice, ast.Tuple):
        return place and place.slice
    axis = axis_outside(finding.detail)
    return place.slice.elts[axis] if axis < len(place.slice.elts) else None


@lru_cache(maxsize=16)
def names_of_threads(function: ast.FunctionDef) -> frozenset[str]:
    """The variables whose value may differ from thread to thread."""
    found: set[str] = set()
    makes: dict[str, set[str]] = {}
    for target, value in _assignments(function):
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        found |= names if _asks(value) else set()
        for name in names_in(value):
            makes.setdefault(name, set()).update(names)
    waiting = list(found)
    while waiting:
        more = makes.get(waiting.pop(), set()) - found
        found |= more
        waiting += more
    return frozenset(found)


def _assignments(function: ast.FunctionDef) -> Iterator[tuple[ast.expr, ast.expr]]:
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            yield from ((target, node.value) for target in node.targets)
        elif isinstance(node, ast.AugAssign):
            yield node.target, node.value
        elif isinstance(node, ast.For):
            yield node.target, node.iter


def _asks(expression: ast.expr) -> bool:
    """Whether an expression asks the device for something that is not the same for all threads."""
    asked = (ast.unparse(one) for one in ast.walk(expression) if isinstance(one, ast.Attribute))
    return any(name.startswith("cuda.") and not name.startswith(SAME_FOR_ALL) for name in asked)


def names_in(expression: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(expression) if isinstance(part, ast.Name)}
