"""Kernels that NVVM, the compiler below numba, refuses although nothing is wrong with them.

Seen with NVVM of CUDA 13: "Symbol name with unsupported characters" for kernels whose every name is plain ASCII, at
levels 2 and 3 of optimisation and for GPUs before Blackwell. Level 1 compiles the same text.
Seen with numba-cuda 0.30.4: "ERROR_INVALID_IR (6)", in NVVM's log "symbol multiply defined", where a device function
with a shared array is called by two functions. numba hands its module over once for each caller, and the array is the
one thing in there that may not come twice. The same comes of `np.round`, for any number, and of a float16 as a
condition.
Seen with NVVM of CUDA 13.5, with line information only: PTX that jumps to a label which stands nowhere, where a loop
in a device function has two ends. The assembler says "Unknown symbol '$L__BB0_4'". And "ERROR_COMPILATION (9)" for a
long kernel. Both end where the lines stay and nothing describes the variables.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from autograder.lint.machine_code.successor.faults import FAULT
from autograder.lint.report import NOTE, CompileError, LintFinding
from autograder.lint.source import called_functions, dotted_name, parameters, referenced_values, syntax_of
from simt.refusals import calls, numbers

_JUMP, _LABEL = re.compile(r"\bbra(?:\.uni)?\s+(\$L\w+)"), re.compile(r"^(\$L\w+):", re.MULTILINE)
DESCRIBES = 'call void @"llvm.dbg.'  # in LLVM's text, what says where a variable is
ROUNDING = ("np.round", "np.around", "numpy.round", "numpy.around")


class LostLabel(RuntimeError):
    """NVVM wrote a jump to a label that it left out. `label`: its name; `ptx`: the text, whose lines are right."""

    def __init__(self, label: str, ptx: str) -> None:
        super().__init__(f"NVVM wrote a jump to {label}, and no such label.")
        self.label, self.ptx = label, ptx


def whole(ptx: str) -> str:
    """The same text. Raises: LostLabel where a jump in it leads nowhere, which no assembler takes."""
    if lost := set(_JUMP.findall(ptx)) - set(_LABEL.findall(ptx)):
        raise LostLabel(min(lost), ptx)
    return ptx


def leave_out_variables(library: Any) -> bool:
    """Take what describes variables out of the text that NVVM is to read, whose lines stay. Returns: whether any was.

    library: numba-cuda's, of a kernel that was lowered; another compiler's is left as it is.
    """
    texts = getattr(library, "llvm_strs", None) or []
    kept = ["\n".join(line for line in text.splitlines() if DESCRIBES not in line) for text in texts]
    if all(len(text.splitlines()) == len(one.splitlines()) for text, one in zip(texts, kept, strict=True)):
        return False
    library._llvm_strs = kept
    library._ptx_cache.clear()
    return True


def is_of_nvvm(error: Exception) -> bool:
    """Whether NVVM refused it, after numba had typed and lowered it."""
    return type(error).__name__ != FAULT and "nvvm" in f"{type(error).__name__} {error}".lower()


def not_optimised(function: FunctionType) -> LintFinding:
    """The note on a kernel that was compiled at a lower level."""
    return LintFinding(
        kind="not_optimised",
        misconception="not_optimised",
        says=f"NVVM, the compiler below numba, fails while it optimises {function.__name__}, by a fault of its own. "
        "What is said of registers and instructions is of barely optimised code.",
        remedy="To launch it on a GPU, write @cuda.jit(opt=False), or one of its steps in another way.",
        lines=(function.__code__.co_firstlineno,),
        severity=NOTE,
    )


def shared_array_twice(error: Exception, kernel: FunctionType) -> CompileError | None:
    """What to say of a kernel with such a device function; None where NVVM refuses it for another reason."""
    if "INVALID_IR" not in str(error):
        return None
    functions = (kernel, *(callee for _, callee in called_functions(kernel)))
    for callee in functions[1:]:
        callers = [one for one in functions if one is not callee and _names(one, callee)]
        if len(callers) < 2 or not _has_shared_array(callee):
            continue
        both = " and ".join(f"`{one.__name__}`" for one in callers[:2])
        return CompileError(
            kind="shared_array_twice",
            misconception="not_compiled",
            says=f"`{callee.__name__}` has a shared array, and {both} both call it: numba hands that array to its "
            "compiler twice, which takes it once only.",
            remedy=f"Let one function call `{callee.__name__}`, and hand its result to the other.",
            lines=(callers[1].__code__.co_firstlineno,),
            original=str(error).strip(),
        )
    return None


def rounded_by_numpy(error: Exception, kernel: FunctionType) -> CompileError | None:
    """What to say of a kernel that calls np.round; None where it does not, or NVVM refuses something else."""
    for function in (kernel, *(callee for _, callee in called_functions(kernel))):
        tree = syntax_of(function)
        for call in ast.walk(tree) if tree and "INVALID_IR" in str(error) else ():
            if isinstance(call, ast.Call) and (name := dotted_name(call.func)) in ROUNDING:
                says, lines = calls.numpy_call(name), (call.lineno,)
                return CompileError(says.kind, "not_compiled", says.says, says.remedy, lines, str(error).strip())
    return None


def mask_elsewhere(error: Exception, kernel: FunctionType) -> CompileError | None:
    """What to say of `cuda.shfl_down_sync(value, d, 0xFFFFFFFF)`, whose mask does not come first."""
    if "INVALID_IR" not in str(error):
        return None
    for one in (kernel, *(callee for _, callee in called_functions(kernel))):
        for call in ast.walk(syntax_of(one) or ast.Module([], [])):
            if not isinstance(call, ast.Call) or not dotted_name(call.func).endswith("_sync"):
                continue
            masks = [argument for argument in call.args[1:] if _is_full_mask(argument, one)]
            if masks and not _is_full_mask(call.args[0], one):
                said = calls.mask_first(dotted_name(call.func), ast.unparse(call), ast.unparse(masks[0]))
                line = (call.lineno,)
                return CompileError(said.kind, "not_compiled", said.says, said.remedy, line, str(error).strip())
    return None


def _is_full_mask(argument: ast.expr, function: FunctionType) -> bool:
    """Whether an argument is 0xFFFFFFFF, as a number or as a constant of the module."""
    if isinstance(argument, ast.Name):
        return function.__globals__.get(argument.id) in (0xFFFFFFFF, -1)
    return isinstance(argument, ast.Constant) and argument.value == 0xFFFFFFFF


def half_as_condition(error: Exception, kernel: FunctionType, signature: tuple) -> CompileError | None:
    """What to say of a kernel with `if h[i]:` of halves; None where it has none, or NVVM refuses something else."""
    typed = zip(parameters(kernel), signature, strict=False)
    halves = {name for name, argument in typed if str(getattr(argument, "dtype", "")) == "float16"}
    tree = syntax_of(kernel)
    for condition in _conditions(tree) if tree and "INVALID_IR" in str(error) else ():
        if isinstance(condition, ast.Subscript) and ast.unparse(condition.value) in halves:
            says, lines = numbers.half_for_condition(), (condition.lineno,)
            return CompileError(says.kind, "not_compiled", says.says, says.remedy, lines, str(error).strip())
    return None


def _conditions(tree: ast.AST) -> Iterator[ast.expr]:
    """What is asked whether it holds."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            yield node.test
        elif isinstance(node, ast.BoolOp):
            yield from node.values
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "bool":
            yield from node.args


def _names(function: FunctionType, callee: FunctionType) -> bool:
    """Whether a function names another one, as a stand-in or plain."""
    return any(getattr(value, "py_func", value) is callee for value in referenced_values(function).values())


def _has_shared_array(function: FunctionType) -> bool:
    tree = syntax_of(function)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call)) if tree else ()
    return any(dotted_name(call.func).endswith("shared.array") for call in calls)
