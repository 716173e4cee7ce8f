"""Single edits that put a part of an expression back: a factor, a limit, what rounds up, a value for another case."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

from autograder.repair.edits import Edit, Text, in_brackets

MOST_NAMES = 3  # that the course's own answer reads, and this one nowhere
MOST_PLACES = 24  # where each of them is put in
PLACES = ("cuda.grid(1)", "cuda.threadIdx.x")
NO_NUMBERS = re.compile(r"range\(|cuda\.(shared|local|const|sync|atomic|threadfence|jit)|[\w.]+\.shape$")
PARTS = (ast.Name, ast.Subscript, ast.BinOp, ast.Attribute, ast.Call)


def left_out_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of a function that makes an expression longer, whatever names it has."""
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            up = f"(-(-{in_brackets(node.left)} // {in_brackets(node.right)}))"
            yield text.replaced(node, up, "rounding")
        if isinstance(node, ast.If) and not node.orelse:
            yield text.replaced(node.test, "True", "always")
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("cuda.blockIdx."):
            yield from (text.replaced(node, f"({ast.unparse(node)} {move})", "block_off") for move in ("+ 1", "- 1"))
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            if isinstance(node.value, ast.BinOp) and "float32(0)" in ast.unparse(function):
                yield text.replaced(node.value, f"max({ast.unparse(node.value)}, float32(0))", "limit")
        if isinstance(node, ast.For | ast.While):
            yield from _kept_before(text, node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("max", "min"):
            yield from (text.replaced(one, f"abs({ast.unparse(one)})", "magnitude") for one in node.args)
    yield from _units(text, function)


def _units(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """A number of threads or elements as the number of its group, or as the place in it."""
    nodes = list(ast.walk(function))
    sides = sorted({one.id for one in nodes if isinstance(one, ast.Name) and one.id.isupper() and len(one.id) > 1})
    inner = [part for one in nodes if isinstance(one, ast.BinOp) for part in (one.left, one.right)]
    inner += [one.slice for one in nodes if isinstance(one, ast.Subscript) and not isinstance(one.slice, ast.Tuple)]
    inner += [one.value for one in nodes if isinstance(one, ast.Assign) and ast.unparse(one.value) == "cuda.grid(1)"]
    for node in inner:
        if isinstance(node, ast.Name) and not node.id.isupper() or ast.unparse(node) in PLACES:
            for side in sides[:MOST_NAMES]:
                for sign in ("//", "%"):
                    yield text.replaced(node, f"({ast.unparse(node)} {sign} {side})", "unit")


def unread(source: str, solution: str, numbers: Mapping[str, object] = MappingProxyType({})) -> tuple[str, ...]:
    """Names of numbers that the course's own answer reads and never sets, and this one does not read.

    numbers: those that other cells define, by name: one that is written out in the answer is read there.
    """
    try:
        own, meant = ast.parse(source), ast.parse(solution)
    except SyntaxError:
        return ()
    read, wanted = _read(own), _read(meant)
    called = {
        node.func.id for node in ast.walk(meant) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    arrays = {
        one.value.id for one in ast.walk(meant) if isinstance(one, ast.Subscript) and isinstance(one.value, ast.Name)
    }
    owners = {
        one.value.id for one in ast.walk(meant) if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)
    }
    set_there = {one.id for one in ast.walk(meant) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    written = {node.value for node in ast.walk(own) if isinstance(node, ast.Constant) and type(node.value) is int}
    spelled = {name for name, value in numbers.items() if value in written}
    return tuple(sorted(wanted - read - called - arrays - owners - set_there - spelled))[:MOST_NAMES]


def whole_numbers(setup: Iterable[str]) -> dict[str, int]:
    """The whole numbers that cells give names to, as in `WARP = 32` or `THREADS, WARPS = 128, 4`."""
    found: dict[str, int] = {}
    for cell in setup:
        with suppress(SyntaxError):
            for node in ast.parse(cell).body:
                if isinstance(node, ast.Assign) and len(node.targets) == 1:
                    found.update(_named(node.targets[0], node.value))
    return found


def _named(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, int]]:
    if isinstance(target, ast.Name) and isinstance(value, ast.Constant) and type(value.value) is int:
        yield target.id, value.value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _named(one, other)


def edits_with(text: Text, names: Sequence[str]) -> Iterator[Edit]:
    """Each of these names joined to each expression of an answer."""
    places = list(_places(text.tree)) if names else []
    counted = _whole_alone(text.tree) if names else set()
    for name in names:
        for node in places[:MOST_PLACES]:
            whole = in_brackets(node)
            for new in (
                f"{whole} * {name}",
                f"{whole} + {name}",
                f"{whole} - {name}",
                f"{name} - {whole}",
                f"{whole} / {name}",
            ):
                if " / " not in new or id(node) not in counted:
                    yield text.replaced(node, f"({new})", "left_out", name)


def _whole_alone(tree: ast.AST) -> set[int]:
    """The nodes within indices and the bounds of loops, where a fraction has no place."""
    nodes = list(ast.walk(tree))
    outer = [one.slice for one in nodes if isinstance(one, ast.Subscript)]
    outer += [one for one in nodes if isinstance(one, ast.Call) and ast.unparse(one.func) == "range"]
    return {id(part) for one in outer for part in ast.walk(one)}


def _read(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _places(tree: ast.AST) -> Iterator[ast.expr]:
    """The numbers of an answer that something may be joined to: no decorator, no array, no module, no loop's range."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nodes = [part for one in functions for statement in one.body for part in ast.walk(statement)]
    owners = {id(one.value) for one in nodes if isinstance(one, ast.Attribute | ast.Subscript)}
    called = {id(one.func) for one in nodes if isinstance(one, ast.Call)}
    for node in nodes:
        if isinstance(node, PARTS) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            if id(node) not in owners | called and not NO_NUMBERS.match(ast.unparse(node)):
                yield node


def _kept_before(text: Text, loop: ast.For | ast.While) -> Iterator[Edit]:
    """What a variable of a loop held is kept in another one, just before it is set anew."""
    read = {one.id for part in loop.body for one in ast.walk(part) if isinstance(one, ast.Name)}
    own = {
        one.id
        for part in loop.body
        for one in ast.walk(part)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
    if isinstance(loop, ast.For):
        own |= {one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)}
    for statement in loop.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            name = statement.targets[0].id
            for other in sorted(_set_outside(text, loop) & read - own):
                added = f"{text.indent_of(statement.lineno)}{other} = {name}"
                lines = [*text.lines]
                lines.insert(statement.lineno - 1, f"{added}\n".encode())
                shown = f"{added}\n{text.lines[statement.lineno - 1].decode().rstrip()}"
                yield text.with_lines(lines, statement.lineno, "forgotten", other, shown)


def _set_outside(text: Text, loop: ast.For | ast.While) -> set[str]:
    """The variables that are set before a loop."""
    names = (one for one in ast.walk(text.tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))
    return {one.id for one in names if one.lineno < loop.lineno}
