"""Does a condition keep an index in range? Read from the source of the line that went out of bounds.

A guard is an enclosing `if`, loop or earlier `return` whose condition mentions a name that the index is made of, as
`i` in ``if i < n: out[i + 1] = ...``; conditions on other names guard something else.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograder.answer.program import Piece
from autograder.answer.syntax import functions_of, nodes_of
from simt.events import Finding

FAR = 4  # times the length of an axis: an index beyond is no bound that somebody missed


def axis_outside(detail: dict) -> int:
    """The first axis along which the index of a finding is outside its array."""
    index, shape = detail.get("index", ()), detail.get("shape", ())
    outside = (axis for axis, (i, extent) in enumerate(zip(index, shape, strict=True)) if not 0 <= i < extent)
    return next(outside, 0)


def is_far(detail: dict) -> bool:
    """Whether the index of a finding is far from its array, so that it is computed another way."""
    index, shape, axis = detail.get("index", ()), detail.get("shape", ()), axis_outside(detail)
    return bool(index) and index[axis] >= FAR * shape[axis] > 0


def index_is_guarded(quotable: Piece, line: int, array: str, axis: int = 0) -> bool:
    """True when something before or around the line restricts what indexes `array` there, along one axis.

    Args: quotable: the source, and the number of its first line; line: counted likewise; array: the name in the kernel.
    """
    around = _Around.of(quotable, line, array, axis)
    return around is not None and any(map(around.about_the_index, _conditions(around.function, around.line)))


def condition_before(quotable: Piece, line: int, array: str, axis: int = 0) -> tuple[int, str] | None:
    """The nearest `if` or `while` that restricts what indexes `array` at a line: (its line, its condition); or None.

    Arguments as for `index_is_guarded`.
    """

    def holds(node: ast.AST, line: int) -> bool:
        return isinstance(node, ast.If | ast.While) and node.lineno <= line <= (node.body[-1].end_lineno or 0)

    found = _nearest(quotable, line, array, axis, holds)
    return found and (found.test.lineno + quotable.first_line - 1, ast.unparse(found.test))


def return_before(quotable: Piece, line: int, array: str, axis: int = 0) -> tuple[int, str] | None:
    """The nearest earlier `if` that returns, and whose condition names what indexes `array`; as `condition_before`."""

    def holds(node: ast.AST, line: int) -> bool:
        return isinstance(node, ast.If) and (node.end_lineno or line) < line and isinstance(node.body[-1], ast.Return)

    found = _nearest(quotable, line, array, axis, holds)
    return found and (found.lineno + quotable.first_line - 1, ast.unparse(found.test))


def _nearest(quotable: Piece, line: int, array: str, axis: int, holds: Callable[[ast.AST, int], bool]) -> Any:
    """The last `if` or `while` in the function for which `holds` does and whose condition is about the index."""
    around = _Around.of(quotable, line, array, axis)
    if around is None:
        return None
    nodes: list[Any] = [node for node in ast.walk(around.function) if holds(node, around.line)]
    return next((node for node in reversed(nodes) if around.about_the_index(_names(node.test))), None)


@dataclass(frozen=True)
class _Around:
    """The function around a line, the line counted in its source, and what the index there is made of."""

    function: ast.FunctionDef
    line: int
    follows: set[str]  # names that hold, or are made of, a name of the index

    @classmethod
    def of(cls, quotable: Piece, line: int, array: str, axis: int) -> _Around | None:
        line = line - quotable.first_line + 1
        function = function_around(quotable, line)
        if function is None:
            return None
        made_of = _sources(function)
        wanted = _closure(_index_names(function, line, array, axis), made_of)
        makes: dict[str, set[str]] = {}
        for name, parts in made_of.items():
            for part in parts:
                makes.setdefault(part, set()).add(name)
        return cls(function, line, _closure(wanted, makes))

    def about_the_index(self, names: set[str]) -> bool:
        return bool(self.follows & names)


def let_through(finding: Finding, quotable: Piece) -> str:
    """A sentence on the condition that should have kept an index inside a global array, and does not; "" for others."""
    detail = finding.detail
    if finding.kind != "out_of_bounds" or detail.get("space") != "global" or not finding.lines or detail.get("wraps"):
        return ""
    where = (quotable, finding.lines[0], finding.array, axis_outside(detail))
    if (found := condition_before(*where)) is not None:
        more = _other_axis(finding, quotable, found[1]) or _other_array(finding, found[1])
        return f"The condition at line {found[0]}, `{found[1]}`, lets it through.{more}"
    if (found := return_before(*where)) is not None:
        return f"Line {found[0]} sends the threads away where `{found[1]}`, and this one is not among them."
    found = _nearest(*where, lambda node, line: isinstance(node, ast.If) and node.lineno > line and _leaves(node))
    return f"Line {found.lineno + quotable.first_line - 1} asks too late: put it before this one." if found else ""


def _leaves(node: ast.If) -> bool:
    return isinstance(node.body[-1], ast.Return)


def _other_axis(finding: Finding, quotable: Piece, condition: str) -> str:
    """A sentence where a name in the condition stands for the length of another axis, as after `n, m = a.shape`."""
    axis, function = axis_outside(finding.detail), function_around(quotable, finding.lines[0] - quotable.first_line + 1)
    asked = _names(ast.parse(condition, mode="eval").body)
    lengths: dict[str, tuple[str, int]] = {}
    for node in ast.walk(function) if function else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            whole, parts = ast.unparse(node.value), node.targets[0].elts
            if whole.endswith(".shape") and len(parts) == len(finding.detail["shape"]):
                lengths |= {ast.unparse(part): (whole, at) for at, part in enumerate(parts)}
    own = next((name for name, (_, at) in lengths.items() if at == axis), "")
    for part in ast.walk(ast.parse(condition, mode="eval")):
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.comparators[0], ast.Name):
            index, name = ast.unparse(part.left), part.comparators[0].id
            whole, at = lengths.get(name, ("", axis))
            if at != axis and own in asked and index in finding.remedy.partition(" is less than")[0]:
                return f" `{name}` is {whole}[{at}]: a shape gives rows first."
    return ""


def _other_array(finding: Finding, condition: str) -> str:
    """A sentence where a condition keeps an index below the length of another array alone; "" where it names this one,
    or is not made of `<` alone, so that it may be one off."""
    asked = {
        ast.unparse(node.value)
        for node in ast.walk(ast.parse(condition, mode="eval"))
        if isinstance(node, ast.Attribute) and node.attr in ("size", "shape") and isinstance(node.value, ast.Name)
    }
    one_off = any(sign in condition for sign in ("<=", ">", "+", "-"))
    if one_off or len(asked) != 1 or finding.array in asked:
        return ""
    return f" It asks about {asked.pop()}: where another index is meant for {finding.array}, write that one."


def written_out(expression: ast.expr, function: ast.FunctionDef) -> ast.expr:
    """An expression, or what was assigned to it where it is the name of a variable."""
    if isinstance(expression, ast.Name):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and any(ast.unparse(target) == expression.id for target in node.targets):
                return node.value
    return expression


def at_line(tree: ast.AST, line: int, *kinds: Any) -> Iterator[Any]:
    """The syntax of these kinds that touches a line."""
    nodes: Iterable[Any] = nodes_of(tree)
    return (node for node in nodes if isinstance(node, kinds) and node.lineno <= line <= node.end_lineno)


def elements_at(tree: ast.AST, line: int, array: str) -> Iterator[ast.Subscript]:
    """The elements of an array on a line."""
    return (node for node in at_line(tree, line, ast.Subscript) if ast.unparse(node.value) == array)


def function_around(quotable: Piece, line: int) -> ast.FunctionDef | None:
    """The innermost function that a line belongs to."""
    around = [node for node in functions_of(quotable.source) if node.lineno <= line <= (node.end_lineno or 0)]
    return max(around, key=lambda node: node.lineno, default=None)


def all_that_makes(names: set[str], function: ast.FunctionDef) -> set[str]:
    """Variables, and all variables and dotted names that they are made of, in any line of the function."""
    return _closure(names, _sources(function))


def _index_names(function: ast.FunctionDef, line: int, array: str, axis: int) -> set[str]:
    """The names in the index of `array` on a line, along one axis; all names of the index where it is one value."""
    names: set[str] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Subscript) or not node.lineno <= line <= node.end_lineno:
            continue
        if isinstance(node.value, ast.Name) and node.value.id == array:
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            names |= _names(parts[min(axis, len(parts) - 1)])
    return names


def _conditions(function: ast.FunctionDef, line: int) -> Iterator[set[str]]:
    """The names of every condition that holds at a line, because it encloses it or returned before it."""
    for node in ast.walk(function):
        encloses = getattr(node, "lineno", line + 1) <= line <= getattr(node, "end_lineno", 0)
        if isinstance(node, ast.If | ast.While | ast.IfExp) and encloses:
            yield _names(node.test)
        elif isinstance(node, ast.For) and encloses:
            yield _names(node.target)
        elif isinstance(node, ast.If) and node.end_lineno < line and any(isinstance(s, ast.Return) for s in node.body):
            yield _names(node.test)


@lru_cache(maxsize=16)
def _sources(function: ast.FunctionDef) -> dict[str, set[str]]:
    """For each variable, the names in everything that is assigned to it."""
    made_of: dict[str, set[str]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name, names in _assigned(target, node.value):
                    made_of.setdefault(name, set()).update(names)
        elif isinstance(node, ast.AugAssign):
            made_of.setdefault(ast.unparse(node.target), set()).update(_names(node.value))
    return made_of


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, set[str]]]:
    """Each variable of an assignment with the names it is made of; the parts of ``cuda.grid(2)`` are two names."""
    if not isinstance(target, ast.Tuple):
        yield ast.unparse(target), _names(value)
        return
    for position, part in enumerate(target.elts):
        one = value.elts[position] if isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts) else None
        yield ast.unparse(part), _names(one) if one is not None else {f"{ast.unparse(value)}[{position}]"}


def _closure(names: set[str], made_of: dict[str, set[str]]) -> set[str]:
    """Names and everything they are made of."""
    known, waiting = set(), set(names)
    while waiting:
        name = waiting.pop()
        known.add(name)
        waiting |= made_of.get(name, set()) - known
    return known - _EVERYWHERE


_EVERYWHERE = {"cuda.blockDim.x", "cuda.blockDim.y", "cuda.blockDim.z", "cuda.gridDim.x", "cuda.gridDim.y"}


def _names(expression: ast.AST) -> set[str]:
    """Variables and dotted names of an expression: ``cuda.threadIdx.x`` is one, and so is ``cuda.grid(1)``'s call."""
    if isinstance(expression, ast.Call):
        parts = {ast.unparse(expression)} if _is_cuda(expression.func) else set()
        return parts.union(*(_names(argument) for argument in expression.args))
    if isinstance(expression, ast.Attribute):
        return {ast.unparse(expression)} if _is_cuda(expression) else set()
    if isinstance(expression, ast.Name):
        return {expression.id}
    return set().union(*(_names(child) for child in ast.iter_child_nodes(expression)))


def _is_cuda(expression: ast.AST) -> bool:
    return ast.unparse(expression).startswith("cuda.")
