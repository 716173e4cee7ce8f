"""Whole numbers that are added up in a float32 and come back as integers: right until a sum passes 2^24.

Only where every argument is made of integers: a float32 on the way from the ones to the others keeps nothing that an
integer would not. Read from the types of the compiler, over the kernel and the device functions that it calls.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.lint.compiler import Typed
from autograder.lint.report import WARNING, LintFinding
from autograder.lint.signature import describe
from autograder.words import listed

KIND = "float_index"  # told as a place that is kept in a float32 is, by the same misconception
SAYS = (
    "{lines} whole numbers as float32, which holds every one of them only up to 16,777,216: beyond that they are "
    "rounded."
)
REMEDY = "Keep whole numbers in integers from start to end, as int32(0) does."
_SUMS = (operator.add, operator.iadd, operator.sub, operator.isub)
_KEEPING = ("float32", "float16", "min", "max", "floor", "ceil", "rint", "round", "abs", "fma")
_WIDE = ("int32", "uint32", "int64", "uint64")
_Name = tuple[int, str]  # of a function, and of a variable in it


def float_sums(signature: Sequence[Any], typed: Sequence[Typed]) -> Iterator[LintFinding]:
    """At most one finding: the lines that add up, or convert, what an integer result is made of later."""
    if any(text.startswith(("float", "complex")) for text in map(describe, signature)):
        return
    flow = _Flow(typed)
    lines = sorted(flow.lossy())
    if lines:
        verb = "keeps" if len(lines) == 1 else "keep"
        named = f"{'Line' if len(lines) == 1 else 'Lines'} {listed([str(line) for line in lines])} {verb}"
        yield LintFinding(KIND, "float_index", SAYS.format(lines=named), REMEDY, tuple(lines), WARNING)


class _Flow:
    """Which float32 is made of which, by operations that leave whole numbers whole, and where they become integers.

    made_of: a float32 and what it is made of, with the line; starts: 32-bit numbers of arrays that become one, with
    the line; ends: floats of which an integer is made.
    """

    def __init__(self, typed: Sequence[Typed]) -> None:
        self.typed = typed
        self.made_of: dict[_Name, set[tuple[_Name, int]]] = defaultdict(set)
        self.added: dict[_Name, set[int]] = defaultdict(set)  # arrays of floats, and the lines that add to them
        self.ends: set[_Name] = set()
        self.starts: dict[_Name, int] = {}
        self.sums: set[_Name] = set()  # what a sum or a difference gives
        self.returned = {at: self._returned(one) for at, one in enumerate(typed)}
        for at, one in enumerate(typed):
            for block in one.blocks.values():
                for statement in block.body:
                    self._read(at, one, statement)

    def lossy(self) -> set[int]:
        """The lines of sums that grow, and of 32-bit numbers converted, of which an integer is made."""
        reach = self._before(self.ends)
        lines = {line for name, line in self.starts.items() if name in reach}
        for name in reach:
            lines |= self.added.get(name, set())
            if name in self.sums and name in self._before(made for made, _ in self.made_of[name]):
                lines |= {line for _, line in self.made_of[name]}
        return lines

    def _before(self, names: Any) -> set[_Name]:
        """These, and all that they are made of."""
        found, more = set(), [*names]
        while more:
            name = more.pop()
            if name not in found:
                found.add(name)
                more += (made for made, _ in self.made_of.get(name, ()))
        return found

    def _read(self, at: int, one: Typed, statement: Any) -> None:
        kind, line = type(statement).__name__, statement.loc.line
        if kind in ("SetItem", "StaticSetItem"):
            self._stored((at, statement.target.name), (at, statement.value.name), line)
        if kind != "Assign":
            return
        target, value = (at, statement.target.name), statement.value
        if type(value).__name__ == "Var":
            self._made(target, [value.name], line)
        elif type(value).__name__ == "Expr":
            self._expression(target, one, value, line)

    def _expression(self, target: _Name, one: Typed, value: Any, line: int) -> None:
        op = value.op
        if op in ("binop", "inplace_binop", "unary"):
            if op == "unary" or value.fn in _SUMS:
                self._made(target, [each.name for each in value.list_vars()], line)
                self.sums |= {target} if op != "unary" and self._is_float(target) else set()
        elif op in ("getitem", "static_getitem"):
            self._made(target, [value.value.name], line)
        elif op in ("exhaust_iter", "cast", "phi", "build_tuple"):
            self._made(target, [each.name for each in value.list_vars()], line)
        elif op == "call":
            self._call(target, one, value, line)

    def _call(self, target: _Name, one: Typed, call: Any, line: int) -> None:
        at = target[0]
        function = getattr(getattr(one.typemap.get(call.func.name), "dispatcher", None), "py_func", None)
        arguments = [each.name for each in call.args]
        for other, callee in enumerate(self.typed):
            if function is not None and callee.function is function:
                names = function.__code__.co_varnames
                for name, given in zip(names, arguments, strict=False):
                    self._made((other, f"arg.{name}"), [given], line, at)
                    self._made((other, name), [given], line, at)
                for result in self.returned[other]:
                    self._made(target, [result], line, other)
                return
        called = str(one.typemap.get(call.func.name)).lower()
        if "atomic" in called and len(arguments) > 2:
            self._stored((at, arguments[0]), (at, arguments[-1]), line)
            if "add" in called and self._is_float((at, arguments[0])):
                self.added[at, arguments[0]].add(line)
        elif self._is_float(target):
            if "shfl" in called or any(word in called for word in _KEEPING):
                self._made(target, arguments, line)
                self._converted(target, arguments, line)
        elif self._is_whole(target) and arguments:
            self._end([(at, name) for name in arguments])

    def _converted(self, target: _Name, arguments: list[str], line: int) -> None:
        """A float32 made of a 32-bit number that an array holds, or that was made of one."""
        at = target[0]
        if any(self._is_wide_data(at, name, set()) for name in arguments):
            self.starts[target] = line

    def _is_wide_data(self, at: int, name: str, seen: set[str]) -> bool:
        if name in seen or str(self.typed[at].typemap.get(name)) not in _WIDE:
            return False
        seen.add(name)
        for block in self.typed[at].blocks.values():
            for statement in block.body:
                if type(statement).__name__ != "Assign" or statement.target.name != name:
                    continue
                value = statement.value
                if getattr(value, "op", "") in ("getitem", "static_getitem"):
                    held = str(getattr(self.typed[at].typemap.get(value.value.name), "dtype", ""))
                    if held in _WIDE:
                        return True
                elif type(value).__name__ == "Var" and self._is_wide_data(at, value.name, seen):
                    return True
        return False

    def _stored(self, array: _Name, value: _Name, line: int) -> None:
        if self._is_float(array):
            self.made_of[array].add((value, line))
        elif self._is_float(value):
            self._end([value])

    def _end(self, names: list[_Name]) -> None:
        self.ends |= {name for name in names if self._is_float(name)}

    def _made(self, target: _Name, names: list[str], line: int, at: int | None = None) -> None:
        if self._is_float(target):
            held = [(target[0] if at is None else at, name) for name in names]
            self.made_of[target] |= {(name, line) for name in held if self._is_float(name)}
        elif at is None and self._is_whole(target):
            self._end([(target[0], name) for name in names])

    def _returned(self, one: Typed) -> list[str]:
        values = [stated for block in one.blocks.values() for stated in block.body if type(stated).__name__ == "Return"]
        return [each.value.name for each in values]

    def _is_float(self, name: _Name) -> bool:
        """Whether a variable is a float of 16 or 32 bits, or holds some."""
        text = str(self.typed[name[0]].typemap.get(name[1]))
        return "float32" in text or "float16" in text

    def _is_whole(self, name: _Name) -> bool:
        return str(self.typed[name[0]].typemap.get(name[1])).startswith(("int", "uint"))
