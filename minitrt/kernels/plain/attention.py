"""Attention by plain loops: a warp a query, its scores in scratch memory; any type, head size and length.

    attention(q, k, v, y, mask, scores, q_scale, k_scale, v_scale, y_scale, factor, fill, rows, queries, keys, heads,
              groups, size, v_size, strides of q, k, v, y, mask)

Strides: where q, k and v begin, then elements from a token, a head and an image to the next; of y without a beginning;
of the mask from a key, a query, a head and an image to the next. mask: floats are added to the scores (rows, keys),
False puts `fill` in place of one. rows: images * queries * heads, one a warp. groups: heads of q that share one of k
and v. size: of a head of q and k; v_size: of one of v and y.
"""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, larger, reader, writer
from minitrt.kernels.plain.rows import WARP, warp_max, warp_sum


def attention(source: str, target: str, mask: str = "", causal: bool = False, zeros: bool = False) -> tuple:
    """(kernel, signature, threads), see above. zeros: what a query that may look at nothing gets, else NaN."""
    read, write, masked = reader(source), writer(target), masking(mask, causal)
    EMPTY = float32(1 if zeros else 0)

    def kernel(
        q, k, v, y, mask, scores, q_scale, k_scale, v_scale, y_scale, factor, fill, rows, queries, keys, heads, groups,
        size, v_size, q_start, q_token, q_head, q_image, k_start, k_token, k_head, k_image, v_start, v_token, v_head,
        v_image, y_token, y_head, y_image, m_key, m_query, m_head, m_image,
    ):  # fmt: skip
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            head, token, image = row % heads, row // heads % queries, row // heads // queries
            from_q = q_start + image * q_image + head * q_head + token * q_token
            from_k = k_start + image * k_image + head // groups * k_head
            from_v = v_start + image * v_image + head // groups * v_head
            from_mask = image * m_image + head * m_head + token * m_query
            most = -INFINITY
            for key in range(lane, keys, WARP):
                total = float32(0)
                for i in range(size):
                    total += read(q, from_q + i, q_scale) * read(k, from_k + key * k_token + i, k_scale)
                score = masked(total * factor, mask, from_mask + key * m_key, fill, key - token)
                scores[row * keys + key] = score
                most = larger(most, score)
            most, total = warp_max(most), float32(0)
            most = float32(0) if most == -INFINITY else most  # whatever is subtracted: every weight is zero
            for key in range(lane, keys, WARP):
                weight = math.exp(scores[row * keys + key] - most)
                scores[row * keys + key] = weight
                total += weight
            total = warp_sum(total)
            total = total if total != 0 else EMPTY
            cuda.syncwarp()  # lanes read what others wrote
            for i in range(lane, v_size, WARP):
                result = float32(0)
                for key in range(keys):
                    result += scores[row * keys + key] * read(v, from_v + key * v_token + i, v_scale)
                write(y, image * y_image + head * y_head + token * y_token + i, result / total, y_scale)

    arrays = [array(source)] * 3 + [array(target), array(mask or "float32"), array("float32")]
    return kernel, types.void(*arrays, *[types.float32] * 6, *[types.int64] * 26), THREADS


def masking(mask: str, causal: bool) -> Any:
    """masked(score, mask, i, fill, ahead): a score with the mask's element i; ahead: how far the key is past the
    query."""

    @inline
    def masked(score, mask, i, fill, ahead):
        return -INFINITY if causal and ahead > 0 else score

    @inline
    def added(score, mask, i, fill, ahead):
        return -INFINITY if causal and ahead > 0 else score + float32(mask[i])

    @inline
    def selected(score, mask, i, fill, ahead):
        return -INFINITY if causal and ahead > 0 else score if mask[i] else fill

    return {"": masked, "bool": selected}.get(mask, added)
