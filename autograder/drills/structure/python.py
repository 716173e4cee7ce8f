"""The structure of numba.cuda code: its syntax tree with what may differ taken out.

Taken out: names of variables that the code itself assigns, the module a name is reached through (`np.float32`,
`cuda.shared`), type comments and docstrings, the order of commuting operands, `a > b` for `b < a`, `x = x + y` for
`x += y`, `cuda.grid(1)` for its formula, a name for an index that is used instead of it, and an early return for a
condition round the rest.
"""

from __future__ import annotations

import ast

from autograder.drills.structure.errors import StructureError
from autograder.drills.structure.python_temporaries import without_temporaries

MODULES = {"cuda", "np", "numpy", "numba", "math", "types"}
COMMUTE = {ast.Add: "+", ast.Mult: "*", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
MIRRORED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE}
AXES = "xyz"
ARRAYS = {"array", "device_array", "pinned_array", "managed_array", "zeros", "empty"}  # of a shape and a dtype
SAME_NAMES = {"ceil_div": "ceildiv", "cdiv": "ceildiv", "divup": "ceildiv"}


def shape(source: str, names: frozenset[str]) -> tuple:
    """The structure of statements. Raises: StructureError, naming the line."""
    try:
        tree = ast.parse(_dedented(source))
    except SyntaxError as error:
        raise StructureError(f"line {error.lineno}: {error.msg}") from error
    tree = without_temporaries(tree, names)
    renamed = _locals_in_order(tree, names)
    return _shape(tree.body, renamed)


def _dedented(source: str) -> str:
    import textwrap

    return textwrap.dedent(source.replace("\t", "    ")).strip() + "\n"


def _locals_in_order(tree: ast.AST, keep: frozenset[str]) -> dict[str, str]:
    """Variables that the code assigns, by the order in which they first appear."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    order = dict.fromkeys(node.id for node in nodes if node.id not in keep)
    return {name: f"local{number}" for number, name in enumerate(order)}


def _shape(node, renamed: dict[str, str]):
    """The structure of one node as nested tuples."""
    if isinstance(node, list):
        return _guarded(tuple(_shape(each, renamed) for each in node))
    if not isinstance(node, ast.AST):
        return node
    handler = _HANDLERS.get(type(node))
    return handler(node, renamed) if handler else _plain(node, renamed)


def _guarded(shapes: tuple) -> tuple:
    """Statements with `if a: return` and the rest as `if not a:` with the rest inside."""
    for place, each in enumerate(shapes):
        if isinstance(each, tuple) and each[:1] == ("If",) and each[2:] == ((("Return", None),), ()):
            rest = shapes[place + 1 :]
            return (*shapes[:place], ("If", _not(each[1]), _guarded(rest), ())) if rest else shapes
    return shapes


def _not(shape: tuple) -> tuple:
    """The negation of a condition; of a comparison, the other comparison."""
    if shape[0] in ("Lt", "LtE"):
        return ("LtE" if shape[0] == "Lt" else "Lt", shape[2], shape[1])
    if shape[0] in ("Eq", "NotEq"):
        return ("NotEq" if shape[0] == "Eq" else "Eq", *shape[1:])
    return ("Not", shape)


def _unary(node: ast.UnaryOp, renamed):
    shape = _shape(node.operand, renamed)
    return _not(shape) if isinstance(node.op, ast.Not) else (type(node.op).__name__, shape)


def _plain(node: ast.AST, renamed) -> tuple:
    fields = [
        _shape(value, renamed)
        for name, value in ast.iter_fields(node)
        if name not in ("ctx", "type_comment", "annotation", "returns", "type_params", "kind")
    ]
    return (type(node).__name__, *fields)


def _name(node: ast.Name, renamed):
    return ("name", renamed.get(node.id, SAME_NAMES.get(node.id, node.id)))


def _attribute(node: ast.Attribute, renamed):
    if isinstance(node.value, ast.Name) and node.value.id in MODULES:
        if node.attr == "warpsize":
            return ("Constant", 32)
        return ("name", node.attr)
    return ("attribute", _shape(node.value, renamed), node.attr)


def _operation(node: ast.BinOp, renamed):
    mark = COMMUTE.get(type(node.op))
    if mark is None:
        return (type(node.op).__name__, _shape(node.left, renamed), _shape(node.right, renamed))
    operands = sorted((_shape(each, renamed) for each in _flattened(node, type(node.op))), key=repr)
    return _as_grid((mark, *operands))


def _flattened(node: ast.AST, operator: type) -> list[ast.AST]:
    """The operands of a chain: a + b + c has three."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, operator):
        return _flattened(node.left, operator) + _flattened(node.right, operator)
    return [node]


def _as_grid(shape: tuple) -> tuple:
    """blockIdx.x * blockDim.x + threadIdx.x, and gridDim.x * blockDim.x, under the names of their calls."""
    for axis in AXES:
        block, dim, grid = (("attribute", ("name", name), axis) for name in ("blockIdx", "blockDim", "gridDim"))
        index = ("+", *sorted((("*", *sorted((block, dim), key=repr)), _thread(axis)), key=repr))
        if shape == index:
            return ("grid", axis)
        if shape == ("*", *sorted((grid, dim), key=repr)):
            return ("gridsize", axis)
    return shape


def _thread(axis: str) -> tuple:
    return ("attribute", ("name", "threadIdx"), axis)


def _call(node: ast.Call, renamed):
    function = _shape(node.func, renamed)
    arguments = _shape(node.args, renamed)
    named = {word.arg or "": _shape(word.value, renamed) for word in node.keywords}
    if function[-1] in ARRAYS:
        arguments += tuple(named.pop(name) for name in ("shape", "dtype") if name in named)
    if str(function[-1]).endswith("_sync") and arguments[:1] == (("USub", ("Constant", 1)),):
        arguments = (("Constant", 0xFFFFFFFF), *arguments[1:])
    keywords = tuple(sorted(named.items(), key=repr))
    if function in (("name", "grid"), ("name", "gridsize")) and arguments == (("Constant", 1),):
        return (function[1], "x")
    return ("call", function, arguments, keywords)


def _compare(node: ast.Compare, renamed):
    if len(node.ops) > 1:
        return _plain(node, renamed)
    left, right = _shape(node.left, renamed), _shape(node.comparators[0], renamed)
    operator = type(node.ops[0])
    if operator in MIRRORED:
        if operator is ast.GtE and right == ("Constant", 1):  # of whole numbers
            return ("Lt", ("Constant", 0), left)
        return (MIRRORED[operator].__name__, right, left)
    if operator in (ast.Eq, ast.NotEq):
        left, right = sorted((left, right), key=repr)
    return (operator.__name__, left, right)


def _all_of(node: ast.BoolOp, renamed):
    return (type(node.op).__name__, *sorted(_shape(node.values, renamed), key=repr))


def _augmented(node: ast.AugAssign, renamed):
    target = ast.parse(ast.unparse(node.target), mode="eval").body
    value = ast.BinOp(target, node.op, node.value)
    return ("Assign", (_shape(target, renamed),), _shape(value, renamed))


def _assign(node: ast.Assign, renamed):
    return ("Assign", _shape(node.targets, renamed), _shape(node.value, renamed))


def _constant(node: ast.Constant, renamed):
    return ("Constant", node.value)


def _function(node: ast.FunctionDef, renamed):
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    parameters = tuple(argument.arg for argument in node.args.args)
    return ("def", node.name, parameters, _shape(body, renamed), _shape(node.decorator_list, renamed))


def _tuple(node: ast.Tuple, renamed):
    return ("tuple", *_shape(node.elts, renamed)) if len(node.elts) != 1 else _shape(node.elts[0], renamed)


_HANDLERS = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _operation,
    ast.UnaryOp: _unary,
    ast.Call: _call,
    ast.Compare: _compare,
    ast.BoolOp: _all_of,
    ast.AugAssign: _augmented,
    ast.Assign: _assign,
    ast.Constant: _constant,
    ast.FunctionDef: _function,
    ast.Tuple: _tuple,
}
