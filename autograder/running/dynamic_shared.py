"""Dynamic shared memory beyond what every kernel may have: a kernel's limit is raised before it is launched."""

from __future__ import annotations

from typing import Any

FREE = 48 * 1024  # bytes of a block that come unasked


def raise_limit(kernel: Any, arguments: list, n_bytes: int) -> None:
    """Let a dispatcher be launched on a GPU with `n_bytes` of dynamic shared memory a block, for these arguments.

    numba.cuda has no name for it, so the driver is asked, once for each compiled version of the kernel.
    Raises: RuntimeError where the GPU has less.
    """
    if n_bytes <= FREE:
        return
    compiled = kernel.compile(tuple(kernel.typeof_pyval(argument) for argument in arguments))
    if getattr(compiled, "_warpbook_shared", 0) >= n_bytes:
        return
    from cuda.bindings import driver
    from numba import cuda

    compiled.bind()
    limit = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    device = driver.CUdevice(cuda.get_current_device().id)
    (code,) = driver.cuKernelSetAttribute(limit, n_bytes, compiled._codelibrary.get_cufunc().handle, device)
    if int(code):
        raise RuntimeError(f"this GPU gives a block less than {n_bytes:,} bytes of shared memory ({code.name})")
    compiled._warpbook_shared = n_bytes
