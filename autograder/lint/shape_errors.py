"""`cuda.shared.array` and `cuda.local.array` refused: the shape is no constant, or the dtype no numba type."""

from __future__ import annotations

import ast
import re

import numpy as np

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import calls_in, parameters

_REFUSED = r"<function (shared|local)\.array"
_SIGNATURE = re.compile(r">>> array\((.*)\)")
_PYTHON_DTYPES = {"float": "float32", "int": "int32", "bool": "boolean"}


@rule("shared_shape", _REFUSED, misconception="shared_shape")
def shape(context: Context) -> Answer:
    """Why the shape is refused; None when it is the dtype."""
    call = _call(context)
    passed = _SIGNATURE.search(context.message)
    if _shape_is_constant(passed[1] if passed else ""):
        return None
    node = _argument(call, 0, "shape")
    text = ast.unparse(node) if node is not None else "the shape"
    which = f"cuda.{context.match[1]}.array"
    says = (
        f"The shape `{text}` of {which} is not a constant: numba needs the number when it compiles, before any launch."
    )
    return says, _shape_remedy(context, node, text)


@rule("array_dtype", _REFUSED)
def dtype(context: Context) -> Answer:
    """Why the dtype is refused, or that it is missing. Comes after `shape`: nothing else can be wrong with the call."""
    which = f"cuda.{context.match[1]}.array"
    call = _call(context)
    node = _argument(call, 1, "dtype")
    if node is None:
        return (
            f"{which} needs a second argument: the dtype of its elements.",
            "Write it as in float32, from numba.",
        )
    text = ast.unparse(node)
    better = _PYTHON_DTYPES.get(text, "float32")
    return (
        f"`{text}` is not a dtype that {which} takes.",
        f"Use a numba type, as in {better} (from numba import {better}).",
    )


RULES = (shape, dtype)


def _shape_is_constant(passed: str) -> bool:
    """Whether numba saw literal integers only in `array(Literal[int](32), class(float32))`."""
    shape_text = re.split(r", (?:dtype: )?(?:class|Function|dtype|Literal\[str\]|unicode|type)", passed)[0]
    return bool(shape_text) and not re.search(r"\bu?int\d+\b", re.sub(r"Literal\[int\]\(\d+\)", "", shape_text))


def _shape_remedy(context: Context, node: ast.expr | None, text: str) -> str:
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} if node is not None else set()
    if "blockDim" in text or "gridDim" in text:
        return (
            "Define the block size as a constant above the kernel, as in TPB = 256, and use it here and in the launch."
        )
    if arguments := names & set(parameters(context.function)):
        name = sorted(arguments)[0]
        return (
            f"`{name}` is an argument, known only at launch. Use a constant defined above the kernel, as in TPB = 256."
        )
    if computed := _computed_entry(node):
        constant, entry = _constant_name(computed), ast.unparse(computed)
        return f"Above the kernel, write {constant} = {entry}, and use {text.replace(entry, constant)} here."
    if local := _local_definition(context, names):
        return f"Move `{ast.unparse(local)}` above the kernel, outside it."
    for name in sorted(names):
        if isinstance(context.function.__globals__.get(name), np.integer):
            return f"`{name}` is a NumPy integer, not a Python one: write {name} = int({name}) above the kernel."
    return "Compute it above the kernel and give it a name, as in TPB = 256."


def _computed_entry(node: ast.expr | None) -> ast.BinOp | None:
    """The first entry of a shape that is arithmetic, as TPB + 1 in (TPB, TPB + 1)."""
    entries = node.elts if isinstance(node, ast.Tuple) else [node]
    return next((entry for entry in entries if isinstance(entry, ast.BinOp)), None)


def _constant_name(node: ast.BinOp) -> str:
    """TPB_PLUS_1 for TPB + 1, TPB_TIMES_2 for TPB * 2, SIZE for what is longer."""
    words = {ast.Add: "PLUS", ast.Sub: "MINUS", ast.Mult: "TIMES"}.get(type(node.op))
    simple = isinstance(node.left, ast.Name) and isinstance(node.right, (ast.Constant, ast.Name))
    return f"{node.left.id}_{words}_{ast.unparse(node.right)}" if words and simple else "SIZE"


def _local_definition(context: Context, names: set[str]) -> ast.Assign | None:
    for node in ast.walk(context.tree) if context.tree else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names:
            return node
    return None


def _call(context: Context) -> ast.Call | None:
    """The call to shared.array or local.array on the offending line."""
    calls = list(calls_in(context.tree, f"{context.match[1]}.array")) if context.tree else []
    on_line = [call for call in calls if context.line and call.lineno <= context.line <= call.end_lineno]
    return next(iter(on_line or calls), None)


def _argument(call: ast.Call | None, position: int, keyword: str) -> ast.expr | None:
    if call is None:
        return None
    if len(call.args) > position:
        return call.args[position]
    return next((word.value for word in call.keywords if word.arg == keyword), None)
