"""What every unit's test data is made with: pieces that cover a length, and values that give mistakes away."""

from __future__ import annotations

import numpy as np


def ceil_div(n: int, size: int) -> int:
    """Pieces of `size` that cover n."""
    return -(-n // size)


def vector(rng: np.random.Generator, n: int, values: str) -> np.ndarray:
    """(n,) float32 for a case of the given kind, first and last element unlike any other.

    "exact": whole numbers from -512 to 512: float32 sums of thousands are exact in any order;
    "general": anything in [-1, 1), most of which needs rounding;
    "special": like general, with NaN, infinities, signed zero and the largest finite numbers strewn in;
    "nonfinite": like general, with NaN and infinities at the ends and around the first block of 256.
    """
    if values == "exact":
        data = rng.integers(-512, 513, n).astype(np.float32)
        _mark_the_ends(data, np.float32(1000), np.float32(-2000))
        return data
    data = rng.uniform(-1, 1, n).astype(np.float32)
    _mark_the_ends(data, np.float32(3.1415927), np.float32(-2.7182817))
    if values == "nonfinite":
        return with_nonfinite(data)
    if values == "special":
        largest = np.finfo(np.float32).max
        odd_ones = np.array([np.nan, np.inf, -np.inf, -0.0, largest, -largest], np.float32)
        places = rng.permutation(n)[: len(odd_ones)]
        data[places] = odd_ones[: len(places)]
    return data


def with_nonfinite(data: np.ndarray) -> np.ndarray:
    """The same array with NaN and infinities where masks by multiplication and clamped neighbours go wrong."""
    for place, value in (
        (0, np.inf),
        (3, np.nan),
        (31, -np.inf),
        (255, np.nan),
        (256, np.inf),
        (len(data) - 1, -np.inf),
    ):
        data[place : place + 1] = value
    return data


def _mark_the_ends(data: np.ndarray, first: np.float32, last: np.float32) -> None:
    """Give the two ends values of their own: reading past an end, or wrapping round to it, then shows."""
    if len(data):
        data[-1] = last
        data[0] = first
