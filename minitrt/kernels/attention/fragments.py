"""One warp's share of attention in registers: 16 queries against a block of keys, softmax on the way.

The running state of a warp is one tuple of float32: the largest score so far of the thread's two rows (in powers of two
where there is no mask), the sums of their exponentials, then the weighted sum of values, in the order of mma's
accumulators: (row g, columns 2t and 2t+1), (row g + 8, the same), for each 8 columns; g = lane / 4, t = lane % 4.

**Scores become weights where they are**: the accumulators of two neighbouring products are, packed to float16, the left
operand of the next product. Source: PTX ISA, "Matrix Fragments for mma.m16n8k16"; FlashAttention-2 (arXiv:2307.08691).
"""

from __future__ import annotations

from typing import Any

from minitrt.kernels.attention.masks import LOG2_E, MINUS_INFINITY, SeenKeys, biased, within
from minitrt.kernels.ptx import F32, I16, I32, VOID, emit, emit_pure, f32, i32, struct, u32, u64, unpack
from simt.compilers.low_level import cgutils, intrinsic, ir, types

ROWS = 16  # of queries, a warp
HEAD = 4  # of the state: two maxima, two sums
MMA = (
    "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
    "{$10, $11, $12, $13};"
)
PACK_TWO_S8 = (
    "{ .reg .s32 a, b; .reg .b32 c; cvt.rni.s32.f32 a, $1; cvt.rni.s32.f32 b, $2; cvt.pack.sat.s8.s32.b32 c, b, a, 0; "
    "cvt.u16.u32 $0, c; }"
)


def pitch_of(size: int) -> int:
    """Bytes from one row of halves to the next in shared memory: an odd number of 16s, so that 8 rows meet no bank
    twice."""
    return 2 * size + 16


def state_of(size: int) -> types.UniTuple:
    """The numba type of the state for heads of `size`."""
    return types.UniTuple(f32, HEAD + size // 2)


def matrices(b: Any, address: Any, transposed: bool) -> list:
    """Four 8x8 matrices of halves; each lane gives the address of one row of one."""
    how = ".trans" if transposed else ""
    text = f"ldmatrix.sync.aligned.m8n8.x4{how}.shared.b16 {{$0, $1, $2, $3}}, [$4];"
    return unpack(b, emit(b, struct(I32, 4), text, [address], "=r,=r,=r,=r,r,~{memory}"), 4)


def product(b: Any, sums: list, left: list, right: list) -> list:
    """sums + left . right: 16 x 16 times 16 x 8."""
    done = emit(b, struct(F32, 4), MMA, [*left, *right, *sums], "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f")
    return unpack(b, done, 4)


def plus(b: Any, address: Any, offset: int) -> Any:
    return b.add(address, ir.Constant(I32, offset))


def over_row(b: Any, value: Any, combine: Any) -> Any:
    """Combined over the four lanes that have a row."""
    for distance in (1, 2):
        text = f"shfl.sync.bfly.b32 $0, $1, {distance}, 0x1f, 0xffffffff;"
        value = combine(value, emit(b, F32, text, [value], "=f,f"))
    return value


def maximum(b: Any, x: Any, y: Any) -> Any:
    return emit_pure(b, F32, "max.f32 $0, $1, $2;", [x, y], "=f,f,f")


def power_of_two(b: Any, x: Any) -> Any:
    return emit_pure(b, F32, "ex2.approx.ftz.f32 $0, $1;", [x], "=f,f")


def packed(b: Any, first: Any, second: Any) -> Any:
    """Two halves in one register, the first one low."""
    return emit_pure(b, I32, "cvt.rn.f16x2.f32 $0, $2, $1;", [first, second], "=r,f,f")


def make_load_queries(size: int) -> Any:
    """An intrinsic (address) -> the left operand of every step; address: this lane's row and half of the first step."""
    kind = types.UniTuple(u32, size // 4)

    @intrinsic
    def load(typing_context, address):
        def codegen(context, b, s, a):
            found = [matrices(b, plus(b, a[0], 2 * k), False) for k in range(0, size, 16)]
            return cgutils.pack_array(b, sum(found, []))

        return kind(u32), codegen

    return load


def make_start(size: int) -> Any:
    """An intrinsic () -> the state before the first key."""
    kind = state_of(size)

    @intrinsic
    def start(typing_context):
        zero = ir.Constant(F32, 0.0)
        values = [MINUS_INFINITY, MINUS_INFINITY] + [zero] * (kind.count - 2)
        return kind(), lambda context, b, s, a: cgutils.pack_array(b, values)

    return start


def make_attend(size: int, keys: int, mask: SeenKeys) -> Any:
    """An intrinsic (state, queries, k_address, v_address, limit, below, factor, fill, first, second) -> state after a
    block of `keys` keys.

    k_address, v_address: this lane's row in shared memory; limit, below: keys of the block that row g and row g + 8 may
    look at, less 2t; factor: the scale of scores, positive, times log2(e) where there is no mask; fill: the score of a
    key that a mask of booleans shuts out; first, second: the masks of both rows at this block's keys and 2t.
    """
    kind, left = state_of(size), types.UniTuple(u32, size // 4)

    @intrinsic
    def attend(typing_context, state, queries, k_address, v_address, limit, below, factor, fill, first, second):
        def codegen(context, b, s, a):
            state, queries = unpack(b, a[0], kind.count), unpack(b, a[1], left.count)
            scores, factor = multiplied(b, queries, a[2], size, keys), a[6]
            if mask.source:
                scores, factor = biased(b, scores, mask, a[4:]), None
            most, totals, weights, shrink = weighed(b, within(b, scores, a[4:6]), state, factor, mask.may_be_empty)
            sums = [b.fmul(value, shrink[i % 4 // 2]) for i, value in enumerate(state[HEAD:])]
            return cgutils.pack_array(b, [*most, *totals, *accumulated(b, sums, weights, a[3], size)])

        return kind(kind, left, u32, u32, i32, i32, f32, f32, u64, u64), codegen

    return attend


def multiplied(b: Any, queries: list, k_address: Any, size: int, keys: int) -> list:
    """Scores of 16 queries and `keys` keys: four a thread for each 8 keys."""
    scores = [[ir.Constant(F32, 0.0)] * 4 for _ in range(keys // 8)]
    for step in range(size // 16):
        for pair in range(keys // 16):
            right = matrices(b, plus(b, k_address, pair * 16 * pitch_of(size) + 32 * step), False)
            for half in range(2):
                given = queries[4 * step : 4 * step + 4], right[2 * half : 2 * half + 2]
                scores[2 * pair + half] = product(b, scores[2 * pair + half], *given)
    return scores


def weighed(b: Any, scores: list, state: list, factor: Any, may_be_empty: bool) -> tuple[list, list, list, list]:
    """(largest scores, sums of weights, weights, what earlier sums shrink by), each for the thread's two rows.

    factor: of scores, None where it is in them; may_be_empty: whether a row of minus infinities can come: its weights
    are zeros, until the end divides by their sum.
    """
    most, totals, shrink, weights = [], [], [], [[None] * 4 for _ in scores]
    for row in range(2):
        mine = [four[2 * row + odd] for four in scores for odd in range(2)]
        largest = mine[0]
        for value in mine[1:]:
            largest = maximum(b, largest, value)
        largest = over_row(b, largest, lambda x, y: maximum(b, x, y))
        largest = maximum(b, state[row], b.fmul(largest, factor) if factor else largest)
        top = finite(b, largest) if may_be_empty else largest
        less = b.fsub(state[row], top)
        shrink.append(power_of_two(b, less if factor else b.fmul(less, LOG2_E)))
        total, minus = b.fmul(state[2 + row], shrink[row]), b.fsub(ir.Constant(F32, 0.0), top)
        for i, value in enumerate(mine):
            less = b.fma(value, factor, minus) if factor else b.fmul(b.fadd(value, minus), LOG2_E)
            weight = power_of_two(b, less)
            weights[i // 2][2 * row + i % 2] = weight
            total = b.fadd(total, weight)
        most.append(largest)
        totals.append(total)
    return most, totals, weights, shrink


def finite(b: Any, value: Any) -> Any:
    """Zero for minus infinity."""
    return b.select(b.fcmp_ordered("==", value, MINUS_INFINITY), ir.Constant(F32, 0.0), value)


def accumulated(b: Any, sums: list, weights: list, v_address: Any, size: int) -> list:
    """sums + weights . values."""
    tiles = [sums[i : i + 4] for i in range(0, len(sums), 4)]
    for step in range(len(weights) // 2):
        left = [packed(b, *weights[2 * step + half][2 * row : 2 * row + 2]) for half in range(2) for row in range(2)]
        for pair in range(size // 16):
            right = matrices(b, plus(b, v_address, step * 16 * pitch_of(size) + 32 * pair), True)
            for half in range(2):
                tiles[2 * pair + half] = product(b, tiles[2 * pair + half], left, right[2 * half : 2 * half + 2])
    return sum(tiles, [])


def make_finish(size: int, target: str, zeros: bool) -> Any:
    """An intrinsic (state, address, factor): 16 results as `target` into shared memory, rows `pitch_of(size)` apart.

    address: of this thread's row g and columns 2t; factor: what a weighted mean of stored values is multiplied by;
    zeros: whether a row without weights is zeros, not NaN.
    """
    kind, item = state_of(size), 1 if target == "int8" else 2

    @intrinsic
    def finish(typing_context, state, address, factor):
        def codegen(context, b, s, a):
            state = unpack(b, a[0], kind.count)
            for row in range(2):
                total = over_row(b, state[2 + row], b.fadd)
                scale = b.fmul(a[2], emit_pure(b, F32, "rcp.rn.f32 $0, $1;", [total], "=f,f"))
                if zeros:
                    nothing = ir.Constant(F32, 0.0)
                    scale = b.select(b.fcmp_ordered("==", total, nothing), nothing, scale)
                for tile in range(size // 8):
                    two = [b.fmul(state[HEAD + 4 * tile + 2 * row + odd], scale) for odd in range(2)]
                    at = plus(b, a[1], row * 8 * pitch_of(size) + 8 * tile * item)
                    if target == "int8":
                        word = emit_pure(b, I16, PACK_TWO_S8, two, "=h,f,f")
                        emit(b, VOID, "st.shared.b16 [$0], $1;", [at, word], "r,h,~{memory}")
                    else:
                        emit(b, VOID, "st.shared.b32 [$0], $1;", [at, packed(b, *two)], "r,r,~{memory}")
            return context.get_dummy_value()

        return types.void(kind, u32, f32), codegen

    return finish
