"""Shared, local and constant arrays, and the rule that their shape is known before the kernel runs."""

from __future__ import annotations

import ast
import contextlib
import inspect
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from simt.errors import InvalidLaunchError, UnsupportedError
from simt.events import ArrayInfo
from simt.hardware import MAX_CONSTANT_BYTES, MAX_DYNAMIC_SHARED_BYTES, MAX_LOCAL_BYTES, MAX_STATIC_SHARED_BYTES
from simt.memory.arrays import Array, row_major
from simt.refusals import Refusal, shapes
from simt.source.recognise import dtype_of
from simt.values import UNDEFINED

if TYPE_CHECKING:
    from simt.compiling.compiler import Compiler
    from simt.lanes.masks import Env, Mask
    from simt.source.sites import Place

ALIGNMENT = 16  # bytes
POISON = 0xCB


_fills: list[int] = []  # the last one is used in place of POISON


@contextlib.contextmanager
def starting_with(fill: int) -> Iterator[None]:
    """While the block runs, fresh memory is filled with this byte, and nothing betrays who reads it."""
    _fills.append(fill)
    try:
        yield
    finally:
        _fills.pop()


def poisoned(size: int, dtype: np.dtype) -> np.ndarray:
    """Fresh memory that betrays who reads it before writing: NaN, or bytes 0xCB."""
    memory = np.empty(size, dtype)
    if dtype.kind == "b":
        memory.fill(not _fills or bool(_fills[-1]))
    elif _fills:
        memory.view(np.uint8).fill(_fills[-1])
    elif dtype.kind in "fc":
        memory.fill(np.nan)
    else:
        memory.view(np.uint8).fill(POISON)
    return memory


def check_allocation(compiler: Compiler, call: ast.Call, place: Place) -> None:
    """Refuse what numba refuses: a shape that it does not know when it compiles, and Python types as dtype."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    shape = call.args[0] if call.args else keywords.get("shape")
    dtype = call.args[1] if len(call.args) > 1 else keywords.get("dtype")
    if isinstance(shape, ast.Name) and _is_parameter(compiler, shape.id):
        place.literal_parameter = shape.id
    elif shape is None or not is_constant(compiler, shape):
        raise compiler.unsupported(call, _not_constant(compiler, call, shape))
    which = ast.unparse(call.func)
    if dtype is None:
        raise compiler.unsupported(call, shapes.no_dtype(which))
    if compiler.static(dtype) in (int, float, bool, complex):
        raise compiler.unsupported(call, shapes.not_a_dtype(which, ast.unparse(dtype)))
    place.refusal = _not_constant(compiler, call, shape)


def _not_constant(compiler: Compiler, call: ast.Call, shape: ast.expr | None) -> Refusal:
    """What is said of a shape that numba does not know when it compiles."""
    known = compiler.function.__globals__
    return shapes.not_constant(ast.unparse(call.func), shape, compiler.source.node, compiler.parameters, known)


def _is_parameter(compiler: Compiler, name: str) -> bool:
    return name in compiler.parameters


def is_constant(compiler: Compiler, node: ast.expr) -> bool:
    """Whether numba knows an int or a tuple of ints when it compiles: literals, globals, and names for them."""
    if isinstance(node, ast.Tuple):
        return all(is_constant(compiler, element) for element in node.elts)
    if _is_literal(node):
        return True
    if isinstance(node, ast.Subscript):
        return is_constant(compiler, node.value) and _is_literal(node.slice)
    if isinstance(node, ast.Attribute) and not inspect.ismodule(compiler.static(node.value)):
        return False
    value = compiler.static(node)
    if value is UNDEFINED:
        return isinstance(node, ast.Name) and _always_constant(compiler, node.id)
    return type(value) is int or (isinstance(value, tuple) and all(type(item) is int for item in value))


def _is_literal(node: ast.expr) -> bool:
    """An int, or arithmetic of ints that Python itself folds, as in 2 * 16."""
    if isinstance(node, ast.BinOp):
        return _is_literal(node.left) and _is_literal(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant) and type(node.value) is int


def _always_constant(compiler: Compiler, name: str) -> bool:
    """Whether everything a local variable is ever assigned is a constant."""
    values, stores = [], 0
    for node in compiler.own_nodes:
        stores += isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        if isinstance(node, ast.Assign):
            for target in node.targets:
                values.extend(_assigned(target, node.value, name))
    constant = (isinstance(value, (ast.Constant, ast.Tuple)) or _is_global(compiler, value) for value in values)
    return 0 < stores == len(values) and all(constant) and all(is_constant(compiler, value) for value in values)


def _assigned(target: ast.expr, value: ast.expr, name: str) -> list[ast.expr]:
    """What an assignment gives to a name: itself, or its share of a tuple."""
    if isinstance(target, ast.Name):
        return [value] if target.id == name else []
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        return [part for one, item in zip(target.elts, value.elts, strict=True) for part in _assigned(one, item, name)]
    return []


def _is_global(compiler: Compiler, node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id not in compiler.locals


def _check_literal(env: Env, place: Place, shape) -> None:
    """A shape that is a parameter must have been a literal at the call of the device function."""
    name = place.literal_parameter
    if name and name not in env.frame.literals:
        raise UnsupportedError(place.refusal, place.site.function, place.site.line)


def _extents(shape) -> tuple[int, ...]:
    return tuple(int(extent) for extent in shape) if isinstance(shape, tuple) else (int(shape),)


def _check_elements(place: Place, which: str, shape: tuple[int, ...]) -> None:
    """Refuse an array without elements, as numba does."""
    if math.prod(shape) <= 0:
        raise UnsupportedError(shapes.no_elements(which, shape), place.site.function, place.site.line)


def shared_array(env: Env, mask: Mask, place: Place, shape=None, dtype=None, alignment=None):
    """cuda.shared.array: one copy per block, one allocation per call site. Shape 0 is the dynamic shared memory."""
    _check_literal(env, place, shape)
    batch, dtype, shape = env.batch, dtype_of(dtype), _extents(shape)
    if len(shape) == 1 and shape[0] <= 0:
        return _dynamic_array(env, place, dtype)
    _check_elements(place, "cuda.shared.array", shape)
    strides, size = row_major(shape)
    key = ("shared", place.site.id)
    known = batch.shared.get(key)
    if known is None:
        offset = -(-batch.shared_bytes // ALIGNMENT) * ALIGNMENT
        batch.shared_bytes = offset + size * dtype.itemsize
        if batch.shared_bytes > MAX_STATIC_SHARED_BYTES:
            raise InvalidLaunchError(
                f"With line {place.site.line}, the shared arrays of a block of {place.site.function} take "
                f"{batch.shared_bytes} bytes; the limit is {MAX_STATIC_SHARED_BYTES}.",
                batch.options.grid, batch.options.block,
                remedy="Make the tile smaller, or use dynamic shared memory.",
            )  # fmt: skip
        both = batch.shared_bytes + batch.options.dynamic_shared_bytes
        if both > MAX_DYNAMIC_SHARED_BYTES:
            raise InvalidLaunchError(
                f"With line {place.site.line}, the shared arrays and the dynamic shared memory of a block of "
                f"{place.site.function} take {both} bytes together; the limit is {MAX_DYNAMIC_SHARED_BYTES}.",
                batch.options.grid, batch.options.block,
                remedy="Launch with less dynamic shared memory, or put all of the block's data into it.",
            )  # fmt: skip
        info = ArrayInfo(key, place.target or place.site.text, "shared", dtype, shape, strides, size, offset, False)
        known = batch.shared[key] = (poisoned(batch.n_blocks * size, dtype), info)
        if batch.emit is not None:
            batch.emit.tell("shared_allocated", info, place.site)
    flat, info = known
    return Array(flat, shape, strides, _copy_base(env, size), info, size)


def _copy_base(env: Env, size: int):
    """Cell where the copy of each lane's block begins."""
    return env.register("block") * size if env.batch.n_blocks > 1 else 0


def _dynamic_array(env: Env, place: Place, dtype: np.dtype) -> Array:
    """All dynamic shared arrays are the same bytes, whatever their type."""
    batch = env.batch
    n_bytes = batch.options.dynamic_shared_bytes
    copy_bytes = -(-n_bytes // ALIGNMENT) * ALIGNMENT
    raw = batch.shared.get("dynamic")
    if raw is None:
        raw = batch.shared["dynamic"] = poisoned(batch.n_blocks * copy_bytes, np.dtype("u1"))
    if copy_bytes % dtype.itemsize:
        raise UnsupportedError(
            f"dynamic shared memory of elements of {dtype.itemsize} bytes: use elements of 1 to 16 bytes"
        )
    size, copy_cells = n_bytes // dtype.itemsize, copy_bytes // dtype.itemsize
    key = ("dynamic", dtype.str, place.site.id)
    info = batch.shared.get(key)
    if info is None:
        name = place.target or place.site.text
        memory = ("dynamic",)
        info = ArrayInfo(key, name, "shared", dtype, (size,), (1,), copy_cells, MAX_STATIC_SHARED_BYTES, False, memory)
        batch.shared[key] = info
        if batch.emit is not None:
            batch.emit.tell("shared_allocated", info, place.site)
    return Array(raw.view(dtype), (size,), (1,), _copy_base(env, copy_cells), info, copy_cells)


def local_array(env: Env, mask: Mask, place: Place, shape=None, dtype=None, alignment=None):
    """cuda.local.array: one per thread. Element k of all threads lies together, as on the hardware."""
    _check_literal(env, place, shape)
    batch, dtype, shape = env.batch, dtype_of(dtype), _extents(shape)
    _check_elements(place, "cuda.local.array", shape)
    strides, size = row_major(shape)
    if size * dtype.itemsize > MAX_LOCAL_BYTES:
        raise InvalidLaunchError(
            f"The local array of line {place.site.line} takes {size * dtype.itemsize:,} bytes of every thread of "
            f"{place.site.function}; the limit is {MAX_LOCAL_BYTES:,}.",
            batch.options.grid, batch.options.block,
            remedy="Keep it in global memory, a part for each thread, or work on a smaller piece at a time.",
        )  # fmt: skip
    strides = tuple(stride * batch.width for stride in strides)
    key = ("local", place.site.id, env.frame.depth)
    known = batch.local.get(key)
    if known is None:
        name = place.target or place.site.text
        info = ArrayInfo(key, name, "local", dtype, shape, strides, size * batch.width, 0, False)
        known = batch.local[key] = (poisoned(batch.width * size, dtype), info)
    flat, info = known
    return Array(flat, shape, strides, env.root_index(), info)


def constant_array_like(env: Env, mask: Mask, place: Place, array):
    """cuda.const.array_like: global arrays are constant copies already."""
    if isinstance(array, Array) and (n_bytes := array.info.n_cells * array.dtype.itemsize) > MAX_CONSTANT_BYTES:
        raise InvalidLaunchError(
            f"{array.info.name} takes {n_bytes:,} bytes of constant memory at line {place.site.line} of "
            f"{place.site.function}; the limit is {MAX_CONSTANT_BYTES:,}, for all constant arrays of a kernel.",
            env.batch.options.grid, env.batch.options.block,
            remedy="Pass it to the kernel as an argument: reads of global memory are cached, too.",
        )  # fmt: skip
    return array


INTRINSICS = {"shared.array": shared_array, "local.array": local_array, "const.array_like": constant_array_like}
CALL_CHECKS = {"shared.array": check_allocation, "local.array": check_allocation}
