"""Names a kernel cannot use: undefined, misspelt, or belonging to the host."""

from __future__ import annotations

import builtins
import difflib
import importlib
from typing import Any

from autograder.lint.rule import Answer, Context, rule

_CONSTANTS = "Pass it as an argument. Module constants may be numbers, tuples of numbers and NumPy arrays."


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
    if (getattr(value, "__module__", "") or "").startswith(("numpy", "math", "random")):
        return (
            f"`{name}` is a function of the host; it does not exist on the GPU.",
            "Use the functions of `math`, on one number.",
        )
    return (
        f"`{name}` is a plain Python function, and a kernel can only call functions compiled for the GPU.",
        f"Put @cuda.jit(device=True) above `def {name}`.",
    )


@rule("host_object", r"Untyped global name '(\w+)':?[^\n]*<class '([^']+)'>")
def host_object(context: Context) -> Answer:
    name, kind = context.match.groups()
    if kind in ("builtin_function_or_method", "type"):
        return f"Python's `{name}` belongs to the host; it does not exist on the GPU.", "Do this on the host."
    return f"`{name}` is a {kind.rpartition('.')[2]} of the host program, which a kernel cannot use.", _CONSTANTS


@rule("host_object", r"= (?:global|freevar)\((\w+): [\[{]")
def host_list(context: Context) -> Answer:
    name = context.match[1]
    return (
        f"`{name}` is a Python list or set, which a kernel cannot use.",
        f"Make it constant: {name} = np.array({name}).",
    )


@rule(
    "host_call",
    r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'|module '([\w.]+)' has no attribute '(\w+)'",
)
def module_attribute(context: Context) -> Answer:
    name, module = context.match[1] or context.match[4], context.match[2] or context.match[3]
    owner, written = importlib.import_module(module), f"{module.removeprefix('numba.')}.{name}"
    if not hasattr(owner, name):
        return _misspelt(owner, name, written)
    if module == "numba.cuda":
        return (
            f"`{written}` belongs to the host: a thread cannot call it.",
            "Inside a kernel the threads of a block meet at cuda.syncthreads(); the rest is done outside the kernel.",
        )
    return (
        f"`{written}` does not exist on the GPU.",
        "In a kernel use the functions of `math` on single numbers, and loops over indices.",
    )


@rule("host_call", r"type object '(\w+)' has no attribute '(\w+)'")
def cuda_attribute(context: Context) -> Answer:
    from numba import cuda

    space, name = context.match.groups()
    owner = getattr(cuda, space, None)
    return _misspelt(owner, name, f"cuda.{space}.{name}") if owner is not None else None


def _misspelt(owner: Any, name: str, written: str) -> Answer:
    near = difflib.get_close_matches(name, dir(owner), n=1)
    prefix = written.removesuffix(name)
    return f"There is no `{written}`.", f"Did you mean `{prefix}{near[0]}`?" if near else "Look up its name."


RULES = (undefined_name, missing_device, host_object, host_list, module_attribute, cuda_attribute)
