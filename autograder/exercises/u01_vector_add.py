"""Unit 01, vector add: contracts, oracles, cases, naive kernels, costs and hints."""

from __future__ import annotations

import numpy as np

from autograder.backend import cuda
from autograder.exercise import Argument, Budget, Case, Cost, Exercise, Hint, Slip, SpeedPolicy

UNIT = "01_vector_add"
THREADS = 256  # threads per block in every launch of this unit


def ceil_div(a, b):
    """Blocks of b that cover a."""
    return -(-a // b)
