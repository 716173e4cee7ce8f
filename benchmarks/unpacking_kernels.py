"""Weights of 4 bits times a vector, unpacked by fewer instructions, and only read: what unit 21's rung waits for.

A step of 4 bits among zeros is a float16 below the smallest normal one, n times 2^-24. One AND leaves two of them in a
word, and what turns a float16 into a float32 turns these into numbers, exactly. Steps 1, 3, 5 and 7 of a word come out
16 times as large, so their sums are kept apart; a step of 8 stands for 0, so 8 times the group's sum of x is taken off.
A lane has the same group of four rows, for which x is loaded and summed once, and asks for the next group before it
computes; two warps share four rows. Arguments are those of `language_models.four_bit_product`.
"""

from __future__ import annotations

from numba import float32, uint32

from autograder.backend import cuda
from autograder.notebook.intrinsics import bits16, halves, load16

WARP, FULL_WARP, WARPS = 32, 0xFFFFFFFF, 4
THREADS, PER_WARP, PER_WARP_READ = WARP * WARPS, 4, 2
ROWS, ROWS_READ = PER_WARP * WARPS // 2, PER_WARP_READ * WARPS // 2  # of a block
GROUP, GROUP_BYTES = 32, 16
EVEN, ODD = uint32(0x000F000F), uint32(0x00F000F0)
BACK, SIXTEENTH, EIGHT = float32(2.0**24), float32(1 / 16), float32(8)
NOTHING = uint32(0x12345678)  # what the bytes never make, as nobody shall know at compile time
device = cuda.jit(device=True, forceinline=True)


@device
def eight(x, at):
    w = load16(x, at)
    a, b, c, d = halves(w[0]), halves(w[1]), halves(w[2]), halves(w[3])
    return a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]


@device
def add_word(word, x, sums):
    """sums + eight steps times x: of steps 0, 2, 4 and 6, and of 1, 3, 5 and 7, in units of 2^-24 and 2^-20."""
    later = word >> uint32(8)
    a, b, c, d = halves(word & EVEN), halves(later & EVEN), halves(word & ODD), halves(later & ODD)
    even = a[0] * x[0] + a[1] * x[4] + b[0] * x[2] + b[1] * x[6]
    return sums[0] + even, sums[1] + (c[0] * x[1] + c[1] * x[5] + d[0] * x[3] + d[1] * x[7])


@device
def add_words(words, x, sums):
    """The same for a word of each of four rows, and x itself added up."""
    a, b = add_word(words[0], x, sums[0]), add_word(words[1], x, sums[1])
    c, d = add_word(words[2], x, sums[2]), add_word(words[3], x, sums[3])
    return a, b, c, d, sums[4] + (((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])))


@device
def of_rows(packed, row, g):
    """The words of a group, of four rows."""
    at = GROUP_BYTES * g
    first = load16(packed, (row, at)), load16(packed, (row + 1, at))
    return first + (load16(packed, (row + 2, at)), load16(packed, (row + 3, at)))


@device
def scales_of(scales, row, g):
    first = float32(scales[row, g]), float32(scales[row + 1, g])
    return first + (float32(scales[row + 2, g]), float32(scales[row + 3, g]))


@device
def in_words(w, i):
    return w[0][i], w[1][i], w[2][i], w[3][i]


@device
def scaled(scale, sums, middle):
    return scale * (BACK * (sums[0] + SIXTEENTH * sums[1]) - middle)


@device
def sum_of_own_row(a, b, c, d, lane):
    """The sum over all lanes of one of four numbers, that of row lane // 8: lanes give away what others add up, so six
    exchanges do what five for each number would."""
    upper, odd = lane >= 16, lane & 8 != 0
    first, second = (c, d) if upper else (a, b)
    given, also = (a, b) if upper else (c, d)
    first += cuda.shfl_xor_sync(FULL_WARP, given, 16)
    second += cuda.shfl_xor_sync(FULL_WARP, also, 16)
    x, other = (second, first) if odd else (first, second)
    x += cuda.shfl_xor_sync(FULL_WARP, other, 8)
    x += cuda.shfl_xor_sync(FULL_WARP, x, 4)
    x += cuda.shfl_xor_sync(FULL_WARP, x, 2)
    return x + cuda.shfl_xor_sync(FULL_WARP, x, 1)


@cuda.jit
def four_bits_four_rows(packed, scales, x, y):
    """A block of THREADS threads for ROWS rows, of which n_rows is a multiple."""
    sums = cuda.shared.array((WARPS, PER_WARP), float32)
    t, n_groups, z = cuda.threadIdx.x, scales.shape[1], float32(0)
    warp, lane = t // WARP, t % WARP
    row, begin, step = ROWS * cuda.blockIdx.x + PER_WARP * (warp // 2), lane + WARP * (warp % 2), 2 * WARP
    a, b, c, d = z, z, z, z
    g = min(begin, n_groups - 1)
    coming, coming_scales = of_rows(packed, row, g), scales_of(scales, row, g)
    for g in range(begin, n_groups, step):
        w, s = coming, coming_scales
        following = min(g + step, n_groups - 1)
        coming, coming_scales = of_rows(packed, row, following), scales_of(scales, row, following)
        found = (z, z), (z, z), (z, z), (z, z), z
        found = add_words(in_words(w, 0), eight(x, GROUP * g), found)
        found = add_words(in_words(w, 1), eight(x, GROUP * g + 8), found)
        found = add_words(in_words(w, 2), eight(x, GROUP * g + 16), found)
        found = add_words(in_words(w, 3), eight(x, GROUP * g + 24), found)
        middle = EIGHT * found[4]
        a, b = a + scaled(s[0], found[0], middle), b + scaled(s[1], found[1], middle)
        c, d = c + scaled(s[2], found[2], middle), d + scaled(s[3], found[3], middle)
    total = sum_of_own_row(a, b, c, d, lane)
    if lane % 8 == 0:
        sums[warp, lane // 8] = total
    cuda.syncthreads()  # the sums of both warps of a row
    if t < ROWS:
        of, r = 2 * (t // PER_WARP), t % PER_WARP
        y[ROWS * cuda.blockIdx.x + t] = sums[of, r] + sums[of + 1, r]


@cuda.jit
def four_bits_read(packed, scales, x, y):
    """The same weights and scales loaded, by two warps for two rows, which is faster, and nothing computed of them."""
    t, n_groups, words = cuda.threadIdx.x, scales.shape[1], uint32(0)
    warp, lane = t // WARP, t % WARP
    row = ROWS_READ * cuda.blockIdx.x + PER_WARP_READ * (warp // 2)
    for g in range(lane + WARP * (warp % 2), n_groups, 2 * WARP):
        w, v = load16(packed, (row, GROUP_BYTES * g)), load16(packed, (row + 1, GROUP_BYTES * g))
        words ^= w[0] ^ w[1] ^ w[2] ^ w[3] ^ v[0] ^ v[1] ^ v[2] ^ v[3]
        words ^= bits16(scales[row, g]) ^ bits16(scales[row + 1, g])
    if words == NOTHING:
        y[row] = float32(0)
