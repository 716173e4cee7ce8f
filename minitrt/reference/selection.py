"""Einstein sums, assertions and branches."""

from __future__ import annotations

import numpy as np

from minitrt.graph.ir import Op
from minitrt.reference.registry import evaluates


@evaluates("einsum")
def einsum(op: Op, *inputs: np.ndarray) -> np.ndarray:
    """numpy.einsum of attrs["equation"]."""
    return np.einsum(op.attrs["equation"].replace(" ", ""), *inputs)


@evaluates("assertion", stored=True)
def assertion(op: Op, condition: np.ndarray) -> np.ndarray:
    """The condition; raises ValueError with attrs["message"] unless all of it is True."""
    if not np.all(condition):
        raise ValueError(f"{op.name}: {op.attrs.get('message', 'assertion failed')}")
    return condition


@evaluates("choice", stored=True)
def choice(op: Op, _, yes: np.ndarray | None, no: np.ndarray | None = None) -> np.ndarray:
    """yes where attrs["condition"] holds, else no; raises ValueError with attrs["message"] where that is absent."""
    taken = yes if op.attrs["condition"] else no
    if taken is None:
        raise ValueError(f"{op.name}: {op.attrs['message']}")
    return taken
