"""Operators on expressions: comparisons moved, conditions weakened, whole numbers cut, scalars and values clamped."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tools.matrices.harden.sites import Context, expression

Made = Iterator[tuple[str, ast.AST | list[ast.stmt]]]
BITS = {"8": 0xFF, "16": 0xFFFF, "24": 0xFFFFFF}
NARROWER = {"int64": "int16", "int32": "int16", "uint32": "uint16", "float32": "int32", "float64": "int32"}
MOVED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
OTHER = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mod, ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift}
FINITE = ("-3.4e38", "-1e30", "-1000.0", "0.0")
CLAMPS = {
    "least_is_-100": "max({0}, -100)",
    "most_is_100": "min({0}, 100)",
    "sign_dropped": "abs({0})",
    "zero_as_one": "({0} if {0} != 0 else 1)",
}


def comparisons(node: ast.AST, context: Context) -> Made:
    """Moved by one, or without one of the parts that are compared."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    (op,), (right,) = node.ops, node.comparators
    if type(op) in MOVED:
        yield "comparison_moved", ast.Compare(node.left, [MOVED[type(op)]()], [right])
        by = 1 if type(op) in (ast.Lt, ast.LtE) else -1
        yield "comparison_moved", ast.Compare(node.left, [op], [expression("a - b", a=right, b=ast.Constant(by))])
    for cut in ("1:", ":-1"):
        if isinstance(op, ast.Eq) and isinstance(node.left, ast.Subscript) and isinstance(right, ast.Subscript):
            if isinstance(node.left.slice, ast.Slice):
                shorter = [expression(f"a[{cut}]", a=part) for part in (node.left, right)]
                yield "field_not_compared", ast.Compare(shorter[0], [op], [shorter[1]])


def conditions(node: ast.AST, context: Context) -> Made:
    """Without one of their conjuncts, and with one more."""
    if isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            rest = node.values[:at] + node.values[at + 1 :]
            yield "conjunct_dropped", rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    if isinstance(node, ast.If | ast.While):
        for name in sorted(context.counters & {one.id for one in ast.walk(node.test) if isinstance(one, ast.Name)}):
            test = ast.BoolOp(ast.And(), [node.test, expression(f"{name} < 100")])
            yield "conjunct_added", type(node)(test, node.body, node.orelse)


def fields(node: ast.AST, context: Context) -> Made:
    """A tuple that is a key without one of its fields."""
    if isinstance(node, ast.Call):
        for at, argument in enumerate(node.args):
            if isinstance(argument, ast.Tuple) and len(argument.elts) > 2 and isinstance(node.func, ast.Attribute):
                for k in range(len(argument.elts)):
                    rest = ast.Tuple(argument.elts[:k] + argument.elts[k + 1 :], ast.Load())
                    yield "field_not_compared", ast.Call(node.func, [*node.args[:at], rest, *node.args[at + 1 :]], [])
        return
    if (
        isinstance(node, ast.Starred)
        and isinstance(node.value, ast.Subscript)
        and isinstance(node.value.slice, ast.Slice)
    ):
        for cut in ("1:", "2:", ":-1", "::2", ":1"):
            yield "field_not_compared", ast.Starred(expression(f"a[{cut}]", a=node.value), ast.Load())


def whole_numbers(node: ast.AST, context: Context) -> Made:
    """Places in arrays, and results of calls that give them, in fewer bits or through a float32."""
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for at, part in enumerate(parts):
            if isinstance(part, ast.Constant | ast.Slice | ast.Starred | ast.UnaryOp) or _is_shape(node):
                continue
            for label, new in _cut(part, context.kernel):
                others = [*parts[:at], new, *parts[at + 1 :]]
                index = ast.Tuple(others, ast.Load()) if len(parts) > 1 else new
                yield f"place_{label}", ast.Subscript(node.value, index, node.ctx)
    if isinstance(node, ast.Assign) and _is_whole(node.value):
        for label, new in _cut(node.value, context.kernel):
            yield f"number_{label}", ast.Assign(node.targets, new)


def _is_shape(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Attribute) and node.value.attr == "shape"


def _is_whole(value: ast.expr) -> bool:
    """Whether an expression gives a whole number as far as its text tells."""
    text = ast.unparse(value)
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.FloorDiv | ast.Mod | ast.LShift) or "blockIdx" in text
    return text.startswith(("cuda.grid(1)", "cuda.atomic.add(", "cuda.popc(", "int("))


def _cut(part: ast.expr, kernel: bool) -> Iterator[tuple[str, ast.expr]]:
    for label, mask in BITS.items():
        yield f"in_{label}_bits", ast.BinOp(part, ast.BitAnd(), ast.Constant(mask))
    yield "through_float32", expression("int(float32(a))" if kernel else "int(np.float32(a))", a=part)


def scalars(node: ast.AST, context: Context) -> Made:
    """A scalar argument clamped, without its sign, with another value where it is 0, or as in one of the cases."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in context.scalars:
        values = context.scalars[node.id]
        for value in values[:3]:
            yield "argument_as_in_a_case", ast.Constant(value)
        yield "sign_dropped", expression("abs(a)", a=node)
        yield "zero_as_one", expression("(a if a != 0 else 1)", a=node)
        yield "argument_clamped", expression(f"min(a, {max(values, default=1)!r})", a=node)
        yield "argument_clamped", expression(f"max(a, {min(values, default=1)!r})", a=node)
        if all(isinstance(value, int) for value in values):
            yield "argument_in_16_bits", expression("a & 0xFFFF", a=node)


def elements(node: ast.AST, context: Context) -> Made:
    """An element of an input clamped, without its sign, or in fewer bits."""
    if not (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name)):
        return
    dtype = context.arrays.get(node.value.id)
    if dtype is None or not context.kernel or isinstance(node.slice, ast.Slice):
        return
    for label, text in CLAMPS.items():
        yield f"value_{label}", expression(text.format("a"), a=node)
    if "int" in dtype:
        yield "value_in_8_bits", expression("a & 0xFF", a=node)
        yield "value_in_16_bits", expression("a & 0xFFFF", a=node)


def constants(node: ast.AST, context: Context) -> Made:
    """Whole numbers one larger and smaller; infinities as finite numbers."""
    if isinstance(node, ast.Constant) and type(node.value) is int and abs(node.value) < 1 << 20:
        yield "number_off_by_one", ast.Constant(node.value + 1)
        yield "number_off_by_one", ast.Constant(node.value - 1)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and ast.unparse(node.operand) in INFINITE:
        for finite in FINITE:
            yield "begun_at_a_finite_number", expression(finite)
    elif isinstance(node, ast.Attribute) and ast.unparse(node) in INFINITE:
        yield "begun_at_a_finite_number", expression("1e30")


INFINITE = ("math.inf", "np.inf")


def types(node: ast.AST, context: Context) -> Made:
    """Accumulators and counters of another type."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NARROWER:
        yield "another_type", ast.Call(ast.Name(NARROWER[node.func.id], ast.Load()), node.args, [])


def arithmetic(node: ast.AST, context: Context) -> Made:
    """Another operator, least for most, axes and operands exchanged."""
    if isinstance(node, ast.BinOp) and type(node.op) in OTHER:
        yield "another_operator", ast.BinOp(node.left, OTHER[type(node.op)](), node.right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Add):
        yield "operand_dropped", node.left
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        other = {"min": "max", "max": "min"}[node.func.id]
        yield "least_for_most", ast.Call(ast.Name(other, ast.Load()), node.args, [])
        for argument in node.args:
            yield "one_of_two", argument
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 2:
        if not any(isinstance(part, ast.Slice) for part in node.slice.elts):
            yield "axes_exchanged", ast.Subscript(node.value, ast.Tuple(node.slice.elts[::-1], ast.Load()), node.ctx)


OPERATORS = (
    comparisons,
    conditions,
    fields,
    whole_numbers,
    scalars,
    elements,
    constants,
    types,
    arithmetic,
)
