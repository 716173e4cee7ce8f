"""Attention as one kernel: a block has some queries of one head, and walks over all its keys and values.

    y = softmax(scale * q k^T, masked) v

q, k and v are int8 or float16 and become float16 in shared memory, which holds every int8 exactly; sums are float32.
`minitrt.kernels.plain.attention` is the same in plain loops.
"""

from __future__ import annotations

from typing import Any

from numba import int32, int64, types, uint32, uint64

from minitrt.backend import cuda
from minitrt.kernels.attention.fragments import (
    ROWS,
    make_attend,
    make_finish,
    make_load_queries,
    make_start,
    pitch_of,
)
from minitrt.kernels.attention.masks import BYTES, SeenKeys
from minitrt.kernels.hopper import sync
from minitrt.kernels.inline import inline
from minitrt.kernels.ptx import (
    f32,
    i32,
    i64,
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
# q, k, v, y, mask; factors of scores and results, fill; queries, keys, groups; bytes from a token, a head and an image
# of q, k, v and y to the next; elements from a query, a head and an image of the mask to the next
SIGNATURE = types.void(*[u64] * 5, *[f32] * 3, *[i32] * 3, *[i64] * 15)

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


def make_look(mask: SeenKeys) -> tuple[Any, Any]:
    """Device functions of what rows g and g + 8 of a thread may look at.

    rows(mask, image, head, lane, upper, lower, m_query, m_head, m_image): addresses of both rows of the mask, at 2t;
    seen(keys, past): keys that a block of queries that ends before query `past` looks at.
    """
    ITEM, CAUSAL = BYTES.get(mask.source, 0), mask.causal

    @inline
    def rows(mask, image, head, lane, upper, lower, m_query, m_head, m_image):
        mask += uint64((image * m_image + head * m_head + 2 * (lane & 3)) * ITEM)
        return mask + uint64(upper * m_query * ITEM), mask + uint64(lower * m_query * ITEM)

    @inline
    def seen(keys, past):
        return min(keys, past) if CAUSAL else keys

    return rows, seen


def make_step(size: int, mask: SeenKeys) -> Any:
    """step(state, operand, of_k, of_v, key, lane, keys, rows, masks, factor, fill): the state after BLOCK_KEYS keys.

    key: the first of them; rows, masks: of both rows of the thread, the query and the address of the mask at 2t.
    """
    attend, ITEM, CAUSAL = make_attend(size, BLOCK_KEYS, mask), BYTES.get(mask.source, 0), mask.causal

    @inline
    def step(state, operand, of_k, of_v, key, lane, keys, rows, masks, factor, fill):
        at, up = int32(key + 2 * (lane & 3)), uint64(key * ITEM)
        limit = below = int32(keys - at)
        if CAUSAL:
            limit, below = min(limit, int32(rows[0] + 1 - at)), min(limit, int32(rows[1] + 1 - at))
        return attend(state, operand, of_k, of_v, limit, below, factor, fill, masks[0] + up, masks[1] + up)

    return step


def tensor_core_attention(size: int, source: str, target: str, warps: int, dependent: bool, mask: SeenKeys) -> Any:
    """The kernel whose arguments SIGNATURE lists.

    Grid: (blocks of 16 * warps queries, heads, batch). q, k, v: the first feature of the first head; a head has `size`
    features, a multiple of 16. factor: of scores, positive, log2(e) included where there is no mask. groups: heads of q
    that share one of k and v.
    """
    PITCH, LOADED, QUERIES, OUT = pitch_of(size), keys_at_once(size), ROWS * warps, 1 if target == "int8" else 2
    K_AT, V_AT, DEPENDENT = QUERIES * PITCH, (QUERIES + LOADED) * PITCH, dependent
    load_rows, store_rows = make_load_rows(size, source, 32 * warps), make_store_rows(size, target)
    load_queries, start, step = make_load_queries(size), make_start(size), make_step(size, mask)
    (mask_rows, seen), finish = make_look(mask), make_finish(size, target, mask.zeros)

    def attention(
        q, k, v, y, mask, factor, y_factor, fill, queries, keys, groups, q_pitch, q_head, q_image, k_pitch, k_head,
        k_image, v_pitch, v_head, v_image, y_pitch, y_head, y_image, m_query, m_head, m_image,
    ):  # fmt: skip
        base = uint32(shared_address(cuda.shared.array(0, types.int8)))
        thread, lane, warp = cuda.threadIdx.x, cuda.threadIdx.x & 31, cuda.threadIdx.x >> 5
        first, head, image = int32(cuda.blockIdx.x * QUERIES), int32(cuda.blockIdx.y), int64(cuda.blockIdx.z)
        row, shared_head, last = int32(first + warp * ROWS), int64(udiv(head, groups)), int32(queries - 1)
        q += uint64(image * q_image + head * q_head + first * q_pitch)
        k += uint64(image * k_image + shared_head * k_head)
        v += uint64(image * v_image + shared_head * v_head)
        y += uint64(image * y_image + head * y_head + row * y_pitch)
        mine = uint32(base + warp * (ROWS * PITCH))  # this warp's queries, later its results
        of_k = uint32(base + K_AT + ((lane >> 4) * 8 + (lane & 7)) * PITCH + ((lane >> 3) & 1) * 16)
        of_v = uint32(base + V_AT + (lane & 15) * PITCH + (lane >> 4) * 16)
        rows = min(int32(row + (lane >> 2)), last), min(int32(row + (lane >> 2) + 8), last)
        masks = mask_rows(mask, image, head, lane, rows[0], rows[1], m_query, m_head, m_image)
        if DEPENDENT:
            sync.let_successor_start()
            sync.wait_for_predecessor()
        load_rows(base, q, QUERIES, queries - first, q_pitch, thread)
        state, visible = start(), seen(keys, int32(first + QUERIES))
        for loaded in range(0, visible, LOADED):
            cuda.syncthreads()  # everybody is done with the keys before
            load_rows(base + K_AT, k + uint64(loaded * k_pitch), LOADED, keys - loaded, k_pitch, thread)
            load_rows(base + V_AT, v + uint64(loaded * v_pitch), LOADED, keys - loaded, v_pitch, thread)
            cuda.syncthreads()  # keys and values are there, and the queries
            operand = load_queries(uint32(mine + (lane & 15) * PITCH + (lane >> 4) * 16))
            for block in range(0, min(LOADED, visible - loaded), BLOCK_KEYS):
                in_k, in_v = uint32(of_k + block * PITCH), uint32(of_v + block * PITCH)
                state = step(state, operand, in_k, in_v, loaded + block, lane, keys, rows, masks, factor, fill)
        cuda.syncwarp()
        finish(state, uint32(mine + (lane >> 2) * PITCH + (lane & 3) * (2 * OUT)), y_factor)
        cuda.syncwarp()  # the warp's results are there
        store_rows(y, mine, queries - row, y_pitch, lane)

    return attention


def factory(
    size: int, source: str, target: str, warps: int, dependent: bool, mask: str = "", by_query: bool = False,
    pairs: bool = False, causal: bool = False, zeros: bool = False,
) -> tuple:  # fmt: skip
    """(kernel, signature, threads)"""
    given = SeenKeys(mask, by_query, pairs, causal, zeros)
    return tensor_core_attention(size, source, target, warps, dependent, given), SIGNATURE, 32 * warps
