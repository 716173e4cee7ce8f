"""Calls a kernel cannot make: atomics on one cell, launches, NumPy on whole arrays, wrong arguments."""

from __future__ import annotations

import ast

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import dotted_name

_ATOMIC = (
    r"not enough values to unpack|too many values to unpack|has no attribute 'dtype'|atomic|positional argument|ndim"
)


@rule("atomic_form", _ATOMIC)
def atomic_form(context: Context) -> Answer:
    calls = [call for call in context.expressions(ast.Call) if ".atomic." in dotted_name(call.func)]
    if not calls:
        return None
    call, name = calls[0], dotted_name(calls[0].func)
    if len(call.args) == 3 and not isinstance(call.args[0], ast.Subscript):
        return f"`{name}` does not work on these types.", "Bitwise atomics and inc, dec need integer arrays."
    remedy = f"Write {name}(array, index, value)."
    if call.args and isinstance(cell := call.args[0], ast.Subscript):
        value = ast.unparse(call.args[-1]) if len(call.args) > 1 else "1"
        remedy = f"Write {name}({ast.unparse(cell.value)}, {_index(cell)}, {value})."
    return (
        f"`{name}` takes the array, the index and the value as three arguments; here they are passed otherwise.",
        remedy,
    )


def _index(cell: ast.Subscript) -> str:
    text = ast.unparse(cell.slice)
    return f"({text.strip('()')})" if isinstance(cell.slice, ast.Tuple) else text


@rule("nested_launch", r"getitem\(type\(CUDADispatcher")
def nested_launch(context: Context) -> Answer:
    return "A kernel cannot launch another kernel.", "Call it as a device function, or launch both from the host."


@rule("numpy_call", r"Function\(<function (\w+) at 0x")
def numpy_function(context: Context) -> Answer:
    name = context.match[1]
    calls = [dotted_name(call.func) for call in context.expressions(ast.Call)]
    written = next((call for call in calls if call.endswith(name)), name)
    if not written.startswith(("np.", "numpy.")):
        return None
    return (
        f"`{written}` does not exist on the GPU: a thread computes one element, not a whole array.",
        "Write it as arithmetic on single elements, with a loop if it needs several.",
    )


@rule("wrong_call", r"^(?:\w+\.)?(\w+)\(\) (missing|takes|got) [^\n]*")
def wrong_call(context: Context) -> Answer:
    calls = [
        ast.unparse(call) for call in context.expressions(ast.Call) if dotted_name(call.func).endswith(context.match[1])
    ]
    written = calls[0] if calls else f"{context.match[1]}(...)"
    return f"`{written}` has the wrong arguments: {context.match[0]}.", _FORMS.get(
        context.match[1], "See its signature."
    )


_FORMS = {
    "grid": "Give the number of dimensions: cuda.grid(1), or x, y = cuda.grid(2).",
    "gridsize": "Give the number of dimensions: cuda.gridsize(1).",
    "syncthreads": "It takes none: cuda.syncthreads().",
    "shfl_sync": "Write cuda.shfl_sync(0xffffffff, value, lane).",
    "shfl_down_sync": "The mask comes first: cuda.shfl_down_sync(0xffffffff, value, delta).",
    "shfl_up_sync": "The mask comes first: cuda.shfl_up_sync(0xffffffff, value, delta).",
    "shfl_xor_sync": "The mask comes first: cuda.shfl_xor_sync(0xffffffff, value, lane_mask).",
}

RULES = (atomic_form, nested_launch, numpy_function, wrong_call)
