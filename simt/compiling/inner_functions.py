"""Functions defined inside a kernel: ``def`` and ``lambda``, with the variables they read from around them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from simt.errors import UnsupportedError
from simt.lanes.blend import merge, narrow, scatter
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask


class InnerFunction:
    """A function value. captured: name -> value that the variable had when the function was defined."""

    __slots__ = ("compiled", "captured")

    def __init__(self, compiled, captured: dict):
        self.compiled, self.captured = compiled, captured

    def narrow(self, index) -> InnerFunction:
        return InnerFunction(self.compiled, {name: narrow(value, index) for name, value in self.captured.items()})

    def _previous(self, old) -> dict:
        if old is UNDEFINED:
            return dict.fromkeys(self.captured, UNDEFINED)
        if not isinstance(old, InnerFunction) or old.compiled is not self.compiled:
            raise UnsupportedError(
                "a name stands for different functions in different threads: call them inside the if"
            )
        return old.captured

    def merge(self, old, bits, mask: Mask = None) -> InnerFunction:
        before = self._previous(old)
        merged = {name: merge(before[name], value, bits, mask) for name, value in self.captured.items()}
        return InnerFunction(self.compiled, merged)

    def scatter(self, old, index, width: int) -> InnerFunction:
        before = self._previous(old)
        wide = {name: scatter(before[name], value, index, width) for name, value in self.captured.items()}
        return InnerFunction(self.compiled, wide)


def compile_inner_function(compiler: Compiler, node: ast.FunctionDef | ast.Lambda) -> Run:
    """f(env, mask) -> InnerFunction. A variable it reads must keep its value, since numba compiles that value in."""
    compiled, captured = compiler.compile_inner(node)
    for name in captured:
        stores = [
            n for n in compiler.own_nodes if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
        ]
        if len(stores) > (name not in compiler.parameters):
            raise compiler.unsupported(node, f"the inner function reads {name}, which changes: pass it as an argument")

    def run(env: Env, mask: Mask):
        return InnerFunction(compiled, {name: env.read(name, mask) for name in captured})

    return run


def compile_definition(compiler: Compiler, node: ast.FunctionDef) -> Run:
    """``def name(...)`` inside a function."""
    if node.decorator_list:
        raise compiler.unsupported(node, "a function inside a kernel takes no decorators: define it above the kernel")
    make = compile_inner_function(compiler, node)

    def run(env: Env, mask: Mask):
        env.assign(node.name, make(env, mask), mask)
        return mask

    return run
