"""What speed in unit 01 is measured against: a right answer that somebody would write first."""

from __future__ import annotations

from autograder.backend import cuda


@cuda.jit
def vector_add_naive(a, b, out):
    """out = a + b, one element per thread. a, b, out: (n,) float32."""
    i = cuda.grid(1)
    if i < out.size:
        out[i] = a[i] + b[i]  # 32 lanes, 32 neighbours: 4 sectors per request
