"""Has a value of the module changed since the kernel that reads it was compiled? numba keeps what it was then."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from simt.compiling.compiled import forget, kept_of
from simt.compiling.compiler import Compiler
from simt.errors import UnsupportedError
from simt.events import Finding
from simt.memory.arrays import Array
from simt.source.walking import walk
from simt.values import UNDEFINED, wrap
from simt.values.unasked import is_a, memory_on_device

REMEDY = "Pass it to the kernel as an argument, which every launch reads anew."


class FrozenValues:
    """The types that each kernel was launched with, and what changed since: numba compiles once for each."""

    def __init__(self) -> None:
        self._types: dict[int, tuple[Callable, set[tuple]]] = {}

    def notes_on(self, function: Callable, args: tuple, called_at: int) -> list[Finding]:
        """What a launch still reads as it was. Where its types are new, the kernel is compiled anew, as by numba."""
        _, seen = self._types.setdefault(id(function), (function, set()))
        types, known = tuple(map(_type_of, args)), bool(seen)
        changed = list(_changed(function, called_at)) if known else []
        if changed and types not in seen:
            forget(function)
            changed = []
        seen.add(types)
        return changed


def _type_of(argument: Any) -> tuple:
    memory = memory_on_device(argument)
    array = argument if memory is None and is_a(argument, np.ndarray) else memory
    if array is None:
        return (type(argument),)
    return array.dtype, array.ndim, array.flags.c_contiguous, array.flags.f_contiguous


def _changed(function: Callable, called_at: int) -> Iterator[Finding]:
    for compiler in _compilers(function, set()):
        for text, (node, frozen) in compiler.frozen.items():
            present = compiler.static(node)
            if present is not UNDEFINED and (difference := _difference(text, frozen, present)):
                set_at = _set_at(compiler.function, text, called_at)
                where = f" at line {set_at}" if set_at else ""
                says = (
                    f"`{text}` was changed{where} after `{function.__name__}` was compiled, at its first launch: line "
                    f"{node.lineno} still reads what it was then. {difference}."
                )
                lines = (node.lineno, *([set_at] if set_at else []))
                yield Finding("frozen_value", says, lines, array=text, remedy=REMEDY, note=True)


def _compilers(function: Callable, seen: set) -> Iterator[Compiler]:
    """Those of a kernel and of the program's functions that it calls, as far as they were compiled."""
    seen.add(function)
    for compiler in list(kept_of(function).compilers.values()):
        yield compiler
        try:
            functions = compiler.functions
        except UnsupportedError:
            continue
        for called in functions.values():
            if called not in seen:
                yield from _compilers(called, seen)


def _difference(name: str, frozen: Any, present: Any) -> str:
    """What a value was and is now, in words; "" where it is the same or cannot be compared."""
    if isinstance(frozen, Array) and is_a(present, np.ndarray):
        before = frozen.flat.reshape(frozen.shape)
        if before.shape != present.shape or before.dtype != present.dtype:
            return f"Its shape or type was another, {before.dtype}{list(before.shape)}"
        other = np.argwhere((before != present) & ~((before != before) & (present != present)))
        if not len(other):
            return ""
        place = tuple(map(int, other[0]))
        return f"{name}[{', '.join(map(str, place))}] was {before[place]} and is {present[place]} now"
    if isinstance(frozen, np.generic):
        now = wrap(present)
        same = isinstance(now, np.generic) and now.dtype == frozen.dtype and now.tobytes() == frozen.tobytes()
        return "" if same else f"It was {frozen} and is {now} now" if isinstance(now, np.generic) else ""
    return ""


def _set_at(function: Callable, name: str, before: int) -> int:
    """The last line above `before` of the function's file that sets a name or a part of it, outside the function."""
    code = function.__code__
    try:
        tree = ast.parse("".join(linecache.getlines(code.co_filename)))
    except (SyntaxError, ValueError):
        return 0
    found: list[int] = [getattr(node, "lineno", 0) for node in walk(tree) if _sets(node, name)]
    return max((line for line in found if code.co_firstlineno < line < before), default=0)


def _sets(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return any(_root(target) == name for target in targets)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _root(node.func.value) == name


def _root(target: ast.expr) -> str:
    while isinstance(target, ast.Subscript):
        target = target.value
    return ast.unparse(target)
