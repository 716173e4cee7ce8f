"""Types that do not fit: indices that are no integers, arrays where a number belongs, variables of two types."""

from __future__ import annotations

import ast
import re

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import dotted_name
from simt.refusals import Refusal, calls, elements, numbers, types
from simt.source.trees import means_a_power, takes_several

_INDEX = r"Unsupported array index type (float\d+|Dim3|unicode_type|Literal\[str\]|UniTuple|Tuple|bool)"
_SETITEM = re.compile(r">> setitem\(array\((\w+),")
_PLAIN = {"unicode_type": "string", "Literal[str]": "string"}


@rule(_INDEX)
def index_type(context: Context) -> Answer:
    found, cell = context.match[1], context.first(ast.Subscript) or "the array"
    if found.startswith("float"):
        divided = _float_cell(context)
        called = ("", "") if divided else _called_cell(context)
        return types.float_index(divided or called[0] or cell, found, called[1])
    if found == "Dim3":
        return types.position_index(cell)
    if "Tuple" in found:
        return types.tuple_index(cell)
    return types.odd_index(cell, _PLAIN.get(found, found))


@rule(r">>> ([gs]et)item\(array\([^\n]*Enum<")
def member_as_index(context: Context) -> Answer:
    access = ast.Load if context.match[1] == "get" else ast.Store
    cells = [ast.unparse(one) for one in context.expressions(ast.Subscript) if isinstance(one.ctx, access)]
    return types.odd_index(cells[0] if cells else "the array", types.MEMBER)


@rule(r"Cannot cast (?:Int)?Enum<\w+>\((\w+)\)")
def member_as_number(context: Context) -> Answer:
    kind = context.match[1]
    says = f"A member of the enum `{kind}` stands where a number is needed, and numba does not convert it."
    return Refusal("wrong_types", says, f"Take its number, as in {kind}.FIRST.value.")


def _float_cell(context: Context) -> str:
    """The subscript whose index a / makes a float, here or in a variable of it; "" where none is seen."""
    statements = list(ast.walk(context.tree)) if context.tree else []
    made = {ast.unparse(node.target) for node in statements if isinstance(node, ast.AugAssign) and _divides(node)}
    made |= {target.id for node in statements if isinstance(node, ast.Assign) and _divided(node.value)
             for target in node.targets if isinstance(target, ast.Name)}  # fmt: skip
    cells = list(context.expressions(ast.Subscript))
    for cell in reversed(cells):
        if _divided(cell.slice):
            return ast.unparse(cell)
    named = (
        cell for cell in cells if any(isinstance(one, ast.Name) and one.id in made for one in ast.walk(cell.slice))
    )
    return next((ast.unparse(cell) for cell in named), "")


def _called_cell(context: Context) -> tuple[str, str]:
    """The first subscript in whose index a function of `math` or `np` is called, and the call; "" where none is."""
    for cell in context.expressions(ast.Subscript):
        for node in ast.walk(cell.slice):
            if isinstance(node, ast.Call) and dotted_name(node.func).startswith(("math.", "np.", "numpy.", "float")):
                return ast.unparse(cell), ast.unparse(node)
    return "", ""


def _divides(node: ast.AugAssign) -> bool:
    return isinstance(node.op, ast.Div) or _divided(node.value)


def _divided(node: ast.AST) -> bool:
    """Whether a / makes this a float, and no call makes it another number again."""
    if isinstance(node, ast.Call):
        return False
    return (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) or any(map(_divided, ast.iter_child_nodes(node)))
    )


@rule(r"cannot index (?:readonly )?array\((\w+), (\d)d.*?\) with (\d+) indices")
def too_many_indices(context: Context) -> Answer:
    dtype, dimensions, indices = context.match.groups()
    cell = context.first(ast.Subscript) or "This expression"
    return types.too_many_indices(cell, dtype, int(dimensions), int(indices))


@rule(r">>> getitem\((?:Literal\[int\]\(\d+\)|u?int\d+|float\d+|bool),|>>> setitem\((?:u?int\d+|float\d+|bool),")
def number_indexed(context: Context) -> Answer:
    cell = _indexed_number(context)
    return types.number_indexed(ast.unparse(cell), ast.unparse(cell.value)) if cell else types.number_indexed("", "")


def _indexed_number(context: Context) -> ast.Subscript | None:
    """The subscript that numba refused: one of a parameter that is a number, else the first that reads, or writes."""
    cells = list(context.expressions(ast.Subscript))
    known = [cell for cell in cells if isinstance(cell.value, ast.Name) and cell.value.id in context.numbers]
    way = ast.Store if "setitem" in context.match.group() else ast.Load
    alike = [cell for cell in cells if isinstance(cell.ctx, way)]
    return next(iter([*known, *alike, *cells]), None)


@rule(r"_ol_array_allocate|NRT|Function\(<built-in function (?:zeros|ones|empty|array|full)>\)|scipy")
def allocates_array(context: Context) -> Answer:
    if sliced := [node for node in context.expressions(ast.Subscript) if takes_several(node)]:
        return types.copies_slice(ast.unparse(sliced[0]))
    if found := next(context.expressions(ast.Call, ast.BinOp), None):
        row = _row_in(found)
        text = ast.unparse(found)
        return types.misfit(ast.unparse(row), "array", text, "number") if row else types.allocates(text)
    return types.allocates("This line")


def _row_in(node: ast.expr) -> ast.Subscript | None:
    """What must be a row in arithmetic that makes an array: its one subscript, where all else is numbers."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    parts = [part for part in parts if not isinstance(part, ast.Constant)]
    only = parts[0] if len(parts) == 1 else None
    return only if isinstance(only, ast.Subscript) and not takes_several(only) else None


@rule(r"matmul|Function\(<built-in function matmul>\)")
def matrix_product(context: Context) -> Answer:
    products = [node for node in context.expressions(ast.BinOp) if isinstance(node.op, ast.MatMult)]
    return calls.matrix_product(ast.unparse(products[0])) if products else None


@rule(r"Unknown attribute '(\w+)' of type (\w+)")
def unknown_attribute(context: Context) -> Answer:
    name, owner = context.match.groups()
    if owner == "Dim3":
        return types.no_axis(name)
    return types.no_array_attribute(name) if owner == "array" else types.no_attribute(owner, name)


@rule(r"[Cc]annot unify (.+?) and (.+?) for '(\w+)")
def cannot_unify(context: Context) -> Answer:
    first, second, name = context.match.groups()
    return types.cannot_unify(name.split(".")[0], first, second)


@rule(r"Invalid use of (?:array|u?int\d+|float\d+|Literal\[int\])\S* .*?with parameters|No type info .* as a callable")
def not_callable(context: Context) -> Answer:
    return types.not_callable(context.first(ast.Call) or "This")


@rule(r"wrong tuple length|failed to unpack|argument can only be 1, 2, 3")
def unpacking(context: Context) -> Answer:
    call = context.first(ast.Call)
    return types.unpacking_position(call) if "cuda.grid" in call else types.unpacking()


@rule(r"Function\(<built-in function xor>\).*?>>> xor\([^\n]*float")
def no_such_operator(context: Context) -> Answer:
    return types.caret() if any(map(means_a_power, context.expressions(ast.BinOp))) else types.no_float_there()


@rule(r">> [^\n]*\([^\n]*array\(\w+, \dd, \w\)")
def array_for_number(context: Context) -> Answer:
    sliced = [ast.unparse(node) for node in context.expressions(ast.Subscript) if takes_several(node)]
    if sliced:
        return types.slice_for_number(sliced[0])
    if stored_in := _SETITEM.search(context.match.group()):
        return elements.array_in_element(stored_in[1])
    if any(isinstance(one.func, ast.Name) and one.func.id == "range" for one in context.expressions(ast.Call)):
        return numbers.bound_is_array()
    return types.array_for_number(context.first(ast.Call, ast.BinOp, ast.Compare, ast.UnaryOp) or "This expression")


NO_IMPLEMENTATION = r"No implementation of function Function\(<?(?:[\w-]+ )*'?(\w+)[^\n]*\n.*?>>> ([^\n]+)"


@rule(NO_IMPLEMENTATION)
def intrinsic_of_the_course(context: Context) -> Answer:
    """A function that the course adds, which says in its own words what it takes."""
    name, call = context.match.groups()
    known = context.function.__globals__.get(name)
    if not hasattr(known, "simt_meaning"):
        return None
    takes = " ".join((known.__doc__ or "").split())
    return Refusal(
        "wrong_types", f"`{name}` does not take {call.strip()}. What it does: {takes}", "Hand it what it takes."
    )


@rule(r"Invalid use of getiter with parameters \(Tuple\((.*?)\)\)")
def items_of_several_types(context: Context) -> Answer:
    """A loop over a tuple whose items numba would have to compile several times."""
    kinds = " and ".join(dict.fromkeys(re.findall(r"\w+", context.match[1])))
    return Refusal(
        "wrong_types",
        f"This loop goes over a tuple whose items are of several types, {kinds}, and a loop is compiled for one.",
        "Give all of them one type, as in (int64(a), int64(b)), or count with range(...).",
    )


@rule(NO_IMPLEMENTATION)
def wrong_types(context: Context) -> Answer:
    name, call = context.match.groups()
    return types.wrong_types(name, re.sub(r"Literal\[int\]\((-?\d+)\)", r"the integer \1", call.strip()))


@rule(r"")
def other(context: Context) -> Answer:
    sentences = [line.strip() for line in context.message.splitlines() if line.strip()]
    told = [line for line in sentences if not line.startswith(("Failed in", "During", "File "))]
    says = told[0] if told else type(context.error).__name__
    return Refusal(
        "other",
        f"numba cannot compile this kernel: {says}",
        "Simplify this line until it compiles, then add back one piece at a time.",
    )


RULES = (
    matrix_product,
    index_type,
    member_as_index,
    member_as_number,
    too_many_indices,
    number_indexed,
    allocates_array,
    unknown_attribute,
    cannot_unify,
    not_callable,
    unpacking,
    no_such_operator,
    array_for_number,
    intrinsic_of_the_course,
    items_of_several_types,
    wrong_types,
    other,
)
