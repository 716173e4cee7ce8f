"""`cuda.shared.array` and `cuda.local.array`: the shape is no constant, or the dtype no numba type."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from simt.refusals import Refusal
from simt.source.walking import walk

PYTHON_DTYPES = {"float": "float32", "int": "int32", "bool": "boolean", "complex": "complex64"}


def not_constant(
    which: str, shape: ast.expr | None, tree: ast.AST | None, parameters: Collection[str], known: Mapping[str, Any]
) -> Refusal:
    """which: "cuda.shared.array"; tree: the function; parameters: its own; known: the names outside it."""
    text = ast.unparse(shape) if shape is not None else "the shape"
    says = (
        f"The shape `{text}` of {which} is not a constant: numba needs the number when it compiles, before any launch."
    )
    return Refusal("shared_shape", says, _instead(shape, text, tree, parameters, known))


def _instead(shape, text: str, tree, parameters: Collection[str], known: Mapping[str, Any]) -> str:
    names = {inner.id for inner in walk(shape) if isinstance(inner, ast.Name)} if shape is not None else set()
    if "blockDim" in text or "gridDim" in text:
        return (
            "Define the block size as a constant above the kernel, as in TPB = 256, and use it here and in the launch."
        )
    if arguments := names & set(parameters):
        name = sorted(arguments)[0]
        return (
            f"`{name}` is an argument, known only at launch. Use a constant defined above the kernel, as in TPB = 256."
        )
    if computed := _computed_entry(shape):
        constant, entry = _constant_name(computed), ast.unparse(computed)
        return f"Above the kernel, write {constant} = {entry}, and use {text.replace(entry, constant)} here."
    if local := _local_definition(tree, names):
        return f"Move `{ast.unparse(local)}` above the kernel, outside it."
    for name in sorted(names):
        if isinstance(known.get(name), np.integer):
            return f"`{name}` is a NumPy integer, not a Python one: write {name} = int({name}) above the kernel."
    return "Compute it above the kernel and give it a name, as in TPB = 256."


def _computed_entry(shape: ast.expr | None) -> ast.BinOp | None:
    """The first entry of a shape that is arithmetic, as TPB + 1 in (TPB, TPB + 1)."""
    entries = shape.elts if isinstance(shape, ast.Tuple) else [shape]
    return next((entry for entry in entries if isinstance(entry, ast.BinOp)), None)


def _constant_name(node: ast.BinOp) -> str:
    """TPB_PLUS_1 for TPB + 1, TPB_TIMES_2 for TPB * 2, SIZE for what is longer."""
    words = {ast.Add: "PLUS", ast.Sub: "MINUS", ast.Mult: "TIMES"}.get(type(node.op))
    if words and isinstance(node.left, ast.Name) and isinstance(node.right, (ast.Constant, ast.Name)):
        return f"{node.left.id}_{words}_{ast.unparse(node.right)}"
    return "SIZE"


def _local_definition(tree: ast.AST | None, names: set[str]) -> ast.Assign | None:
    for node in walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names:
            return node
    return None


def no_dtype(which: str) -> Refusal:
    """The second argument is missing."""
    return Refusal(
        "array_dtype",
        f"{which} needs a second argument: the dtype of its elements.",
        "Write it as in float32, from numba.",
    )


def not_a_dtype(which: str, text: str) -> Refusal:
    """The second argument is there, as `text`, and no type of numba."""
    better = PYTHON_DTYPES.get(text, "float32")
    return Refusal(
        "array_dtype",
        f"`{text}` is not a dtype that {which} takes.",
        f"Use a numba type, as in {better} (from numba import {better}).",
    )


def no_elements(which: str, shape: tuple[int, ...]) -> Refusal:
    """An extent is 0 or negative, and the array is no dynamic shared memory."""
    return Refusal(
        "array_shape",
        f"An array of shape {shape} has no elements, and {which} makes none without.",
        "Give every axis at least one. Dynamic shared memory has one axis: cuda.shared.array(0, float32).",
    )
