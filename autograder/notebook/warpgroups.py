"""What numba.cuda has no name for on an H100 or H200: products of whole tiles by four warps, beside their instructions.

    sums = zero_sums()                                # of 64 x 256 elements, 128 a thread
    show_tiles()                                      # what arrived in shared memory is there for the tensor cores, too
    sums = warpgroup_mma(tiles, a, b, sums)           # begins sums + A B: 64 x 64 times 64 x 256, float16
    sums = wait_products(sums, 0)                     # all products that this warpgroup began are in the sums
    store_sums(c, row, col, sums)                     # c[row, col] and what follows = sums, as far as there is a c
    stmatrix_transposed(tile, (row, col), x)          # what `ldmatrix_transposed` deals out, back into a tile
    sums = zero_sums_int8()                           # the same in int32
    sums = warpgroup_mma_int8(tiles, a, b, sums)      # begins sums + A B: 64 x 32 times 32 x 256, int8

A warpgroup is four warps in a row, whose 128 threads call these together. Each has two meanings: machine code for
compute capability 9.0, and what the interpreter does (`simt.threads.warpgroups`), which is all there is elsewhere.
Source: PTX ISA, "wgmma.mma_async", "wgmma.fence", "wgmma.commit_group", "wgmma.wait_group", "Matrix Descriptor Format",
"fence.proxy.async".
"""

from __future__ import annotations

from typing import Any

from autograder.notebook.lowering import cgutils, ir, on_hopper, pointer_to, types, with_meaning
from simt.threads import tensor_cores, tile_forms, warpgroups

SUMS, INT8_SUMS = tile_forms.HALVES.sums, tile_forms.BYTES.sums
NAMES = ", ".join(f"${i}" for i in range(SUMS))
RESULTS = ",".join(["=f"] * SUMS)
PRODUCT = (
    f"wgmma.mma_async.sync.aligned.m64n256k16.f32.f16.f16 {{{NAMES}}}, ${2 * SUMS}, ${2 * SUMS + 1}, 1, 1, 1, 0, 1;"
)
STEPS, A_STEP, B_STEP = 4, 2, 128  # products of 16 columns of A in one of 64; how far on each begins, in 16 bytes
SWIZZLE = 1 << 62  # rows of 128 bytes whose pieces of 16 are exchanged
EIGHT_ROWS = (1024 >> 4) << 32
INT8_PRODUCT = "wgmma.mma_async.sync.aligned.m64n256k32.s32.s8.s8 {{{}}}, ${}, ${}, 1;"
INT8_TILE = 3 << 62 | (256 >> 4) << 32 | 1 << 16  # rows of 32 bytes, halves exchanged; eight rows are 256 bytes
A_TILE, B_TILE = SWIZZLE | EIGHT_ROWS | 1 << 16, SWIZZLE | EIGHT_ROWS | (8192 >> 4) << 16  # what a descriptor says


def _sums() -> Any:
    return types.UniTuple(types.float32, SUMS)


def _say(builder: Any, result: Any, text: str, arguments: list, constraints: str) -> Any:
    """One call of inline PTX, which no optimiser moves across a branch or another access to memory."""
    on_hopper("wgmma")
    code = ir.InlineAsm(ir.FunctionType(result, [one.type for one in arguments]), text, constraints, side_effect=True)
    return builder.call(code, arguments, attrs=("convergent",))


def _many(builder: Any, text: str, arguments: list, constraints: str, count: int = SUMS, whole: bool = False) -> list:
    """The same with all sums as its results: `count` floats, or whole numbers."""
    struct = ir.LiteralStructType([ir.IntType(32) if whole else ir.FloatType()] * count)
    value = _say(builder, struct, text, arguments, constraints)
    return [builder.extract_value(value, i) for i in range(count)]


def _tied(count: int, letter: str) -> str:
    """Constraints of `count` results that stay in the registers of as many operands."""
    return ",".join([f"={letter}"] * count + [str(i) for i in range(count)])


@with_meaning(warpgroups.zero_sums)
def zero_sums(typing_context):
    """128 zeros: the sums of a thread before the first product. Made by instructions, so that no product waits."""

    def codegen(context, builder, signature, arguments):
        text = " ".join(f"mov.f32 ${i}, 0f00000000;" for i in range(SUMS))
        return cgutils.pack_array(builder, _many(builder, text, [], RESULTS))

    return _sums()(), codegen


@with_meaning(warpgroups.zero_sums_int8)
def zero_sums_int8(typing_context):
    """128 zeros: the sums of a thread before the first product of int8."""

    def codegen(context, builder, signature, arguments):
        text = " ".join(f"mov.b32 ${i}, 0;" for i in range(INT8_SUMS))
        parts = _many(builder, text, [], ",".join(["=r"] * INT8_SUMS), INT8_SUMS, whole=True)
        return cgutils.pack_array(builder, parts)

    return types.UniTuple(types.int32, INT8_SUMS)(), codegen


@with_meaning(warpgroups.show_tiles)
def show_tiles(typing_context):
    """What this thread wrote to shared memory, itself or by copies it waited for, is there for `warpgroup_mma` as well.

    Call it between the wait for the copies and the barrier after which the tiles are multiplied.
    """

    def codegen(context, builder, signature, arguments):
        _say(builder, ir.VoidType(), "fence.proxy.async.shared::cta;", [], "~{memory}")
        return context.get_dummy_value()

    return types.void(), codegen


def _descriptor(context: Any, builder: Any, kinds: Any, arguments: Any, tile: int) -> Any:
    """How the tensor cores are told where a tile begins and how it lies."""
    word, long = ir.IntType(32), ir.IntType(64)
    pointer = pointer_to(context, builder, kinds, arguments)
    address = builder.ptrtoint(builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, 3)), word)
    begins = builder.zext(builder.lshr(address, ir.Constant(word, 4)), long)
    return builder.or_(begins, ir.Constant(long, tile))


@with_meaning(warpgroups.warpgroup_mma)
def warpgroup_mma(typing_context, tiles, first_a, first_b, sums):
    """Begin sums + A B on the tensor cores: 64 x 64 times 64 x 256 float16, by the 128 threads of a warpgroup together.

    tiles: a shared array of float16 with one axis. A begins at tiles[first_a], B at tiles[first_b], both at a multiple
    of 512. Each is made of panels 64 columns wide, in whose row r the piece of 8 elements p lies where p ^ (r % 8)
    would; B has four of them, one after the other. The call returns before the product is done: see `wait_products`.
    """

    def codegen(context, builder, signature, arguments):
        kinds, long = signature.args, ir.IntType(64)
        a, b = (
            _descriptor(context, builder, (kinds[0], kinds[i]), (arguments[0], arguments[i]), tile)
            for i, tile in ((1, A_TILE), (2, B_TILE))
        )
        parts = cgutils.unpack_tuple(builder, arguments[3], SUMS)
        _say(builder, ir.VoidType(), "wgmma.fence.sync.aligned;", [], "~{memory}")
        for i in range(STEPS):
            at = [builder.add(a, ir.Constant(long, A_STEP * i)), builder.add(b, ir.Constant(long, B_STEP * i))]
            parts = _many(builder, PRODUCT, [*parts, *at], _tied(SUMS, "f") + ",l,l")
        _say(builder, ir.VoidType(), "wgmma.commit_group.sync.aligned;", [], "~{memory}")
        return cgutils.pack_array(builder, parts)

    return _sums()(tiles, first_a, first_b, _sums()), codegen


@with_meaning(warpgroups.warpgroup_mma_int8)
def warpgroup_mma_int8(typing_context, tiles, first_a, first_b, sums):
    """Begin sums + A B on the tensor cores: 64 x 32 times 32 x 256 int8, by the 128 threads of a warpgroup together.

    tiles: a shared array of int8 with one axis, at a multiple of 256 bytes. A is 64 rows of 32 bytes from
    tiles[first_a] on, B 256 rows from tiles[first_b] on, and row j of it is column j of the result; both begin at a
    multiple of 32. Of the array's rows 4 to 7, 12 to 15 and so on, the halves of 16 bytes have changed places. See
    `warpgroup_mma` for when it is done.
    """
    kind = types.UniTuple(types.int32, INT8_SUMS)

    def codegen(context, builder, signature, arguments):
        kinds = signature.args
        a, b = (
            _descriptor(context, builder, (kinds[0], kinds[i]), (arguments[0], arguments[i]), INT8_TILE) for i in (1, 2)
        )
        names = ", ".join(f"${i}" for i in range(INT8_SUMS))
        text = INT8_PRODUCT.format(names, 2 * INT8_SUMS, 2 * INT8_SUMS + 1)
        parts = cgutils.unpack_tuple(builder, arguments[3], INT8_SUMS)
        _say(builder, ir.VoidType(), "wgmma.fence.sync.aligned;", [], "~{memory}")
        parts = _many(builder, text, [*parts, a, b], _tied(INT8_SUMS, "r") + ",l,l", INT8_SUMS, whole=True)
        _say(builder, ir.VoidType(), "wgmma.commit_group.sync.aligned;", [], "~{memory}")
        return cgutils.pack_array(builder, parts)

    return kind(tiles, first_a, first_b, kind), codegen


@with_meaning(warpgroups.wait_products)
def wait_products(typing_context, sums, keep):
    """Wait until at most `keep` of the products that this warpgroup began are under way; returns the sums.

    keep: a number written out. With 0 the sums are complete, and may be stored. With 1 the last product still adds to
    them, and all tiles but its own may be filled again.
    """
    if not isinstance(keep, types.IntegerLiteral):
        return None
    left = keep.literal_value

    def codegen(context, builder, signature, arguments):
        text = f"wgmma.wait_group.sync.aligned {left};"
        if left:  # nobody may touch the sums yet, so they are not named
            _say(builder, ir.VoidType(), text, [], "~{memory}")
            return arguments[0]
        parts, whole = cgutils.unpack_tuple(builder, arguments[0], len(sums)), sums.dtype == types.int32
        tied = _tied(len(sums), "r" if whole else "f") + ",~{memory}"
        return cgutils.pack_array(builder, _many(builder, text, parts, tied, len(sums), whole))

    return sums(sums, keep), codegen


@with_meaning(warpgroups.store_sums)
def store_sums(typing_context, c, row, col, sums):
    """c[row, col] to c[row + 63, col + 255] = the sums of a warpgroup, as far as there is a c. c: 2D float32."""
    if getattr(c, "ndim", 0) != 2 or c.dtype != types.float32:
        return None

    def codegen(context, builder, signature, arguments):
        kind, long = signature.args[0], ir.IntType(64)
        array = context.make_array(kind)(context, builder, value=arguments[0])
        rows, cols = cgutils.unpack_tuple(builder, array.shape, 2)
        number = lambda n: ir.Constant(long, n)  # noqa: E731
        thread = builder.zext(_say(builder, ir.IntType(32), "mov.u32 $0, %tid.x;", [], "=r"), long)
        lane, warp = builder.and_(thread, number(31)), builder.and_(builder.lshr(thread, number(5)), number(3))
        down = builder.add(builder.mul(warp, number(16)), builder.lshr(lane, number(2)))
        along = builder.shl(builder.and_(lane, number(3)), number(1))
        col = builder.add(arguments[2], along)
        parts = cgutils.unpack_tuple(builder, arguments[3], SUMS)
        even = builder.icmp_signed("==", builder.and_(cols, number(1)), number(0))
        whole = builder.icmp_signed("<=", builder.add(arguments[2], number(tile_forms.HALVES.columns)), cols)
        for half in (0, 1):
            at = builder.add(builder.add(arguments[1], down), number(8 * half))
            own = [parts[4 * j + 2 * half : 4 * j + 2 * half + 2] for j in range(SUMS // 4)]
            with builder.if_then(builder.icmp_signed("<", at, rows)):
                first = cgutils.get_item_pointer(context, builder, kind, array, [at, col], wraparound=False)
                with builder.if_else(builder.and_(even, whole)) as (in_pairs, one_by_one):
                    with in_pairs:
                        _store_pairs(builder, first, own)
                    with one_by_one:
                        _store_guarded(builder, first, own, col, cols)
        return context.get_dummy_value()

    return types.void(c, types.int64, types.int64, _sums()), codegen


def _store_pairs(builder: Any, first: Any, pairs: list) -> None:
    """8 bytes at a time, each pair 8 columns after the one before."""
    vector = ir.VectorType(ir.FloatType(), 2)
    for j, pair in enumerate(pairs):
        value = ir.Constant(vector, ir.Undefined)
        for e, part in enumerate(pair):
            value = builder.insert_element(value, part, ir.Constant(ir.IntType(32), e))
        place = builder.gep(first, [ir.Constant(ir.IntType(64), 8 * j)])
        builder.store(value, builder.bitcast(place, vector.as_pointer())).align = 8


def _store_guarded(builder: Any, first: Any, pairs: list, col: Any, cols: Any) -> None:
    """One by one, where there is such a column."""
    for j, pair in enumerate(pairs):
        for e, part in enumerate(pair):
            on = ir.Constant(ir.IntType(64), 8 * j + e)
            with builder.if_then(builder.icmp_signed("<", builder.add(col, on), cols)):
                builder.store(part, builder.gep(first, [on]))


@with_meaning(tensor_cores.stmatrix_transposed)
def stmatrix_transposed(typing_context, array, index, words):
    """Write four words as `ldmatrix_transposed` deals them out: lane l names where row l % 8 of matrix l // 8 goes.

    An instruction of compute capability 9.0.
    """

    def codegen(context, builder, signature, arguments):
        on_hopper("stmatrix_transposed")
        pointer = pointer_to(context, builder, signature.args, arguments)
        address = builder.ptrtoint(
            builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee, 3)), ir.IntType(32)
        )
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(32)] * 5)
        text = "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [$0], {$1, $2, $3, $4};"
        code = ir.InlineAsm(kind, text, "r,r,r,r,r,~{memory}", side_effect=True)
        builder.call(code, [address, *cgutils.unpack_tuple(builder, arguments[2], 4)], attrs=("convergent",))
        return context.get_dummy_value()

    return types.void(array, index, types.UniTuple(types.uint32, 4)), codegen
