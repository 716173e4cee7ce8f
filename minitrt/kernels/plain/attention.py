"""Attention by plain loops: a warp a query, its scores in scratch memory; any type, head size and length."""

from __future__ import annotations

import math

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, larger, reader, writer
from minitrt.kernels.plain.rows import WARP, warp_max, warp_sum


def attention(source: str, target: str) -> tuple:
    """(kernel, signature, threads) of attention(q, k, v, y, scores, q_scale, k_scale, v_scale, y_scale, factor, rows,
    queries, keys, heads, size, q_pitch, k_pitch, v_pitch, q_start, k_start, v_start).

    q, k, v: (batch, tokens, pitch) each, of which head h has `size` features from start + h * size on; y: (batch,
    queries, heads * size). rows: batch * queries * heads, one a warp; scores: float32 (rows, keys).
    """
    read, write = reader(source), writer(target)

    def kernel(
        q, k, v, y, scores, q_scale, k_scale, v_scale, y_scale, factor, rows, queries, keys, heads, size,
        q_pitch, k_pitch, v_pitch, q_start, k_start, v_start,
    ):  # fmt: skip
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            head, token = row % heads, row // heads
            batch = token // queries
            from_q = token * q_pitch + q_start + head * size
            most = -INFINITY
            for key in range(lane, keys, WARP):
                from_k, total = (batch * keys + key) * k_pitch + k_start + head * size, float32(0)
                for i in range(size):
                    total += read(q, from_q + i, q_scale) * read(k, from_k + i, k_scale)
                scores[row * keys + key] = total * factor
                most = larger(most, total * factor)
            most, total = warp_max(most), float32(0)
            for key in range(lane, keys, WARP):
                weight = math.exp(scores[row * keys + key] - most)
                scores[row * keys + key] = weight
                total += weight
            total = warp_sum(total)
            cuda.syncwarp()  # lanes read what others wrote
            for i in range(lane, size, WARP):
                result = float32(0)
                for key in range(keys):
                    at = (batch * keys + key) * v_pitch + v_start + head * size + i
                    result += scores[row * keys + key] * read(v, at, v_scale)
                write(y, (token * heads + head) * size + i, result / total, y_scale)

    arrays = [array(source)] * 3 + [array(target), array("float32")]
    return kernel, types.void(*arrays, *[types.float32] * 5, *[types.int64] * 11), THREADS
