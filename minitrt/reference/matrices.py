"""Square matrices along the last two axes: their inverses and determinants."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("inverse")
def inverse(op: Op, x: np.ndarray) -> np.ndarray:
    """Raises: ValueError for a matrix that has none."""
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        raise ValueError(f"{op.name}: a matrix is singular, and has no inverse") from None


@evaluates("determinant")
def determinant(op: Op, x: np.ndarray) -> np.ndarray:
    return np.linalg.det(x)
