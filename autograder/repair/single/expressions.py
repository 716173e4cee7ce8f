"""Single edits inside an expression: comparisons, indices, axes, positions, operators, numbers, names and calls."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from autograder.diagnosis.advice.whole_loops import names_of_threads
from autograder.repair.edits import Edit, Text, in_brackets
from autograder.repair.names import Names

BORDERS = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
TURNED = {ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
OPPOSITE = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
OPERATORS = {
    ast.Add: (ast.Sub, ast.Mult),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add, ast.FloorDiv),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mod, ast.Mult),
    ast.Mod: (ast.FloorDiv,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitAnd: (ast.BitOr, ast.BitXor),
    ast.BitOr: (ast.BitAnd, ast.BitXor),
    ast.BitXor: (ast.BitOr, ast.BitAnd),
}
ADDED = (ast.Add, ast.Sub)
TURNABLE = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.LShift, ast.RShift)
POSITIONS = {
    "threadIdx": ("blockIdx",),
    "blockIdx": ("threadIdx",),
    "blockDim": ("gridDim",),
    "gridDim": ("blockDim",),
}
CALLS = {
    "max": ("min",),
    "min": ("max",),
    "shfl_down_sync": ("shfl_up_sync", "shfl_xor_sync"),
    "shfl_up_sync": ("shfl_down_sync", "shfl_xor_sync"),
    "shfl_xor_sync": ("shfl_down_sync", "shfl_up_sync"),
    "any_sync": ("all_sync",),
    "all_sync": ("any_sync",),
    "argmin": ("argmax",),
    "argmax": ("argmin",),
    "minimum": ("maximum",),
    "maximum": ("minimum",),
    "mean": ("median",),
    "sum": ("max",),
    "floor": ("rint", "ceil"),
    "ceil": ("floor", "rint"),
    "rint": ("floor",),
    "sqrt": ("rsqrt",),
    "syncwarp": ("syncthreads",),
}
ROUNDED, CONVERSIONS = "floor ceil rint int int8 int32".split(), "int int32 uint32 int64 float32 abs".split()
NUMBERS, NUMBERS_OF_LOOPS = (0, 1), ("0", "1", "cuda.grid(1)", "cuda.threadIdx.x", "cuda.blockIdx.x")
STEPS = ("cuda.gridsize(1)", "cuda.blockDim.x", "cuda.gridDim.x", "1", "32")
MOST_OF_AN_INDEX = 10  # numbers from 0 on that are tried as a part of an index
MOST_NUMBERS = 20  # whole ones of a function that stand in for one another


class Substitutes:
    """The names of a function that an edit may put in the place of others."""

    def __init__(self, function: ast.FunctionDef) -> None:
        nodes = list(ast.walk(function))
        subscripts = [node for node in nodes if isinstance(node, ast.Subscript)]
        self.arrays = {node.value.id for node in subscripts if isinstance(node.value, ast.Name)}
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.parameters = {one.arg for one in function.args.args}
        self.scalars = (stored | self.parameters) - self.arrays
        self.names = Names(function)
        self.counts = self.scalars - self.names.fractions
        in_indices = {part.id for node in subscripts for part in ast.walk(node.slice) if isinstance(part, ast.Name)}
        values = (node.value for node in nodes if isinstance(node, ast.Constant))
        numbers = dict.fromkeys(value for value in values if type(value) is int)
        self.numbers = tuple(numbers) if len(numbers) <= MOST_NUMBERS else ()
        self.places = sorted((in_indices | names_of_threads(function)) & self.counts)


def expression_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Every single edit of an expression in a function, likely ones and others."""
    pool = Substitutes(function)
    for node in (part for statement in function.body for part in ast.walk(statement)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            yield from _of_comparison(text, node)
        elif isinstance(node, ast.BinOp):
            yield from _of_operation(text, node)
        elif isinstance(node, ast.Subscript):
            yield from _of_element(text, node, pool)
        elif isinstance(node, ast.Attribute):
            yield from _of_attribute(text, node)
        elif isinstance(node, ast.Call):
            yield from _of_call(text, node, pool)
        elif isinstance(node, ast.Constant):
            yield from _of_number(text, node, pool)
        elif isinstance(node, ast.BoolOp):
            yield from _of_condition(text, node)
        elif isinstance(node, ast.IfExp):
            turned = ast.IfExp(node.test, node.orelse, node.body)
            yield text.replaced(node, ast.unparse(turned), "branches")
            yield from (text.replaced(node, in_brackets(one), "too_much") for one in (node.body, node.orelse))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
            yield text.replaced(node, in_brackets(node.operand), "sign")
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from _of_name(text, node, pool)


def index_edits(text: Text, function: ast.FunctionDef) -> Iterator[Edit]:
    """Another index of an array wherever the function has that one."""
    pool = Substitutes(function)
    uses: dict[tuple[str, int, str], list[ast.expr]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            for at, part in enumerate(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]):
                if isinstance(part, ast.Name):
                    uses.setdefault((node.value.id, at, part.id), []).append(part)
    for (array, _, name), parts in uses.items():
        if len(parts) > 1:
            first = min(part.lineno for part in parts)
            others = [place for place in pool.names.set_before(pool.places, first) if place != name]
            yield from (text.replaced_all(parts, other, "index_everywhere", array) for other in others)


def changed(node: ast.expr, **fields) -> ast.expr:
    """A copy of a node with other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _of_comparison(text: Text, node: ast.Compare) -> Iterator[Edit]:
    sign = type(node.ops[0])
    for kind, table in (("border", BORDERS), ("turned", TURNED), ("turned", OPPOSITE)):
        if sign in table:
            yield text.replaced(node, ast.unparse(changed(node, ops=[table[sign]()])), kind)
    if sign in BORDERS:
        for move in (ast.Add, ast.Sub):
            bound = ast.BinOp(node.comparators[0], move(), ast.Constant(1))
            yield text.replaced(node, ast.unparse(changed(node, comparators=[bound])), "border")


def _of_operation(text: Text, node: ast.BinOp) -> Iterator[Edit]:
    if isinstance(node.op, ast.Mult):
        for block, width in ((node.left, node.right), (node.right, node.left)):
            place = ast.unparse(block)
            if place.startswith("cuda.blockIdx.") and isinstance(width, ast.Constant | ast.Name):
                yield text.replaced(width, of_all := place.replace("blockIdx", "blockDim"), "width")
                yield text.replaced(width, f"({of_all} // 32)", "warps")
    for other in OPERATORS.get(type(node.op), ()):
        yield text.replaced(node, f"({ast.unparse(changed(node, op=other()))})", "operator")
    if isinstance(node.op, TURNABLE):
        turned = changed(node, left=node.right, right=node.left)
        yield text.replaced(node, f"({ast.unparse(turned)})", "operands")
    if isinstance(node.op, ast.Mod | ast.FloorDiv | ast.Mult) and isinstance(node.left, ast.BinOp):
        inner = node.left
        moved = ast.BinOp(inner.left, inner.op, ast.BinOp(inner.right, node.op, node.right))
        yield text.replaced(node, f"({ast.unparse(moved)})", "brackets")
    if isinstance(node.op, ADDED):
        yield from _factor_of_all(text, node)
    grouped = isinstance(node.op, ast.Mult) and isinstance(getattr(node.right, "op", None), ADDED)
    if isinstance(node.right, ast.BinOp) and (grouped or isinstance(node.op, ADDED)):
        inner = node.right
        moved = ast.BinOp(ast.BinOp(node.left, node.op, inner.left), inner.op, inner.right)
        yield text.replaced(node, f"({ast.unparse(moved)})", "brackets")
    for side in (node.left, node.right):
        yield text.replaced(node, in_brackets(side), "too_much")


def _factor_of_all(text: Text, node: ast.BinOp) -> Iterator[Edit]:
    """A factor of one term that multiplies the whole sum, or the term beside it: `a b + t` as `(a + t) b`."""
    terms = _terms(node)
    for at, term in enumerate(terms):
        if isinstance(term, ast.BinOp) and isinstance(term.op, ast.Mult):
            for other in (*terms[at + 1 :], *terms[:at]):
                rest = "".join(f" + {in_brackets(one)}" for one in terms if one not in (term, other))
                joined = f"({in_brackets(term.left)} + {in_brackets(other)}) * {in_brackets(term.right)}"
                yield text.replaced(node, f"({joined}{rest})", "brackets")
                joined = f"{in_brackets(term.left)} * ({in_brackets(term.right)} + {in_brackets(other)})"
                yield text.replaced(node, f"({joined}{rest})", "brackets")


def _terms(node: ast.expr) -> list[ast.expr]:
    """What a sum adds up; a difference is one term."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _of_element(text: Text, node: ast.Subscript, pool: Substitutes) -> Iterator[Edit]:
    """Another index, two that change places, one place further, and rows in place of columns of a flat index."""
    array, parts = ast.unparse(node.value), node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if any(isinstance(part, ast.Slice) for part in parts) or array.endswith(("shape", "strides")):
        if array.endswith(".shape") and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1, 2):
            for axis in {0, 1, 2} - {node.slice.value}:
                yield text.replaced(node, f"{array}[{axis}]", "axis")
        return
    for i in range(len(parts)):
        for j in range(i + 1, len(parts)):
            turned = [*parts]
            turned[i], turned[j] = turned[j], turned[i]
            yield text.replaced(node, f"{array}[{', '.join(map(ast.unparse, turned))}]", "indices", array)
    for at, part in enumerate(parts):
        set_there = pool.names.set_before(pool.places, part.lineno)
        for other in set_there if isinstance(part, ast.Name | ast.Constant) else ():
            if other != ast.unparse(part):
                yield text.replaced(part, other, "index", array)
        for number in (one for one in ast.walk(part) if isinstance(one, ast.Constant) and type(one.value) is int):
            yield from (text.replaced(number, str(n), "number") for n in range(MOST_OF_AN_INDEX) if n != number.value)
        for move in (" + 1", " - 1"):
            before, after = map(lambda some: [ast.unparse(one) for one in some], (parts[:at], parts[at + 1 :]))
            moved = [*before, f"{ast.unparse(part)}{move}", *after]
            yield text.replaced(node, f"{array}[{', '.join(moved)}]", "one_off", array)


def _of_attribute(text: Text, node: ast.Attribute) -> Iterator[Edit]:
    """Another axis of a position, or another position; the other end of `size` and `shape`."""
    whole = ast.unparse(node)
    if node.attr in "xyz" and isinstance(node.value, ast.Attribute):
        owner = node.value.attr
        for axis in "xyz":
            if axis != node.attr and owner in POSITIONS and axis != "z":
                yield text.replaced(node, whole[:-1] + axis, "axis")
        for other in POSITIONS.get(owner, ()):
            yield text.replaced(node, whole.replace(owner, other), "position")
        if owner == "threadIdx":
            letter = node.attr
            place = f"(cuda.blockIdx.{letter} * cuda.blockDim.{letter} + cuda.threadIdx.{letter})"
            yield text.replaced(node, place, "position")


def _of_call(text: Text, node: ast.Call, pool: Substitutes) -> Iterator[Edit]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    for other in CALLS.get(name, ()):
        func = ast.unparse(node.func).removesuffix(name) + other
        yield text.replaced(node.func, func, "call", name)
    if name in ROUNDED and len(node.args) == 1:
        yield text.replaced(node.func, "round", "call", name)
    if name == "range":
        yield from _of_range(text, node, pool)
        return
    if name in ("min", "max"):  # a limit that nobody asked for
        yield from (text.replaced(node, in_brackets(one), "too_much") for one in node.args)
    if name in CONVERSIONS and len(node.args) == 1:
        yield text.replaced(node, in_brackets(node.args[0]), "conversion")
    if ast.unparse(node) == "cuda.grid(1)":
        for other in ("cuda.threadIdx.x", "cuda.blockIdx.x"):
            yield text.replaced(node, other, "position")
    for i in range(len(node.args) - 1):
        turned = [*node.args]
        turned[i], turned[i + 1] = turned[i + 1], turned[i]
        if ast.unparse(turned[i]) != ast.unparse(turned[i + 1]):
            yield text.replaced(node, ast.unparse(changed(node, args=turned)), "arguments", name)


def _of_range(text: Text, node: ast.Call, pool: Substitutes) -> Iterator[Edit]:
    """A loop that ends or begins elsewhere, or moves by another step."""
    stop = 0 if len(node.args) == 1 else 1
    for at in range(len(node.args)):
        kind = "step" if at == 2 else "end" if at == stop else "beginning"
        moved = [f"{in_brackets(node.args[at])} {move}" for move in ("+ 1", "- 1")] if at < 2 else []
        counts = pool.names.set_before(pool.counts, node.lineno)
        others = STEPS if at == 2 else counts if at == stop else [*NUMBERS_OF_LOOPS]
        for new in (*moved, *others):
            if new != ast.unparse(node.args[at]):
                args = [new if i == at else ast.unparse(one) for i, one in enumerate(node.args)]
                yield text.replaced(node, f"range({', '.join(args)})", kind)
    if len(node.args) == 1:
        yield text.replaced(node, f"range(1, {ast.unparse(node.args[0])})", "beginning")


def _of_number(text: Text, node: ast.Constant, pool: Substitutes) -> Iterator[Edit]:
    value = node.value
    if isinstance(value, bool):
        yield text.replaced(node, str(not value), "number")
    elif isinstance(value, int | float):
        half = [value // 2] if isinstance(value, int) else [value / 2, 1 / value if value else 0.0]
        for other in dict.fromkeys((value + 1, value - 1, *NUMBERS, 2 * value, *half, -value, *pool.numbers)):
            if other != value:
                yield text.replaced(node, f"({other})" if other < 0 else str(other), "number")


def _of_condition(text: Text, node: ast.BoolOp) -> Iterator[Edit]:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield text.replaced(node, f"({ast.unparse(changed(node, op=other))})", "condition")
    for at in range(len(node.values)):
        rest = [one for i, one in enumerate(node.values) if i != at]
        left = rest[0] if len(rest) == 1 else changed(node, values=rest)
        yield text.replaced(node, f"({ast.unparse(left)})", "condition")


def _of_name(text: Text, node: ast.Name, pool: Substitutes) -> Iterator[Edit]:
    """Another array or another number; which of them are alike nobody knows here."""
    alike = pool.arrays if node.id in pool.arrays else pool.scalars if node.id in pool.scalars else ()
    for other in pool.names.alike(node.id, pool.names.set_before(alike, node.lineno)):
        if other != node.id:
            yield text.replaced(node, other, "name")
