"""numba.cuda in the common form: the module a name is reached through, annotations and docstrings are left out."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable
from typing import Any

from autograder.drills.structure.errors import StructureError
from autograder.drills.structure.forms import AUTO, NONE, ZERO, Form, is_num, num

MODULE_NAMES = tuple(("name", module) for module in ("cuda", "np", "numpy", "numba", "math", "types", "nb"))
OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "true /", ast.FloorDiv: "/", ast.Mod: "%", ast.Pow: "**",
    ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "==",
    ast.IsNot: "!=", ast.In: "in", ast.NotIn: "not in", ast.And: "&&", ast.Or: "||",
    ast.USub: "unary -", ast.UAdd: "unary +", ast.Not: "unary !", ast.Invert: "unary ~",
}  # fmt: skip
SAME_NAMES = {
    "single": "float32", "f4": "float32", "ceil_div": "ceildiv", "cdiv": "ceildiv", "divup": "ceildiv",
    "fmax": "max", "fmin": "min",
}  # fmt: skip
ONLY_OF_CUDA = {
    "threadIdx", "blockIdx", "blockDim", "gridDim", "syncthreads", "syncwarp", "threadfence", "gridsize", "laneid",
    "shfl_sync", "shfl_down_sync", "shfl_up_sync", "shfl_xor_sync", "ballot_sync", "popc",
}  # fmt: skip
IGNORED_OPTIONS = {"cache", "lineinfo", "inline"}
Reader = Callable[[Any], Any]
MOST_POWER = 64
DTYPES = {"float32", "float64", "int32", "int64", "int8", "int16", "uint8", "uint32", "float16"}


def read(source: str) -> tuple[Form, ...]:
    """Statements in the common form. Raises: StructureError, naming the line."""
    try:
        tree = ast.parse(textwrap.dedent(source.replace("\t", "    ")).strip() + "\n")
    except SyntaxError as error:
        raise StructureError(f"line {error.lineno}: {error.msg}") from error
    return block(_with_their_module(tree).body)


def _with_their_module(tree: ast.Module) -> ast.Module:
    """cuda.X for X of `from numba.cuda import X`; without an import, `threadIdx.x` alone is CUDA C++, not Python."""
    imports = [each for each in ast.walk(tree) if isinstance(each, ast.ImportFrom) and each.module == "numba.cuda"]
    known = {name.name for each in imports for name in each.names}
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and each.id in ONLY_OF_CUDA and not known & {each.id, "*"}:
            each.id = f"{each.id} of no module"
    return tree


def block(nodes: list[ast.stmt]) -> tuple[Form, ...]:
    """Statements without docstrings, imports and what does nothing."""
    return tuple(form for node in nodes for form in statement(node))


def statement(node: ast.stmt) -> list[Form]:
    """What one statement says, in order; what no card needs, as its text."""
    reader = STATEMENTS.get(type(node))
    return reader(node) if reader else [unknown(node)]


def unknown(node: ast.stmt) -> Form:
    """A statement that no card needs."""
    return ("do", ("text", ast.unparse(node)))


def expression(node: ast.expr) -> Form:
    """One expression; what no card needs, as its text."""
    reader = EXPRESSIONS.get(type(node))
    return reader(node) if reader else ("text", ast.unparse(node))


def _constant(node: ast.Constant) -> Form:
    value = node.value
    if value is None:
        return NONE
    if isinstance(value, bool):
        return num(int(value))
    if isinstance(value, int):
        return num(value)
    if isinstance(value, float):
        return num(value, "d")
    name = SAME_NAMES.get(value, value) if isinstance(value, str) else ""
    return ("name", name) if name in DTYPES else ("text", str(value))


def _attribute(node: ast.Attribute) -> Form:
    """cuda.shared.array is `shared.array`, np.float32 is `float32`, x.size stays a member."""
    if ast.unparse(node) in ("numba.cuda", "numba.types", "nb.types", "nb.cuda"):
        return ("name", node.attr)
    if expression(node.value) in MODULE_NAMES:
        return num(32) if node.attr == "warpsize" else ("name", SAME_NAMES.get(node.attr, node.attr))
    base = expression(node.value)
    return ("member", base, node.attr)


def _dotted(form: Form) -> str:
    """The name of a function, as in atomic.add; "" for a method of something computed."""
    if form[0] == "name":
        return form[1]
    if form[0] == "member" and form[1] in (
        ("name", "shared"),
        ("name", "local"),
        ("name", "const"),
        ("name", "atomic"),
        ("name", "cg"),
    ):
        return f"{form[1][1]}.{form[2]}"
    return ""


def _call(node: ast.Call) -> Form:
    given = tuple(expression(each) for each in node.args)
    given += tuple(("keyword", each.arg or "**", expression(each.value)) for each in node.keywords)
    if isinstance(node.func, ast.Subscript):
        return launch(node.func.value, node.func.slice, given)
    function = node.func
    if (
        isinstance(function, ast.Call)
        and isinstance(function.func, ast.Attribute)
        and function.func.attr == "configure"
    ):
        return launch(function.func.value, ast.Tuple(elts=function.args), given)
    found = expression(function)
    if name := _dotted(found):
        return ("call", SAME_NAMES.get(name, name), *given)
    if found[0] == "member":
        return ("call", found[2], found[1], *given)
    return ("call", ast.unparse(function), *given)


def launch(kernel: ast.expr, shape: ast.expr, given: tuple[Form, ...]) -> Form:
    """kernel[grid, block, stream, shared bytes](arguments)."""
    items = shape.elts if isinstance(shape, ast.Tuple) else [shape]
    given_shape = (num(0) if found == NONE else found for found in map(expression, items))
    grid, block_shape, stream, shared = (*given_shape, *(num(0),) * 4)[:4]
    return ("launch", expression(kernel), grid, block_shape, stream, shared, *given)


def _index(node: ast.Subscript) -> Form:
    inside = expression(node.slice)
    if isinstance(node.slice, ast.Constant) and node.slice.value is ...:
        inside = ("slice", num(0), num(0), num(0))
    return ("index", expression(node.value), *(inside[1:] if inside[0] == "tuple" else (inside,)))


def _compare(node: ast.Compare) -> Form:
    """0 <= i < n is two comparisons."""
    sides = [expression(each) for each in (node.left, *node.comparators)]
    found = [
        (OPERATORS[type(op)], *pair) for op, pair in zip(node.ops, zip(sides, sides[1:], strict=False), strict=True)
    ]
    return found[0] if len(found) == 1 else ("&&", *found)


def _operation(node: ast.BinOp) -> Form:
    """2 ** 32 is a number."""
    left, right = expression(node.left), expression(node.right)
    if isinstance(node.op, ast.Pow) and is_num(left, "i") and is_num(right, "i") and 0 <= right[1] <= MOST_POWER:
        return num(left[1] ** right[1])
    return (OPERATORS[type(node.op)], left, right)


def _chained(node: ast.BoolOp) -> Form:
    return (OPERATORS[type(node.op)], *map(expression, node.values))


def _assign(node: ast.Assign) -> list[Form]:
    found = []
    for target in node.targets:
        found += _assigned(target, node.value)
    return found


def _assigned(target: ast.expr, value: ast.expr) -> list[Form]:
    """a, b = x, y is two assignments where neither side reads what the other writes."""
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        written = {node.id for each in target.elts for node in ast.walk(each) if isinstance(node, ast.Name)}
        used = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
        if len(target.elts) == len(value.elts) and not written & used:
            return [form for pair in zip(target.elts, value.elts, strict=True) for form in _assigned(*pair)]
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Call) and ast.unparse(value.func) == "divmod":
        quotient, rest = (ast.BinOp(value.args[0], operator(), value.args[1]) for operator in (ast.FloorDiv, ast.Mod))
        return _assigned(target, ast.Tuple(elts=[quotient, rest]))
    if isinstance(target, ast.Tuple):
        return [("set", expression(target), expression(value))]
    if isinstance(target, ast.Name) and target.id == "_":
        return [("do", expression(value))]
    if isinstance(target, ast.Name):
        return [("let", target.id, AUTO, expression(value))]
    return [("set", expression(target), expression(value))]


def _augmented(node: ast.AugAssign) -> list[Form]:
    place = expression(node.target)
    return [("set", place, (OPERATORS[type(node.op)], place, expression(node.value)))]


def _for(node: ast.For) -> list[Form]:
    """A range is a loop that counts; a tuple of values is walked one by one."""
    if not isinstance(node.target, ast.Name):
        return [unknown(node)]
    name, body = node.target.id, block(node.body)
    if isinstance(node.iter, ast.Tuple | ast.List):
        return [form for each in node.iter.elts for form in (("let", name, AUTO, expression(each)), *body)]
    given = [expression(each) for each in node.iter.args] if isinstance(node.iter, ast.Call) else []
    if not given or not isinstance(node.iter, ast.Call) or ast.unparse(node.iter.func) not in ("range", "prange"):
        return [unknown(node)]
    first, end, step = (num(0), given[0], num(1)) if len(given) == 1 else (*given, num(1))[:3]
    counter = ("name", name)
    down = step[0] == "unary -" or (step[0] == "num" and step[1] < 0)
    condition = (">", counter, end) if down else ("<", counter, end)
    return [("let", name, AUTO, first), ("while", condition, (*body, ("set", counter, ("+", counter, step))))]


def _function(node: ast.FunctionDef) -> list[Form]:
    parameters = tuple(("param", each.arg, AUTO, ()) for each in node.args.args)
    return [("def", node.name, _marks(node), AUTO, parameters, block(node.body))]


def _marks(node: ast.FunctionDef) -> tuple[Form, ...]:
    """The options of @cuda.jit."""
    found: list = []
    for each in node.decorator_list:
        function = each.func if isinstance(each, ast.Call) else each
        name = ast.unparse(function)
        found.append("jit of a CPU" if name in ("jit", "njit", "numba.jit", "nb.jit") else name.rpartition(".")[2])
        if isinstance(each, ast.Call):
            options = [("keyword", str(o.arg), expression(o.value)) for o in each.keywords]
            asked = [option for option in options if option[1] not in IGNORED_OPTIONS and option[2] != ZERO]
            found += sorted(asked, key=repr)
    return tuple(found)


def _expression_statement(node: ast.Expr) -> list[Form]:
    return [] if isinstance(node.value, ast.Constant) else [("do", expression(node.value))]


def _return(node: ast.Return) -> list[Form]:
    nothing = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    return [("return", None if nothing else expression(node.value))]


EXPRESSIONS: dict[type, Reader] = {
    ast.Constant: _constant,
    ast.Name: lambda node: ("name", SAME_NAMES.get(node.id, node.id)),
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _index,
    ast.Compare: _compare,
    ast.BoolOp: _chained,
    ast.BinOp: lambda node: _operation(node),
    ast.UnaryOp: lambda node: (OPERATORS[type(node.op)], expression(node.operand)),
    ast.IfExp: lambda node: ("select", expression(node.test), expression(node.body), expression(node.orelse)),
    ast.Tuple: lambda node: ("tuple", *map(expression, node.elts)),
    ast.List: lambda node: ("tuple", *map(expression, node.elts)),
    ast.NamedExpr: lambda node: ("walrus", expression(node.target), expression(node.value)),
    ast.Slice: lambda node: (
        "slice", *(expression(each) if each else num(0) for each in (node.lower, node.upper, node.step))
    ),
}  # fmt: skip
STATEMENTS: dict[type, Reader] = {
    ast.Assign: _assign,
    ast.AugAssign: _augmented,
    ast.AnnAssign: lambda node: _assigned(node.target, node.value) if node.value else [],
    ast.Expr: _expression_statement,
    ast.If: lambda node: [("if", expression(node.test), block(node.body), block(node.orelse))],
    ast.While: lambda node: [("while", expression(node.test), block(node.body))],
    ast.For: _for,
    ast.FunctionDef: _function,
    ast.Return: _return,
    ast.Pass: lambda node: [],
    ast.Import: lambda node: [],
    ast.ImportFrom: lambda node: [],
    ast.Break: lambda node: [("break",)],
    ast.Continue: lambda node: [("continue",)],
    ast.Delete: lambda node: [("do", ("call", "del", expression(each))) for each in node.targets],
}
