"""What the first compilation and the first run put off until they are needed, done once before copies are made.

numba fills its registries of types and lowerings as a kernel asks for them, and each copy of the warden would fill its
own: a kernel that uses what most answers use takes a copy a second without this, and a quarter of one with it.
"""

from __future__ import annotations

import contextlib
import gc
from typing import Any

import numpy as np
from numba import cuda, float32, int32

from autograder.lint import lint, signature_of
from simt import launch
from simt.tracing import Tracer

THREADS = 32


def warm_up() -> None:
    """Compile one kernel and run it, traced. Afterwards a collection no longer visits what is here by now.

    A copy shares memory with its origin until it is written to, and a collection writes to every object it visits.
    """
    with contextlib.suppress(Exception):  # whoever needs it is told
        lint(_usual, signature_of(arguments()))
        for tracer in (Tracer(), None):
            launch(_usual, 1, THREADS, *arguments(), listeners=tracer.listeners() if tracer else ())
    gc.collect()
    gc.freeze()


def arguments() -> list[Any]:
    """Of the kernel."""
    values = np.ones((THREADS, THREADS), np.float32)
    return [values, np.zeros_like(values), np.zeros(THREADS, np.int32), 2]


@cuda.jit(device=True)
def _half(x):
    return x / float32(2)


@cuda.jit
def _usual(a, out, counts, n):
    """Of everything a little: shared and local arrays, loops, branches, an atomic, a device function, real numbers."""
    tile = cuda.shared.array((32, 33), float32)
    mine = cuda.local.array(2, int32)
    i = cuda.grid(1)  # type: ignore[call-arg, var-annotated]
    t = cuda.threadIdx.x
    stride = cuda.blockDim.x * cuda.gridDim.x
    mine[0] = 0
    for k in range(i, a.shape[0], stride):
        for j in range(a.shape[1]):
            tile[j, t] = a[k, j] * a[k, j]
            mine[0] += 1
    cuda.syncthreads()
    total = float32(0)
    s = cuda.blockDim.x // 2
    while s > 0:
        if t < s:
            tile[t, 0] += tile[t + s, 0]
        cuda.syncthreads()
        s //= 2
    if i < a.shape[0] and n > 1:
        total = max(_half(tile[0, t]), min(abs(tile[t, t]), float32(1.5)))
        cuda.atomic.add(counts, t % n, mine[0])
        out[i, t] = total + cuda.shfl_down_sync(0xFFFFFFFF, total, 1)
