"""Weights of 4 bits times a vector in whole numbers: two products of 16 bits with 4 by one instruction.

A step is left where it lies in its byte, the upper half, with the sign of step - 8: sixteen times as large, and no
conversion. x becomes whole numbers of 16 bits, a group's largest 32,767 of them, so what is lost of x is at most a
65,534th of the largest in its group; float16 itself keeps a 2,048th of each number. `dp2a` adds the products of two of
them with two steps to a sum of 32 bits, which a group cannot fill: it is exact.
Otherwise as `four_bits_four_rows`, and with its arguments; launched by `dependent_launch`, its first weights are on
their way before the launch in front of it has ended.
Source: PTX ISA, dp2a, lop3 and prmt.
"""

from __future__ import annotations

from numba import float32, int32, uint32

from autograder.backend import cuda
from autograder.notebook.intrinsics import halves, load16
from benchmarks.dependent_launch import let_successor_start, wait_for_predecessor
from benchmarks.unpacking_kernels import (
    GROUP,
    PER_WARP,
    ROWS,
    WARP,
    WARPS,
    device,
    in_words,
    of_rows,
    scales_of,
    sum_of_own_row,
)
from minitrt.kernels.ptx import f32, i32, ptx, u32

LARGEST, SMALLEST = float32(32767), float32(1e-30)  # of a group's whole numbers; below what a float16 can be
UNIT = float32(1 / (32767 * 16))
SIGNLESS = uint32(0x7FFF7FFF)

larger = ptx("max.u16x2 $0, $1, $2;", u32, u32, u32, pure=True)
larger_half = ptx(  # of two float16 without a sign, which are in the order of their bits
    "{ .reg .b16 a, b; mov.b32 {a, b}, $1; max.u16 a, a, b; cvt.f32.f16 $0, a; }", f32, u32, pure=True
)
reciprocal = ptx("rcp.approx.f32 $0, $1;", f32, f32, pure=True)
# A float32 of 1.5 x 2^23 and a whole number has the number in its lowest bits, as two's complement.
whole = ptx(
    "{ .reg .f32 a, b; fma.rn.f32 a, $1, $3, 0f4B400000; fma.rn.f32 b, $2, $3, 0f4B400000; "
    "prmt.b32 $0, a, b, 0x5410; }",
    u32, f32, f32, f32, pure=True,
)  # fmt: skip
# (word ^ 8 in each step) & the upper step of each byte
_UPPER = "lop3.b32 $0, {0}, 0x80808080, 0xF0F0F0F0, 0x28;"
odd_steps = ptx(_UPPER.format("$1"), u32, u32, pure=True)
even_steps = ptx("{ .reg .b32 t; shl.b32 t, $1, 4; " + _UPPER.format("t") + "}", u32, u32, pure=True)
# x[0] step[0] + x[1] step[1] + sum, with the lower two bytes of steps or the upper two
first_two = ptx("dp2a.lo.s32.s32 $0, $1, $2, $3;", i32, u32, u32, i32, pure=True)
last_two = ptx("dp2a.hi.s32.s32 $0, $1, $2, $3;", i32, u32, u32, i32, pure=True)


@device
def largest_of_eight(w):
    return larger(larger(w[0] & SIGNLESS, w[1] & SIGNLESS), larger(w[2] & SIGNLESS, w[3] & SIGNLESS))


@device
def largest_of_group(a, b, c, d):
    """The largest |x| of 32, from four times four words of two float16."""
    pairs = larger(larger(largest_of_eight(a), largest_of_eight(b)), larger(largest_of_eight(c), largest_of_eight(d)))
    return max(larger_half(pairs), SMALLEST)


@device
def whole_eight(w, scale):
    """Eight x as whole numbers, two to a word, in the order of a word's steps: 0 and 2, 4 and 6, 1 and 3, 5 and 7."""
    a, b, c, d = halves(w[0]), halves(w[1]), halves(w[2]), halves(w[3])
    return whole(a[0], b[0], scale), whole(c[0], d[0], scale), whole(a[1], b[1], scale), whole(c[1], d[1], scale)


@device
def add_word(word, x, acc):
    even, odd = even_steps(word), odd_steps(word)
    return last_two(x[3], odd, first_two(x[2], odd, last_two(x[1], even, first_two(x[0], even, acc))))


@device
def add_words(words, x, acc):
    """The same for a word of each of four rows."""
    a, b = add_word(words[0], x, acc[0]), add_word(words[1], x, acc[1])
    return a, b, add_word(words[2], x, acc[2]), add_word(words[3], x, acc[3])


@cuda.jit
def four_bits_in_integers(packed, scales, x, y):
    """A block of THREADS threads for ROWS rows, of which n_rows is a multiple."""
    sums = cuda.shared.array((WARPS, PER_WARP), float32)
    t, n_groups, z, none = cuda.threadIdx.x, scales.shape[1], float32(0), int32(0)
    warp, lane = t // WARP, t % WARP
    row, begin, step = ROWS * cuda.blockIdx.x + PER_WARP * (warp // 2), lane + WARP * (warp % 2), 2 * WARP
    a, b, c, d = z, z, z, z
    g = min(begin, n_groups - 1)
    coming, coming_scales = of_rows(packed, row, g), scales_of(scales, row, g)
    wait_for_predecessor()  # weights are there, x may be what it computes
    for g in range(begin, n_groups, step):
        w, s = coming, coming_scales
        following = min(g + step, n_groups - 1)
        coming, coming_scales = of_rows(packed, row, following), scales_of(scales, row, following)
        first, second = load16(x, GROUP * g), load16(x, GROUP * g + 8)
        third, fourth = load16(x, GROUP * g + 16), load16(x, GROUP * g + 24)
        largest = largest_of_group(first, second, third, fourth)
        scale, unit, found = LARGEST * reciprocal(largest), UNIT * largest, (none, none, none, none)
        found = add_words(in_words(w, 0), whole_eight(first, scale), found)
        found = add_words(in_words(w, 1), whole_eight(second, scale), found)
        found = add_words(in_words(w, 2), whole_eight(third, scale), found)
        found = add_words(in_words(w, 3), whole_eight(fourth, scale), found)
        a, b = a + s[0] * unit * float32(found[0]), b + s[1] * unit * float32(found[1])
        c, d = c + s[2] * unit * float32(found[2]), d + s[3] * unit * float32(found[3])
    let_successor_start()
    total = sum_of_own_row(a, b, c, d, lane)
    if lane % 8 == 0:
        sums[warp, lane // 8] = total
    cuda.syncthreads()  # the sums of both warps of a row
    if t < ROWS:
        of, r = 2 * (t // PER_WARP), t % PER_WARP
        y[ROWS * cuda.blockIdx.x + t] = sums[of, r] + sums[of + 1, r]
