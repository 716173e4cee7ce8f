"""Odd values of every type, and pairs of them."""

from __future__ import annotations

import numpy as np

INF, NAN = float("inf"), float("nan")
SIGNED, UNSIGNED = ("int8", "int16", "int32", "int64"), ("uint8", "uint16", "uint32", "uint64")
INTEGERS = (*SIGNED, *UNSIGNED)
FLOATS = ("float16", "float32", "float64")

ODD_FLOATS = (
    0.0, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 7.25, 100.7, 126.5, 127.0, 127.5, 128.0, 128.9, 129.0, 255.0,
    255.9, 256.0, 257.0, 300.0, 1000.5, 32767.0, 32767.9, 32768.0, 32769.0, 40000.0, 65504.0, 65535.0, 65535.9,
    65536.0, 70000.0, 2.0**24 + 2, 2.0**31 - 128, 2.0**31 - 1, 2.0**31 - 0.5, 2.0**31, 2.0**31 + 1, 2.0**31 + 2048,
    2.0**32 - 256, 2.0**32 - 1, 2.0**32, 2.0**32 + 1, 2.0**32 + 512, 2.0**40 + 3, 2.0**52 + 0.5, 2.0**53, 2.0**53 + 2,
    2.0**63 - 1024, 2.0**63 - 2.0**39, 2.0**63, 2.0**63 + 2048, 2.0**64 - 2048, 2.0**64 - 2.0**40, 2.0**64, 2.0**65,
    1e25, 1e30, 3.4028234e38, 1e300, INF, NAN, 5e-324, 1e-310, 1e-45, 1e-40, 1.2e-38, 6e-8, 1e-5, 0.999999,
)  # fmt: skip
FEW_FLOATS = (0.0, 0.1, 0.3, 0.5, 1.0, 1.5, 2.5, 3.0, 7.0, 100.7, 16777216.0, 3e9, 1e30, INF, NAN, 1e-40)
ODD_INTEGERS = (
    0, 1, 2, 3, 4, 5, 7, 8, 10, 31, 32, 33, 63, 64, 65, 100, 126, 127, 128, 129, 200, 255, 256, 257, 1000, 32767, 32768,
    65535, 65536, 2**24 + 1, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**40 + 3, 2**53 + 1, 2**53 + 3,
    2**62, 2**63 - 1025, 2**63 - 513, 2**63 - 1, 2**63, 2**63 + 1, 2**64 - 1025, 2**64 - 2, 2**64 - 1,
)  # fmt: skip
FEW_INTEGERS = (0, 1, 2, 3, 7, 31, 32, 63, 64, 127, 255, 2**31 - 1, 2**32 + 1, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1)


def singles(kind: str) -> np.ndarray:
    """Every odd value that a type holds; floats beyond it become infinite."""
    return _typed(kind, ODD_FLOATS, ODD_INTEGERS)


def pairs(left: str, right: str) -> tuple[np.ndarray, np.ndarray]:
    """Every pair of a few odd values of two types."""
    a, b = (_typed(kind, FEW_FLOATS, FEW_INTEGERS) for kind in (left, right))
    return np.repeat(a, len(b)), np.tile(b, len(a))


def _typed(kind: str, floats: tuple, integers: tuple) -> np.ndarray:
    if kind == "bool":
        return np.array([False, True])
    dtype = np.dtype(kind)
    if dtype.kind == "f":
        signed = [value for one in floats for value in (one, -one)]
        with np.errstate(all="ignore"):
            return np.array(signed, dtype)
    limits = np.iinfo(dtype)
    both = ((one, -one) if one < 64 or one > 255 else (one,) for one in integers)
    signed = dict.fromkeys((*(value for some in both for value in some), limits.max, limits.min))
    return np.array([value for value in signed if limits.min <= value <= limits.max], dtype)
