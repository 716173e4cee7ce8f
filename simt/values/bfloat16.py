"""bfloat16: numba-cuda's type, over the NumPy type that `ml_dtypes` brings; NumPy itself has none.

Two of them give one, rounded once; with anything else they are float32 or float64, as numba's compiler has it.
"""

from __future__ import annotations

import numpy as np

from simt.errors import UnsupportedError

NUMBA_NAME = "__nv_bfloat16"
F32, F64 = np.dtype("f4"), np.dtype("f8")
HAS_FUNCTIONS = frozenset("sqrt exp log sin cos tanh log10 floor ceil trunc exp2".split())  # of `math`, that give one


def is_bfloat16(dtype: np.dtype) -> bool:
    """Whether a NumPy type is that of `ml_dtypes`."""
    return dtype.kind == "V" and dtype.names is None and dtype.name == "bfloat16"


def bfloat16() -> np.dtype:
    """The type. Raises: UnsupportedError where `ml_dtypes` is not installed."""
    try:
        import ml_dtypes
    except ImportError:
        raise UnsupportedError(
            "bfloat16 needs the package ml_dtypes in the interpreter: install it, and run this again"
        ) from None
    return np.dtype(ml_dtypes.bfloat16)


def common(left: np.dtype, right: np.dtype) -> np.dtype | None:
    """What numba computes two operands in of which one is a bfloat16; None where neither is, or there is no such."""
    is_left, is_right = is_bfloat16(left), is_bfloat16(right)
    if is_left and is_right:
        return left
    if not (is_left or is_right):
        return None
    other = right if is_left else left
    if other.kind not in "biuf":
        return None
    return F32 if other in (F32, np.dtype("f2")) else F64
