"""From x and the weights to shared memory: which 16 bytes each thread moves in a step of K, and how.

`window` of a device function is (taps, columns of taps, height, width, output height, output width, stride, pads,
dilation (two each)); places in shared memory are in words.
"""

from __future__ import annotations

from typing import Any

from numba import int32, uint32

from minitrt.kernels import words
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import udiv
from minitrt.kernels.tensor_conv.tile import CHUNK_WORDS, ROW_CHUNKS, ROW_WORDS, Tile

FAR_OUT = -(1 << 30)  # a row that no tap brings back into the image


def make_aim(pointwise: bool) -> Any:
    """aim(p, pixels, window): where output pixel p reads: first pixel of its image, row and column of its first tap."""
    if pointwise:
        return inline(lambda p, pixels, window: (p, int32(0) if p < pixels else int32(FAR_OUT), int32(0)))

    @inline
    def aim(p, pixels, window):
        line = int32(udiv(uint32(p), uint32(window[5])))
        image = int32(udiv(uint32(line), uint32(window[4])))
        column, row = p - line * window[5], line - image * window[4]
        top = int32(row * window[6] - window[8]) if p < pixels else int32(FAR_OUT)
        return int32(image * window[2] * window[3]), top, int32(column * window[7] - window[9])

    return aim


def make_locate(pointwise: bool) -> Any:
    """locate(first, row, column, chunk, chunks, window): (chunk of x, whether there is one) for chunk `chunk` of K."""
    if pointwise:
        return inline(
            lambda first, row, column, chunk, chunks, window: (
                int32(first * chunks + chunk),
                row >= 0 and chunk < chunks,
            )
        )

    @inline
    def locate(first, row, column, chunk, chunks, window):
        tap = int32(udiv(uint32(chunk), uint32(chunks)))
        tap_row = int32(udiv(uint32(tap), uint32(window[1])))
        h = int32(row + tap_row * window[10])
        w = int32(column + (tap - tap_row * window[1]) * window[11])
        inside = tap < window[0] and h >= 0 and h < window[2] and w >= 0 and w < window[3]
        return int32((first + h * window[3] + w) * chunks + (chunk - tap * chunks)), inside

    return locate


def make_moves(tile: Tile, pointwise: bool) -> tuple[Any, Any]:
    """(fetch, keep) of one step: all chunks of a thread. From Ampere on copies run beside the thread, and `keep` does
    nothing; before, chunks wait in registers (`held`) while the thread multiplies."""
    locate, (move, settle) = make_locate(pointwise), _movers(tile.instruction)
    OF_A, OF_B, ROWS, A_WORDS = tile.chunks_of_pixels, tile.chunks_of_weights, tile.rows_at_once, tile.pixel_words

    @inline
    def fetch(shared, to, step, column, x, chunks, rows, w, from_w, pitch, window, held):
        chunk = int32(step * ROW_CHUNKS + column)
        for i in range(OF_A):
            source, inside = locate(rows[3 * i], rows[3 * i + 1], rows[3 * i + 2], chunk, chunks, window)
            move(shared, to + i * ROWS * ROW_WORDS, x, source * CHUNK_WORDS, inside, held, i)
        for i in range(OF_B):
            source = from_w + (i * ROWS * pitch + step * ROW_CHUNKS) * CHUNK_WORDS
            move(shared, to + A_WORDS + i * ROWS * ROW_WORDS, w, source, True, held, OF_A + i)

    @inline
    def keep(shared, to, held):
        for i in range(OF_A):
            settle(shared, to + i * ROWS * ROW_WORDS, held, i)
        for i in range(OF_B):
            settle(shared, to + A_WORDS + i * ROWS * ROW_WORDS, held, OF_A + i)

    return fetch, keep


def _movers(instruction: str) -> tuple[Any, Any]:
    """(move, settle): one chunk on its way."""
    if instruction == "ampere":

        @inline
        def move(shared, to, array, at, inside, held, i):
            words.copy4(shared, to, array, at if inside else 0, inside)

        return move, inline(lambda shared, to, held, i: None)

    @inline
    def move_to_registers(shared, to, array, at, inside, held, i):
        for n in range(4):
            held[4 * i + n] = 0
        if inside:
            held[4 * i], held[4 * i + 1], held[4 * i + 2], held[4 * i + 3] = words.load4(array, at)

    @inline
    def settle(shared, to, held, i):
        words.keep4(shared, to, (held[4 * i], held[4 * i + 1], held[4 * i + 2], held[4 * i + 3]))

    return move_to_registers, settle
