"""What numba.cuda leaves out of managed memory: asking the driver to move an array before somebody touches it.

    x = cuda.managed_array(n, np.float32)
    prefetch(x, stream)                # to the GPU, in the order of the stream
    prefetch(x, stream, to_host=True)  # and back

Source: CUDA Driver API, "Unified Addressing", cuMemPrefetchAsync.
"""

from __future__ import annotations

from typing import Any

from autograder import backend
from autograder.notebook.cuda_graphs import handle_of
from simt.cuda_api import host_events


class PrefetchError(RuntimeError):
    """The driver did not take a prefetch, as of memory that is not managed."""


def prefetch(array: Any, stream: Any = 0, to_host: bool = False) -> None:
    """Move a managed array, or a part of one, to the GPU or to the host, behind what the stream has to do.

    Without a GPU nothing moves, and the check counts what would. Raises: PrefetchError.
    """
    if not backend.gpu_available():
        host_events.tell("prefetches", array, to_host, stream)
        return
    from cuda.bindings import driver

    place = driver.CUmemLocation()
    kinds = driver.CUmemLocationType
    place.type = kinds.CU_MEM_LOCATION_TYPE_HOST if to_host else kinds.CU_MEM_LOCATION_TYPE_DEVICE
    place.id = 0 if to_host else backend.cuda.get_current_device().id
    call = getattr(driver, "cuMemPrefetchAsync_v2", driver.cuMemPrefetchAsync)  # CUDA 13 has one name, 12 has two
    status, *_ = call(array.__array_interface__["data"][0], array.nbytes, place, 0, handle_of(stream))
    if status != driver.CUresult.CUDA_SUCCESS:
        raise PrefetchError(f"cuMemPrefetchAsync: {status.name}. Only memory of cuda.managed_array can be moved.")
