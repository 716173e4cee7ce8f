"""`cuda.shared.array` and `cuda.local.array` refused: the shape is no constant, or the dtype no numba type."""

from __future__ import annotations

import ast
import re

from autograder.lint.rule import Answer, Context, rule
from autograder.lint.source import calls_in, parameters
from simt.refusals import shapes

_REFUSED = r"<function (shared|local)\.array"
_SIGNATURE = re.compile(r">>> array\((.*)\)")


@rule(_REFUSED, misconception="shared_shape")
def shape(context: Context) -> Answer:
    """Why the shape is refused; None when it is the dtype."""
    passed = _SIGNATURE.search(context.message)
    if _shape_is_constant(passed[1] if passed else ""):
        return None
    node = _argument(_call(context), 0, "shape")
    function = context.function
    return shapes.not_constant(_which(context), node, context.tree, parameters(function), function.__globals__)


@rule(_REFUSED)
def dtype(context: Context) -> Answer:
    """Why the dtype is refused, or that it is missing. Comes after `shape`: nothing else can be wrong with the call."""
    node = _argument(_call(context), 1, "dtype")
    return shapes.no_dtype(_which(context)) if node is None else shapes.not_a_dtype(_which(context), ast.unparse(node))


RULES = (shape, dtype)


def _which(context: Context) -> str:
    return f"cuda.{context.match[1]}.array"


def _shape_is_constant(passed: str) -> bool:
    """Whether numba saw literal integers only in `array(Literal[int](32), class(float32))`."""
    shape_text = re.split(r", (?:dtype: )?(?:class|Function|dtype|Literal\[str\]|unicode|type)", passed)[0]
    return bool(shape_text) and not re.search(r"\bu?int\d+\b", re.sub(r"Literal\[int\]\(\d+\)", "", shape_text))


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
