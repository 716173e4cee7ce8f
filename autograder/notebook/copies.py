"""Copies from global to shared memory that run beside the threads: a part of the course's intrinsics, which name them.

Source: PTX ISA, "cp.async".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.notebook.lowering import ALIGNMENT, ir, is_old, pointer_to, types, wide_part, with_meaning
from simt.memory import async_copies


def _copies(n_bytes: int, kept_in: str) -> Callable:
    """The code of a copy. kept_in: "ca" keeps the source in L1 as well, "cg" in L2 alone."""

    def codegen(context, builder, signature, arguments):
        (to_type, to_index, from_type, from_index), (to, at, source, begin) = signature.args, arguments
        target = pointer_to(context, builder, (to_type, to_index), (to, at))
        origin = pointer_to(context, builder, (from_type, from_index), (source, begin))
        if is_old():
            whole = ir.IntType(8 * n_bytes) if n_bytes < ALIGNMENT else ir.VectorType(ir.IntType(32), 4)
            loaded = builder.load(builder.bitcast(origin, whole.as_pointer()))
            loaded.align = n_bytes
            builder.store(loaded, builder.bitcast(target, whole.as_pointer())).align = n_bytes
            return context.get_dummy_value()
        shared = builder.addrspacecast(target, ir.PointerType(target.type.pointee, 3))
        address = builder.ptrtoint(shared, ir.IntType(32))
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32), ir.IntType(64)])
        text = f"cp.async.{kept_in}.shared.global [$0], [$1], {n_bytes};"
        code = ir.InlineAsm(kind, text, "r,l,~{memory}", side_effect=True)
        builder.call(code, [address, builder.ptrtoint(origin, ir.IntType(64))])
        return context.get_dummy_value()

    return codegen


def _of_one_type(dst: Any, src: Any) -> bool:
    return getattr(dst, "dtype", None) is not None and dst.dtype == getattr(src, "dtype", None)


@with_meaning(async_copies.copy_async)
def copy_async(typing_context, dst, dst_index, src, src_index):
    """Begin dst[dst_index] = src[src_index], one element of 4 or 8 bytes, from global to shared memory.

    The thread goes on at once. The element is there when this thread has closed the copy's group with `commit_copies`
    and waited for it with `wait_copies`; other threads of the block may read it after a barrier that follows.
    """
    size = getattr(getattr(dst, "dtype", None), "bitwidth", 0) // 8
    if not _of_one_type(dst, src) or size not in async_copies.ELEMENT_BYTES:
        return None
    return types.void(dst, dst_index, src, src_index), _copies(size, "ca")


@with_meaning(async_copies.copy16_async)
def copy16_async(typing_context, dst, dst_index, src, src_index):
    """The same for 16 bytes, under the conditions of `load16`, on both sides."""
    if not _of_one_type(dst, src) or wide_part(dst) is None:
        return None
    return types.void(dst, dst_index, src, src_index), _copies(ALIGNMENT, "cg")


def _say(builder: Any, text: str) -> None:
    """One instruction without operands that orders memory; nothing where copies do not run beside the threads."""
    if not is_old():
        kind = ir.FunctionType(ir.VoidType(), [])
        builder.call(ir.InlineAsm(kind, text, "~{memory}", side_effect=True), [])


@with_meaning(async_copies.commit_copies)
def commit_copies(typing_context):
    """The copies that this thread began since the last call are one group from now on."""

    def codegen(context, builder, signature, arguments):
        _say(builder, "cp.async.commit_group;")
        return context.get_dummy_value()

    return types.void(), codegen


@with_meaning(async_copies.wait_copies)
def wait_copies(typing_context, keep):
    """Wait until at most `keep` of the groups that this thread closed are under way. keep: a number written out."""
    if not isinstance(keep, types.IntegerLiteral):
        return None

    def codegen(context, builder, signature, arguments):
        _say(builder, f"cp.async.wait_group {keep.literal_value};")
        return context.get_dummy_value()

    return types.void(keep), codegen
