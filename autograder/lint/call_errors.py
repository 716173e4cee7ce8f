"""Calls a kernel cannot make: atomics on one cell, host functions, NumPy, misspelt names, wrong arguments."""

from __future__ import annotations

import ast
import builtins
import difflib

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


@rule("undefined_name", r"NameError: name '(\w+)' is not defined|global name '(\w+)' is not defined")
def undefined_name(context: Context) -> Answer:
    name = context.match[1] or context.match[2]
    function = context.function
    own = [word for word in (*function.__code__.co_varnames, *function.__globals__) if word != name]
    near = difflib.get_close_matches(name, own, n=1) or difflib.get_close_matches(name, dir(builtins), n=1, cutoff=0.8)
    remedy = f"Did you mean `{near[0]}`?" if near else f"Assign or import `{name}` above the kernel, and run that cell."
    return f"The name `{name}` is not defined.", remedy


@rule("missing_device", r"Untyped global name '(\w+)':?[^\n]*<class 'function'>")
def missing_device(context: Context) -> Answer:
    name = context.match[1]
    value = context.function.__globals__.get(name)
    if not (getattr(value, "__module__", "") or "").startswith(("numpy", "math", "random")):
        return (
            f"`{name}` is a plain Python function, and a kernel can only call functions compiled for the GPU.",
            f"Put @cuda.jit(device=True) above `def {name}`.",
        )
    return (
        f"`{name}` is a function of the host; it does not exist on the GPU.",
        "Use the functions of `math`, on one number.",
    )


@rule("host_object", r"Untyped global name '(\w+)':?[^\n]*<class '([^']+)'>")
def host_object(context: Context) -> Answer:
    name, kind = context.match.groups()
    if kind == "builtin_function_or_method":
        return (
            f"`{name}` is a Python function of the host; it does not exist on the GPU.",
            "Do this before or after the launch.",
        )
    return (
        f"`{name}` is a {kind.rpartition('.')[2]} of the host program, which a kernel cannot use.",
        "Pass numbers and arrays as arguments. Module constants may be numbers, tuples of numbers and NumPy arrays.",
    )


@rule("host_call", r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'")
def module_attribute(context: Context) -> Answer:
    name, module = context.match.groups()
    if module == "numba.cuda":
        return _cuda_attribute(name)
    return (
        f"`{module}.{name}` does not exist on the GPU.",
        "In a kernel use the functions of `math` on single numbers, and loops over indices.",
    )


@rule("host_call", r"module '(numba\.cuda)' has no attribute '(\w+)'")
def cuda_attribute(context: Context) -> Answer:
    return _cuda_attribute(context.match[2])


def _cuda_attribute(name: str) -> Answer:
    from numba import cuda

    if hasattr(cuda, name):
        return (
            f"`cuda.{name}` belongs to the host: a thread cannot call it.",
            "Inside a kernel the threads of a block meet at cuda.syncthreads(); the rest is done outside the kernel.",
        )
    near = difflib.get_close_matches(name, dir(cuda), n=1, cutoff=0.6)
    return (
        f"There is no `cuda.{name}`.",
        f"Did you mean `cuda.{near[0]}`?" if near else "See the list in the glossary.",
    )


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

RULES = (
    atomic_form,
    undefined_name,
    missing_device,
    host_object,
    module_attribute,
    cuda_attribute,
    numpy_function,
    wrong_call,
)
