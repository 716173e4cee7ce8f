"""Calls a kernel cannot make: atomics on one cell, launches, NumPy on whole arrays, wrong arguments."""

from __future__ import annotations

import ast

from simt.refusals import Refusal

FORMS = {
    "grid": "Give the number of dimensions: cuda.grid(1), or x, y = cuda.grid(2).",
    "gridsize": "Give the number of dimensions: cuda.gridsize(1).",
    "syncthreads": "It takes none: cuda.syncthreads().",
    "syncwarp": "It takes none, or a mask: cuda.syncwarp(), cuda.syncwarp(mask).",
    "threadfence": "It takes none: cuda.threadfence().",
    "shfl_sync": "Write cuda.shfl_sync(0xffffffff, value, lane).",
    "shfl_down_sync": "The mask comes first: cuda.shfl_down_sync(0xffffffff, value, delta).",
    "shfl_up_sync": "The mask comes first: cuda.shfl_up_sync(0xffffffff, value, delta).",
    "shfl_xor_sync": "The mask comes first: cuda.shfl_xor_sync(0xffffffff, value, lane_mask).",
    "all_sync": "The mask comes first: cuda.all_sync(0xffffffff, condition).",
    "any_sync": "The mask comes first: cuda.any_sync(0xffffffff, condition).",
    "ballot_sync": "The mask comes first: cuda.ballot_sync(0xffffffff, condition).",
}


def atomic_types(name: str) -> Refusal:
    """name: "cuda.atomic.and_" on an array of floats, or "cuda.atomic.inc" on one of int32."""
    wraps = name.endswith((".inc", ".dec"))
    plain = name.replace(".inc", ".add").replace(".dec", ".sub")
    remedy = (
        f"It needs an array of uint32 or uint64, and wraps round at its last argument. To count, write "
        f"{plain}(array, index, 1), which takes int32, too."
        if wraps
        else "Bitwise atomics, exch and cas need an array of integers."
    )
    return Refusal("atomic_form", f"`{name}` does not work on these types.", remedy)


def atomic_index(name: str, call: ast.Call) -> Refusal:
    """call: `cuda.atomic.add(total, (0,), x)`, on an array of one axis."""
    index = call.args[1]
    inner = ast.unparse(index.elts[0]) if isinstance(index, ast.Tuple) and index.elts else "i"
    return Refusal(
        "atomic_form",
        f"`{name}` takes one number as the index of an array with one axis; `{ast.unparse(index)}` is a tuple.",
        f"Write {name}({ast.unparse(call.args[0])}, {inner}, {ast.unparse(call.args[-1])}).",
    )


OPERATORS: dict[str, ast.operator] = {
    "add": ast.Add(), "subtract": ast.Sub(), "multiply": ast.Mult(), "divide": ast.Div(), "true_divide": ast.Div(),
    "floor_divide": ast.FloorDiv(), "power": ast.Pow(), "mod": ast.Mod(), "remainder": ast.Mod(),
}  # fmt: skip
OF_NUMBERS = {name: f"math.{name}" for name in "sqrt exp expm1 log1p floor ceil trunc fabs fmod".split()}
OF_NUMBERS |= {"abs": "abs", "absolute": "abs"}


def numpy_operator(call: ast.Call) -> Refusal:
    """call: `np.add(a[i], b[i])`."""
    name = ast.unparse(call.func).rpartition(".")[2]
    remedy = "Use operators and the functions of `math` on single numbers."
    if name in OPERATORS and len(call.args) == 2:
        remedy = f"Write {ast.unparse(ast.BinOp(call.args[0], OPERATORS[name], call.args[1]))}."
    elif name in OF_NUMBERS and not call.keywords:
        remedy = f"Write {OF_NUMBERS[name]}({', '.join(map(ast.unparse, call.args))}), on single numbers."
    return Refusal("host_call", f"`{ast.unparse(call)}` does not compile for the GPU.", remedy)


def mask_first(name: str, written: str, mask: str) -> Refusal:
    """A call of the warp's lanes whose mask stands elsewhere. mask: as it is written."""
    return Refusal(
        "mask_first",
        f"`{written}` has the mask, `{mask}`, in another place than the first, so the first argument is taken for it.",
        FORMS.get(name.removeprefix("cuda."), FORMS["shfl_sync"]),
    )


def matrix_product(text: str) -> Refusal:
    """text: "a @ b"."""
    return Refusal(
        "matrix_product",
        f"`{text}` multiplies whole matrices, and a thread computes one element at a time.",
        "Write the sum of products of one element as a loop.",
    )


def operand_type(name: str, dtype: str, taken: str) -> Refusal:
    """name: "cuda.atomic.add", of elements of type `dtype`; taken: the types it works on."""
    return Refusal("atomic_form", f"`{name}` does not work on {dtype}.", f"It takes {taken}: convert what it is given.")


BARRIERS_THAT_COUNT = ("syncthreads_count", "syncthreads_and", "syncthreads_or")
VOTES = ("all_sync", "any_sync", "eq_sync", "ballot_sync")


def condition_type(call: ast.Call, dtype: str) -> Refusal:
    """call: `cuda.syncthreads_count(x[i] > 0)`, whose last argument is of type `dtype`."""
    name, condition = ast.unparse(call.func), ast.unparse(call.args[-1])
    counts = name.rpartition(".")[2] in BARRIERS_THAT_COUNT
    zero = condition if dtype == "bool" else f"{condition} != 0"
    taken, instead = ("an integer", f"int32({zero})") if counts else ("a bool or an integer", zero)
    return Refusal("wrong_types", f"`{name}` takes {taken}; `{condition}` is a {dtype}.", f"Write {instead} there.")


def atomic_form(name: str, call: ast.Call) -> Refusal:
    """The array, the index or the value is missing, or the first two are one: `cuda.atomic.add(h[i], 1)`."""
    swaps = name.endswith(".cas")
    arguments = "array, index, old, value" if swaps else "array, index, value"
    remedy = f"Write {name}({arguments})."
    if call.args and isinstance(cell := call.args[0], ast.Subscript):
        value = ast.unparse(call.args[-1]) if len(call.args) > 1 else "1"
        remedy = f"Write {name}({ast.unparse(cell.value)}, {_index(cell)}, {value})."
    says = f"`{name}` takes the array, the index and the value as three arguments; here they are passed otherwise."
    if swaps:
        says = f"`{name}` takes four arguments: the array, the index, the value to expect and the one to put there."
    return Refusal("atomic_form", says, remedy)


def atomic_of_number(name: str) -> Refusal:
    """What should be an array is a number."""
    says = f"`{name}` updates an element of an array, and what comes first here is no array."
    return Refusal("atomic_form", says, f"Write {name}(array, index, value).")


def _index(cell: ast.Subscript) -> str:
    text = ast.unparse(cell.slice)
    return f"({text.strip('()')})" if isinstance(cell.slice, ast.Tuple) else text


def nested_launch() -> Refusal:
    """`other[grid, block](...)` inside a kernel."""
    return Refusal(
        "nested_launch",
        "A kernel cannot launch another kernel.",
        "Call it as a device function, or launch both from the host.",
    )


def numpy_call(written: str) -> Refusal:
    """written: "np.linalg.norm"."""
    remedy = "Write it as arithmetic on single elements, with a loop if it needs several."
    if written.endswith((".round", ".around")):
        remedy = "Python's own takes one number: round(x), or round(x, 2)."
    says = f"`{written}` does not exist on the GPU: a thread computes one element, not a whole array."
    return Refusal("numpy_call", says, remedy)


def wrong_arguments(written: str, name: str, detail: str) -> Refusal:
    """written: "cuda.grid()"; name: "grid"; detail: Python's complaint, told where there is no better remedy."""
    form = FORMS.get(name)
    says = f"`{written}` has the wrong arguments" + (f": {detail}." if form is None else ".")
    return Refusal("wrong_call", says, form or "See its signature.")


def no_element_type(text: str) -> Refusal:
    """text: "x.view(n)"."""
    return Refusal("wrong_types", f"`{text}` is given no type of elements.", "Name one, as in x.view(np.int32).")
