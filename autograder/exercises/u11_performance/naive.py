"""What speed in unit 11 is measured against: right answers that somebody would write first."""

from __future__ import annotations

from numba import float32

from autograder.backend import cuda


@cuda.jit
def poly_one(coefficients, x, out):
    """out = the polynomial at x, one point per thread: each step waits for the one before. All float32."""
    i = cuda.grid(1)
    if i < out.size:
        at = x[i]
        value = float32(0)
        for k in range(coefficients.size):
            value = value * at + coefficients[k]
        out[i] = value
