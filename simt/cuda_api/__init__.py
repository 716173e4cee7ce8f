"""The host side of `numba.cuda` over the interpreter.

`cuda` is a complete module for machines without numba. Where numba is installed but no GPU is, replace what HOST_API
names in `numba.cuda`, wrap its `jit` with `jit_later`, and let its dispatcher use `configure` and `forall`.
"""

from __future__ import annotations

from simt.cuda_api import cuda, random
from simt.cuda_api.device_array import DeviceArray
from simt.cuda_api.dispatcher import (
    ForAll,
    LaunchConfiguration,
    configure,
    forall,
    intercept,
    jit,
    jit_later,
    not_launched,
)
from simt.cuda_api.stand_in import install, is_stand_in, take_the_place_of_cuda

HOST_API = {name: getattr(cuda, name) for name in cuda.__all__ if name != "jit"}

__all__ = [
    "HOST_API",
    "DeviceArray",
    "ForAll",
    "LaunchConfiguration",
    "configure",
    "cuda",
    "forall",
    "install",
    "intercept",
    "is_stand_in",
    "jit",
    "jit_later",
    "not_launched",
    "random",
    "take_the_place_of_cuda",
]
