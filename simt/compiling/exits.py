"""Compilers of the statements that lanes do not come back from: return, break, continue, raise and assert."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import KernelTypeError
from simt.lanes.blend import merge, scatter
from simt.lanes.masks import Mask
from simt.memory.refused_values import returned_type
from simt.refusals import language
from simt.values import UNDEFINED, as_lanes, truth

if TYPE_CHECKING:
    from simt.closures import Body
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env


def compile_return(compiler: Compiler, node: ast.Return) -> Body:
    """Lanes leave the function; their results are merged into those of lanes that left before."""
    value = compiler.expression(node.value) if node.value is not None else None

    def run(env: Env, mask: Mask):
        result = value(env, mask) if value is not None else None
        if result is not None:
            _merge_result(env, mask, result)
        frame = env.frame
        if frame.depth and not frame.loops and env.parent is None and mask.count == env.alive:
            return None  # the last lanes leave a device function, and nobody asks its environment any more
        env.leave(slice(None) if mask.bits is None else mask.bits, mask.count)
        return None

    return run


def _merge_result(env: Env, mask: Mask, result) -> None:
    frame, root = env.frame, env.function_root()
    if frame.depth == 0:
        raise KernelTypeError(language.returns_value(returned_type(result)))
    if env is root and (mask.bits is None or not frame.has_returned):
        frame.returned = result
    else:
        bits = env.lift(mask.bits, root)
        if env is not root:
            result = scatter(UNDEFINED, result, env.index_in(root), root.width)
        frame.returned = merge(frame.returned, result, bits) if frame.has_returned else result
    frame.has_returned = True


def compile_break(compiler: Compiler, node) -> Body:
    """Lanes leave the innermost loop."""

    def run(env: Env, mask: Mask):
        loop = env.frame.loops[-1]
        if loop.counts_breaks:
            bits = _lifted(env, mask, loop)
            loop.broken = bits if loop.broken is None else loop.broken | bits
        return None

    return run


def compile_continue(compiler: Compiler, node) -> Body:
    """Lanes wait for the next iteration of the innermost loop."""

    def run(env: Env, mask: Mask):
        loop = env.frame.loops[-1]
        bits = _lifted(env, mask, loop)
        loop.continued = bits if loop.continued is None else loop.continued | bits
        return None

    return run


def _lifted(env: Env, mask: Mask, loop) -> np.ndarray:
    bits = env.lift(mask.bits, loop.env)
    return np.ones(loop.env.width, bool) if bits is None else bits


def compile_assert(compiler: Compiler, node: ast.Assert) -> Body:
    """Threads for which it does not hold end, as where they raise; debug kernels report it after the launch."""
    condition = compiler.expression(node.test)
    if node.msg is not None:
        _check_message(compiler, node.msg)
    arguments = [node.msg.value] if isinstance(node.msg, ast.Constant) else []

    def run(env: Env, mask: Mask):
        failed = ~as_lanes(truth(condition(env, mask)), env.width)
        if mask.bits is not None:
            failed &= mask.bits
        if failed.any():
            env.batch.record_raise(env, failed, AssertionError, arguments, (compiler.name, node.lineno))
        return mask

    return run


def _check_message(compiler: Compiler, node: ast.expr) -> None:
    """Refuse what numba does not know when it compiles as a part of what an exception says."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    for part in parts:
        if not isinstance(part, ast.Constant) and compiler.static(part) is UNDEFINED:
            raise compiler.unsupported(part, language.computed_message())


def compile_raise(compiler: Compiler, node: ast.Raise) -> Body:
    """The threads end; debug kernels report the exception after the launch, others are silent, as in numba."""
    call = node.exc if isinstance(node.exc, ast.Call) else None
    kind = compiler.static(call.func if call else node.exc) if node.exc is not None else RuntimeError
    for argument in call.args if call else ():
        _check_message(compiler, argument)
    arguments = [compiler.expression(argument) for argument in call.args] if call else []

    def run(env: Env, mask: Mask):
        first = mask.first()
        values = [argument(env, mask) for argument in arguments]
        values = [value[first] if type(value) is np.ndarray else value for value in values]
        lanes = np.ones(env.width, bool) if mask.bits is None else mask.bits
        values = [v.item() if isinstance(v, np.generic) else v for v in values]
        env.batch.record_raise(env, lanes, kind, values, (compiler.name, node.lineno))
        return None

    return run
