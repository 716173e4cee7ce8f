"""What a warp reads of shared memory, and multiplies."""

from __future__ import annotations

from typing import Any

from minitrt.kernels import words
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import dp4a
from minitrt.kernels.tensor_conv.products import PRODUCTS
from minitrt.kernels.tensor_conv.tile import ROW_WORDS, Tile

NEIGHBOURS = 4  # products side by side in a warp, of 8 channels each


def multiplier(tile: Tile) -> Any:
    """multiply(shared, from_a, from_b, lane, sums): sums of a warp += one step of K.

    from_a, from_b: where the warp's rows begin. sums[(i * 4 + j) * 4 + e]: of rows i * 16 + (0, 0, 8, 8)[e] + lane / 4
    and, of neighbour j, columns 2 * (lane % 4) + e % 2.
    """
    GROUPS = tile.row_groups
    if tile.instruction == "dp4a":
        return _multiply_without_tensor_cores(GROUPS)
    product = PRODUCTS[tile.element, tile.instruction]

    @inline
    def multiply(shared, from_a, from_b, lane, sums):
        row, matrix, turn = lane & 7, lane >> 3, (lane >> 1) & 3
        a_row = from_a + (row + (matrix & 1) * 8) * ROW_WORDS
        b_row = from_b + (row + (matrix >> 1) * 8) * ROW_WORDS
        for half in range(2):  # 32 bytes of K each
            a_at = a_row + ((2 * half + (matrix >> 1)) ^ turn) * 4
            b_at = b_row + ((2 * half + (matrix & 1)) ^ turn) * 4
            b = words.ldmatrix(shared, b_at)
            c = words.ldmatrix(shared, b_at + 16 * ROW_WORDS)
            pairs = ((b[0], b[1]), (b[2], b[3]), (c[0], c[1]), (c[2], c[3]))
            for i in range(GROUPS):
                a = words.ldmatrix(shared, a_at + i * (16 * ROW_WORDS))
                for j in range(NEIGHBOURS):
                    k = (i * NEIGHBOURS + j) * 4
                    sums[k], sums[k + 1], sums[k + 2], sums[k + 3] = product(
                        a, pairs[j], (sums[k], sums[k + 1], sums[k + 2], sums[k + 3])
                    )

    return multiply


def _multiply_without_tensor_cores(groups: int) -> Any:
    """The same sums by dp4a: each lane reads the rows and columns that it needs."""
    GROUPS = groups

    @inline
    def dot(a, b, total):
        return dp4a(a[3], b[3], dp4a(a[2], b[2], dp4a(a[1], b[1], dp4a(a[0], b[0], total))))

    @inline
    def multiply(shared, from_a, from_b, lane, sums):
        g, t = lane >> 2, lane & 3
        for chunk in range(4):
            a_at = from_a + g * ROW_WORDS + (chunk ^ ((g >> 1) & 3)) * 4
            b_at = from_b + 2 * t * ROW_WORDS + (chunk ^ t) * 4
            for i in range(GROUPS):
                upper = words.shared4(shared, a_at + i * (16 * ROW_WORDS))
                lower = words.shared4(shared, a_at + (i * 16 + 8) * ROW_WORDS)
                for j in range(NEIGHBOURS):
                    k = (i * NEIGHBOURS + j) * 4
                    left = words.shared4(shared, b_at + j * (8 * ROW_WORDS))
                    right = words.shared4(shared, b_at + (j * 8 + 1) * ROW_WORDS)
                    sums[k] = dot(upper, left, sums[k])
                    sums[k + 1] = dot(upper, right, sums[k + 1])
                    sums[k + 2] = dot(lower, left, sums[k + 2])
                    sums[k + 3] = dot(lower, right, sums[k + 3])

    return multiply
