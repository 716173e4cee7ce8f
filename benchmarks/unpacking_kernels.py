"""Weights of 4 bits times a vector with next to no unpacking, and none: is that what unit 21's rung waits for?

A step of 4 bits among zeros is a float16 below the smallest normal one, n times 2^-24, which `mma` multiplies exactly:
one AND unpacks two weights, and nothing is converted. Steps 1, 3, 5 and 7 of a word come out 16 times as large, so
their sums are kept apart. A lane's 16 bytes are one group of one row, and column j of B holds x for the group of lanes
with l % 4 = j alone and zeros elsewhere: four groups, whose scales differ, end in four columns. A step of 8 stands for
0, so 8 times the group's sum of x is taken off. Arguments are those of `language_models.four_bit_product`.
"""

from __future__ import annotations

from numba import float32, uint32

from autograder.backend import cuda
from autograder.notebook.intrinsics import bits16, halves, load16, mma

WARP, FULL_WARP, WARPS = 32, 0xFFFFFFFF, 4
THREADS, ROWS = WARP * WARPS, 16  # of a block
GROUP, GROUP_BYTES, MOST_GROUPS = 32, 16, 512
EVEN, ODD = uint32(0x000F000F), uint32(0x00F000F0)
BACK, SIXTEENTH, EIGHT = float32(2.0**24), float32(1 / 16), float32(8)
NOTHING = uint32(0x12345678)  # what the bytes never make, as nobody shall know at compile time
device = cuda.jit(device=True, forceinline=True)


@device
def low(x, y):
    return (x & uint32(0xFFFF)) | (y << uint32(16))


@device
def high(x, y):
    return (x >> uint32(16)) | (y & uint32(0xFFFF0000))


@device
def arranged(x, at, own):
    """Eight numbers of x in the order of `word_products`, or zeros."""
    o = uint32(0)
    if not own:
        return o, o, o, o
    w = load16(x, at)
    return low(w[0], w[2]), low(w[1], w[3]), high(w[0], w[2]), high(w[1], w[3])


@device
def word_products(w, v, x, sums):
    """sums + eight weights of two rows times x: of steps 0, 4, 2 and 6, and of 1, 5, 3 and 7."""
    a, b = w >> uint32(8), v >> uint32(8)
    even = mma((w & EVEN, v & EVEN, a & EVEN, b & EVEN), (x[0], x[1]), sums[0])
    return even, mma((w & ODD, v & ODD, a & ODD, b & ODD), (x[2], x[3]), sums[1])


@device
def group_products(w, v, x, at, own):
    """The sums of two rows, g and g + 8, with two groups each, in units of 2^-24."""
    z = float32(0)
    sums = (z, z, z, z), (z, z, z, z)
    sums = word_products(w[0], v[0], arranged(x, at, own), sums)
    sums = word_products(w[1], v[1], arranged(x, at + 8, own), sums)
    sums = word_products(w[2], v[2], arranged(x, at + 16, own), sums)
    even, odd = word_products(w[3], v[3], arranged(x, at + 24, own), sums)
    first = even[0] + SIXTEENTH * odd[0], even[1] + SIXTEENTH * odd[1]
    return first + (even[2] + SIXTEENTH * odd[2], even[3] + SIXTEENTH * odd[3])


@device
def sum8(x, at):
    w = load16(x, at)
    a, b, c, d = halves(w[0]), halves(w[1]), halves(w[2]), halves(w[3])
    return ((a[0] + a[1]) + (b[0] + b[1])) + ((c[0] + c[1]) + (d[0] + d[1]))


@cuda.jit
def four_bits_on_tensor_cores(packed, scales, x, y):
    """A block of THREADS threads for 16 rows. n_rows is a multiple of 16, groups one of 4, and at most MOST_GROUPS."""
    eights = cuda.shared.array(MOST_GROUPS, float32)  # 8 times each group's sum of x
    sums = cuda.shared.array((WARPS, ROWS), float32)
    t, n_groups = cuda.threadIdx.x, scales.shape[1]
    warp, g, j = t // WARP, t % WARP // 4, t % 4
    row = ROWS * cuda.blockIdx.x + g
    for group in range(t, n_groups, THREADS):
        at = GROUP * group
        eights[group] = EIGHT * ((sum8(x, at) + sum8(x, at + 8)) + (sum8(x, at + 16) + sum8(x, at + 24)))
    cuda.syncthreads()  # the sums of all groups
    a, b = float32(0), float32(0)
    for begin in range(4 * warp, n_groups, 4 * WARPS):
        place = GROUP_BYTES * (begin + j)
        w, v = load16(packed, (row, place)), load16(packed, (row + 8, place))
        d = group_products(w, v, x, GROUP * (begin + j), g == j)
        if j < 2:
            c = begin + 2 * j
            m, n = eights[c], eights[c + 1]
            a += float32(scales[row, c]) * (BACK * d[0] - m) + float32(scales[row, c + 1]) * (BACK * d[1] - n)
            b += float32(scales[row + 8, c]) * (BACK * d[2] - m) + float32(scales[row + 8, c + 1]) * (BACK * d[3] - n)
    a += cuda.shfl_xor_sync(FULL_WARP, a, 1)
    b += cuda.shfl_xor_sync(FULL_WARP, b, 1)
    if j == 0:
        sums[warp, g], sums[warp, g + 8] = a, b
    cuda.syncthreads()  # the sums of all warps
    if t < ROWS:
        y[ROWS * cuda.blockIdx.x + t] = (sums[0, t] + sums[1, t]) + (sums[2, t] + sums[3, t])


@cuda.jit
def four_bits_read(packed, scales, x, y):
    """The same weights and scales loaded in the same order, and nothing computed of them."""
    t, n_groups = cuda.threadIdx.x, scales.shape[1]
    warp, g, j, words = t // WARP, t % WARP // 4, t % 4, uint32(0)
    row = ROWS * cuda.blockIdx.x + g
    for begin in range(4 * warp, n_groups, 4 * WARPS):
        place = GROUP_BYTES * (begin + j)
        w, v = load16(packed, (row, place)), load16(packed, (row + 8, place))
        words ^= w[0] ^ w[1] ^ w[2] ^ w[3] ^ v[0] ^ v[1] ^ v[2] ^ v[3]
        words ^= bits16(scales[row, begin + j]) ^ bits16(scales[row + 8, begin + j])
    if words == NOTHING:
        y[row] = float32(0)
