"""Says which operand of a statement is no number, where Python or NumPy could not work with it.

The operands are worked out once more, one by one: the statement has failed, so whatever they do is without effect.
"""

from __future__ import annotations

import ast
import enum
import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.inner_functions import InnerFunction
from simt.errors import SimtError
from simt.events.emit import Emitter
from simt.memory.arrays import Array
from simt.memory.records import Record
from simt.memory.sequences import Elements
from simt.refusals import Refusal, types
from simt.source.recognise import CudaName, is_numba_type, python_function
from simt.threads.cooperative import GridGroup
from simt.threads.positions import Dim3
from simt.values import is_lane, number

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env

GO_THROUGH = {"tuple", "enumerate", "zip", "len", "sum"}  # of Python's functions: what takes several values at once
ANYTHING = {"print", "isinstance", "type"}


def misfit_of(compiler: Compiler, env: Env, nodes: list[ast.AST]) -> Refusal | None:
    """The refusal of the innermost operand that does not fit; None where all are what they should be."""
    for node in reversed(nodes):
        for operand, wanted in _operands(node):
            kind = _kind(compiler, env, operand)
            if kind and kind != wanted and not (wanted == "several" and kind in ("array", "tuple", "sequence")):
                what = kind if kind != "number" else "one number"
                return types.misfit(ast.unparse(operand), what, ast.unparse(node), wanted)
    return None


def miscounted(error: Exception, nodes: list[ast.AST]) -> Refusal | None:
    """The refusal of a call with too few arguments, or too many, which Python complains of."""
    written = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call)]
    complains = any(words in str(error) for words in ("positional argument", "expected at least", "not iterable"))
    if not isinstance(error, TypeError) or not complains or not written:
        return None
    return types.miscounted(written[-1])


def unanswered(error: Exception, nodes: list[ast.AST]) -> Refusal | None:
    """The refusal of an operation that NumPy has not for the types that it was given, dates for one."""
    says = str(error)
    of_numpy, of_ours = says.startswith(("ufunc", "The DType")), not any(map(str.isalnum, says))  # "=="
    if not isinstance(error, TypeError) or not (of_numpy or of_ours):
        return None
    operations = ast.BinOp | ast.UnaryOp | ast.Compare | ast.Call | ast.AugAssign
    written = [ast.unparse(node) for node in nodes if isinstance(node, operations)]
    return types.unanswered(written[0]) if written else None


def _operands(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The operands of one node, each with what it has to be: "number" or "several"."""
    if isinstance(node, ast.BinOp):
        yield from ((node.left, "number"), (node.right, "number"))
    elif isinstance(node, ast.AugAssign):
        yield from ((_read(node.target), "number"), (node.value, "number"))
    elif isinstance(node, ast.UnaryOp):
        yield node.operand, "number"
    elif isinstance(node, ast.Compare):
        yield from ((side, "number") for side in (node.left, *node.comparators))
    elif isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            ends = (part.lower, part.upper, part.step) if isinstance(part, ast.Slice) else (part,)
            yield from ((end, "number") for end in ends if end is not None)
    elif isinstance(node, ast.Assign) and isinstance(node.targets[-1], ast.Subscript | ast.Attribute):
        yield node.value, "number"
    elif isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        wanted = "several" if name in GO_THROUGH else "number"
        yield from ((argument, wanted) for argument in node.args if name not in ANYTHING)


def _read(target: ast.expr) -> ast.expr:
    """The value that `target += 1` reads."""
    return ast.parse(ast.unparse(target), mode="eval").body


def _kind(compiler: Compiler, env: Env, node: ast.expr) -> str:
    """What an operand is: "number", "array", "tuple", ... ""; where it cannot be told."""
    if isinstance(node, ast.Starred):
        return ""
    try:
        value = compiler.static(node) if isinstance(node, ast.Name | ast.Attribute) else None
        if isinstance(value, np.ndarray):
            return "array"
        if value is None or not _described(value):
            value = _in_silence(compiler, env, node)
    except (SimtError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return ""
    return _described(value)


def _in_silence(compiler: Compiler, env: Env, node: ast.expr):
    """The value of an expression for every lane, those that a guard keeps out as well: nobody is told what they do."""
    emit = env.batch.emit
    if emit is not None:  # steps that are compiled to tell need somebody who takes it
        env.batch.emit = Emitter((), emit.launch)
        env.batch.emit.batch = emit.batch
    try:
        return compiler.expression(node)(env, env.full)
    finally:
        env.batch.emit = emit


def _described(value) -> str:
    if isinstance(value, enum.Enum) and not isinstance(value, enum.IntEnum):
        return "member"
    value = number(value)
    if isinstance(value, np.generic) and not isinstance(value, np.void) or is_lane(value):
        return "number"
    for kind, name in KINDS:
        if isinstance(value, kind):
            return name
    if value is None:
        return "None"
    if inspect.ismodule(value):
        return "module"
    if is_numba_type(value) or isinstance(value, type):
        return "type"
    return "function" if isinstance(value, CudaName) or python_function(value) or callable(value) else ""


KINDS = (
    ((int, float, complex), "number"),
    ((Array, np.ndarray), "array"),
    (Record, "record"),
    (np.void, "record"),
    (Dim3, "position"),
    (tuple, "tuple"),
    (Elements, "sequence"),
    (str, "text"),
    (slice, "slice"),
    (type(...), "ellipsis"),
    (np.dtype, "type"),
    (InnerFunction, "function"),
    (GridGroup, "group of threads"),
)
