"""Rotary position embedding: a thread an element of a head."""

from __future__ import annotations

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import THREADS, array, reader, writer

ONE = float32(1)


def rotary(source: str, table: str, interleaved: bool, index: str) -> tuple:
    """(kernel, signature, threads) of rotary(x, cosines, sines, positions, y, count, tokens, heads, size, turned,
    token_stride, head_stride, image_stride, table_size, rows).

    Element e of a head and its partner, of the first `turned` elements, are rotated by the angle of their pair, whose
    cosine lies in row `image * tokens + token` of both tables, or in that of its position, one of `rows`.
    interleaved: pairs are neighbours, else one is `turned` / 2 behind the other. index: type of positions, "" for
    none. count: elements.
    """
    read, read_table, write = reader(source), reader(table), writer(source)
    INTERLEAVED, BY_POSITION = interleaved, bool(index)

    def kernel(
        x, cosines, sines, positions, y, count, tokens, heads, size, turned, token_stride, head_stride, image_stride,
        table_size, rows,
    ):  # fmt: skip
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if i < count:
            e, head, token = i % size, i // size % heads, i // size // heads % tokens
            image = i // size // heads // tokens
            at, row = image * image_stride + token * token_stride + head * head_stride, image * tokens + token
            own = read(x, at + e, ONE)
            if e < turned:
                if BY_POSITION:
                    row = int64(positions[row])
                    row = min(max(row + rows if row < 0 else row, int64(0)), rows - 1)
                pair = e // 2 if INTERLEAVED else e % (turned // 2)
                second = e % 2 == 1 if INTERLEAVED else e >= turned // 2
                step = int64(1) if INTERLEAVED else turned // 2
                partner = read(x, at + (e - step if second else e + step), ONE)
                cosine = read_table(cosines, row * table_size + pair, ONE)
                sine = read_table(sines, row * table_size + pair, ONE)
                own = own * cosine + (partner if second else -partner) * sine
            write(y, at + e, own, ONE)

    arrays = array(source), array(table), array(table), array(index or "int32"), array(source)
    return kernel, types.void(*arrays, *[types.int64] * 10), THREADS
