"""Attention by plain loops: a warp a query, its scores in scratch memory; any type, head size and length.

    attention(q, k, v, y, mask, lengths, shown, scores, q_scale, k_scale, v_scale, y_scale, factor, fill, cap, rows,
              queries, keys, heads, groups, size, v_size, strides of q, k, v, y, mask, past, left, right)

Strides: where q, k and v begin, then elements from a token, a head and an image to the next; of y without a beginning;
of the mask from a key, a query, a head and an image to the next. mask: floats are added to the scores (rows, keys),
False puts `fill` in place of one. rows: images * queries * heads, one a warp. groups: heads of q that share one of k
and v. size: of a head of q and k; v_size: of one of v and y. cap: what scores stay below. A query lies `past` keys
behind its own number, and sees keys from `left` before it to `right` behind it. shown: scores as a result, (images,
heads, queries, keys).

Compiled in: zeros: what a query that may look at nothing gets, else NaN. bounded: whether left and right, and each
image's length, if lengths has a type, keep keys out. capped: whether there is a cap. shown: which scores are a result:
1 products, 2 capped ones, 3 with the mask, 4 weights; 0 none.
"""

from __future__ import annotations

import math
from typing import Any

from numba import float32, int64, types

from minitrt.backend import cuda
from minitrt.kernels.inline import inline
from minitrt.kernels.plain.elements import INFINITY, THREADS, array, larger, reader, writer
from minitrt.kernels.plain.rows import WARP, warp_max, warp_sum

ONE = float32(1)


def attention(
    source: str, target: str, mask: str = "", zeros: bool = False, bounded: bool = False, capped: bool = False,
    lengths: str = "", shown: int = 0,
) -> tuple:  # fmt: skip
    """(kernel, signature, threads), see above."""
    read, write, keep, score_of = reader(source), writer(target), writer(source), scoring(mask, bounded, capped)
    EMPTY, SHOWN, place_of = float32(1 if zeros else 0), shown, placing(bool(lengths))
    product_of, mixed = sums_of(read)

    def kernel(
        q, k, v, y, mask, lengths, shown, scores, q_scale, k_scale, v_scale, y_scale, factor, fill, cap, rows, queries,
        keys, heads, groups, size, v_size, q_start, q_token, q_head, q_image, k_start, k_token, k_head, k_image,
        v_start, v_token, v_head, v_image, y_token, y_head, y_image, m_key, m_query, m_head, m_image, past, left, right,
    ):  # fmt: skip
        row, lane = int64(cuda.grid(1)) // WARP, cuda.threadIdx.x % WARP
        if row < rows:  # the same for a whole warp
            head, token, image = row % heads, row // heads % queries, row // heads // queries
            from_q = q_start + image * q_image + head * q_head + token * q_token
            from_k = k_start + image * k_image + head // groups * k_head
            from_v = v_start + image * v_image + head // groups * v_head
            from_mask = image * m_image + head * m_head + token * m_query
            from_shown = ((image * heads + head) * queries + token) * keys
            (place, end), most = place_of(lengths, image, token, past, queries, keys), -INFINITY
            for key in range(lane, keys, WARP):
                product = factor * product_of(q, k, from_q, from_k + key * k_token, q_scale, k_scale, size)
                inside = key - place <= right and place - key <= left and key < end
                three = score_of(product, cap, mask, from_mask + key * m_key, fill, inside)
                if SHOWN > 0 and SHOWN < 4:
                    keep(shown, from_shown + key, three[(SHOWN - 1) % 3], ONE)
                scores[row * keys + key] = three[2]
                most = larger(most, three[2])
            total = weighed(scores, row * keys, keys, lane, warp_max(most), EMPTY)
            cuda.syncwarp()  # lanes read what others wrote
            if SHOWN == 4:
                for key in range(lane, keys, WARP):
                    keep(shown, from_shown + key, scores[row * keys + key] / total, ONE)
            for i in range(lane, v_size, WARP):
                result = mixed(scores, v, row * keys, from_v + i, v_token, v_scale, keys)
                write(y, image * y_image + head * y_head + token * y_token + i, result / total, y_scale)

    arrays = [array(source)] * 3 + [array(target), array(mask or "float32"), array(lengths or "int32"), array(source)]
    return kernel, types.void(*arrays, array("float32"), *[types.float32] * 7, *[types.int64] * 29), THREADS


@inline
def weighed(scores, first, keys, lane, most, empty):
    """The sum of a row's weights, which take the place of its scores; `empty` where it is zero."""
    total = float32(0)
    most = float32(0) if most == -INFINITY else most  # whatever is subtracted: every weight is zero
    for key in range(lane, keys, WARP):
        weight = math.exp(scores[first + key] - most)
        scores[first + key] = weight
        total += weight
    total = warp_sum(total)
    return total if total != 0 else empty


def sums_of(read: Any) -> tuple[Any, Any]:
    """product_of(q, k, ...) of a query with a key, and mixed(scores, v, ...): values as a row of weights says."""

    @inline
    def product_of(q, k, from_q, from_k, q_scale, k_scale, size):
        total = float32(0)
        for i in range(size):
            total += read(q, from_q + i, q_scale) * read(k, from_k + i, k_scale)
        return total

    @inline
    def mixed(scores, v, first, from_v, v_token, v_scale, keys):
        result = float32(0)
        for key in range(keys):
            result += scores[first + key] * read(v, from_v + key * v_token, v_scale)
        return result

    return product_of, mixed


def placing(by_length: bool) -> Any:
    """place_of(lengths, image, token, past, queries, keys) -> a query's place among the keys, and where those end: it
    is behind the cache, or, where images have lengths of their own and no cache, before the end of its image."""

    @inline
    def always(lengths, image, token, past, queries, keys):
        return token + past, keys

    @inline
    def of_image(lengths, image, token, past, queries, keys):
        end = int64(lengths[image])
        return token + (past if past > 0 else end - queries), end

    return of_image if by_length else always


def scoring(mask: str, bounded: bool, capped: bool) -> Any:
    """score_of(product, cap, mask, i, fill, inside) -> the product, below the cap, and with the mask's element i."""
    CAPPED, BOUNDED = capped, bounded
    masked = masking(mask)

    @inline
    def score_of(product, cap, mask, i, fill, inside):
        below = math.tanh(product / cap) * cap if CAPPED else product
        seen = masked(below, mask, i, fill)
        return product, below, seen if inside or not BOUNDED else -INFINITY

    return score_of


def masking(mask: str) -> Any:
    """masked(score, mask, i, fill): a score with the mask's element i."""

    @inline
    def masked(score, mask, i, fill):
        return score

    @inline
    def added(score, mask, i, fill):
        return score + float32(mask[i])

    @inline
    def selected(score, mask, i, fill):
        return score if mask[i] else fill

    return {"": masked, "bool": selected}.get(mask, added)
