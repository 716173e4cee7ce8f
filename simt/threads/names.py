"""Everything a kernel can name below the cuda module."""

from __future__ import annotations

from simt.memory import shared_local
from simt.numerics import bfloat16_functions, bits, float16, libdevice
from simt.threads import atomics, barriers, cache_hints, cooperative, positions, warp

INTRINSICS = {
    **positions.INTRINSICS, **shared_local.INTRINSICS, **barriers.INTRINSICS, **warp.INTRINSICS, **atomics.INTRINSICS,
    **bits.INTRINSICS, **float16.INTRINSICS, **cooperative.INTRINSICS, **libdevice.INTRINSICS,
    **cache_hints.INTRINSICS, **bfloat16_functions.INTRINSICS,
}  # fmt: skip
CUDA_PATHS = (*positions.SPECIAL, *INTRINSICS, *sorted({path.split(".")[0] for path in INTRINSICS if "." in path}))
