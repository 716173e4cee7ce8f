"""Shared, local and constant arrays, and the rule that their shape is known before the kernel runs."""

from __future__ import annotations

import ast

import numpy as np

from .arrays import Array, row_major
from .errors import InvalidLaunchError, UnsupportedError
from .events import ArrayInfo
from .geometry import MAX_STATIC_SHARED_BYTES
from .recognise import dtype_of
from .values import UNDEFINED

ALIGNMENT = 16  # bytes
POISON = 0xCB


def poisoned(size: int, dtype: np.dtype) -> np.ndarray:
    """Fresh memory that betrays who reads it before writing: NaN, or bytes 0xCB."""
    memory = np.empty(size, dtype)
    if dtype.kind in "fc":
        memory.fill(np.nan)
    elif dtype.kind == "b":
        memory.fill(True)
    else:
        memory.view(np.uint8).fill(POISON)
    return memory


def check_constant_shape(compiler, call: ast.Call) -> None:
    """Refuse what numba refuses: a shape that is not a literal, a global int, or a tuple of these."""
    keywords = {keyword.arg: keyword.value for keyword in call.keywords}
    shape = call.args[0] if call.args else keywords.get("shape")
    if shape is None or not _is_constant(compiler, shape):
        shown = ast.unparse(shape) if shape is not None else "nothing"
        raise compiler.unsupported(
            call,
            f"the shape of {ast.unparse(call.func)} is `{shown}`, which numba does not know when it compiles: "
            "define it as a constant above the kernel, as in `SIZE = 128`, and write its name alone",
        )


def _is_constant(compiler, node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_constant(compiler, element) and not isinstance(element, ast.Tuple) for element in node.elts)
    if isinstance(node, ast.Constant):
        return type(node.value) is int
    value = compiler.static(node)
    if value is UNDEFINED and isinstance(node, ast.Name):
        return _assigned_once_to_a_literal(compiler, node.id)
    if isinstance(value, tuple):
        return all(type(item) is int for item in value)
    return type(value) is int


def _assigned_once_to_a_literal(compiler, name: str) -> bool:
    """Whether a local variable stands for one literal or global constant, as in ``n = 32`` before its use."""
    body = ast.walk(compiler.source.node)
    stores = [n for n in body if isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)]
    assigns = [
        n.value
        for n in ast.walk(compiler.source.node)
        if isinstance(n, ast.Assign)
        and len(n.targets) == 1
        and isinstance(n.targets[0], ast.Name)
        and n.targets[0].id == name
    ]
    return (
        len(stores) == 1
        and len(assigns) == 1
        and isinstance(assigns[0], (ast.Constant, ast.Name))
        and _is_constant(compiler, assigns[0])
    )


def _extents(shape) -> tuple[int, ...]:
    return tuple(int(extent) for extent in shape) if isinstance(shape, tuple) else (int(shape),)


def shared_array(env, mask, place, shape=None, dtype=None, alignment=None):
    """cuda.shared.array: one copy per block, one allocation per call site. Shape 0 is the dynamic shared memory."""
    batch, dtype, shape = env.batch, dtype_of(dtype), _extents(shape)
    if shape == (0,):
        return _dynamic_array(env, place, dtype)
    strides, size = row_major(shape)
    key = ("shared", place.site.id)
    known = batch.shared.get(key)
    if known is None:
        offset = -(-batch.shared_bytes // ALIGNMENT) * ALIGNMENT
        batch.shared_bytes = offset + size * dtype.itemsize
        if batch.shared_bytes > MAX_STATIC_SHARED_BYTES:
            raise InvalidLaunchError(
                f"{place.site.function}, line {place.site.line}: the shared arrays of a block take {batch.shared_bytes} bytes; "
                f"the limit is {MAX_STATIC_SHARED_BYTES}. Make the tile smaller, or use dynamic shared memory.",
                batch.options.grid, batch.options.block,
            )  # fmt: skip
        info = ArrayInfo(key, place.target or place.site.text, "shared", dtype, shape, strides, size, offset, False)
        known = batch.shared[key] = (poisoned(batch.n_blocks * size, dtype), info)
        if batch.emit is not None:
            batch.emit.tell("shared_allocated", info, place.site)
    flat, info = known
    return Array(flat, shape, strides, _copy_base(env, size), info, size)


def _copy_base(env, size: int):
    """Cell where the copy of each lane's block begins."""
    return env.register("block") * size if env.batch.n_blocks > 1 else 0


def _dynamic_array(env, place, dtype: np.dtype) -> Array:
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
    key = ("dynamic", dtype.str)
    info = batch.shared.get(key)
    if info is None:
        name = place.target or place.site.text
        info = ArrayInfo(key, name, "shared", dtype, (size,), (1,), copy_cells, MAX_STATIC_SHARED_BYTES, False)
        batch.shared[key] = info
        if batch.emit is not None:
            batch.emit.tell("shared_allocated", info, place.site)
    return Array(raw.view(dtype), (size,), (1,), _copy_base(env, copy_cells), info, copy_cells)


def local_array(env, mask, place, shape=None, dtype=None, alignment=None):
    """cuda.local.array: one per thread. Element k of all threads lies together, as on the hardware."""
    batch, dtype, shape = env.batch, dtype_of(dtype), _extents(shape)
    strides, size = row_major(shape)
    strides = tuple(stride * batch.width for stride in strides)
    key = ("local", place.site.id, env.frame.depth)
    known = batch.local.get(key)
    if known is None:
        name = place.target or place.site.text
        info = ArrayInfo(key, name, "local", dtype, shape, strides, size * batch.width, 0, False)
        known = batch.local[key] = (poisoned(batch.width * size, dtype), info)
    flat, info = known
    return Array(flat, shape, strides, env.root_index(), info)


def constant_array_like(env, mask, place, array):
    """cuda.const.array_like: global arrays are constant copies already."""
    return array


INTRINSICS = {"shared.array": shared_array, "local.array": local_array, "const.array_like": constant_array_like}
CALL_CHECKS = {"shared.array": check_constant_shape, "local.array": check_constant_shape}
