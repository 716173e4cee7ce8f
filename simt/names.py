"""Everything a kernel can name below the cuda module."""

from __future__ import annotations

from . import atomics, barriers, bits, cooperative, half, libdevice, shared_local, special, warp

INTRINSICS = {
    **special.INTRINSICS, **shared_local.INTRINSICS, **barriers.INTRINSICS, **warp.INTRINSICS, **atomics.INTRINSICS,
    **bits.INTRINSICS, **half.INTRINSICS, **cooperative.INTRINSICS, **libdevice.INTRINSICS,
}  # fmt: skip
CUDA_PATHS = (*special.SPECIAL, *INTRINSICS, *sorted({path.split(".")[0] for path in INTRINSICS if "." in path}))
