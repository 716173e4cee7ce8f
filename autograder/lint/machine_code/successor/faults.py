"""Faults of numba-cuda-mlir that a learner may meet: what it computes wrong, by line, and what it fails on.

Each is shown by the smallest kernel that has it, in `KERNELS`: a test compiles them, so that a fault which a newer
version has mended is seen, and docs/compilers.md quotes them. Seen with numba-cuda-mlir 0.6.0.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from autograder.lint.report import CompileError, LintFinding
from autograder.lint.source import called_functions, dotted_name, syntax_of
from simt.compilers import MLIR, NUMBA_CUDA, VARIABLE

FAULT = "CompilerFault"  # the class that `successor` raises
OTHER_COMPILER = f"The kernel may be right: with {VARIABLE}={NUMBA_CUDA} the other compiler compiles it."
NARROW = ("uint8", "uint16", "uint32")

KERNELS = {  # fault -> the smallest kernel that has it; `x` and `out` are arrays of one axis
    "narrow_index": "def kernel(keys, out):  # keys: uint8, uint16 or uint32\n    out[keys[0]] = 1\n",
    "round_half": "def kernel(x, out):  # x: float32\n    out[0] = round(x[0])\n",
    "no_code": "def kernel(out):\n    cuda.threadfence()\n    out[0] = 1\n",
    "cas_of_numbers": "def kernel(out):  # out: int32\n    cuda.atomic.cas(out, 0, 0, 1)\n",
    "shared_in_device_function": (
        '@cuda.jit(device=True, inline="never")  # as a function of more than 64 steps is\n'
        "def first(value):\n    tile = cuda.shared.array(32, float32)\n    tile[cuda.threadIdx.x] = value\n"
        "    cuda.syncthreads()\n    return tile[0]\n\n\n"
        "def kernel(x, out):\n    out[0] = first(x[0])\n"
    ),
    "tuples_of_tuples": (
        "def kernel(x, out):\n    sums = (x[0], x[1]), (x[2], x[3])\n    for _ in range(2):\n"
        "        sums = sums[1], sums[0]\n    out[0] = sums[0][0]\n"
    ),
}
WRONG = ("narrow_index", "round_half")  # those that compile, and compute something else
TITLES = {
    "narrow_index": "An unsigned index of fewer than 64 bits is read as signed",
    "round_half": "`round` of a half goes away from zero",
    "no_code": "`cuda.threadfence`, its kin, and `cuda.lanemask_lt` have no code",
    "cas_of_numbers": "`cuda.atomic.cas` of numbers that are written out, where the array is not int64",
    "shared_in_device_function": "A shared array of a device function that is not inlined",
    "tuples_of_tuples": "A tuple of tuples that is set again",
}


def wrong_results(typed: Iterable[Any]) -> Iterator[LintFinding]:
    """A warning for each line that the compiler in use computes otherwise than numba-cuda. typed: kernel, callees."""
    narrow: dict[str, set[int]] = {}
    rounded: set[int] = set()
    for function in typed:
        for statement in (one for block in function.blocks.values() for one in block.body):
            for kind in filter(None, (_narrow(function.typemap, index) for index in _indices(statement))):
                narrow.setdefault(kind, set()).add(statement.loc.line)
            if _rounds(function.typemap, getattr(statement, "value", None)):
                rounded.add(statement.loc.line)
    for kind, lines in narrow.items():
        yield LintFinding(
            kind="narrow_index",
            misconception="compiler_fault",
            says=f"The index is {kind}, and {MLIR} reads it as signed: where its top bit is set, it leads before the "
            "array. numba-cuda reads it as it is.",
            remedy="Write int64(...) around the index.",
            lines=tuple(sorted(lines)),
        )
    if rounded:
        yield LintFinding(
            kind="round_half",
            misconception="compiler_fault",
            says=f"{MLIR} rounds halves away from zero: round(2.5) is 3. In Python, NumPy and numba-cuda it is 2.",
            remedy="Write int(cuda.libdevice.rintf(x)) for a float32, or cuda.libdevice.rint(x) for a float64.",
            lines=tuple(sorted(rounded)),
        )


def _indices(statement: Any) -> Iterator[Any]:
    """The variables that a statement indexes an array with, those of an atomic operation included."""
    kind, value = type(statement).__name__, getattr(statement, "value", None)
    if kind == "SetItem":
        yield statement.index
    elif getattr(value, "op", "") == "getitem":
        yield value.index
    elif getattr(value, "op", "") == "call" and len(value.args) in (3, 4):
        yield value.args[1]


def _narrow(typemap: dict[str, Any], variable: Any) -> str:
    """The type of an index that is read wrongly; "" for others. A tuple's parts count."""
    kind = str(typemap.get(getattr(variable, "name", ""), ""))
    return next((narrow for narrow in NARROW if re.search(rf"\b{narrow}\b", kind) and "array" not in kind.lower()), "")


def _rounds(typemap: dict[str, Any], value: Any) -> bool:
    """Whether a value is Python's `round` of a float to a whole number."""
    if getattr(value, "op", "") != "call" or len(value.args) != 1 or value.kws:
        return False
    return "function round" in str(typemap.get(value.func.name)) and "float" in str(typemap.get(value.args[0].name))


def explained(error: Exception, kernel: FunctionType, line: int | None) -> CompileError | None:
    """What to say where the compiler failed inside itself; None for whatever else is wrong. line: the compiler's."""
    if type(error).__name__ != FAULT:
        return None
    kind, why, names = _cause(str(error))
    lines = tuple(_calls(kernel, names)) or ((line,) if line else ())
    return CompileError(
        kind=kind,
        misconception="not_compiled",
        says=f"{MLIR} fails inside itself here: {why}.",
        remedy=OTHER_COMPILER,
        lines=lines,
        original=str(error).strip(),
    )


def _cause(says: str) -> tuple[str, str, tuple[str, ...]]:
    """(kind, why, ends of the names of the calls that it is about)."""
    if found := re.search(r"NotImplemented lowering call to .*?\n\s*function:\s+(\w+)", says, re.DOTALL):
        return "no_code", f"it has no code for `{found[1]}`", (found[1],)
    if "arith.select" in says:
        why = "it compares numbers that are written out, which are int64, with the array's own, which are not"
        return "cas_of_numbers", f"{why}: write int32(0) and the like", ("atomic.cas",)
    if "valid global memref" in says:
        why = "it loses the shared array of a device function that it calls, and does not inline"
        return "shared_in_device_function", why, ("shared.array",)
    if "element_type: tuple" in says:
        return "tuples_of_tuples", "a tuple of tuples, or of arrays, is set again", ()
    return "compiler_fault", "it gives no reason that names a line", ()


def _calls(kernel: FunctionType, names: tuple[str, ...]) -> list[int]:
    """The lines of a kernel, and of what it calls, with a call of one of these names."""
    trees = [syntax_of(one) for one in (kernel, *(callee for _, callee in called_functions(kernel)))]
    nodes = (node for tree in trees if tree for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sorted({node.lineno for node in nodes if names and dotted_name(node.func).endswith(names)})
