"""Host code as for another library: names that `cuda` has not, arithmetic of device arrays, nothing returned."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from typing import Any

from autograder.answer.mistyped import close_to
from autograder.answer.program import Program
from autograder.lint.from_source.habits import KIND
from autograder.outcome import Cause
from autograder.words import count_text

DOWN, UP, ROOM = "d_x.copy_to_host()", "cuda.to_device(x)", "cuda.device_array(shape, dtype)"
OF_CUDA = {
    **dict.fromkeys(("to_host", "copy_to_host", "from_device", "asnumpy", "to_cpu"), f"`{DOWN}` copies down"),
    **dict.fromkeys(
        ("copy_to_device", "to_gpu", "asarray", "array", "memcpy", "Memcpy"), f"`{UP}` copies up, and `{DOWN}` down"
    ),
    **dict.fromkeys(
        ("malloc", "Malloc", "mem_alloc", "empty", "empty_like", "zeros", "zeros_like", "alloc"),
        f"`{ROOM}` sets memory aside",
    ),
    **dict.fromkeys(("sync", "deviceSynchronize", "device_synchronize"), "`cuda.synchronize()` waits for the device"),
    "free": "device memory is given back when its last name is gone",
}
OF_ARRAYS = dict.fromkeys(("to_host", "get", "cpu", "numpy", "to_numpy", "asnumpy", "tolist", "copy"), "copy_to_host()")


def of_device_arrays(error: BaseException) -> tuple[str, str] | None:
    """What was seen and what to write, where host code asks `cuda` or a device array for what it has not; or None."""
    if isinstance(error, TypeError) and re.search(r"unsupported operand .*'Device(ND)?Array'", str(error)):
        return (
            "Arrays on the device have no arithmetic of their own on the host.",
            "Launch a kernel that computes it, or copy down and let NumPy do it.",
        )
    if not isinstance(error, AttributeError) or not error.name:
        return None
    module, kind, name = getattr(error.obj, "__name__", ""), type(error.obj).__name__, error.name
    if module == "numba.cuda" or module.startswith("simt.cuda_api"):
        near = close_to(name, dir(error.obj))
        meant = f"In numba, {OF_CUDA[name]}." if name in OF_CUDA else f"Did you mean `cuda.{near[0]}`?" if near else ""
        return f"There is no `cuda.{name}`.", meant
    if kind in ("DeviceArray", "DeviceNDArray"):
        written = OF_ARRAYS.get(name, "")
        computed = f"Copy it down first, or compute it in a kernel: `{DOWN}`."
        return f"An array on the device has no `{name}`.", f"Write .{written}." if written else computed
    return None


def returned_nothing(error: BaseException, program: Program | None) -> tuple[str, tuple[int, ...]]:
    """What to do, and the line, where a host function returned None; ("", ()) where its source does not tell."""
    tree = program.definition if program is not None else None
    if tree is None or not str(error).startswith("it returned None"):
        return "", ()
    returns = [node for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    if returns:
        launch = returns[-1].value
        if isinstance(launch, ast.Call) and isinstance(launch.func, ast.Subscript):
            return "A launch returns nothing: return what it wrote, copied down.", (returns[-1].lineno,)
        return "", ()
    last = tree.body[-1]
    if not isinstance(last, ast.Expr):
        return "The function has no return: hand the result to its caller.", ()
    if isinstance(last.value, ast.Call) and ast.unparse(last.value.func) == "print":
        shown = ast.unparse(last.value.args[0]) if last.value.args else "..."
        return f"print shows a value, and return hands it to the caller: write `return {shown}`.", (last.lineno,)
    if isinstance(last.value, ast.Call) and not isinstance(last.value.func, ast.Subscript):
        return f"Write `return {ast.unparse(last.value)}`.", (last.lineno,)
    return "The function has no return: hand the result to its caller.", ()


def never_called(tree: ast.FunctionDef) -> tuple[Cause, ...]:
    """`kernel[blocks, threads]` as a statement: it says how to launch, and launches nothing."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Subscript):
            text = ast.unparse(node.value)
            if isinstance(node.value.slice, ast.Tuple) and isinstance(node.value.value, ast.Name):
                says = f"`{text}` says how to launch, and nothing is launched: the arguments are missing."
                found.append(Cause(KIND, KIND, says, f"Write `{text}(...)`, with the arrays.", (node.lineno,)))
    return tuple(found)


def wrong_count(tree: ast.FunctionDef | None, kernel: Callable, names: Sequence[str], passed: Sequence[Any]) -> Cause:
    """A launch with more arguments than its kernel takes, or fewer. names: of its parameters."""
    name = getattr(kernel, "__name__", "the kernel")
    calls = [
        node.lineno
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Subscript)
        and len(node.args) == len(passed)
        and ast.unparse(node.func.value) == name
    ]
    says = (
        f"{name} takes {count_text(len(names), 'argument')} ({', '.join(names)}), and this launch passes {len(passed)}."
    )
    remedy = "Pass one for each parameter, the array for the result among them: a launch returns nothing."
    return Cause("compile_error", "not_compiled", says, remedy, tuple(calls[:1]))
