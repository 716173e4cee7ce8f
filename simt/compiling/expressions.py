"""Compilers of expressions. Each returns a closure ``f(env, mask) -> value``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from simt.compiling.attributes import attribute_of
from simt.compiling.branch_types import unified_with
from simt.compiling.calls import compile_call, taught_attribute
from simt.compiling.comparisons import compile_compare
from simt.compiling.counting import counted_operator
from simt.compiling.inner_functions import compile_inner_function
from simt.compiling.operands.alike import compile_alike
from simt.compiling.operands.signs import shifted
from simt.compiling.operands.surprises import surprising
from simt.compiling.refused import host_object, undefined_name, unknown_cuda_name
from simt.compiling.result_types import type_of
from simt.compiling.subscripts import compile_subscript
from simt.errors import KernelNameError, UnsupportedError
from simt.events import ArrayInfo
from simt.lanes.blend import merge
from simt.lanes.masks import Mask, narrowed
from simt.lanes.mixed import Mixed
from simt.memory.arrays import Array, row_major
from simt.numerics.operators import SYMBOLS, binary, invert, negate, positive
from simt.refusals import calls, language, names
from simt.source.recognise import CudaName, is_device_array
from simt.threads.positions import SPECIAL
from simt.values import UNDEFINED, as_lanes, denied, rebuild, truth, wrap

if TYPE_CHECKING:
    from simt.closures import Run
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env
    from simt.values import Value


def compile_constant(compiler: Compiler, node: ast.Constant) -> Run:
    """A literal: int64, float64, bool, complex128, None, a string or an array of bytes."""
    if isinstance(node.value, bytes):
        return host_value(node.value, repr(node.value))
    value = wrap(node.value)
    return lambda env, mask: value


def compile_name(compiler: Compiler, node: ast.Name) -> Run:
    """A local variable, or a global that is a constant from now on."""
    name = node.id
    if name not in compiler.locals:
        value = compiler.static(node)
        if value is UNDEFINED:
            raise KernelNameError(undefined_name(compiler, name), compiler.name, node.lineno)
        return _frozen(compiler, node, host_value(value, name), value)

    def run(env: Env, mask: Mask):
        value = env.variables.get(name, UNDEFINED)
        if value is UNDEFINED:
            value = env.get(name)
            if value is UNDEFINED:
                raise KernelNameError(names.not_assigned_yet(name))
        return value if type(value) is not Mixed else value.seen_by(mask)

    return run


def _frozen(compiler: Compiler, node: ast.expr, run: Run, value: Value) -> Run:
    """A host value's closure; what can be compared later with what the name stands for then is remembered."""
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        compiler.frozen.setdefault(ast.unparse(node), (node, run(None, None)))
    return run


def host_value(value: Value, name: str) -> Run:
    """A value of the surrounding program: a special register, a device array, a constant array, or a constant."""
    if isinstance(value, CudaName):
        return SPECIAL.get(value.path) or (lambda env, mask: value)
    if is_device_array(value):
        return lambda env, mask: env.batch.options.device_arrays[id(value)]
    refusal = host_object(value, name)
    if refusal is not None:
        raise UnsupportedError(refusal)
    if isinstance(value, bytes) and value:
        value = np.frombuffer(value, np.uint8)
    constant = constant_of(value, name)
    return lambda env, mask: constant


def constant_of(value: Value, name: str) -> Value:
    """A host value that kernels can only read: an array, a number, or a tuple of these."""
    if isinstance(value, np.ndarray) and value.ndim:
        return constant_array(value, name)
    if isinstance(value, tuple):
        return rebuild(value, (constant_of(item, f"{name}[{k}]") for k, item in enumerate(value)))
    return wrap(value)


def constant_array(value: np.ndarray, name: str) -> Array:
    """A copy of a global array, which kernels can only read."""
    value = np.ascontiguousarray(value).copy()
    strides, size = row_major(value.shape)
    info = ArrayInfo(("constant", name, id(value)), name, "constant", value.dtype, value.shape, strides, size, 0)
    return Array(value.reshape(-1), value.shape, strides, 0, info)


def compile_attribute(compiler: Compiler, node: ast.Attribute) -> Run:
    """``owner.name`` of a module (resolved now) or of a value (at run time)."""
    value = compiler.static(node)
    if isinstance(value, CudaName) and (refusal := unknown_cuda_name(compiler, node, value.path)) is not None:
        raise compiler.unsupported(node, refusal)
    if value is not UNDEFINED:
        return _frozen(compiler, node, host_value(value, node.attr), value)
    owner, name, place = compiler.expression(node.value), node.attr, compiler.place(node)
    taught = taught_attribute(compiler, name)
    return lambda env, mask: attribute_of(env, mask, owner(env, mask), name, place, taught)


def compile_list(compiler: Compiler, node: ast.List):
    """Refused: a list needs memory that a GPU thread cannot ask for."""
    raise compiler.unsupported(node, language.expression(node))


def compile_tuple(compiler: Compiler, node) -> Run:
    """``(a, b)``."""
    items = [compiler.expression(element) for element in node.elts]
    return compile_alike(compiler, node.elts, lambda env, mask: tuple([item(env, mask) for item in items]))


def compile_binary(compiler: Compiler, node: ast.BinOp):
    """``left + right``; division by zero raises in debug kernels only, as in numba."""
    symbol = SYMBOLS.get(type(node.op))
    if symbol is None:
        raise compiler.unsupported(node, calls.matrix_product(ast.unparse(node)))
    left, right = compiler.expression(node.left), compiler.expression(node.right)
    if symbol == ">>":
        shift = shifted(compiler, node, partial(binary, symbol))
        return counted_operator(compiler, node, lambda env, mask: shift(env, mask, left(env, mask), right(env, mask)))
    telling = surprising(compiler, node, symbol)
    if symbol not in ("//", "%", "/"):
        if telling is not None:
            return counted_operator(
                compiler, node, lambda env, mask: telling(env, mask, left(env, mask), right(env, mask))
            )
        return counted_operator(compiler, node, lambda env, mask: binary(symbol, left(env, mask), right(env, mask)))

    def divide(env: Env, mask: Mask):
        dividend, divisor = left(env, mask), right(env, mask)
        if env.batch.debug and hasattr(divisor, "dtype"):
            _note_zero(env, mask, divisor == 0, (compiler.name, node.lineno))
        return binary(symbol, dividend, divisor) if telling is None else telling(env, mask, dividend, divisor)

    return counted_operator(compiler, node, divide)


def _note_zero(env: Env, mask: Mask, is_zero, where: tuple[str, int]) -> None:
    """End the threads that divide by zero; the launch raises for the first."""
    lanes = as_lanes(is_zero, env.width) & (True if mask.bits is None else mask.bits)
    if lanes.any():
        env.batch.record_raise(env, lanes, ZeroDivisionError, ["division by zero"], where)


def compile_unary(compiler: Compiler, node: ast.UnaryOp) -> Run:
    """``-a``, ``+a``, ``~a`` and ``not a``."""
    operand = compiler.expression(node.operand)
    apply = {ast.USub: negate, ast.UAdd: positive, ast.Invert: invert, ast.Not: denied}[type(node.op)]
    return lambda env, mask: apply(operand(env, mask))


def compile_boolean(compiler: Compiler, node: ast.BoolOp):
    """``and`` and ``or``: the right operand is evaluated only for lanes that need it, so ``i < n and a[i]`` is safe.

    The result has the type that numba unifies those of all operands to, evaluated or not.
    """
    operands = [compiler.expression(operand) for operand in node.values]
    is_and = isinstance(node.op, ast.And)
    types = [type_of(compiler, operand) for operand in node.values]

    def unified(env: Env, mask: Mask):
        result = run(env, mask)
        for find in types:
            result = unified_with(result, find(env))
        return result

    def run(env: Env, mask: Mask):
        result = operands[0](env, mask)
        for operand in operands[1:]:
            condition = truth(result)
            if type(condition) is not np.ndarray:
                if condition != is_and:
                    return result
                result = operand(env, mask)
                continue
            wanted = narrowed(mask, condition if is_and else ~condition)
            if wanted is None:
                return result
            value = operand(env, wanted)
            result = value if wanted is mask else merge(result, value, wanted.bits, wanted)
        return result

    return run if _is_condition(node) else unified


def _is_condition(node: ast.expr) -> bool:
    """Whether the source alone shows that an expression is a bool."""
    if isinstance(node, ast.BoolOp):
        return all(map(_is_condition, node.values))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def compile_conditional(compiler: Compiler, node: ast.IfExp) -> Run:
    """``a if condition else b``: each side is evaluated for its own lanes, the results are unified."""
    condition, then, otherwise = (compiler.expression(part) for part in (node.test, node.body, node.orelse))
    type_of_then, type_of_otherwise = type_of(compiler, node.body), type_of(compiler, node.orelse)

    def only_then(env: Env, mask: Mask):
        return unified_with(then(env, mask), type_of_otherwise(env))

    def only_otherwise(env: Env, mask: Mask):
        return unified_with(otherwise(env, mask), type_of_then(env))

    def run(env: Env, mask: Mask):
        value = truth(condition(env, mask))
        if type(value) is not np.ndarray:
            return only_then(env, mask) if value else only_otherwise(env, mask)
        yes = narrowed(mask, value)
        if yes is mask:
            return only_then(env, mask)
        if yes is None:
            return only_otherwise(env, mask)
        on_yes = then(env, yes)
        no = Mask(~value if mask.bits is None else mask.bits & ~value, mask.count - yes.count)
        return merge(otherwise(env, no), on_yes, yes.bits, yes)

    return run


COMPILERS: dict[type, Callable] = {
    ast.Constant: compile_constant, ast.Name: compile_name, ast.Attribute: compile_attribute, ast.Tuple: compile_tuple,
    ast.List: compile_list, ast.BinOp: compile_binary, ast.UnaryOp: compile_unary, ast.Compare: compile_compare,
    ast.BoolOp: compile_boolean, ast.IfExp: compile_conditional, ast.Subscript: compile_subscript,
    ast.Lambda: compile_inner_function,
}  # fmt: skip

__all__ = ["COMPILERS", "compile_call"]
