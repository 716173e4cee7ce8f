"""Writes kernels as text, as generators of code do: one with exec, one compiled first, a device function with eval."""

from __future__ import annotations

import numpy as np
from numba import cuda

TEMPLATE = """
@cuda.jit
def apply(x, out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = {expression}
"""


def kernel_of(expression):
    names = {"cuda": cuda, "square": square}
    exec(TEMPLATE.format(expression=expression), names)
    return names["apply"]


square = cuda.jit(device=True)(eval(" lambda v: v * v"))
compiled = {"cuda": cuda}
exec(compile(TEMPLATE.format(expression="x[i] + 1"), "<template>", "exec"), compiled)
exec("doubled = 2")

x, out = np.arange(100.0), np.zeros(100)
for kernel, expected in (
    (kernel_of("square(x[i])"), x * x),
    (kernel_of("-x[i]"), -x),
    (compiled["apply"], x + doubled - 1),  # noqa: F821  # exec made it
):
    kernel[1, 128](x, out)
    np.testing.assert_array_equal(out, expected)
