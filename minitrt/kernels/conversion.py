"""Between float32, float16 and int8 in the same order, 8 elements a thread: y = convert(x * x_scale / y_scale)."""

from __future__ import annotations

from numba import int64, types, uint64

from minitrt.backend import cuda
from minitrt.kernels.hopper import sync
from minitrt.kernels.normalise import ITEMS, LANE_ELEMENTS, make_read, make_write
from minitrt.kernels.ptx import divide, f32, i64, u64

THREADS = 256
SIGNATURE = types.void(u64, u64, f32, f32, i64)


def factory(source: str, target: str, dependent: bool) -> tuple:
    """(kernel, signature, threads) of convert(x, y, x_scale, y_scale, eights)."""
    read, write, DEPENDENT = make_read(source), make_write(target), dependent
    IN, OUT, SCALED = ITEMS[source] * LANE_ELEMENTS, ITEMS[target] * LANE_ELEMENTS, "int8" in (source, target)

    def convert(x, y, x_scale, y_scale, eights):
        i = int64(cuda.blockIdx.x) * cuda.blockDim.x + cuda.threadIdx.x
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        if i < eights:
            v = read(x + uint64(i * IN))
            if SCALED:
                v = (
                    divide(v[0] * x_scale, y_scale), divide(v[1] * x_scale, y_scale),
                    divide(v[2] * x_scale, y_scale), divide(v[3] * x_scale, y_scale),
                    divide(v[4] * x_scale, y_scale), divide(v[5] * x_scale, y_scale),
                    divide(v[6] * x_scale, y_scale), divide(v[7] * x_scale, y_scale),
                )  # fmt: skip
            write(y + uint64(i * OUT), v)

    return convert, SIGNATURE, THREADS
