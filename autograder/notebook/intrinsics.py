"""What numba.cuda has no name for: 16 bytes in one instruction, and the tensor cores' ldmatrix and mma.

    x = load16(tile, (row, col))              # four float32, or four words of two float16 or four int8
    store16(tile, (row, col), x)
    low, high = halves(word)                  # the two float16 of a word, as float32
    a = ldmatrix(tile, (row, col))            # 16 x 16 float16 of a tile, dealt out to the lanes of a warp
    acc = mma(a, b, acc)                      # 16 x 8 += 16 x 16 times 16 x 8, by all 32 lanes together
    acc = mma_int8(a, b, acc)                 # the same for int8, 32 deep, into int32
    acc = mma_sparse(a, b, places, acc)       # float16, 32 deep, of a half is stored and places says which
    copy_async(tile, t, x, i)                 # tile[t] = x[i], beside the thread: global to shared memory
    commit_copies()                           # what was copied since the last call is one group
    wait_copies(1)                            # all of this thread's groups but the youngest are there

Each has two meanings: machine code, and what the interpreter does (`simt.threads.tensor_cores`, `.sparse_cores`,
`simt.memory.wide`, `.async_copies`), which is all there is where numba is not installed.
Source: PTX ISA, "ld", "st", "ldmatrix", "mma.m16n8k16", "mma.m16n8k32", "mma.sp", "cp.async"; LLVM language
reference, "load" with an alignment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.notebook.copies import commit_copies, copy16_async, copy_async, wait_copies  # noqa: F401
from autograder.notebook.lowering import (
    ALIGNMENT,
    cgutils,
    ir,
    is_old,
    on_ampere,
    pointer_to,
    types,
    wide_part,
    with_meaning,
)
from simt.memory import wide
from simt.threads import sparse_cores, tensor_cores

SPARSE = (  # ordered metadata are of PTX 8.5, which compilers from CUDA 12.5 on read
    "mma.sp::ordered_metadata.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 "
    "{$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9, $10, $11}, {$12, $13, $14, $15}, $16, 0;"
)
CONSTRAINTS = ",".join(["=f"] * 4 + ["r"] * 8 + ["f"] * 4 + ["r"])


def _vector_at(context: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, Any]:
    """A pointer to four parts, and their vector type."""
    part = context.get_value_type(wide_part(signature.args[0]))
    vector = ir.VectorType(part, 4)
    return builder.bitcast(pointer_to(context, builder, signature.args, arguments), vector.as_pointer()), vector


def _lane_of(i: int) -> Any:
    return ir.Constant(ir.IntType(32), i)


@with_meaning(wide.load16)
def load16(typing_context, array, index):
    """The 16 bytes from array[index] on, as a tuple: four float32, or four uint32 of two float16 or four int8 each.

    Their address must be a multiple of 16, and all of them must lie in the array: nothing checks it on a GPU.
    """
    if wide_part(array) is None:
        return None

    def codegen(context, builder, signature, arguments):
        pointer, _ = _vector_at(context, builder, signature, arguments)
        loaded = builder.load(pointer)
        loaded.align = ALIGNMENT
        parts = [builder.extract_element(loaded, _lane_of(i)) for i in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    return types.UniTuple(wide_part(array), 4)(array, index), codegen


@with_meaning(wide.store16)
def store16(typing_context, array, index, parts):
    """Write what `load16` returns to the 16 bytes from array[index] on, under the same conditions."""
    if wide_part(array) is None:
        return None

    def codegen(context, builder, signature, arguments):
        pointer, vector = _vector_at(context, builder, signature, arguments)
        value = ir.Constant(vector, ir.Undefined)
        for i, part in enumerate(cgutils.unpack_tuple(builder, arguments[2], 4)):
            value = builder.insert_element(value, part, _lane_of(i))
        builder.store(value, pointer).align = ALIGNMENT
        return context.get_dummy_value()

    return types.void(array, index, types.UniTuple(wide_part(array), 4)), codegen


@with_meaning(wide.bits16)
def bits16(typing_context, x):
    """The 16 bits of a float16 in the lower half of a uint32."""

    def codegen(context, builder, signature, arguments):
        return builder.zext(builder.bitcast(arguments[0], ir.IntType(16)), ir.IntType(32))

    return types.uint32(types.float16), codegen


@with_meaning(wide.halves)
def halves(typing_context, word):
    """The two float16 of a uint32 as a tuple of two float32, that of the lower half first."""

    def codegen(context, builder, signature, arguments):
        half, single = ir.IntType(16), context.get_value_type(types.float32)
        parts = [builder.trunc(builder.lshr(arguments[0], _lane_of(shift)), half) for shift in (0, 16)]
        floats = [builder.fpext(builder.bitcast(part, ir.HalfType()), single) for part in parts]
        return context.make_tuple(builder, signature.return_type, floats)

    return types.UniTuple(types.float32, 2)(types.uint32), codegen


def _ldmatrix(transposed: str) -> Callable:
    def typed(typing_context, array, index):
        def codegen(context, builder, signature, arguments):
            pointer = pointer_to(context, builder, signature.args, arguments)
            shared = builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, 3))
            kind = ir.FunctionType(ir.LiteralStructType([ir.IntType(32)] * 4), [ir.IntType(32)])
            text = f"ldmatrix.sync.aligned.m8n8.x4{transposed}.shared.b16 {{$0, $1, $2, $3}}, [$4];"
            code = ir.InlineAsm(kind, text, "=r,=r,=r,=r,r,~{memory}", side_effect=True)
            address = builder.ptrtoint(shared, ir.IntType(32))
            loaded = builder.call(code, [address], attrs=("convergent",))
            return context.make_tuple(
                builder, signature.return_type, [builder.extract_value(loaded, i) for i in range(4)]
            )

        return types.UniTuple(types.uint32, 4)(array, index), codegen

    return typed


@with_meaning(tensor_cores.ldmatrix)
def ldmatrix(typing_context, array, index):
    """Four 8 x 8 matrices of float16 from shared memory: lane l names row l % 8 of matrix l // 8 by its first element.

    Returns four words: of matrix m, lane l gets elements 2 * (l % 4) and the next of row l // 4. Of int8 a row has 16
    elements, and a lane gets four of them, from 4 * (l % 4) on.
    """
    return _ldmatrix("")(typing_context, array, index)


@with_meaning(tensor_cores.ldmatrix_transposed)
def ldmatrix_transposed(typing_context, array, index):
    """The same of float16, each matrix turned: lane l gets rows 2 * (l % 4) and the next of column l // 4.

    Of int8 a column is two bytes wide, and they stay together.
    """
    return _ldmatrix(".trans")(typing_context, array, index)


def _call_mma(builder: Any, shape: str, a: list, b: list, c: list) -> list:
    """One mma, D = A B + C in registers: of float16 where C is of floats, of int8 where it is of integers."""
    word, number, count = ir.IntType(32), c[0].type, len(c)
    types_of, letter = ("s32.s8.s8.s32", "r") if number == word else ("f32.f16.f16.f32", "f")
    kind = ir.FunctionType(ir.LiteralStructType([number] * count), [word] * len(a + b) + [number] * count)
    names = iter(range(count, 2 * count + len(a + b)))
    groups = [", ".join(f"${next(names)}" for _ in part) for part in (a, b, c)]
    results = ", ".join(f"${i}" for i in range(count))
    text = f"mma.sync.aligned.{shape}.row.col.{types_of} {{{results}}}, " + ", ".join(f"{{{g}}}" for g in groups)
    constraints = ",".join([f"={letter}"] * count + ["r"] * len(a + b) + [letter] * count)
    result = builder.call(ir.InlineAsm(kind, text + ";", constraints), a + b + c, attrs=("convergent",))
    return [builder.extract_value(result, i) for i in range(count)]


@with_meaning(tensor_cores.mma)
def mma(typing_context, a, b, acc):
    """acc + A B on a tensor core, by the 32 lanes of a warp together.

    a: four words, A of (16, 16) float16 as `ldmatrix` deals it out; b: two words, B of (16, 8) as `ldmatrix_transposed`
    does; acc: four float32: lane l holds row l // 4, columns 2 * (l % 4) and the next, then the same of row l // 4 + 8.
    """

    def codegen(context, builder, signature, arguments):
        a, b, c = (cgutils.unpack_tuple(builder, value, n) for value, n in zip(arguments, (4, 2, 4), strict=True))
        if is_old():  # a T4 multiplies half as deep at a time
            c = _call_mma(builder, "m16n8k8", a[:2], b[:1], c)
            c = _call_mma(builder, "m16n8k8", a[2:], b[1:], c)
        else:
            c = _call_mma(builder, "m16n8k16", a, b, c)
        return context.make_tuple(builder, signature.return_type, c)

    words, floats = types.uint32, types.UniTuple(types.float32, 4)
    return floats(types.UniTuple(words, 4), types.UniTuple(words, 2), floats), codegen


@with_meaning(tensor_cores.mma_int8)
def mma_int8(typing_context, a, b, acc):
    """acc + A B of int8 on a tensor core, exact, by the 32 lanes of a warp together.

    a: four words, A of (16, 32) int8 as `ldmatrix` deals it out; b: two words, B of (32, 8), whose columns are rows in
    memory, so that `ldmatrix` deals it out as well; acc: four int32, held as `mma` holds its floats.
    """

    def codegen(context, builder, signature, arguments):
        a, b, c = (cgutils.unpack_tuple(builder, value, n) for value, n in zip(arguments, (4, 2, 4), strict=True))
        if is_old():  # a T4 multiplies 8 rows, 16 deep, at a time
            for i in (0, 1):
                c[:2] = _call_mma(builder, "m8n8k16", [a[2 * i]], [b[i]], c[:2])
                c[2:] = _call_mma(builder, "m8n8k16", [a[2 * i + 1]], [b[i]], c[2:])
        else:
            c = _call_mma(builder, "m16n8k32", a, b, c)
        return context.make_tuple(builder, signature.return_type, c)

    words, sums = types.uint32, types.UniTuple(types.int32, 4)
    return sums(types.UniTuple(words, 4), types.UniTuple(words, 2), sums), codegen


@with_meaning(sparse_cores.mma_sparse)
def mma_sparse(typing_context, a, b, places, acc):
    """acc + A B on a tensor core, by the 32 lanes of a warp together, where two of every four elements of A are stored.

    a: four words, the stored 16 x 16 float16 as `ldmatrix` deals them out; b: four words, B of (32, 8) as
    `ldmatrix_transposed` does; acc: four float32, held as `mma` holds them. places: a word with four bits for each
    four elements of A, the first stored one's place in the lower two, the second's in the upper two. Lanes l with
    l % 4 = 0 and 1 tell them of row l // 4, in the lower 16 bits, and of row l // 4 + 8, in the upper: the first of
    elements 0 to 15, the second of 16 to 31. What the other lanes give is not read.
    """

    def codegen(context, builder, signature, arguments):
        on_ampere("mma_sparse")
        a, b, c = (cgutils.unpack_tuple(builder, arguments[i], 4) for i in (0, 1, 3))
        kind = ir.FunctionType(
            ir.LiteralStructType([ir.FloatType()] * 4),
            [ir.IntType(32)] * 8 + [ir.FloatType()] * 4 + [ir.IntType(32)],
        )
        code = ir.InlineAsm(kind, SPARSE, CONSTRAINTS)
        result = builder.call(code, [*a, *b, *c, arguments[2]], attrs=("convergent",))
        parts = [builder.extract_value(result, i) for i in range(4)]
        return context.make_tuple(builder, signature.return_type, parts)

    words, floats = types.UniTuple(types.uint32, 4), types.UniTuple(types.float32, 4)
    return floats(words, words, types.uint32, floats), codegen
