"""Syntax of answers: what a function calls, and transformers that both matrices use."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

MEETING = (
    "syncthreads",
    "syncwarp",
    "shfl",
    "_sync",
    "shared",
    "cg",
    "activemask",
    "laneid",
)  # threads need each other
AXES = "xyz"


def function_in(tree: ast.Module, name: str) -> ast.FunctionDef:
    """The last definition of a function, which is the one that counts."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name][-1]


def cuda_calls(node: ast.AST) -> Iterator[str]:
    """What a piece of source names below cuda, as in "threadIdx.x"."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and ast.unparse(part).startswith("cuda."):
            yield ast.unparse(part)[5:]


def meets(node: ast.AST) -> bool:
    """Whether threads exchange anything, or wait for each other."""
    return any(word in name for name in cuda_calls(node) for word in MEETING)


class Positions(ast.NodeTransformer):
    """Names of positions replaced. block, thread: patterns of an axis; changed: in place of them, by name."""

    def __init__(self, block: str, thread: str, sizes: bool = False, changed: dict[str, str] | None = None):
        self.names = {f"blockIdx.{axis}": block.format(axis) for axis in AXES}
        self.names |= {f"threadIdx.{axis}": thread.format(axis) for axis in AXES}
        self.names |= changed or {}
        self.sizes = sizes

    def visit_Attribute(self, node: ast.Attribute):
        written = ast.unparse(node)
        return expression(self.names[written[5:]]) if written[5:] in self.names else node

    def visit_Call(self, node: ast.Call):
        written = ast.unparse(node.func)
        if written == "cuda.grid":
            places = [
                f"{self.names[f'blockIdx.{a}']} * cuda.blockDim.{a} + {self.names[f'threadIdx.{a}']}" for a in AXES
            ]
            return _tuple(places, node)
        if written == "cuda.gridsize" and self.sizes:
            return _tuple([f"cuda.gridDim.{axis} * cuda.blockDim.{axis}" for axis in AXES], node)
        return self.generic_visit(node)


def _tuple(parts: list[str], call: ast.Call) -> ast.expr:
    n = ast.literal_eval(call.args[0])
    return expression(f"({parts[0]})" if n == 1 else f"({', '.join(parts[:n])})")


def changed(tree: ast.Module, transformer: ast.NodeTransformer) -> ast.Module | None:
    """What a transformer makes of a tree; None where it leaves it as it is."""
    new = transformer.visit(copy.deepcopy(tree))
    return new if ast.dump(new) != ast.dump(tree) else None


def expression(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body
