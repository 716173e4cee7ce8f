"""Inputs, oracles, error bounds, cases and costs of unit 07: what is scanned, what is right, and what it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.contract import Argument, Case, Cost, Library, Values
from autograder.exercises.common_values import ceil_div
from autograder.running.compare import sum_bound

UNIT = "07_scan"
THREADS = 256  # threads per block in every launch of this unit
WARP = 32
FOURS = 4 * THREADS  # elements of a block whose threads have four each
PIECE = 1024  # elements that a block of the three passes works on
TILE = 4096  # elements that a block works on in one pass: 16 per thread
DIGITS = 256  # values of a digit of 8 bits
LARGE = 40_000  # elements; too many to trace
MOST_PIECES = 2100  # more than a block scans with two elements for each of 1,024 threads
MANY_TILES = 70 * TILE + 17  # more than a warp looks at in two iterations

SRC = Argument("src", "in", "float32", "(n,)", "the numbers to add up")
TICKET = Argument("ticket", "inout", "int32", "(1,)", "0 before the launch; what it holds afterwards is yours")
STATE = Argument("state", "inout", "int64", "(tiles,)", "a word for each tile, all 0 before the launch; yours as well")
CUMSUM = Library("torch.cumsum", lambda torch, v: torch.cumsum(v["src"], 0))
MASKED = Library("x[x > limit] in torch", lambda torch, v: v["src"][v["src"] > float(v["limit"])])
SORT = Library("torch.sort", lambda torch, v: torch.sort(v["keys"].view(torch.int32)))


def ragged(*kinds: str, large: int = LARGE) -> tuple[Case, ...]:
    """Lengths around a warp and around a block, each of `kinds` at one of them, and a lot."""
    exact = [Case({"n": n}) for n in (1025, 0, 1, 33, 256, 1023, 4096)]
    others = [Case({"n": 3001}, kind) for kind in kinds]
    return (*exact, *others, Case({"n": large}, trace=False))


DEVICE_CASES = (
    *(Case({"n": n}) for n in (5000, 0, 1, 1024, 8192)),
    Case({"n": 5000}, "general"),
    Case({"n": 300 * PIECE + 5}, last=True),  # more sums than a block has threads; what grows with them shows, too
    Case({"n": MOST_PIECES * PIECE + 5}, trace=False, last=True),
)
LOOKBACK_CASES = (
    *(Case({"n": n}) for n in (9001, 0, 1, 4096, 20000)),
    Case({"n": 9001}, "general"),
    Case({"n": 9001}, "nonfinite"),
    Case({"n": 9001}, "special"),
    Case({"n": MANY_TILES}, trace=False),
)
A_FRACTION: Any = 4.5  # no size of an array, so it need not be a whole number
COMPACT_CASES = (
    *(Case({"n": n, "percent": 50, "limit": 0}) for n in (9001, 0, 33, 4096, 20000)),
    *(Case({"n": 9001, "percent": percent, "limit": limit}) for percent, limit in ((0, 0), (3, 5), (100, 0))),
    Case({"n": 9001, "percent": 50, "limit": -7}, trace=False),
    Case({"n": 9001, "percent": 50, "limit": A_FRACTION}, trace=False),
    Case({"n": 9001, "percent": 50, "limit": 0}, "special"),
    Case({"n": 700, "percent": 50, "limit": -(10**12)}, "special", last=True),
    Case({"n": MANY_TILES, "percent": 50, "limit": 2}, trace=False),
)
SORT_CASES = (  # few: a sort is 20 launches
    Case({"n": 4097, "bits": 32}),
    Case({"n": 700, "bits": 32}, "special"),
    Case({"n": 1, "bits": 32}, trace=False),
    Case({"n": 9001, "bits": 20}, "general", trace=False),
)


def one_thread_each(values: Values) -> tuple[int, int]:
    """One thread per element of src, and one block at least."""
    return max(1, ceil_div(values["src"].size, THREADS)), THREADS


def one_thread_for_four(values: Values) -> tuple[int, int]:
    """One thread per four elements of src, and one block at least."""
    return max(1, ceil_div(values["src"].size, FOURS)), THREADS


def one_block_per_tile(values: Values) -> tuple[int, int]:
    """As many blocks as there are tiles."""
    return values["state"].size, THREADS


def terms(n: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """(n,) float32 to be added up.

    "exact": whole numbers from -31 to 31 without 0, so that every missing one shows and all sums are exact in any
    order; "general": normal; "nonfinite": normal, an infinity in the second block of 256 and one where a block of 256
    and one of 1,024 begin, NaN inside a block of either kind, and at the end; "special": NaN in the second tile.
    """
    if kind == "exact":
        return (rng.integers(1, 32, n, dtype=np.int8) * rng.choice(np.array([-1, 1], np.int8), n)).astype(np.float32)
    x = rng.standard_normal(n, dtype=np.float32)
    if kind == "nonfinite":
        x[300:301], x[1024:1025], x[2100:2101], x[n - 1 :] = np.inf, np.inf, np.nan, np.nan
    if kind == "special":
        x[TILE + 3 : TILE + 4] = np.nan
    return x


def make_scan(sizes, kind, rng) -> Values:
    """src, and dst of the same length."""
    n = sizes["n"]
    return {"src": terms(n, kind, rng), "dst": np.zeros(n, np.float32)}


def make_device(sizes, kind, rng) -> Values:
    """Whole numbers, room for a number per piece, and dst. "general": numbers whose sums no float32 holds."""
    n = sizes["n"]
    high = 1000 if kind == "exact" else 1 << 22
    src = rng.integers(-high, high, n, dtype=np.int32)
    return {"src": src, "sums": np.zeros(max(1, ceil_div(n, PIECE)), np.int32), "dst": np.zeros(n, np.int32)}


def _tiles(n: int) -> dict[str, np.ndarray]:
    """A word for each tile, and a ticket, all 0."""
    return {"state": np.zeros(max(1, ceil_div(n, TILE)), np.int64), "ticket": np.zeros(1, np.int32)}


def make_lookback(sizes, kind, rng) -> Values:
    """src, words and a ticket, and dst. "nonfinite": an infinity in the first tile, and NaN at the end alone."""
    n = sizes["n"]
    src = terms(n, "general" if kind == "nonfinite" else kind, rng)
    if kind == "nonfinite":
        src[300:301], src[n - 1 :] = np.inf, np.nan
    return {"src": src} | _tiles(n) | {"dst": np.zeros(n, np.float32)}


def make_compact(sizes, kind, rng) -> Values:
    """src, `percent` of it above the limit, words and a ticket, and dst, which holds -1.

    "special": NaN, infinities, zeros of either sign and the smallest numbers strewn in.
    """
    n, percent, limit = sizes["n"], sizes["percent"], np.float32(sizes["limit"])
    distance = rng.integers(1, 1000, n).astype(np.float32)
    src = limit + np.where(rng.random(n) < percent / 100, distance, -distance)
    src[rng.random(n) < (0 if percent == 100 else 0.05)] = limit
    if kind == "special":
        odd = np.array([np.nan, np.inf, -np.inf, -0.0, 1e-45, -1e-45], np.float32)
        places = rng.permutation(n)[: n // 8]
        src[places] = odd[np.arange(places.size) % odd.size]
        src[-1] = np.inf
    room = {"dst": np.full(n, -1, np.float32), "count": np.zeros(1, np.int32)}
    return {"src": src, "limit": limit} | _tiles(n) | room


def make_keys(sizes, kind, rng) -> Values:
    """Keys of so many bits, as much room again, and room for 256 counts per tile and for a sum per 1,024 of those.

    "general": few different keys, many times each; "special": falling, with the largest and the smallest in between.
    """
    n = sizes["n"]
    keys = rng.integers(0, 1 << sizes["bits"], n, dtype=np.uint32)
    if kind == "general":
        keys = keys[: 1 + n // 100][rng.integers(0, 1 + n // 100, n)]
    if kind == "special":
        keys = np.sort(keys)[::-1].copy()
        keys[::7], keys[::11] = 0xFFFFFFFF, 0
    n_counts = DIGITS * max(1, ceil_div(n, TILE))
    room = {"counts": np.zeros(n_counts, np.int32), "sums": np.zeros(ceil_div(n_counts, PIECE), np.int32)}
    return {"keys": keys, "spare": np.zeros(n, np.uint32)} | room


def in_pieces(x: np.ndarray, size: int) -> np.ndarray:
    """(pieces, size), x in rows of `size`, filled up with zeros."""
    padded = np.zeros(max(1, ceil_div(x.size, size)) * size, x.dtype)
    padded[: x.size] = x
    return padded.reshape(-1, size)


def inclusive_by(size: int) -> Callable[[Values], dict]:
    """The oracle of running sums that begin again every `size` elements, the own element included."""
    return lambda v: {"dst": in_pieces(v["src"], size).cumsum(axis=1, dtype=np.float64).ravel()[: v["src"].size]}


def exclusive(values: Values) -> dict:
    """Running sums that begin again every 256 elements, the own element left out."""
    sums = np.zeros((max(1, ceil_div(values["src"].size, THREADS)), THREADS))
    in_pieces(values["src"], THREADS)[:, :-1].cumsum(axis=1, dtype=np.float64, out=sums[:, 1:])
    return {"dst": sums.ravel()[: values["src"].size]}


def bound_by(size: int) -> Callable:
    """The error that any order of float32 additions within `size` elements may make."""

    def bound(values: Values, expected) -> dict:
        absolute = inclusive_by(size)({"src": np.abs(values["src"])})["dst"]
        return {"dst": sum_bound(absolute, size, expected["dst"])}

    return bound


def exclusive_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions of what lies before in a block may make."""
    absolute = exclusive({"src": np.abs(values["src"])})["dst"]
    return {"dst": sum_bound(absolute, THREADS, expected["dst"])}


def running_sums(values: Values) -> dict:
    """Running sums of whole numbers."""
    return {"dst": values["src"].cumsum(dtype=np.int64).astype(np.int32)}


def lookback_sums(values: Values) -> dict:
    """Running sums of everything, float64. What state and ticket hold at the end is left open."""
    return {"dst": values["src"].cumsum(dtype=np.float64)}


def lookback_bound(values: Values, expected) -> dict:
    """The error that any order of float32 additions may make."""
    absolute = np.abs(values["src"]).cumsum(dtype=np.float64)
    return {"dst": sum_bound(absolute, max(1, values["src"].size), expected["dst"])}


def above(values: Values) -> dict:
    """What is above the limit, in its old order, then what dst held before; and how many there are."""
    kept = values["src"][values["src"] > values["limit"]]
    return {"dst": np.append(kept, values["dst"][kept.size :]), "count": np.array([kept.size], np.int32)}


def what_is_kept(values: Values) -> tuple[int, int]:
    """Of `compact`: all of src is read, and of dst no more is written than is kept. Bytes."""
    kept = int(np.count_nonzero(values["src"] > values["limit"]))
    return values["src"].nbytes, kept * values["dst"].itemsize + values["count"].nbytes


def in_order(values: Values) -> dict:
    """The keys, the smallest first."""
    return {"keys": np.sort(values["keys"])}


def hillis_steele_cost(values: Values) -> Cost:
    """Each element once each way; in iteration d, 256 - d threads of each block add."""
    blocks = one_thread_each(values)[0]
    return Cost(values["src"].nbytes, values["src"].nbytes, flops=blocks * (8 * THREADS - (THREADS - 1)))


def blelloch_cost(values: Values) -> Cost:
    """Each element once each way; 255 additions on the way up, and as many on the way down."""
    return Cost(values["src"].nbytes, values["src"].nbytes, flops=one_thread_each(values)[0] * 2 * (THREADS - 1))


def block_cost(values: Values) -> Cost:
    """Each element once each way; of each block's threads: 3 additions to sum up its four, 129 per warp to scan the
    totals of its lanes, one for each warp before its own, and 4 to store.
    """
    warps = THREADS // WARP
    in_warps = sum(WARP - d for d in (1, 2, 4, 8, 16)) * warps
    flops = THREADS * (3 + 4) + in_warps + WARP * sum(range(warps))
    return Cost(values["src"].nbytes, values["src"].nbytes, flops=one_thread_for_four(values)[0] * flops)


def device_cost(values: Values) -> Cost:
    """src twice and dst once; a sum per piece written, scanned in place, and read by all threads of its block."""
    n, pieces = values["src"].size, max(1, ceil_div(values["src"].size, PIECE))
    return Cost(read_bytes=8 * n + 4 * pieces * (1 + THREADS), write_bytes=4 * n + 8 * pieces)


def sort_cost(values: Values) -> Cost:
    """Four rounds: all keys counted and moved, a count per digit and tile written, scanned, and looked up but one."""
    n_bytes, counted = values["keys"].nbytes, values["counts"].nbytes
    scanned = device_cost({"src": values["counts"]})
    return Cost(
        read_bytes=4 * (2 * n_bytes + scanned.read_bytes + counted - 4),
        write_bytes=4 * (n_bytes + counted + scanned.write_bytes),
    )
