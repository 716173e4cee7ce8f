"""Arrays of 32-bit words, 16 bytes at a time: loads, stores, copies beside the threads, and matrices for tensor cores.

Kernels for every architecture see tensors as flat arrays of uint32, so that the interpreter can run them; what numba
has no name for is here. `i` is the index of a word, a multiple of 4.
Source: PTX ISA, "ld", "st", "cp.async", "ldmatrix".
"""

from __future__ import annotations

from typing import Any

from minitrt.kernels.ptx import I32, I64, VOID, emit, emit_pure, f32, i32, ptx, struct, u32
from simt.compilers.low_level import cgutils, intrinsic, ir, types

COPIES_FROM = (8, 0)  # compute capability from which copies run beside the threads


def _address(context: Any, builder: Any, array_type: Any, array: Any, index_type: Any, index: Any) -> Any:
    """Where word `index` lies, as a generic pointer. No index counts from the end."""
    made = context.make_array(array_type)(context, builder, value=array)
    at = context.cast(builder, index, index_type, types.intp)
    return cgutils.get_item_pointer(context, builder, array_type, made, [at], wraparound=False)


def _in_shared(builder: Any, pointer: Any) -> Any:
    """The 32-bit address of a pointer into shared memory."""
    return builder.ptrtoint(builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, 3)), I32)


def _is_words(array: Any) -> bool:
    return getattr(array, "dtype", None) == types.uint32 and array.ndim == 1


def _loader(text: str, count: int, pure: bool) -> Any:
    """load(array, i): `count` words by one instruction."""

    def typed(typing_context, array, index):
        def codegen(context, builder, signature, values):
            pointer = _address(context, builder, array, values[0], index, values[1])
            letters = ",".join(["=r"] * count + ["l" if pure else "r"] + ["~{memory}"] * (not pure))
            address = builder.ptrtoint(pointer, I64) if pure else _in_shared(builder, pointer)
            got = (emit_pure if pure else emit)(builder, struct(I32, count), text, [address], letters)
            words = [builder.extract_value(got, n) for n in range(count)]
            return context.make_tuple(builder, signature.return_type, words)

        return (types.UniTuple(u32, count)(array, index), codegen) if _is_words(array) else None

    return intrinsic(typed)


def _storer(text: str, count: int) -> Any:
    """store(array, i, words): `count` words to global memory by one instruction."""

    def typed(typing_context, array, index, words):
        def codegen(context, builder, signature, values):
            pointer = _address(context, builder, array, values[0], index, values[1])
            parts = cgutils.unpack_tuple(builder, values[2], count)
            letters = ",".join(["l"] + ["r"] * count + ["~{memory}"])
            emit(builder, VOID, text, [builder.ptrtoint(pointer, I64), *parts], letters)
            return context.get_dummy_value()

        return (types.void(array, index, types.UniTuple(u32, count)), codegen) if _is_words(array) else None

    return intrinsic(typed)


load4 = _loader("ld.global.nc.v4.b32 {$0, $1, $2, $3}, [$4];", 4, pure=True)  # of memory that nobody writes meanwhile
load2 = _loader("ld.global.nc.v2.b32 {$0, $1}, [$2];", 2, pure=True)
shared4 = _loader("ld.shared.v4.b32 {$0, $1, $2, $3}, [$4];", 4, pure=False)
# Four 8 x 8 matrices of 16 bits: lane l names row l % 8 of matrix l // 8, and gets word l % 4 of row l // 4 of each.
ldmatrix = _loader("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {$0, $1, $2, $3}, [$4];", 4, pure=False)
store4 = _storer("st.global.v4.b32 [$0], {$1, $2, $3, $4};", 4)
store2 = _storer("st.global.v2.b32 [$0], {$1, $2};", 2)


@intrinsic
def keep4(typing_context, shared, index, words):
    """Write four words to shared memory."""

    def codegen(context, builder, signature, values):
        pointer = _address(context, builder, shared, values[0], index, values[1])
        parts = cgutils.unpack_tuple(builder, values[2], 4)
        text = "st.shared.v4.b32 [$0], {$1, $2, $3, $4};"
        emit(builder, VOID, text, [_in_shared(builder, pointer), *parts], "r,r,r,r,r,~{memory}")
        return context.get_dummy_value()

    return (types.void(shared, index, types.UniTuple(u32, 4)), codegen) if _is_words(shared) else None


@intrinsic
def copy4(typing_context, shared, to, array, at, inside):
    """Begin shared[to : to + 4] = array[at : at + 4], zeros where `inside` is False; nothing is read there.

    The words are there after `commit` and a `wait` of the same thread; other threads see them behind a barrier.
    """

    def codegen(context, builder, signature, values):
        target = _in_shared(builder, _address(context, builder, shared, values[0], to, values[1]))
        origin = _address(context, builder, array, values[2], at, values[3])
        taken = builder.select(values[4], ir.Constant(I32, 16), ir.Constant(I32, 0))
        text = "cp.async.cg.shared.global [$0], [$1], 16, $2;"
        emit(builder, VOID, text, [target, builder.ptrtoint(origin, I64), taken], "r,l,r,~{memory}")
        return context.get_dummy_value()

    known = _is_words(shared) and _is_words(array)
    return (types.void(shared, to, array, at, types.boolean), codegen) if known else None


commit = ptx("cp.async.commit_group;", None)
wait0 = ptx("cp.async.wait_group 0;", None)
wait1 = ptx("cp.async.wait_group 1;", None)
wait2 = ptx("cp.async.wait_group 2;", None)
WAITS = (wait0, wait1, wait2)  # WAITS[n]: until at most n of this thread's groups are under way

BYTE = tuple(ptx(f"bfe.s32 $0, $1, {8 * n}, 8;", i32, u32, pure=True) for n in range(4))  # byte n of a word, signed
HALF = tuple(  # half n of a word, as float32
    ptx(f"{{ .reg .b16 a, b; mov.b32 {{a, b}}, $1; cvt.f32.f16 $0, {name}; }}", f32, u32, pure=True) for name in "ab"
)
