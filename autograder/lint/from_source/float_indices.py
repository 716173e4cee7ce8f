"""Places that go through float32 on their way: right for every array that a test has, and wrong for long ones.

A float32 holds all whole numbers up to 2^24 and every other one after that. Read from the source: an expression is
*placed* if it is made of a thread's place in the grid or of the size of an array, and of nothing that was loaded. What
such a float is divided by, as for a row and a column, may be anything; then it is told where an index is made of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeGuard

from autograder.lint.from_source.parts_of_source import (
    NARROW,
    PLACES,
    UNBOUNDED,
    assignments,
    attribute_of,
    called,
    handed_as_indices,
    handed_to,
    in_indices,
    is_count,
    is_shape,
    is_whole_constant,
    name_of,
    of_the_value,
)
from autograder.lint.report import LintFinding

KIND = "float_index"
_CUT = ("floor", "rint", "trunc", "round", "floorf", "truncf", "fmod", "fmodf", "fast_fdividef", "fdiv_rn")
_WHOLE = ("int", "int32", "int64", "uint32", "uint64", "intp", "floor", "rint")
_WHOLE_AFTER_DIVISION = (*_WHOLE, "round", "trunc", "float2int_rz", "float2int_rn", "float2int_rd", "float2uint_rz")
_KEEP_WHOLE = (ast.Add, ast.Sub, ast.Mult)
_ENDS = {"int8": 127, "uint8": 255, "int16": 32_767, "uint16": 65_535}
KINDS = ("floated", "divided", "inverse", "placed")  # what an expression may hold of a place
_DIVIDE = (ast.Mod, ast.FloorDiv, ast.Div)


def float_indices(
    tree: ast.FunctionDef,
    helpers: Mapping[str, ast.FunctionDef] | None = None,
    given: Mapping[str, ast.FunctionDef] | None = None,
) -> Iterator[LintFinding]:
    """`int(float32(cuda.grid(1)))`, over any number of lines: whole numbers of the grid's size kept in a float32.

    helpers: the functions that may be called, by name: a place is followed into them and back; given: those of other
    cells, which may make an index of what they are handed.
    """
    read = _all_read(tree, helpers, given)
    compared = [node for one in read for node in ast.walk(one.tree) if one.are_compared(node)]
    if compared:
        says = (
            f"`{ast.unparse(compared[0])}` compares places as float32, which holds every whole number only up to "
            "16,777,216: in a longer array, two neighbours are taken for one."
        )
        yield _finding(compared, says, "Compare the integers themselves.")
    back = [node for one in read for node in ast.walk(one.tree) if one.comes_back(node)]
    if back:
        says = (
            f"`{ast.unparse(back[0])}` takes a place out of a float32, which holds every whole number only up to "
            "16,777,216: in a longer array, two neighbours become one."
        )
        yield _finding(back, says, "Keep places in integers from start to end.")
    cut = [node for one in read for node in one.in_indices if one.is_cut(node)]
    if cut:  # `int16(cuda.grid(1))`, of which an index is made
        first = min(cut, key=lambda call: (call.lineno, call.col_offset))
        says = (
            f"`{ast.unparse(first)}` keeps a place in {called(first)}, which ends at {_ENDS[called(first)]:,}: "
            "in a longer array, two neighbours become one."
        )
        yield _finding(cut, says, "Keep places in integers of 32 or 64 bits from start to end.")


def _finding(nodes: Sequence[ast.expr], says: str, remedy: str) -> LintFinding:
    """A place that loses digits, at the lines of these."""
    lines = tuple(sorted({node.lineno for node in nodes}))
    return LintFinding(KIND, misconception="float_index", says=says, remedy=remedy, lines=lines)


def narrowed_in_indices(
    tree: ast.FunctionDef, helpers: Mapping[str, ast.FunctionDef] | None = None
) -> tuple[ast.Call, ...]:
    """The conversions to float32 and narrower that an index is made of, whatever they convert."""
    calls = [node for one in _all_read(tree, helpers) for node in one.in_indices if isinstance(node, ast.Call)]
    found = {call for call in calls if called(call) in NARROW}
    return tuple(sorted(found, key=lambda call: (call.lineno, call.col_offset)))


def _all_read(
    tree: ast.FunctionDef,
    helpers: Mapping[str, ast.FunctionDef] | None,
    elsewhere: Mapping[str, ast.FunctionDef] | None = None,
) -> list[_Names]:
    """A function and what it calls, each as often as it is handed something else."""
    read = [_Names(tree, {}, helpers or {}, elsewhere or {})]
    for one in read:
        read += [another for another in one.called() if another not in read]
    return read


class _Names:
    """Which variables of a function hold places, and which hold places as float32.

    placed, floated, divided, inverse: names that ever hold such a number; whole: those that hold nothing but whole
    numbers, as a constant or a thread's place in its block; gives: the sets that a result of the function belongs to.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        given: Mapping[str, str],
        helpers: Mapping[str, ast.FunctionDef],
        elsewhere: Mapping[str, ast.FunctionDef],
        index: bool = False,
    ) -> None:
        """given: to which set a parameter belongs; elsewhere: helpers that are not read here; index: whether what the
        function returns becomes an index."""
        self.tree, self.helpers, self.elsewhere = tree, helpers, elsewhere
        self._read: dict[tuple, _Names] = {}
        pairs = list(assignments(tree))
        results = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
        handed = handed_as_indices(tree, {**elsewhere, **helpers})
        self.in_indices = in_indices(tree, pairs, [*(results if index else ()), *handed])
        self.placed, self.floated, self.divided, self.inverse = (
            {name for name, kind in given.items() if kind == wanted} for wanted in ("placed", *KINDS[:3])
        )
        self.whole = {name for name, _ in pairs} | {name for name, kind in given.items() if kind == "whole"}
        while lost := {name for name, value in pairs if name in self.whole and not self.is_whole(value)}:
            self.whole -= lost
        before = None
        while before != (before := tuple(map(len, (self.placed, self.floated, self.divided, self.inverse)))):
            for name, value in pairs:
                if kind := self.kind_of(value):
                    getattr(self, kind).add(name)
        self.gives = {kind for value in results if (kind := self.kind_of(value))}

    def kind_of(self, value: ast.expr) -> str:
        """Which of the sets an expression belongs to; "" for none."""
        known = self.is_floated, self.is_divided, self.is_inverse, self.is_placed
        return next((kind for holds, kind in zip(known, KINDS, strict=True) if holds(value)), "")

    def called(self) -> list[_Names]:
        """The helpers that are called, each as it is with what it is handed."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                self._helper(node)
        return list(self._read.values())

    def _helper(self, call: ast.AST) -> _Names | None:
        """The function that a call leads to, with what it is handed; None for any that is not known here."""
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return None
        name = call.func.id
        tree = self.helpers.get(name)
        if tree is None:
            return None
        handed = handed_to(tree, call)
        given = {one: self.kind_of(value) or ("whole" if self.is_whole(value) else "") for one, value in handed}
        key = name, tuple(sorted(given.items())), call in self.in_indices
        if key not in self._read:
            others = {each: one for each, one in self.helpers.items() if one is not tree}  # nobody calls itself
            self._read[key] = _Names(tree, given, others, self.elsewhere, call in self.in_indices)
        return self._read[key]

    def _gives(self, call: ast.AST, kind: str) -> bool:
        helper = self._helper(call)
        return helper is not None and kind in helper.gives

    def comes_back(self, call: ast.AST) -> TypeGuard[ast.Call]:
        """Whether a call makes an integer of such a float: of one that was divided, where an index is made of it."""
        if not isinstance(call, ast.Call) or not call.args:
            return False
        if called(call) in _WHOLE and self.is_floated(call.args[0]):
            return True
        return called(call) in _WHOLE_AFTER_DIVISION and self.is_divided(call.args[0]) and call in self.in_indices

    def is_cut(self, call: ast.AST) -> TypeGuard[ast.Call]:
        """Whether a call makes a number of 8 or 16 bits of such a place, and of no share or remainder of one."""
        if not isinstance(call, ast.Call) or len(call.args) != 1 or called(call) not in _ENDS:
            return False
        shares = (ast.Mod, ast.FloorDiv, ast.Div, ast.BitAnd, ast.RShift)
        parts = [getattr(node, "op", None) for node in ast.walk(call)]
        return self.is_placed(call.args[0]) and not any(isinstance(part, shares) for part in parts)

    def are_compared(self, node: ast.AST) -> TypeGuard[ast.Compare]:
        """Whether such a float is held against another place: what was loaded, and a share, is no place."""
        if not isinstance(node, ast.Compare):
            return False
        sides = [node.left, *node.comparators]
        return any(map(self.is_floated, sides)) and all(self.is_floated(one) or self.is_placed(one) for one in sides)

    def is_placed(self, value: ast.expr) -> bool:
        """Whether an expression is a whole number that grows with the grid or with an array."""
        nodes = list(ast.walk(value))
        if any(isinstance(node, ast.Subscript) and not is_shape(node) for node in nodes):
            return False  # what was loaded is data, and no place
        helpers = [one for node in nodes if (one := self._helper(node)) is not None]
        if helpers:
            return all("placed" in one.gives for one in helpers)
        return any(attribute_of(node) & {*UNBOUNDED} or name_of(node) in self.placed for node in of_the_value(value))

    def is_floated(self, value: ast.expr) -> bool:
        """Whether an expression is such a number as a float32, and still a whole one."""
        if isinstance(value, ast.Name):
            return value.id in self.floated
        if isinstance(value, ast.BinOp) and isinstance(value.op, _KEEP_WHOLE):
            sides = value.left, value.right
            known = [self.is_floated(side) for side in sides]
            return any(known) and all(one or self.is_whole(side) for one, side in zip(known, sides, strict=True))
        if isinstance(value, ast.IfExp):
            return self.is_floated(value.body) or self.is_floated(value.orelse)
        if not isinstance(value, ast.Call):
            return False
        if self._gives(value, "floated"):
            return True
        if "shfl" in called(value):
            return any(map(self.is_floated, value.args))
        return called(value) in NARROW and len(value.args) == 1 and self.is_placed(value.args[0])

    def is_divided(self, value: ast.expr) -> bool:
        """Whether an expression is the quotient or the remainder of such a float32, or made of one."""
        if isinstance(value, ast.Name):
            return value.id in self.divided
        if isinstance(value, ast.BinOp):
            sides = value.left, value.right
            if isinstance(value.op, _DIVIDE):
                exact = not isinstance(value.op, ast.Div) or is_count(value.right)
                return exact and (self.is_floated(value.left) or self.is_divided(value.left))
            if isinstance(value.op, ast.Mult) and any(map(self.is_inverse, sides)):
                return any(map(self.is_floated, sides))
            return isinstance(value.op, _KEEP_WHOLE) and any(map(self.is_divided, sides))
        if self._gives(value, "divided"):
            return True
        if isinstance(value, ast.Call) and called(value) in _CUT and value.args:
            by = value.args[1:2]
            return self.is_divided(value.args[0]) or bool(by) and self.is_floated(value.args[0]) and is_count(by[0])
        return False

    def is_inverse(self, value: ast.expr) -> bool:
        """Whether an expression is 1 over a whole number, as a float32."""
        if isinstance(value, ast.Name):
            return value.id in self.inverse
        if self._gives(value, "inverse"):
            return True
        if not (isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div)):
            return False
        return is_count(value.left) and is_count(value.right) and not self.is_floated(value.left)

    def is_whole(self, value: ast.expr) -> bool:
        """Whether an operand leaves a whole number whole: a constant, or a float32 made of one or of a place."""
        if isinstance(value, ast.Call) and called(value) in NARROW and len(value.args) == 1:
            value = value.args[0]
        if isinstance(value, ast.Name):
            return value.id in self.whole
        nodes = list(ast.walk(value))
        if any(isinstance(node, ast.Subscript | ast.Div) for node in nodes):
            return is_whole_constant(value)
        return is_whole_constant(value) or any(attribute_of(node) & {*PLACES} for node in nodes)
