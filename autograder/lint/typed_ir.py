"""Where a float64 is born: numba's typed intermediate representation, walked backwards from an operation.

Knows numba's `ir` objects by their shape (Assign, Const, Arg, Global, Expr) and nothing of the compiler.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograder.lint.compiler import Typed

_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}


@dataclass(frozen=True)
class Origin:
    """Why a value is float64.

    kind: "start" (a variable begins as a constant of another type and is then updated), "paths" (a variable has one
    type on one path, another on the next), "literal", "integer" (an integer meets a float32), "division" (of
    integers), "constant" (a module constant), "array" (an element of a module constant), "argument",
    "integer_function", or "explicit" (float64 was asked for).
    """

    kind: str
    line: int  # 0 for an array, which is one mistake wherever it is read
    text: str  # what to quote: "0.1", "x.size", "S", "i / n"
    variable: str = ""  # for "start" and "paths"


@dataclass(frozen=True)
class Operation:
    """One operation carried out in float64, and what made it so."""

    line: int
    origins: frozenset[Origin]


class FloatingPoint:
    """The float64 operations of one typed function.

    closed: for variables that make each other float64 in a loop, and nothing outside it does: then an integer that
    meets one of them did, since it would have met a float32.
    """

    def __init__(self, typed: Typed, closed: bool = False) -> None:
        self.typed, self.closed = typed, closed
        self.typemap = typed.typemap

    def operations(self) -> Iterator[Operation]:
        """Every operator or call that numba types as float64, comparisons included."""
        for statement in self._statements:
            expression = getattr(statement, "value", None)
            if type(statement).__name__ == "Assign" and self._works_in_double(expression):
                origins = frozenset(self._born_at(expression, set()))
                if not origins and not self.closed:
                    origins = frozenset(FloatingPoint(self.typed, closed=True)._born_at(expression, set()))
                yield Operation(statement.loc.line, origins)

    def calls_of(self, function: Any) -> Iterator[tuple[int, dict[str, frozenset[Origin]]]]:
        """(line, origins of each argument by the parameter's name) of the calls of a device function from here."""
        for statement in self._statements:
            call = getattr(statement, "value", None)
            if getattr(call, "op", "") != "call":
                continue
            called = getattr(self.typemap.get(call.func.name), "dispatcher", None)
            if getattr(called, "py_func", None) is not function:
                continue
            names = function.__code__.co_varnames[: function.__code__.co_argcount]
            given = dict(zip(names, call.args, strict=False)) | dict(call.kws)
            yield call.loc.line, {name: frozenset(self._origins(one.name, set())) for name, one in given.items()}

    @cached_property
    def _statements(self) -> list[Any]:
        return [statement for block in self.typed.blocks.values() for statement in block.body]

    @cached_property
    def _definitions(self) -> dict[str, list[Any]]:
        """Variable -> the assignments to it; a variable that joins several paths has several."""
        found = defaultdict(list)
        for statement in self._statements:
            if type(statement).__name__ == "Assign":
                found[statement.target.name].append(statement)
        return found

    def _works_in_double(self, expression: Any) -> bool:
        if getattr(expression, "op", "") not in ("binop", "inplace_binop", "unary", "call"):
            return False
        signature = self.typed.calltypes.get(expression)
        if signature is None or not _is_double(signature.return_type) and expression.op == "call":
            return False
        return _is_double(signature.return_type) or any(_is_double(argument) for argument in signature.args)

    def _born_at(self, expression: Any, seen: set[str]) -> Iterator[Origin]:
        """The origins of an expression's double precision: inherited from its operands, or made here."""
        operands = [name for name in expression.list_vars() if not self._is_callee(expression, name)]
        doubles = [operand for operand in operands if _is_double(self.typemap.get(operand.name))]
        inherited = [origin for operand in doubles for origin in self._origins(operand.name, seen)]
        yield from inherited
        meets_single = any(_is_single(self.typemap.get(operand.name)) for operand in operands)
        meets_single |= self.closed and bool(doubles) and not inherited
        if not doubles and self._asks_for_double(expression, operands):
            yield Origin("explicit", expression.loc.line, self.render_expression(expression))
            return
        handed_on = expression.op == "call" and bool(inherited)  # a mask or a distance beside it makes nothing
        if not handed_on and (meets_single or any(origin.kind not in ("explicit", "array") for origin in inherited)):
            integers = (operand for operand in operands if _is_integer(self.typemap.get(operand.name)))
            yield from (Origin("integer", expression.loc.line, self.render(operand.name)) for operand in integers)
        elif not doubles:
            yield from self._made_of_integers(expression, operands)

    def _asks_for_double(self, expression: Any, operands: list[Any]) -> bool:
        """Whether a call of what is no float64 names the type, or gives it although no integer is handed over.

        A device function is asked for its own lines.
        """
        if expression.op != "call" or hasattr(self.typemap.get(expression.func.name), "dispatcher"):
            return False
        named = self._callee_text(expression).rpartition(".")[2].endswith(("float64", "float", "double"))
        return named or not any(_is_integer(self.typemap.get(operand.name)) for operand in operands)

    def _made_of_integers(self, expression: Any, operands: list[Any]) -> Iterator[Origin]:
        """The origin of an operation that turns what is no floating-point number into a float64."""
        line, text = expression.loc.line, self.render_expression(expression)
        if expression.op == "call" and any(_is_integer(self.typemap.get(operand.name)) for operand in operands):
            yield Origin("integer_function", line, text)
        elif expression.op in ("binop", "inplace_binop") and expression.fn in (operator.truediv, operator.itruediv):
            yield Origin("division", line, text)

    def _origins(self, name: str, seen: set[str]) -> Iterator[Origin]:
        """The origins of a float64 variable."""
        if name in seen:
            return
        seen.add(name)
        assignments = self._definitions[name]
        joins = len(assignments) > 1
        for assignment in assignments:
            yield from self._origins_of_value(name, assignment, joins, seen)

    def _origins_of_value(self, name: str, assignment: Any, joins: bool, seen: set[str]) -> Iterator[Origin]:
        value, kind, line = assignment.value, type(assignment.value).__name__, assignment.loc.line
        if kind == "Var":
            constant = self._constant(value.name)
            if joins and constant is not None:
                begins = "start" if self._depends_on(name, name) else "paths"
                yield Origin(begins, self._definitions[value.name][0].loc.line, constant, _plain(name))
            elif _is_double(self.typemap.get(value.name)):
                yield from self._origins(value.name, seen)
            elif _is_integer(self.typemap.get(value.name)):
                yield Origin("paths", line, self.render(value.name), _plain(name))
        elif kind == "Const":
            yield Origin("literal", line, repr(value.value))
        elif kind in ("Global", "FreeVar"):
            yield Origin("constant", line, value.name)
        elif kind == "Arg":
            yield Origin("argument", line, value.name)
        elif kind == "Expr" and value.op == "cast":
            yield from self._origins(value.value.name, seen)
        elif kind == "Expr" and value.op == "static_getitem" and (item := self._item(value.value.name, value.index)):
            yield from self._origins(item, seen)
        elif kind == "Expr" and value.op in ("getitem", "static_getitem"):
            array = self._module_array(value.value.name)
            yield Origin("array", 0, array) if array else Origin("explicit", line, self.render_expression(value))
        elif kind == "Expr" and value.op == "getattr":  # of a module: math.inf, math.pi
            yield Origin("literal", line, self.render_expression(value))
        elif kind == "Expr":
            yield from self._born_at(value, seen)

    def _item(self, name: str, index: Any) -> str:
        """The variable at one place of a tuple that is written out, as in `a, b = 0.5, 3.0`; "" for anything else."""
        assignments = self._definitions[name]
        value: Any = assignments[0].value if len(assignments) == 1 else None
        if type(value).__name__ == "Var":
            return self._item(value.name, index)
        if getattr(value, "op", "") == "exhaust_iter":
            return self._item(value.value.name, index)
        known = getattr(value, "op", "") == "build_tuple" and isinstance(index, int) and index < len(value.items)
        return value.items[index].name if known else ""

    def _module_array(self, name: str) -> str:
        """The name of the module's array behind a variable, directly or through const.array_like; "" for others."""
        assignments = self._definitions[name]
        value: Any = assignments[0].value if len(assignments) == 1 else None
        kind = type(value).__name__
        if kind in ("Global", "FreeVar"):
            return value.name
        if kind == "Var":
            return self._module_array(value.name)
        if kind == "Expr" and value.op == "call" and self._callee_text(value).endswith("array_like"):
            return self._module_array(value.args[0].name)
        return ""

    def _constant(self, name: str) -> str | None:
        """The literal that a variable is assigned once and directly, as text; None for anything else."""
        assignments = self._definitions[name]
        single = len(assignments) == 1 and type(assignments[0].value).__name__ == "Const"
        return repr(assignments[0].value.value) if single else None

    def _depends_on(self, name: str, target: str) -> bool:
        """Whether computing `name` uses `target`, as an accumulator uses itself."""
        pending, visited = [name], set()
        while pending:
            for assignment in self._definitions[pending.pop()]:
                value = assignment.value
                used = value.list_vars() if hasattr(value, "list_vars") else [value] if hasattr(value, "name") else []
                for variable in used:
                    if variable.name == target:
                        return True
                    if variable.name not in visited:
                        visited.add(variable.name)
                        pending.append(variable.name)
        return False

    def _is_callee(self, expression: Any, variable: Any) -> bool:
        return expression.op == "call" and variable.name == expression.func.name

    def _callee_text(self, expression: Any) -> str:
        return self.render(expression.func.name)

    def render(self, name: str) -> str:
        """A variable as its author would write it, as in "x.size"."""
        if not name.startswith("$"):
            return _plain(name)
        assignments = self._definitions[name]
        value = assignments[0].value if assignments else None
        if type(value).__name__ == "Var":
            return self.render(value.name)
        if type(value).__name__ == "Expr":
            return self.render_expression(value)
        return repr(value.value) if type(value).__name__ == "Const" else getattr(value, "name", "a value")

    def render_expression(self, expression: Any) -> str:
        """An expression as its author would write it; "a value" for shapes that no message needs."""
        if expression.op == "getattr":
            return f"{self.render(expression.value.name)}.{expression.attr}"
        if expression.op == "getitem":
            return f"{self.render(expression.value.name)}[{self.render(expression.index.name)}]"
        if expression.op == "static_getitem":
            index = expression.index if expression.index_var is None else self.render(expression.index_var.name)
            return f"{self.render(expression.value.name)}[{index}]"
        if expression.op in ("binop", "inplace_binop"):
            function = expression.immutable_fn if expression.op == "inplace_binop" else expression.fn
            sign = _OPERATORS.get(function.__name__, "?")
            return f"{self.render(expression.lhs.name)} {sign} {self.render(expression.rhs.name)}"
        if expression.op == "build_tuple":
            return ", ".join(self.render(item.name) for item in expression.items)
        if expression.op == "call":
            arguments = ", ".join(self.render(argument.name) for argument in expression.args)
            return f"{self._callee_text(expression)}({arguments})"
        return "a value"


def _plain(name: str) -> str:
    """acc.2 -> acc: numba numbers the versions of a variable."""
    return name.partition(".")[0]


def _is_double(numba_type: Any) -> bool:
    return str(numba_type) == "float64"


def _is_single(numba_type: Any) -> bool:
    return str(numba_type) in ("float32", "float16")


def _is_integer(numba_type: Any) -> bool:
    text = str(numba_type)
    return text.startswith(("int", "uint", "Literal[int]"))
