"""Device functions that become part of their kernel.

A call that stays a call makes ptxas serialise every wgmma of the kernel (C7509), so each is inlined by force.
"""

from __future__ import annotations

from minitrt.backend import cuda

inline = cuda.jit(device=True, forceinline=True)
