"""Explicit signatures, as in ``@cuda.jit("void(float32[:], int32)")``: they convert scalar arguments."""

from __future__ import annotations

import re

import numpy as np

from .recognise import NUMBER_NAMES, dtype_of, is_numba_type


def scalar_types(signature) -> list[np.dtype | None]:
    """The dtype of each scalar argument of a signature, None for arrays; [] for no signature.

    signature: a string, a numba signature, a tuple of types, or a list of these, of which the first counts.
    """
    if isinstance(signature, list):
        signature = signature[0] if signature else None
    if signature is None:
        return []
    if isinstance(signature, str):
        inside = signature[signature.index("(") + 1 : signature.rindex(")")] if "(" in signature else signature
        return [_named(part.strip()) for part in _split(inside)]
    types = getattr(signature, "args", signature)
    return [_scalar(one) for one in types] if isinstance(types, tuple) else [_scalar(types)]


def _split(text: str) -> list[str]:
    """Split at commas outside brackets: "float32[:, :], int32" has two parts."""
    return re.split(r",(?![^\[(]*[\])])", text) if text.strip() else []


def _named(name: str) -> np.dtype | None:
    return np.dtype(NUMBER_NAMES[name]) if name in NUMBER_NAMES else None


def _scalar(one) -> np.dtype | None:
    if is_numba_type(one):
        return _named(one.name)
    return dtype_of(one) if isinstance(one, type) and issubclass(one, np.generic) else None
