"""NumPy's meaning of every kind of operation: the oracle, the constant folder, and the backend without a GPU.

INT8 is exact: products are summed as integers, multiplied by scales once, rounded half to even, and saturated.
"""

from minitrt.reference import (  # noqa: F401 - each registers its kinds
    attention,
    convolution,
    detection,
    gather_scatter,
    generate,
    matrices,
    movement,
    normalise,
    pointwise,
    pooling,
    quantise,
    recurrent,
    reduction,
    regions,
    resize,
    sampling,
    selection,
    suppression,
)
from minitrt.reference.registry import EVALUATORS, UnsupportedKind, run_op

__all__ = ["EVALUATORS", "UnsupportedKind", "run_op"]
