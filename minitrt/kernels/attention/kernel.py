"""Attention as one kernel: a block has some queries of one head, and walks over all its keys and values.

    y = softmax(scale * q k^T) v

q, k and v are int8 or float16 and become float16 in shared memory, which holds every int8 exactly; sums are float32.
`minitrt.kernels.plain.attention` is the same in plain loops.
"""

from __future__ import annotations

from typing import Any

from numba import int32, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.attention.fragments import (
    ROWS,
    make_attend,
    make_finish,
    make_load_queries,
    make_start,
    pitch_of,
)
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import (
    f32,
    i32,
    load_v4_b32,
    ptx,
    shared_address,
    store_v4_b32,
    u32,
    u64,
    udiv,
)

CHUNK = 16  # bytes that a thread moves at once
BLOCK_KEYS = 64  # of one step of the softmax
SIGNATURE = types.void(*[u64] * 4, f32, f32, *[i32] * 6)

store_shared = ptx("st.shared.v4.b32 [$0], {$1, $2, $3, $4};", None, u32, u32, u32, u32, u32)
load_shared = ptx("ld.shared.v4.b32 {$0, $1, $2, $3}, [$4];", (u32, 4), u32)
# four signed bytes as four halves: a byte with its sign flipped is the low byte of 1024 + 128 + its value
widened = ptx(
    "{ .reg .b32 t, u, o; mov.b32 o, 0x64806480; xor.b32 t, $2, 0x80808080; prmt.b32 u, t, 0x64646464, 0x4140; "
    "sub.f16x2 $0, u, o; prmt.b32 u, t, 0x64646464, 0x4342; sub.f16x2 $1, u, o; }",
    (u32, 2), u32, pure=True,
)  # fmt: skip


def keys_at_once(size: int) -> int:
    """Keys and values that lie in shared memory together."""
    return 128 if size <= 64 else 64


def shared_bytes(size: int, warps: int) -> int:
    """Dynamic shared memory of a launch."""
    return (warps * ROWS + 2 * keys_at_once(size)) * pitch_of(size)


def make_load_rows(size: int, source: str, threads: int) -> Any:
    """load(to, x, rows, existing, pitch, thread): rows of a head to shared memory as halves, zeros past `existing`."""
    ITEM = 1 if source == "int8" else 2
    CHUNKS, PITCH, THREADS, INT8 = size * ITEM // CHUNK, pitch_of(size), threads, source == "int8"

    @inline
    def load(to, x, rows, existing, pitch, thread):
        for i in range(thread, rows * CHUNKS, THREADS):
            row = int32(udiv(i, CHUNKS))
            chunk = int32(i - row * CHUNKS)
            a = b = c = d = uint32(0)
            if row < existing:
                a, b, c, d = load_v4_b32(x + uint64(row) * uint64(pitch) + uint64(chunk * CHUNK))
            if INT8:
                at = uint32(to + row * PITCH + chunk * 2 * CHUNK)
                a0, a1 = widened(a)
                b0, b1 = widened(b)
                c0, c1 = widened(c)
                d0, d1 = widened(d)
                store_shared(at, a0, a1, b0, b1)
                store_shared(at + CHUNK, c0, c1, d0, d1)
            else:
                store_shared(uint32(to + row * PITCH + chunk * CHUNK), a, b, c, d)

    return load


def make_store_rows(size: int, target: str) -> Any:
    """store(y, source, existing, pitch, lane): a warp's rows from shared memory, those that exist."""
    CHUNKS, PITCH = size * (1 if target == "int8" else 2) // CHUNK, pitch_of(size)

    @inline
    def store(y, source, existing, pitch, lane):
        for i in range(lane, ROWS * CHUNKS, 32):
            row = int32(udiv(i, CHUNKS))
            chunk = int32(i - row * CHUNKS)
            if row < existing:
                a, b, c, d = load_shared(uint32(source + row * PITCH + chunk * CHUNK))
                store_v4_b32(y + uint64(row) * uint64(pitch) + uint64(chunk * CHUNK), a, b, c, d)

    return store


def tensor_core_attention(size: int, source: str, target: str, warps: int, dependent: bool) -> Any:
    """attend(q, k, v, y, factor, y_factor, queries, keys, q_pitch, k_pitch, v_pitch, y_pitch); pitches in bytes.

    Grid: (blocks of 16 * warps queries, heads, batch). q, k, v: the first feature of the first head; a head has `size`
    features, a multiple of 16. factor: of scores, log2(e) included, positive. y_factor: of results.
    """
    IN, OUT = (size if kind == "int8" else 2 * size for kind in (source, target))
    PITCH, LOADED, QUERIES, THREADS, DEPENDENT = pitch_of(size), keys_at_once(size), ROWS * warps, 32 * warps, dependent
    K_AT = QUERIES * PITCH
    V_AT, OUT_ITEM = K_AT + LOADED * PITCH, OUT // size
    load_rows, store_rows = make_load_rows(size, source, THREADS), make_store_rows(size, target)
    load_queries, start, attend = make_load_queries(size), make_start(size), make_attend(size, BLOCK_KEYS)
    finish = make_finish(size, target)

    def attention(q, k, v, y, factor, y_factor, queries, keys, q_pitch, k_pitch, v_pitch, y_pitch):
        base = uint32(shared_address(cuda.shared.array(0, types.int8)))
        thread, lane, warp = cuda.threadIdx.x, cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        first, head, batch = cuda.blockIdx.x * QUERIES, uint64(cuda.blockIdx.y), uint64(cuda.blockIdx.z)
        q += (batch * uint64(queries) + uint64(first)) * uint64(q_pitch) + head * uint64(IN)
        k += batch * uint64(keys) * uint64(k_pitch) + head * uint64(IN)
        v += batch * uint64(keys) * uint64(v_pitch) + head * uint64(IN)
        mine = uint32(base + warp * (ROWS * PITCH))  # this warp's queries, later its results
        of_k = uint32(base + K_AT + ((lane >> 4) * 8 + (lane & 7)) * PITCH + ((lane >> 3) & 1) * 16)
        of_v = uint32(base + V_AT + (lane & 15) * PITCH + (lane >> 4) * 16)
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        load_rows(base, q, QUERIES, queries - first, q_pitch, thread)
        state = start()
        for loaded in range(0, keys, LOADED):
            cuda.syncthreads()  # everybody is done with the keys before
            load_rows(base + K_AT, k + uint64(loaded) * uint64(k_pitch), LOADED, keys - loaded, k_pitch, thread)
            load_rows(base + V_AT, v + uint64(loaded) * uint64(v_pitch), LOADED, keys - loaded, v_pitch, thread)
            cuda.syncthreads()  # keys and values are there, and the queries
            operand = load_queries(uint32(mine + (lane & 15) * PITCH + (lane >> 4) * 16))
            for block in range(0, min(LOADED, keys - loaded), BLOCK_KEYS):
                limit = int32(keys - loaded - block - 2 * (lane & 3))
                state = attend(
                    state, operand, uint32(of_k + block * PITCH), uint32(of_v + block * PITCH), limit, factor
                )
        cuda.syncwarp()
        finish(state, uint32(mine + (lane >> 2) * PITCH + (lane & 3) * (2 * OUT_ITEM)), y_factor)
        cuda.syncwarp()  # the warp's results are there
        row = int32(first + warp * ROWS)
        y += (batch * uint64(queries) + uint64(row)) * uint64(y_pitch) + head * uint64(OUT)
        store_rows(y, mine, queries - row, y_pitch, lane)

    return attention


def factory(size: int, source: str, target: str, warps: int, dependent: bool) -> tuple:
    """(kernel, signature, threads)"""
    return tensor_core_attention(size, source, target, warps, dependent), SIGNATURE, 32 * warps
