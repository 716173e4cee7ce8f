"""``@cuda.reduce``: a function of two numbers that folds an array into one."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from simt.cuda_api.device_array import DeviceArray, device_array, to_device
from simt.cuda_api.dispatcher import configure, jit
from simt.cuda_api.generated import function_from
from simt.cuda_api.in_words import class_in_words
from simt.cuda_api.types import from_dtype

THREADS = 128
KERNEL = """def fold(x, size, out):
    tile = cuda.shared.array({threads}, dtype)
    t = cuda.threadIdx.x
    if t < size:
        mine = x[t]
        for i in range(t + {threads}, size, {threads}):
            mine = function(mine, x[i])
        tile[t] = mine
    cuda.syncthreads()
    left = min(size, {threads})
    while left > 1:
        half = (left + 1) // 2
        if t + half < left:
            tile[t] = function(tile[t], tile[t + half])
        cuda.syncthreads()
        left = half
    if t == 0:
        out[0] = tile[0]
"""


@class_in_words("reduce")
class Reduce:
    """Folds 1-d arrays with a function, which may be grouped in any order.

    ``Reduce(f)(array)`` gives the number; with ``res=device_array`` it is written to its first element instead.
    """

    def __init__(self, functor: Callable):
        self._functor = functor
        self._kernels: dict[np.dtype, object] = {}

    def __call__(self, arr, size: int | None = None, res: DeviceArray | None = None, init=0, stream=0):
        """size: how many elements to fold, all by default; init: folded in at the end, unless it is 0."""
        if arr.ndim != 1:
            raise TypeError(f"reduce folds a 1-d array, not one of shape {arr.shape}. Use ravel() first.")
        size = arr.size if size is None else size
        if size == 0:
            return init
        source = arr if isinstance(arr, DeviceArray) else to_device(arr)
        out = device_array(1, source.dtype)
        configure(self._kernel(source.dtype), 1, THREADS, stream)(source, size, out)
        value = out.copy_to_host()[0]
        if init != 0:
            value = self._functor(value, init)
        if res is None:
            return value
        res[0] = value
        return None

    def _kernel(self, dtype: np.dtype):
        if dtype not in self._kernels:
            function = jit(getattr(self._functor, "py_func", self._functor), device=True)
            text = KERNEL.format(threads=THREADS)
            self._kernels[dtype] = jit(
                function_from(text, "fold", "reduce", function=function, dtype=from_dtype(dtype))
            )
        return self._kernels[dtype]


reduce = Reduce
