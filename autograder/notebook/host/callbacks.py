"""Call a Python function when a stream has come to a place, without waiting for it.

    call_after(stream, tell, "kernel done")

numba's own `stream.add_callback` raises an AttributeError on a GPU (numba-cuda 0.30.4 asks the stream's handle for a
`value` that it has no longer), so this asks the driver (`cuLaunchHostFunc`, CUDA Driver API, "Execution Control").
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from autograder import backend
from autograder.notebook.cuda_graphs import handle_of

_queued: list[Any] = []  # what the driver will call: Python must not forget it before


class CallbackError(RuntimeError):
    """The driver did not take a function into a stream's queue; the message has its own word."""


def call_after(stream: Any, tell: Callable[..., object], *notes: Any) -> None:
    """Have `tell(*notes)` called as soon as everything is done that is in the stream now. Returns at once.

    A thread of the driver calls it, and what is put into the stream later waits until it has returned. It must not
    call CUDA. An error in it is printed, since nobody waits for its result. Without a GPU it is called at once.
    Raises: CallbackError where the driver refuses, as in a stream that is broken.
    """
    if not backend.gpu_available():
        stream.add_callback(lambda stream, status, notes: tell(*notes), notes)
        return
    import ctypes  # which a browser's Python may lack

    from cuda.bindings import driver

    @ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    def called(_: Any) -> None:
        try:
            tell(*notes)
        except Exception:
            traceback.print_exc()

    _queued.append(called)
    address = ctypes.cast(called, ctypes.c_void_p).value
    (status,) = driver.cuLaunchHostFunc(handle_of(stream), driver.CUhostFn(address), 0)
    if status != driver.CUresult.CUDA_SUCCESS:
        raise CallbackError(f"cuLaunchHostFunc: {status.name}. Look for an error of an earlier operation.")
